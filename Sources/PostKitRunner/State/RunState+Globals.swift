// Globals: what a request sets for all that come after it, in this file or another (PK-59).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON

extension RunState {
  /// Sets the globals whose definitions go before a request. One whose value can't be told is left
  /// as it is: the request has not needed it.
  mutating func setGlobals(before place: RequestPlace, _ services: RunServices) {
    for definition in globalsSet(by: place) {
      guard let (value, secrets) = value(of: definition, before: place, services) else { continue }
      setGlobal(definition.name, value, secrets)
    }
  }

  // While anything holds a copy of the scope, each global that is set copies all others; so these
  // two end before one is set.

  private func globalsSet(by place: RequestPlace) -> [VariableDefinition] {
    var scope = scope
    scope.file = place.file
    return scope.globalsSet(by: scope.files.block(place))
  }

  private mutating func value(
    of definition: VariableDefinition, before place: RequestPlace, _ services: RunServices
  ) -> (value: JSONValue, secrets: Set<String>)? {
    var evaluator = evaluator(place, services, "globals")
    guard let value = evaluator.value(of: definition, for: scope.files.block(place)) else {
      return nil
    }
    stable = evaluator.stable
    return (value, evaluator.secrets)
  }

  /// Sets one global; what was made of secrets, or has one in it, is a secret itself.
  mutating func setGlobal(_ name: String, _ value: JSONValue, _ secrets: Set<String>) {
    addSecrets(secrets)
    let isSecret = !secrets.isEmpty || mask.mask(value.text).text != value.text
    scope.globals[name] = GlobalValue(value, isSecret: isSecret)
  }
}
