// What happens in a run, told to the client: as progress, as partial results, as documents.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitTransport
import Synchronization

/// Tells what happens in a run: as progress messages and as partial results.
struct RunTeller: Sendable {
  let snapshot: Snapshot
  /// The token of partial results; `nil` where nobody asked for them.
  let partial: LSP.ProgressToken?
  /// Where what is sent stands for the client.
  let place: SendPlace
  /// Tells of the bodies.
  let texts: TextTeller
  /// How far each request is, where several are sent.
  let queue: RunQueue
  let report: @Sendable (String) -> Void
  let note: @Sendable (String) -> Void

  /// Takes up one event of the run.
  func handle(_ event: RunEvent) {
    switch event {
    case .queue(let requests):
      queue.fill(requests)
      if tellsEach {
        tell(LSP.PostkitSendQueue(requests: requests.map(LSP.PostkitPlannedRequest.init)))
      }
    case .plan(let requests):
      if queue.count == 0 { report(requests.map(\.title).joined(separator: ", then ")) }
      tellStep(LSP.PostkitSendPlan(requests: requests.map(LSP.PostkitPlannedRequest.init)))
    case .skipped(let skipped):
      queue.skip(skipped.request.place)
      report("\(skipped.request.title) is not sent: \(skipped.reason)")
      tellStep(
        LSP.PostkitSendSkipped(
          title: skipped.request.title, reason: skipped.reason,
          summary: "skipped: \(ResultText.short(skipped.reason))",
          request: queue.count == 0 ? nil : LSP.PostkitPlannedRequest(skipped.request)))
    case .sending(let id, let place, let method, let url):
      note(id)
      let turn = queue.begin(place)
      report(turn.map { "\($0.number) of \($0.total): \($0.request.title)" } ?? "\(method) \(url)")
      // Clients take a text for one of the request that started last.
      texts.begin()
      tell(
        LSP.PostkitSendStarted(
          id: id, method: method, url: url,
          request: turn.map { LSP.PostkitPlannedRequest($0.request) }, number: turn?.number,
          total: turn?.total))
      if showsDocuments { snapshot.services.live.begin(id, method: method, url: url) }
    case .transfer(let id, let event): handle(event, of: id)
    case .warnings(let problems): warn(problems)
    case .finished(let outcome):
      tellTests(of: outcome)
      queue.finish(outcome)
    }
  }

  /// What does not keep a request from being sent is in the log of every client, as it is on the
  /// standard error of `postkit run`.
  private func warn(_ problems: [EvaluationProblem]) {
    tellStep(LSP.PostkitSendWarnings(warnings: problems.map(place.remark)))
    for problem in problems.prefix(Limits.warningsLogged) {
      snapshot.client.logMessage(.warning, place.line(problem))
    }
    if problems.count > Limits.warningsLogged {
      let more = problems.count - Limits.warningsLogged
      snapshot.client.logMessage(.warning, "\(place.context.file): \(more) more like these.")
    }
  }

  private func tellTests(of outcome: RunOutcome) {
    guard let tests = outcome.masked?.tests, !tests.isEmpty else { return }
    tellStep(
      LSP.PostkitSendTests(
        id: outcome.id, passed: tests.count(where: \.passed),
        failed: tests.count { !$0.passed }, checks: tests.map(LSP.PostkitCheck.init)))
  }

  private func handle(_ event: TransferEvent, of id: String) {
    switch event {
    case .receivedHead(let status, let headers):
      // Of several the number and the title are told, which say more.
      if queue.count == 0 { report("\(status), receiving") }
      let fields = headers.fields.map { [$0.name, $0.value] }
      texts.begin(status)
      tell(
        LSP.PostkitSendHead(
          status: status, headers: fields, summary: ResultText.receiving(status)))
      if showsDocuments, snapshot.services.live.receive(id, status: status, headers) { open(id) }
    case .progress(let received, let total):
      if queue.count == 0 {
        report(total.map { "\(received) of \($0) bytes" } ?? "\(received) bytes")
      }
      let summary = texts.note(received: received)
      tell(
        LSP.PostkitSendData(received: Double(received), summary: summary), isReplaceable: true)
    case .body(let bytes):
      texts.add(bytes)
      if showsDocuments, snapshot.services.live.add(id, String(decoding: bytes, as: UTF8.self)) {
        snapshot.events.post(.responseGrew(id: id))
      }
    case .started, .connected, .sentHead, .finished: break
    }
  }

