// What a run knows so far: values, responses, secrets. It lives as long as the run.

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitSyntax

/// Why a request is not sent although nothing is wrong with it.
enum Refusal: Sendable {
  case failed(Failure)
  /// The user does not want it to be sent.
  case declined
}

/// The memory of one run.
struct RunState {
  let input: RunInput
  var scope: Scope
  /// The exchanges that may be read by the names of their requests.
  var kept = KeptExchanges()
  /// The latest exchange of the run (PK-106).
  var latest: ReferencedExchange?
  /// Whether files outside of the root may be used; `nil` where nobody was asked yet.
  var trust: Trust?
  /// The files that were left out as they lie outside.
  let outsideFiles: [String]
  /// The environment files of the project, where it isn't trusted.
  let projectFiles: Set<String>
  /// The files that a response was saved to in this run or before, so far as that was asked.
  var savedFiles: Set<String> = []
  /// What was got for the whole run, such as answers to `-askonce`.
  var lastingAnswers = NeedAnswers()
  /// The values of all secrets that could show up.
  private(set) var secrets: Set<String> = []
  /// Masks the secrets.
  private(set) var mask = SecretMask(secrets: [])
  var stable = StableValues()
  /// How often each request was evaluated, and which round of the run it is: the same in each run
  /// with the same seed.
  var evaluations: [RequestPlace: Int] = [:]
  private var round = 0
  private let dotEnvFiles: [SourceFile]
  /// What is known of descriptions of APIs.
  var book = ContractBook()
  /// What is known of scripts.
  var scripts = ScriptState()
  /// The tokens that were got for the request whose turn it is, and not before it.
  var freshTokens: Set<TokenNeed> = []
  /// Tells of what the run does beside its requests.
  var tell: (@Sendable (RunEvent) -> Void)?
  /// Whether a script stands in any of the files.
  var hasScripts: Bool
  /// Whether anything in the files may be JavaScript.
  let mayNeedEngine: Bool
  /// Whether what is evaluated after a response may lack something that has to be got.
  var mayNeedAnswers: Bool { mayNeedEngine || !scope.environments.clients.isEmpty }
  /// The requests whose responses are read somewhere in the files.
  let readPlaces: Set<RequestPlace>
  let readsLatest: Bool
  /// What the files that requests include refer to.
  let included: [RequestPlace: IncludedReferences]

  /// Reads what belongs to the file of a run, so far as it may be read.
  init(input: RunInput) {
    self.input = input
    trust = input.workspace.outsideRefusal == nil ? .given : nil
    let sources = input.workspace.environmentSources(
      active: input.environment, search: input.dialect.environmentSearch)
    let environments = EnvironmentSet(
      sources: sources, active: input.environment,
      privateWins: input.dialect.privateEnvironmentWins)
    let files = input.workspace.requestFiles(
      of: input.document, environments, input.dialect, overrides: input.overrides)
    scope = Scope(
      files: files, environments: environments, dialect: input.dialect,
      overrides: input.overrides)
    projectFiles = input.workspace.projectFiles(sources)
    outsideFiles = input.workspace.outsideFiles(sources, active: input.environment, files)
    dotEnvFiles = input.workspace.dotEnvFiles(active: input.environment)
    included = RunState.includedReferences(scope, input.workspace)
    let read = ResponsesRead(scope, included)
    let documents = scope.files.files.map(\.document)
    hasScripts = documents.contains { $0.blocks.hasAny(.scripts) }
    mayNeedEngine = documents.contains(where: \.hasScripts)
    (readPlaces, readsLatest) = (read.places, read.latest || mayNeedEngine)
    if hasScripts { scripts.files = FileScripts.all(scope) }
    addSecrets(environments.definitions.values.filter(\.isSecret).flatMap(\.secretTexts))
  }

  /// Fetches the responses of earlier runs that the files refer to.
  mutating func prepareEarlier(_ services: RunServices) async {
    for place in readPlaces.sorted() {
      let name = RunPlan.title(scope.files.block(place))
      if let earlier = await services.earlier(file(of: place), name) {
        var exchange = ReferencedExchange(earlier.exchange)
        exchange?.tokenNames = scope.files.block(place).tokenNames
        if let exchange { kept.keep(exchange, of: place, named: nil) }
        addSecrets(earlier.secrets)
      }
    }
    for (place, exchange) in kept.ofRequests.sorted(by: { $0.key < $1.key }) {
      let found = evaluator(place, services, "earlier")
        .definitions(after: exchange, of: scope.files.block(place))
      scope.add(found)
      addSecrets(found.secrets)
    }
  }

  /// How the file of a request is named in the history.
  func file(of place: RequestPlace) -> String {
    place.file == 0 ? input.file : scope.files.files[place.file].path
  }

  /// The path of the file of a request, where it isn't the one that was asked for.
  func path(of place: RequestPlace) -> String? {
    place.file == 0 ? nil : scope.files.files[place.file].path
  }

