// The paths of a description as a tree of their steps, so that a request is looked for in those
// that begin as it does, however many there are.

import PostKitHTTP

/// Paths by their steps.
struct PathTree: Sendable {
  /// A parameter of a path with its value.
  typealias Parameter = OperationMatch.PathParameter

  /// A step with parameters in it: the texts around them and their names.
  private struct Pattern: Sendable, Hashable {
    let texts: [String]
    let names: [String]
  }

  private struct Node: Sendable {
    var literals: [String: Int] = [:]
    var patterns: [(pattern: Pattern, node: Int)] = []
    /// Where the node of a pattern is, however many siblings it has.
    var places: [Pattern: Int] = [:]
    var operations: [Int] = []
  }

  private var nodes = [Node()]

  /// Adds an operation at a path.
  mutating func add(_ path: String, operation: Int) {
    var at = 0
    let end = path.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    for piece in Self.pieces(path[..<(end ?? path.endIndex)]) {
      at = next(at, piece)
    }
    nodes[at].operations.append(operation)
  }

  /// Calls `found` for each path that text is, with the operations there and the values of its
  /// parameters: literal steps before parameters, from the left. It ends when `found` says so.
  func search(_ path: String, _ found: ([Int], [Parameter]) -> Bool) -> Bool {
    var values: [Parameter] = []
    return search(Self.pieces(path[...])[...], at: 0, &values, found)
  }

  private func search(
    _ pieces: ArraySlice<Substring>, at place: Int, _ values: inout [Parameter],
    _ found: ([Int], [Parameter]) -> Bool
  ) -> Bool {
    let node = nodes[place]
    guard let piece = pieces.first else {
      return !node.operations.isEmpty && found(node.operations, values)
    }
    let rest = pieces.dropFirst()
    if let next = node.literals[String(piece)], search(rest, at: next, &values, found) {
      return true
    }
    for (pattern, next) in node.patterns {
      guard let new = Self.values(piece, pattern.texts) else { continue }
      let count = values.count
      for (name, value) in zip(pattern.names, new) {
        values.append(Parameter(name: name, value: Self.unprefixed(value, name)))
      }
      if search(rest, at: next, &values, found) { return true }
      values.removeLast(values.count - count)
    }
    return false
  }

  private mutating func next(_ place: Int, _ piece: Substring) -> Int {
    let (texts, names) = Self.parts(of: piece)
    if names.isEmpty {
      if let known = nodes[place].literals[texts[0]] { return known }
      nodes[place].literals[texts[0]] = nodes.count
    } else {
      let pattern = Pattern(texts: texts, names: names)
      if let known = nodes[place].places[pattern] { return known }
      nodes[place].places[pattern] = nodes.count
      nodes[place].patterns.append((pattern, nodes.count))
    }
    nodes.append(Node())
    return nodes.count - 1
  }

  // MARK: - Steps

  private static func pieces(_ path: Substring) -> [Substring] {
    Array(URLText.steps(of: path).dropFirst())
  }

  private static func parts(of piece: Substring) -> (texts: [String], names: [String]) {
    var texts: [String] = []
    var names: [String] = []
    var rest = piece
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let close = rest[open...].utf8.firstIndex(of: UInt8(ascii: "}"))
    {
      texts.append(String(rest[..<open]))
      names.append(String(rest[rest.utf8.index(after: open)..<close]))
      rest = rest[rest.utf8.index(after: close)...]
    }
    texts.append(String(rest))
    return (texts, names)
  }

  /// What stands in a step between its fixed texts, each as short as may be; no value is empty.
  private static func values(_ piece: Substring, _ texts: [String]) -> [Substring]? {
    guard piece.hasPrefix(texts[0]) else { return nil }
    var rest = piece.dropFirst(texts[0].count)
    var values: [Substring] = []
    for text in texts.dropFirst().dropLast() {
      guard !text.isEmpty, let next = rest.dropFirst().firstRange(of: text) else { return nil }
      values.append(rest[..<next.lowerBound])
      rest = rest[next.upperBound...]
    }
    let last = texts[texts.count - 1]
    guard rest.count > last.count, rest.hasSuffix(last) else { return nil }
    values.append(rest.dropLast(last.count))
    return values
  }

  /// A value without the signs that the styles `label` and `matrix` put before it.
  private static func unprefixed(_ value: Substring, _ name: String) -> String {
    if value.hasPrefix(";\(name)=") { return String(value.dropFirst(name.count + 2)) }
    if value.hasPrefix("."), value.count > 1 { return String(value.dropFirst()) }
    return String(value)
  }
}
