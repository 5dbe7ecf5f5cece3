// Runs scripts in the real engine; this side answers their calls as the runner would.

import Foundation
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport

/// What came of a script.
struct ScriptResult: Sendable {
  var output: [String] = []
  /// `+name` for each test that passed, `-name: message` for each other.
  var tests: [String] = []
  /// The name and message of the error, and its line and column.
  var error: String?
  var stopped: ScriptStop?
  var effects = ScriptEffects()
}

/// A session of the engine with one file and one exchange.
struct ScriptBench {
  /// The request as written; `{{who}}` is `world`.
  static let written = ScriptRequest.Raw(
    method: "POST", url: "http://x.test/{{who}}?q=1",
    headers: [
      HeaderField("X-A", "v {{who}}"),
      HeaderField("Content-Type", "application/json"),
    ], body: Array(#"{"a":"{{who}}"}"#.utf8))

  let session: any ScriptSession
  private static let engine = ScriptHost(
    program: URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "postkit").path)

  /// The texts of modules by their paths.
  var modules: [String: String] = [:]
  var templateValues: [JSONValue] = ["first"]

  init(dialect: String = "auto") async throws {
    session = try await Self.engine.session(ScriptLimits(), seed: nil, now: nil)
    await session.open(
      ScriptContext(
        number: 0, file: "/w/a.http", root: "/w", dialect: dialect, environment: ["dev"]))
  }

  /// A response with JSON, two cookies and two values of one header.
  static func response(
    _ body: String = #"{"id":7,"list":[{"n":1}],"who":{"a.b":"x"}}"#,
    _ kind: ScriptResponse.Kind = .json, mime: String = "application/json"
  ) -> ScriptResponse {
    var timings = ScriptResponse.Timings()
    timings.total = 7
    return ScriptResponse(
      status: 200, reason: "OK",
      headers: [
        HeaderField("Content-Type", mime),
        HeaderField("Set-Cookie", "a=1; Path=/; HttpOnly"),
        HeaderField("Set-Cookie", "b=2"), HeaderField("X-Two", "1"),
        HeaderField("X-Two", "2"),
      ], body: Array(body.utf8), kind: kind, mime: mime, charset: "utf-8", timings: timings,
      ip: "127.0.0.1", size: body.utf8.count, name: "r")
  }

  /// A response with JSON whose script reads lines.
  static func byItem(_ body: String) -> ScriptResponse {
    var response = response(body)
    response.isReadByItem = true
    return response
  }

  private static var stores: ScriptStores {
    var stores = ScriptStores()
    stores.environment = [JSONMember("host", "h")]
    stores.file = [JSONMember("fv", "x")]
    return stores
  }

  /// A number that no other job has, as those of a run are.
  private static func nextID() -> Int { Int.random(in: 1...1 << 40) }

  /// Runs a script that stands at line 5 of its file.
  func run(
    _ text: String, _ phase: ScriptPhase = .response, _ family: ScriptFamily = .jetbrains,
    response: ScriptResponse? = ScriptBench.response(), replayCount: Int = 0
  ) async -> ScriptResult {
    let isBefore = [.imports, .pre, .request].contains(phase)
    var request = ScriptRequest(
      name: "r", known: Self.written, tags: ["note": [""]], isTemplate: phase == .pre,
      isWritable: phase == .pre || phase == .request, replayCount: replayCount)
    request.templateValues = templateValues
    let job = RunScript(
      id: Self.nextID(), context: 0, phase: phase, family: family,
      script: ScriptText(text, at: ScriptPlace(file: "/w/a.http", line: 5, column: 1)),
      request: request, response: isBefore ? nil : response, stores: Self.stores)
    await session.begin(.run(job))
    return await finish()
  }

  /// Evaluates an expression; answers its value as JSON, `undefined` or its error.
  func evaluate(_ text: String) async -> String {
    let place = ScriptPlace(file: "/w/a.http", line: 3, column: 4)
    await session.begin(
      .evaluate(
        EvaluateExpressions(
          id: Self.nextID(), context: 0, request: ScriptRequest(name: "r", known: Self.written),
          response: Self.response(), stores: Self.stores,
          items: [ScriptExpression(key: "k", ScriptText(text, at: place))])))
    return await finish().error ?? ""
  }

  private func finish() async -> ScriptResult {
    var result = ScriptResult()
    while true {
      switch await session.next() {
      case .call(let call): await session.answer(call, ScriptAnswers(modules: modules).of(call))
      case .log(_, let lines): result.output += lines.map(\.text)
      case .done(let outcome):
        result.tests = outcome.tests.map { test in
          test.isPassed ? "+\(test.name)" : "-\(test.name): \(test.message ?? "")"
        }
        result.error = outcome.error.map(Self.shown)
        result.stopped = outcome.stopped
        result.effects = outcome.effects
        return result
      case .values(let outcome):
        switch outcome.items.first?.value {
        case .value(let value): result.error = value.text
        case .bytes(let bytes): result.error = "\(bytes)"
        case .error(let error): result.error = Self.shown(error)
        case .undefined, nil: result.error = "undefined"
        }
        return result
      case .checked: return result
      case .failed(let failure):
        result.error = "the engine failed: \(failure.message)"
        return result
      }
    }
  }

  private static func shown(_ error: ScriptError) -> String {
    "\(error.place.line):\(error.place.column): \(error.name): \(error.message)"
  }
}

/// The answers to calls.
private struct ScriptAnswers {
  let modules: [String: String]

