// Problems as displays and logs may have them: what they quote may hold secrets.

package import PostKitHTTP

extension EvaluationProblem {
  /// The problem without secrets in any text that it carries.
  package func masked(by mask: SecretMask) -> EvaluationProblem {
    let hide = { (text: String) in mask.mask(text).text }
    return changing(written: hide, values: hide, url: { mask.maskURL($0).text })
  }

  /// The problem with other texts: those that are written so, in a file or by us, those that are
  /// made of values, and a URL that is made of them.
  package func changing(
    written: (String) -> String, values: (String) -> String, url: (String) -> String
  ) -> EvaluationProblem {
    var result = self
    result.kind = kind.changing(written, values, url)
    return result
  }
}

extension EvaluationProblem.Kind {
  fileprivate func changing(
    _ written: (String) -> String, _ value: (String) -> String, _ url: (String) -> String
  ) -> EvaluationProblem.Kind {
    switch self {
    case .unresolvedVariable(let name, let suggestion, let environments, let selected):
      .unresolvedVariable(
        name: written(name), suggestion: suggestion.map(written),
        environments: environments.map(written), selected: selected.map(written))
    case .setByScript(let name, let script, let isCertain):
      .setByScript(name: written(name), script: written(script), isCertain: isCertain)
    case .luaScript: .luaScript
    case .variableCycle(let names): .variableCycle(names.map(written))
    case .requestNotRun(let name): .requestNotRun(name: written(name))
    case .noMatch(let reference, let explanation):
      .noMatch(reference: written(reference), explanation: written(explanation))
    case .redactedResponse(let reference): .redactedResponse(reference: written(reference))
    case .selectorSyntax(let reference, let mistake):
      .selectorSyntax(reference: written(reference), mistake.changing(written))
    case .selectorUnavailable(let reference, let explanation):
      .selectorUnavailable(reference: written(reference), explanation: written(explanation))
    case .dynamicArguments(let name, let expected):
      .dynamicArguments(name: written(name), expected: written(expected))
    case .placeholder, .missingHost, .malformedHeader, .textAfterHandler, .assertionSyntax,
      .signatureService:
      self
    case .nothingReceived(let variable, let tag, let explanation):
      .nothingReceived(
        variable: written(variable), tag: written(tag), explanation: written(explanation))
    case .fileNotFound(let path): .fileNotFound(path: value(path))
    case .fileUnreadable(let path, let explanation):
      .fileUnreadable(path: value(path), explanation: value(explanation))
    case .fileOutside(let path, let explanation):
      .fileOutside(path: value(path), explanation: value(explanation))
    case .certificateNotFound(let path, let place):
      .certificateNotFound(path: value(path), place: written(place))
    case .importUnresolved(let path, let explanation):
      .importUnresolved(path: written(path), explanation: explanation.map(written))
    case .runFileUnresolved(let path, let explanation):
      .runFileUnresolved(path: written(path), explanation: explanation.map(written))
    case .importCycle(let files): .importCycle(files.map(written))
    case .runUnresolved(let name): .runUnresolved(name: written(name))
    case .runNotInFile(let name, let path):
      .runNotInFile(name: written(name), path: written(path))
    case .requestCycle(let titles): .requestCycle(titles.map(written))
    case .environmentFileBroken(let path, let line, let explanation):
      .environmentFileBroken(path: written(path), line: line, explanation: written(explanation))
    case .environmentNotFound(let name, let known):
      .environmentNotFound(name: written(name), known: known.map(written))
    case .environmentRemark(let path, let line, let sentence):
      .environmentRemark(path: written(path), line: line, sentence: written(sentence))
    case .providerValue(let name, let provider):
      .providerValue(name: written(name), provider: written(provider))
    case .badURL(let text, let explanation): .badURL(url(text), explanation: value(explanation))
    case .headerInjection(let name): .headerInjection(name: value(name))
    case .assertionSubject(let text, let suggestion):
      .assertionSubject(written: written(text), suggestion: written(suggestion))
    case .requestNotFound(let tag, let name):
      .requestNotFound(tag: written(tag), name: written(name))
    case .credentialShape(let scheme): .credentialShape(scheme: value(scheme))
    case .unknownSignIn(let id, let suggestion, let known, let environments, let selected):
      .unknownSignIn(
        id: written(id), suggestion: suggestion.map(written), known: known.map(written),
        environments: environments.map(written), selected: selected.map(written))
    case .signIn(let mistake, let sentence): .signIn(mistake, value(sentence))
    case .badDuration(let text): .badDuration(value(text))
    case .inputMissing(let names, let wasDeclined):
      .inputMissing(names.map(written), wasDeclined: wasDeclined)
    case .notAChoice(let name, let answer, let options):
      .notAChoice(name: written(name), answer: value(answer), options: options.map(written))
    case .processVariableMissing(let name): .processVariableMissing(written(name))
    case .processVariableWithheld(let name, let path, let explanation):
      .processVariableWithheld(
        name: written(name), path: written(path), explanation: written(explanation))
    case .assertionSpelling(let text, let read):
      .assertionSpelling(written: written(text), read: written(read))
    case .scriptFailed(let sentence): .scriptFailed(value(sentence))
    case .expressionPending(let text): .expressionPending(written(text))
    case .unsupported(let sentence): .unsupported(value(sentence))
    case .syntax(let sentence): .syntax(value(sentence))
    case .graphQLVariables(let explanation): .graphQLVariables(written(explanation))
    case .multipartBoundary(let sentence): .multipartBoundary(value(sentence))
    case .unknownEncoding(let name): .unknownEncoding(written(name))
    case .curlOption(let text, let problem): .curlOption(value(text), problem)
    }
  }
}

extension SelectorMistake {
  fileprivate func changing(_ change: (String) -> String) -> SelectorMistake {
    var result = self
    result.selector = change(selector)
    result.explanation = change(explanation)
    return result
  }
}
