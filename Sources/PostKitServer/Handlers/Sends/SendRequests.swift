// Sending requests: one road for the command, for `postkit/send` and for "send all".

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitText
import PostKitTransport

/// What is to be sent, and how its progress is told.
struct SendOrder: Sendable {
  var uri: String
  var position: LSP.Position?
  var name: String?
  var environment: String?
  var variables: [String: String] = [:]
  /// Where the requests are that are meant of a document; `nil` for all of it.
  var range: LSP.Range?
  var stopsAtFirstFailure = false
  /// Whether nothing is to be sent.
  var isDryRun = false
  /// The deleted stored request that is sent anew.
  var deleted: StoredRequestFile?
  /// The path or the id of a collection or folder whose requests are meant.
  var collection: String?
  /// A text whose requests are meant instead of the document's own.
  var text: String?
  /// Where that text is told to stand.
  var movedLines: MovedLines?
  var workDoneToken: LSP.ProgressToken?
  var partialResultToken: LSP.ProgressToken?
}

/// The handlers that send.
enum SendRequests {
  /// `postkit/send`.
  static func send(
    _ snapshot: Snapshot, _ params: LSP.PostkitSendParams
  ) async throws(RPCError) -> LSP.PostkitSendResult {
    var order = SendOrder(
      uri: params.textDocument?.uri ?? "", position: params.position, name: params.name,
      environment: params.environment, variables: params.variables ?? [:],
      workDoneToken: params.workDoneToken, partialResultToken: params.partialResultToken)
    order.isDryRun = params.dryRun ?? false
    order.text = params.text
    if let id = params.historyId {
      guard params.textDocument == nil, params.position == nil, params.name == nil,
        params.text == nil
      else {
        throw RPCError(.invalidParams, "params: historyId names the request, nothing else may.")
      }
      return try await Resend.send(snapshot, id, order)
    }
    if params.text != nil {
      guard params.name == nil else {
        throw RPCError(.invalidParams, "params: text holds the requests, so that name may not be.")
      }
      return try await SendText.last(snapshot, order)
    }
    guard params.textDocument != nil else {
      throw RPCError(.invalidParams, "params: expected textDocument, text or historyId.")
    }
    return try await one(snapshot, order)
  }

  /// Sends the one request that is meant.
  static func one(
    _ snapshot: Snapshot, _ order: SendOrder
  ) async throws(RPCError) -> LSP.PostkitSendResult {
    let document = try await snapshot.sendable(order.uri)
    var (context, order) = (try await snapshot.sendingContext(of: document, order), order)
    let meant = try block(snapshot, context, order).index
    context = try await MissingEnvironment.chosen(snapshot, context, [meant], &order)
    return try await one(snapshot, context, try block(snapshot, context, order), order)
  }

  /// Sends one request of a document.
  static func one(
    _ snapshot: Snapshot, _ context: DocumentContext, _ block: ParsedBlock, _ order: SendOrder
  ) async throws(RPCError) -> LSP.PostkitSendResult {
    if order.isDryRun { return try await RequestPreview.preview(snapshot, context, block, order) }
    let result = await run(snapshot, context, [block.index], order)
    let failure = NotBuilt(
      context: context, snapshot: snapshot, block: block, movedLines: order.movedLines)
    if let runFailure = result.failure { throw failure.error(runFailure, []) }
    if result.outcomes.isEmpty, let skipped = result.skipped.last {
      let sentence = "`\(skipped.request.title)` is not sent: \(skipped.reason)."
      throw failure.error(Failure(.cancelled, sentence, wasDeclined: result.wasDeclined), [])
    }
    guard let outcome = result.outcomes.last else {
      throw failure.error(Failure(.internal, "The request ended without a result."), [])
    }
    guard outcome.exchange != nil || outcome.state == .cancelled else {
      var reason = outcome.failure ?? Failure(.internal, "The request ended without a result.")
      // What this one needs may be what was declined.
      reason.wasDeclined = result.wasDeclined
      throw failure.error(reason, outcome.problems)
    }
    return await SendResults.result(
      snapshot, outcome, SendPlace(context, snapshot, order.movedLines))
  }

