// Whose script engine is whose, and what happens when it is missing or keeps crashing.

import PostKitScripting
import Synchronization
import Testing

@testable import PostKitSession

/// What became of the engines that a test has started.
private final class EngineLog: Sendable {
  struct Entry {
    var started: [String] = []
    var ended: [String] = []
    var health: [String?] = []
    var failure: ScriptEngineFailure?
  }

  private let entry = Mutex(Entry())

  var all: Entry { entry.withLock { $0 } }
  func note(_ change: (inout Entry) -> Void) { entry.withLock { change(&$0) } }
}

/// An engine that fails as the log says: without a library at once, else in the session.
private struct StubEngine: ScriptEngine {
  let log: EngineLog

  func session(
    _ limits: ScriptLimits, seed: UInt64?, now: Int64?
  ) async throws(ScriptEngineFailure) -> any ScriptSession {
    if let failure = log.all.failure, case .missing = failure { throw failure }
    return StubSession(log: log)
  }

  func warm() {}
}

private struct StubSession: ScriptSession {
  let log: EngineLog

  func open(_ context: ScriptContext) async {}
  func define(_ scope: ScriptScope) async {}
  func begin(_ job: ScriptJob) async {}
  func next() async -> ScriptEvent { .failed(log.all.failure ?? .cancelled) }
  func answer(_ call: ScriptCall, _ answer: ScriptAnswer) async {}
  func cancel() {}
  func close() async {}
}

struct ScriptHostsTests {
  private let log = EngineLog()

  private var hosts: ScriptHosts {
    ScriptHosts { [log] root in
      log.note { $0.started.append(root) }
      return FolderEngine(StubEngine(log: log)) { log.note { $0.ended.append(root) } }
    } health: { [log] problem in
      log.note { $0.health.append(problem) }
    }
  }

  private func session(
    _ hosts: ScriptHosts, _ root: String = "/a"
  ) async throws -> any ScriptSession {
    try await hosts.engine(of: root).session(ScriptLimits(), seed: nil, now: nil)
  }

  @Test func eachFolderHasAnEngineThatEndsWithTheSession() async throws {
    let hosts = hosts
    for root in ["/a", "/b", "/a"] { await (try await session(hosts, root)).close() }
    #expect(log.all.started == ["/a", "/b"])
    await hosts.end()
    #expect(log.all.ended.sorted() == ["/a", "/b"])
    await #expect(throws: ScriptEngineFailure.cancelled) { _ = try await session(hosts) }
    #expect(log.all.started.count == 2)
  }

  @Test func anEngineThatKeepsCrashingIsLeftAlone() async throws {
    let hosts = hosts
    log.note { $0.failure = .killed(.time(milliseconds: 1)) }
    for _ in 0..<3 { _ = await (try await session(hosts)).next() }
    #expect(log.all.health.isEmpty)
    log.note { $0.failure = .crashed(how: "SIGSEGV") }
    for _ in 0..<3 { _ = await (try await session(hosts)).next() }
    let sentence = try #require(log.all.health.last ?? nil)
    #expect(sentence.hasPrefix("The script engine ended 3 times within a minute"))
    #expect(log.all.health.count == 1)
    await #expect(throws: ScriptEngineFailure.broken(sentence)) { _ = try await session(hosts) }
  }

  @Test func aMissingLibraryIsToldUntilItIsThere() async throws {
    let hosts = hosts
    let missing = ScriptEngineFailure.missing("Scripts need JavaScriptCore.")
    log.note { $0.failure = missing }
    await #expect(throws: missing) { _ = try await session(hosts) }
    #expect(log.all.health == ["Scripts need JavaScriptCore."])
    log.note { $0.failure = nil }
    await (try await session(hosts)).close()
    #expect(log.all.health == ["Scripts need JavaScriptCore.", nil])
  }
}
