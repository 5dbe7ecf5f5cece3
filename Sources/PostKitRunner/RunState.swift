// What a run knows so far: values, responses, secrets. It lives as long as the run.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitSyntax

/// The memory of one run.
struct RunState {
  let input: RunInput
  var scope: Scope
  /// The latest exchange of each block, as references see it.
  private(set) var exchanges: [Int: ReferencedExchange] = [:]
  /// The latest exchange of the run (PK-106).
  private var latest: ReferencedExchange?
  /// Whether files outside of the root may be used; `nil` where nobody was asked yet.
  var trust: Trust?
  /// Answers that last for the run (`-askonce`).
  var lastingAnswers: [String: String] = [:]
  /// The values of all secrets that could show up.
  private(set) var secrets: Set<String> = []
  /// Masks the secrets; made anew only when they change.
  private(set) var mask = SecretMask(secrets: [])
  private var stable = StableValues()
  /// How often each block was evaluated, and which round of the run it is: the same in each run
  /// with the same seed.
  private var evaluations: [Int: Int] = [:]
  private var round = 0
  private let dotEnvFiles: [SourceFile]
  /// The blocks whose responses are read somewhere in the file.
  private let readBlocks: Set<Int>
  private let readsLatest: Bool

  init(input: RunInput, environments: EnvironmentSet) {
    self.input = input
    trust = input.readsOutsideRoot ? .given : nil
    scope = Scope(
      document: input.document, environments: environments, dialect: input.dialect,
      overrides: input.overrides)
    dotEnvFiles = input.workspace.dotEnvFiles(active: input.environment)
    let requests = scope.requests
    var read: Set<Int> = []
    var readsLatest = false
    for block in input.document.blocks {
      for reference in block.syntax.references {
        guard let name = reference.expression.exchangeName else { continue }
        if let target = RunState.request(name, requests) { read.insert(target) }
        if name == "response" { readsLatest = true }
      }
      read.formUnion(block.assertedNames.compactMap { RunState.request($0, requests) })
    }
    readBlocks = read
    self.readsLatest = readsLatest
    addSecrets(environments.definitions.values.filter(\.isSecret).flatMap(\.secretTexts))
  }

  /// The block of the request that the first segment of a reference means.
  private static func request(_ name: String, _ requests: RequestIndex) -> Int? {
    Evaluator.requestNames(in: name).lazy.compactMap { requests.request(named: $0)?.index }.first
  }

  /// Fetches the responses of earlier runs that the file refers to.
  mutating func prepareEarlier(_ services: RunServices) async {
    for index in readBlocks.sorted() {
      let name = RunPlan.title(input.document.blocks[index])
      if let exchange = await services.earlier(name) {
        exchanges[index] = ReferencedExchange(exchange)
      }
    }
  }

  /// Why nothing was sent in a run that was cancelled while the user was asked something.
  static let endedEarly = Failure(.cancelled, "The run was ended before this was sent.")

  /// Forgets the values that are the same throughout one round of a run that is repeated (PK-35).
  mutating func beginRound() {
    stable = StableValues()
    round += 1
  }

  /// Whether a request may read what another leaves behind without naming it: the latest response,
  /// or a definition made after a response.
  var dependsOnOrder: Bool {
    readsLatest
      || input.document.blocks.contains { $0.syntax.variables.contains(where: \.isAfterResponse) }
  }

  /// Evaluates a block.
  mutating func lower(_ block: ParsedBlock, _ services: RunServices) -> LoweredRequest {
    evaluations[block.index, default: 0] += 1
    let evaluator = evaluator(services, stream: stream("request", block))
    let lowered = Lowering.lower(block, evaluator: evaluator, defaults: input.defaults)
    stable = lowered.stable
    addSecrets(lowered.secrets)
    return lowered
  }

  /// The record of an exchange before it has happened.
  func record(_ id: String, _ block: ParsedBlock, _ spec: RequestSpec) -> Exchange {
    var exchange = Exchange(
      id: id, startedAt: Clock.wallMilliseconds, file: input.file, line: line(block),
      template: String(decoding: block.bytes[block.range], as: UTF8.self),
      request: SentRequest(method: spec.method, url: spec.url, headers: spec.headers),
      state: .failed)
    exchange.requestName = block.name
    exchange.workspaceFolder = input.workspace.root
    exchange.dialect = input.dialect.preset.rawValue
    return exchange
  }

  /// Remembers an exchange and defines what is defined after it (PK-26).
  mutating func finish(
    _ index: Int, _ exchange: Exchange, _ lowered: LoweredRequest, _ services: RunServices
  ) -> RunOutcome {
    let block = input.document.blocks[index]
    let definitions = block.syntax.variables.filter(\.isAfterResponse)
    var exchange = exchange
    let isReadHere = !definitions.isEmpty || !block.syntax.assertions.isEmpty
    if readBlocks.contains(index) || readsLatest || isReadHere,
      let referenced = ReferencedExchange(exchange)
    {
      exchanges[index] = referenced
      latest = referenced
    }
    for definition in definitions {
      var evaluator = evaluator(services, stream: stream("after", block))
      scope.afterResponse[definition.name] = evaluator.value(of: definition, in: block)
      addSecrets(evaluator.secrets)
    }
    for request in [exchange.request] + exchange.hops.map(\.request) {
      addSecrets(ExchangeMask.credentials(of: request))
    }
    exchange.tests = tests(of: block, exchange, lowered, services)
    let masked = ExchangeMask(mask: mask).masked(exchange)
    return RunOutcome(
      id: exchange.id, block: index, name: block.name, line: exchange.line,
      method: exchange.request.method, url: masked.request.url, exchange: exchange, masked: masked,
      failure: masked.failure, problems: lowered.problems)
  }

