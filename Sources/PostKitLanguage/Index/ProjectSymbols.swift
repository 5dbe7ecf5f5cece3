// Finding anything with a name in the workspace by a few of its letters.

/// Something with a name.
package struct ProjectSymbol: Sendable {
  /// What it is.
  package enum Kind: Sendable, Hashable { case request, variable, environmentKey }
  package var name: String
  package var kind: Kind
  /// The file, and of a key its environment.
  package var container: String
  package var file: FileNames
  /// Where the name stands, or the line of a request without one.
  package var range: Range<Int>

  /// The symbol of a request that no file holds, at the start of its document.
  package init(request name: String, container: String, uri: String) {
    self.init(
      name: name, kind: .request, container: container, file: FileNames(path: uri, template: []),
      range: 0..<0)
  }

  /// Makes a symbol.
  init(name: String, kind: Kind, container: String, file: FileNames, range: Range<Int>) {
    self.name = name
    self.kind = kind
    self.container = container
    self.file = file
    self.range = range
  }
}

extension ProjectIndex {
  /// The symbols whose names have the letters of a query in them, in its order, the best first;
  /// `others` are those that no file has, each with the text in which letters are looked for.
  package func symbols(
    matching query: String, limit: Int, others: [(symbol: ProjectSymbol, text: String)] = []
  ) -> [ProjectSymbol] {
    let wanted = Array(query.lowercased().utf8.filter { $0 != 32 })
    var found: [(symbol: ProjectSymbol, score: Int)] = []
    for file in files.values where file.kind != .attached {
      if isAbandoned() { break }
      for (symbol, text) in file.symbols {
        if let score = NameMatch.score(text, wanted) { found.append((symbol, score)) }
      }
    }
    for (symbol, text) in others {
      if let score = NameMatch.score(text, wanted) { found.append((symbol, score)) }
    }
    found.sort { left, right in
      if left.score != right.score { return left.score > right.score }
      let (left, right) = (left.symbol, right.symbol)
      return (left.name, left.file.path, left.range.lowerBound)
        < (right.name, right.file.path, right.range.lowerBound)
    }
    return found.prefix(limit).map(\.symbol)
  }

  /// The symbol of a file that has a name of a kind, the nearest to an offset.
  package func symbol(
    _ name: String, _ kind: ProjectSymbol.Kind, in path: String, near offset: Int
  ) -> ProjectSymbol? {
    (files[path]?.symbols ?? []).map(\.symbol).filter { $0.name == name && $0.kind == kind }
      .min { abs($0.range.lowerBound - offset) < abs($1.range.lowerBound - offset) }
  }
}

extension FileNames {
  /// The symbols of the file, each with the text in which letters are looked for.
  fileprivate var symbols: [(symbol: ProjectSymbol, text: String)] {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return parts.flatMap { part -> [(symbol: ProjectSymbol, text: String)] in
      var result: [(symbol: ProjectSymbol, text: String)] = []
      if let request = part.names.request, request.isRequest {
        let named = part.names.occurrences.first { $0.role == .requestName }
          ?? part.names.occurrences.first { $0.role == .requestTitle }
        let range = named?.range ?? request.selection
        let symbol = ProjectSymbol(
          name: request.caption, kind: .request, container: name, file: self,
          range: range.lowerBound + part.start..<range.upperBound + part.start)
        result.append((symbol, NameMatch.withoutReferences(request.caption + " " + request.target)))
      }
      for occurrence in part.names.occurrences
      where occurrence.isDefinition && occurrence.isOfVariable {
        let range = occurrence.moved(by: part.start).range
        guard occurrence.role == .environmentKey || occurrence.role == .dotEnvKey else {
          let symbol = ProjectSymbol(
            name: occurrence.name, kind: .variable, container: name, file: self, range: range)
          result.append((symbol, occurrence.name))
          continue
        }
        let key = ([occurrence.name] + occurrence.path).joined(separator: ".")
        let symbol = ProjectSymbol(
          name: key, kind: .environmentKey,
          container: occurrence.owner.map { "\(name), \($0)" } ?? name, file: self, range: range)
        result.append((symbol, key))
      }
      return result
    }
  }
}

/// How well a few letters fit a name.
package enum NameMatch {
  /// The more of the letters stand together, and at the starts of words, the higher; `nil` where
  /// they are not all there in order.
  static func score(_ text: String, _ wanted: [UInt8]) -> Int? {
    if wanted.isEmpty { return 0 }
    let written = Array(text.utf8)
    let small = Array(text.lowercased().utf8)
    // Some letters have more bytes when they are small; then no word starts are known.
    let hasCase = written.count == small.count
    var (at, score, last) = (0, 0, -2)
    for letter in wanted {
      guard let found = small[at...].firstIndex(of: letter) else { return nil }
      if found == last + 1 { score += 4 }
      if found == 0 { score += 6 }
      let before = found > 0 ? small[found - 1] : 32
      let beginsWord =
        !isWord(before) || hasCase && isCapital(written[found]) && !isCapital(written[found - 1])
      if beginsWord { score += 3 }
      last = found
      at = found + 1
    }
    // Of equal ones the shorter is meant.
    return score * 64 - min(small.count, 63)
  }

  /// A target without what stands in braces: the names there are others' names.
  package static func withoutReferences(_ target: String) -> String {
    var result: [UInt8] = []
    var depth = 0
    for byte in target.utf8 {
      if byte == UInt8(ascii: "{") { depth += 1 }
      if depth == 0 { result.append(byte) }
      if byte == UInt8(ascii: "}") { depth = max(0, depth - 1) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte >= 0x80
  }

  private static func isCapital(_ byte: UInt8) -> Bool { (65...90).contains(byte) }
}
