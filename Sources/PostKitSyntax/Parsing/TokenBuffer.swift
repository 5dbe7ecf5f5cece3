// Room for tokens on their way to their table. An array would be asked at each token whether it
// is shared, which takes longer than to keep the token.

/// A few tokens that will be appended to a table together.
struct TokenBuffer: ~Copyable {
  private static var capacity: Int { 512 }
  private let memory = UnsafeMutableBufferPointer<SyntaxToken>.allocate(capacity: capacity)
  /// How many tokens wait.
  private(set) var count = 0

  deinit { memory.deallocate() }

  /// Whether there is no room for another token.
  var isFull: Bool { count == Self.capacity }

  /// Adds a token; there must be room for it.
  mutating func append(_ token: SyntaxToken) {
    precondition(count < Self.capacity)
    memory.initializeElement(at: count, to: token)
    count += 1
  }

  /// Moves all tokens to the end of a table.
  mutating func move(to table: inout [SyntaxToken]) {
    table.append(contentsOf: UnsafeBufferPointer(rebasing: memory[..<count]))
    count = 0
  }
}
