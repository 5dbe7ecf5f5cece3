// Where the caret is, decided once from the tree and the line, also in broken text.

package import PostKitSyntax

/// What the caret stands in, with the bytes that a completion would replace: from the start of what
/// is being written to the end of its last word, which may lie behind the caret.
package enum CursorContext: Sendable, Hashable {
  /// Inside `{{`: the text before the caret, and whether the braces are closed behind it.
  case reference(prefix: String, replaced: Range<Int>, isClosed: Bool)
  /// After `# @`.
  case metadataKey(prefix: String, replaced: Range<Int>)
  /// Behind a tag's key.
  case metadataValue(foldedKey: String, prefix: String, replaced: Range<Int>)
  /// Behind `run #`.
  case requestName(prefix: String, replaced: Range<Int>)
  /// Behind `import`, or behind `run` where a request may be named, too.
  case requestFile(prefix: String, replaced: Range<Int>, isRun: Bool)
  /// Where a request begins, or in its method.
  case method(prefix: String, replaced: Range<Int>)
  case target(prefix: String, replaced: Range<Int>)
  case version(prefix: String, replaced: Range<Int>)
  case headerName(prefix: String, replaced: Range<Int>, hasColon: Bool)
  /// Behind a header's colon; of a list, the element at the caret.
  case headerValue(name: String, prefix: String, replaced: Range<Int>, needsBlank: Bool)
  case body
  case nothing
}

extension CursorContext {
  /// Finds the context of an offset; offsets inside of a line end belong to the line before it.
  package init(_ document: ParsedDocument, at position: Int) {
    let line = CaretLine(document, at: position)
    guard let block = document.block(at: line.caret) else {
      self = .method(prefix: "", replaced: line.caret..<line.caret)
      return
    }
    if block.syntax.kind == .prose || block.syntax.kind == .response {
      self = .nothing
    } else if let reference = CursorContext.reference(line) {
      self = reference
    } else if let metadata = CursorContext.metadata(line) {
      self = metadata
    } else {
      self = CursorContext.place(document, block, line)
    }
  }

