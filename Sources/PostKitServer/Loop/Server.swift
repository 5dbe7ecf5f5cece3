// The main loop: it takes up one event after the other and is the only code that changes the state.

package import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitSession
import PostKitSupport

/// The language server.
package enum LanguageServer {
  /// Runs the server on standard input and output until the client ends it; the exit code.
  package static func run(options: ServerOptions) async -> Int32 {
    guard let transport = StdioTransport.claimingStandardStreams() else {
      Log.error("The language server needs standard input and output.")
      return 5
    }
    return await run(options: options, transport: transport, ownsProcess: true)
  }

  /// Runs the server on a transport; with `ownsProcess` it takes care of signals, of the client's
  /// death and of the log.
  package static func run(
    options: ServerOptions, transport: any MessageTransport, ownsProcess: Bool = false
  ) async -> Int32 {
    if ownsProcess { SystemThread.becomeUrgent() }
    let (stream, continuation) = AsyncStream<Event>.makeStream()
    let events = EventSink(continuation)
    let gate = Gate(countLimit: Limits.incomingMessages, byteLimit: Limits.messageBytes)
    var watch = ownsProcess ? ProcessWatch(events: events) : nil
    if let pid = options.clientProcessID { watch?.follow(pid) }
    var state = ServerState(options: options, transport: transport, events: events, watch: watch)
    transport.start { event in
      if case .message(_, let byteCount) = event {
        transport.admission.holdWhileFull()
        gate.enter(byteCount: byteCount)
      }
      events.post(.transport(event))
    }
    for await event in stream {
      state.handle(event)
      if case .transport(.message(_, let byteCount)) = event { gate.leave(byteCount: byteCount) }
      if state.exitCode != nil { break }
    }
    await state.snapshot.close()
    await transport.flush(withinMilliseconds: Limits.shutdownMilliseconds)
    return state.exitCode ?? 5
  }
}

extension ServerState {
  /// Takes up one event.
  mutating func handle(_ event: Event) {
    switch event {
    case .transport(let event): handle(event)
    case .finished(let task, let frame): finish(task, frame)
    case .notice(let notice): handle(notice)
    case .callTimedOut(let id):
      let error = RPCError(.internalError, "The client did not answer in time.")
      outgoing.finish(.int(id), .failure(error))
    case .answersDue: giveUpOverdue()
    case .diagnostics(let findings): publish(findings)
    case .refreshDue: refreshNow()
    case .resultsDue: resultsDue()
    case .scriptsDue: scriptsDue()
    case .responsesDue: responsesDue()
    case .status(let status): tell(status)
    case .storeChanged(let change, let isOwnRecording):
      storeChanged(change, isOwnRecording: isOwnRecording)
    case .storeWatched: storeWatched()
    case .storeWatchBegan: followEnvironments()
    case .storeWatchEnded:
      isWatchingStore = false
      hasMissedStore = true
    case .restDue: rest()
    case .traced(let record): tell(record)
    case .signal(let number): end(128 + number)
    case .clientDied: end(phase == .shutDown ? 0 : 1)
    case .deadline: exitCode = ending
    }
  }

  private mutating func handle(_ notice: Notice) {
    switch notice {
    case .call(let call): send(call)
    case .refresh(let change): refresh(change)
    case .resultsMoved: resultsMoved()
    case .scriptsChecked(let uri): scriptsChecked(uri)
    case .scriptFilesChanged(let paths): scriptFilesChanged(paths)
    case .streamBegan(let id): showStream(id)
    case .responseGrew(let id): responseGrew(id)
    case .statusChanged: tellStatus()
    }
  }

  private mutating func handle(_ event: TransportEvent) {
    switch event {
    case .message(.request(let id, let method, let params), _): request(id, method, params)
    case .message(.notification(let method, let params), _): notification(method, params)
    case .message(.response(let id, let result), _):
      noteInitialized()
      if let id, let request = settingsRequest, id == .int(request) { takeSettings(result) }
      if let id, outgoing.finish(id, result) { return }
      if case .failure(let error) = result { Log.warning("The client says: \(error.message)") }
    case .refused(let problem): refuse(problem.id, problem.error)
    case .skipped(let count): Log.warning("\(count) bytes of standard input were no message.")
    case .endOfInput, .outputFailed: end(phase == .shutDown ? 0 : 1)
    case .inputFailed(let reason):
      Log.error(reason)
      client.logMessage(.error, reason)
      end(1)
    }
  }

  private mutating func request(_ id: RequestID, _ method: String, _ params: JSONView?) {
    // Vim's documentation shows the cancelled id in the place of a request's own.
    if method == "$/cancelRequest" { return cancel(id) }
    if inFlight.contains(id) {
      return refuse(id, RPCError(.invalidRequest, "The id \(id) is in use by another request."))
    }
    switch phase {
    case .uninitialized where method != "initialize":
      return refuse(
        id, RPCError(.serverNotInitialized, "\(method) came before initialize was answered."))
    case .shutDown:
      return refuse(id, RPCError(.invalidRequest, "\(method) came after shutdown."))
    case .running where method == "initialize":
      return refuse(id, RPCError(.invalidRequest, "initialize may be sent only once."))
    case .running: noteInitialized()
    default: break
    }
    let tracing = Tracing(trace, method, id, params, events)
    guard let route = router[method], route.isRequest else {
      logOnce("There is no request \(method).")
      return refuse(id, RPCError(.methodNotFound, "There is no request \(method)."))
    }
    start(route, id, params, tracing)
  }