  /// Whether the client wants to know of each request where several are sent.
  private var tellsEach: Bool {
    partial != nil && snapshot.client.profile.postkit?.each == true
  }

  private var showsDocuments: Bool { snapshot.client.profile.readsContentDocuments }

  /// Shows a stream as it comes, unless the client draws it itself.
  private func open(_ id: String) {
    guard snapshot.client.profile.postkit == nil else { return }
    snapshot.events.post(.streamBegan(id: id))
  }

  /// Tells of what only newer clients know.
  private func tellStep(_ value: some ProtocolValue) {
    if snapshot.client.profile.postkit?.steps == true { tell(value) }
  }

  private func tell(_ value: some ProtocolValue, isReplaceable: Bool = false) {
    guard let partial else { return }
    queue.report(
      partial, value,
      importance: isReplaceable ? .replaceable(key: "partial \(partial)") : .required)
  }
}

/// Tells the text of a body as partial results: in pieces that are not too long, and not too often.
final class TextTeller: Sendable {
  fileprivate struct State {
    var pending: [UInt8] = []
    /// The bytes of the body so far.
    var received = 0
    /// The status of the response; `nil` before its head.
    var status: Int?
    /// The number of the next piece.
    var sequence = 0
  }

  /// Sends a piece; `nil` where nobody wants them.
  private let report: (@Sendable (LSP.PostkitSendData) -> Void)?
  private let state = Mutex(State())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  /// Tells pieces as partial results of a run while it may; nothing where there is no token.
  init(_ queue: RunQueue, _ token: LSP.ProgressToken?) {
    if let token {
      report = { queue.report(token, $0) }
    } else {
      report = nil
    }
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// A response begins; what waits belongs to the one before.
  func begin(_ status: Int? = nil) {
    flush()
    state.withLock { $0 = State(status: status) }
  }

  /// Notes how much of the body has come, and says it in words.
  func note(received: Int) -> String? {
    state.withLock { state in
      state.received = received
      return state.summary
    }
  }

  /// Adds lines of the body.
  func add(_ bytes: [UInt8]) {
    guard report != nil else { return }
    state.withLock { state in
      state.pending += bytes
      state.received = max(state.received, state.pending.count)
    }
    signal.yield()
  }

  /// Tells what waits, as often as it may be told, until `finish`.
  func tell() async {
    for await _ in signals {
      flush()
      // Where all has been told, there is nothing to wait for.
      try? await Alarm.sleep(milliseconds: Limits.toldPieceMilliseconds)
    }
  }

  /// Tells what still waits; nothing more comes.
  func finish() {
    flush()
    signal.finish()
  }

  private func flush() {
    guard let report else { return }
    // Under the lock, so that the pieces keep their order.
    state.withLock { state in
      while let data = state.takePiece() { report(data) }
    }
  }
}

extension TextTeller.State {
  /// What of the response has come, in words.
  fileprivate var summary: String? {
    status.map { ResultText.receiving($0, bytes: received) }
  }

  /// A piece of what waits that ends with a line, or at least with a character.
  fileprivate mutating func takePiece() -> LSP.PostkitSendData? {
    guard !pending.isEmpty else { return nil }
    var piece = pending.prefix(Limits.toldPieceBytes)
    if piece.count < pending.count {
      let end = piece.lastIndex(of: 10).map { $0 + 1 }
        ?? piece.lastIndex { $0 & 0xC0 != 0x80 } ?? piece.endIndex
      piece = piece[..<max(end, 1)]
    }
    defer {
      pending.removeFirst(piece.count)
      sequence += 1
    }
    return LSP.PostkitSendData(
      received: Double(received), seq: sequence, text: String(decoding: piece, as: UTF8.self),
      summary: summary)
  }
}

extension LSP.PostkitPlannedRequest {
  /// The protocol's form of a request of a plan.
  init(_ request: PlannedRequest) {
    self.init(title: request.title, file: request.path, line: request.line - 1)
  }
}

extension LSP.PostkitCheck {
  /// The protocol's form of a check's result.
  init(_ result: TestResult) {
    self.init(
      name: result.name, passed: result.passed,
      message: result.message.isEmpty ? nil : result.message)
  }
}