  /// Why nothing was sent in a run that was cancelled while the user was asked something.
  static let endedEarly = Failure(.cancelled, "The run ended before this request was sent.")

  /// Whether somebody may have to be asked before a request is sent.
  func asks(about block: ParsedBlock) -> Bool { block.asksForConsent || scope.asksForValues(block) }

  /// Asks what has to be asked before a request and those it needs are sent: whether it is to be
  /// sent at all (`@note`), and for the values of `@prompt`s that nobody has given yet (PK-54).
  mutating func ask(_ place: RequestPlace, _ services: RunServices) async -> Refusal? {
    let block = scope.files.block(place)
    guard asks(about: block) else { return nil }
    var evaluator = evaluator(place, services, "prompts")
    let settings = RequestSettings(block, defaults: input.defaults.options, evaluator: &evaluator)
    if let note = settings.note {
      let answer = await services.confirm(planned(place), note)
      if Task.isCancelled { return .failed(RunState.endedEarly) }
      if answer == false { return .declined }
      if answer == nil, input.needsConsent {
        return .failed(
          Failure(
            .usage,
            "`\(RunPlan.title(block))` needs your confirmation (`@note`), and this "
              + "editor shows no buttons. Remove the tag, or send it with `postkit run`."))
      }
    }
    return await answer(settings.prompts, of: place, services).map(Refusal.failed)
  }

  /// Forgets the values that are the same throughout one round of a run that is repeated (PK-35).
  mutating func beginRound() {
    stable = StableValues()
    round += 1
  }

  /// Whether a request may read what another leaves behind without naming it: the latest response,
  /// a definition made after a response, or a global.
  var dependsOnOrder: Bool {
    readsLatest
      || scope.files.files.contains {
        !$0.document.names.definedAfterResponse.isEmpty || !$0.document.names.globals.isEmpty
      }
  }

  /// Evaluates a block.
  mutating func lower(_ place: RequestPlace, _ services: RunServices) -> LoweredRequest {
    evaluations[place, default: 0] += 1
    var lowered = Lowering.lower(
      scope.files.block(place), evaluator: evaluator(place, services, "request"),
      defaults: input.defaults)
    note(lowered)
    // Evaluation does not know which answers to prompts are secrets.
    lowered.problems = lowered.problems.map { located($0.masked(by: mask), place.file) }
    return lowered
  }

  /// Evaluates a block ahead of its turn, and forgets about it.
  func lowerAhead(_ place: RequestPlace, _ services: RunServices) -> LoweredRequest {
    Lowering.lower(
      scope.files.block(place), evaluator: evaluator(place, services, "request"),
      defaults: input.defaults)
  }

  /// Remembers what was evaluated ahead of its turn, as if it were evaluated now.
  mutating func adopt(_ lowered: LoweredRequest, of place: RequestPlace) {
    evaluations[place, default: 0] += 1
    note(lowered)
  }

  private mutating func note(_ lowered: LoweredRequest) {
    stable = lowered.stable
    addSecrets(lowered.secrets)
    if let session = lowered.session { scope.afterResponse[Scope.tokenSession] = session }
  }

  /// Does something with what a block says apart from its request; the problems are returned.
  mutating func evaluate<Result>(
    _ place: RequestPlace, _ services: RunServices,
    _ work: (inout Evaluator, ParsedBlock) -> Result
  ) -> (Result, [EvaluationProblem]) {
    var evaluator = evaluator(place, services, "tags")
    let result = work(&evaluator, scope.files.block(place))
    stable = evaluator.stable
    addSecrets(evaluator.secrets)
    return (result, evaluator.problems.map { located($0, place.file) })
  }

  /// A problem with the path of its file, where that isn't the one that was asked for.
  func located(_ problem: EvaluationProblem, _ file: Int) -> EvaluationProblem {
    if file == 0 { return problem }
    return problem.located(in: scope.files.files[file].path, scope.files.files[file].document)
  }

  /// Whether a response of a request is at hand.
  func hasResponse(_ place: RequestPlace) -> Bool { kept.ofRequests[place] != nil }

  /// The record of an exchange before it has happened.
  func record(_ request: PreparedRequest, startedAt: Int64?) -> Exchange {
    let (place, spec) = (request.place, request.spec)
    let block = scope.files.block(place)
    var exchange = Exchange(
      id: request.id, startedAt: startedAt ?? Clock.wallMilliseconds, file: file(of: place),
      line: line(place),
      template: String(keeping: block.bytes[block.range]),
      request: SentRequest(method: spec.method, url: spec.url, headers: spec.headers.shown),
      state: .failed)
    exchange.requestName = block.name.map { $0 + (request.turn.map(String.init) ?? "") }
    exchange.workspaceFolder = input.workspace.root
    exchange.origin = input.surface == .editor ? .editor : .run
    if place.file == 0 { exchange.storedRequestID = input.storedRequestID }
    exchange.dialect = scope.dialect(of: place.file).preset.rawValue
    return exchange
  }

