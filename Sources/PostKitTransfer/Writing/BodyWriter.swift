// Bodies as text of a block, or as files beside it (IO-11 to IO-13).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON

/// Writes the body of one request into its draft.
struct BodyWriter {
  let care: WritingCare
  let names: [String: String]
  let files: BesideFiles
  /// Where the body stands in the source.
  let place: OriginPlace
  /// Whether nothing may lie beside the request.
  var standsAlone = false
  /// Whether the block says `# @no-auto-encoding`.
  var isPlain = false

  /// Writes a body; headers that it needs are added to those of the draft.
  func write(_ body: OriginBody, to draft: inout RequestDraft) {
    switch body {
    case .none: break
    case .text(let text): write(text, to: &draft)
    case .bytes(let bytes, let ending):
      if let text = text(of: bytes) {
        write(text, to: &draft)
      } else if !bytes.isEmpty {
        writeFile(bytes, ending: ending, marker: "<", to: &draft)
      }
    case .file(let path):
      draft.block.body = "< " + files.path(toSource: path, names, place, &draft).path
      draft.fileLines = 1
    case .form(let pairs): write(form: pairs, to: &draft)
    case .multipart(let parts): write(parts, to: &draft)
    case .graphQL(let query, let variables, let operationName):
      write(query, variables, operationName, to: &draft)
    case .messages(let texts):
      let texts = texts.map { TemplateNames.renaming($0.text, $0.isLiteral ? [:] : names) }
      let text = OriginText(texts.joined(separator: "\n\n===\n\n"))
      if !text.text.isEmpty { write(text, to: &draft) }
    }
  }

  private func type(in draft: RequestDraft) -> MediaType? {
    draft.headers.first { $0.name.equalsIgnoringASCIICase("Content-Type") }
      .flatMap { MediaType($0.value) }
  }

  private func hasType(_ draft: RequestDraft) -> Bool {
    draft.headers.contains { $0.name.equalsIgnoringASCIICase("Content-Type") }
  }

  // MARK: - Text

  private func write(_ origin: OriginText, to draft: inout RequestDraft) {
    let text = origin.isLiteral ? origin.text : TemplateNames.renaming(origin.text, names)
    guard !text.isEmpty else { return }
    let type = type(in: draft)
    let isJSON = type?.isJSON ?? (!hasType(draft) && Self.looksLikeJSON(text))
    let isLiteral = origin.isLiteral || !text.hasTemplate
    let isRead = !((type == nil || isJSON) && Self.beginsGraphQL(text))
      && (type?.isForm != true || isSentAsWritten(text))
    if isRead, let lines = standing(origin, isJSON: isJSON, to: &draft) {
      draft.block.body = isJSON ? Self.trimmed(lines) : lines
      draft.isLiteralBody = isLiteral
      return
    }
    let needsFile = care >= .bodiesInFiles || text.has("\r") || text.hasEscapedBraces
      || origin.isLiteral && text.hasTemplate || !isRead
      || text.withBytes { $0.contains { $0 < 32 && $0 != 9 && $0 != 10 && $0 != 13 } }
    if needsFile {
      let ending = isJSON ? "json" : type.map(\.fileExtension) ?? "txt"
      var bytes = Array(text.utf8)
      // A multipart body gets a line end of the language's own (PK-19).
      if type?.isMultipart == true, bytes.suffix(2).elementsEqual([13, 10]) { bytes.removeLast(2) }
      return writeFile(
        bytes, ending: "." + (ending == "bin" ? "txt" : ending),
        marker: isLiteral ? "<" : "<@", to: &draft)
    }
    // Blanks around JSON say nothing, and a body that ends in a blank line can't be written.
    draft.block.body = isJSON ? Self.trimmed(text) : text
    draft.isLiteralBody = isLiteral
  }

  /// Whether a text under the type of forms arrives as it is: the language encodes it, and puts its
  /// lines together.
  private func isSentAsWritten(_ text: String) -> Bool {
    CurlConversion.isSentAsWritten(
      TemplateText.rewriting(text) { _ in "x" }, type: "application/x-www-form-urlencoded",
      tag: isPlain ? "# @no-auto-encoding" : nil)
  }

  private func writeFile(
    _ bytes: [UInt8], ending: String, marker: String, to draft: inout RequestDraft
  ) {
    let ending = ending.hasPrefix(".") ? ending : "." + ending
    let name = files.name("body", in: "bodies/", ending: ending)
    draft.attachments.append(TransferFile(path: files.directory + name, bytes: bytes))
    draft.block.body = "\(marker) ./\(name)"
    draft.fileLines = 1
    draft.isLiteralBody = true
  }

