// What the engine is asked to do, as messages.

import PostKitHTTP
import PostKitJSON
import PostKitScriptFrames

extension ScriptFrame {
  /// The message that begins a job.
  init(_ job: ScriptJob) {
    var writer = JobWriter()
    switch job {
    case .run(let run): self.init(writer.run(run), blobs: writer.blobs)
    case .evaluate(let batch): self.init(writer.evaluate(batch), blobs: writer.blobs)
    case .check(let check):
      let items = check.items.map { item -> JSONValue in
        ["key": .string(item.key), "text": .string(item.text), "kind": .string(item.kind.rawValue)]
      }
      self.init(["kind": "check", "id": .int(check.id), "items": .array(items)])
    case .deliver(let item):
      self.init([
        "kind": "deliver", "id": .int(item.id), "ctx": .int(item.context),
        "sub": .int(item.subscription), "item": item.item ?? .null, "end": .bool(item.item == nil),
      ])
    }
  }

  /// The message that makes a context. `lost` are exported functions that ended with a child.
  init(_ context: ScriptContext, lost: [String]) {
    self.init([
      "kind": "open", "ctx": .int(context.number), "file": .string(context.file),
      "root": .string(context.root), "dialect": .string(context.dialect),
      "testsRun": .string(context.runsTestsLast ? "afterScript" : "now"),
      "environment": .array(context.environment.map(JSONValue.string)),
      "lost": .array(lost.map(JSONValue.string)),
    ])
  }

  /// The message that changes bare names.
  init(_ scope: ScriptScope) {
    self.init([
      "kind": "scope", "ctx": .int(scope.context), "set": .object(scope.set),
      "unset": .array(scope.unset.map(JSONValue.string)),
    ])
  }

  /// The message that answers a call.
  init(_ answer: ScriptAnswer, to call: ScriptCall) {
    switch answer {
    case .value(let value, let blobs):
      self.init(["kind": "answer", "call": .int(call.number), "value": value], blobs: blobs)
    case .error(let name, let message, let code):
      let more = code.map { [JSONMember("code", .string($0))] } ?? []
      self.init([
        "kind": "answer", "call": .int(call.number),
        "error": .object(
          [JSONMember("name", .string(name)), JSONMember("message", .string(message))] + more),
      ])
    }
  }
}

/// Writes the messages of jobs; long bytes become blobs.
private struct JobWriter {
  var blobs: [[UInt8]] = []
  /// Bytes up to which a text stands in the message itself.
  private static let inlineBytes = 4 << 10

  mutating func run(_ run: RunScript) -> JSONValue {
    var members = [
      JSONMember("kind", "run"), JSONMember("id", .int(run.id)),
      JSONMember("ctx", .int(run.context)), JSONMember("phase", .string(run.phase.rawValue)),
      JSONMember("family", .string(run.family.rawValue)),
      JSONMember("script", script(run.script)),
    ]
    members += shared(run.request, run.response, run.stores, run.deadlineMilliseconds)
    return .object(members)
  }

  mutating func evaluate(_ batch: EvaluateExpressions) -> JSONValue {
    let items = batch.items.map { item -> JSONValue in
      guard case .object(let members) = script(item.script, inline: true) else { return .null }
      return .object([JSONMember("key", .string(item.key))] + members)
    }
    var members = [
      JSONMember("kind", "evaluate"), JSONMember("id", .int(batch.id)),
      JSONMember("ctx", .int(batch.context)), JSONMember("items", .array(items)),
    ]
    if let job = batch.predecessor { members.append(JSONMember("after", .int(job))) }
    members += shared(batch.request, batch.response, batch.stores, batch.deadlineMilliseconds)
    return .object(members)
  }

  private mutating func script(_ script: ScriptText, inline: Bool = false) -> JSONValue {
    let text = inline ? .string(script.text) : bytes(Array(script.text.utf8))
    return [
      "text": text, "file": .string(script.place.file), "line": .int(script.place.line),
      "column": .int(script.place.column),
    ]
  }

