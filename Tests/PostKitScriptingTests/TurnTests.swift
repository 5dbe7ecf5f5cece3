// Runs that have scripts at the same moment: two run, the others wait for their turn (SC-52).

import PostKitJSON
import PostKitScripting
import PostKitSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TurnTests {
  private func session(_ host: ScriptHost) async throws -> any ScriptSession {
    let session = try await host.session(
      ScriptLimits(milliseconds: 600_000), seed: nil, now: nil)
    await session.open(ScriptContext(number: 0, file: "/project/a.http", root: "/project"))
    return session
  }

  /// Waits until so many scripts run and wait; at most a minute.
  private func wait(_ host: ScriptHost, _ running: Int, _ waiting: Int) async throws {
    for _ in 0..<6_000 {
      if host.turns == (running, waiting) { return }
      try await Alarm.sleep(milliseconds: 10)
    }
    Issue.record("\(host.turns)")
  }

  @Test func `a third script waits until one of two is done`() async throws {
    let host = ScriptHost(program: ScriptBench.program("postkit"), startSeconds: 600)
    var sessions: [any ScriptSession] = []
    for _ in 0..<3 { sessions.append(try await session(host)) }
    let (first, second, third) = (sessions[0], sessions[1], sessions[2])
    await first.begin(ScriptBench.job("for (;;) {}"))
    await second.begin(ScriptBench.job("for (;;) {}"))
    async let last: ScriptEvent = {
      await third.begin(ScriptBench.job("client.test('runs', () => {})"))
      return await third.next()
    }()
    try await wait(host, 2, 1)
    first.cancel()
    // On a busy machine it is killed, as it doesn't stop in time.
    switch await first.next() {
    case .done(let ended): #expect(ended.stopped == .cancelled)
    case .failed(let failure): #expect(failure == .cancelled)
    case let other: Issue.record("\(other)")
    }
    guard case .done(let outcome) = await last else {
      Issue.record("the third did not run")
      return
    }
    #expect(outcome.tests.map(\.isPassed) == [true])
    #expect(host.turns == (1, 0))
    second.cancel()
    _ = await second.next()
    for session in sessions { await session.close() }
    #expect(host.turns == (0, 0))
  }

  @Test func `who waits for an answer lets others run`() async throws {
    let host = ScriptHost(program: ScriptBench.program("postkit"), startSeconds: 600)
    var sessions: [any ScriptSession] = []
    var calls: [ScriptCall] = []
    for _ in 0..<ScriptHost.runningLimit {
      let new = try await session(host)
      await new.begin(ScriptBench.job("await $httpyac.execute('b')"))
      guard case .call(let call) = await new.next() else {
        Issue.record("nothing was asked")
        return
      }
      sessions.append(new)
      calls.append(call)
    }
    #expect(host.turns == (0, 0))
    let other = try await session(host)
    await other.begin(ScriptBench.job("1"))
    guard case .done = await other.next() else {
      Issue.record("the other did not run")
      return
    }
    for (session, call) in zip(sessions, calls) {
      await session.answer(call, .error(name: "Error", message: "no"))
      guard case .done(let outcome) = await session.next() else {
        Issue.record("it did not end")
        return
      }
      #expect(outcome.error?.message == "no")
      await session.close()
    }
    await other.close()
  }

  @Test func `who is called off while waiting doesn't run`() async throws {
    let host = ScriptHost(program: ScriptBench.program("postkit"), startSeconds: 600)
    var busy: [any ScriptSession] = []
    for _ in 0..<ScriptHost.runningLimit {
      let new = try await session(host)
      await new.begin(ScriptBench.job("for (;;) {}"))
      busy.append(new)
    }
    let third = try await session(host)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await third.begin(ScriptBench.job("1"))
        guard case .failed(.cancelled) = await third.next() else {
          Issue.record("it was not called off")
          return
        }
      }
      group.cancelAll()
    }
    #expect(host.turns == (ScriptHost.runningLimit, 0))
    for session in busy {
      session.cancel()
      _ = await session.next()
      await session.close()
    }
    await third.close()
  }

  @Test func `what a loop prints is heard while it runs`() async throws {
    let bench = try await ScriptBench(ScriptLimits(milliseconds: 600_000))
    await bench.session.begin(ScriptBench.job("console.log('here'); for (;;) {}"))
    let event = await bench.session.next()
    guard case .log(_, let lines) = event else {
      Issue.record("\(event)")
      return
    }
    #expect(lines.map(\.text) == ["here"])
    bench.session.cancel()
    _ = await bench.session.next()
  }

  @Test func `lines and output have their limits, however much is printed`() async throws {
    let bench = try await ScriptBench(ScriptLimits(milliseconds: 60_000))
    let process = try #require(bench.host.processes.busy.first)
    _ = await bench.run("1")
    let before = try #require(Self.bytes(process))
    let ended = await bench.run(
      "console.log('ä'.repeat(20000)); const s = 'x'.repeat(1000);"
        + "for (let i = 0; i < 1e5; i++) console.log(s); client.test('end', () => {})")
    // 100 MB were printed, and the script came to its end.
    #expect(ended.outcome?.error == nil && ended.outcome?.tests.count == 1)
    let first = try #require(ended.lines.first)
    #expect(first.text == String(repeating: "ä", count: 8_192) + "…")
    let all = ended.lines.reduce(0) { $0 + $1.text.utf8.count }
    #expect(all > 200 << 10 && all <= (256 << 10) + 64)
    #expect(ended.lines.last?.text.hasSuffix("\n… output cut at 256 KiB") == true)
    let after = try #require(Self.bytes(process))
    #expect(after - before < 32 << 20, "\(after - before)")
  }

  /// Bytes of memory that a process uses.
  private static func bytes(_ process: Int32) -> Int? {
    guard let text = try? FileSystem.read(path: "/proc/\(process)/statm", limit: 4_096) else {
      return nil
    }
    let words = String(decoding: text, as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int(words[1]).map { $0 * 4_096 } : nil
  }
}
