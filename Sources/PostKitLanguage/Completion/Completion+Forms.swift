// Completion in forms: names and values of pairs, lines and fields of multipart bodies (C22).

import PostKitHTTP
import PostKitSyntax

extension Analysis {
  /// Names and values of a form's pairs, as other forms for the same path have them.
  func formItems(
    _ range: Range<Int>, _ type: MediaType, _ sources: CompletionSources, at caret: Int
  ) -> [CompletionItem] {
    let line = CaretLine(document, at: caret)
    let start = max(range.lowerBound, line.range.lowerBound)
    let before = document.bytes[start..<max(start, caret)]
    let pairStart = before.lastIndex(of: UInt8(ascii: "&")).map { $0 + 1 } ?? start
    let equals = document.bytes[pairStart..<caret].firstIndex(of: UInt8(ascii: "="))
    let pieceStart = equals.map { $0 + 1 } ?? pairStart
    let rest = document.bytes[caret..<max(caret, line.range.upperBound)]
    let end = rest.firstIndex { equals == nil ? "=&".utf8.contains($0) : $0 == 38 } ?? rest.endIndex
    let wanted = equals.map { String(decoding: document.bytes[pairStart..<$0], as: UTF8.self) }
    if let wanted, isSensitive(wanted) { return [] }
    var written = SeenTexts()
    for body in formTexts(like: caret) { Analysis.collectPairs(of: body, wanted, &written) }
    var sent = SeenTexts()
    let method = document.block(at: caret)?.writtenMethod.uppercased()
    for body in sources.bodies where body.method == method {
      Analysis.collectPairs(of: body.request, wanted, &sent)
    }
    var list = SuggestionList(replaced: pieceStart..<end, kind: wanted == nil ? .member : .value)
    let isFollowed = end < document.bytes.count && document.bytes[end] == UInt8(ascii: "=")
    list.ending = wanted == nil && !isFollowed ? "=" : ""
    let earlier = document.bytes[range.lowerBound..<max(range.lowerBound, pairStart)]
    var given = SeenTexts()
    if wanted == nil { Analysis.collectPairs(of: Array(earlier), nil, &given) }
    list.given = Set(given.sorted)
    list.add(written.sorted, rank: 0, nil)
    list.add(sent.sorted, rank: 1_000, "history")
    if let request = document.block(at: caret).flatMap(describedRequest) {
      let type = type.essence
      list.add(
        sources.described(
          wanted.map { .formValues(request, type: type, name: $0) }
            ?? .formNames(request, type: type)), rank: 2_000)
    }
    return list.items(suggestible)
  }

  /// Forms of requests near by with the same target.
  private func formTexts(like caret: Int) -> [[UInt8]] {
    guard let own = document.block(at: caret) else { return [] }
    return blocksNear(caret).compactMap { block in
      guard let body = block.request?.body, block.writtenTarget == own.writtenTarget else {
        return nil
      }
      return Array(block.slice(body.range))
    }
  }