  private static func looksLikeJSON(_ text: String) -> Bool {
    let first = text.utf8.first { $0 > 32 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func trimmed(_ text: String) -> String {
    let bytes = text.utf8
    if let first = bytes.first, first > 32, let last = bytes.last, last > 32 { return text }
    guard let first = bytes.firstIndex(where: { $0 > 32 }),
      let last = bytes.lastIndex(where: { $0 > 32 })
    else { return "" }
    return first == bytes.startIndex && bytes.index(after: last) == bytes.endIndex
      ? text : String(text[first...last])
  }

  /// Whether a text would be taken for GraphQL by its first word (PK-21, PK-104).
  private static func beginsGraphQL(_ text: String) -> Bool {
    guard let start = text.utf8.firstIndex(where: { $0 > 32 && $0 != UInt8(ascii: ",") }) else {
      return false
    }
    let first = text.utf8[start]
    // A comment may stand before the first word.
    if first == UInt8(ascii: "#") { return true }
    return ["query", "mutation", "subscription", "fragment", "gql"].contains {
      text[start...].utf8.starts(with: $0.utf8)
    }
  }

  // MARK: - Forms

  private func write(form pairs: [OriginPair], to draft: inout RequestDraft) {
    let isStrict = care >= .bodiesInFiles
    if !hasType(draft), pairs.contains(where: \.isOn) {
      draft.headers.append(
        HeaderText(name: "Content-Type", value: "application/x-www-form-urlencoded"))
    }
    if type(in: draft)?.isForm == true {
      let form = PairText.form(pairs, names, isStrict: isStrict)
      draft.block.body = form.lines.joined(separator: "\n")
      draft.commentLines = form.comments
      return
    }
    // With another type the lines would be sent as lines.
    let escaping = PairEscaping.strictForm
    let texts = pairs.filter(\.isOn).map { pair in
      escaping.text(pair.name, names) + (pair.value.map { "=" + escaping.text($0, names) } ?? "")
    }
    write(OriginText(texts.joined(separator: "&")), to: &draft)
  }

  // MARK: - Multipart

  private func write(_ parts: [OriginPart], to draft: inout RequestDraft) {
    var written: [MultipartText.Part] = []
    var contained: [[UInt8]] = []
    for (index, part) in parts.enumerated() {
      guard part.isOn else {
        let name = LineText.oneLine(part.name.text)
        draft.notes.append((.disabledItem, "The part `\(name)` is switched off.", place))
        var value = ""
        if case .text(let text) = part.content {
          value = LineText.cut(LineText.oneLine(text.text), to: LineText.nameLimit)
        }
        draft.block.head += LineText.comment("part off: \(name) = \(value)") + "\n"
        continue
      }
      var fileName = part.fileName
      var content = MultipartText.Part.Content.text("")
      switch part.content {
      case .text(let text):
        content = self.content(text, of: part, index, to: &draft)
        if case .file = content { contained.append(Array(text.text.utf8)) }
      case .bytes(let bytes):
        if let text = text(of: bytes) {
          content = self.content(text, of: part, index, to: &draft)
          if case .file = content { contained.append(bytes) }
          break
        }
        contained.append(bytes)
        content = .file(attach(bytes, index, ending: ".bin", marker: "<", to: &draft))
      case .file(let path):
        let found = files.path(toSource: path, names, place, &draft)
        if found.holdsBoundary, let path, case .bytes(let bytes) = files.source.ask(path) {
          contained.append(bytes)
        }
        content = .file("< \(found.path)")
        if fileName == nil {
          fileName = found.path.split { "/\\".contains($0) }.last.map(String.init)
        }
      }
      written.append(
        MultipartText.Part(
          headers: MultipartText.headers(of: part, fileName: fileName, names), content: content))
    }
    guard !written.isEmpty else { return }
    let text = MultipartText(written, contained: contained)
    draft.block.body = text.lines.joined(separator: "\n")
    draft.fileLines = text.fileCount
    let type = type(in: draft)
    let essence = type?.isMultipart == true ? type?.essence ?? "" : "multipart/form-data"
    let header = HeaderText(name: "Content-Type", value: "\(essence); boundary=\(text.boundary)")
    let old = draft.headers.firstIndex { $0.name.equalsIgnoringASCIICase("Content-Type") }
    if let old { draft.headers[old] = header } else { draft.headers.append(header) }
  }

  /// The text of a part in its lines, or the line of a file with it: the line ends of a multipart
  /// body are CRLF, whatever the file has (PK-19).
  private func content(
    _ origin: OriginText, of part: OriginPart, _ index: Int, to draft: inout RequestDraft
  ) -> MultipartText.Part.Content {
    let text = origin.isLiteral ? origin.text : TemplateNames.renaming(origin.text, names)
    let isLiteral = origin.isLiteral || !text.hasTemplate
    let type = part.contentType.flatMap(MediaType.init)
    // Between the tokens of JSON one line end is as good as another, and in none there is any.
    let hasGoodLineEnds = type?.isJSON == true
      ? !text.has("\r") && Self.trimmed(text) == text : Self.hasOnlyPairedLineEnds(text)
    let isPlain = care < .bodiesInFiles && !text.hasEscapedBraces
      && !(origin.isLiteral && text.hasTemplate) && hasGoodLineEnds
    if isPlain { return .text(text) }
    let isJSON = type?.isJSON == true
    if let lines = standing(origin, isJSON: isJSON, to: &draft) { return .text(lines) }
    let known = type.map { "." + $0.fileExtension } ?? ".txt"
    return .file(
      attach(
        Array(text.utf8), index, ending: known == ".bin" ? ".txt" : known,
        marker: isLiteral ? "<" : "<@", to: &draft))
  }

  private func attach(
    _ bytes: [UInt8], _ index: Int, ending: String, marker: String, to draft: inout RequestDraft
  ) -> String {
    let name = files.name(
      "part \(index)", suffix: " part \(index + 1)", in: "bodies/", ending: ending)
    draft.attachments.append(TransferFile(path: files.directory + name, bytes: bytes))
    return "\(marker) ./\(name)"
  }

  private static func hasOnlyPairedLineEnds(_ text: String) -> Bool {
    if !text.has("\n") { return !text.has("\r") }
    var last: UInt8 = 0
    for byte in text.utf8 {
      if (byte == 10) != (last == 13) { return false }
      last = byte
    }
    return last != 13
  }

  // MARK: - GraphQL

  private func write(
    _ query: String, _ variables: String?, _ operationName: String?,
    to draft: inout RequestDraft
  ) {
    let query = TemplateNames.renaming(query, names)
    let variables = variables.map { TemplateNames.renaming($0, names) }
    let wanted = operationName.flatMap { $0.isEmpty ? nil : $0 }
    let lines = Self.lines(ofQuery: query)
    let text = variables.map(Self.trimmed) ?? ""
    let isPlain = care < .bodiesInFiles && !query.hasEscapedBraces && !text.hasEscapedBraces
      && (wanted == nil || wanted == GraphQLDocument.operationName(Array(query.utf8)))
      && (text.isEmpty || text.hasPrefix("{")) && lines != nil && !query.has("\r")
    if !hasType(draft) {
      draft.headers.append(HeaderText(name: "Content-Type", value: "application/json"))
    }
    guard isPlain, let lines else {
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("query")
      writer.string(query)
      if let wanted {
        writer.key("operationName")
        writer.string(wanted)
      }
      if !text.isEmpty {
        writer.key("variables")
        writer.raw(text.utf8)
      }
      writer.endObject()
      let json = OriginText(String(decoding: writer.bytes, as: UTF8.self))
      return write(json, to: &draft)
    }
    draft.headers.append(HeaderText(name: "X-Request-Type", value: "GraphQL"))
    let variableLines = text.split(omittingEmptySubsequences: true) { $0.isNewline }
    draft.block.body = (lines + (text.isEmpty ? [] : [""]) + variableLines).joined(separator: "\n")
    draft.commentLines = lines.count { Self.isComment($0) }
  }

  /// The lines of a query without blank ones; `nil` where a text over several lines has lines that
  /// would be lost.
  private static func lines(ofQuery query: String) -> [Substring]? {
    let all = query.split(omittingEmptySubsequences: false) { $0.isNewline }
    let lines = all.filter { !$0.utf8.allSatisfy { $0 <= 32 } }
    guard !lines.isEmpty else { return nil }
    if query.contains("\"\"\""), lines.count != all.count || lines.contains(where: isComment) {
      return nil
    }
    return lines
  }

  private static func isComment(_ line: Substring) -> Bool {
    let text = line.drop { $0 == " " || $0 == "\t" }
    return text.hasPrefix("#") || text.hasPrefix("//")
  }
}
