// The child dies, sleeps, is called off or is not there: the runs hear of it and go on.

import Libc
import PostKitJSON
import PostKitScripting
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ChildEndTests {
  private func process(_ bench: ScriptBench) throws -> Int32 {
    try #require(bench.host.processes.busy.first)
  }

  /// Whether a process is gone within a minute.
  private func isGone(_ process: Int32) async -> Bool {
    for _ in 0..<6_000 {
      if kill(process, 0) != 0 { return true }
      // An answer that is no interruption of the test is the only thing to wait for.
      do throws(CancellationError) { try await Alarm.sleep(milliseconds: 10) } catch { return false }
    }
    return false
  }

  private func expectAlive(_ bench: ScriptBench) async {
    let next = await bench.run("client.test('lives', () => {})")
    #expect(next.outcome?.tests.first?.isPassed == true, "\(next)")
  }

  @Test func `a child killed between two scripts is replaced`() async throws {
    let bench = try await ScriptBench()
    _ = await bench.run("exports.f = () => 1")
    let first = try process(bench)
    kill(first, SIGKILL)
    #expect(await isGone(first))
    await expectAlive(bench)
    let lost = await bench.run("f()")
    #expect(
      lost.outcome?.error?.message == "f is no longer there: the script engine was restarted",
      "\(lost)")
    #expect(try process(bench) != first)
  }

  @Test func `a child killed while a script runs fails that script alone`() async throws {
    let bench = try await ScriptBench()
    let process = try process(bench)
    await bench.session.begin(ScriptBench.job("console.log('a'); await 0; client.call; for(;;);"))
    kill(process, SIGKILL)
    guard case .failed(let failure) = await bench.session.next() else {
      Issue.record("the script did not fail")
      return
    }
    #expect(failure == .crashed(how: "SIGKILL"))
    #expect(failure.message.hasPrefix("The script engine ended (SIGKILL)."))
    await expectAlive(bench)
  }

  @Test func `a crash of the engine fails the script that it meets, and the next one runs`()
    async throws
  {
    let bench = try await ScriptBench()
    let process = try process(bench)
    await bench.session.begin(ScriptBench.job("for (;;);", milliseconds: 600_000))
    // The engine looks at the first one itself; a true fault comes back at once.
    let crash = Task {
      while !Task.isCancelled, kill(process, SIGSEGV) == 0 {
        try await Alarm.sleep(milliseconds: 5)
      }
    }
    let event = await bench.session.next()
    crash.cancel()
    guard case .failed(let failure) = event else {
      Issue.record("the script did not fail: \(event)")
      return
    }
    #expect(failure == .crashed(how: "SIGSEGV"))
    await expectAlive(bench)
  }

  @Test func `a child that sleeps is killed when its time is over`() async throws {
    let bench = try await ScriptBench()
    let process = try process(bench)
    kill(process, SIGSTOP)
    let ended = await bench.run("1", milliseconds: 200)
    #expect(ended.failure == .killed(.time(milliseconds: 200)))
    #expect(ended.failure?.message == "The script took longer than 200 ms.")
    await expectAlive(bench)
  }

  @Test func `a script that is called off ends, whatever it does`() async throws {
    let bench = try await ScriptBench()
    for script in ["for (;;) {}", "await (function f() { return Promise.resolve().then(f) })()",
      "await new Promise((done) => setTimeout(done, 1e6))"]
    {
      await bench.session.begin(ScriptBench.job(script))
      bench.session.cancel()
      switch await bench.session.next() {
      case .done(let outcome): #expect(outcome.stopped == .cancelled)
      case .failed(let failure): #expect(failure == .cancelled)
      default: Issue.record("\(script) did not end")
      }
      await expectAlive(bench)
    }
  }

  @Test func `a task that is cancelled calls its script off`() async throws {
    let bench = try await ScriptBench(ScriptLimits(milliseconds: 600_000))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        let ended = await bench.run("for (;;) {}")
        #expect(ended.outcome?.stopped == .cancelled || ended.failure == .cancelled)
      }
      group.cancelAll()
    }
    await expectAlive(bench)
  }

  @Test func `three crashes in a minute are enough`() async throws {
    let bench = try await ScriptBench()
    for _ in 0..<3 {
      let process = try process(bench)
      await bench.session.begin(ScriptBench.job("for (;;) {}"))
      kill(process, SIGKILL)
      guard case .failed(.crashed(let how)) = await bench.session.next() else {
        Issue.record("no crash was told")
        return
      }
      #expect(how == "SIGKILL")
      if bench.host.processes.busy.isEmpty { await bench.session.begin(ScriptBench.job("1")) }
      if case .failed(let failure) = await bench.session.next() {
        #expect(failure.message.contains("three times in a minute"))
        return
      }
    }
    Issue.record("the engine was started a fourth time")
  }

  @Test func `a child serves the next run, and ends when it idles`() async throws {
    let host = ScriptHost(program: ScriptBench.program("postkit"), idleMilliseconds: 1)
    let session = try await host.session(ScriptLimits(), seed: nil, now: nil)
    let process = try #require(host.processes.busy.first)
    await session.close()
    #expect(await isGone(process))
    let kept = ScriptHost(program: ScriptBench.program("postkit"))
    let first = try await kept.session(ScriptLimits(), seed: nil, now: nil)
    let child = try #require(kept.processes.busy.first)
    await first.close()
    #expect(kept.processes.idle == [child])
    let second = try await kept.session(ScriptLimits(), seed: nil, now: nil)
    #expect(kept.processes.busy == [child])
    await second.close()
    kept.end()
    #expect(await isGone(child))
  }

  @Test func `a child is replaced after 200 runs, which all have it until then`() async throws {
    let host = ScriptHost(program: ScriptBench.program("postkit"), startSeconds: 600)
    var children: [Int32] = []
    for _ in 0..<201 {
      let session = try await host.session(ScriptLimits(), seed: nil, now: nil)
      children.append(try #require(host.processes.busy.first))
      await session.close()
    }
    #expect(Set(children.prefix(200)).count == 1)
    #expect(children[200] != children[0])
    #expect(await isGone(children[0]))
    host.end()
  }

  @Test func `a child that has grown large serves no other run`() async throws {
    let bench = try await ScriptBench(ScriptLimits(memoryBytes: 2 << 30))
    let child = try process(bench)
    let ended = await bench.run(
      "const big = new Uint8Array(300 << 20).fill(1); exports.last = () => big[big.length - 1]")
    #expect(ended.outcome?.error == nil && ended.failure == nil, "\(ended)")
    #expect(await bench.evaluate(["last()"]) == [.value(1)])
    await bench.session.close()
    #expect(bench.host.processes.idle.isEmpty)
    #expect(await isGone(child))
    let next = try await bench.host.session(ScriptLimits(), seed: nil, now: nil)
    #expect(try process(bench) != child)
    await next.close()
    bench.host.end()
  }

  @Test func `a session that is forgotten leaves no child`() async throws {
    var bench: ScriptBench? = try await ScriptBench()
    let child = try #require(bench?.host.processes.busy.first)
    _ = await bench?.run("1")
    bench = nil
    #expect(await isGone(child))
  }

  @Test func `a library that is missing is said with how to install it`() async throws {
    let host = ScriptHost(
      program: ScriptBench.program("postkit"),
      variables: ["POSTKIT_JAVASCRIPT_LIBRARY": "libnothing.so.0"])
    // That is no crash, however often it is tried.
    for _ in 0..<4 {
      let failure = await #expect(throws: ScriptEngineFailure.self) {
        try await host.session(ScriptLimits(), seed: nil, now: nil)
      }
      #expect(failure == .missing(ScriptEngineFacts.missingSentence))
      #expect(failure?.message.contains("apt install libjavascriptcoregtk-4.1-0") == true)
    }
  }

  @Test func `a program that can't be started is told`() async throws {
    let host = ScriptHost(program: "/nowhere/postkit")
    await #expect(throws: ScriptEngineFailure.broken(
      "The script engine can't be started: No such file or directory.")
    ) { try await host.session(ScriptLimits(), seed: nil, now: nil) }
  }
}
