// The script engine's process: takes messages, runs jobs and says what became of them.

import CJavaScriptCore
import CSystem
import Libc
import PostKitJSON
import PostKitScriptFrames
import PostKitSupport

/// The one host of this process; all of it happens on the first thread.
final class ScriptHostProcess {
  /// The host, for functions that C calls.
  // Only the first thread touches it: the engine calls back on the thread that called it.
  nonisolated(unsafe) static var current: ScriptHostProcess?

  let library: Library
  let group: postkit_js_group
  let channel = Channel()
  let watchDog: WatchDog
  /// How far the process is kept from the system: `full`, `partial` or `none`.
  var confined = "none"
  var contexts: [Int: EngineContext] = [:]
  /// What contexts that nobody used yet were opened with.
  var opened: [Int: [UInt8]] = [:]
  var jobs: [HostJob] = []
  var limits = HostLimits()
  /// What is added to the monotonic clock so that it tells the time since 1970.
  private(set) var clockOffset: Int64 = 0
  var stopReason: WatchDog.Reason?
  private var nextCall = 1
  var lines: [JSONValue] = []
  private let startTime = Clock.monotonicMicroseconds
  /// Answers messages that only tests send.
  let probe: (@Sendable (String) -> String)?

  /// Makes the host of a library.
  init(_ library: Library, _ group: postkit_js_group, probe: (@Sendable (String) -> String)?) {
    (self.library, self.group, self.probe) = (library, group, probe)
    watchDog = WatchDog(library.functions, group)
  }

  /// Milliseconds since 1970 as scripts see them.
  var now: Double { Double(Clock.monotonicMicroseconds + clockOffset) / 1_000 }

  /// Does what comes, until the pipe ends.
  func serve() -> Never {
    while true {
      if let message = channel.next() { handle(message) }
    }
  }

  /// Does what one message asks for.
  func handle(_ message: Incoming) {
    switch message.kind {
    case "hello": greet(message)
    case "open": if let number = message.int("ctx") { opened[number] = message.json }
    case "close":
      if let number = message.int("ctx") { close(number) }
      // Garbage of contexts that have ended is worth collecting once there is some.
      if watchDog.usedBytes > 40 << 20, let context = contexts.values.first {
        library.functions.pointee.JSGarbageCollect(context.realm.context)
      }
    case "scope":
      if let number = message.int("ctx"), let context = context(number) {
        context.call("scope", [context.realm.value(message.json)])
      }
    case "run", "evaluate", "deliver": run(message)
    case "check": check(message)
    case "stats":
      channel.send([
        "kind": "stats", "rss": .int(watchDog.usedBytes), "contexts": .int(contexts.count),
        "prelude": .int(contexts.values.map(\.preludeBytes).max() ?? 0),
        "uptime": .int((Clock.monotonicMicroseconds - startTime) / 1_000),
      ])
    case "probe":
      let result = probe?(message.tree.root["name"]?.string ?? "") ?? "unknown"
      channel.send(["kind": "probed", "result": .string(result)])
    // An answer or a cancellation that comes after the end of its job.
    case "answer", "cancel": break
    default: channel.send(["kind": "unknown"])
    }
  }

  /// Begins a session: nothing of the one before is left.
  private func greet(_ message: Incoming) {
    for number in contexts.keys { close(number) }
    opened = [:]
    limits = HostLimits(message.tree.root["limits"], seed: message.tree.root["seed"]?.numberText)
    let real = Clock.monotonicMicroseconds
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let actual = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    limits.now = message.int("now")
    let now = limits.now.map { Int64($0) * 1_000 }
    clockOffset = (now ?? actual) - real
    channel.send([
      "kind": "ready", "version": .string(Version.number),
      "engine": .string("JavaScriptCore \(library.version)"), "library": .string(library.name),
      "confined": .string(confined),
    ])
  }

  private func close(_ number: Int) {
    opened[number] = nil
    contexts.removeValue(forKey: number)?.close()
  }

  /// The context of that number, made at its first use; `nil` where that fails.
  func context(_ number: Int) -> EngineContext? {
    if let context = contexts[number] { return context }
    guard let hello = hello(opened[number]),
      let context = EngineContext(library.functions, group: group, hello: hello)
    else { return nil }
    contexts[number] = context
    if let reason = context.start() {
      StandardStream.writeAll("core.js: \(reason)\n", to: 2)
      contexts.removeValue(forKey: number)?.close()
      return nil
    }
    return context
  }

  /// What `core.js` reads at its start.
  private func hello(_ opened: [UInt8]?) -> [UInt8]? {
    var members = [
      JSONMember("seed", limits.seed.map(JSONValue.string) ?? .null),
      JSONMember("now", limits.now.map(JSONValue.int) ?? .null),
    ]
    if let opened {
      // What can't be read was refused when it came.
      guard let tree = try? JSONTree(parsing: opened) else { return nil }
      for name in ["file", "root", "dialect", "testsRun", "environment", "lost"] {
        if let value = tree.root[name] { members.append(JSONMember(name, value.value)) }
      }
    }
    return JSONValue.object(members).bytes
  }

  /// The context that a place in JavaScript belongs to.
  func context(of place: postkit_js_context) -> EngineContext? {
    let global = library.functions.pointee.JSContextGetGlobalContext(place)
    if let job = jobs.last, job.context.realm.context == global { return job.context }
    return contexts.values.first { $0.realm.context == global }
  }

  /// The number of a call that begins.
  func takeCallNumber() -> Int {
    defer { nextCall += 1 }
    return nextCall
  }
}

/// What one job may use up, as the program says it.
struct HostLimits {
  var milliseconds = 10_000
  var memoryBytes = 256 << 20
  var outputBytes = 256 << 10
  var seed: String?
  /// The time of scripts, which stands still, in milliseconds since 1970; `nil` for the real one.
  var now: Int?

  /// Makes the limits of a message; those that it lacks are the program's own.
  init(_ limits: JSONView? = nil, seed: String? = nil) {
    milliseconds = limits?["ms"]?.int ?? milliseconds
    memoryBytes = limits?["rss"]?.int ?? memoryBytes
    outputBytes = limits?["output"]?.int ?? outputBytes
    self.seed = seed
  }
}
