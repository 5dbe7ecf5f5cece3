// The session of a run with the script engine: opened at the first script, asked for one job after
// the other.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSupport
import PostKitSyntax

/// Who asks the engine for something.
struct ScriptCaller: Sendable {
  /// The request whose turn it is.
  var place: RequestPlace
  var phase: ScriptPhase
  /// The script; `nil` for expressions.
  var script: PlannedScript?
  /// The exchange that is `response` there.
  var exchange: ReferencedExchange?
  /// The request as the script sees it; `nil` for expressions and import blocks.
  var request: ScriptRequest?

  /// The file whose names it sees.
  var file: Int { script?.file ?? place.file }
}

/// What the engine answers to a job, or asks of the runner on the way.
enum ScriptStep: Sendable {
  /// A script wants something of the network or its cookies, and waits.
  case outside(ScriptCall)
  case done(ScriptOutcome)
  case values(ExpressionOutcome)
  case failed(ScriptEngineFailure)
}

extension RunState {
  /// Opens the session and the context of a file, where they aren't open; gives the failure where
  /// no script may run, or can.
  mutating func openScripts(_ file: Int, _ services: RunServices) async -> Failure? {
    if let failure = await trustScripts(services) { return failure }
    if scripts.session == nil {
      do throws(ScriptEngineFailure) {
        scripts.session = try await services.scripts.session(
          input.scriptLimits, seed: input.seed, now: input.seed.map { _ in RunInput.seededTime })
      } catch {
        return Failure(error == .cancelled ? .cancelled : .scriptFailed, error.message)
      }
    }
    guard scripts.opened.insert(file).inserted, let session = scripts.session else { return nil }
    let names = scope.environments.active.map { [$0] } ?? []
    let dialect = scope.dialect(of: file)
    var context = ScriptContext(
      number: file, file: file == 0 ? input.file : scope.files.files[file].path,
      root: input.workspace.root, dialect: dialect.preset.rawValue, environment: names)
    context.runsTestsLast = dialect.runsTestsLast
    await session.open(context)
    return nil
  }

  /// Ends the session.
  mutating func closeScripts() async {
    await scripts.session?.close()
    scripts.session = nil
  }

  /// The number of the next job.
  mutating func nextJob() -> Int {
    scripts.jobs += 1
    return scripts.jobs
  }

  /// Waits for what a job comes to; what it prints and most of what it asks is dealt with here.
  mutating func nextStep(
    _ job: Int, _ caller: ScriptCaller, _ services: RunServices
  ) async -> ScriptStep {
    guard let session = scripts.session else { return .failed(.broken("No script runs.")) }
    while true {
      switch await nextEvent(job, session) {
      case .call(let call) where call.job != job: scripts.deferred.append(call)
      case .call(let call) where RunState.outsideCalls.contains(call.name): return .outside(call)
      case .call(let call):
        let answer = await answer(call, caller, services)
        await session.answer(call, answer)
      case .log(_, let lines): note(lines, caller)
      case .done(let outcome): if outcome.id == job { return .done(outcome) }
      case .values(let outcome):
        if outcome.id == job { return .values(outcome) }
        if outcome.id == scripts.ahead?.job { scripts.ahead?.outcome = outcome }
      case .checked: break
      case .failed(let failure):
        loseEngine()
        return .failed(failure)
      }
    }
  }

  /// The calls that take more than what a run knows.
  private static let outsideCalls: Set<String> = ["execute", "cookies", "sendRequest"]

  /// What a job asked while another one ran, else what comes next.
  private mutating func nextEvent(_ job: Int, _ session: any ScriptSession) async -> ScriptEvent {
    if let place = scripts.deferred.firstIndex(where: { $0.job == job }), !Task.isCancelled {
      return .call(scripts.deferred.remove(at: place))
    }
    return await withTaskCancellationHandler {
      await session.next()
    } onCancel: {
      session.cancel()
    }
  }

  /// Forgets what the engine had, after it has ended: its next child has no contexts.
  private mutating func loseEngine() {
    scripts.opened = []
    scripts.deferred = []
    scripts.ahead = nil
    scripts.defined = [:]
    scripts.wasLost = true
    scope.scripted.functions = [:]
  }

  /// Keeps what a script has printed, with secrets masked, and tells of it.
  private mutating func note(_ lines: [ScriptLine], _ caller: ScriptCaller) {
    let mask = mask
    let own = path(ofScriptFile: caller.place.file)
    let shown = lines.map { line in
      var shown = OutputLine(
        level: line.level, text: mask.mask(line.text).text, line: line.line)
      if line.file != own { shown.path = line.file }
      return shown
    }
    scripts.output += shown
    scripts.tell?(.output(caller.place, shown))
  }