  /// Counts the names of pairs, or the values of one name.
  private static func collectPairs(of body: [UInt8], _ wanted: String?, _ seen: inout SeenTexts) {
    for pair in body.split(whereSeparator: { "&\r\n".utf8.contains($0) }) {
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: pair[..<equals], as: UTF8.self)
      if wanted == nil {
        seen.add(name)
      } else if name == wanted {
        seen.add(String(decoding: pair[(equals + 1)...], as: UTF8.self))
      }
    }
  }

  // MARK: - Parts

  /// Lines of a body of parts: boundaries, header fields of a part, files as content.
  func partItems(
    _ range: Range<Int>, boundary: String?, _ sources: CompletionSources, at caret: Int
  ) -> [CompletionItem] {
    guard let boundary, !boundary.isEmpty, !boundary.contains("{") else { return [] }
    let line = CaretLine(document, at: caret)
    let part = PartCaret(document, range, Array("--\(boundary)".utf8), line)
    switch part.place {
    case .fields: return partFieldItems(line, after: part.fields, sources)
    case .before, .content:
      let typed = line.text(line.range.lowerBound..<caret)
      guard "--\(boundary)".hasPrefix(typed) || typed.isEmpty || typed == "<" else { return [] }
      if part.isEnded { return [] }
      let replaced = line.range.lowerBound..<line.textEnd
      var lines = [("--\(boundary)", "begins a part")]
      if part.place == .content {
        lines.append(("--\(boundary)--", "ends the last part"))
        lines.append(("< ./", "the content of a file"))
      }
      return lines.enumerated().map { rank, entry in
        CompletionItem(
          entry.0, .value, replaced: replaced, detail: entry.1, rank: rank,
          continues: entry.0 == "< ./")
      }
    }
  }

  private func partFieldItems(
    _ line: CaretLine, after present: Set<String>, _ sources: CompletionSources
  ) -> [CompletionItem] {
    let start = line.contentStart
    let colon = line.skip(from: start) { $0 != UInt8(ascii: ":") }
    guard colon < line.caret else {
      let replaced = start..<line.textEnd
      let fields = describedParts(line.caret, sources) + [
        (
          "Content-Disposition: form-data; name=\"field\"",
          "Content-Disposition: form-data; name=\"${1:field}\"", "a field"
        ),
        (
          "Content-Disposition: form-data; name=\"file\"; filename=\"file.txt\"",
          "Content-Disposition: form-data; name=\"${1:file}\"; filename=\"${2:file.txt}\"",
          "a file"
        ),
        ("Content-Type: text/plain", "Content-Type: ${1:text/plain}", "what the part is"),
      ]
      return fields.enumerated().compactMap { rank, field in
        if present.contains(field.0.prefix { $0 != ":" }.lowercased()) { return nil }
        return CompletionItem(
          field.0, .header, snippet: field.1, replaced: replaced, detail: field.2, rank: rank)
      }
    }
    let name = line.text(start..<colon)
    let valueStart = line.skipBlanks(from: colon + 1)
    let values = HeaderCatalog.named(name)?.values ?? []
    return values.enumerated().map { rank, value in
      CompletionItem(
        value, .value, text: valueStart == colon + 1 ? " " + value : value,
        replaced: valueStart..<line.textEnd, rank: rank)
    }
  }
}

extension Analysis {
  /// The first lines of the parts that the service's description has for the body.
  private func describedParts(
    _ caret: Int, _ sources: CompletionSources
  ) -> [(String, String, String)] {
    guard let block = document.block(at: caret), let request = describedRequest(of: block),
      let type = contentType(of: block)?.essence
    else { return [] }
    return sources.described(.formNames(request, type: type)).compactMap { text in
      guard !text.text.contains(where: { "\"\r\n".contains($0) }) else { return nil }
      let line = "Content-Disposition: form-data; name=\"\(text.text)\""
      return (line, Snippet.literal(line), text.detail ?? "described")
    }
  }
}

/// Where the caret is in a body of parts.
private struct PartCaret {
  enum Place { case before, fields, content }
  let place: Place
  /// The names of the part's header lines above the caret, in small letters.
  let fields: Set<String>
  /// Whether the last part ends above the caret.
  let isEnded: Bool

  /// Looks at the lines before the caret's: the last boundary, and whether a blank line follows it.
  init(_ document: ParsedDocument, _ range: Range<Int>, _ boundary: [UInt8], _ caret: CaretLine) {
    var place = Place.before
    var fields: Set<String> = []
    var isEnded = false
    let before = document.bytes[range.lowerBound..<max(range.lowerBound, caret.range.lowerBound)]
    for line in before.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      let isBlank = line.allSatisfy { $0 <= 32 }
      if line.starts(with: boundary) {
        isEnded = line.dropFirst(boundary.count).starts(with: "--".utf8)
        place = isEnded ? .before : .fields
        fields = []
      } else if place == .fields, isBlank {
        place = .content
      } else if place == .fields {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        fields.insert(String(decoding: name, as: UTF8.self).lowercased())
      }
    }
    self.place = place
    self.fields = fields
    self.isEnded = isEnded
  }
}