  private mutating func start(
    _ route: Route, _ id: RequestID, _ params: JSONView?, _ tracing: Tracing?
  ) {
    switch route.work {
    case .note: break
    case .mutate(let handler):
      do throws(RPCError) {
        if let frame = try handler(&self, id, params) { reply(frame) }
      } catch {
        refuse(id, error)
      }
      tracing?.finished()
    case .read(let schedule, let handler):
      noteCaret(params)
      let arrived = schedule.acts ? arrived(id, route.method, params) : nil
      let snapshot = snapshot
      let role = schedule.role(params, initialization)
      let turn = turns.enter(role, name(of: route, params))
      let work: @Sendable () async -> [UInt8]? = {
        defer { tracing?.finished() }
        do throws(RPCError) {
          let snapshot = try await snapshot.inTurn(role)
          return try await handler(snapshot, id, params)
        } catch {
          return OutgoingMessage.response(id: id, error: error)
        }
      }
      guard schedule.isAboutDocument, let uri = params?["textDocument"]?["uri"]?.string else {
        guard schedule.acts else { return inFlight.start(id, turn: turn, waitsForRoom: true, work) }
        let session = session
        return inFlight.start(id, on: WorkerPool.acting, turn: turn) {
          defer { if let arrived { session.update { $0.sends.giveUp(arrived) } } }
          return await ArrivedSend.$current.withValue(arrived, operation: work)
        }
      }
      let replaced = inFlight.start(
        id, on: lane(for: schedule, DocumentURI(uri)), turn: turn,
        replacing: schedule.isOfWhole ? "\(route.method) \(uri)" : nil
      ) { await StoreGlance.once(work) }
      if let replaced { refuse(replaced, .cancelled) }
    }
  }

  /// The name by which a user knows a message.
  private func name(of route: Route, _ params: JSONView?) -> String {
    params?["command"]?.string ?? route.method
  }

  /// Notes a request that sends, in its turn.
  private func arrived(
    _ id: RequestID, _ method: String, _ params: JSONView?
  ) -> ArrivedSend? {
    let arrived = ArrivedSend(
      id, method, params, initialization, caret: lastCaret, number: session.sends.arrivals + 1)
    if let arrived { session.update { $0.sends.arrive(arrived) } }
    return arrived
  }

  /// Answers the requests about documents that have taken too long (PROMISES.md R5).
  private mutating func giveUpOverdue() {
    for id in inFlight.takeOverdue() {
      refuse(
        id,
        RPCError(
          .requestFailed,
          "The answer took longer than \(Limits.answerMilliseconds / 1_000) seconds, so "
            + "the server gave up. Try again later, or split the document into smaller files."))
    }
  }

  private mutating func notification(_ method: String, _ params: JSONView?) {
    if method == "exit" { return end(phase == .shutDown ? 0 : 1) }
    guard phase == .running else { return }
    if method != "$/cancelRequest" { noteInitialized() }
    guard let route = router[method], case .note(let handler) = route.work else {
      // Those that begin so may be left unanswered (LSP 3.18, $ Notifications).
      let isKnown = method.hasPrefix("$/") || Routes.declined[method] != nil
      if !isKnown { logOnce("There is no notification \(method).") }
      return
    }
    let tracing = Tracing(trace, method, nil, params, events)
    do throws(RPCError) {
      try handler(&self, params)
    } catch {
      Log.warning("\(method): \(error.message)")
    }
    tracing?.finished()
  }

  private mutating func tell(_ record: Tracing) {
    guard phase == .running, ending == nil else { return }
    let snapshot = snapshot
    inFlight.start(nil) {
      await record.tell(snapshot)
      return nil
    }
  }

  private mutating func finish(_ task: Int, _ frame: [UInt8]?) {
    let transport = transport
    let released = inFlight.finish(task) {
      if let frame { transport.send(OutgoingFrame(frame)) }
    }
    noteWork()
    for id in released { reply(OutgoingMessage.response(id: id) { $0.null() }) }
    if ending != nil, inFlight.isEmpty { exitCode = ending }
  }

  private mutating func send(_ call: ClientCall) {
    guard phase == .running else { return call.completion(.failure(.cancelled)) }
    let id = outgoing.register(call.completion)
    reply(OutgoingMessage.request(id: id, method: call.method, params: call.params))
    if let time = call.timeoutMilliseconds {
      inFlight.schedule(.callTimedOut(id: id), afterMilliseconds: time)
    }
  }

  /// Cancels a request and answers it at once (PROMISES.md Q4).
  mutating func cancel(_ id: RequestID) {
    guard inFlight.cancel(id) else { return }
    session.update { $0.sends.giveUp(id) }
    refuse(id, .cancelled)
  }

  /// Begins the end: what runs is cancelled and has half a second to leave a record (L8).
  mutating func end(_ code: Int32) {
    guard ending == nil else { return }
    ending = code
    outgoing.failAll(.cancelled)
    inFlight.cancelAll()
    if inFlight.isEmpty {
      exitCode = code
    } else {
      inFlight.schedule(.deadline, afterMilliseconds: Limits.shutdownMilliseconds)
    }
  }
}
