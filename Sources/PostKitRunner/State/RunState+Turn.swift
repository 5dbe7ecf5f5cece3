// The scripts of a turn: what they have come to so far, and what becomes of it.

import PostKitEvaluate
import PostKitHTTP
import PostKitScripting
import PostKitSyntax

extension RunState {
  /// Begins the scripts of a request: its variables are its own.
  mutating func beginScripts(_ place: RequestPlace) {
    scripts.requestVariables[place] = nil
    scope.scripted.request = [:]
    scope.scripted.change = nil
    scripts.turn = ScriptTurn()
    scripts.output = []
  }

  /// Ends a turn: what it changed of the template is gone.
  mutating func endTurn() {
    scripts.turn = ScriptTurn()
    scope.scripted.change = nil
    scripts.output = []
  }

  /// What was printed since it was asked for last.
  mutating func takeOutput() -> [OutputLine] {
    defer { scripts.output = [] }
    return scripts.output.map(ExchangeMask(mask: mask).output)
  }

  /// The outcome of a request that a script keeps from being sent.
  mutating func notSent(
    _ place: RequestPlace, _ problem: EvaluationProblem, _ turn: inout ScriptTurn
  ) -> RunOutcome {
    let failure = turn.refusal ?? Failure(.scriptFailed, problem.message)
    let isOfScript = turn.refusal == nil
    var outcome = notSent(place, failure: failure, problems: isOfScript ? [problem] : [])
    outcome.output = takeOutput()
    outcome.testsBeforeSending = turn.tests
    return outcome
  }

  /// An outcome with what scripts printed and tested before.
  mutating func withScripts(_ outcome: RunOutcome) -> RunOutcome {
    var outcome = outcome
    outcome.output = takeOutput()
    outcome.testsBeforeSending = scripts.turn.tests
    return outcome
  }

  /// Request and response as scripts see them after the exchange.
  func moment(
    after exchange: Exchange, _ referenced: ReferencedExchange, _ place: RequestPlace
  ) -> ScriptMoment {
    // What was sent first, before redirects.
    let sent = exchange.hops.first?.request ?? exchange.request
    let body = referenced.requestBody
    return ScriptMoment(
      request: scriptRequest(
        place, method: sent.method, url: sent.url, headers: sent.headers,
        body: body.isEmpty ? nil : body, isWritable: false),
      response: ScriptResponse(
        referenced, name: exchange.requestName, timings: exchange.timings,
        ip: exchange.remoteAddress))
  }
}

extension RequestSpec {
  /// Takes over what a script has made of the request; gives what is wrong with it.
  mutating func apply(_ mutation: ScriptEffects.Mutation) -> String? {
    if let method = mutation.method {
      guard HeaderName.isToken(method) else { return "`\(method)` is not a method." }
      self.method = method
    }
    if let url = mutation.url {
      guard setURL(url) else { return "`\(url)` is not a URL that can be sent to." }
    }
    if let headers = mutation.headers {
      for field in headers {
        guard HeaderName.isToken(field.name) else {
          return "`\(field.name)` is not the name of a header."
        }
        if field.value.breaksLine { return "The value of `\(field.name)` has a line break." }
      }
      self.headers = HeaderFields(
        headers.filter { !$0.name.equalsIgnoringASCIICase("Content-Length") })
    }
    if let body = mutation.body { self.body = body.isEmpty ? [] : [.bytes(body)] }
    return nil
  }
}
