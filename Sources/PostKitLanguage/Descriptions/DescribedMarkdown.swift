// What a description says, as Markdown for people.

package import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// Makes Markdown of parts of a description.
package enum DescribedMarkdown {
  /// How much of an explanation is shown, in bytes.
  private static let explanationBytes = 1 << 10

  /// The beginning of an explanation; `nil` for none. Its own marks stay, but for those of links,
  /// pictures and tags.
  static func explanation(_ text: String) -> String? {
    let text = text.trimmingBlanks
    if text.isEmpty { return nil }
    guard text.utf8.count > explanationBytes else { return Markdown.text(text) }
    let end = String(decoding: text.utf8.prefix(explanationBytes), as: UTF8.self)
    return Markdown.text(String(end.dropLast())) + "…"
  }

  /// What is said of an operation. `place` names where it stands.
  static func operation(
    _ match: OperationMatch, in index: DescriptionIndex, place: String
  ) -> String {
    let entry = index.operations[match.operation]
    let operation = index.operation(match)
    var parts = ["**\(entry.method)** \(Markdown.code(entry.path))"]
    if let summary = entry.summary { parts[0] += " " + Markdown.text(summary) }
    if entry.isDeprecated { parts.append("Deprecated.") }
    if let text = explanation(operation.description) { parts.append(text) }
    let parameters = [ParameterLocation.path, .query, .header, .cookie]
      .flatMap { location in index.fields(match, in: location).map { (location, $0) } }
    let rows = parameters.prefix(shownRows).map { location, field in
      "- " + line(field, [location.rawValue], index)
    }
    if !rows.isEmpty { parts.append("Parameters:\n" + rows.joined(separator: "\n")) }
    let types = index.mediaTypes(match).taken
    if !types.isEmpty {
      parts.append("Body: " + types.map(Markdown.code).joined(separator: ", "))
    }
    var failures: [ReferenceFailure] = []
    let responses = index.description.responses(of: operation, &failures).prefix(shownRows).map {
      let text = $0.value.string("description") ?? ""
      let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      return "- \(Markdown.code($0.status)) \(Markdown.text(line))"
    }
    if !responses.isEmpty { parts.append("Responses:\n" + responses.joined(separator: "\n")) }
    return (parts + [place]).joined(separator: "\n\n")
  }

  /// What is said of a parameter, a header field or a member.
  static func field(
    _ field: DescribedField, _ words: [String], in index: DescriptionIndex, place: String
  ) -> String {
    var parts = [line(field, words, index, isWhole: false)]
    if let text = explanation(field.explanation) { parts.append(text) }
    let samples = field.schema.sampleValues + field.samples
    if let sample = samples.first {
      let text = String(decoding: sample.source.prefix(200), as: UTF8.self)
      parts.append("Example: " + Markdown.code(text))
    }
    return (parts + [place]).joined(separator: "\n\n")
  }

  /// A field in one line: name, place, type, and the first line of its explanation.
  private static func line(
    _ field: DescribedField, _ words: [String], _ index: DescriptionIndex, isWhole: Bool = true
  ) -> String {
    var marks = words
    if field.isRequired { marks.append("required") }
    if field.isDeprecated { marks.append("deprecated") }
    var text = Markdown.code(field.name)
    if !marks.isEmpty { text += " (\(marks.joined(separator: ", ")))" }
    let type = index.words(field.schema)
    if !type.isEmpty { text += ": " + Markdown.code(type) }
    let first = field.explanation.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    guard isWhole, !first.isEmpty else { return text }
    return text + " – " + Markdown.text(String(first.prefix(120)))
  }

  private static let shownRows = 20
}

extension Analysis {
  /// What a description says of the part of a request at an offset; `nil` where it says nothing.
  /// `place` names where something of the description stands.
  package func describedHover(
    at offset: Int, in index: DescriptionIndex, place: (DescribedValue) -> String
  ) -> Hover? {
    guard let found = describedTarget(at: offset, in: index) else { return nil }
    let place = place(found.place)
    guard let field = found.field else {
      return Hover(
        range: found.part.range,
        markdown: DescribedMarkdown.operation(found.match, in: index, place: place))
    }
    var words: [String] = []
    if case .parameter(let location, _) = found.part.kind { words = [location.rawValue] }
    return Hover(
      range: found.part.range,
      markdown: DescribedMarkdown.field(field, words, in: index, place: place))
  }

  /// Where in a description the part of a request at an offset stands, and the part's range.
  package func describedDefinition(
    at offset: Int, in index: DescriptionIndex
  ) -> (origin: Range<Int>, place: DescribedValue)? {
    describedTarget(at: offset, in: index).map { ($0.part.range, $0.place) }
  }

  /// What stands at an offset and in the description.
  private struct Described {
    let part: DescribedPart
    let match: OperationMatch
    let field: DescribedField?
    let place: DescribedValue
  }

  /// Where the type of the part of a request at an offset stands in a description, and the part's
  /// range: the schemas of a parameter, of a member of a body or of an answer; of the request
  /// itself those of its body, else of its answer.
  package func describedTypes(
    at offset: Int, in index: DescriptionIndex
  ) -> (origin: Range<Int>, places: [DescribedValue])? {
    if let found = describedTarget(at: offset, in: index) {
      let schemas = found.field?.schemas
        ?? [index.bodySchema(found.match) ?? index.wellSchema(found.match)].compactMap { $0 }
      return (found.part.range, index.typePlaces(schemas))
    }
    guard let block = document.block(at: offset), let request = describedRequest(of: block),
      let body = block.request?.body, block.absolute(body.range).touches(offset),
      let match = index.match(request), match.isExact,
      describedPart(at: offset, in: index) == nil,
      let schema = index.bodySchema(match, type: contentType(of: block)?.essence)
    else { return nil }
    return (offset..<offset, index.typePlaces([schema]))
  }

  private func describedTarget(at offset: Int, in index: DescriptionIndex) -> Described? {
    guard let block = describedBlock(at: offset), let request = describedRequest(of: block),
      let match = index.match(request), match.isExact,
      let part = describedPart(at: offset, in: index)
    else { return nil }
    let type = contentType(of: block)?.essence
    let field: DescribedField?
    switch part.kind {
    case .operation:
      return Described(part: part, match: match, field: nil, place: index.place(of: match))
    case .parameter(let location, let name):
      field = index.fields(match, in: location).first {
        $0.name == name || location == .header && $0.name.lowercased() == name.lowercased()
      }
    case .member(let path):
      field = index.bodyFields(match, type: type, at: path.dropLast()).first {
        $0.name == path.last
      }
    case .field(let name):
      field = index.bodyFields(match, type: type).first { $0.name == name }
    case .answer(_, let path):
      field = index.responseFields(match, at: path.dropLast()).first { $0.name == path.last }
    }
    return field.map { Described(part: part, match: match, field: $0, place: $0.place) }
  }
}