  /// All values of a store, or one of them, as `ScriptBench.stores` has them.
  private func stored(_ store: String, name: String?) -> JSONValue {
    let all: [JSONMember] =
      switch store {
      case "environment": [JSONMember("host", "h")]
      case "file": [JSONMember("fv", "x")]
      default: []
      }
    guard let name else { return .object(all) }
    return .object(all.filter { $0.key == name }.map { JSONMember("value", $0.value) })
  }

  func of(_ call: ScriptCall) -> ScriptAnswer {
    let text = call.argument(0).string ?? ""
    switch call.name {
    case "random": return .bytes((0..<(call.argument(0).int ?? 0)).map { UInt8($0 * 37 % 251) })
    case "digest": return call.bytes(1).flatMap { digest(text, $0) }.map { .bytes($0) } ?? .none
    case "hmac":
      guard let key = call.bytes(1), let data = call.bytes(2) else { return .none }
      return keyed(text, key, data).map { .bytes($0) } ?? .none
    case "substitute":
      return .value(
        .string(
          text.replacing("{{who}}", with: "world").replacing("{{$random.address.city}}", with: "C")))
    case "environment": return .value(text == "HOME" ? "/home/x" : .null)
    case "value", "unsubscribe", "send": return .value(.null)
    case "exampleServer": return .value("http://127.0.0.1:1")
    case "token": return .value("t")
    case "cookies": return .value([["name": "sid", "value": "1"]])
    case "input": return .value(.string("typed \(text)"))
    case "jsonPath": return .value(call.argument(1).string == "*" ? [1, 2] : [7])
    case "xpath": return .value(2)
    case "execute":
      return text == "login"
        ? .value(["status": 201, "body": #"{"t":1}"#, "headers": [["X-B", "c"]]])
        : .error(name: "Error", message: "no request is called \"\(text)\"")
    case "import": return .value(.null)
    case "regions":
      return .value([["name": "login", "title": "login", "line": 3, "tags": ["note": [""]]]])
    case "stored": return .value(stored(text, name: call.argument(1).string))
    case "sendRequest": return sent(call.argument(0)["url"]?.string ?? "")
    case "module": return module(text)
    case "file":
      switch call.argument(1).string {
      case "stat":
        return text == "no"
          ? .value(.null) : .value(["size": 3, "isFile": true, "isDirectory": false])
      case "list": return .value(["a", "b"])
      default: return .value(.string("text of \(text)"))
      }
    default: return .error(name: "Error", message: "no answer to \(call.name)")
    }
  }

  private func sent(_ url: String) -> ScriptAnswer {
    if url.hasSuffix("/fails") { return .error(name: "RequestError", message: "no network") }
    if url.hasSuffix("/refused") {
      return .error(name: "Error", message: "scripts may not send requests of their own")
    }
    return .value([
      "status": .int(url.hasSuffix("/404") ? 404 : 201), "reason": "Created",
      "headers": [["Content-Type", "application/json"]], "body": #"{"t":1}"#, "milliseconds": 3,
    ])
  }

  private func module(_ id: String) -> ScriptAnswer {
    let path = "/w/" + id.replacing("./", with: "")
    guard let text = modules[path] else {
      return .error(name: "Error", message: "Cannot find module '\(id)'")
    }
    let kind: JSONValue = path.hasSuffix(".json") ? "json" : "script"
    return .value(["path": .string(path), "text": .string(text), "kind": kind])
  }

  private func digest(_ name: String, _ bytes: [UInt8]) -> [UInt8]? {
    switch name {
    case "md5": SystemDigest.md5.digest(bytes)
    case "sha1": SystemDigest.sha1.digest(bytes)
    case "sha256": SHA256.digest(bytes)
    case "sha384": SystemDigest.sha384.digest(bytes)
    default: SystemDigest.sha512.digest(bytes)
    }
  }

  /// The digest with a key of at most one block.
  private func keyed(_ name: String, _ key: [UInt8], _ bytes: [UInt8]) -> [UInt8]? {
    let size = name == "sha384" || name == "sha512" ? 128 : 64
    let block = key + [UInt8](repeating: 0, count: size - key.count)
    return digest(name, block.map { $0 ^ 0x36 } + bytes).flatMap { inner in
      digest(name, block.map { $0 ^ 0x5C } + inner)
    }
  }
}

extension ScriptAnswer {
  /// Bytes as a blob.
  fileprivate static func bytes(_ bytes: [UInt8]) -> ScriptAnswer {
    var blobs: [[UInt8]] = []
    let value = ScriptBlobs.reference(to: bytes, in: &blobs)
    return .value(value, blobs)
  }

  /// Nothing.
  fileprivate static var none: ScriptAnswer { .error(name: "Error", message: "no digest") }
}
