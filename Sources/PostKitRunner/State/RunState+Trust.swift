// Files outside of the root, and connections that the project chooses: they are used only in a
// folder that the user trusts (PROMISES.md R4).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension RunState {
  /// Says of a path why it must not be read; `nil` where it may.
  var outsideRule: @Sendable (String) -> String? {
    guard let explanation = outsideExplanation else { return { _ in nil } }
    let workspace = input.workspace
    return { workspace.holds($0) ? nil : explanation }
  }

  /// Why no file outside is read, as a clause; `nil` where the folder is trusted.
  var outsideExplanation: String? {
    if trust == .given { return nil }
    var remedy = ""
    if let text = trust?.remedy { remedy = ". \(text), \(TrustSubject.file("").remedy)" }
    return "it lies outside of \(input.workspace.root), which is not trusted\(remedy)"
  }

  /// Where the files of a request have to lie when it is sent: links may change until then.
  func boundary(of spec: RequestSpec) -> FileBoundary? {
    if trust == .given { return nil }
    let authority = spec.options.certificateAuthorityFile
    return FileBoundary(
      root: input.workspace.root,
      hasFreeAuthority: authority.map { !files(of: spec).contains($0) } ?? false)
  }

  /// Says of a file why it must not read secrets of the process environment; `nil` where it may.
  var processRule: @Sendable (String) -> String? {
    if trust == .given { return { _ in nil } }
    let workspace = input.workspace
    let remedy = trust?.remedy
    return { path in
      if workspace.isChosenByUser(path) { return nil }
      let ending = remedy.map { ". \($0), \(TrustSubject.choice("", file: path).remedy)" }
      return "\(workspace.root) is not trusted\(ending ?? "")"
    }
  }

  /// Begins a run. Where environment files or imported ones lie outside, somebody is asked before
  /// any of them is opened: their values would go where the folder's requests say. The failure says
  /// why nothing is to be sent.
  static func begin(
    _ input: RunInput, _ services: RunServices
  ) async -> (state: RunState, failure: Failure?) {
    var state = RunState(input: input)
    var failure: Failure?
    for _ in 0..<8 {
      guard let first = state.outsideFiles.first else { return (state, nil) }
      if let failure = await state.trust(state.outsideFiles, services) { return (state, failure) }
      if state.trust == .given {
        var input = input
        input.workspace.outsideRefusal = nil
        return (RunState(input: input), nil)
      }
      // A link leads inside again, so that nobody was asked: what it leads to now is looked at.
      let explanation = state.outsideExplanation ?? ""
      failure = state.outsideFailure(first, explanation)
      state = RunState(input: input)
    }
    return (state, failure)
  }

  /// Asks about files that lie outside, unless somebody was asked before. Gives the failure where
  /// they must not be used.
  mutating func trust(_ paths: [String], _ services: RunServices) async -> Failure? {
    let outside = outsideRule
    let paths = paths.filter { outside($0) != nil }
    guard let first = paths.first else { return nil }
    if trust == nil { trust = await services.trust(paths.map { .file(mask.mask($0).text) }) }
    return Task.isCancelled ? RunState.endedEarly : refusal(first)
  }

  /// Evaluates a block; where it needs a file from outside, or would go where the project's files
  /// choose, somebody is asked first. `nil` where the run was cancelled meanwhile.
  mutating func lowerTrusted(
    _ place: RequestPlace, _ services: RunServices
  ) async -> LoweredRequest? {
    let before = stable
    let lowered = lower(place, services)
    await notePlaces(lowered.settings.saves, services)
    guard trust == nil else { return lowered }
    let subjects = subjects(lowered)
    if subjects.isEmpty { return lowered }
    trust = await services.trust(subjects)
    // What stood for a value that was withheld is no value of the run.
    stable = before
    return Task.isCancelled ? nil : lower(place, services)
  }

  /// What alone stands between a request and being sent; secrets are masked.
  private func subjects(_ lowered: LoweredRequest) -> [TrustSubject] {
    var found: [String] = []
    var variables: [TrustSubject] = []
    for problem in lowered.problems where problem.severity == .error {
      switch problem.kind {
      case .fileOutside(let path, _): found.append(path)
      case .processVariableWithheld(let name, let path, _):
        let subject = TrustSubject.choice(
          "the environment variable `\(name)`, which \(path) names", file: path)
        if !variables.contains(subject) { variables.append(subject) }
      default: return []
      }
    }
    let outside = outsideRule
    let saved = lowered.settings.saves.filter(\.isAbsolute).map(\.path)
    let used = saved + (lowered.spec.map(files(of:)) ?? [])
    found += used.filter { outside($0) != nil }.map { mask.mask($0).text }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }.map { .file($0) } + variables
      + choices(lowered.settings) + replaced(lowered.settings.saves)
  }

  /// How a request would reach its server by what files of the project say. What the user has said
  /// in their own settings, or the request itself, is none of it.
  private func choices(_ settings: RequestSettings) -> [TrustSubject] {
    let options = settings.options
    var result: [TrustSubject] = []
    let chosen = file(of: settings.proxySource, input.projectChoices.proxyFile)
    if let proxy = options.proxy, !proxy.isEmpty, let chosen {
      let shown = mask.mask(ProxyURL.withoutCredentials(proxy)).text
      result.append(.choice("the proxy \(shown) of \(chosen)", file: chosen))
    }
    if !options.verifiesTLS, let file = file(of: settings.verificationSource, nil) {
      let clause = "no verification of certificates, which \(file) turns off"
      result.append(.choice(clause, file: file))
    }
    let named = file(of: settings.authoritySource, input.projectChoices.authorityFile)
    // One that lies outside is asked about by its path.
    if let path = options.certificateAuthorityFile, let named, input.workspace.holds(path) {
      let shown = mask.mask(path).text
      result.append(.choice("the authorities \(shown) of \(named)", file: named))
    }
    return result
  }

  /// The file of the project that has made a choice; `nil` for a choice of the user's.
  private func file(of source: ChoiceSource, _ ofDefaults: String?) -> String? {
    switch source {
    case .defaults: ofDefaults
    case .request: nil
    case .definition(let path): projectFiles.contains(path) ? path : nil
    }
  }

  /// Whether a problem is gone once the folder is trusted.
  func isOfTrust(_ problem: EvaluationProblem) -> Bool {
    switch problem.kind {
    case .fileOutside, .processVariableWithheld: true
    default: false
    }
  }

  /// Why a request must not be sent, although it could be built.
  func refusal(_ lowered: LoweredRequest, _ spec: RequestSpec) -> Failure? {
    for path in files(of: spec) {
      if let failure = refusal(path) { return failure }
    }
    return refusal(lowered.settings) ?? refusal(lowered.settings.saves)
  }

  /// Why nothing may be sent the way that settings say.
  func refusal(_ settings: RequestSettings) -> Failure? {
    if trust == .given { return nil }
    let choices = choices(settings)
    guard let first = choices.first, case .choice(let clause, _) = first else { return nil }
    var remedy = ""
    if let text = trust?.remedy { remedy = " \(text), \(first.remedy)." }
    return Failure(
      .usage,
      "Nothing is sent: the request would use \(clause), and "
        + "\(input.workspace.root) is not trusted.\(remedy)",
      wasDeclined: trust?.wasDeclined == true)
  }

  private func refusal(_ path: String) -> Failure? {
    outsideRule(path).map { outsideFailure(path, $0) }
  }

  private func outsideFailure(_ path: String, _ explanation: String) -> Failure {
    let problem = EvaluationProblem(
      .fileOutside(path: mask.mask(path).text, explanation: explanation), range: 0..<0)
    return Failure(problem.code, problem.message, wasDeclined: trust?.wasDeclined == true)
  }

  /// The files that leave the machine with a request, or prove who sends it and who answers. Those
  /// that its user has named for all requests are none of the project's.
  private func files(of spec: RequestSpec) -> [String] {
    let bodies = spec.body.compactMap { chunk -> String? in
      if case .file(let path) = chunk { path } else { nil }
    }
    let (options, own) = (spec.options, input.defaults.options.certificateAuthorityFile)
    var authority = options.certificateAuthorityFile
    if authority == own, input.projectChoices.authorityFile == nil { authority = nil }
    return bodies
      + [options.clientCertificateFile, options.clientKeyFile, authority].compactMap { $0 }
  }

  /// What the host of the next hop is shown, `nil` for nothing. Its passphrase may have to be asked
  /// for, and its files may lie where they must not be read.
  mutating func certificate(
    for url: String, of request: PreparedRequest, _ services: RunServices
  ) async -> Result<ClientIdentity?, Failure> {
    let lowered = await meetingNeeds(of: request.place, services) { state in
      let found = Lowering.certificate(
        for: url, after: request.lowered, of: state.scope.files.block(request.place),
        evaluator: state.evaluator(request.place, services, "certificate"),
        defaults: state.input.defaults)
      state.addSecrets(found?.secrets ?? [])
      return found
    }
    switch lowered {
    case .failure(let failure): return .failure(failure)
    case .success(nil): return .success(nil)
    case .success(let found?):
      if found.failure != nil { return .failure(failure(found.problems)) }
      let identity = found.settings.options.clientCertificate
      let files = [identity?.certificate, identity?.key].compactMap { $0 }
      if let failure = await trust(files, services) { return .failure(failure) }
      return .success(identity)
    }
  }
}
