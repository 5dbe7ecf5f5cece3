// Fixes of a block's form: separators, headers, lines that stand in the wrong place.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

extension FixPlace {
  /// `###` at the start of its line.
  var separatorAtStart: [QuickFix] {
    let start = document.lineRange(at: range.lowerBound).lowerBound
    let marker = block.syntax.separator.map { block.absolute($0.marker).lowerBound } ?? start
    return [QuickFix("Move it to the start of the line", TextEdit(start..<marker, ""))]
  }

  /// `###` above the line.
  var separatorAbove: [QuickFix] {
    [QuickFix("Add `###` before it", insertingLine("###", above: range.lowerBound))]
  }

  /// The line of a definition taken away.
  var definitionRemoval: [QuickFix] {
    // A statement of a script may go on in other lines, and does more than to define.
    if document.block(at: range.lowerBound)?.hasScript(at: range.lowerBound) ?? false { return [] }
    return lineRemoval(text(document.lineRange(at: range.lowerBound)).excerpt)
  }

  /// The line taken away.
  func lineRemoval(_ line: String) -> [QuickFix] {
    [QuickFix("Remove the line `\(line)`", TextEdit(wholeLine, ""))]
  }

  /// The known header that was meant.
  var headerName: [QuickFix] { writing(HeaderSpelling.meant(by: document.bytes[range])) }

  /// The type that the body looks like.
  var contentType: [QuickFix] { (refactoring?.contentType).map { [QuickFix($0)] } ?? [] }

  /// The URL as it is sent.
  var encodedTarget: [QuickFix] { (refactoring?.encodedTarget).map { [QuickFix($0)] } ?? [] }

  /// A blank line above the line of the diagnostic.
  func blankLine(_ title: String) -> [QuickFix] {
    [QuickFix(title, insertingLine("", above: range.lowerBound))]
  }

  /// The comments of the body above the request line.
  var commentsAbove: [QuickFix] {
    let lines = block.syntax.request?.body?.lines.filter { $0.kind == .comment } ?? []
    return moved("Move it above the request", lines.map { block.absolute($0.content) })
  }

  /// The tag above the request line.
  var tagAbove: [QuickFix] { moved("Move it above the request line", [range]) }

  /// The word of a command taken away.
  var wordRemoval: [QuickFix] { [QuickFix("Remove `\(text)`", TextEdit(wordWithBlanks, ""))] }

  /// The request as refactorings see it, with the diagnostic selected.
  private var refactoring: Refactoring? {
    block.syntax.request.map {
      Refactoring(analysis: analysis, block: block, request: $0, selection: range)
    }
  }

  /// The method that a body is meant for.
  var post: [QuickFix] {
    guard let request = block.syntax.request else { return [] }
    let isWritten = request.method.map { block.absolute($0) == range } ?? false
    return [
      QuickFix(
        "Send it as POST", isWritten ? replacing("POST") : inserting("POST ", at: range.lowerBound))
    ]
  }

  /// A header taken away with the lines that it goes on.
  var headerRemoval: [QuickFix] {
    guard let place = refactoring,
      let header = place.request.headers.first(where: { block.absolute($0.line) == range })
    else { return [] }
    return [
      QuickFix("Remove this `\(block.text(header.name))`", TextEdit(place.wholeLine(header), ""))
    ]
  }

  /// A comma before the end of an object or array taken away.
  var comma: [QuickFix] {
    guard text == "}" || text == "]" else { return [] }
    var at = range.lowerBound - 1
    while at > 0, [9, 10, 13, 32].contains(document.bytes[at]) { at -= 1 }
    guard at >= 0, document.bytes[at] == UInt8(ascii: ",") else { return [] }
    return [QuickFix("Remove the comma before `\(text)`", TextEdit(at..<at + 1, ""))]
  }

  /// A new request that begins with the text.
  var newRequest: [QuickFix] {
    let isWholeLine = document.lineRange(at: range.lowerBound).lowerBound == range.lowerBound
    let start = isWholeLine ? "" : lineEnd
    return [
      QuickFix(
        "Start a new request with `###`",
        inserting(start + "###" + lineEnd, at: range.lowerBound))
    ]
  }

