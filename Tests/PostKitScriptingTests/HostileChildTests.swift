// A child that somebody has taken over says what it likes: the program stays whole.

import Libc
import PostKitJSON
import PostKitScriptFrames
import PostKitScripting
import PostKitSupport
import PostKitTestSupport
import Testing

/// A child of another program, which says bytes that were made beforehand once a job has begun.
private struct TakenOver {
  let folder: TemporaryDirectory
  let host: ScriptHost
  let session: any ScriptSession
  let process: Int32

  /// Starts a child that says one message, of JSON text that is no value.
  init(_ json: [UInt8]) async throws {
    try await self.init(ScriptFrame.encoded(json: json, blobs: []), times: 1)
  }

  /// Starts the child. It says its words so often, and reads nothing more then.
  init(
    _ says: [ScriptFrame], times: Int = 1, confined: JSONValue = "full",
    limits: ScriptLimits = ScriptLimits(milliseconds: 300_000)
  ) async throws {
    try await self.init(
      says.flatMap { $0.encoded() }, times: times, confined: confined, limits: limits)
  }

  private init(
    _ says: [UInt8], times: Int, confined: JSONValue = "full",
    limits: ScriptLimits = ScriptLimits(milliseconds: 300_000)
  ) async throws {
    // As in the program: what is written to a child that has ended is an error.
    signal(SIGPIPE, SIG_IGN)
    folder = try TemporaryDirectory()
    let ready: JSONValue = [
      "kind": "ready", "version": .string(Version.number), "engine": "other", "confined": confined,
    ]
    try folder.write("ready", bytes: ScriptFrame(ready).encoded())
    try folder.write("says", bytes: says)
    let path = folder.path
    let script = """
      #!/bin/sh
      cat \(path)/ready
      while ! [ -e \(path)/begun ]; do sleep 0.01; done
      i=0
      while [ $i -lt \(times) ]; do cat \(path)/says; i=$((i + 1)); done
      exec sleep 1000

      """
    chmod(try folder.write("child", script), 0o700)
    host = ScriptHost(program: folder.path("child"), startSeconds: 600)
    session = try await Self.session(of: host, limits)
    process = try #require(host.processes.busy.first)
  }

  /// A session with the child. A program that another test starts in the same moment has the file
  /// open for writing until it runs; it can't be executed before.
  private static func session(
    of host: ScriptHost, _ limits: ScriptLimits
  ) async throws(ScriptEngineFailure) -> any ScriptSession {
    while true {
      do throws(ScriptEngineFailure) {
        return try await host.session(limits, seed: nil, now: nil)
      } catch {
        guard error.message.hasSuffix("Text file busy.") else { throw error }
        await Task.yield()
      }
    }
  }

  /// Begins a job; what the child has to say comes then.
  func begin(_ job: ScriptJob) async throws {
    await session.begin(job)
    try folder.write("begun", "")
  }

  /// How the job ends; calls are answered with so many bytes.
  func end(answering count: Int = 0) async -> ScriptEvent {
    while true {
      let event = await session.next()
      switch event {
      case .log: continue
      case .call(let call):
        if count > 0 {
          await session.answer(call, .value(["$blob": 0], [[UInt8](repeating: 1, count: count)]))
        }
      default: return event
      }
    }
  }

  /// Waits until the child has ended, which must not take a minute.
  func expectEnd() async throws {
    for _ in 0..<6_000 {
      if kill(process, 0) != 0 { return }
      try await Alarm.sleep(milliseconds: 10)
    }
    Issue.record("the child goes on")
  }
}

