// Samples of what an operation takes, as the text of a request.

import PostKitDescription
import PostKitHTTP
import PostKitJSON

extension SchemaSampler {
  /// The value of a parameter: the description's example, else a sample of its schema.
  mutating func value(of parameter: APIParameter) -> JSONValue {
    let value = parameter.media ?? parameter.value
    if let example = value["example"] ?? value["x-example"] { return example.view.value }
    if let example = value["examples"]?.members.first?.value["value"] { return example.view.value }
    guard let schema = parameter.schema, let sample = sample(of: schema) else { return "string" }
    if case .object(let members) = sample, members.isEmpty, parameter.mediaType == nil {
      return "string"
    }
    return sample
  }
}

/// Writes samples of bodies as the text of a request.
struct BodySample {
  var sampler: SchemaSampler
  /// The paths of the files that the last sample names.
  private(set) var files: [String] = []

  /// The media type that people read best, and a sample in it.
  mutating func best(of media: [APIMedia]) -> (type: String, text: String)? {
    let kinds: [(MediaType) -> Bool] = [
      { $0.isJSON }, { $0.isForm }, { $0.isMultipart }, { $0.isXML }, { $0.isText },
    ]
    for kind in kinds {
      let hit = media.first {
        DescribedWords.isPlain($0.type) && MediaType($0.type).map(kind) == true
      }
      guard let hit, let type = MediaType(hit.type) else { continue }
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
      let pairs = fields(media).flatMap { field -> [(name: String, value: String)] in
        func encoded(_ text: String) -> String { PercentEncoding.encode(text, allowing: .form) }
        // An object is one field, with its JSON.
        if case .object = field.value {
          return [(encoded(field.name), encoded(field.value.text))]
        }
        return ParameterWriter(
          name: field.name, style: .form, isExploded: true, isForURL: false, encode: encoded
        ).pairs(field.value)
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

  /// Whether a name is that of a file which lies beside the requests.
  private static func isFileName(_ name: String) -> Bool {
    !name.hasPrefix(".") && !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0)
      }
  }

  private mutating func parts(_ media: APIMedia) -> String {
    let properties = media.schema.map { sampler.chosen([$0]).properties } ?? []
    var lines: [String] = []
    files = []
    for field in fields(media)
    where DescribedWords.isPlain(field.name) && !field.name.contains("\"") {
      let schemas = properties.first { $0.name == field.name }?.schemas ?? []
      let flat = sampler.chosen(schemas)
      let isFile =
        flat.isBinary || flat.type == "array" && sampler.chosen(flat.items).isBinary
        || media.fields.contains { $0.name == field.name && $0.value.string("type") == "file" }
      let disposition = "Content-Disposition: form-data; name=\"\(field.name)\""
      lines.append("--part")
      if isFile {
        let name = Self.isFileName(field.name) ? field.name : "file"
        files.append("./\(name)")
        lines += [disposition + "; filename=\"\(name)\"", "", "< ./\(name)"]
        continue
      }
      lines.append(disposition)
      switch field.value {
      case .object, .array:
        lines += ["Content-Type: application/json", "", Self.escaped(field.value.text)]
      case .string, .number, .bool, .null:
        lines += ["", ParameterWriter.plain(field.value).replacing("{{", with: "{ {")]
      }
    }
    return lines.isEmpty ? "" : (lines + ["--part--"]).joined(separator: "\n")
  }
}