  /// One line of a text that may be a whole body.
  private static func shortened(_ text: String) -> String {
    let start = text.prefix(200)
    let line = start.split(whereSeparator: \.isNewline).joined(separator: " ")
    return start.endIndex < text.endIndex ? line + "…" : line
  }

  /// The results of a request's checks; a request without a response has none.
  private mutating func tests(
    of block: ParsedBlock, _ exchange: Exchange, _ lowered: LoweredRequest, _ services: RunServices
  ) -> [TestResult] {
    let isChecked = !block.syntax.assertions.isEmpty || !lowered.settings.expectedStatus.isEmpty
    guard isChecked, exchange.state == .done, let referenced = ReferencedExchange(exchange) else {
      return []
    }
    var evaluator = evaluator(services, stream: stream("after", block))
    let results = evaluator.results(
      of: block, lowered.settings, AnsweredRequest(referenced, timings: exchange.timings))
    addSecrets(evaluator.secrets)
    let mask = mask
    // Masked before it is cut: a part of a secret would not be found.
    let shown: (String) -> String = { RunState.shortened(mask.mask($0).text) }
    return results.map {
      TestResult(
        name: mask.mask($0.name).text, passed: $0.passed, message: $0.message(shown: shown))
    }
  }

  /// The outcome of a request that could not be built.
  func notSent(_ index: Int, failure: Failure, problems: [EvaluationProblem]) -> RunOutcome {
    let block = input.document.blocks[index]
    return RunOutcome(
      id: Identifier.next(), block: index, name: block.name, line: line(block),
      method: block.writtenMethod, url: mask.mask(block.writtenTarget).text,
      failure: failure, problems: problems)
  }

  /// The outcome of a request that needs one that failed.
  func skipped(_ index: Int, because needed: Int) -> RunOutcome {
    let title = RunPlan.title(input.document.blocks[needed])
    return notSent(
      index,
      failure: Failure(
        .unresolvedVariable,
        "Not sent, because it needs `\(title)`, which failed. Mend that one first."),
      problems: [])
  }

  /// The sentence for the first error of evaluation.
  func failure(_ lowered: LoweredRequest, _ block: ParsedBlock) -> Failure {
    guard let problem = lowered.failure else {
      return Failure(.internal, "The request came to nothing, which should not happen.")
    }
    return Failure(problem.code, problem.message)
  }

  /// `import` and `run` lines, which a later version carries out: one clear line for each.
  var laterDirectives: [(EvaluationProblem, block: Int)] {
    input.document.blocks.flatMap { block in
      block.syntax.directives.map { directive in
        let word = directive.kind == .importFile ? "import" : "run"
        let range = block.absolute(directive.line)
        let kind = EvaluationProblem.Kind.unsupported("`\(word)` is")
        return (EvaluationProblem(kind, range: range, severity: .warning), block: block.index)
      }
    }
  }

  /// A line of a plan.
  func planned(_ index: Int) -> PlannedRequest {
    let block = input.document.blocks[index]
    return PlannedRequest(block: index, title: RunPlan.title(block), line: line(block))
  }

  private func line(_ block: ParsedBlock) -> Int {
    let start = block.syntax.request?.line.lowerBound ?? 0
    return input.document.line(at: block.range.lowerBound + start) + 1
  }

  /// Remembers values that must not be shown from now on.
  mutating func addSecrets(_ values: some Sequence<String>) {
    let fresh = values.filter { !$0.isEmpty && !secrets.contains($0) }
    guard !fresh.isEmpty else { return }
    secrets.formUnion(fresh)
    mask = SecretMask(secrets: secrets.sorted())
  }

  /// The name of the random bits of a part of a request, this time that it is evaluated.
  func stream(_ part: String, _ block: ParsedBlock) -> String {
    "\(part) \(block.index) \(evaluations[block.index] ?? 0)"
  }

  /// Takes chance and the clock out of a context: the same seed gives the same bytes (PK-64).
  private func seeded(_ context: inout EvaluationContext, _ seed: UInt64, _ stream: String) {
    let round = round
    context.now = { RunInput.seededTime }
    context.random = SeededRandom.source(seed, stream)
    context.namedRandom = { SeededRandom.source(seed, "name \(round) \($0)") }
  }

  /// The evaluator of a part of a request, with all that the run knows.
  func evaluator(_ services: RunServices, stream: String) -> Evaluator {
    let workspace = input.workspace
    let requests = scope.requests
    let outside = outsideRule
    let exchanges = exchanges
    let latest = latest
    let exchange: @Sendable (String) -> ReferencedExchange? = { name in
      if name.isEmpty { return latest }
      return requests.request(named: name).flatMap { exchanges[$0.index] }
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
    context.dotEnvFiles = dotEnvFiles
    context.projectRoot = workspace.root
    context.xpath = { XPathOutcome(of: $0) }
    if let seed = input.seed { seeded(&context, seed, stream) }
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
