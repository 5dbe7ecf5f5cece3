// What scripts ask of the program while they run (SC-55), but for running requests.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport
import PostKitSyntax

extension RunState {
  /// The answer to a call.
  mutating func answer(
    _ call: ScriptCall, _ caller: ScriptCaller, _ services: RunServices
  ) async -> ScriptAnswer {
    switch call.name {
    case "jsonPath": return jsonPath(call, caller)
    case "xpath": return xpath(call, caller, services)
    case "digest", "hmac": return ScriptAnswers.bytes(call, services.random)
    case "random": return ScriptAnswers.bytes(call, random(caller, services))
    case "environment": return environment(call, caller, services)
    case "value": return value(call, caller, services)
    case "stored": return stored(call, caller, services)
    case "substitute": return substitute(call, caller, services)
    case "module": return module(call, caller, services)
    case "file": return file(call, caller, services)
    case "import": return importFile(call, caller)
    case "regions": return regions(call, caller)
    case "input": return await input(call, services)
    case "exampleServer":
      return services.exampleServer().map { .value(.string($0)) }
        ?? .failure("the example server can't be started")
    case "token": return await token(call, caller, services)
    case "unsubscribe": return unsubscribe(call)
    case "send": return .failure("nothing can be sent on this connection")
    default: return .failure("this version of PostKit has no `\(call.name)`")
    }
  }

  /// The random bits of a script: with a seed the same in each run.
  private mutating func random(
    _ caller: ScriptCaller, _ services: RunServices
  ) -> @Sendable () -> UInt64 {
    guard let seed = input.seed else { return services.random }
    scripts.randomCalls[caller.place, default: 0] += 1
    let number = scripts.randomCalls[caller.place] ?? 0
    let place = "\(caller.place.file).\(caller.place.block)"
    return SeededRandom.source(seed, "script \(place) \(number)")
  }

  private func jsonPath(_ call: ScriptCall, _ caller: ScriptCaller) -> ScriptAnswer {
    guard let path = call.argument(1).string else { return .failure("the path must be a string") }
    var bytes = call.argument(0).bytes
    if call.argument(0) == "body" { bytes = caller.exchange?.responseBody ?? [] }
    if call.argument(0)["$blob"] != nil { bytes = call.bytes(0) ?? [] }
    // Nothing is found in what is no JSON.
    guard let tree = try? JSONTree(parsing: bytes) else { return .value(.array([])) }
    do throws(JSONPathError) {
      return .value(.array(try JSONPath(path).values(in: tree.root)))
    } catch {
      let place = error.offset > 0 ? " at offset \(error.offset)" : ""
      return .error(name: "SyntaxError", message: "jsonPath: \(error.explanation)\(place)")
    }
  }

  private func xpath(
    _ call: ScriptCall, _ caller: ScriptCaller, _ services: RunServices
  ) -> ScriptAnswer {
    guard let expression = call.argument(1).string else {
      return .failure("the expression must be a string")
    }
    let isBody = call.argument(0) == "body"
    let document = isBody ? caller.exchange?.responseBody : call.bytes(0)
    var query = XPathQuery(expression: expression, document: document ?? [])
    query.isHTML = call.argument(3).bool ?? false
    switch XPathOutcome(of: query) {
    case .string(let text): return .value(.string(text))
    case .number(let digits):
      return .value(Double(digits)?.isFinite == true ? .number(digits) : .string(digits))
    case .bool(let flag): return .value(.bool(flag))
    case .nothing: return .value(.null)
    case .badExpression(_, let explanation):
      return .error(name: "SyntaxError", message: "xpath: \(explanation)")
    case .badDocument, .unavailable: return .value(.null)
    }
  }

  private mutating func environment(
    _ call: ScriptCall, _ caller: ScriptCaller, _ services: RunServices
  ) -> ScriptAnswer {
    guard let name = call.argument(0).string else { return .failure("the name must be a string") }
    var evaluator = evaluator(caller.place, services, "call")
    let found = evaluator.processVariable(name, namedIn: scriptPath(caller))
    addSecrets(evaluator.secrets)
    return .value(.optional(found))
  }

  /// The file whose text a script stands in; `nil` for the text that is sent.
  private func scriptPath(_ caller: ScriptCaller) -> String? {
    let file = caller.script?.file ?? caller.place.file
    return file == 0 ? nil : scope.files.files[file].path
  }

  private mutating func value(
    _ call: ScriptCall, _ caller: ScriptCaller, _ services: RunServices
  ) -> ScriptAnswer {
    guard let name = call.argument(0).string else { return .failure("the name must be a string") }
    var evaluator = evaluator(caller.place, services, "call")
    let found = evaluator.variable(name, at: offset(caller))
    addSecrets(evaluator.secrets)
    stable = evaluator.stable
    return .value(found ?? .null)
  }

  private mutating func substitute(
    _ call: ScriptCall, _ caller: ScriptCaller, _ services: RunServices
  ) -> ScriptAnswer {
    guard let text = call.argument(0).string else { return .failure("the text must be a string") }
    var evaluator = evaluator(caller.place, services, "call \(call.number)")
    let result = evaluator.substituted(text, at: offset(caller))
    addSecrets(evaluator.secrets)
    stable = evaluator.stable
    return .value(.string(result))
  }

  /// The URL of a script's request, substituted where it isn't yet; `nil` where there is none.
  mutating func ownURL(of caller: ScriptCaller, _ services: RunServices) -> String? {
    guard let request = caller.request else { return nil }
    guard request.isTemplate else { return request.known.url }
    var evaluator = evaluator(caller.place, services, "names")
    defer {
      addSecrets(evaluator.secrets)
      stable = evaluator.stable
    }
    return evaluator.substituted(request.known.url, at: offset(caller))
  }

