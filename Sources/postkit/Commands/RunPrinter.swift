// What a person sees of a run: bodies on standard output, everything else on standard error.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitSupport
import PostKitSyntax
import PostKitText

/// Prints the events of a run.
struct RunPrinter: Sendable {
  let console: Console
  let document: ParsedDocument
  /// The request file as the user named it.
  let path: String
  private let paths: ShownPaths
  private let heads = RunHeads()

  /// Makes a printer; `path` is the request file as the user named it.
  init(console: Console, document: ParsedDocument, path: String) {
    (self.console, self.document, self.path) = (console, document, path)
    paths = ShownPaths(besides: path)
  }

  /// Prints what happened.
  func handle(_ event: RunEvent) {
    switch event {
    case .plan(let requests):
      console.note("Sending \(requests.count) requests, because some need others:")
      for (index, request) in requests.enumerated() {
        console.note("  \(index + 1). \(Display.line(request.title)) (\(place(request)))")
      }
    case .skipped(let skipped):
      console.note(
        "\(place(skipped.request)): \(Display.line(skipped.request.title)) is not sent: "
          + Display.line(skipped.reason))
    case .warnings(let problems):
      show(problems, "warning")
    case .output(let place, let lines):
      if let title = heads.title(over: place) { console.note(title) }
      lines.forEach(show)
    case .sending(let id, let place, let method, let url):
      heads.begin(place, id, title: RunHeads.title(method, url))
    case .answered(let id, let place, let head):
      show(head, below: heads.answer(place, id, title: RunHeads.title(head.method, head.url)))
    case .finished(let outcome):
      finished(outcome)
    case .signIn(_, let sentence): console.note(Display.line(sentence))
    case .queue, .transfer:
      break
    }
  }

  /// Says how a run of several requests went.
  func summarise(_ result: RunResult) {
    guard result.outcomes.count > 1 else { return }
    let tally = RunTally(result.outcomes)
    var text = "\(result.outcomes.count) requests: \(tally.text)"
    let tests = result.outcomes.flatMap(\.tests)
    let failedTests = tests.filter { !$0.passed }.count
    if !tests.isEmpty {
      text += "; \(tests.count) tests: \(tests.count - failedTests) passed, \(failedTests) failed"
    }
    // What was answered with an error is no failure of the run, whose exit code is 0.
    let colour = result.exitCode != 0 ? "31" : tally.isWell ? "32" : "33"
    console.noteStyled(console.styled(Display.safe(text), colour))
  }

  /// A failure of the run as a whole, with the file it concerns.
  func located(_ failure: Failure) -> String { "\(path): \(failure.message.excerpt)" }

  /// Says how a request was answered.
  private func show(_ head: AnswerHead, below title: String?) {
    var status = head.httpVersion.isEmpty ? "" : head.httpVersion + " "
    status += String(head.status)
    if !head.reason.isEmpty { status += " " + Display.line(head.reason) }
    let colour = head.status < 400 ? "32" : "33"
    console.noteStyled(
      (title.map { $0 + "\n" } ?? "")
        + "\(console.styled(status, colour))  \(DurationText.text(head.milliseconds))  "
        + Display.size(head.decodedSize)
        + (head.isUnverified ? "  certificate not verified" : ""))
    for withheld in head.withheld { console.note(Display.line(withheld.sentence)) }
  }

  private func finished(_ outcome: RunOutcome) {
    let wasAnswered = heads.end(outcome.place, outcome.id)
    if let failure = outcome.failure {
      let errors = outcome.problems.filter { $0.severity == .error }
      show(errors, "error")
      if errors.isEmpty {
        let place = "\(shown(outcome.path)):\(outcome.line)"
        console.note("\(place): error: \(Display.sentence(failure.message)) [\(failure.code)]")
      }
    }
    if !wasAnswered, let head = outcome.masked.flatMap(AnswerHead.init) {
      let title = RunHeads.title(outcome.method, outcome.url)
      show(head, below: heads.title(title, of: outcome.id))
    }
    if let response = outcome.exchange?.displayedResponse {
      let command = "postkit run \(shown(outcome.path)) --line \(outcome.line)"
      BodyPrinter(console: console, command: command).show(response)
    }
    for path in outcome.masked?.savedTo ?? [] { console.note("saved to \(Display.line(path))") }
    let isTested = outcome.tests.contains { $0.name == "openapi" }
    if let contract = outcome.masked?.contract, !isTested,
      let line = contract.summary ?? contract.obstacle
    {
      console.noteStyled(console.styled(Display.safe(line), "33"))
    }
    for test in outcome.tests { show(test, in: shown(outcome.path)) }
  }

  /// How many problems of one code are said of one request: nobody reads thousands.
  private static let mostOfAKind = 50

  /// Says what is wrong with a request, nothing twice.
  private func show(_ problems: [EvaluationProblem], _ severity: String) {
    var said: Set<String> = []
    var counts: [(code: String, count: Int)] = []
    for problem in problems {
      let code = problem.code.rawValue
      let kind = counts.firstIndex { $0.code == code } ?? counts.count
      if kind == counts.count { counts.append((code, 0)) }
      let sentence = problem.remark?.sentence ?? problem.message(on: .commandLine)
      let message = Display.sentence(sentence)
      let line = "\(place(problem)): \(severity): \(message) [\(code)]"
      guard said.insert(line).inserted else { continue }
      counts[kind].count += 1
      if counts[kind].count <= RunPrinter.mostOfAKind { console.note(line) }
    }
    for (code, count) in counts where count > RunPrinter.mostOfAKind {
      let more = "\(count - RunPrinter.mostOfAKind) more like these are not listed"
      let command = "`postkit check \(path)` lists the first \(Limits.diagnosticsPerFile)"
      console.note("\(path): \(severity): \(more); \(command) [\(code)]")
    }
  }

  /// Says what a script prints, as it is (PK-111).
  private func show(_ line: OutputLine) {
    let prefix = ["warn": "warning: ", "error": "error: "][line.level] ?? ""
    console.note(prefix + Display.safe(line.text))
  }

  private func show(_ test: TestResult, in file: String) {
    guard !test.passed else {
      return console.noteStyled(console.styled("✓ \(Display.line(test.name))", "32"))
    }
    console.noteStyled(console.styled("✗ \(Display.line(test.name))", "31"))
    if !test.message.isEmpty { console.note("  \(Display.safe(test.message))") }
    // Where a script's test has failed; the text of another check is its name.
    guard test.milliseconds != nil, test.line > 0 else { return }
    let column = test.column > 0 ? ":\(test.column)" : ""
    let place = test.path.isEmpty ? file : shown(test.path)
    console.note("  \(place):\(test.line)\(column)")
  }

  private func place(_ request: PlannedRequest) -> String {
    request.path.map { "\(shown($0)):\(request.line)" } ?? "line \(request.line)"
  }

  /// A file as the user reads it; the one that was named where there is no other.
  private func shown(_ other: String?) -> String { other.map(paths.shown) ?? path }

  private func place(_ problem: EvaluationProblem) -> String {
    if let remark = problem.remark { return "\(remark.path):\(remark.line)" }
    if let path = problem.path {
      let file = shown(path)
      return problem.position.map { "\(file):\($0.line):\($0.column)" } ?? file
    }
    let line = document.line(at: problem.range.lowerBound)
    let start = document.offset(ofLine: line) ?? 0
    return "\(path):\(line + 1):\(problem.range.lowerBound - start + 1)"
  }
}
