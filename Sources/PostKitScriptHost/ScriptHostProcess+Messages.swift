// What scripts say to the program: calls, printed lines, results.

import PostKitJSON
import PostKitScriptFrames
import PostKitSupport

/// The answer to a call, as JSON text.
enum HostAnswer {
  case value([UInt8], [[UInt8]])
  case error([UInt8])
}

extension ScriptHostProcess {
  /// Asks the program and waits for its answer.
  func ask(_ name: String, _ arguments: [UInt8], _ blobs: [[UInt8]]) -> HostAnswer {
    guard let job = jobs.last else { return .error(Self.error("Error", "no script is running")) }
    flushLines(job)
    let number = takeCallNumber()
    guard send(number, job, name, arguments, blobs, isAsync: false) else {
      return .error(Self.error("RangeError", "\(name): too many bytes"))
    }
    let answer = channel.next { message in
      job.isCancelled(by: message) || message.kind == "answer" && message.int("call") == number
    }
    guard let answer, answer.kind == "answer" else {
      terminate(.cancelled)
      return .error(Self.error("Error", "the script was cancelled"))
    }
    if let error = answer.tree.root["error"] { return .error(Array(error.source)) }
    return .value(
      answer.tree.root["value"].map { Array($0.source) } ?? Array("null".utf8), answer.blobs)
  }

  /// Asks the program, whose answer comes later; the number of the call.
  func post(_ name: String, _ arguments: [UInt8], _ blobs: [[UInt8]]) -> Int {
    guard let job = jobs.last else { return 0 }
    flushLines(job)
    let number = takeCallNumber()
    _ = send(number, job, name, arguments, blobs, isAsync: true)
    return number
  }

  private func send(
    _ number: Int, _ job: HostJob, _ name: String, _ arguments: [UInt8], _ blobs: [[UInt8]],
    isAsync: Bool
  ) -> Bool {
    guard Channel.length(arguments, blobs) < ScriptFrame.byteLimit else { return false }
    channel.send(
      [
        JSONMember("kind", "call"), JSONMember("call", .int(number)),
        JSONMember("id", .int(job.id)),
        JSONMember("name", .string(name)), JSONMember("isAsync", .bool(isAsync)),
      ], Array("\"args\":".utf8) + arguments + [UInt8(ascii: "}")], blobs: blobs)
    return true
  }

  private static func error(_ name: String, _ message: String) -> [UInt8] {
    JSONValue.object([JSONMember("name", .string(name)), JSONMember("message", .string(message))])
      .bytes
  }

  /// Bytes of one line of output.
  private static let lineBytes = 16 << 10

  /// Keeps a line until there are many, or some time is over, or the job waits or ends; whether
  /// there is room for more.
  func log(_ level: String, _ text: String, line: Int, file: String) -> Bool {
    guard let job = jobs.last, job.outputBytes < limits.outputBytes else { return false }
    let room = limits.outputBytes - job.outputBytes
    var text = text.utf8.count > Self.lineBytes ? Self.cut(text, Self.lineBytes) + "…" : text
    // A line that costs nothing could come without end.
    job.outputBytes += text.utf8.count + 16
    let isFull = job.outputBytes >= limits.outputBytes
    if isFull {
      let limit =
        limits.outputBytes % 1_024 == 0
        ? "\(limits.outputBytes >> 10) KiB" : "\(limits.outputBytes) bytes"
      text = Self.cut(text, room) + "\n… output cut at \(limit)"
    }
    lines.append([
      "level": .string(level), "text": .string(text), "line": .int(line), "file": .string(file),
    ])
    if lines.count >= 100 || isFull { flushLines(job) }
    return !isFull
  }

  /// The beginning of a text that ends with a whole character.
  private static func cut(_ text: String, _ bytes: Int) -> String {
    var end = text.utf8.index(text.startIndex, offsetBy: bytes, limitedBy: text.endIndex)
      ?? text.endIndex
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end])
  }

  /// Sends the lines that were kept.
  func flushLines(_ job: HostJob) {
    guard !lines.isEmpty else { return }
    channel.send(["kind": "log", "id": .int(job.id), "items": .array(lines)])
    lines = []
  }

  /// Sends the end of the job that runs.
  func finish(_ json: [UInt8], _ blobs: [[UInt8]]) {
    guard let job = jobs.last, !job.isFinished else { return }
    flushLines(job)
    job.isFinished = true
    let spent = Clock.monotonicMicroseconds - job.start
    var members = [
      JSONMember("kind", .string(job.answerKind)), JSONMember("id", .int(job.id)),
      JSONMember("ms", .number(String(Double(spent) / 1_000))),
    ]
    guard Channel.length(json, blobs) < ScriptFrame.byteLimit else {
      let message = "What the script sets has more than \(ScriptFrame.byteLimit >> 20) MB."
      members.append(JSONMember("error", ["name": "RangeError", "message": .string(message)]))
      members.append(JSONMember("effects", .object([])))
      return channel.send(.object(members))
    }
    channel.send(members, json, blobs: blobs)
  }

  /// Reads texts as scripts, and runs none.
  func check(_ message: Incoming) {
    let scratch = context(-1)
    let items = message.tree.root["items"]?.elements ?? []
    let found: [JSONValue] = items.map { item in
      var members = [JSONMember("key", item["key"]?.value ?? .null)]
      let text = item["text"]?.string ?? ""
      if let scratch, let error = SyntaxCheck.error(text, item["kind"]?.string, in: scratch) {
        members.append(
          JSONMember("error", ["message": .string(error.message), "line": .int(error.line)]))
      }
      return .object(members)
    }
    channel.send(["kind": "checked", "id": .int(message.int("id") ?? 0), "items": .array(found)])
  }
}
