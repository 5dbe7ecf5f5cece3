// What a description has for a request: a sample of its body, and the parameters that it lacks
// (IO-37).

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

extension Refactoring {
  /// Samples of the body, with all members and with those alone that must be there.
  var sampleBodies: [CodeChange] {
    let body = request.body.map { block.slice($0.range) } ?? []
    guard body.allSatisfy({ $0 <= 32 }), let described = analysis.description(of: block),
      let match = described.match, match.isExact
    else { return [] }
    let all = sampleBody(described.index, match, requiredOnly: false)
    let least = sampleBody(described.index, match, requiredOnly: true)
    return [
      all.map { CodeChange(.rewrite, "Insert sample body", [$0]) },
      all == least
        ? nil
        : least.map {
          CodeChange(.rewrite, "Insert sample body with the required members only", [$0])
        },
    ].compactMap { $0 }
  }

  /// All parameters that the operation needs and the request does not have.
  var missingParameters: CodeChange? {
    guard request.curl == nil, !request.target.isEmpty else { return nil }
    let target = ResolvedTarget(analysis, block, request)
    guard let described = analysis.description(of: block, target.text) else { return nil }
    var remarks = DescriptionRemarks(
      analysis, block, request, described, target, analysis.lowered(block).spec)
    _ = remarks.findings()
    let edits = remarks.addition()
    return edits.isEmpty ? nil : CodeChange(.rewrite, "Add missing parameters", edits)
  }

  private func sampleBody(
    _ index: DescriptionIndex, _ match: OperationMatch, requiredOnly: Bool
  ) -> TextEdit? {
    var failures: [ReferenceFailure] = []
    let media = index.description.body(of: index.operation(match), &failures)?.media ?? []
    let written = header("content-type")?.value.first.map { block.text($0) }
    let candidates = written.map { written in
      media.filter { DescriptionRemarks.meet($0.type, written) }
    } ?? media
    var sampler = SchemaSampler(
      index.description.documents, index.description.version.schemaDialect)
    sampler.isRequiredOnly = requiredOnly
    var writer = BodySample(sampler: sampler)
    guard let (type, text) = writer.best(of: candidates) else { return nil }
    let type = written == nil ? "\(lineEnd)Content-Type: \(type)" : ""
    let end = endOfHead
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return TextEdit(
      end..<end, type + lineEnd + lineEnd + lines.joined(separator: lineEnd))
  }
}

/// Writes samples of bodies as the text of a request.
private struct BodySample {
  var sampler: SchemaSampler

  /// The media type that people read best, and a sample in it.
  mutating func best(of media: [APIMedia]) -> (type: String, text: String)? {
    let kinds: [(MediaType) -> Bool] = [
      { $0.isJSON }, { $0.isForm }, { $0.isMultipart }, { $0.isXML }, { $0.isText },
    ]
    for kind in kinds {
      guard let hit = media.first(where: { MediaType($0.type).map(kind) == true }),
        let type = MediaType(hit.type)
      else { continue }
      if type.isMultipart {
        let text = parts(hit)
        return text.isEmpty ? nil : ("\(type.essence); boundary=part", text)
      }
      guard let text = text(hit, type) else { return nil }
      return (hit.type, text)
    }
    return nil
  }

  private mutating func text(_ media: APIMedia, _ type: MediaType) -> String? {
    if type.isForm {
      let pairs = fields(media).flatMap { field in
        ParameterWriter(name: field.name, style: .form, isExploded: true, isForURL: false) {
          PercentEncoding.encode($0, allowing: .form)
        }.pairs(field.value)
      }
      return pairs.isEmpty
        ? nil : pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&\n")
    }
    guard let value = value(of: media) else { return nil }
    if type.isJSON {
      var writer = JSONWriter(indent: 2)
      writer.write(value)
      return Self.escaped(String(decoding: writer.bytes, as: UTF8.self))
    }
    let text: String
    if case .string(let given) = value {
      text = given
    } else if type.isXML, let schema = media.schema {
      text = SampleXML(sampler).text(value, schema)
    } else {
      return nil
    }
    // Braces of a sample would be references, and its marks those of a file of requests.
    return text.isEmpty || text.contains("{{") || text.contains("###") ? nil : text
  }

  /// Braces in strings are no references; the sample's own password is one.
  private static func escaped(_ json: String) -> String {
    let password = SchemaSampler.passwordTemplate
    return json.split(separator: password, omittingEmptySubsequences: false)
      .map { $0.replacing("{{", with: "\\u007b{") }.joined(separator: password)
  }

  private mutating func value(of media: APIMedia) -> JSONValue? {
    if !sampler.isRequiredOnly {
      if let example = media.value?["example"] { return example.view.value }
      if let example = media.value?["examples"]?.members.first?.value["value"] {
        return example.view.value
      }
    }
    return media.schema.flatMap { sampler.sample(of: $0) }
  }

  private mutating func fields(_ media: APIMedia) -> [(name: String, value: JSONValue)] {
    if media.fields.isEmpty {
      guard case .object(let members)? = value(of: media) else { return [] }
      return members.map { ($0.key, $0.value) }
    }
    var result: [(name: String, value: JSONValue)] = []
    for field in media.fields where field.isRequired || !sampler.isRequiredOnly {
      let value = field.schema.flatMap { sampler.sample(of: $0) }
      result.append((field.name, value ?? "string"))
    }
    return result
  }

  private mutating func parts(_ media: APIMedia) -> String {
    let properties = media.schema.map { sampler.chosen([$0]).properties } ?? []
    var lines: [String] = []
    for field in fields(media) where !field.name.contains("\"") && !field.name.contains("{{") {
      let schemas = properties.first { $0.name == field.name }?.schemas ?? []
      let flat = sampler.chosen(schemas)
      let isFile =
        flat.isBinary || flat.type == "array" && sampler.chosen(flat.items).isBinary
        || media.fields.contains { $0.name == field.name && $0.value.string("type") == "file" }
      let disposition = "Content-Disposition: form-data; name=\"\(field.name)\""
      lines.append("--part")
      if isFile {
        lines += [disposition + "; filename=\"\(field.name)\"", "", "< ./\(field.name)"]
        continue
      }
      lines.append(disposition)
      switch field.value {
      case .object, .array:
        lines += ["Content-Type: application/json", "", Self.escaped(field.value.text)]
      default: lines += ["", ParameterWriter.plain(field.value).replacing("{{", with: "{ {")]
      }
    }
    return lines.isEmpty ? "" : (lines + ["--part--"]).joined(separator: "\n")
  }
}
