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

  /// All scripts that run before the request is sent.
  var beforeSending: [PlannedScript] { global + pre + request }

  /// Makes the plan of a request. Scripts in Lua are left out.
  init(_ place: RequestPlace, _ scope: Scope) {
    let files = scope.files.files
    for index in files[place.file].visible.reversed() + [place.file] {
      let document = files[index].document
      guard document.blocks.hasAny(.scripts) else { continue }
      let dialect = scope.dialect(of: index)
      for block in document.blocks.having(.scripts) where !block.isRequest {
        add(block, index) {
          $0.phase == .pre && !$0.isForAll && $0.event == nil && dialect.runs($0)
        }
      }
    }
    let document = files[place.file].document
    guard document.blocks.hasAny(.scripts) else { return }
    let dialect = scope.dialect(of: place.file)
    for block in document.blocks.having(.scripts) {
      for script in block.scripts
      where script.isForAll && !block.isLua(script) && dialect.runs(script) {
        addForAll(PlannedScript(file: place.file, block: block, syntax: script))
      }
    }
    let own = scope.files.block(place)
    for script in own.scripts
    where !script.isForAll && !own.isLua(script) && dialect.runs(script) {
      addOwn(PlannedScript(file: place.file, block: own, syntax: script))
    }
  }

  private mutating func add(
    _ block: ParsedBlock, _ file: Int, where isWanted: (ScriptSyntax) -> Bool
  ) {
    for script in block.scripts where isWanted(script) && !block.isLua(script) {
      global.append(PlannedScript(file: file, block: block, syntax: script))
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

extension Dialect {
  /// Whether it runs a script (SC-1).
  fileprivate func runs(_ script: ScriptSyntax) -> Bool {
    script.kind == .block ? runsBlocks : runsHandlers
  }
}

extension RunState {
  /// The plan of a request; `nil` where no file of it has a script.
  func scriptPlan(_ place: RequestPlace) -> ScriptPlan? {
    guard hasScripts else { return nil }
    let plan = ScriptPlan(place, scope)
    return plan.isEmpty ? nil : plan
  }

  /// Scripts in Lua of a request, which are left out.
  func luaProblems(_ place: RequestPlace) -> [EvaluationProblem] {
    let block = scope.files.block(place)
    guard hasScripts else { return [] }
    return block.scripts.filter(block.isLua).map {
      EvaluationProblem(.luaScript, range: block.absolute($0.range), severity: .warning)
    }
  }
}
