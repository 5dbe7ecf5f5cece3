// Completion of paths into bodies: JSONPath by what the JSON has, XPath by what the XML has (C15).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON

extension Analysis {
  /// What a path into a body begins with.
  static let bodyStart = [
    Member(name: "$", detail: "the whole value", continues: true),
    Member(name: "*", detail: "the whole body"),
  ]

  /// What can follow a selector in a body.
  func bodyMembers(_ body: [UInt8], _ selector: String, _ path: MemberPath) -> [Member] {
    guard body.count <= Analysis.bodyLimit else {
      return selector.isEmpty ? Analysis.bodyStart : []
    }
    if body.first(where: { $0 > 32 }) == UInt8(ascii: "<") {
      guard selector.isEmpty else { return [] }
      let steps = elementMembers(body, path.typed)
      return path.typed.hasPrefix("/") ? steps : Analysis.bodyStart + steps
    }
    if selector.isEmpty { return Analysis.bodyStart }
    // A body that is no JSON has no members to offer.
    guard let tree = try? JSONTree(parsing: body) else { return [] }
    return members(in: tree, selector, path)
  }

  /// What can follow a path into a variable that is an object or an array.
  func members(of definition: VariableDefinition, _ path: MemberPath) -> [Member] {
    guard !definition.isSecret, let tree = try? JSONTree(parsing: definition.value.bytes) else {
      return []
    }
    let base = path.base.hasSuffix(".") ? String(path.base.dropLast()) : path.base
    let isBelow = base.isEmpty || base.hasPrefix("[")
    return members(in: tree, "$" + (isBelow ? base : "." + base), path)
  }

  private func members(in tree: JSONTree, _ selector: String, _ path: MemberPath) -> [Member] {
    // Two dots: whatever has the name, at any depth.
    if selector.hasSuffix(".") {
      return descendants(of: tree, String(selector.dropLast()))
    }
    // A path that can't be read yet, such as one that is being written, has no members.
    guard let value = try? JSONPath(selector).first(in: tree.root) else { return [] }
    guard value.kind == .array else { return members(of: value, path) }
    return path.typed.hasPrefix("[?")
      ? conditions(value, path) : elements(of: value, path)
  }

  private func members(of value: JSONView, _ path: MemberPath) -> [Member] {
    let mask = suggestionMask
    var seen: Set<String> = []
    return value.members.prefix(Analysis.shownMembers).compactMap { key, value in
      guard let key = key.string, seen.insert(key).inserted, !mask.mask(key).didMask else {
        return nil
      }
      let name = Analysis.canFollowDot(key) && !path.isInBrackets ? key : "['\(key)']"
      if name != key, key.contains(where: { "'\\{}".contains($0) }) { return nil }
      return Member(
        name: name, detail: Analysis.detail(of: value, mask),
        continues: value.kind == .object || value.kind == .array)
    }
  }

  /// The names of members at any depth below a path, each once.
  private func descendants(of tree: JSONTree, _ selector: String) -> [Member] {
    guard let start = try? JSONPath(selector).first(in: tree.root) else { return [] }
    let mask = suggestionMask
    var seen: Set<String> = []
    var result: [Member] = []
    var rest = [start]
    var visited = 0
    while visited < rest.count, visited < Analysis.shownDescendants {
      let value = rest[visited]
      visited += 1
      rest += value.elements.prefix(Analysis.shownElements)
      for (key, value) in value.members.prefix(Analysis.shownMembers) {
        if value.kind == .object || value.kind == .array { rest.append(value) }
        guard let key = key.string, seen.insert(key).inserted, !mask.mask(key).didMask,
          Analysis.canFollowDot(key)
        else { continue }
        let isContainer = value.kind == .object || value.kind == .array
        result.append(Member(name: key, detail: "at any depth", continues: isContainer))
      }
    }
    return result
  }

  /// The elements of an array by place, all of them, and those that a condition chooses.
  private func elements(of value: JSONView, _ path: MemberPath) -> [Member] {
    let mask = suggestionMask
    let places = value.elements.prefix(Analysis.shownElements).enumerated().map { index, element in
      Member(
        name: "[\(index)]", detail: Analysis.detail(of: element, mask),
        continues: element.kind == .object || element.kind == .array)
    }
    let key = value.elements.first?.members.first?.key.string ?? "name"
    return places + [
      Member(name: "[*]", detail: "all elements", continues: true, isOpen: true),
      Member(
        name: "[?(@.\(key) == 1)]", detail: "the elements that match a condition", continues: true,
        isOpen: true, snippet: "[?(@.${1:\(Snippet.literal(key))} == ${2:1})]"),
    ]
  }

