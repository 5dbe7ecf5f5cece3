// Where the caret is, decided once from the tree and the line, also in broken text.

package import PostKitSyntax

/// What the caret stands in, with the bytes that a completion would replace.
package enum CursorContext: Sendable, Hashable {
  /// Inside `{{`: the text before the caret, and whether the braces are closed behind it.
  case reference(prefix: String, replaced: Range<Int>, isClosed: Bool)
  /// After `# @`.
  case metadataKey(prefix: String, replaced: Range<Int>)
  /// Behind a tag's key.
  case metadataValue(foldedKey: String, prefix: String, replaced: Range<Int>)
  /// Where a request begins, or in its method.
  case method(prefix: String, replaced: Range<Int>)
  case target(prefix: String, replaced: Range<Int>)
  case version(prefix: String, replaced: Range<Int>)
  case headerName(prefix: String, replaced: Range<Int>, hasColon: Bool)
  case headerValue(name: String, prefix: String, replaced: Range<Int>, needsBlank: Bool)
  case body
  case nothing
}

extension CursorContext {
  /// Finds the context of an offset.
  package init(_ document: ParsedDocument, at offset: Int) {
    guard let block = document.block(at: offset), block.syntax.kind != .prose else {
      self = document.blocks.isEmpty ? .method(prefix: "", replaced: offset..<offset) : .nothing
      return
    }
    let line = document.lineRange(at: offset)
    let before = String(decoding: document.bytes[line.lowerBound..<offset], as: UTF8.self)
    let after = String(decoding: document.bytes[offset..<line.upperBound], as: UTF8.self)
    if let reference = CursorContext.reference(before, after, offset) {
      self = reference
    } else if let metadata = CursorContext.metadata(before, offset) {
      self = metadata
    } else {
      self = CursorContext.place(document, block, line, before, after, offset)
    }
  }

  private static func reference(_ before: String, _ after: String, _ offset: Int) -> CursorContext? {
    guard let open = before.lastRange(of: "{{") else { return nil }
    let inside = before[open.upperBound...]
    guard !inside.contains("}}") else { return nil }
    let prefix = String(inside.drop { $0 == " " || $0 == "%" })
    let close = after.firstRange(of: "}}")
    let nextOpen = after.firstRange(of: "{{")
    var isClosed = close != nil
    if let close, let nextOpen, nextOpen.lowerBound < close.lowerBound { isClosed = false }
    return .reference(
      prefix: prefix, replaced: offset - prefix.utf8.count..<offset, isClosed: isClosed)
  }

  private static func metadata(_ before: String, _ offset: Int) -> CursorContext? {
    var rest = before.drop { $0 == " " || $0 == "\t" }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
    } else if rest.hasPrefix("#"), !rest.hasPrefix("###") {
      rest = rest.drop { $0 == "#" }
    } else {
      return nil
    }
    rest = rest.drop { $0 == " " || $0 == "\t" }
    guard rest.hasPrefix("@") else { return .nothing }
    rest = rest.dropFirst()
    guard let blank = rest.firstIndex(where: { $0 == " " || $0 == "=" }) else {
      return .metadataKey(
        prefix: String(rest), replaced: offset - rest.utf8.count..<offset)
    }
    let key = rest[..<blank].lowercased().filter { $0 != "-" }
    let value = String(rest[rest.index(after: blank)...].drop { $0 == " " || $0 == "=" })
    return .metadataValue(
      foldedKey: key, prefix: value, replaced: offset - value.utf8.count..<offset)
  }

  private static func place(
    _ document: ParsedDocument, _ block: ParsedBlock, _ line: Range<Int>, _ before: String,
    _ after: String, _ offset: Int
  ) -> CursorContext {
    if before.drop(while: { $0 == " " }).hasPrefix("###") { return .nothing }
    guard let request = block.syntax.request else { return methodOrNothing(before, offset) }
    let requestLine = block.absolute(request.line)
    if offset < requestLine.lowerBound { return methodOrNothing(before, offset) }
    if line.contains(requestLine.lowerBound) || line.lowerBound == requestLine.lowerBound {
      return inRequestLine(before, offset)
    }
    if let body = request.body, offset >= block.absolute(body.range).lowerBound { return .body }
    guard isInHeaders(document, from: requestLine.lowerBound, to: line.lowerBound) else {
      return .body
    }
    let trimmed = before.drop { $0 == " " || $0 == "\t" }
    if trimmed.hasPrefix("?") || trimmed.hasPrefix("&") || trimmed.hasPrefix("/") {
      return .target(prefix: String(trimmed), replaced: offset - trimmed.utf8.count..<offset)
    }
    guard let colon = trimmed.firstIndex(of: ":") else {
      return .headerName(
        prefix: String(trimmed), replaced: offset - trimmed.utf8.count..<offset,
        hasColon: after.contains(":"))
    }
    let rest = trimmed[trimmed.index(after: colon)...]
    let value = String(rest.drop { $0 == " " || $0 == "\t" })
    return .headerValue(
      name: String(trimmed[..<colon]), prefix: value,
      replaced: offset - value.utf8.count..<offset, needsBlank: rest.isEmpty)
  }

  private static func methodOrNothing(_ before: String, _ offset: Int) -> CursorContext {
    let word = before.drop { $0 == " " || $0 == "\t" }
    guard word.allSatisfy({ $0.isLetter || $0 == "-" || $0 == "_" }) else {
      return word.contains("/") || word.contains(":") ? inRequestLine(before, offset) : .nothing
    }
    return .method(prefix: String(word), replaced: offset - word.utf8.count..<offset)
  }

  private static func inRequestLine(_ before: String, _ offset: Int) -> CursorContext {
    let line = before.drop { $0 == " " || $0 == "\t" }
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count > 1 else {
      if line.contains("/") || line.contains(":") {
        return .target(prefix: String(line), replaced: offset - line.utf8.count..<offset)
      }
      return .method(prefix: String(line), replaced: offset - line.utf8.count..<offset)
    }
    let word = words.last.map(String.init) ?? ""
    let replaced = offset - word.utf8.count..<offset
    if words.dropFirst().dropLast().contains(where: { !$0.isEmpty }) {
      return .version(prefix: word, replaced: replaced)
    }
    return .target(prefix: word, replaced: replaced)
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

extension String {
  /// The last place of a text in this one.
  fileprivate func lastRange(of text: String) -> Range<String.Index>? {
    ranges(of: text).last
  }
}
