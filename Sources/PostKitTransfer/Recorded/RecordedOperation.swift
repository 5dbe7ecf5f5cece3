// What was recorded of one operation (IO-29): a method and a path whose ids don't matter.

import PostKitDescription
import PostKitHTTP
import PostKitJSON

/// A message pair as a description looks at it: an exchange, or a redirect on its way.
struct RecordedPair {
  let request: SentRequest
  let parts: URLParts
  let status: Int
  /// The response; `nil` of a redirect, of which only the head was kept.
  let response: Response?
  /// The request as it was written, for what masks hide.
  let template: String
  let name: String?
  /// The place among all pairs, the newest first.
  let order: Int

  var isSuccess: Bool { status < 400 }
}

/// What was recorded of one operation. It belongs to the one who describes.
final class RecordedOperation {
  /// In capital letters.
  let method: String
  /// The steps of the path; `nil` for one that is a parameter.
  var steps: [String?]
  /// The values of the steps that are parameters.
  private var values: [Int: SchemaInference] = [:]
  private(set) var origins: Set<String> = []
  private var summary: String?
  private var order = Int.max
  private let query = RecordedFields()
  private let headers = RecordedFields()
  /// The credentials of each call, and how many successful calls had just them.
  private var credentials: [[RecordedCredential]: Int] = [:]
  private var successCount = 0
  private let bodies = RecordedContent()
  /// Successful exchanges that had a body.
  private var bodyCount = 0
  private var responses: [Int: RecordedContent] = [:]

  /// Begins without an exchange.
  init(method: String, steps: [String?]) {
    self.method = method
    self.steps = steps
  }

  /// The path with `{}` for each parameter, after the method.
  var key: String { RecordedOperation.key(method, steps) }

  /// A key as `key` has it.
  static func key(_ method: String, _ steps: [String?]) -> String {
    method + " /" + steps.map { $0 ?? "{}" }.joined(separator: "/")
  }

  /// Takes in the value of a step that is a parameter.
  func addValue(_ text: String, at step: Int, _ limits: RecordedLimits) {
    let inference = values[step] ?? SchemaInference(limits.budget)
    inference.addScalar(String(decoding: PercentEncoding.decode(text), as: UTF8.self))
    values[step] = inference
  }

  /// Takes in a pair; `read` gives the bytes of a body.
  func add(
    _ pair: RecordedPair, _ limits: RecordedLimits, keepsExamples: Bool,
    read: (BodyContent) -> [UInt8]
  ) {
    origins.insert(pair.parts.origin)
    if pair.order < order {
      order = pair.order
      summary = pair.name ?? summary
    }
    let found = RecordedCredential.all(of: pair)
    let isSuccess = pair.isSuccess
    if isSuccess { successCount += 1 }
    credentials[found, default: 0] += isSuccess ? 1 : 0
    let pairs = FormFields.pairs(pair.parts.query ?? "")
    query.add(pairs.filter { !$0.isSecret }, counts: isSuccess, limits.budget)
    let fields = pair.request.headers.fields.filter { !RecordedHeaders.isUsual($0.name) }
      .map { RecordedValue(name: $0.name, value: $0.value) }
    headers.add(fields.filter { !$0.isSecret }, counts: isSuccess, limits.budget)
    addBodies(pair, limits, keepsExamples: keepsExamples, read: read)
  }

  private func addBodies(
    _ pair: RecordedPair, _ limits: RecordedLimits, keepsExamples: Bool,
    read: (BodyContent) -> [UInt8]
  ) {
    if pair.request.bodySize > 0 || pair.request.body.count > 0 {
      if pair.isSuccess { bodyCount += 1 }
      if bodies.count < RecordedLimits.samples {
        bodies.add(
          read(pair.request.body), pair.request.headers.mediaType,
          isWhole: !pair.request.isTruncated, order: pair.order, limits,
          keepsExample: keepsExamples && pair.isSuccess)
      }
    }
    let content = responses[pair.status] ?? RecordedContent()
    responses[pair.status] = content
    guard let response = pair.response, response.decodedSize > 0 || response.body.count > 0,
      pair.request.method != "HEAD", content.count < RecordedLimits.samples
    else { return }
    content.add(
      read(response.body), response.headers.mediaType, isWhole: !response.isTruncated,
      order: pair.order, limits, keepsExample: keepsExamples)
  }

