// What the secrets of a request are called in a copy of it.

package import PostKitEvaluate

extension CopySecret {
  /// The secrets of a request, each with the name of the variable that has it; others, among them
  /// `more` that nothing in the request names, are called what they are.
  package static func all(
    of lowered: LoweredRequest, and more: some Sequence<String>, at offset: Int,
    _ context: EvaluationContext, _ scope: Scope
  ) -> [CopySecret] {
    var unnamed = lowered.secrets.union(more)
    var named: [CopySecret] = []
    for name in lowered.names.sorted() {
      var evaluator = Evaluator(context: context, scope: scope)
      let value = evaluator.display("{{\(name)}}", at: offset)
      if unnamed.remove(value) != nil { named.append(CopySecret(variable: name, value: value)) }
    }
    // Nobody has them yet: who runs the copy does.
    named += lowered.needs.compactMap(\.token).map {
      CopySecret(variable: $0.standIn, value: $0.standIn)
    }
    return named + unnamed.sorted().map { CopySecret(variable: "SECRET", value: $0) }
  }
}
