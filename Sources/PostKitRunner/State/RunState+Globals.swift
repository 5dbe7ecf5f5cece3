// Globals: what a request sets for all that come after it, in this file or another (PK-59).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON

extension RunState {
  /// Sets the globals whose definitions go before a request. One whose value can't be told is left
  /// as it is: the request has not needed it.
  mutating func setGlobals(before place: RequestPlace, _ services: RunServices) {
    let block = scope.files.block(place)
    var scope = scope
    scope.file = place.file
    for definition in scope.globalsSet(by: block) {
      var evaluator = evaluator(place, services, "globals")
      guard let value = evaluator.value(of: definition, for: block) else { continue }
      stable = evaluator.stable
      setGlobal(definition.name, value, evaluator.secrets)
    }
  }

  /// Sets one global; what was made of secrets, or has one in it, is a secret itself.
  mutating func setGlobal(_ name: String, _ value: JSONValue, _ secrets: Set<String>) {
    addSecrets(secrets)
    let isSecret = !secrets.isEmpty || mask.mask(value.text).text != value.text
    scope.globals[name] = GlobalValue(value, isSecret: isSecret)
  }
}