  /// Takes in what another has seen, which is of no use any more.
  func merge(_ other: RecordedOperation) {
    for (step, theirs) in other.values.sorted(by: { $0.key < $1.key }) {
      if let own = values[step] { own.merge(theirs) } else { values[step] = theirs }
    }
    origins.formUnion(other.origins)
    if other.order < order { (order, summary) = (other.order, other.summary ?? summary) }
    query.merge(other.query)
    headers.merge(other.headers)
    for (found, count) in other.credentials { credentials[found, default: 0] += count }
    successCount += other.successCount
    bodies.merge(other.bodies)
    bodyCount += other.bodyCount
    for (status, theirs) in other.responses.sorted(by: { $0.key < $1.key }) {
      if let own = responses[status] { own.merge(theirs) } else { responses[status] = theirs }
    }
  }

  /// What answers of the operation look like, by which paths are taken for those of one kind:
  /// the class of a status and the names of the outermost members; `nil` where that says nothing.
  var signature: String? {
    for (status, content) in responses.sorted(by: { $0.key < $1.key }) {
      if let names = content.memberNames {
        return "\(status / 100) " + names.joined(separator: "\u{1F}")
      }
    }
    return nil
  }

  // MARK: - As a description

  /// What is to be made schemas of, with names for objects.
  var inferences: [(inference: SchemaInference, name: String)] {
    let words = steps.compactMap(\.self)
    let word = ComponentName.name(for: words.last { !$0.isEmpty } ?? "item")
    let sent = bodies.inferences.map { ($0, word) }
    let answers = responses.sorted { $0.key < $1.key }.flatMap { status, content in
      content.inferences.map { ($0, status < 400 ? word : "Error") }
    }
    return answers + sent
  }

  /// The credentials that the operation was called with.
  var schemes: [RecordedCredential] { Set(credentials.keys.joined()).sorted() }

  /// The operation; `names` are those of its path's parameters, `schemeNames` those of credentials.
  func description(
    _ schemas: InferredSchemas, names: [Int: String], schemeNames: [RecordedCredential: String]
  ) -> JSONValue {
    var members: [JSONMember] = []
    if let summary { members.append(JSONMember("summary", .string(summary))) }
    let ofPath: [JSONValue] = names.sorted { $0.key < $1.key }.map { step, name in
      [
        "name": .string(name), "in": "path", "required": true,
        "schema": values[step]?.scalarSchema(listsWords: false) ?? ["type": "string"],
      ]
    }
    let parameters = ofPath + query.parameters(in: "query") + headers.parameters(in: "header")
    if !parameters.isEmpty { members.append(JSONMember("parameters", .array(parameters))) }
    if bodies.count > 0 {
      var body = [JSONMember("content", bodies.content(schemas))]
      if successCount > 0, bodyCount == successCount {
        body.insert(JSONMember("required", true), at: 0)
      }
      members.append(JSONMember("requestBody", .object(body)))
    }
    members.append(JSONMember("responses", responses(schemas)))
    if let security = security(schemeNames) { members.append(JSONMember("security", security)) }
    return .object(members)
  }

  private func responses(_ schemas: InferredSchemas) -> JSONValue {
    .object(
      responses.sorted { $0.key < $1.key }.map { status, content in
        let reason = Status.reason(status) ?? "Status \(status)"
        var members = [JSONMember("description", .string(reason))]
        if content.count > 0 { members.append(JSONMember("content", content.content(schemas))) }
        return JSONMember(String(status), .object(members))
      })
  }

  /// The credentials that a call needs: each set with which one was successful, or with which any
  /// was tried where none was; those with more credentials first.
  private func security(_ names: [RecordedCredential: String]) -> JSONValue? {
    let sets = credentials.filter { successCount == 0 ? !$0.key.isEmpty : $0.value > 0 }.keys
    guard sets.contains(where: { !$0.isEmpty }) else { return nil }
    let ordered = sets.sorted { left, right in
      left.count == right.count
        ? left.lexicographicallyPrecedes(right) : left.count > right.count
    }
    return .array(
      ordered.map { set in
        .object(set.map { JSONMember(names[$0] ?? "", .array([])) })
      })
  }
}

/// Headers that say nothing of an operation.
enum RecordedHeaders {
  private static let usual: Set<String> = [
    "host", "user-agent", "accept", "accept-encoding", "accept-language", "accept-charset",
    "connection", "content-length", "content-type", "content-encoding", "transfer-encoding",
    "cache-control", "pragma", "referer", "origin", "cookie", "authorization",
    "proxy-authorization", "proxy-connection", "expect", "te", "trailer", "upgrade",
    "upgrade-insecure-requests", "keep-alive", "dnt", "priority", "http2-settings",
  ]

  /// Whether every client sends a header, or another part of a description tells it.
  static func isUsual(_ name: String) -> Bool {
    let name = name.lowercased()
    return usual.contains(name) || name.hasPrefix("sec-") || name.hasPrefix(":")
  }
}
