// Runs files against servers on loopback with the real transport, and keeps what was recorded.

import PostKitEvaluate
import PostKitHTTP
import PostKitScripting
import PostKitSupport
import PostKitSyntax
import PostKitTestSupport
import PostKitTransport

@testable import PostKitRunner

/// A file and the world around it.
struct Track {
  let directory: TemporaryDirectory
  /// The file; bytes that are no UTF-8 may be kept in it.
  let text: String

  /// Makes a file in a folder of its own, beside other files.
  init(_ text: String, _ files: [String: String] = [:]) throws {
    directory = try TemporaryDirectory()
    self.text = text
    try directory.write("postkit.json", "{}")
    for (name, content) in files { try directory.write(name, content) }
  }

  /// Makes another file in the folder of one.
  init(directory: TemporaryDirectory, text: String) {
    self.directory = directory
    self.text = text
  }

  /// What a run left behind.
  struct Result {
    var result: RunResult
    /// What the history was given.
    var recorded: [Exchange]
    var events: [RunEvent]
    /// The changes of cookies that were to be kept.
    var cookies: [(changes: CookieChanges, jar: WorkspaceEnvironment)]
    /// The globals that were to be kept.
    var globals: [String: GlobalValue]
    /// The names of globals that the run has removed.
    var removedGlobals: [String] = []
    /// The titles of the plan that was told, if one was.
    var plan: [String]? {
      events.lazy.compactMap { event -> [String]? in
        guard case .plan(let requests) = event else { return nil }
        return requests.map(\.title)
      }.first
    }
  }

  /// Sends the named requests, all where none is named.
  func run(
    _ names: String..., environment: String? = nil, cookies: [Cookie] = [],
    globals: [String: GlobalValue] = [:], confirms: Bool? = nil, wasSaved: [String] = [],
    engine: (any ScriptEngine)? = nil, tokens: TokenBroker? = nil,
    change: (inout RunInput) -> Void = { _ in },
    onRecord: @escaping @Sendable (Exchange) -> Void = { _ in },
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) async -> Result {
    let document = ParsedDocument(bytes: text.keptBytes)
    let blocks =
      names.isEmpty
      ? document.batch(sharesBlocks: true).map(\.index)
      : names.compactMap { document.runnable(named: $0)?.index }
    let path = directory.path("a.http")
    var input = RunInput(
      workspace: Workspace(file: path), document: document, blocks: blocks, file: path,
      defaults: Settings().requestDefaults)
    input.environment = environment
    change(&input)
    let transport = Transport(
      TransportConfiguration(
        spoolDirectory: directory.path("spool"), keptBodyBytes: Limits.keptBodyBytes))
    defer { transport.shutdown() }
    let recorded = Monitor<[Exchange]>([])
    let events = Monitor<[RunEvent]>([])
    let changes = Monitor<[(changes: CookieChanges, jar: WorkspaceEnvironment)]>([])
    var services = RunServices(
      record: { exchange in
        recorded.update { $0.append(exchange) }
        onRecord(exchange)
        return true
      },
      earlier: { _, _ in nil },
      exampleServer: { nil }, confirm: { _, _ in confirms })
    if let engine { services.scripts = engine }
    if let tokens { services.tokens = tokens }
    services.wasSaved = { !Set($0).isDisjoint(with: wasSaved) }
    services.cookies = { _ in cookies }
    services.keepCookies = { change, jar in changes.update { $0.append((change, jar)) } }
    let set = Monitor<[String: GlobalValue]>([:])
    services.globals = { _ in globals }
    let removed = Monitor<[String]>([])
    services.keepGlobals = { changes, _ in
      set.update { $0.merge(changes.set) { _, new in new } }
      removed.update { $0 += changes.removed }
    }
    let result = await Runner(transport: transport, services: services).run(input) { event in
      events.update { $0.append(event) }
      onEvent(event)
    }
    return Result(
      result: result, recorded: recorded.update { $0 }, events: events.update { $0 },
      cookies: changes.update { $0 }, globals: set.update { $0 },
      removedGlobals: removed.update { $0 })
  }
}
