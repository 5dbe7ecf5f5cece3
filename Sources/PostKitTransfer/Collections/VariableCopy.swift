// Variables of a file that become those of a collection, with the request that needs them.

import PostKitEvaluate
package import PostKitStore
import PostKitSupport

/// A decision to put variables into the environment that a collection uses; else into one with the
/// name of that of the file, which is then in force by its name; else into a new one, which the
/// collection uses from then on. A variable that is defined there, or that the defaults around the
/// request give, stays as it is.
package struct VariableCopy: Sendable {
  /// What was copied, and into which environment.
  package struct Outcome: Sendable, Hashable {
    package var names: [String] = []
    package var environment = ""
  }

  private let variables: [FileVariables.Variable]
  private let names: [String]
  private let environmentID = Identifier.next()
  private let variableIDs: [String]

  /// The name of the environment that a collection gets where none is in use.
  private static let newEnvironment = "default"

  /// Decides on variables of a file with which an environment is in force.
  package init(_ variables: [FileVariables.Variable], environment: String?) {
    self.variables = variables
    names = EnvironmentSet.selected(environment).filter { !$0.hasPrefix("$") }
    variableIDs = variables.map { _ in Identifier.next() }
  }

  /// The plan for the collection of a stored request.
  package func plan(
    for request: String, _ reader: CollectionReader
  ) throws(StoreFailure) -> CollectionPlan<Outcome> {
    guard let row = try reader.request(id: request),
      case .collection(let collection) = try reader.item(id: row.collectionID)
    else { return CollectionPlan([], value: Outcome()) }
    let known = try reader.environments(of: collection.id)
    let active = try collection.activeEnvironmentID.flatMap { id throws(StoreFailure) in
      try reader.environment(id: id)
    }
    let name = names.first ?? VariableCopy.newEnvironment
    let target = active ?? known.first { $0.environment.name == name }
    var edits: [CollectionEdit] = []
    let owner = target?.environment.id ?? environmentID
    if target == nil {
      edits.append(.createEnvironment(id: owner, name: name, collection: collection.id))
    }
    var secrets: [String: String] = [:]
    var outcome = Outcome(environment: target?.environment.name ?? name)
    let taken = Set(target?.variables.map(\.key) ?? [])
      .union(try reader.variables(givenTo: row).defaults)
    if target == nil || active != nil, variables.allSatisfy({ taken.contains($0.name) }) {
      return CollectionPlan([], value: outcome)
    }
    for (variable, id) in zip(variables, variableIDs) where !taken.contains(variable.name) {
      if variable.isSecret { secrets[id] = variable.value }
      outcome.names.append(variable.name)
      edits.append(
        .createVariable(
          id: id, key: variable.name,
          value: variable.isSecret ? .secret : .plain(variable.value), environment: owner))
    }
    if active == nil, names.isEmpty {
      edits.append(.activate(environment: owner, collection: collection.id))
    }
    return CollectionPlan(edits, secrets: secrets, value: outcome)
  }
}
