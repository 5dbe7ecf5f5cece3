// A request that is saved leaves the variables of its file behind. They are offered to its
// collection.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitText
import PostKitTransfer

/// What a saved request takes along of its file.
enum MissingVariables {
  /// Asks whether the variables that a saved request lacks become variables of its collection.
  static func offer(
    _ snapshot: Snapshot, _ operation: LSP.PostkitEditOperation, saved id: String?, as name: String
  ) async {
    guard let id, let uri = operation.uri else { return }
    do throws(RPCError) {
      let context = await snapshot.context(of: try await snapshot.sendable(uri))
      let block = try SendRequests.block(
        snapshot, context,
        SendOrder(uri: uri, position: operation.position, name: operation.name))
      let needed = FileVariables.needed(
        by: block, in: context.document.parsed, context.dialect)
      let variables = try await lacking(snapshot, id, of: needed)
      guard !variables.isEmpty else { return }
      let names = variables.map { "`\($0.name)`" }
      let choice = await UserQuestions.choose(
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

  /// Puts variables into the environment that the collection of a request uses, see `VariableCopy`.
  private static func copy(
    _ snapshot: Snapshot, _ variables: [FileVariables.Variable], to request: String,
    environment: String?
  ) async throws(RPCError) {
    guard let store = await snapshot.store.store() else { return }
    let copy = VariableCopy(variables, environment: environment)
    _ = try await RPCError.ofStore { () throws(StoreFailure) in
      try await CollectionEditor(store).edit { reader throws(StoreFailure) in
        try copy.plan(for: request, reader)
      }
    }
  }
}
