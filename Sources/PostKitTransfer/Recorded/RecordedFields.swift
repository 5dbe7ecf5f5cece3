// Named values of one kind that exchanges had: of queries, of headers, of forms.

import PostKitDescription
import PostKitHTTP
import PostKitJSON

/// A name with a value of a message. A secret is one that a mask stands for.
struct RecordedValue {
  let name: String
  let value: String
  var isFile = false

  var isSecret: Bool { value.contains(SecretMask.text) }
}

/// Named values, counted. It belongs to the one who describes.
final class RecordedFields {
  private struct Field {
    let values: SchemaInference
    /// Messages that have it.
    var presence = 0
    /// Whether one has it more than once, or its value is a file.
    var isList = false
    var isFile = false
  }

  private var fields: [String: Field] = [:]
  /// The number of messages that count for what is required.
  private(set) var count = 0

  /// Takes in the values of a message. Only one that `counts` says what is required.
  func add(_ values: [RecordedValue], counts: Bool, _ budget: InferenceBudget) {
    if counts { count += 1 }
    var seen: Set<String> = []
    for value in values {
      var field = fields[value.name] ?? Field(values: SchemaInference(budget))
      let isFirst = seen.insert(value.name).inserted
      if isFirst, counts { field.presence += 1 }
      field.isList = field.isList || !isFirst
      field.isFile = field.isFile || value.isFile
      if !value.isFile { field.values.addScalar(value.value) }
      fields[value.name] = field
    }
  }

  /// Takes in what another has seen, which is of no use any more.
  func merge(_ other: RecordedFields) {
    count += other.count
    for (name, theirs) in other.fields.sorted(by: { $0.key < $1.key }) {
      guard var own = fields[name] else {
        fields[name] = theirs
        continue
      }
      own.presence += theirs.presence
      own.isList = own.isList || theirs.isList
      own.isFile = own.isFile || theirs.isFile
      own.values.merge(theirs.values)
      fields[name] = own
    }
  }

  /// The fields as parameters of an operation, by name.
  func parameters(in place: String) -> [JSONValue] {
    sorted.map { name, field in
      var members = [JSONMember("name", .string(name)), JSONMember("in", .string(place))]
      if isRequired(field) { members.append(JSONMember("required", true)) }
      return .object(members + [JSONMember("schema", schema(name, field))])
    }
  }

  /// The fields as the schema of a form.
  var formSchema: JSONValue {
    let required = sorted.filter { isRequired($0.field) }.map { JSONValue.string($0.name) }
    var members = [JSONMember("type", "object")]
    if !required.isEmpty { members.append(JSONMember("required", .array(required))) }
    let properties = sorted.map { JSONMember($0.name, schema($0.name, $0.field)) }
    return .object(members + [JSONMember("properties", .object(properties))])
  }

  private var sorted: [(name: String, field: Field)] {
    fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func isRequired(_ field: Field) -> Bool { count > 0 && field.presence == count }

  private func schema(_ name: String, _ field: Field) -> JSONValue {
    var schema = field.values.scalarSchema(listsWords: !RecordedSecrets.isSecret(name))
    if field.isFile { schema = ["type": "string", "contentMediaType": "application/octet-stream"] }
    return field.isList ? ["type": "array", "items": schema] : schema
  }
}

/// What of recorded values nobody else is to see.
enum RecordedSecrets {
  private static let words = ["token", "secret", "password", "passwd", "api-key", "apikey"]

  /// Whether a name is one of secrets.
  static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased().replacing("_", with: "-")
    return words.contains { name.contains($0) }
  }

  /// A value with masks for the texts whose names are those of secrets.
  static func masked(_ value: JSONValue, name: String = "") -> JSONValue {
    switch value {
    case .object(let members):
      .object(members.map { JSONMember($0.key, masked($0.value, name: $0.key)) })
    case .array(let elements): .array(elements.map { masked($0, name: name) })
    case .string(let text) where !text.isEmpty && isSecret(name): .string(SecretMask.text)
    default: value
    }
  }
}
