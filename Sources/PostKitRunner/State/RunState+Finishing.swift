// What is done with an exchange: remembered, read by definitions, checked, masked.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

extension RunState {
  /// Remembers an exchange for those that refer to it. What is returned is what checks and
  /// definitions read; `nil` where nothing reads it.
  mutating func remember(
    _ request: PreparedRequest, _ exchange: Exchange, _ services: RunServices
  ) -> ReferencedExchange? {
    let place = request.place
    let block = scope.files.block(place)
    let isReadHere = block.variables.contains(where: \.isAfterResponse) || !block.assertions.isEmpty
    let isRemembered = readPlaces.contains(place) || readsLatest || isReadHere
    let isChecked = !request.lowered.settings.expectedStatus.isEmpty
    // Reading it reads the body, which may be large.
    var referenced = isRemembered || isChecked ? ReferencedExchange(exchange) : nil
    referenced?.tokenNames = block.tokenNames
    if isRemembered, let referenced {
      keep(referenced, of: request, named: exchange.requestName, services)
      latest = referenced
    }
    setGlobals(before: place, services)
    noteSaved(exchange)
    for hop in exchange.hops { addSecrets(ExchangeMask.credentials(in: hop.request.headers)) }
    addSecrets(ExchangeMask.credentials(in: exchange.request.headers))
    let answers = exchange.hops.map(\.headers) + [exchange.response?.headers ?? []]
    for headers in answers { addSecrets(ExchangeMask.cookieSecrets(in: headers)) }
    return referenced
  }

  /// Gives the names that are defined after a response their values (PK-26); what is wrong with
  /// tags that do so is returned.
  mutating func define(
    after exchange: ReferencedExchange?, of place: RequestPlace, _ services: RunServices
  ) async -> [EvaluationProblem] {
    let block = scope.files.block(place)
    var problems: [EvaluationProblem] = []
    for definition in block.variables where definition.isAfterResponse {
      if mayNeedAnswers, definition.form == .text {
        await meetExpressions(of: place, services) { _ = $0.value(of: definition, in: block) }
      }
      problems += define(definition, in: block, of: place, exchange, services)
    }
    return problems
  }

  private mutating func define(
    _ definition: VariableSyntax, in block: ParsedBlock, of place: RequestPlace,
    _ exchange: ReferencedExchange?, _ services: RunServices
  ) -> [EvaluationProblem] {
    let name = block.name(of: definition)
    var problems: [EvaluationProblem] = []
    var evaluator = evaluator(place, services, "after")
    if definition.isGlobal {
      let value = evaluator.value(of: definition, in: block)
      if evaluator.problems.isEmpty { setGlobal(name, value, evaluator.secrets) }
      problems += evaluator.problems.map { located($0, place.file) }
    } else if definition.form == .text {
      scope.afterResponse[name] = evaluator.value(of: definition, in: block)
    } else {
      scope.afterResponse[name] = nil
      scope.lacking[name] = nil
      switch exchange.map({ evaluator.value(of: definition, in: block, from: $0) }) {
      case .success(let value)?: scope.afterResponse[name] = value
      case .failure(let problem)?:
        scope.lacking[name] = problem.kind
        problems.append(located(problem, place.file))
      case nil: break
      }
    }
    addSecrets(evaluator.secrets)
    return problems
  }

  /// Makes the checks of a request on its response, and holds it against its description.
  mutating func check(
    _ exchange: inout Exchange, _ referenced: ReferencedExchange?, _ request: PreparedRequest,
    _ services: RunServices
  ) async {
    let block = scope.files.block(request.place)
    let settings = request.lowered.settings
    guard exchange.state == .done else { return }
    let isAsked = block.assertions.contains { block.form(of: $0)?.isOfDescription == true }
    let contract = await contract(of: exchange, request, isAsked: isAsked, services)
    exchange.contract = contract
    if !block.assertions.isEmpty || !settings.expectedStatus.isEmpty, let referenced {
      let answered = AnsweredRequest(referenced, timings: exchange.timings, contract: contract)
      if mayNeedAnswers {
        await meetExpressions(of: request.place, services) {
          _ = $0.results(of: block, settings, answered)
        }
      }
      exchange.tests += tests(of: request.place, answered, request.lowered, services)
    }
    if let contract, input.contract.check == .test, !isAsked {
      exchange.tests.append(
        TestResult(name: "openapi", passed: contract.holds, message: contract.explanation))
    }
  }

  /// The outcome of a request that was sent.
  func outcome(
    _ request: PreparedRequest, _ exchange: Exchange, _ problems: [EvaluationProblem]
  ) -> RunOutcome {
    let place = request.place
    let block = scope.files.block(place)
    var exchange = exchange
    if input.purpose != .request, place.file == 0, input.blocks.contains(place.block) {
      exchange.purpose = input.purpose
      (exchange.requestName, exchange.storedRequestID) = (nil, nil)
    }
    let masked = ExchangeMask(mask: mask).masked(exchange, of: block)
    return RunOutcome(
      id: exchange.id, place: place, path: path(of: place),
      title: exchange.requestName ?? RunPlan.title(block), name: exchange.requestName,
      line: exchange.line, method: masked.request.method, url: masked.request.url,
      exchange: exchange, masked: masked, secrets: secrets, failure: masked.failure,
      output: masked.output,
      problems: request.lowered.problems + problems.map { $0.masked(by: mask) })
  }
}
