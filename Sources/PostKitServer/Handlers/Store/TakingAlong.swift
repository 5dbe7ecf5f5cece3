// A request that is saved leaves the variables of its file behind. They are offered to its
// collection.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitText
import PostKitTransfer

/// What a saved request takes along of its file.
enum TakingAlong {
  /// Asks whether the variables that a saved request lacks become variables of its collection.
  static func offer(
    _ snapshot: Snapshot, _ operation: LSP.PostkitEditOperation, saved id: String?, as name: String
  ) async {
    guard let id, let uri = operation.uri else { return }
    do throws(RPCError) {
      let context = await snapshot.context(of: try await snapshot.sendable(uri))
      let block = try Sending.block(
        snapshot, context,
        SendOrder(uri: uri, position: operation.position, name: operation.name))
      let needed = FileVariables.needed(
        by: block, in: context.document.parsed, context.dialect)
      let variables = try await lacking(snapshot, id, of: needed)
      guard !variables.isEmpty else { return }
      let names = variables.map { "`\($0.name)`" }
      let choice = await Asking.choose(
        snapshot.client,
        "`\(name)` reads \(names.listed("and")) of its file. "
          + "Copy \(names.count == 1 ? "it" : "them") into the collection's environment?",
        ["Copy", "Leave out"])
      guard choice == .button(0) else { return }
      try await copy(snapshot, variables, to: id, environment: context.environment)
    } catch {
      snapshot.client.showMessage(.warning, "The variables were not copied: \(error.message)")
    }
  }

  /// Those of some variables that the stored request does not find.
  private static func lacking(
    _ snapshot: Snapshot, _ id: String, of needed: [FileVariables.Variable]
  ) async throws(RPCError) -> [FileVariables.Variable] {
    guard !needed.isEmpty else { return [] }
    let document = try await snapshot.sendable(StoredRequestFile.historyName(of: id))
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let end = document.text.bytes.count
    return needed.filter { analysis.scope.lookup($0.name, at: end) == nil }
  }

  /// The name of the environment that a collection gets where none is in use.
  private static let newEnvironment = "default"

  /// Puts variables into the environment that the collection uses; else into one with the name of
  /// that of the file, which is then in force by its name; else into a new one, which it uses from
  /// then on. A variable that somebody has defined there meanwhile stays as it is.
  private static func copy(
    _ snapshot: Snapshot, _ variables: [FileVariables.Variable], to request: String,
    environment: String?
  ) async throws(RPCError) {
    guard let store = await snapshot.services.store.store() else { return }
    let names = EnvironmentSet.selected(environment).filter { !$0.hasPrefix("$") }
    let made = (environment: Identifier.next(), variables: variables.map { _ in Identifier.next() })
    do throws(StoreFailure) {
      try await CollectionEditor(store).edit { reader throws(StoreFailure) in
        guard let row = try reader.request(id: request),
          case .collection(let collection) = try reader.item(id: row.collectionID)
        else { return CollectionPlan([]) }
        let known = try reader.environments(of: collection.id)
        let active = try collection.activeEnvironmentID.flatMap { id throws(StoreFailure) in
          try reader.environment(id: id)
        }
        let target = active ?? known.first { $0.environment.name == names.first ?? newEnvironment }
        var edits: [CollectionEdit] = []
        let owner = target?.environment.id ?? made.environment
        if target == nil {
          edits.append(
            .createEnvironment(
              id: owner, name: names.first ?? newEnvironment, collection: collection.id))
        }
        var secrets: [String: String] = [:]
        let taken = Set(target?.variables.map(\.key) ?? [])
        for (variable, id) in zip(variables, made.variables) where !taken.contains(variable.name) {
          if variable.isSecret { secrets[id] = variable.value }
          edits.append(
            .createVariable(
              id: id, key: variable.name,
              value: variable.isSecret ? .secret : .plain(variable.value),
              environment: owner))
        }
        if active == nil, names.isEmpty {
          edits.append(.activate(environment: owner, collection: collection.id))
        }
        return CollectionPlan(edits, secrets: secrets)
      }
    } catch {
      throw RPCError(error)
    }
  }
}