  /// The request that is meant.
  static func block(
    _ snapshot: Snapshot, _ context: DocumentContext, _ order: SendOrder
  ) throws(RPCError) -> ParsedBlock {
    let document = context.document
    if let name = order.name {
      if let block = document.parsed.runnable(named: name) { return block }
      throw RPCError(
        .invalidParams, "Request `\(name)` not found in \(order.uri).",
        data: ["code": .string(FailureCode.requestNotFound.rawValue)])
    }
    guard let position = order.position else {
      // A stored request is one, wherever in its text.
      if snapshot.storedRequestID(of: document.uri) != nil,
        let block = document.parsed.mainRequest(sharesBlocks: context.dialect.sharesBlocks)
      {
        return block
      }
      throw RPCError(.invalidParams, "params: expected position or name.")
    }
    let converter = document.text.converter(snapshot.client.profile.encoding)
    guard let block = document.parsed.block(at: converter.offset(position)), block.isRunnable else {
      throw RPCError(
        .invalidParams,
        "Line \(position.line + 1) has no request. Place the cursor on a request.",
        data: ["code": .string(FailureCode.requestNotFound.rawValue)])
    }
    return block
  }

  /// What came of a run, with what the client was told already of its requests, by their ids.
  struct ToldRun: Sendable {
    var result: RunResult
    var told: [String: LSP.PostkitSendResult] = [:]
    var outcomes: [RunOutcome] { result.outcomes }
    var failure: Failure? { result.failure }
    var skipped: [SkippedRequest] { result.skipped }
    var wasDeclined: Bool { result.wasDeclined }
  }

  /// Runs blocks, records what happened and tells everyone; a cancelled task cancels the run.
  static func run(
    _ snapshot: Snapshot, _ shown: DocumentContext, _ blocks: [Int], _ order: SendOrder
  ) async -> ToldRun {
    let context: DocumentContext
    do throws(StoreFailure) { context = try await shown.withSecrets(snapshot) } catch {
      return ToldRun(result: RunResult(outcomes: [], failure: Failure(.store, error.message)))
    }
    let document = context.document
    let frozen = input(snapshot, context, blocks, order)
    Turn.current?.pass()
    let signIn = EditorSignIn(snapshot)
    let runner = runner(snapshot, context, signIn)
    let session = snapshot.session
    let stop = StopSignal()
    let number = session.beginSend(
      document.uri, shownRange(document, blocks, order),
      parts: shownParts(snapshot, document, blocks, order),
      progressToken: order.workDoneToken.map { "\($0)" }
    ) { stop.stop() }
    snapshot.events.post(.statusChanged)
    let title = blocks.count == 1
      ? RunPlan.title(document.parsed.blocks[blocks[0]]) : "\(blocks.count) requests"
    let place = SendPlace(context, snapshot, order.movedLines)
    let queue = RunQueue(snapshot, place, send: number, partial: order.partialResultToken) {
      $0.file == 0 ? shownParts(snapshot, document, [$0.block], order)[$0] : nil
    }
    let result = await withTaskCancellationHandler {
      await ProgressScope.around(
        snapshot.client, clientToken: order.workDoneToken, title: title,
        onShown: { token in
          session.update { $0.sends.note(progressToken: token, of: number) }
          // What takes its time says so at its line, too.
          snapshot.events.post(.refresh(.lines))
        }, onSecond: { snapshot.events.post(.resultsMoved) }
      ) { report in
        signIn.report(by: report)
        let teller = RunTeller(
          snapshot: snapshot, partial: order.partialResultToken, place: place, queue: queue,
          report: report,
          note: { id in session.update { $0.sends.note(id: id, of: number) } })
        // Where nobody asked, no thread is woken for it. Unstructured on purpose: once `finish` has
        // told the rest, it has nothing more to tell.
        let telling = order.partialResultToken.map { _ in
          Task(executorPreference: WorkerPool.acting) { await queue.tellText() }
        }
        let result = await stop.ending { await runner.run(frozen) { teller.handle($0) } }
        queue.finishText()
        telling?.cancel()
        return result
          ?? RunResult(outcomes: [], failure: Failure(.internal, "The run has no result."))
      }
    } onCancel: {
      queue.silence()
      let reason = blocks.count > 1 ? wasCancelled : nil
      session.update { $0.sends.end(number, leaving: reason) }
    }
    if order.movedLines == nil { noteScripts(result, context, session) }
    return await conclude(result, of: context.file, snapshot, number, queue)
  }