  /// The outcome of a request that could not be built.
  func notSent(
    _ place: RequestPlace, failure: Failure, problems: [EvaluationProblem] = []
  ) -> RunOutcome {
    let block = scope.files.block(place)
    // Expressions know of a failed import block no more than its sentence.
    let problems = problems.isEmpty ? importProblem(place, failure).map { [$0] } ?? [] : problems
    return RunOutcome(
      id: Identifier.next(), place: place, path: path(of: place), title: RunPlan.title(block),
      name: block.name, line: line(place), method: block.writtenMethod,
      url: mask.maskURL(block.writtenTarget).text,
      failure: failure, problems: problems)
  }

  /// The outcome of a request that needs others, in the words of `chain`, the last of which failed
  /// for a reason.
  func skipped(_ place: RequestPlace, because chain: String, failed reason: String) -> RunOutcome {
    let title = RunPlan.title(scope.files.block(place))
    return notSent(
      place,
      failure: Failure(
        .unresolvedVariable, "`\(title)` needs \(chain), which failed: \(reason)"))
  }

  /// The sentence for the first error of evaluation.
  func failure(_ problems: [EvaluationProblem]) -> Failure {
    guard let problem = problems.first(where: { $0.severity == .error }) else {
      return Failure(.internal, "The request ended without a result. Please report this.")
    }
    return Failure(
      problem.code, problem.message(on: input.surface),
      wasDeclined: isOfTrust(problem) && trust?.wasDeclined == true)
  }

  /// A line of a plan.
  func planned(_ place: RequestPlace) -> PlannedRequest {
    PlannedRequest(
      place: place, title: RunPlan.title(scope.files.block(place)), path: path(of: place),
      line: line(place))
  }

  /// The line of a request, counted from 1.
  func line(_ place: RequestPlace) -> Int {
    let block = scope.files.block(place)
    let start = block.range.lowerBound + block.leadingLine.lowerBound
    let line = scope.files.files[place.file].document.line(at: start)
    return (place.file == 0 ? input.movedLines?.shown(line) ?? line : line) + 1
  }

  /// Remembers values that must not be shown from now on.
  mutating func addSecrets(_ values: some Sequence<String>) {
    let fresh = values.filter { !$0.isEmpty && !secrets.contains($0) }
    guard !fresh.isEmpty else { return }
    secrets.formUnion(fresh)
    mask.add(fresh)
  }

  /// Takes chance and the clock out of a context: the same seed gives the same bytes (PK-64).
  private func seeded(_ context: inout EvaluationContext, _ seed: UInt64, _ stream: String) {
    let round = round
    context.now = { RunInput.seededTime }
    context.random = SeededRandom.source(seed, stream)
    context.namedRandom = { SeededRandom.source(seed, "name \(round) \($0)") }
  }

  /// An evaluator for a part of a request, with all that the run knows; the part and how often the
  /// request was evaluated name its random bits.
  func evaluator(_ place: RequestPlace, _ services: RunServices, _ part: String) -> Evaluator {
    let file = place.file
    let isMain = file == 0
    var scope = scope
    scope.file = file
    let files = scope.files
    let workspace = workspace(of: place)
    let outside = outsideRule
    let (ofRequests, ofTurns, latest) = (kept.ofRequests, kept.ofTurns, latest)
    let exchange: @Sendable (String) -> ReferencedExchange? = { name in
      if name.isEmpty { return latest }
      return ofTurns[name]
        ?? files.place(ofRequest: name, from: file).flatMap { ofRequests[$0] }
    }
    var context = EvaluationContext(
      now: { Clock.wallMilliseconds },
      localOffsetSeconds: { Clock.localOffsetSeconds(at: $0) },
      random: services.random,
      processEnvironment: { ProcessEnvironment.value($0) },
      readFile: { path in
        outside(path).map { .outside($0) } ?? workspace.content(path)
      },
      resolvePath: { workspace.resolve($0) },
      exampleServer: services.exampleServer, exchange: exchange)
    context.mock = services.mock
    context.dotEnvFiles = dotEnvFiles
    context.processRefusal = processRule
    context.projectRoot = workspace.root
    context.xpath = { XPathOutcome(of: $0) }
    if let seed = input.seed {
      let number = isMain ? "\(place.block)" : "\(file).\(place.block)"
      seeded(&context, seed, "\(part) \(number) \(evaluations[place] ?? 0)")
    }
    // A file outside is refused by its path.
    context.unsavedBytes = { outside($0) == nil ? workspace.unsavedBytes($0) : nil }
    context.fileObstacle = { workspace.obstacle($0) }
    context.placePath = { workspace.place($0) }
    context.digest = { kind, bytes in
      switch kind {
      case .sha256: SHA256.digest(bytes)
      case .sha512: SystemDigest.sha512.digest(bytes)
      case .md5: SystemDigest.md5.digest(bytes)
      }
    }
    return Evaluator(context: context, scope: scope, isStrict: input.isStrict, stable: stable)
  }
}
