// What became of jobs, out of messages that a child may have made up.

import PostKitHTTP
import PostKitJSON
import PostKitScriptFrames

extension ScriptEvent {
  /// Reads a message of a child; `nil` where it is none that tells of a job.
  init?(_ frame: ScriptFrame) {
    let message = frame.message
    let id = message["id"]?.int ?? 0
    switch message["kind"]?.string {
    case "done": self = .done(ScriptOutcome(frame, id: id))
    case "values": self = .values(ExpressionOutcome(frame, id: id))
    case "log": self = .log(job: id, (message["items"]?.elements ?? []).map(ScriptLine.init))
    case "call":
      guard let number = message["call"]?.int, let name = message["name"]?.string else {
        return nil
      }
      self = .call(
        ScriptCall(
          number: number, job: id, name: name, arguments: message["args"]?.elements ?? [],
          blobs: frame.blobs, isAsync: message["isAsync"]?.bool ?? false))
    case "checked":
      self = .checked(
        job: id,
        (message["items"]?.elements ?? []).map { item in
          let error = item["error"].map {
            (message: $0["message"]?.string ?? "", line: $0["line"]?.int ?? 1)
          }
          return ScriptChecked(key: item["key"]?.string ?? "", error: error)
        })
    default: return nil
    }
  }
}

extension ScriptPlace {
  fileprivate init(_ value: JSONValue) {
    self.init(
      file: value["file"]?.string ?? "", line: max(1, value["line"]?.int ?? 1),
      column: max(1, value["column"]?.int ?? 1))
  }
}

extension ScriptLine {
  fileprivate init(_ value: JSONValue) {
    self.init(
      level: value["level"]?.string ?? "log", text: value["text"]?.string ?? "",
      file: value["file"]?.string ?? "", line: max(1, value["line"]?.int ?? 1))
  }
}

extension ScriptError {
  fileprivate init(_ value: JSONValue) {
    self.init(
      name: value["name"]?.string ?? "Error", message: value["message"]?.string ?? "",
      place: ScriptPlace(value), frames: (value["frames"]?.elements ?? []).map(ScriptPlace.init),
      unknownName: value["isUnknownName"]?.string)
  }
}

extension ScriptTest {
  fileprivate init(_ value: JSONValue) {
    self.init(
      name: value["name"]?.string ?? "", isPassed: value["passed"]?.bool ?? false,
      message: value["message"]?.string, actual: value["actual"]?.string,
      expected: value["expected"]?.string, place: ScriptPlace(value),
      milliseconds: value["ms"]?.double ?? 0)
  }
}

extension ScriptOutcome {
  fileprivate init(_ frame: ScriptFrame, id: Int) {
    let message = frame.message
    self.init(
      id: id, effects: ScriptEffects(message["effects"] ?? .null, frame.blobs),
      tests: (message["tests"]?.elements ?? []).map(ScriptTest.init),
      error: message["error"].map(ScriptError.init),
      stopped: message["stopped"]?.string.flatMap(ScriptStop.init(rawValue:)),
      reason: message["reason"]?.string,
      subscriptions: (message["subs"]?.elements ?? []).map {
        ScriptSubscription(number: $0["sub"]?.int ?? 0, what: $0["what"]?.string ?? "")
      },
      milliseconds: message["ms"]?.double ?? 0)
  }
}

extension ExpressionOutcome {
  fileprivate init(_ frame: ScriptFrame, id: Int) {
    let message = frame.message
    self.init(
      id: id,
      items: (message["items"]?.elements ?? []).map { item in
        (key: item["key"]?.string ?? "", value: ScriptValue(item, frame.blobs))
      },
      effects: ScriptEffects(message["effects"] ?? .null, frame.blobs),
      stopped: message["stopped"]?.string.flatMap(ScriptStop.init(rawValue:)),
      error: message["error"].map(ScriptError.init))
  }
}

extension ScriptValue {
  fileprivate init(_ item: JSONValue, _ blobs: [[UInt8]]) {
    if let error = item["error"] {
      self = .error(ScriptError(error))
    } else if let bytes = item["bytes"].flatMap({ ScriptBlobs.bytes($0, in: blobs) }) {
      self = .bytes(bytes)
    } else if let value = item["value"] {
      self = .value(value)
    } else {
      self = .undefined
    }
  }
}

extension ScriptEffects {
  fileprivate init(_ value: JSONValue, _ blobs: [[UInt8]]) {
    self.init()
    exports = Changes(value["exports"])
    exportedFunctions = (value["exports"]?["functions"]?.elements ?? []).compactMap(\.string)
    request = Changes(value["request"])
    globals = Changes(value["globals"])
    headers = Changes(value["headers"])
    environment = Changes(value["environment"])
    collection = Changes(value["collection"])
    mutation = value["mutate"].map { mutate in
      Mutation(
        url: mutate["url"]?.string, method: mutate["method"]?.string,
        headers: mutate["headers"].map { list in
          list.elements.map { field in
            let parts = field.elements
            return HeaderField(parts.first?.string ?? "", parts.dropFirst().first?.string ?? "")
          }
        },
        body: mutate["body"].flatMap { ScriptBlobs.bytes($0, in: blobs) })
    }
    display = value["display"]?.string
    switch value["next"] {
    case .string(let name): next = .request(name)
    case .some(.null): next = Next.none
    default: break
    }
    stopsRun = value["stopsRun"]?.bool ?? false
  }
}

extension ScriptEffects.Changes {
  fileprivate init(_ value: JSONValue?) {
    self.init()
    guard let value else { return }
    clears = value["clear"]?.bool ?? false
    if case .object(let members) = value["set"] { set = members }
    unset = (value["unset"]?.elements ?? []).compactMap(\.string)
  }
}

extension JSONValue {
  fileprivate var double: Double? {
    if case .number(let digits) = self { Double(digits) } else { nil }
  }
}