  /// The path by which scripts know a file.
  func path(ofScriptFile file: Int) -> String {
    file == 0 ? input.file : scope.files.files[file].path
  }

  /// Where a byte of a file stands, as scripts count.
  func scriptPlace(_ file: Int, at offset: Int) -> ScriptPlace {
    let document = scope.files.files[file].document
    let line = document.line(at: offset)
    let start = document.offset(ofLine: line) ?? 0
    let before = String(decoding: document.bytes[start..<max(start, offset)], as: UTF8.self)
    return ScriptPlace(
      file: path(ofScriptFile: file), line: line + 1, column: before.utf16.count + 1)
  }

  // MARK: - Failures

  /// What is wrong with a script, at its place in a file of the run or by its path.
  func problem(_ error: ScriptError, _ caller: ScriptCaller) -> EvaluationProblem {
    let name = error.name == "Error" || error.name.isEmpty ? "" : error.name + ": "
    var result = problem(mask.mask(name + error.message).text, at: error.place, caller)
    result.frames = error.frames.map {
      EvaluationProblem.Frame(path: $0.file, line: $0.line, column: $0.column)
    }
    return result
  }

  /// What the engine says of a script that it could not finish.
  func problem(_ failure: ScriptEngineFailure, _ caller: ScriptCaller) -> EvaluationProblem {
    problem(failure.message, at: nil, caller)
  }

  /// A sentence about a script at a place; without one at the script's beginning.
  func problem(
    _ sentence: String, at place: ScriptPlace?, _ caller: ScriptCaller
  ) -> EvaluationProblem {
    let block = scope.files.block(caller.place)
    let start = caller.script?.range ?? block.requestLine
    var result = EvaluationProblem(.scriptFailed(sentence), range: start)
    let file = caller.script?.file ?? caller.place.file
    if file != 0 { result = located(result, file) }
    let own = scope.files.files[0].document
    if let place, place.line > 0 {
      if place.file == input.file, let offset = own.offset(of: place) {
        result.range = offset..<offset
        (result.path, result.position) = (nil, nil)
      } else if !place.file.isEmpty {
        result.path = place.file
        result.position = position(of: place)
      }
    }
    if result.path == nil { result.position = own.position(of: result.range.lowerBound) }
    return result
  }

  /// A place in a file of its own, its column in bytes as everywhere in messages.
  private func position(of place: ScriptPlace) -> SourcePosition {
    guard case .bytes(let bytes) = input.workspace.scriptContent(place.file) else {
      return SourcePosition(line: place.line, column: place.column)
    }
    let text = ParsedDocument(bytes: bytes)
    return text.offset(of: place).map(text.position)
      ?? SourcePosition(line: place.line, column: place.column)
  }

  // MARK: - Trust

  /// Asks whether scripts may run, where nobody has said yet (SC-59).
  mutating func trustScripts(_ services: RunServices) async -> Failure? {
    if trust == .given { return nil }
    if trust == nil { trust = await services.trust(scriptNames.map(TrustSubject.script)) }
    if Task.isCancelled { return RunState.endedEarly }
    if trust == .given { return nil }
    let remedy = trust?.remedy.map { " \($0)." } ?? ""
    return Failure(
      .scriptFailed,
      "Nothing is sent: the request runs scripts, and \(input.workspace.root) is not trusted."
        + remedy,
      wasDeclined: trust?.wasDeclined == true)
  }

  /// The requests of the run whose scripts want to run, and the files of scripts.
  private var scriptNames: [String] {
    let places = input.blocks.map { RequestPlace(block: $0) }
    let titles = places.filter { place in
      scope.files.block(place).hasOwnScripts
    }.map { RunPlan.title(scope.files.block($0)) }
    return titles.isEmpty ? [input.file.split(separator: "/").last.map(String.init) ?? ""] : titles
  }
}

extension ParsedBlock {
  /// Whether a script or an expression stands in it.
  fileprivate var hasOwnScripts: Bool {
    !scripts.isEmpty
      || references.contains { if case .script = $0.expression { true } else { false } }
  }
}

extension ParsedDocument {
  /// The byte at a place of a script; `nil` where the text has fewer lines.
  fileprivate func offset(of place: ScriptPlace) -> Int? {
    guard let start = offset(ofLine: place.line - 1) else { return nil }
    let line = String(decoding: bytes[start...].prefix { $0 != 10 }, as: UTF8.self)
    let units = line.utf16.prefix(max(0, place.column - 1))
    return start + String(decoding: units, as: UTF16.self).utf8.count
  }

  /// The line and column of a byte.
  fileprivate func position(of offset: Int) -> SourcePosition {
    let line = line(at: offset)
    return SourcePosition(line: line + 1, column: offset - (self.offset(ofLine: line) ?? 0) + 1)
  }
}
