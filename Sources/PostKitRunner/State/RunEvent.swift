// What a run tells while it goes on.

package import PostKitEvaluate
package import PostKitHTTP
package import PostKitTransport

/// Something that happened in a run.
package enum RunEvent: Sendable {
  /// All requests that will run, in order, where they are several and `RunInput.tellsQueue` asks.
  case queue([PlannedRequest])
  /// The requests that will run, in order, where they are more than were asked for.
  case plan([PlannedRequest])
  /// A request is about to be sent; secrets in the URL are masked.
  case sending(id: String, place: RequestPlace, method: String, url: String)
  /// Progress of a transfer; secrets in header fields are masked.
  case transfer(id: String, TransferEvent)
  /// Mistakes that do not keep a request from being sent: all that were found in it at once.
  case warnings([EvaluationProblem])
  /// A request is not sent on purpose: it is switched off, or has nothing to be sent for.
  case skipped(SkippedRequest)
  /// A response has come whose scripts run now.
  case answered(id: String, place: RequestPlace, AnswerHead)
  /// Somebody signs in for a request; secrets are masked in the sentence.
  case signIn(RequestPlace, String)
  /// Scripts of a request have printed something; secrets are masked.
  case output(RequestPlace, [OutputLine])
  /// A request is done with.
  case finished(RunOutcome)
}

/// How a request was answered; secrets are masked.
package struct AnswerHead: Sendable {
  /// Method and URL as they were sent last, after redirects.
  package var method: String
  package var url: String
  /// Such as `HTTP/1.1`.
  package var httpVersion: String
  package var status: Int
  package var reason: String
  /// Time of all hops, in milliseconds.
  package var milliseconds: Int
  /// Bytes of the body.
  package var decodedSize: Int
  /// Whether the certificate of the server was not looked at.
  package var isUnverified: Bool
  /// Headers that redirects were followed without.
  package var withheld: [WithheldHeaders]

  /// Takes the head of an exchange whose secrets are masked; `nil` where there is no response.
  package init?(_ exchange: Exchange) {
    guard let response = exchange.response else { return nil }
    (method, url) = (exchange.request.method, exchange.request.url)
    (httpVersion, status) = (response.httpVersion, response.status)
    reason = response.reason
    milliseconds = exchange.timings.totalMilliseconds
    decodedSize = response.decodedSize
    isUnverified = exchange.isUnverified
    withheld = exchange.withheldHeaders
  }

  /// Takes the head of an exchange, and masks its secrets.
  init?(_ exchange: Exchange, _ mask: SecretMask) {
    self.init(exchange)
    method = mask.mask(method).text
    url = mask.maskURL(url).text
    reason = mask.mask(reason).text
  }
}

/// A request in a plan.
package struct PlannedRequest: Sendable, Hashable {
  package var place: RequestPlace
  package var title: String
  /// The file, where it isn't the one that was asked for.
  package var path: String?
  /// The line of the request line, counted from 1.
  package var line: Int
}

/// A request that is not sent, which is no failure.
package struct SkippedRequest: Sendable, Hashable {
  package var request: PlannedRequest
  /// Why, as a sentence.
  package var reason: String
  /// Whether somebody was asked and said no.
  var wasDeclined = false
}

/// What became of one request of a run.
package struct RunOutcome: Sendable {
  /// The exchange's id.
  package var id: String
  package var place: RequestPlace
  /// The file, where it isn't the one that was asked for.
  package var path: String?
  /// How the request is called.
  package var title: String
  package var name: String?
  /// The line of the request line, counted from 1.
  package var line: Int
  package var method: String
  /// The URL with secrets masked; the target as written where no URL came about.
  package var url: String
  /// The exchange with true values; `nil` where nothing was sent.
  package var exchange: Exchange?
  /// The exchange with secrets masked, as the history has it.
  package var masked: Exchange?
  /// The secrets that the run knew when the exchange was masked.
  package var secrets: Set<String> = []
  package var failure: Failure?
  /// What the scripts of the request have printed; secrets are masked.
  package var output: [OutputLine] = []
  /// The results of tests of a request that was not sent; secrets are masked.
  package var testsBeforeSending: [TestResult] = []
  /// Errors and warnings of evaluation.
  package var problems: [EvaluationProblem] = []
  /// Whether the history has the exchange, or a file from which it gets it.
  package var isRecorded = false

  /// How it ended.
  package var state: ExchangeState {
    exchange?.state ?? (failure?.code == .cancelled ? .cancelled : .failed)
  }

  /// The results of its tests; secrets are masked.
  package var tests: [TestResult] { masked?.tests ?? testsBeforeSending }

  /// The exit code that it asks for (CONTRACTS.md, section 1).
  package var exitCode: Int32 {
    if let failure { return failure.code.exitCode }
    return exchange?.tests.contains { !$0.passed } == true ? 1 : 0
  }
}

/// What became of a run.
package struct RunResult: Sendable {
  package var outcomes: [RunOutcome]
  /// The requests that were not sent on purpose.
  package var skipped: [SkippedRequest] = []
  /// A failure of the run as a whole, such as an environment that does not exist.
  package var failure: Failure?

  /// Makes a result.
  package init(outcomes: [RunOutcome], skipped: [SkippedRequest] = [], failure: Failure? = nil) {
    self.outcomes = outcomes
    self.skipped = skipped
    self.failure = failure
  }

  /// Notes that some exchanges could not be kept after all, by their ids.
  package mutating func note(lost: Set<String>) {
    guard !lost.isEmpty else { return }
    for index in outcomes.indices where lost.contains(outcomes[index].id) {
      outcomes[index].isRecorded = false
    }
  }

  /// Whether something was not sent because somebody was asked and said no.
  package var wasDeclined: Bool {
    failure?.wasDeclined == true || skipped.contains(where: \.wasDeclined)
      || outcomes.contains { $0.failure?.wasDeclined == true }
  }

  /// The first failure in run order.
  package var firstFailure: Failure? { failure ?? outcomes.lazy.compactMap(\.failure).first }

  /// The exit code of `postkit run` (CONTRACTS.md, section 1).
  package var exitCode: Int32 {
    let codes = Set(outcomes.map(\.exitCode) + [failure?.code.exitCode ?? 0])
    return FailureCode.exitCodePrecedence.first { codes.contains($0) } ?? 0
  }
}
