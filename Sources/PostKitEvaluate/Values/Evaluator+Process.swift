// Values of the process environment (PK-53), and whose text names them: in a folder that isn't
// trusted only the text that is sent may read those that are secret.

import PostKitJSON

extension Evaluator {
  /// The file that holds a definition; `nil` for the one that was asked for, and where no file
  /// does.
  func path(of definition: VariableDefinition) -> String? {
    if definition.origin.layer == .file {
      return scope.file == 0 ? nil : scope.files.files[scope.file].path
    }
    return definition.origin.path.isEmpty ? nil : definition.origin.path
  }

  /// Expands what another file says; what it names is not named by the text that is sent.
  mutating func within<Result>(_ path: String?, _ work: (inout Evaluator) -> Result) -> Result {
    let outer = textPath
    textPath = path
    defer { textPath = outer }
    return work(&self)
  }

  /// The name of a variable of the environment, and the file that says it: `%NAME` looks the real
  /// name up first (PK-52, PK-53).
  mutating func environmentName(
    _ written: String, at offset: Int
  ) -> (name: String, path: String?) {
    guard written.hasPrefix("%") else { return (written, textPath) }
    let key = String(written.dropFirst())
    guard let definition = definition(key, at: offset) else { return (key, textPath) }
    return (definition.value.substitutionText, path(of: definition))
  }

  /// The value of a variable that a name of its own reads, as some tools do; `nil` where the
  /// process has none.
  mutating func processValue(_ name: String) -> Resolution? {
    guard let value = context.processEnvironment(name) else { return nil }
    if let kind = withheld(name, namedIn: textPath) { return .unresolved(kind) }
    return .value(.string(shown(value, isSecret: VariableDefinition.nameIsSecret(name))))
  }

  /// The value of a variable that a script names which stands in a file; `nil` where the process
  /// has none, or the file may not read it.
  package mutating func processVariable(_ name: String, namedIn path: String?) -> String? {
    guard let value = context.processEnvironment(name), withheld(name, namedIn: path) == nil else {
      return nil
    }
    return shown(value, isSecret: VariableDefinition.nameIsSecret(name))
  }

  /// Why a variable of the process that a file names is not read; `nil` where it may be.
  func withheld(_ name: String, namedIn path: String?) -> EvaluationProblem.Kind? {
    guard let path, VariableDefinition.nameIsSecret(name),
      context.processEnvironment(name) != nil,
      let explanation = context.processRefusal(path)
    else { return nil }
    return .processVariableWithheld(name: name, path: path, explanation: explanation)
  }

  /// Says of a variable that the process environment doesn't have that it is empty (PK-53).
  mutating func checkProcessVariable(_ name: String, at range: Range<Int>) {
    guard context.processEnvironment(name) == nil else { return }
    let isError = scope.dialect.preset == .visualstudio
    report(.processVariableMissing(name), range, isError ? .error : .warning)
  }
}
