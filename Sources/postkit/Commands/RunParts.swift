// How `postkit run` sends: the requests of one text, or of several, one text after the other.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitScripting
import PostKitStore
import PostKitSupport
import PostKitTransport

/// Requests of one text that are sent together.
struct RunPart: Sendable {
  var input: RunInput
  /// The file or stored request as the user named it.
  var path: String
  var settings: Settings
}

extension RunCommand {
  /// What blocks of a file are sent as, which the history knows by a name.
  func input(
    _ blocks: [Int], of file: RequestFile, as name: String, environment: String?,
    storedRequestID: String?
  ) -> RunInput {
    var input = RunInput(
      workspace: file.workspace, document: file.document, blocks: blocks, file: name,
      defaults: file.settings.requestDefaults)
    input.storedRequestID = storedRequestID
    input.environment = arguments.environment ?? environment
    input.overrides = overrides
    input.inputs = inputs
    input.dialect = file.dialect
    input.scriptLimits = file.settings.scriptLimits
    input.contract = ContractPolicy(file.settings)
    input.signInSeconds = file.settings.signInSeconds
    input.allowsScriptRequests = file.settings[.scriptsAllowRequests] == true
    input.isStrict = arguments.has("--strict")
    input.parallel = parallel
    input.repeats = repeats
    input.seed = seed.map { UInt64($0) }
    input.stopsAtFirstFailure = arguments.has("--fail-fast")
    input.watchesTransfers = false
    return input
  }

  /// Sends parts in their order, and writes the reports about all of them.
  func send(_ parts: [RunPart]) async -> Int32 {
    guard let first = parts.first else { return 0 }
    var parts = parts
    if let failure = await describe(&parts) { return fail(failure) }
    let result = await perform(parts) { $0.handle($1) }
    RunPrinter(console: console, document: first.input.document, path: path).summarise(result)
    return write(result)
  }

  /// Tells all parts which description their responses are tested against.
  private func describe(_ parts: inout [RunPart]) async -> Failure? {
    var given: LoadedDescription?
    if let path = arguments.value("--openapi") {
      let kept = await FetchedDescription.content(path, invocation.storeLocation)
      let place = path.contains("://") ? path : FileSystem.absolute(path)
      do throws(DescriptionFailure) {
        given = try LoadedDescription(place, in: parts[0].input.workspace) { _ in kept }
      } catch {
        return Failure(.usage, error.message)
      }
    }
    for index in parts.indices {
      parts[index].input.contract.isStrict = arguments.has("--openapi-strict")
      guard let given else { continue }
      parts[index].input.contract.given = given
      parts[index].input.contract.check = .test
    }
    return nil
  }

  /// Sends parts in their order, records what happened and shows its events. `reading` sees the
  /// result while the bodies of responses are there.
  func perform(
    _ parts: [RunPart], showing show: @escaping @Sendable (RunPrinter, RunEvent) -> Void,
    reading: (RunResult) -> Void = { _ in }
  ) async -> RunResult {
    guard let settings = parts.first?.settings else { return RunResult(outcomes: []) }
    let isBatch = parts.count > 1 || (parts[0].input.blocks.count * repeats > 1)
    let location = invocation.storeLocation
    let keeps = !arguments.has("--no-history") && settings[.historyEnabled] != false
    // A single request has nothing to do while its history is opened or written, and waking
    // another thread takes longer than either: everything but the sending is done on this one.
    let storeExecutor = isBatch ? SerialQueueExecutor() : invocation.executor
    let keptBytes = settings[.historyMaxBodyBytes] ?? Limits.keptBodyBytes
    let history = keeps
      ? HistoryWriter(
        location, executor: storeExecutor, isBatch: isBatch, retention: settings.retention,
        bodyByteLimit: keptBytes) : nil
    let transport = Transport(
      TransportConfiguration(
        spoolDirectory: location.spoolDirectory, keptBodyBytes: keptBytes))
    let example = LazyExampleServer()
    let scripts = ScriptHost()
    let tokens = RunCommand.tokens(history, location, settings)
    let executor: any TaskExecutor = isBatch ? transport.executor : invocation.executor
    let task = Task.detached(executorPreference: executor) {
      var result = RunResult(outcomes: [])
      for part in parts {
        let printer = RunPrinter(console: console, document: part.input.document, path: part.path)
        let runner = Runner(
          transport: transport,
          services: RunCommand.services(part, history, location, example, scripts, tokens, console))
        let made = await runner.run(part.input) { show(printer, $0) }
        if let failure = made.failure { console.complain(printer.located(failure)) }
        result.outcomes += made.outcomes
        result.skipped += made.skipped
        result.failure = result.failure ?? made.failure
        let hasFailed = made.failure != nil || made.exitCode != 0
        if Task.isCancelled || part.input.stopsAtFirstFailure && hasFailed { break }
      }
      return result
    }
    Interrupts.watch { task.cancel() }
    var result = await task.value
    if let end = await history?.finish() {
      if let remark = end.remark { console.complain(remark) }
      result.note(lost: end.lost)
    }
    reading(result)
    Runner(
      transport: transport,
      services: RunCommand.services(parts[0], history, location, example, scripts, tokens, console)
    ).discardBodies(of: result)
    // Connections and the example server end with the process, which ends soon.
    return result
  }

  /// Who has the tokens of the run: with the store, unless nothing is to be kept.
  private static func tokens(
    _ history: HistoryWriter?, _ location: StoreLocation, _ settings: Settings
  ) -> TokenBroker {
    guard let history, settings[.authStore] != .memory else { return TokenBroker() }
    return TokenBroker(StoreVault(location) { await history.store() })
  }

  /// What the requests of a part need from outside.
  static func services(
    _ part: RunPart, _ history: HistoryWriter?, _ location: StoreLocation,
    _ example: LazyExampleServer, _ scripts: ScriptHost, _ tokens: TokenBroker,
    _ console: Console
  ) -> RunServices {
    let folder = part.input.workspace.root
    var services = RunServices(
      record: { await history?.record($0) ?? false },
      earlier: { _, _ in nil },
      exampleServer: { example.url },
      ask: { await RunCommand.ask($0, history, folder: folder) },
      confirm: TerminalPrompt.confirm)
    services.scripts = scripts
    services.tokens = tokens
    services.signIn = TerminalSignIn.ofRun(console)
    services.description = { path, workspace in
      let stored =
        if let history { await history.fetched(path) } else {
          await FetchedDescription.content(path, location)
        }
      return Result { () throws(DescriptionFailure) in
        try LoadedDescription(path, in: workspace) { _ in stored }
      }
    }
    services.cookies = { await history?.cookies(of: $0) ?? [] }
    services.keepCookies = { await history?.change($0, of: $1) }
    if part.input.dialect.persistsGlobals == true {
      services.globals = { await history?.globals(of: $0) ?? [:] }
      services.keepGlobals = { await history?.keep(globals: $0, of: $1) }
    }
    return services
  }
}
