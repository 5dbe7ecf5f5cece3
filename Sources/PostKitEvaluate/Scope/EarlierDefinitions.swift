// What names that are defined after a response mean before their request is sent again: what the
// response that is remembered gives them.

import PostKitHTTP
package import PostKitJSON
package import PostKitSyntax

/// What a response gives the names that are defined after it.
package struct EarlierDefinitions: Sendable {
  /// The values by name.
  package var values: [String: JSONValue] = [:]
  /// Why names have none.
  package var lacking: [String: EvaluationProblem.Kind] = [:]
  /// The secrets that the values were made of.
  package var secrets: Set<String> = []
}

extension Evaluator {
  /// What an earlier response of a request gives the names that are defined after it. Globals are
  /// left out, which are kept themselves.
  package func definitions(
    after exchange: ReferencedExchange, of block: ParsedBlock
  ) -> EarlierDefinitions {
    var context = context
    let others = context.exchange
    // It was the latest one then.
    context.exchange = { $0.isEmpty ? exchange : others($0) }
    var result = EarlierDefinitions()
    for variable in block.variables where variable.isAfterResponse && !variable.isGlobal {
      var evaluator = Evaluator(context: context, scope: scope, isStrict: isStrict, stable: stable)
      let name = block.name(of: variable)
      switch evaluator.earlierValue(of: variable, in: block, from: exchange) {
      case .success(let value): result.values[name] = value
      case .failure(let problem): result.lacking[name] = problem.kind
      }
      result.secrets.formUnion(evaluator.secrets)
    }
    return result
  }

  private mutating func earlierValue(
    of variable: VariableSyntax, in block: ParsedBlock, from exchange: ReferencedExchange
  ) -> Result<JSONValue, EvaluationProblem> {
    if variable.form == .text {
      let value = value(of: variable, in: block)
      return problems.first.map { .failure($0) } ?? .success(value)
    }
    let outcome = value(of: variable, in: block, from: exchange)
    if case .success(let value) = outcome, exchange.isRedacted,
      value.substitutionText.contains(SecretMask.text)
    {
      // A mask is no value that can be sent.
      return .failure(
        EvaluationProblem(
          .redactedResponse(reference: block.name(of: variable)),
          range: block.absolute(variable.line)))
    }
    return outcome
  }
}

extension Scope {
  /// The requests whose answers give names their values, in the files that this one sees.
  package var definingPlaces: [RequestPlace] {
    ([file] + files.files[file].visible).flatMap { index in
      let content = files.files[index].content
      return Set(content.names.definedAfterResponse.values).sorted()
        .filter { content.blocks[$0].isRequest }
        .map { RequestPlace(file: index, block: $0) }
    }
  }

  /// Takes over what earlier responses give names. A value of the run itself counts more.
  package mutating func add(_ earlier: EarlierDefinitions) {
    afterResponse.merge(earlier.values) { own, _ in own }
    lacking.merge(earlier.lacking) { own, _ in own }
  }
}
