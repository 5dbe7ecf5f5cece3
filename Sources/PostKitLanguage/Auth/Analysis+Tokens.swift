// Where tokens stand in a request file, and what can be said of them without getting one.

package import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// A place that stands for a token.
package struct TokenPlaceInFile: Sendable, Hashable {
  package var range: Range<Int>
  package var configuration: AuthConfiguration
}

extension Analysis {
  /// The token that a reference or a header at an offset stands for; `nil` for none, and for one
  /// whose configuration has a mistake.
  package func token(at position: Int) -> TokenPlaceInFile? {
    let offset = max(0, min(position, document.bytes.count))
    guard let block = document.block(at: offset) else { return nil }
    let place = offset - block.range.lowerBound
    if let reference = block.syntax.reference(at: place) {
      guard case .dynamic(let name, let arguments) = reference.expression,
        let token = TokenReference(name: name, arguments: arguments)
      else { return nil }
      let range = block.absolute(reference.range)
      var evaluator = Evaluator(context: context, scope: scope(of: block))
      guard case .need(let need) = evaluator.token(token, at: range, offset: range.lowerBound)
      else { return nil }
      return TokenPlaceInFile(range: range, configuration: need.configuration)
    }
    return headerToken(block, place)
  }

  /// The token that a header in httpYac's form stands for.
  private func headerToken(_ block: ParsedBlock, _ place: Int) -> TokenPlaceInFile? {
    guard let request = block.syntax.request,
      let header = request.headers.first(where: {
        $0.value.count == 1 && $0.value[0].touches(place)
      }), let value = header.value.first,
      block.text(header.name).equalsIgnoringASCIICase("authorization"),
      let word = block.text(value).split(separator: " ").first?.lowercased(),
      word == "oauth2" || word == "openid"
    else { return nil }
    let lowered = Lowering.lower(
      block, evaluator: Evaluator(context: context, scope: scope(of: block)), defaults: defaults)
    let need = lowered.needs.lazy.compactMap(\.token)
      .first { $0.configuration.dialect == .header }
    return need.map {
      TokenPlaceInFile(range: block.absolute(value), configuration: $0.configuration)
    }
  }
}

extension Analysis {
  /// What is said of the tokens that a request needs, at the places that name them (AU-54): that a
  /// secret crosses the network in the clear, and of what the request file itself configures also
  /// what an environment file is told at its keys.
  func tokenRemarks(
    _ block: ParsedBlock, _ needs: [Need], hiding secrets: Set<String>
  ) -> [Diagnostic] {
    var seen: Set<AuthConfiguration> = []
    return needs.compactMap { $0.token?.configuration }.flatMap { configuration -> [Diagnostic] in
      guard seen.insert(configuration).inserted, let range = range(of: configuration, block) else {
        return []
      }
      var found: [Diagnostic] = []
      let urls = [
        configuration.tokenURL, configuration.authorizationURL, configuration.deviceURL,
        configuration.revocationURL,
      ]
      let parts = urls.compactMap { $0.flatMap(URLParts.init) }
      if let url = parts.first(where: AuthAddress.isOpen) {
        let sentence = SecretText.masking(
          AuthAddress.cleartext(url), secrets.union(knownSecrets))
        found.append(Diagnostic(.authCleartext, range, sentence))
      }
      guard configuration.dialect == .header else { return found }
      if let sentence = configuration.grant.legacy {
        found.append(Diagnostic(.authGrantLegacy, range, sentence))
      }
      if let redirect = configuration.redirectURI, configuration.grant.usesBrowser,
        !AuthAddress.isListenable(redirect)
      {
        found.append(Diagnostic(.authRedirectUnlistenable, range, AuthAddress.unlistenable))
      }
      return found
    }
  }

  /// What is wrong with the values of clients that a block names, which stand in another file.
  func clientProblems(
    _ block: ParsedBlock, _ problems: [EvaluationProblem], hiding secrets: Set<String>
  ) -> [Diagnostic] {
    problems.compactMap { problem in
      guard let path = problem.path else { return nil }
      let client = scope.environments.clients.first { _, fields in
        fields.contains { $0.origin.path == path && $0.origin.range == problem.range }
      }
      guard let client, let range = range(ofClient: client.key, block) else { return nil }
      var found = diagnostic(problem.masking(secrets))
      found.range = range
      let line = problem.position.map { ", line \($0.line)" } ?? ""
      found.message += " It is named in \(Analysis.name(of: path))\(line)."
      return found
    }
  }

  /// Where a block names a configuration: the first reference to it, or the header.
  private func range(of configuration: AuthConfiguration, _ block: ParsedBlock) -> Range<Int>? {
    if configuration.dialect == .securityAuth { return range(ofClient: configuration.id, block) }
    let header = block.request?.headers.first {
      block.text($0.name).equalsIgnoringASCIICase("authorization")
    }
    return header?.value.first.map { block.absolute($0) }
  }

  private func range(ofClient id: String, _ block: ParsedBlock) -> Range<Int>? {
    block.references.first { reference in
      guard case .dynamic(let name, let arguments) = reference.expression else { return false }
      return TokenReference(name: name, arguments: arguments)?.id == id
    }.map { block.absolute($0.range) }
  }
}
