// Files outside of the root: they are used only in a folder that the user trusts (lsp.md R4).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension RunState {
  /// Says of a path why it must not be read; `nil` where it may.
  var outsideRule: @Sendable (String) -> String? {
    if trust == .given { return { _ in nil } }
    let workspace = input.workspace
    var remedy = ""
    if case .refused(let text) = trust { remedy = ". \(text)" }
    let explanation = "it lies outside of \(workspace.root), which is not trusted\(remedy)"
    return { workspace.holds($0) ? nil : explanation }
  }

  /// Asks about the first environment file that a link leads outside, or the first file that is
  /// imported from there: its values would go where the folder's requests say. Gives the failure
  /// where they must not.
  mutating func trustFiles(
    _ sources: [EnvironmentSource], _ services: RunServices
  ) async -> Failure? {
    let outside = outsideRule
    // What the store keeps lies in no folder.
    let paths = sources.filter { !$0.kind.isStored }.map(\.file.path)
      + scope.files.files.dropFirst().map(\.path)
    guard let path = paths.first(where: { outside($0) != nil }) else {
      return nil
    }
    return await trust(path, services)
  }

  /// Asks about a file that lies outside, unless somebody was asked before. Gives the failure where
  /// it must not be used.
  mutating func trust(_ path: String, _ services: RunServices) async -> Failure? {
    if trust == nil, outsideRule(path) != nil { trust = await services.trust(path) }
    return Task.isCancelled ? RunState.endedEarly : refusal(path)
  }

  /// Evaluates a block; where it needs a file from outside, somebody is asked first. `nil` where
  /// the run was cancelled meanwhile.
  mutating func lowerTrusted(
    _ place: RequestPlace, _ services: RunServices
  ) async -> LoweredRequest? {
    let lowered = lower(place, services)
    guard trust == nil, let path = outsideFile(lowered) else { return lowered }
    trust = await services.trust(path)
    return Task.isCancelled ? nil : lower(place, services)
  }

  /// The file outside that alone stands between a request and being sent; secrets are masked.
  private func outsideFile(_ lowered: LoweredRequest) -> String? {
    var found: String?
    for problem in lowered.problems where problem.severity == .error {
      guard case .fileOutside(let path, _) = problem.kind else { return nil }
      found = found ?? path
    }
    let outside = outsideRule
    for save in lowered.settings.saves where save.isAbsolute && found == nil {
      if outside(save.path) != nil { found = mask.mask(save.path).text }
    }
    for path in lowered.spec?.files ?? [] where found == nil {
      if outside(path) != nil { found = mask.mask(path).text }
    }
    return found
  }

  /// Why a request must not be sent, although it could be built.
  func refusal(_ spec: RequestSpec) -> Failure? {
    for path in spec.files {
      if let failure = refusal(path) { return failure }
    }
    return nil
  }

  /// Why a response must not be saved where the request says (PK-90). A relative path never leads
  /// outside; an absolute one does where the folder is trusted.
  func refusal(_ saves: [SaveTarget]) -> Failure? {
    for save in saves where !input.workspace.holds(save.path) {
      if save.isAbsolute, outsideRule(save.path) == nil { continue }
      let remedy =
        save.isAbsolute
        ? outsideRule(save.path) ?? ""
        : "it lies outside of \(input.workspace.root). Write an absolute path if that is meant"
      return Failure(
        .fileNotFound,
        "The response can't be saved to `\(mask.mask(save.path).text)`: \(remedy).")
    }
    return nil
  }

  private func refusal(_ path: String) -> Failure? {
    guard let explanation = outsideRule(path) else { return nil }
    let problem = EvaluationProblem(
      .fileOutside(path: mask.mask(path).text, explanation: explanation), range: 0..<0)
    return Failure(problem.code, problem.message)
  }
}

extension RequestSpec {
  /// The files that leave the machine with it or prove who sends it.
  fileprivate var files: [String] {
    let bodies = body.compactMap { chunk -> String? in
      if case .file(let path) = chunk { path } else { nil }
    }
    return bodies + [options.clientCertificateFile, options.clientKeyFile].compactMap { $0 }
  }
}