  private static func reference(_ line: CaretLine) -> CursorContext? {
    guard let open = line.openBraces else { return nil }
    let start = line.skip(from: open + 2) { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: "%") }
    let isClosed = line.isReferenceClosed
    // What follows an open `{{` is not known to belong to it, so it stays.
    let end = isClosed ? line.wordEnd : line.caret
    return .reference(
      prefix: line.text(start..<line.caret), replaced: start..<end, isClosed: isClosed)
  }

  private static func metadata(_ line: CaretLine) -> CursorContext? {
    var at = line.contentStart
    if line.has("//", at: at) {
      at += 2
    } else if line.has("#", at: at), !line.has("###", at: at) {
      at = line.skip(from: at) { $0 == UInt8(ascii: "#") }
    } else {
      return nil
    }
    at = line.skipBlanks(from: at)
    guard line.has("@", at: at) else { return .nothing }
    at += 1
    let isBlankOrEquals = { (byte: UInt8) in byte == 32 || byte == 9 || byte == UInt8(ascii: "=") }
    let keyEnd = line.skip(from: at) { !isBlankOrEquals($0) }
    guard keyEnd < line.caret else {
      return .metadataKey(prefix: line.text(at..<line.caret), replaced: at..<line.wordEnd)
    }
    let key = line.text(at..<keyEnd).lowercased().filter { $0 != "-" }
    let start = line.skip(from: keyEnd, while: isBlankOrEquals)
    return .metadataValue(
      foldedKey: key, prefix: line.text(start..<line.caret), replaced: start..<line.wordEnd)
  }

  private static func place(
    _ document: ParsedDocument, _ block: ParsedBlock, _ line: CaretLine
  ) -> CursorContext {
    if line.has("###", at: line.contentStart) { return .nothing }
    let directive = directive(line)
    guard let request = block.syntax.request else { return directive ?? requestStart(line) }
    if request.curl != nil { return .nothing }
    let requestLine = block.absolute(request.line)
    if line.caret < requestLine.lowerBound { return directive ?? requestStart(line) }
    // A line that is not whole yet may be taken for a request line.
    if line.range.lowerBound <= requestLine.lowerBound {
      return directive ?? requestLineContext(line)
    }
    if let body = request.body, line.caret >= block.absolute(body.range).lowerBound { return .body }
    guard isInHeaders(document, from: requestLine.lowerBound, to: line.range.lowerBound) else {
      return .body
    }
    return header(line)
  }

  /// An `import` or `run` line, whose words in parentheses stay.
  private static func directive(_ line: CaretLine) -> CursorContext? {
    let word = line.words[0]
    let name = line.text(word)
    guard name == "import" || name == "run", word.upperBound < line.caret else { return nil }
    var end = line.caret
    while end < line.range.upperBound, line.bytes[end] != UInt8(ascii: "(") { end += 1 }
    while end > line.caret, line.bytes[end - 1] == 32 || line.bytes[end - 1] == 9 { end -= 1 }
    let start = line.skipBlanks(from: word.upperBound)
    if line.last(UInt8(ascii: "("), from: start) != nil { return .nothing }
    if name == "run", line.has("#", at: start) {
      return .requestName(prefix: line.text(start + 1..<line.caret), replaced: start + 1..<end)
    }
    return .requestFile(
      prefix: line.text(start..<line.caret), replaced: start..<end, isRun: name == "run")
  }

  private static func header(_ line: CaretLine) -> CursorContext {
    let start = line.contentStart
    if line.has("?", at: start) || line.has("&", at: start) || line.has("/", at: start) {
      return .target(prefix: line.text(start..<line.caret), replaced: start..<line.caret)
    }
    let colon = line.skip(from: start) { $0 != UInt8(ascii: ":") }
    guard colon < line.caret else {
      return .headerName(
        prefix: line.text(start..<line.caret), replaced: start..<line.wordEnd,
        hasColon: line.hasColonAfterWord)
    }
    let comma = line.last(UInt8(ascii: ","), from: colon + 1)
    let valueStart = line.skipBlanks(from: (comma ?? colon) + 1)
    return .headerValue(
      name: line.text(start..<colon), prefix: line.text(valueStart..<line.caret),
      replaced: valueStart..<line.elementEnd,
      needsBlank: valueStart == line.caret && valueStart == (comma ?? colon) + 1)
  }

  /// A line above the request line, or one that may become it.
  private static func requestStart(_ line: CaretLine) -> CursorContext {
    let start = line.contentStart
    let wordEnd = line.skip(from: start) { $0.isLetter || $0 == 45 || $0 == 95 }
    if wordEnd == line.caret {
      return .method(prefix: line.text(start..<line.caret), replaced: start..<line.wordEnd)
    }
    let first = line.bytes[start]
    if !first.isLetter && first != UInt8(ascii: "{") { return .nothing }
    return requestLineContext(line)
  }

  private static func requestLineContext(_ line: CaretLine) -> CursorContext {
    let words = line.words
    let last = words.last ?? line.caret..<line.caret
    let prefix = line.text(last)
    let first = words.first.map(line.text) ?? ""
    let beginsWithTarget = first.contains("/") || first.contains(":") || first.contains("{")
    switch words.count - (beginsWithTarget ? 0 : 1) {
    case ...0:
      return .method(prefix: prefix, replaced: last.lowerBound..<line.wordEnd)
    case 1:
      return .target(prefix: prefix, replaced: last)
    default:
      return .version(prefix: prefix, replaced: last.lowerBound..<line.elementEnd)
    }
  }

  /// Whether no blank line stands between the request line and the caret's line, nor is it one.
  private static func isInHeaders(
    _ document: ParsedDocument, from start: Int, to lineStart: Int
  ) -> Bool {
    var line = document.line(at: start) + 1
    let last = document.line(at: lineStart)
    while line < last {
      guard let offset = document.offset(ofLine: line) else { return false }
      let range = document.lineRange(at: offset)
      if document.bytes[range].allSatisfy({ $0 == 32 || $0 == 9 }) { return false }
      line += 1
    }
    return true
  }
}
