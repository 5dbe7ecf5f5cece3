// What makes a block matter to others, kept beside its place: who looks for a few blocks among ten
// thousand at each stroke of a key must not look at all their trees.

/// What a block is looked for by.
package struct BlockTraits: OptionSet, Sendable, Hashable {
  /// One bit for each trait.
  package let rawValue: UInt8

  /// Makes a set of traits of their bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A line of it names another request file.
  package static let namesFiles = BlockTraits(rawValue: 1)
  /// A line of it names requests that run before or instead of it.
  package static let namesRequests = BlockTraits(rawValue: 2)
  /// It has the tag that repeats a request.
  package static let repeats = BlockTraits(rawValue: 4)
  /// A reference in it may read an earlier exchange.
  package static let readsExchanges = BlockTraits(rawValue: 8)
  /// A line of it checks the response.
  package static let checks = BlockTraits(rawValue: 16)
  /// There is a script in it.
  package static let scripts = BlockTraits(rawValue: 32)
  /// A reference, a tag or a check in it may be JavaScript.
  package static let expressions = BlockTraits(rawValue: 64)
  /// There is a `={% %}` block in it.
  package static let scriptImports = BlockTraits(rawValue: 128)

  /// What a metadata line adds.
  init(_ tag: MetadataSyntax) {
    self = tag.region == .body ? [] : tag.kind.map { MetadataMarks.of($0).traits } ?? []
  }

  /// What an `import` or `run` line adds.
  init(_ directive: DirectiveSyntax) {
    self =
      switch directive.kind {
      case .importFile: .namesFiles
      case .runFile: [.namesFiles, .namesRequests]
      case .runRequest: .namesRequests
      }
  }
}

extension ReferenceExpression {
  /// Whether it may read an earlier exchange: whether `exchangeName` is a name.
  var readsExchange: Bool {
    switch self {
    case .path(_, let rest): !rest.isEmpty
    case .dynamic(let name, _): name == "xpath" || name.utf8.starts(with: "xpath:".utf8)
    case .script, .empty: false
    }
  }
}
