// The line above a page of a long JSON body: which page it is, and where in the body it begins.

package import PostKitJSON

/// Which page of a long JSON body a document shows. It stands in the document, so that a place in a
/// page has the same path in every editor.
package struct PageHeading: Sendable, Hashable {
  /// The page, counted from 1.
  package let number: Int
  /// How many pages the body has.
  package let total: Int
  /// The path of the first element, such as `$.items[312]`; `nil` where it is too long for a line.
  package let path: String?

  /// Bytes of a path up to which it is shown.
  private static let pathLimit = 400
  /// Lines above a body among which the heading is looked for.
  private static let lineLimit = 1_000
  private static let beginning = "# Page "

  /// The heading of a page; `bytes` reads a range of the body.
  package init(_ number: Int, of pages: JSONPages, bytes: (Range<Int>) -> [UInt8]) {
    self.number = number
    total = pages.starts.count
    var path = "$"
    for frame in pages.starts[number - 1].frames where path.utf8.count <= PageHeading.pathLimit {
      path +=
        frame.isObject
        ? PathStep.member(quoted: bytes(frame.key)) : PathStep.element(frame.count - 1)
    }
    self.path = path.utf8.count > PageHeading.pathLimit ? nil : path
  }

  /// Finds the heading in the text of a response, or of its body.
  package init?(of text: [UInt8]) {
    let found = text.split(separator: 10, maxSplits: PageHeading.lineLimit)
      .first { $0.starts(with: PageHeading.beginning.utf8) }
    guard let found else { return nil }
    self.init(line: String(decoding: found, as: UTF8.self))
  }

  /// Reads a line that `line` wrote; `nil` for any other.
  package init?(line: some StringProtocol) {
    guard line.hasPrefix(PageHeading.beginning) else { return nil }
    let words = line.dropFirst(PageHeading.beginning.count).split(
      separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, words[1] == "of", let number = Int(words[0]) else { return nil }
    let rest = words[2]
    guard let total = Int(rest.prefix { $0.isASCII && $0.isNumber }), number >= 1, number <= total
    else { return nil }
    self.number = number
    self.total = total
    if let start = rest.firstIndex(of: "$") {
      path = String(PathStep.path(at: rest[start...]))
    } else {
      path = number == 1 ? "$" : nil
    }
  }

  /// Where the text of a response names the page after the one that it shows.
  package static func next(in text: [UInt8]) -> Range<Int>? {
    for line in text.split(separator: 10, maxSplits: lineLimit, omittingEmptySubsequences: false)
    {
      if line.starts(with: beginning.utf8), PageHeading(of: Array(line)) != nil {
        guard let blank = line.lastIndex(of: 0x20) else { return nil }
        let name = line[(blank + 1)...]
        return name.starts(with: "postkit:".utf8) ? name.startIndex..<name.endIndex : nil
      }
    }
    return nil
  }

  /// The line itself, with what leads on behind it.
  package func line(next: String?) -> String {
    let from = number == 1 ? "" : path.map { ", from \($0)" } ?? ""
    let on = next.map { " Next page: \($0)" } ?? ""
    return "\(PageHeading.beginning)\(number) of \(total)\(from).\(on)"
  }

  /// The numbers of the elements in the path, the outermost array first.
  var elements: [Int]? { path.map { PathStep.elements(of: $0[...]) } }
}

/// The steps of a JSONPath (RFC 9535, section 2.3).
enum PathStep {
  /// A step to an element.
  static func element(_ number: Int) -> String { "[\(number)]" }

  /// A step to a member whose name stands between quotes, as in a body.
  static func member(quoted: [UInt8]) -> String {
    // A key without its end is taken as it stands.
    let name =
      (try? JSONTree(parsing: quoted))?.root.string
      ?? String(decoding: quoted.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    let isPlain =
      name.utf8.first.map { !(48...57).contains($0) } ?? false
      && name.utf8.allSatisfy { $0.isOfName }
    return isPlain ? ".\(name)" : "[\(self.quoted(name))]"
  }

  /// A name between single quotes (RFC 9535, section 2.3.1.1).
  private static func quoted(_ name: String) -> String {
    var result = "'"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'", "\\": result += "\\\(scalar)"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  /// The path that a text begins with.
  static func path(at text: some StringProtocol) -> Substring {
    let text = Substring(text)
    var end = text.index(after: text.startIndex)
    while end < text.endIndex, let next = step(of: text[end...]) { end = next.end }
    return text[..<end]
  }

  /// The numbers in a path.
  static func elements(of path: Substring) -> [Int] {
    var result: [Int] = []
    var at = path.index(after: path.startIndex)
    while at < path.endIndex, let next = step(of: path[at...]) {
      if let number = next.element { result.append(number) }
      at = next.end
    }
    return result
  }

  /// The step that a text begins with: where it ends, and its number if it is an element's.
  private static func step(of text: Substring) -> (end: Substring.Index, element: Int?)? {
    if text.first == "." {
      let name = text.dropFirst().utf8.prefix { $0.isOfName }
      return name.isEmpty ? nil : (name.endIndex, nil)
    }
    guard text.first == "[" else { return nil }
    let inside = text.dropFirst()
    guard inside.first == "'" else {
      let digits = inside.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits), digits.endIndex < text.endIndex,
        text[digits.endIndex] == "]"
      else { return nil }
      return (text.index(after: digits.endIndex), number)
    }
    var isEscaped = false
    for index in inside.indices.dropFirst() {
      if isEscaped {
        isEscaped = false
      } else if inside[index] == "\\" {
        isEscaped = true
      } else if inside[index] == "'" {
        let bracket = inside.index(after: index)
        guard bracket < inside.endIndex, inside[bracket] == "]" else { return nil }
        return (inside.index(after: bracket), nil)
      }
    }
    return nil
  }
}

extension UInt8 {
  /// Whether it may stand in a name after a dot.
  fileprivate var isOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
