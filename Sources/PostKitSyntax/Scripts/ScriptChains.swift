// The chains of a script, made when they are looked at: a long script has thousands of them.

/// The chains of a script in the order of their first names.
package struct ScriptChains: RandomAccessCollection, Sendable {
  private let reading: ScriptReading
  /// The numbers of the words that begin them.
  private let starts: [Int32]

  init(_ reading: ScriptReading, _ starts: [Int32]) {
    self.reading = reading
    self.starts = starts
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { starts.count }

  /// The chain at a place among them.
  package subscript(position: Int) -> ScriptChain {
    reading.chain(startingAt: Int(starts[position]))
      ?? ScriptChain(steps: [.member(Int(starts[position]))], danglingDot: nil)
  }

  /// The number of the first token of a chain, which is not made for it.
  package func first(at position: Int) -> Int { Int(starts[position]) }
}
