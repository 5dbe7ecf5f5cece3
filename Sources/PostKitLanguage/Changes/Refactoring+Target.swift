// Other layouts of a URL, and other methods.

import PostKitHTTP
import PostKitSyntax
import PostKitText

extension Refactoring {
  // MARK: - Layout

  /// The query with each pair on a line of its own, or all of the target on one line.
  var queryLines: CodeChange? {
    guard isInTarget, let first = target.first, let last = target.last else { return nil }
    if target.count > 1 {
      let joined = target.map(text).joined()
      return CodeChange(
        .rewrite, "Put the URL on one line",
        [TextEdit(first.lowerBound..<last.upperBound, joined)])
    }
    guard let query = queryStart(of: first) else { return nil }
    let places = parts(of: query..<first.upperBound).dropFirst().map(\.lowerBound)
    // What follows a fragment is none of the query.
    let edits = ([query] + places.map { $0 - 1 }).map { TextEdit($0..<$0, lineEnd + "    ") }
    return CodeChange(.rewrite, "Put each parameter on its own line", edits)
  }

  /// Where the `?` of a piece of the target stands, outside of references.
  private func queryStart(of range: Range<Int>) -> Int? {
    for literal in literals(range) {
      if let place = document.bytes[literal].firstIndex(of: UInt8(ascii: "?")) {
        return place + 1 < range.upperBound ? place : nil
      }
    }
    return nil
  }

  /// The pairs behind the `?` at the start of a range, as ranges of the file.
  private func parts(of range: Range<Int>) -> [Range<Int>] {
    var ends: [Int] = []
    for literal in literals(range) {
      for place in literal where document.bytes[place] == UInt8(ascii: "&") { ends.append(place) }
    }
    var start = range.lowerBound + 1
    var result: [Range<Int>] = []
    for end in ends + [range.upperBound] where end >= start {
      result.append(start..<end)
      start = end + 1
    }
    return result
  }

  /// What of a range is no reference.
  func literals(_ range: Range<Int>) -> [Range<Int>] {
    TemplateParser.pieces(document.bytes, in: range).compactMap {
      if case .literal(let literal) = $0 { literal } else { nil }
    }
  }

  // MARK: - Methods

  /// The request as GET where it is POST, and the other way round; pairs move between query and
  /// form.
  var otherMethod: CodeChange? {
    guard touches(request.line) else { return nil }
    switch request.method.map({ block.text($0).uppercased() }) ?? "GET" {
    case "GET": return asPost
    case "POST": return asGet
    default: return nil
    }
  }

  private func method(_ name: String) -> TextEdit {
    if let method = request.method { return TextEdit(block.absolute(method), name) }
    let start = block.absolute(request.line).lowerBound
    return TextEdit(start..<start, name + " ")
  }

  private var asPost: CodeChange? {
    guard request.body == nil, target.count == 1, let only = target.first,
      header("content-type") == nil, let query = queryStart(of: only),
      !literals(query..<only.upperBound).contains(where: {
        document.bytes[$0].contains(UInt8(ascii: "#"))
      })
    else { return CodeChange(.rewrite, "Send it as POST", [method("POST")]) }
    let pairs = parts(of: query..<only.upperBound).map(text)
    let head = "\(lineEnd)Content-Type: application/x-www-form-urlencoded\(lineEnd)\(lineEnd)"
    let body = pairs.joined(separator: "&")
    let end = endOfHead
    return CodeChange(
      .rewrite, "Send the query as a form with POST",
      [
        method("POST"), TextEdit(query..<only.upperBound, ""),
        TextEdit(end..<end, head + body),
      ])
  }

  private var asGet: CodeChange {
    guard let body = request.body else {
      return CodeChange(.rewrite, "Send it as GET", [method("GET")])
    }
    let title = "Send the form as a query with GET"
    guard let type = header("content-type"), mediaType?.isForm == true, let pairs = bodyText,
      let last = target.last
    else { return CodeChange(.rewrite, title, disabled: "Only a form body can become a query.") }
    let isOpen = target.contains { queryStart(of: $0) != nil || text($0).hasSuffix("?") }
    let lines = pairs.split(whereSeparator: \.isNewline).map { String($0).trimmingASCIIBlanks() }
    let query = (isOpen ? "&" : "?") + lines.joined()
    let start = document.lineRange(at: block.absolute(body.range).lowerBound).lowerBound
    // The blank line before the body goes with it.
    let blank = document.lines.range(ofLine: document.line(at: start) - 1)
    let range = block.absolute(body.range)
    let typeLine = wholeLine(type)
    // A body without a blank line before it begins where the header ends.
    let from = max(typeLine.upperBound, min(blank.lowerBound, range.lowerBound))
    return CodeChange(
      .rewrite, title,
      [
        method("GET"), TextEdit(last.upperBound..<last.upperBound, query),
        TextEdit(typeLine, ""), TextEdit(from..<range.upperBound, ""),
      ])
  }

  // MARK: - Characters

  /// The target with what no URL may hold in `%XX`.
  var encodedTarget: CodeChange? {
    // Braces that are not closed yet are meant for a reference.
    guard isInTarget, !target.flatMap(literals).map(text).contains(where: { $0.contains("{{") })
    else { return nil }
    let edits = target.flatMap(literals).compactMap { range -> TextEdit? in
      let written = text(range)
      let encoded = PercentEncoding.encodeIllegal(written)
      return encoded == written ? nil : TextEdit(range, encoded)
    }
    guard !edits.isEmpty else { return nil }
    return CodeChange(.rewrite, "Encode the URL", edits)
  }
}