  /// Where names are looked up for a script.
  func offset(_ caller: ScriptCaller) -> Int {
    if let script = caller.script, script.file == caller.place.file {
      return script.range.lowerBound
    }
    return scope.files.block(caller.place).requestLine.lowerBound
  }

  /// Makes the names and requests of another file seen in the script's own.
  private mutating func importFile(_ call: ScriptCall, _ caller: ScriptCaller) -> ScriptAnswer {
    guard let path = call.argument(0).string else { return .failure("the path must be a string") }
    var workspace = input.workspace
    workspace.outsideRefusal =
      "it lies outside of \(workspace.root), where scripts read nothing"
    let loader = workspace.loader(
      scope.environments, scope.dialect(of: 0), overrides: scope.overrides)
    let count = scope.files.files.count
    if let problem = scope.add(importOf: path, in: caller.file, loader) {
      return .failure(EvaluationProblem(problem, range: 0..<0).message)
    }
    let added = (count..<scope.files.files.count).map { FileScripts($0, scope) }
    if !scripts.files.isEmpty || added.contains(where: { $0 != nil }) {
      scripts.files += (scripts.files.count..<count).map { FileScripts($0, scope) } + added
      hasScripts = true
    }
    scripts.plan = nil
    scripts.foldedNames = [:]
    return .value(.null)
  }

  /// The requests of the file that a script stands in, and of those that it imports where it asks
  /// for these, too.
  private func regions(_ call: ScriptCall, _ caller: ScriptCaller) -> ScriptAnswer {
    let imported = call.argument(0).bool == true ? scope.files.files[caller.file].visible : []
    let all = [caller.file] + imported.filter { $0 != caller.file }
    return .value(
      .array(
        all.flatMap { file -> [JSONValue] in
          let document = scope.files.files[file].document
          return document.requests.map { block in
            let tags = block.writtenTags.sorted { $0.key < $1.key }.map { name, values in
              JSONMember(name, .array(values.map(JSONValue.string)))
            }
            return [
              "name": .optional(block.name), "title": .string(mask.mask(block.caption).text),
              "line": .int(document.line(at: block.requestLine.lowerBound) + 1),
              "tags": .object(tags),
            ]
          }
        }))
  }

  private mutating func input(
    _ call: ScriptCall, _ services: RunServices
  ) async -> ScriptAnswer {
    guard let label = call.argument(0).string else { return .failure("the label must be a string") }
    var prompt = Prompt(name: label, label: label, isSecret: call.argument(2).bool ?? false)
    prompt.proposal = call.argument(1).string
    var answer = input.inputs[label] ?? input.overrides[label]
    if answer == nil, case .given(let text) = await services.ask(prompt) { answer = text }
    guard let answer else {
      let remedy = input.surface == .commandLine ? " (give --input \(label)=value)" : ""
      return .failure("nobody can be asked for \"\(label)\"\(remedy)")
    }
    if prompt.isSecret { addSecrets([answer]) }
    return .value(.string(answer))
  }
}

extension ScriptAnswer {
  /// A plain error.
  static func failure(_ message: String) -> ScriptAnswer { .error(name: "Error", message: message) }

  /// Bytes.
  static func blob(_ bytes: [UInt8]) -> ScriptAnswer {
    var blobs: [[UInt8]] = []
    let value = ScriptBlobs.reference(to: bytes, in: &blobs)
    return .value(value, blobs)
  }
}

/// Answers that need nothing of the run.
enum ScriptAnswers {
  /// A digest, a keyed digest, or random bytes.
  static func bytes(_ call: ScriptCall, _ random: () -> UInt64) -> ScriptAnswer {
    if call.name == "random" {
      let count = min(max(0, call.argument(0).int ?? 0), 65_536)
      let words = (0..<(count + 7) / 8).map { _ in random() }
      let bytes = words.flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
      }
      return .blob(Array(bytes.prefix(count)))
    }
    let isKeyed = call.name == "hmac"
    guard let name = call.argument(0).string, let algorithm = ScriptDigest(rawValue: name),
      let bytes = call.bytes(isKeyed ? 2 : 1)
    else { return .failure("no such digest: \(call.argument(0).substitutionText)") }
    let result =
      isKeyed
      ? call.bytes(1).flatMap { algorithm.keyed($0, bytes) } : algorithm.digest(bytes)
    return result.map(ScriptAnswer.blob)
      ?? .failure("no library on this system computes \(name). Install OpenSSL")
  }
}

/// The digests of scripts.
enum ScriptDigest: String {
  case md5, sha1, sha256, sha384, sha512

  /// Bytes in a block, for keyed digests.
  private var blockSize: Int {
    switch self {
    case .md5, .sha1, .sha256: 64
    case .sha384, .sha512: 128
    }
  }

  /// The digest; `nil` where the system has no library for it.
  func digest(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .md5: SystemDigest.md5.digest(bytes)
    case .sha1: SystemDigest.sha1.digest(bytes)
    case .sha256: SHA256.digest(bytes)
    case .sha384: SystemDigest.sha384.digest(bytes)
    case .sha512: SystemDigest.sha512.digest(bytes)
    }
  }

  /// The digest with a key (RFC 2104).
  func keyed(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8]? {
    guard var block = key.count > blockSize ? digest(key) : key else { return nil }
    block += [UInt8](repeating: 0, count: blockSize - block.count)
    return digest(block.map { $0 ^ 0x36 } + bytes).flatMap { inner in
      digest(block.map { $0 ^ 0x5C } + inner)
    }
  }
}