  /// Conditions on each member that the elements of an array have.
  private func conditions(_ value: JSONView, _ path: MemberPath) -> [Member] {
    let mask = suggestionMask
    let opening = path.typed.hasPrefix("[?(") ? ("[?(", ")]") : ("[?", "]")
    var seen: Set<String> = []
    var result: [Member] = []
    for element in value.elements.prefix(Analysis.shownElements) {
      for (key, value) in element.members.prefix(Analysis.shownMembers) {
        guard let key = key.string, !mask.mask(key).didMask, Analysis.canFollowDot(key),
          seen.insert(key).inserted
        else { continue }
        let sample = value.kind == .string ? "''" : "1"
        let example = value.kind == .string ? "'${1}'" : "${1:1}"
        result.append(
          Member(
            name: "\(opening.0)@.\(key) == \(sample)\(opening.1)",
            detail: "the elements that match a condition", continues: true, isOpen: true,
            snippet: "\(opening.0)@.\(Snippet.literal(key)) == \(example)\(opening.1)"))
      }
    }
    return result
  }

  /// Whether a key can be written behind a dot.
  static func canFollowDot(_ key: String) -> Bool {
    // One that can't would make a path that can't be read.
    (try? JSONPath("$.\(key)")) != nil
  }

  /// A scalar as it is shown behind its name; the size of anything else.
  static func detail(of value: JSONView, _ mask: SecretMask) -> String? {
    switch value.kind {
    case .object: nil
    case .array: value.count == 1 ? "1 element" : "\(value.count) elements"
    case .null, .true, .false, .number, .string:
      shortened(mask.mask(value.value.substitutionText).text)
    }
  }

  // MARK: - XPath

  /// The steps that can follow in an XPath: elements, and behind `@` attributes.
  private func elementMembers(_ body: [UInt8], _ written: String) -> [Member] {
    let sketch = XMLSketch(body)
    guard let slash = written.lastIndex(of: "/") else {
      return steps(sketch.elements.map { "//" + ($0.path.last ?? "") }, "an element")
    }
    // Names are offered with all that stands before them, as dots part what an editor takes for
    // words.
    let before = String(written[...slash])
    let isAnywhere = before.hasSuffix("//")
    let parent = String(before.dropLast(isAnywhere ? 2 : 1))
    let parents = parent.isEmpty ? nil : sketch.elements(at: parent)
    if isAnywhere || parent.isEmpty && before == "/" {
      let first = sketch.elements.first.map { ["/" + ($0.path.last ?? "")] } ?? []
      let inner = sketch.elements.filter { element in
        parents?.contains { element.path.starts(with: $0.path) && element.path != $0.path } ?? true
      }
      let anywhere = inner.map { parent + "//" + ($0.path.last ?? "") }
      return steps((isAnywhere ? [] : first) + anywhere, "an element")
    }
    guard let parents else { return [] }
    let children = sketch.elements.filter { element in
      parents.contains { element.path.dropLast().elementsEqual($0.path) }
    }
    let names = parents.flatMap(\.attributes).filter { !$0.hasPrefix("xmlns") }
    let attributes = names.map { "\(before)@\($0)" }
    return steps(children.map { before + ($0.path.last ?? "") }, "an element")
      + steps(attributes, "an attribute") + steps([before + "text()"], "its text")
  }

  private func steps(_ names: [String], _ detail: String) -> [Member] {
    let mask = suggestionMask
    var seen: Set<String> = []
    return names.filter { maySuggest($0, mask) && seen.insert($0).inserted }
      .prefix(Analysis.shownMembers)
      .map { Member(name: $0, detail: detail) }
  }

  /// Bytes of a body that is read while somebody types (PROMISES.md C15).
  private static let bodyLimit = 2 << 20
  private static let shownMembers = 500
  private static let shownElements = 20
  private static let shownDescendants = 2_000
}

extension VariableDefinition {
  /// Whether a path can go on behind its name.
  var hasMembers: Bool {
    switch value {
    case .object, .array: true
    case .null, .bool, .number, .string: false
    }
  }
}
