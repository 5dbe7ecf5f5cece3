// How `postkit collections` changes environments.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport

extension CollectionsCommand {
  // MARK: - Environments

  /// Sets a variable; an environment that is missing is made. A secret stays one until it is
  /// removed, so that no later value of it gets into the database.
  func set(_ operand: String) async throws(Arguments.Problem) -> Int32 {
    let asksForSecret = arguments.has("--secret")
    let equals = operand.firstIndex(of: "=")
    let key = String(operand[..<(equals ?? operand.endIndex)])
    guard let name = arguments.value("--env"), !key.isEmpty, equals != nil || asksForSecret else {
      throw Arguments.Problem(message: "usage: `\(CollectionsForm.set.usage)`")
    }
    return await withStore { store throws(Stop) in
      let text: String
      if let equals {
        text = String(operand[operand.index(after: equals)...])
      } else {
        text = try await secret(key)
      }
      let (newEnvironment, newVariable) = (Identifier.next(), Identifier.next())
      try await change(store) { reader throws(StoreFailure) in
        let owner = try chosenCollection(reader)
        var edits: [CollectionEdit] = []
        let known = try environment(name, of: owner, reader)
        let id = known?.environment.id ?? newEnvironment
        if known == nil {
          edits.append(.createEnvironment(id: id, name: name, collection: owner?.id))
        }
        // Of two with the key the secret one: its value must not be kept as a plain one.
        let namesakes = (known?.variables ?? []).filter { $0.key == key }
        let variable = namesakes.first(where: \.isSecret) ?? namesakes.first
        let variableID = variable?.id ?? newVariable
        let value = asksForSecret ? VariableValue.secret : .kept(text)
        edits.append(
          variable == nil
            ? .createVariable(id: variableID, key: key, value: value, environment: id)
            : .setVariable(id: variableID, value))
        // An older PostKit let a key be there twice; then only one of both could be seen to change.
        edits += namesakes.filter { $0.id != variableID }.map { .delete(id: $0.id) }
        return CollectionPlan(edits, secrets: asksForSecret ? [variableID: text] : [:])
      }
    }
  }

  /// The value of a secret that was not given among the arguments, where other programs could read
  /// it: asked for on a terminal, else the line on standard input.
  private func secret(_ key: String) async throws(Stop) -> String {
    if TerminalPrompt.canAsk {
      let prompt = Prompt(name: key, label: "Value of `\(key)`", isSecret: true)
      if let answer = await TerminalPrompt.ask(prompt) { return answer }
      throw .usage("the value of `\(key)` is missing")
    }
    do throws(FileFailure) {
      let bytes = try FileSystem.readStandardInput(limit: Limits.sourceFileBytes)
      return String(keeping: bytes.last == 10 ? Array(bytes.dropLast()) : bytes)
    } catch {
      throw .usage("\(error)")
    }
  }

  /// Removes a variable.
  func unset(_ key: String) async throws(Arguments.Problem) -> Int32 {
    guard let name = arguments.value("--env") else {
      throw Arguments.Problem(message: "usage: `\(CollectionsForm.unset.usage)`")
    }
    return await withStore { store throws(Stop) in
      try await change(store) { reader throws(StoreFailure) in
        let owner = try chosenCollection(reader)
        let found = try existingEnvironment(name, of: owner, reader)
        let edits = found.variables.filter { $0.key == key }
          .map { CollectionEdit.delete(id: $0.id) }
        guard !edits.isEmpty else {
          throw refused("the environment `\(name)` has no variable `\(key)`")
        }
        return CollectionPlan(edits)
      }
    }
  }

  /// Chooses the environment of a collection: one of its own, else a global one; none without a
  /// name.
  func use(_ path: String, _ name: String?, _ store: Store) async throws(Stop) {
    try await change(store) { reader throws(StoreFailure) in
      let owner = try collection(path, reader)
      var chosen: String?
      if let name, Identifier.isValid(name) {
        chosen = try existingEnvironment(name, of: nil, reader).environment.id
      } else if let name {
        if let own = try environment(name, of: owner, reader) {
          chosen = own.environment.id
        } else {
          chosen = try existingEnvironment(name, of: nil, reader).environment.id
        }
      }
      return CollectionPlan([.activate(environment: chosen, collection: owner.id)])
    }
  }
}
