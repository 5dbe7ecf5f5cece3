// The elements of an XML or HTML text, as far as it takes to offer the steps of a path into it.

/// The elements of a text with their paths.
struct XMLSketch {
  /// An element.
  struct Element {
    /// The names that lead to it, its own included.
    var path: [String]
    var attributes: [String]
  }

  private(set) var elements: [Element] = []

  /// Elements that are kept, and bytes that are read.
  private static let limit = (elements: 5_000, bytes: 256 << 10)

  /// Elements of HTML that never have an end.
  private static let void: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr",
  ]

  /// Reads a text; what is no element is passed over.
  init(_ bytes: [UInt8]) {
    let text = bytes.prefix(XMLSketch.limit.bytes)
    var path: [String] = []
    var at = text.startIndex
    while elements.count < XMLSketch.limit.elements,
      let open = text[at...].firstIndex(of: UInt8(ascii: "<"))
    {
      at = open + 1
      guard at < text.endIndex else { return }
      switch text[at] {
      case UInt8(ascii: "!"):
        at = XMLSketch.endOfDeclaration(text, from: at)
      case UInt8(ascii: "/"):
        let name = XMLSketch.name(text, from: at + 1)
        if let place = path.lastIndex(of: name) { path.removeSubrange(place...) }
      default:
        let name = XMLSketch.name(text, from: at)
        guard name.utf8.first?.isLetter == true else { continue }
        var element = Element(path: path + [name], attributes: [])
        let end = element.readAttributes(text, from: at + name.utf8.count)
        elements.append(element)
        at = end
        let isClosed = end > open && text[..<end].last == UInt8(ascii: "/")
        if !isClosed, !XMLSketch.void.contains(name.lowercased()), path.count < 100 {
          path.append(name)
        }
      }
    }
  }

  private static func name(_ text: ArraySlice<UInt8>, from start: Int) -> String {
    String(
      decoding: text[start...].prefix { $0.isWord && $0 != 36 || $0 == 58 || $0 == 46 },
      as: UTF8.self)
  }

  /// Behind a comment, a section of characters, or any other declaration.
  private static func endOfDeclaration(_ text: ArraySlice<UInt8>, from start: Int) -> Int {
    for (opening, closing) in [("!--", "-->"), ("![CDATA[", "]]>"), ("!", ">")]
    where text[start...].starts(with: opening.utf8) {
      var at = start + opening.utf8.count
      while at < text.endIndex {
        if text[at...].starts(with: closing.utf8) { return at + closing.utf8.count }
        at += 1
      }
    }
    return text.endIndex
  }

  /// The elements that the steps of a path choose, such as `//item/name` or `/a/b[1]`; what stands
  /// in brackets is not looked at, and any other path chooses none.
  func elements(at path: String) -> [Element]? {
    var rest = path[...]
    var steps: [(name: String, isAnywhere: Bool)] = []
    while rest.hasPrefix("/") {
      rest = rest.dropFirst()
      let isAnywhere = rest.hasPrefix("/")
      if isAnywhere { rest = rest.dropFirst() }
      let name = rest.prefix { $0 != "/" && $0 != "[" }
      rest = rest.dropFirst(name.count)
      if rest.hasPrefix("[") {
        guard let close = rest.firstIndex(of: "]") else { return nil }
        rest = rest[rest.index(after: close)...]
      }
      if name.isEmpty { return nil }
      steps.append((String(name), isAnywhere))
    }
    guard rest.isEmpty else { return nil }
    return elements.filter { XMLSketch.leads(steps[...], to: $0.path[...]) }
  }

  private static func leads(
    _ steps: ArraySlice<(name: String, isAnywhere: Bool)>, to path: ArraySlice<String>
  ) -> Bool {
    guard let step = steps.last, let name = path.last else { return steps.isEmpty && path.isEmpty }
    guard step.name == "*" || step.name == name else { return false }
    if !step.isAnywhere { return leads(steps.dropLast(), to: path.dropLast()) }
    if steps.count == 1 { return true }
    return path.indices.contains { leads(steps.dropLast(), to: path[..<$0]) }
  }
}

extension XMLSketch.Element {
  /// Reads the attributes of a tag; where the tag ends.
  fileprivate mutating func readAttributes(_ text: ArraySlice<UInt8>, from start: Int) -> Int {
    var at = start
    while at < text.endIndex, text[at] != UInt8(ascii: ">") {
      guard text[at].isLetter else {
        at += 1
        continue
      }
      let name = text[at...].prefix { $0 > 32 && !"=/>".utf8.contains($0) }
      at = name.endIndex
      guard at + 1 < text.endIndex, text[at] == UInt8(ascii: "="), "\"'".utf8.contains(text[at + 1])
      else { continue }
      let quote = text[at + 1]
      let value = text[(at + 2)...].prefix { $0 != quote }
      at = min(value.endIndex + 1, text.endIndex)
      attributes.append(String(decoding: name, as: UTF8.self))
    }
    return at
  }
}
