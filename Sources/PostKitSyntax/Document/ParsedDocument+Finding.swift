// Finds requests by what people call them (PK-7).

extension ParsedDocument {
  /// The first request of a name, a title, a position `#1`, `METHOD url`, or a name that is equal
  /// when folded: `get user`, `get-user` and `getUser` are the same.
  package func request(named name: String) -> ParsedBlock? { requests(named: name).first }

  /// The first request that a reference means by a name, found in constant time: by name, title, or
  /// folded name (PK-7).
  package func request(referredToAs name: String) -> ParsedBlock? {
    names.place(ofRequest: name).map { blocks[$0] }
  }

  /// All requests that the best kind of match gives; more than one has the same name (PK-7).
  package func requests(named name: String) -> [ParsedBlock] {
    Self.matches(name, among: requests)
  }

  /// All blocks of a name, with those that hold no request: `@ref` may call them (PK-40).
  package func blocks(named name: String) -> [ParsedBlock] {
    Self.matches(name, among: blocks.filter { $0.isRequest || $0.name != nil })
  }

  /// The name in the form in which names are compared when no exact one is found.
  package static func foldedName(_ name: String) -> String {
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return String(name.lowercased().filter { !$0.isWhitespace && $0 != "-" })
    }
    // The same for ASCII, some ten times as fast: names are folded for every block.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(name.utf8.count)
    for byte in name.utf8 where byte != 45 && byte != 32 && !(9...13).contains(byte) {
      bytes.append((65...90).contains(byte) ? byte | 0x20 : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name without blanks at its ends.
  static func comparedName(_ written: String) -> String { String(trimming: written) }

  private static func matches(_ written: String, among blocks: [ParsedBlock]) -> [ParsedBlock] {
    let name = comparedName(written)
    let exact = blocks.filter { $0.name == name }
    if !exact.isEmpty { return exact }
    let titled = blocks.filter { $0.title == name }
    if !titled.isEmpty { return titled }
    if name.hasPrefix("#"), let place = Int(name.dropFirst()) {
      let requests = blocks.filter(\.isRequest)
      return requests.indices.contains(place - 1) ? [requests[place - 1]] : []
    }
    let byTarget = blocks.filter { $0.methodAndTarget == name }
    if !byTarget.isEmpty { return byTarget }
    let folded = foldedName(name)
    if folded.isEmpty { return [] }
    return blocks.filter { block in
      if let name = block.name, foldedName(name) == folded { return true }
      return block.title.map { foldedName($0) == folded } ?? false
    }
  }
}

extension String {
  /// The text without blanks at its ends.
  fileprivate init(trimming text: String) {
    let bytes = Array(text.utf8)
    self = bytes.string(bytes.trimmed(0..<bytes.count))
  }
}
