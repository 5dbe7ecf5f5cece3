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

  /// Prints what happened.
  func handle(_ event: RunEvent) {
    switch event {
    case .plan(let requests):
      console.note("Sending \(requests.count) requests, because some need others:")
      for (index, request) in requests.enumerated() {
        console.note("  \(index + 1). \(Display.safe(request.title)) (\(place(request)))")
      }
    case .skipped(let skipped):
      console.note(
        "\(place(skipped.request)): \(Display.safe(skipped.request.title)) is not sent: "
          + Display.safe(skipped.reason))
    case .warning(let problem):
      let message = Display.sentence(problem.message)
      console.note("\(place(problem)): warning: \(message) [\(problem.code)]")
    case .finished(let outcome):
      finished(outcome)
    case .sending, .transfer:
      break
    }
  }

  /// Says how a run of several requests went.
  func summarise(_ result: RunResult) {
    guard result.outcomes.count > 1 else { return }
    let failed = result.outcomes.filter { $0.failure != nil }.count
    let done = result.outcomes.count - failed
    var text = "\(result.outcomes.count) requests: \(done) done, \(failed) failed"
    let tests = result.outcomes.flatMap { $0.masked?.tests ?? [] }
    let failedTests = tests.filter { !$0.passed }.count
    if !tests.isEmpty {
      text +=
        "; \(tests.count) tests: \(tests.count - failedTests) passed, \(failedTests) failed"
    }
    console.note(console.styled(text, failed + failedTests == 0 ? "32" : "31"))
  }

  /// A failure of the run as a whole, with the file it concerns.
  func located(_ failure: Failure) -> String { "\(path): \(failure.message.excerpt)" }

  private func finished(_ outcome: RunOutcome) {
    let title = "\(outcome.method) \(Display.safe(outcome.url))"
    if let failure = outcome.failure {
      var said: Set<String> = []
      for problem in outcome.problems where problem.severity == .error {
        let message = Display.sentence(problem.message)
        let line = "\(place(problem)): error: \(message) [\(problem.code)]"
        if said.insert(line).inserted { console.note(line) }
      }
      if !outcome.problems.contains(where: { $0.severity == .error }) {
        let place = "\(outcome.path ?? path):\(outcome.line)"
        console.note("\(place): error: \(Display.sentence(failure.message)) [\(failure.code)]")
      }
    }
    if let exchange = outcome.masked, let response = exchange.response {
      let milliseconds = exchange.timings.totalMilliseconds
      var status = response.httpVersion.isEmpty ? "" : response.httpVersion + " "
      status += String(response.status)
      if !response.reason.isEmpty { status += " " + Display.safe(response.reason) }
      let colour = response.status < 400 ? "32" : "33"
      console.note(
        "\(title)\n\(console.styled(status, colour))  \(milliseconds) ms  "
          + Display.size(response.decodedSize)
          + (exchange.isUnverified ? "  certificate not verified" : ""))
    }
    if let response = outcome.exchange?.response {
      let command = "postkit run \(outcome.path ?? path) --line \(outcome.line)"
      BodyPrinter(console: console, command: command)
        .show(response.body, contentType: response.headers.first("Content-Type"))
    }
    for path in outcome.masked?.savedTo ?? [] { console.note("saved to \(Display.safe(path))") }
    for test in outcome.masked?.tests ?? [] { show(test) }
  }

  private func show(_ test: TestResult) {
    guard !test.passed else {
      return console.note(console.styled("✓ \(Display.safe(test.name))", "32"))
    }
    console.note(console.styled("✗ \(Display.safe(test.name))", "31"))
    if !test.message.isEmpty { console.note("  \(Display.safe(test.message))") }
  }

  private func place(_ request: PlannedRequest) -> String {
    request.path.map { "\($0):\(request.line)" } ?? "line \(request.line)"
  }

  private func place(_ problem: EvaluationProblem) -> String {
    if let path = problem.path {
      return problem.position.map { "\(path):\($0.line):\($0.column)" } ?? path
    }
    let line = document.line(at: problem.range.lowerBound)
    let start = document.offset(ofLine: line) ?? 0
    return "\(path):\(line + 1):\(problem.range.lowerBound - start + 1)"
  }
}
