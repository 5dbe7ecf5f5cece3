// Which scripts run for a request, and in which order (SC-25).

import PostKitEvaluate
import PostKitScripting
import PostKitSyntax

/// A script at its place in the files of a run.
struct PlannedScript: Sendable {
  /// The file among those of the run.
  var file: Int
  var block: ParsedBlock
  var syntax: ScriptSyntax

  /// Which form of script it is, which decides what some names mean (SC-2).
  var family: ScriptFamily { syntax.kind == .block ? .httpyac : .jetbrains }
  /// Where it stands in its file.
  var range: Range<Int> { block.absolute(syntax.range) }
}

/// The scripts of one request in the order in which they run.
struct ScriptPlan: Sendable {
  /// Those of blocks without a request, once a request: of imported files, then of its own.
  private(set) var global: [PlannedScript] = []
  /// Before the request is substituted, each turn.
  private(set) var pre: [PlannedScript] = []
  /// Just before sending.
  private(set) var request: [PlannedScript] = []
  /// When the head of the response is there.
  private(set) var streaming: [PlannedScript] = []
  /// After the response: hooks and handlers.
  private(set) var response: [PlannedScript] = []
  /// Plain blocks below the request.
  private(set) var below: [PlannedScript] = []
  /// Before the response is displayed.
  private(set) var logging: [PlannedScript] = []
  /// At the end, whatever happened.
  private(set) var after: [PlannedScript] = []

  /// Whether nothing runs.
  var isEmpty: Bool {
    global.isEmpty && pre.isEmpty && request.isEmpty && streaming.isEmpty && response.isEmpty
      && below.isEmpty && logging.isEmpty && after.isEmpty
  }

  /// Whether anything runs in a turn.
  var hasTurns: Bool {
    !(pre.isEmpty && request.isEmpty && streaming.isEmpty && response.isEmpty && below.isEmpty
      && logging.isEmpty && after.isEmpty)
  }

  /// Whether anything runs that may see a response.
  var runsAfterSending: Bool {
    !(streaming.isEmpty && response.isEmpty && below.isEmpty && logging.isEmpty && after.isEmpty)
  }

  /// All scripts that run before the request is sent.
  var beforeSending: [PlannedScript] { global + pre + request }

  /// Makes the plan of a request.
  fileprivate init(_ place: RequestPlace, _ scope: Scope, _ files: [FileScripts?]) {
    for index in scope.files.files[place.file].visible.reversed() + [place.file] {
      if let scripts = files[index] { global += scripts.global }
    }
    guard let scripts = files[place.file] else { return }
    for script in scripts.forAll { addForAll(script) }
    let own = scope.files.block(place)
    for script in own.scripts
    where !script.isForAll && own.isRun(script, scope.dialect(of: place.file)) {
      addOwn(PlannedScript(file: place.file, block: own, syntax: script))
    }
  }

  private mutating func addForAll(_ script: PlannedScript) {
    switch script.syntax.event {
    case nil: pre.append(script)
    case .request: request.append(script)
    case .streaming: streaming.append(script)
    case .response: response.append(script)
    case .responseLogging: logging.append(script)
    case .after: after.append(script)
    }
  }

  private mutating func addOwn(_ script: PlannedScript) {
    switch script.syntax.phase {
    case .imports: break
    case .pre: pre.append(script)
    case .request: request.append(script)
    case .streaming: streaming.append(script)
    case .response:
      if script.syntax.isPlainBelow { below.append(script) } else { response.append(script) }
    case .logging: logging.append(script)
    case .after: after.append(script)
    }
  }
}

/// The scripts of a file that are no request's own.
struct FileScripts: Sendable {
  /// Those of blocks without a request, which go before each request.
  private(set) var global: [PlannedScript] = []
  /// Those that are a part of each request (`{{+`).
  private(set) var forAll: [PlannedScript] = []
  /// The `={% %}` block.
  private(set) var imports: PlannedScript?

  /// Finds the scripts of a file; `nil` where it has none at all.
  init?(_ file: Int, _ scope: Scope) {
    let document = scope.files.files[file].document
    guard document.blocks.hasAny(.scripts) else { return nil }
    let dialect = scope.dialect(of: file)
    for block in document.blocks.having(.scripts) {
      for script in block.scripts where block.isRun(script, dialect) {
        let planned = PlannedScript(file: file, block: block, syntax: script)
        if script.kind == .imports {
          imports = imports ?? planned
        } else if script.isForAll {
          forAll.append(planned)
        } else if !block.isRequest, script.phase == .pre, script.event == nil {
          global.append(planned)
        }
      }
    }
  }

  /// Finds the scripts of all files of a run.
  static func all(_ scope: Scope) -> [FileScripts?] {
    scope.files.files.indices.map { FileScripts($0, scope) }
  }
}

extension ParsedBlock {
  /// Whether a script is run: it isn't in Lua, the tool that is copied runs such scripts, and
  /// there is anything in it.
  fileprivate func isRun(_ script: ScriptSyntax, _ dialect: Dialect) -> Bool {
    if let text = script.text, slice(text).allSatisfy(\.isScriptBlank) { return false }
    return !isLua(script) && dialect.runs(script)
  }
}

extension UInt8 {
  /// Whether it is a blank or a line end.
  fileprivate var isScriptBlank: Bool { self == 32 || (9...13).contains(self) }
}

extension RunState {
  /// The plan of a request; `nil` where no file of it has a script.
  mutating func scriptPlan(_ place: RequestPlace) -> ScriptPlan? {
    guard hasScripts else { return nil }
    if let (known, plan) = scripts.plan, known == place { return plan }
    let made = ScriptPlan(place, scope, scripts.files)
    let plan = made.isEmpty ? nil : made
    scripts.plan = (place, plan)
    return plan
  }

  /// Scripts of a request that are left out.
  func luaProblems(_ place: RequestPlace) -> [EvaluationProblem] {
    guard hasScripts else { return [] }
    let block = scope.files.block(place)
    return block.scripts.filter(block.isLua).map {
      EvaluationProblem(.luaScript, range: block.absolute($0.range), severity: .warning)
    }
  }
}
