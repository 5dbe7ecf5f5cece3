// What a run remembers of loops and `run` lines while they last.

import PostKitEvaluate
import PostKitJSON
import PostKitSyntax

extension RunState {
  /// Gives the names of a turn their values; before the first turn, and after the last with `nil`.
  mutating func enter(_ turns: Repetitions, turn: Int?) {
    scope.loop = [:]
    scope.iteration = [:]
    if let turn { turns.enter(turn, &scope) }
  }

  /// Hands what the scripts of a turn have exported on to the next one.
  mutating func handOn(_ place: RequestPlace) {
    if hasScripts { scope.scripted.handOn(scope.files.block(place).range, in: place.file) }
  }

  /// After a loop `nameList` is the list of its responses.
  mutating func finishLoop(_ place: RequestPlace, count: Int) {
    if hasScripts { scope.scripted.endTurns(in: place.file) }
    guard let name = scope.files.block(place).name, readPlaces.contains(place) else { return }
    scope.afterResponse[name + "List"] = .array(
      (0..<count).compactMap { kept.ofTurns["\(name)\($0)"]?.value })
  }

  /// The values that a `run` line gives above all others but those of the command line.
  mutating func enter(
    _ directive: DirectiveSyntax, of place: RequestPlace, _ services: RunServices
  ) -> [String: String] {
    let outer = scope.overrides
    guard !directive.overrides.isEmpty else { return outer }
    let (values, _) = evaluate(place, services) { evaluator, block in
      directive.overrides.map { item in
        let range = block.absolute(item.value)
        return (block.text(item.name), evaluator.text(range, block))
      }
    }
    scope.overrides.merge(values) { _, new in new }
    scope.overrides.merge(input.overrides) { _, given in given }
    return outer
  }

  /// Takes the values of a `run` line back.
  mutating func leave(_ overrides: [String: String]) { scope.overrides = overrides }
}