  /// A colon behind the first word, where that can be a name; or the start of the body.
  var header: [QuickFix] {
    let name = text.prefix { $0 != " " && $0 != "\t" }
    let value = text.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
    let body = QuickFix(
      "Add a blank line: the body starts here",
      insertingLine("", above: range.lowerBound))
    guard !value.isEmpty, HeaderName.isToken(String(name)) else { return [body] }
    let start = range.lowerBound + name.utf8.count
    let blanks = start..<range.upperBound - value.utf8.count
    return [QuickFix("Write `\(name): \(value)`", TextEdit(blanks, ": ")), body]
  }

  /// Lines of a body, put above the request line.
  private func moved(_ title: String, _ lines: [Range<Int>]) -> [QuickFix] {
    guard let request = block.syntax.request, !lines.isEmpty else { return [] }
    let goal = block.absolute(request.line).lowerBound
    var edits = lines.map { insertingLine(text($0), above: goal) }
    edits += lines.map {
      TextEdit(document.lines.range(ofLine: document.line(at: $0.lowerBound)), "")
    }
    return [QuickFix(title, edits: edits)]
  }

  /// `&` at the end of the pair above.
  var ampersand: [QuickFix] {
    var end = document.lineRange(at: range.lowerBound).lowerBound
    while end > 0, [9, 10, 13, 32].contains(document.bytes[end - 1]) { end -= 1 }
    return [QuickFix("Add `&` at the end of the line above", inserting("&", at: end))]
  }

  /// The line that ends a multipart body, or the body's boundary in the header.
  var boundary: [QuickFix] {
    guard let request = block.syntax.request, let body = request.body,
      let header = request.headers.first(where: {
        block.text($0.name).lowercased() == "content-type"
      }), let value = header.value.first, header.value.count == 1
    else { return [] }
    let lines = body.lines.map { block.text($0.content).trimmingASCIIBlanks() }
    let inHeader = MediaType(block.text(value))?.parameter("boundary")
    let inBody = lines.first { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
    if let name = inHeader ?? inBody, lines.contains("--" + name) {
      if lines.contains("--" + name + "--") { return [] }
      let end = block.absolute(body.range).upperBound
      let line = "--\(name)--"
      return [QuickFix("End the body with `\(line)`", inserting(lineEnd + line, at: end))]
    }
    guard let inHeader, let inBody, !inBody.isEmpty,
      let place = block.text(value).range(ofLast: inHeader)
    else { return [] }
    let start = block.absolute(value).lowerBound + place.lowerBound
    let name = start..<start + place.count
    return [QuickFix("Name the boundary `\(inBody)` in the header", TextEdit(name, inBody))]
  }

  /// The word with the blanks before it, and with the line's end where a command goes on.
  private var wordWithBlanks: Range<Int> {
    let bytes = document.bytes
    var start = range.lowerBound
    while start > 0, bytes[start - 1] == 32 || bytes[start - 1] == 9 { start -= 1 }
    guard start > 0, bytes[start - 1] == 10 else { return start..<range.upperBound }
    var before = start - 1
    if before > 0, bytes[before - 1] == 13 { before -= 1 }
    guard before > 0, bytes[before - 1] == UInt8(ascii: "\\") else {
      return start..<range.upperBound
    }
    before -= 1
    while before > 0, bytes[before - 1] == 32 || bytes[before - 1] == 9 { before -= 1 }
    return before..<range.upperBound
  }

  /// The form that all tools read alike.
  var portable: [QuickFix] {
    guard let request = block.syntax.request else { return [] }
    if let method = request.method, block.absolute(method) == range {
      return writing(text.uppercased())
    }
    if block.absolute(request.line) == range { return separatorAbove }
    guard let header = request.headers.first(where: { block.absolute($0.line) == range }),
      let first = header.value.first, let last = header.value.last, header.value.count > 1
    else { return [] }
    let value = header.value.map { block.text($0) }.joined(separator: " ")
    return [
      QuickFix(
        "Write the value on one line",
        TextEdit(block.absolute(first.lowerBound..<last.upperBound), value))
    ]
  }
}

extension String {
  /// Where another text stands last, in bytes.
  fileprivate func range(ofLast other: String) -> Range<Int>? {
    let (whole, part) = (Array(utf8), Array(other.utf8))
    guard !part.isEmpty, whole.count >= part.count else { return nil }
    return (0...whole.count - part.count).last { whole[$0...].starts(with: part) }
      .map { $0..<$0 + part.count }
  }
}
