// What scripts change in a run (SC-17).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSyntax
import PostKitText

extension RunState {
  /// Applies what a script of a request has changed.
  mutating func apply(
    _ effects: ScriptEffects, of script: PlannedScript?, _ place: RequestPlace,
    _ turn: inout ScriptTurn
  ) {
    noteSecrets(effects)
    noteNames(effects)
    let file = script?.file ?? place.file
    apply(exports: effects.exports, functions: effects.exportedFunctions, file, place, script)
    if !effects.request.isEmpty {
      apply(effects.request, to: &scripts.requestVariables[place, default: [:]])
      scope.scripted.request = scripts.requestVariables[place] ?? [:]
    }
    applyGlobals(effects.globals)
    applyHeaders(effects.headers)
    if !effects.environment.isEmpty { apply(effects.environment, to: &scope.scripted.overlay) }
    if !effects.collection.isEmpty {
      apply(effects.collection, to: &scope.scripted.collection[place.file, default: [:]])
      if scope.scripted.collection[place.file]?.isEmpty == true {
        scope.scripted.collection[place.file] = nil
      }
    }
    if effects.exports.set.contains(where: { $0.key == "$cancel" && $0.value != false }) {
      turn.skip = turn.skip ?? "a script cancels it"
    }
    for changes in effects.ofVariables where turn.assigned.count < RunState.notedAssignments {
      turn.assigned += changes.set
    }
    turn.display = effects.display ?? turn.display
    turn.next = effects.next ?? turn.next
    turn.stopsRun = turn.stopsRun || effects.stopsRun
  }

  /// Changes a template before it is substituted.
  mutating func change(template mutation: ScriptEffects.Mutation) {
    var change = TemplateChange()
    change.url = mutation.url
    change.method = mutation.method
    change.headers = mutation.headers
    change.body = mutation.body
    if change == TemplateChange() { return }
    var whole = scope.scripted.change ?? TemplateChange()
    whole.merge(change)
    scope.scripted.change = whole
  }

  private mutating func apply(
    exports changes: ScriptEffects.Changes, functions: [String], _ file: Int,
    _ place: RequestPlace, _ script: PlannedScript?
  ) {
    if changes.isEmpty && functions.isEmpty { return }
    let offset = script?.range.lowerBound ?? 0
    var exports = scope.scripted.exports[file] ?? [:]
    for name in changes.unset { exports[name] = nil }
    for member in changes.set where member.key != "$cancel" {
      exports[member.key] = ScriptedValues.Export(member.value, offset: offset)
      scope.scripted.functions[place.file]?.remove(member.key)
    }
    for name in functions { exports[name] = nil }
    scope.scripted.exports[file] = exports.isEmpty ? nil : exports
    if !functions.isEmpty {
      scope.scripted.functions[place.file, default: []].formUnion(functions)
    }
  }

  private func apply(_ changes: ScriptEffects.Changes, to store: inout [String: JSONValue]) {
    if changes.isEmpty { return }
    if changes.clears { store = [:] }
    for name in changes.unset { store[name] = nil }
    for member in changes.set { store[member.key] = member.value }
  }

  private mutating func applyGlobals(_ changes: ScriptEffects.Changes) {
    if changes.isEmpty { return }
    if changes.clears {
      scope.globals = scope.globals.filter { $0.key == Scope.globalHeaders }
    }
    for name in changes.unset { scope.globals[name] = nil }
    for member in changes.set {
      let isSecret = VariableDefinition.nameIsSecret(member.key)
      setGlobal(member.key, member.value, isSecret ? Set(member.value.secretTexts) : [])
    }
  }

  /// Headers for all later requests; names match without case.
  private mutating func applyHeaders(_ changes: ScriptEffects.Changes) {
    if changes.isEmpty { return }
    var members: [JSONMember] = []
    if !changes.clears, case .object(let kept)? = scope.globals[Scope.globalHeaders]?.value {
      members = kept
    }
    for name in changes.unset + changes.set.map(\.key) {
      members.removeAll { $0.key.equalsIgnoringASCIICase(name) }
    }
    members += changes.set
    let isSecret = members.contains { SecretMask.isAlwaysMasked($0.key) }
    for member in members where SecretMask.isAlwaysMasked(member.key) {
      addSecrets(member.value.secretTexts)
    }
    scope.globals[Scope.globalHeaders] =
      members.isEmpty ? nil : GlobalValue(.object(members), isSecret: isSecret)
  }

  /// Names that are new, which may not be identifiers.
  private mutating func noteNames(_ effects: ScriptEffects) {
    let all = [
      effects.exports, effects.request, effects.globals, effects.environment, effects.collection,
    ]
    for file in scripts.foldedNames.keys {
      for changes in all {
        for member in changes.set { scripts.foldedNames[file]?.add(member.key) }
      }
    }
  }

  /// What the scripts of the turn have set, as it may be shown.
  var assigned: [AssignedValue] {
    scripts.turn.assigned.map { member in
      let isSecret = VariableDefinition.nameIsSecret(member.key)
      let text = isSecret ? SecretMask.text : mask.mask(member.value.text).text
      return AssignedValue(name: member.key, text: text.excerpt)
    }
  }

  /// So many values of a turn are kept to be shown, those of a script that passes it included.
  private static let notedAssignments = 1_000

  /// Values that are named like secrets are secrets (SC-44).
  private mutating func noteSecrets(_ effects: ScriptEffects) {
    for changes in [effects.exports, effects.request, effects.environment, effects.collection] {
      for member in changes.set where VariableDefinition.nameIsSecret(member.key) {
        addSecrets(member.value.secretTexts)
      }
    }
  }
}

extension ScriptEffects {
  /// The changes of all variables.
  fileprivate var ofVariables: [Changes] { [exports, request, globals, environment, collection] }
}

extension JSONValue {
  /// The texts in a value that a mask can find.
  var secretTexts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.secretTexts)
    case .object(let members): members.flatMap(\.value.secretTexts)
    case .null, .bool, .number: []
    }
  }
}