  /// Notes which scripts have failed, and which no longer do.
  private static func noteScripts(
    _ result: RunResult, _ context: DocumentContext, _ session: SessionState
  ) {
    let news = FailedScripts.News(result.outcomes, context.document.parsed)
    session.update { $0.failedScripts.note(news, of: context.file) }
  }

  /// Why requests are not sent whose run was cancelled.
  static let wasCancelled = "The run was cancelled before this request was sent."

  /// Where the blocks of a run are in the document as the client has it.
  static func shownParts(
    _ snapshot: Snapshot, _ document: OpenDocument, _ blocks: [Int], _ order: SendOrder
  ) -> [RequestPlace: Range<Int>] {
    let open = snapshot.documents[document.uri]?.parsed
    var parts: [RequestPlace: Range<Int>] = [:]
    for index in blocks {
      let block = document.parsed.blocks[index]
      var range = block.range
      if let lines = order.movedLines {
        // A text that was sent by itself was taken from the open document.
        let line = document.parsed.line(at: block.requestLine.lowerBound)
        guard let open, let offset = open.offset(ofLine: lines.shown(line)),
          let own = open.block(at: offset)
        else { continue }
        range = own.range
      }
      parts[RequestPlace(block: index)] = range
    }
    return parts
  }

  /// Where in the document as the client has it something is being sent.
  static func shownRange(
    _ document: OpenDocument, _ blocks: [Int], _ order: SendOrder
  ) -> Range<Int> {
    if let lines = order.movedLines {
      let start = document.parsed.offset(ofLine: min(lines.shown, lines.first)) ?? 0
      return start..<start
    }
    let ranges = blocks.map { document.parsed.blocks[$0].range }
    return (ranges.first?.lowerBound ?? 0)..<(ranges.last?.upperBound ?? 0)
  }

  /// What a run is to do.
  static func input(
    _ snapshot: Snapshot, _ context: DocumentContext, _ blocks: [Int], _ order: SendOrder
  ) -> RunInput {
    var input = RunInput(
      workspace: context.workspace, document: context.document.parsed, blocks: blocks,
      file: context.file, defaults: context.settings.requestDefaults)
    input.environment = context.environment
    input.storedRequestID = context.stored?.request.id
    input.projectChoices = context.settings.project
    input.autoRun = .ask
    input.surface = .editor
    input.scriptLimits = context.settings.scriptLimits
    input.contract = ContractPolicy(context.settings)
    input.signInSeconds = context.settings.signInSeconds
    input.allowsScriptRequests = context.settings[.scriptsAllowRequests] == true
    input.overrides = order.variables
    input.dialect = context.dialect
    input.stopsAtFirstFailure = order.stopsAtFirstFailure
    input.movedLines = order.movedLines
    input.tellsQueue = true
    if order.partialResultToken != nil {
      input.tellsBodies = .texts
    } else if snapshot.client.profile.readsContentDocuments {
      input.tellsBodies = .streams
    }
    return input
  }

