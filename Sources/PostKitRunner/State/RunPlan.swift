// Which requests must run before which (PK-89): explicit `@ref`s, `run` lines, shared blocks, and
// references to responses.

package import PostKitEvaluate
package import PostKitHTTP
package import PostKitSyntax
import PostKitText

/// What has to be done before a request is sent.
package enum RunStep: Sendable, Hashable {
  /// A request must have been sent; `isForced`: it is sent anew, `isExplicit`: it was asked for by
  /// a line of its own, so that a response of an earlier run is not enough.
  case need(RequestPlace, isForced: Bool, isExplicit: Bool)
  /// Requests are sent because of a `run` line, whose place among the block's directives is given.
  case run([RequestPlace], directive: Int)
}

/// The dependencies of the requests of a run.
package struct RunPlan: Sendable {
  /// The requests in the order in which they are sent; some more than once.
  package private(set) var order: [RequestPlace] = []
  /// Why there is no plan.
  package private(set) var failure: Failure?

  private let scope: Scope
  private let autoRun: AutoRun
  private let included: [RequestPlace: IncludedReferences]
  private let known: Set<RequestPlace>
  private var off: Set<RequestPlace>
  private var steps: [RequestPlace: [RunStep]] = [:]
  private var onPath: [RequestPlace] = []
  private var done: Set<RequestPlace> = []
  private var checked: [Int] = []

  /// How deep requests may need each other.
  static let depthLimit = 500
  /// How many requests a plan may have apart from those that were asked for.
  static let countLimit = 10_000

  /// Plans a run. Responses of the `known` requests are at hand already; those that are `off` are
  /// not sent, so that nothing is needed for them.
  package init(
    scope: Scope, blocks: [RequestPlace], autoRun: AutoRun, known: Set<RequestPlace>,
    off: Set<RequestPlace> = [], included: [RequestPlace: IncludedReferences] = [:]
  ) {
    self.scope = scope
    self.included = included
    self.autoRun = autoRun
    self.known = known
    self.off = off
    for place in blocks { visit(place, isForced: false, isShared: false) }
  }

  /// The requests that each request needs.
  var needs: [RequestPlace: [RequestPlace]] {
    steps.mapValues { $0.compactMap(\.needed) }.filter { !$0.value.isEmpty }
  }

  /// Whether every request is sent once, at once, and only after those it needs by name.
  var isPlain: Bool {
    off.isEmpty && Set(order).count == order.count
      && order.allSatisfy { place in
        let block = scope.files.block(place)
        return sharedSteps(before: place).isEmpty && steps(before: place).allSatisfy(\.isPlain)
          && !block.repeatsOrWaits
      }
  }

  /// What has to be done before a request, in order; nothing of what is shared.
  func steps(before place: RequestPlace) -> [RunStep] { steps[place] ?? [] }

  /// The shared blocks that go before a request, each as a step of its own (PK-40).
  func sharedSteps(before place: RequestPlace) -> [RunStep] {
    guard scope.dialect(of: place.file).sharesBlocks else { return [] }
    let shared = scope.files.files[place.file].document.sharedBlocks
    guard !shared.isEmpty, !shared.contains(where: { $0.index == place.block }) else { return [] }
    return shared.filter { $0.isRunnable }.map {
      .need(
        RequestPlace(file: place.file, block: $0.index), isForced: $0.sharing == .each,
        isExplicit: true)
    }
  }

  // MARK: - Visiting

  /// Whether the request is sent at all.
  @discardableResult
  private mutating func visit(_ place: RequestPlace, isForced: Bool, isShared: Bool) -> Bool {
    if off.contains(place) { return false }
    if failure != nil || !isForced && done.contains(place) { return true }
    if let start = onPath.firstIndex(of: place) {
      let names = (onPath[start...] + [place]).map { RunPlan.title(scope.files.block($0)) }
      let problem = EvaluationProblem(.requestCycle(names), range: 0..<0)
      failure = Failure(problem.code, problem.message)
      return false
    }
    guard onPath.count < RunPlan.depthLimit, order.count - done.count < RunPlan.countLimit else {
      failure = Failure(
        .includeCycle,
        "`\(RunPlan.title(scope.files.block(place)))` needs too many requests: they may nest "
          + "\(RunPlan.depthLimit) deep, and \(RunPlan.countLimit) in all.")
      return false
    }
    onPath.append(place)
    let own = steps[place] ?? makeSteps(place)
    steps[place] = own
    let shared = isShared ? [] : sharedSteps(before: place)
    let isSent =
      shared.allSatisfy { follow($0, isShared: true) }
      && own.allSatisfy { follow($0, isShared: isShared) }
    onPath.removeLast()
    guard failure == nil else { return false }
    guard isSent else {
      off.insert(place)
      return false
    }
    done.insert(place)
    let block = scope.files.block(place)
    if block.isRequest, !(block.sharing != nil && block.isPlaceholder) { order.append(place) }
    return true
  }

  private mutating func follow(_ step: RunStep, isShared: Bool) -> Bool {
    if failure != nil { return false }
    switch step {
    case .need(let place, let isForced, let isExplicit):
      guard isExplicit || !known.contains(place) else { return true }
      return visit(place, isForced: isForced, isShared: isShared)
    case .run(let places, _):
      // What is switched off in a file is left out of it.
      for place in places { visit(place, isForced: true, isShared: isShared) }
      return true
    }
  }

  // MARK: - Steps

  private mutating func makeSteps(_ place: RequestPlace) -> [RunStep] {
    checkImports(of: place.file)
    guard failure == nil else { return [] }
    let block = scope.files.block(place)
    var steps: [RunStep] = []
    for tag in block.dependencyTags {
      guard let needed = RequestNaming(scope, place.file).place(of: tag, in: block) else {
        let kind = EvaluationProblem.Kind.requestNotFound(
          tag: block.text(tag.key), name: block.text(tag.value))
        fail(EvaluationProblem(kind, range: block.absolute(tag.line)), in: place.file)
        return []
      }
      steps.append(.need(needed, isForced: tag.kind == .forceRef, isExplicit: true))
    }
    let implicit = autoRun == .missing ? implicitNeeds(of: place) : []
    var known = Set(steps.compactMap(\.needed))
    for (index, directive) in block.directives.enumerated() {
      guard directive.kind != .importFile else { continue }
      switch RequestNaming(scope, place.file).targets(of: directive, in: block) {
      case .success(let targets):
        // What an override reads goes before, unless a line above has run it.
        for (needed, range) in implicit
        where directive.line.contains(range.lowerBound) && known.insert(needed).inserted {
          steps.append(.need(needed, isForced: false, isExplicit: false))
        }
        known.formUnion(targets)
        steps.append(.run(targets, directive: index))
      case .failure(let problem):
        fail(problem, in: place.file)
        return []
      }
    }
    for (needed, _) in implicit where known.insert(needed).inserted {
      steps.append(.need(needed, isForced: false, isExplicit: false))
    }
    return steps
  }

  private mutating func checkImports(of file: Int) {
    guard failure == nil, !checked.contains(file) else { return }
    checked.append(file)
    guard let (file, problem) = scope.files.importProblems(of: file).first else { return }
    fail(problem, in: file)
  }

  private mutating func fail(_ problem: EvaluationProblem, in file: Int) {
    let source = scope.files.files[file]
    let line = source.document.line(at: problem.range.lowerBound) + 1
    let place = file == 0 ? "Line \(line)" : "\(source.path):\(line)"
    failure = Failure(problem.code, "\(place): \(problem.message)")
  }

  /// The requests whose responses a request reads before it is sent, each with the place of the
  /// reference in the block.
  func implicitNeeds(of place: RequestPlace) -> [(place: RequestPlace, range: Range<Int>)] {
    let block = scope.files.block(place)
    var scope = scope
    scope.file = place.file
    var result: [(place: RequestPlace, range: Range<Int>)] = []
    // Definitions after the response read responses that are there by then.
    let later = RangeCover(block.variables.lazy.filter(\.isAfterResponse).map(\.line))
    var search = ReadingSearch(scope)
    for reference in block.references where !later.overlaps(reference.range) {
      let offset = block.absolute(reference.range).lowerBound
      for needed in search.requests(readBy: reference.expression, at: offset)
      where needed != place { result.append((needed, reference.range)) }
    }
    for (expression, path) in included[place]?.references ?? [] {
      let offset = block.absolute(path).lowerBound
      for needed in search.requests(readBy: expression, at: offset) where needed != place {
        result.append((needed, path))
      }
    }
    if let tag = block.loopTag, let expression = LoopSyntax(block.text(tag.value)).expression {
      let offset = block.absolute(tag.value).lowerBound
      for needed in search.requests(readBy: expression, at: offset) where needed != place {
        result.append((needed, tag.value))
      }
    }
    return result
  }

  /// How a request is called where it has no name: its method and target.
  package static func title(_ block: ParsedBlock) -> String { block.caption }
}

extension RunStep {
  /// The request that must have been sent.
  fileprivate var needed: RequestPlace? {
    if case .need(let place, _, _) = self { place } else { nil }
  }

  /// Whether the request is needed once.
  fileprivate var isPlain: Bool {
    if case .need(_, let isForced, _) = self { !isForced } else { false }
  }
}

extension ParsedBlock {
  /// Whether it may be sent more than once, later, or not at all.
  fileprivate var repeatsOrWaits: Bool {
    let tags: [MetadataTag?] = [.loop, .disabled, .onlyIf, .note, .sleep, .delay]
    return metadata.contains { tags.contains($0.kind) } || hasWildcards
  }
}

extension RunInput {
  /// Why its requests can't be sent because they, or files that they need, need each other; `nil`
  /// where none does. Nobody is asked, and nothing is sent.
  package var circle: Failure? {
    let state = RunState(input: self)
    let plan = RunPlan(
      scope: state.scope, blocks: blocks.map { RequestPlace(block: $0) }, autoRun: .missing,
      known: [], included: state.included)
    guard let failure = plan.failure, failure.code == .includeCycle else { return nil }
    return failure
  }
}
