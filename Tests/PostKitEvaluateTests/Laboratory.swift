// A world for evaluation in which nothing changes by itself.

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import Synchronization

/// Evaluates request files against fixed surroundings.
struct Laboratory {
  var files: [String: String] = [:]
  /// Files that are no UTF-8.
  var binaryFiles: [String: [UInt8]] = [:]
  var environment: String?
  var sources: [(EnvironmentSource.Kind, String)] = []
  var processEnvironment: [String: String] = [:]
  var dialect = Dialect()
  var overrides: [String: String] = [:]
  var answers: [String: String] = [:]
  /// The tokens that were got.
  var tokens: [TokenNeed: TokenAnswer] = [:]
  var exchanges: [String: ReferencedExchange] = [:]
  var isStrict = false
  /// 2026-02-05T06:07:08.009Z.
  var now: Int64 = 1_770_271_628_009
  var localOffsetSeconds = 3_600

  /// Lowers a request until it needs no token; each token is its number and what it is for.
  func lowerWithTokens(_ text: String, scheme: String = "Bearer") -> LoweredRequest {
    var laboratory = self
    var lowered = laboratory.lower(text)
    for number in 1...5 {
      let needs = lowered.needs.compactMap(\.token)
      if needs.isEmpty { break }
      for need in needs {
        let token = "\(need.kind)-\(number)"
        var tokens = TokenSet(accessToken: token, acquired: 1_000)
        tokens.refreshToken = "refresh-\(number)"
        tokens.expires = 61_000
        laboratory.tokens[need] = TokenAnswer(text: token, scheme: scheme, tokens: tokens)
      }
      lowered = laboratory.lower(text)
    }
    return lowered
  }

  /// Lowers the request of a file, the only one or the one of a number counted from 1.
  func lower(_ text: String, request number: Int = 1) -> LoweredRequest {
    let document = ParsedDocument(bytes: Array(text.utf8))
    let block = document.requests[number - 1]
    return Lowering.lower(
      block, evaluator: evaluator(document), defaults: RequestDefaults(userAgent: "test"))
  }

  /// An evaluator for a file.
  func evaluator(_ document: ParsedDocument) -> Evaluator {
    Evaluator(context: context(), scope: scope(document), isStrict: isStrict)
  }

  /// The scope of a file.
  func scope(_ document: ParsedDocument) -> Scope {
    let set = EnvironmentSet(
      sources: sources.map { kind, text in
        EnvironmentSource(
          kind: kind, file: SourceFile(path: "/project/\(kind)", bytes: Array(text.utf8)))
      }, active: environment)
    var scope = Scope(
      document: document, environments: set, dialect: dialect, overrides: overrides)
    scope.answers = NeedAnswers(prompts: answers)
    scope.answers.tokens = tokens
    return scope
  }

  /// The context.
  func context() -> EvaluationContext {
    let (texts, processEnvironment, exchanges) = (files, processEnvironment, exchanges)
    let files = binaryFiles.merging(texts.mapValues { Array($0.utf8) }) { binary, _ in binary }
    let (now, offset) = (now, localOffsetSeconds)
    let counter = Mutex<UInt64>(0)
    var context = EvaluationContext(
      now: { now }, localOffsetSeconds: { _ in offset },
      random: {
        counter.withLock {
          $0 &+= 0x9E37_79B9_7F4A_7C15
          return $0 &* 0xBF58_476D_1CE4_E5B9
        }
      },
      processEnvironment: { processEnvironment[$0] },
      readFile: { path in files[path].map { .bytes($0) } ?? .missing },
      resolvePath: { files[$0] == nil ? nil : $0 },
      exampleServer: { "http://127.0.0.1:4000" },
      exchange: { exchanges[$0] })
    context.projectRoot = "/project"
    context.dotEnvFiles =
      files[".env"].map { [SourceFile(path: ".env", bytes: $0)] } ?? []
    return context
  }

  /// An exchange with a JSON response.
  static func exchange(
    _ body: String, headers: HeaderFields = ["Content-Type": "application/json"],
    requestBody: String = "{}"
  ) -> ReferencedExchange {
    exchange(bytes: Array(body.utf8), headers: headers, requestBody: requestBody)
  }

  /// An exchange with a response of any bytes.
  static func exchange(
    bytes: [UInt8], headers: HeaderFields, requestBody: String = "{}"
  ) -> ReferencedExchange {
    ReferencedExchange(
      request: SentRequest(method: "POST", url: "http://t.test/login", headers: ["X-Sent": "1"]),
      requestBody: Array(requestBody.utf8),
      response: Response(
        httpVersion: "HTTP/1.1", status: 201, reason: "Created", headers: headers,
        body: .bytes(bytes), wireSize: bytes.count, decodedSize: bytes.count),
      responseBody: bytes, milliseconds: 12)
  }
}

extension LoweredRequest {
  /// The request as a message, without the default headers; or the codes of what is wrong.
  var text: String {
    guard let spec else {
      return problems.filter { $0.severity == .error }.map { "error: \($0.code)" }
        .joined(separator: "\n")
    }
    var lines = ["\(spec.method) \(spec.url)"]
    for field in spec.headers.fields
    where !(field.name == "User-Agent" && field.value == "test")
      && !(field.name == "Accept" && field.value == "*/*")
    {
      lines.append("\(field.name): \(field.value)")
    }
    guard !spec.body.isEmpty else { return lines.joined(separator: "\n") }
    lines.append("")
    let chunks = spec.body.map { chunk in
      switch chunk {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .file(let path): "<\(path)>"
      }
    }
    return (lines + [chunks.joined()]).joined(separator: "\n")
  }
}