  /// Keeps what came of a run, and tells everyone.
  static func conclude(
    _ result: RunResult, of file: String, _ snapshot: Snapshot, _ number: Int, _ queue: RunQueue
  ) async -> ToldRun {
    var told = ToldRun(result: result)
    if let remembered = await queue.end() {
      // The same outcomes, with their bodies where they are kept.
      told.result.outcomes = remembered
      for outcome in remembered { told.told[outcome.id] = queue.result(outcome.id) }
    } else {
      for index in told.result.outcomes.indices {
        await snapshot.remember(&told.result.outcomes[index])
      }
    }
    noteLibrary(result, snapshot)
    let isCancelled = result.outcomes.contains { $0.state == .cancelled }
    let failed = result.outcomes.last.map { "`\($0.title)` failed, which ended the run." }
    let reason = isCancelled ? wasCancelled : failed ?? "The run ended before its turn."
    let isOfSeveral = queue.count > 0 && result.failure == nil
    if isOfSeveral { queue.tellEnd(told.result, reason: reason) }
    snapshot.session.update { $0.sends.end(number, leaving: isOfSeveral ? reason : nil) }
    for outcome in result.outcomes where snapshot.session.update({ $0.live.end(outcome.id) }) {
      snapshot.events.post(.responseGrew(id: outcome.id))
    }
    snapshot.events.post(.statusChanged)
    snapshot.events.post(.refresh(Change(result, of: file)))
    return told
  }

  /// Notes whether libcurl is there; a failed send has tried to open it.
  static func noteLibrary(_ result: RunResult, _ snapshot: Snapshot) {
    if result.outcomes.contains(where: { $0.exchange?.response != nil }) {
      snapshot.store.note(.library, nil)
    }
    guard result.outcomes.contains(where: { $0.failure?.code == .internal }) else { return }
    if case .failure(let failure) = Transport.libraryVersion {
      snapshot.store.note(.library, failure.message)
      // Its thread has ended; the next send looks for the library again.
      snapshot.session.restartTransport()
      Transport.forgetMissingLibrary()
    }
  }

  /// What runs requests for a client, with its dialogs and its settings of the history.
  static func runner(
    _ snapshot: Snapshot, _ context: DocumentContext, _ signIn: EditorSignIn? = nil
  ) -> Runner {
    let keepsHistory = context.settings[.historyEnabled] != false
    let retention = context.settings.retention
    let keptBytes = context.settings[.historyMaxBodyBytes] ?? Limits.keptBodyBytes
    let client = snapshot.client
    var run = RunServices(
      record: { exchange in
        guard keepsHistory else { return false }
        return await snapshot.store.record(
          exchange, retaining: retention, bodyByteLimit: keptBytes
        ) { place in
          switch place {
          case .history: 
            snapshot.session.update { $0.memory.noteRecorded(exchange.id, of: exchange.file) }
          case .file(let path): 
            snapshot.session.update { $0.memory.noteWaiting(exchange.id, at: path) }
          }
        }
      },
      earlier: { file, name in
        let found = await snapshot.earlier(name, file: file, context)
        return found.map { EarlierExchange($0.exchange, secrets: $0.secrets) }
      },
      exampleServer: { snapshot.exampleServerURL },
      ask: { await PromptAnswers.value(snapshot, context.workspace.root, $0) },
      sendFirst: { await UserQuestions.sendFirst(client, $0, $1) },
      trust: { await WorkspaceTrust.trust(snapshot, context.workspace.root, $0) },
      confirm: { await UserQuestions.confirm(client, $0, $1) })
    run.tokens = snapshot.tokens(context.settings)
    run.trustSignIn = { await WorkspaceTrust.signIn(snapshot, context.workspace.root, $0) }
    run.signIn = signIn ?? EditorSignIn(snapshot)
    run.mock = { snapshot.session.mock.running?.url }
    run.confirmEnvironment = { await UserQuestions.confirm(client, environment: $0, $1) }
    run.scripts = snapshot.scripts.engine(of: context.workspace.root)
    run.description = { await snapshot.descriptions.reading(of: $0, in: $1, client) }
    run.wasSaved = { await snapshot.wasSaved($0) }
    run.cookies = { await snapshot.store.cookies(of: $0) }
    run.keepCookies = { await snapshot.store.change($0, of: $1) }
    let dialect = context.dialect
    run.globals = { await snapshot.globals(of: $0, dialect) }
    run.keepGlobals = {
      await snapshot.keep($0, of: $1, dialect)
      snapshot.events.post(.refresh(.everything))
    }
    return Runner(transport: snapshot.transport(keptBodyBytes: keptBytes), services: run)
  }
}
