// Values for the parameters and bodies of a description (IO-24).

import PostKitDescription
import PostKitHTTP
import PostKitJSON

/// Makes the values of one operation.
struct OpenAPISamples {
  private let description: APIDescription
  private let context: OriginContext
  private(set) var sampler: SchemaSampler

  init(_ description: APIDescription, _ context: OriginContext) {
    self.description = description
    self.context = context
    sampler = SchemaSampler(description.documents, description.version.schemaDialect)
  }

  /// What the samples made so far could not say.
  var problems: [SampleProblem] { sampler.problems }

  /// Whether the template for a password stands in one of them.
  var usesPassword: Bool { sampler.usesPassword }

  // MARK: - Parameters

  /// The value of a parameter: the description's example, else a sample of its schema.
  mutating func value(of parameter: APIParameter) -> JSONValue {
    if let given = example(of: parameter.media ?? parameter.value, parameter) { return given }
    guard let schema = parameter.schema else { return "string" }
    let value = sampler.sample(of: schema) ?? "string"
    // A schema that says nothing gives an empty object, and a parameter is a text at least.
    if case .object(let members) = value, members.isEmpty, parameter.mediaType == nil,
      sampler.chosen([schema]).type == nil
    {
      return "string"
    }
    return value
  }

  private func example(of value: DescribedValue, _ parameter: APIParameter) -> JSONValue? {
    if let example = value["example"] ?? value["x-example"] { return example.view.value }
    guard let first = value["examples"]?.members.first?.value else { return nil }
    return content(of: first)
  }

  /// The value of a member of `examples`; a text that stands in a file beside the description where
  /// it says `externalValue`.
  private func content(of example: DescribedValue) -> JSONValue? {
    guard let example = try? description.documents.resolved(example) else { return nil }
    if let value = example["value"] ?? example["dataValue"] { return value.view.value }
    guard let path = example.string("externalValue") ?? example.string("serializedValue") else {
      return nil
    }
    if case .bytes(let bytes) = context.file(path) {
      return .string(String(decoding: bytes, as: UTF8.self))
    }
    return nil
  }

  /// A text of a sample. Braces in it are just text, but those of the template for a password.
  func text(_ text: String) -> OriginText {
    guard text.contains("{{") else { return OriginText(text) }
    let template = SchemaSampler.passwordTemplate
    if usesPassword, !text.replacing(template, with: "").contains("{{") { return OriginText(text) }
    return OriginText(literal: text.replacing(template, with: "password"))
  }

  // MARK: - Bodies

  /// The value that the description gives for a body in a form of it, or a sample.
  mutating func value(of media: APIMedia) -> (value: JSONValue, isGiven: Bool)? {
    if let example = media.value?["example"] { return (example.view.value, true) }
    if let first = media.value?["examples"]?.members.first?.value, let value = content(of: first) {
      return (value, true)
    }
    guard let schema = media.schema else { return nil }
    return sampler.sample(of: schema).map { ($0, false) }
  }

  /// A sample as the text of a body in JSON. An example that is a text stands as it is, unless the
  /// body is a single text.
  func json(_ value: JSONValue, isGiven: Bool, _ schema: DescribedValue?) -> String {
    guard case .string(let text) = value else { return Self.indented(value) }
    let type = schema.flatMap { sampler.chosen([$0]).type }
    let isText = type == "string" || type == nil && !isGiven
    // A text that is no JSON is a string that has to be written as one.
    let isWritten = (try? JSONTree(parsing: Array(text.utf8)))?.root.kind == .string
    return isText && !isWritten ? Self.indented(value) : text
  }

  /// A value as a text: a string as it is, anything else as JSON.
  static func written(_ value: JSONValue) -> String {
    if case .string(let text) = value { return text }
    return indented(value)
  }

  private static func indented(_ value: JSONValue) -> String {
    var writer = JSONWriter(indent: 2)
    writer.write(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  // MARK: - Answers

  /// The examples that the description has for an answer, each with its name; empty for one
  /// without.
  func examples(
    of media: APIMedia, _ response: APIResponse, _ failures: inout [ReferenceFailure]
  ) -> [(name: String, value: JSONValue)] {
    guard let value = media.value else {
      return response.value["examples"]?[media.type].map { [("", $0.view.value)] } ?? []
    }
    if let example = value["example"] { return [("", example.view.value)] }
    return (value["examples"]?.members ?? []).compactMap { name, example in
      content(of: example).map { (name, $0) }
    }
  }
}