@Suite(.timeLimit(.minutes(10))) struct HostileChildTests {
  private func expectBroken(_ event: ScriptEvent, _ sentence: String) {
    guard case .failed(.broken(let said)) = event else {
      Issue.record("the child went on: \(event)")
      return
    }
    #expect(said == sentence)
  }

  private func call(_ number: Int) -> ScriptFrame {
    ScriptFrame([
      "kind": "call", "call": .int(number), "id": 1, "name": "value", "args": ["x"],
    ])
  }

  @Test func `a flood while the program does what it was asked for ends the child`() async throws {
    let text = JSONValue.string(String(repeating: "x", count: 1 << 20))
    let line: JSONValue = ["level": "log", "text": text, "line": 1, "file": "a"]
    let call: JSONValue = [
      "kind": "call", "call": 1, "id": 1, "name": "execute", "args": ["x"], "isAsync": true,
    ]
    let log = ScriptFrame(["kind": "log", "id": 1, "items": [line]])
    let child = try await TakenOver([ScriptFrame(call), log], times: 100)
    try await child.begin(ScriptBench.job("1"))
    guard case .call = await child.session.next() else {
      Issue.record("nothing was asked for")
      return
    }
    // Nobody reads until the child is gone.
    try await child.expectEnd()
    expectBroken(await child.end(), "The script engine says more than can be taken in.")
  }

  @Test(arguments: ["1,", "{},", "\"\\\"\","])
  func `a message of too many values is not taken`(_ value: String) async throws {
    var json = Array("{\"kind\":\"done\",\"id\":1,\"effects\":{\"globals\":{\"set\":{\"a\":[".utf8)
    json += Array(repeatElement(value, count: ScriptFrame.valueLimit + 1).joined().utf8)
    json += Array("1]}}}}".utf8)
    let child = try await TakenOver(json)
    try await child.begin(ScriptBench.job("1"))
    expectBroken(
      await child.end(),
      "The script engine can't be understood: A message has more than 2097152 values.")
  }

  @Test func `a long text with the marks of many values is one value`() throws {
    let text = String(repeating: "[,{:\\\"", count: (ScriptFrame.valueLimit + 1) / 4)
    let message: JSONValue = ["kind": "log", "text": .string(text)]
    var reader = ScriptFrameReader()
    reader.add(ScriptFrame(message).encoded())
    #expect(try reader.next()?.message["text"]?.string == text)
    #expect(reader.latestSize < 16 << 20)
  }

  @Test func `an engine that can't be confined is refused where that is required`() async throws {
    var strict = ScriptLimits()
    strict.requiresConfinement = true
    let failure = await #expect(throws: ScriptEngineFailure.self) {
      _ = try await TakenOver([], confined: "none", limits: strict)
    }
    #expect(
      failure?.message == "Scripts don't run, as this system can't confine them and "
        + "scripts.requireConfinement is set.")
    for (confined, limits) in [("full", strict), ("partial", strict), ("none", ScriptLimits())] {
      let child = try await TakenOver([], confined: .string(confined), limits: limits)
      await child.session.close()
    }
  }

  @Test func `a job ends by its own message alone`() async throws {
    for kind in ["values", "checked"] {
      let child = try await TakenOver([ScriptFrame(["kind": .string(kind), "id": 1, "items": []])])
      try await child.begin(ScriptBench.job("1"))
      expectBroken(await child.end(), "The script engine can't be understood: a wrong job.")
    }
  }

  @Test func `calls that wait for answers are counted`() async throws {
    let child = try await TakenOver((1...1_100).map(call))
    try await child.begin(ScriptBench.job("1"))
    expectBroken(
      await child.end(),
      "The script waits for more than 1000 answers at a time. Await some.")
  }

  @Test func `answers that are not read don't pile up`() async throws {
    let child = try await TakenOver((1...300).map(call))
    try await child.begin(ScriptBench.job("1"))
    expectBroken(
      await child.end(answering: 1 << 20), "The script engine asks and does not read the answers.")
  }

  @Test func `a child that doesn't read ends with its engine all the same`() async throws {
    let child = try await TakenOver([ScriptFrame(["kind": "done", "id": 1])])
    // Longer than a pipe: a rest waits for the child to read it.
    let text = String(repeating: " ", count: 1 << 20)
    try await child.begin(ScriptBench.job(text))
    guard case .done = await child.end() else {
      Issue.record("the job did not end")
      return
    }
    await child.session.close()
    child.host.end()
    try await child.expectEnd()
  }
}