  private mutating func shared(
    _ request: ScriptRequest, _ response: ScriptResponse?, _ stores: ScriptStores,
    _ milliseconds: Int?
  ) -> [JSONMember] {
    var members = [JSONMember("request", value(request))]
    if !request.data.isEmpty { members.append(JSONMember("data", .object(request.data))) }
    if let token = request.token { members.append(JSONMember("token", token)) }
    if let response { members.append(JSONMember("response", value(response))) }
    members.append(JSONMember("stores", value(stores)))
    if let milliseconds { members.append(JSONMember("deadline", .int(milliseconds))) }
    return members
  }

  private mutating func bytes(_ bytes: [UInt8]) -> JSONValue {
    if bytes.count <= Self.inlineBytes, let text = String(validating: bytes, as: UTF8.self) {
      return .string(text)
    }
    return ScriptBlobs.reference(to: bytes, in: &blobs)
  }

  private mutating func members(_ raw: ScriptRequest.Raw) -> [JSONMember] {
    [
      JSONMember("method", .string(raw.method)), JSONMember("url", .string(raw.url)),
      JSONMember("headers", Self.value(raw.headers)),
      JSONMember("body", raw.body.map { bytes($0) } ?? .null),
    ]
  }

  private mutating func value(_ request: ScriptRequest) -> JSONValue {
    let tags = request.tags.sorted { $0.key < $1.key }.map { name, values in
      JSONMember(name, .array(values.map(JSONValue.string)))
    }
    var members =
      [JSONMember("name", .optional(request.name))] + members(request.known) + [
        JSONMember("raw", .object(members(request.written))), JSONMember("tags", .object(tags)),
        JSONMember("isTemplate", .bool(request.isTemplate)),
        JSONMember("isWritable", .bool(request.isWritable)),
        JSONMember("iteration", .int(request.iteration)),
        JSONMember("replayCount", .int(request.replayCount)),
      ]
    if !request.templateValues.isEmpty {
      members.append(JSONMember("templateValues", .array(request.templateValues)))
    }
    return .object(members)
  }

  private mutating func value(_ response: ScriptResponse) -> JSONValue {
    let body = response.body.map { ScriptBlobs.reference(to: $0, in: &blobs) }
    let times = response.timings
    let timings: [(String, Double)] = [
      ("wait", times.wait), ("dns", times.dns), ("tcp", times.tcp), ("tls", times.tls),
      ("request", times.request), ("firstByte", times.firstByte), ("download", times.download),
      ("total", times.total),
    ]
    let result: JSONValue = [
      "status": .int(response.status), "reason": .string(response.reason),
      "protocol": .string(response.protocol), "headers": Self.value(response.headers),
      "body": body ?? .null, "kind": .string(response.kind.rawValue),
      "mime": .string(response.mime), "charset": .string(response.charset),
      "timings": .object(timings.map { JSONMember($0, .number(String($1))) }),
      "ip": .string(response.ip), "size": .int(response.size), "name": .optional(response.name),
    ]
    guard case .object(var members) = result else { return result }
    if let names = response.tokenNames {
      members.append(JSONMember("jwt", .array(names.map(JSONValue.string))))
    }
    if response.isReadByItem { members.append(JSONMember("byItem", .bool(true))) }
    return .object(members)
  }

  private mutating func value(_ stores: ScriptStores) -> JSONValue {
    let parts = [
      ("request", stores.request), ("globals", stores.globals), ("headers", stores.headers),
      ("environment", stores.environment), ("overlay", stores.overlay), ("file", stores.file),
      ("exports", stores.exports), ("collection", stores.collection),
    ]
    var members = parts.filter { !$1.isEmpty }.map { JSONMember($0, .object($1)) }
    let responses = stores.responses.sorted { $0.key < $1.key }.map { name, response in
      JSONMember(name, value(response))
    }
    if !responses.isEmpty { members.append(JSONMember("responses", .object(responses))) }
    if !stores.partial.isEmpty {
      let partial = stores.partial.map { JSONMember($0, .bool(true)) }
      members.append(JSONMember("partial", .object(partial)))
    }
    return .object(members)
  }

  private static func value(_ headers: [HeaderField]) -> JSONValue {
    .array(headers.map { [.string($0.name), .string($0.value)] })
  }
}
