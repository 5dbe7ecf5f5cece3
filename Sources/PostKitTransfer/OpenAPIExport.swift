// The history as a description of the services that it was recorded from (IO-29).

import PostKitDescription
import PostKitHTTP
import PostKitJSON
import PostKitYAML

/// How a description is written.
package struct OpenAPIOptions: Sendable {
  /// Whether samples are shown.
  package var hasExamples = true
  /// Whether the text is JSON, not YAML.
  package var isJSON = false

  /// Makes options for a file of that name.
  package init(hasExamples: Bool = true, path: String? = nil) {
    self.hasExamples = hasExamples
    isJSON = path?.lowercased().hasSuffix(".json") == true
  }
}

/// Describes what exchanges have in common. They come the newest first; what is written comes at
/// the end.
struct OpenAPIExport: ExchangeWriter {
  private let options: OpenAPIOptions
  private let limits = RecordedLimits()
  private let paths: RecordedPaths
  private var (count, order) = (0, 0)
  private var unansweredCount = 0
  /// Methods that the form has no place for.
  private var otherMethods: Set<String> = []

  /// Begins a description.
  init(_ options: OpenAPIOptions) {
    self.options = options
    paths = RecordedPaths(limits)
  }

  /// Nothing: what is described is known at the end.
  func head() -> [UInt8] { [] }

  /// Takes an exchange and its redirects up, the last one first.
  mutating func exchange(_ exchange: Exchange, read: (BodyContent) -> [UInt8]) -> [UInt8] {
    count += 1
    if let response = exchange.response, exchange.state == .done {
      add(exchange, exchange.request, response.status, response, read)
    } else {
      unansweredCount += 1
    }
    for hop in exchange.hops.reversed() { add(exchange, hop.request, hop.status, nil, read) }
    return []
  }

  private mutating func add(
    _ exchange: Exchange, _ request: SentRequest, _ status: Int, _ response: Response?,
    _ read: (BodyContent) -> [UInt8]
  ) {
    guard let parts = URLParts(request.url), ["http", "https"].contains(parts.scheme),
      (100...599).contains(status)
    else { return }
    guard Self.methods.contains(request.method.lowercased()) else {
      otherMethods.insert(request.method)
      return
    }
    order += 1
    let pair = RecordedPair(
      request: request, parts: parts, status: status, response: response,
      template: exchange.template, name: exchange.requestName, order: order)
    paths.add(pair, keepsExamples: options.hasExamples, read: read)
  }

  /// The methods that OpenAPI 3.1 has a place for.
  private static let methods: Set<String> = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
  ]

  /// The whole description, in YAML or JSON.
  func tail() -> [UInt8] {
    let description = description()
    guard options.isJSON else { return YAMLWriter.text(description) }
    var writer = JSONWriter(indent: 2)
    writer.write(description)
    return writer.bytes + [0x0A]
  }

  /// What the description does not have, and why.
  var remarks: [String] {
    var remarks: [String] = []
    func tell(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { remarks.append(count == 1 ? "1 \(one)" : "\(count) \(many)") }
    }
    tell(
      unansweredCount, "exchange has no answer and is left out.",
      "exchanges have no answer and are left out.")
    tell(
      limits.unreadBodies, "body is cut off, too long or no JSON, and says nothing of its schema.",
      "bodies are cut off, too long or no JSON, and say nothing of their schemas.")
    tell(
      paths.skipped, "exchange is left out, because there are too many paths. Use filters.",
      "exchanges are left out, because there are too many paths. Use filters.")
    if !otherMethods.isEmpty {
      let list = otherMethods.sorted().joined(separator: ", ")
      remarks.append("OpenAPI 3.1 has no place for the method \(list); it is left out.")
    }
    return remarks
  }

  // MARK: - The description

  private func description() -> JSONValue {
    let operations = paths.finished()
    let schemas = InferredSchemas(operations.flatMap(\.inferences))
    let origins = Set(operations.flatMap(\.origins)).sorted()
    let schemeNames = Self.names(Set(operations.flatMap(\.schemes)).sorted())
    var members: [JSONMember] = [
      JSONMember("openapi", "3.1.0"),
      JSONMember("info", info(origins)),
    ]
    if !origins.isEmpty {
      members.append(
        JSONMember("servers", .array(origins.map { ["url": .string($0)] })))
    }
    let items = Self.items(operations, schemas, schemeNames, origins)
    members.append(JSONMember("paths", .object(items)))
    var components: [JSONMember] = []
    if !schemas.components.isEmpty {
      components.append(JSONMember("schemas", .object(schemas.components)))
    }
    if !schemeNames.isEmpty {
      let schemes = schemeNames.map { JSONMember($0.value, $0.key.description) }
      components.append(
        JSONMember("securitySchemes", .object(schemes.sorted { $0.key < $1.key })))
    }
    if !components.isEmpty { members.append(JSONMember("components", .object(components))) }
    return .object(members)
  }

  private func info(_ origins: [String]) -> JSONValue {
    let host = origins.first.flatMap { URLParts($0)?.host } ?? "Nothing recorded"
    let title = origins.count > 1 ? "\(host) and \(origins.count - 1) more" : host
    let text =
      "A skeleton that PostKit made of \(count) recorded exchange\(count == 1 ? "" : "s"), with "
      + "the newest \(RecordedLimits.samples) bodies of each operation and status. It says what "
      + "was seen, not what is promised: what nobody sent is not in it."
    return ["title": .string(title), "description": .string(text), "version": "0.1.0"]
  }

  private static func items(
    _ operations: [RecordedOperation], _ schemas: InferredSchemas,
    _ schemeNames: [RecordedCredential: String], _ origins: [String]
  ) -> [JSONMember] {
    var items: [JSONMember] = []
    var start = 0
    while start < operations.count {
      let steps = operations[start].steps
      let end = operations[start...].firstIndex { $0.steps != steps } ?? operations.count
      let names = steps.parameterNames
      let words = steps.enumerated().map { $1 ?? "{\(names[$0] ?? "")}" }
      let path = "/" + words.joined(separator: "/")
      var members: [JSONMember] = []
      let own = Set(operations[start..<end].flatMap(\.origins)).sorted()
      if own != origins {
        members.append(JSONMember("servers", .array(own.map { ["url": .string($0)] })))
      }
      for operation in operations[start..<end] {
        members.append(
          JSONMember(
            operation.method.lowercased(),
            operation.description(schemas, names: names, schemeNames: schemeNames)))
      }
      items.append(JSONMember(path, .object(members)))
      start = end
    }
    return items
  }

  /// A name for each credential, each once.
  private static func names(_ schemes: [RecordedCredential]) -> [RecordedCredential: String] {
    var (names, taken): ([RecordedCredential: String], Set<String>) = ([:], [])
    for scheme in schemes {
      var (name, number) = (scheme.title, 2)
      while !taken.insert(name).inserted {
        name = "\(scheme.title)\(number)"
        number += 1
      }
      names[scheme] = name
    }
    return names
  }
}
