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

/// Tells what happens in a run: as progress messages and as partial results.
struct RunTeller: Sendable {
  let snapshot: Snapshot
  /// The token of partial results; `nil` where nobody asked for them.
  let partial: LSP.ProgressToken?
  /// Where what is sent stands for the client.
  let place: SendPlace
  /// How far each request is, where several are sent, and the texts of bodies.
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
    case .output(let place, let lines):
      let path = queue.path(of: place)
      output.log(lines, path: path)
      // Before a request is sent, it has no id: they are told with it, in a moment.
      if let id = queue.hold(lines, of: place) { output.tell(lines, of: id, path: path) }
    case .sending(let id, let place, let method, let url):
      note(id)
      output.tell(queue.take(of: place, id: id), of: id, path: queue.path(of: place))
      let turn = queue.begin(place)
      report(turn.map { "\($0.number) of \($0.total): \($0.request.title)" } ?? "\(method) \(url)")
      // Clients take a text for one of the request that started last.
      queue.beginText()
      tell(
        LSP.PostkitSendStarted(
          id: id, method: method, url: url,
          request: turn.map { LSP.PostkitPlannedRequest($0.request) }, number: turn?.number,
          total: turn?.total))
      if showsDocuments { snapshot.session.update({ $0.live.begin(id, method: method, url: url) }) }
    case .transfer(let id, let event): handle(event, of: id)
    case .signIn(_, let sentence): report(sentence)
    case .answered: break
    case .warnings(let problems): warn(problems)
    case .finished(let outcome):
      let held = queue.take(of: outcome.place, id: nil)
      output.tell(held, of: outcome.id, path: outcome.path)
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

  private var output: ScriptOutput { ScriptOutput(snapshot: snapshot, place: place) }

  private func tellTests(of outcome: RunOutcome) {
    let tests = outcome.tests
    guard !tests.isEmpty else { return }
    tellStep(
      LSP.PostkitSendTests(
        id: outcome.id, passed: tests.count(where: \.passed),
        failed: tests.count { !$0.passed },
        checks: tests.map { LSP.PostkitCheck($0, place, path: outcome.path) }))
  }

  private func handle(_ event: TransferEvent, of id: String) {
    switch event {
    case .receivedHead(let status, let headers):
      // Of several the number and the title are told, which say more.
      if queue.count == 0 { report("\(status), receiving") }
      let fields = headers.fields.map { [$0.name, $0.value] }
      queue.beginText(status)
      tell(
        LSP.PostkitSendHead(
          status: status, headers: fields, summary: ResultText.receiving(status)))
      guard showsDocuments else { return }
      if snapshot.session.update({ $0.live.receive(id, status: status, headers) }) { open(id) }
    case .progress(let received, let total):
      if queue.count == 0 {
        report(total.map { "\(received) of \($0) bytes" } ?? "\(received) bytes")
      }
      let summary = queue.note(received: received)
      tell(
        LSP.PostkitSendData(received: Double(received), summary: summary), isReplaceable: true)
    case .body(let bytes):
      queue.addText(bytes)
      guard showsDocuments else { return }
      let text = String(decoding: bytes, as: UTF8.self)
      if snapshot.session.update({ $0.live.add(id, text) }) {
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

extension LSP.PostkitPlannedRequest {
  /// The protocol's form of a request of a plan.
  init(_ request: PlannedRequest) {
    self.init(title: request.title, file: request.path, line: request.line - 1)
  }
}
