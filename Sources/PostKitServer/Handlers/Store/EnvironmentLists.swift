// Environments and variables for pickers and tree views.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The handlers of `postkit/environments` and `postkit/variables`.
enum EnvironmentLists {
  /// `postkit/environments`.
  static func environments(
    _ snapshot: Snapshot, _ params: LSP.PostkitEnvironmentsParams
  ) async throws(RPCError) -> LSP.PostkitEnvironmentsResult {
    LSP.PostkitEnvironmentsResult(
      items: await environments(snapshot, params.textDocument?.uri),
      stored: await storedEnvironments(snapshot))
  }

  /// The environments that the store keeps for stored requests, secrets masked.
  static func storedEnvironments(_ snapshot: Snapshot) async -> [LSP.PostkitStoredEnvironment] {
    guard let store = await snapshot.store.existing() else { return [] }
    do throws(StoreFailure) {
      return try await store.environmentsWithOwners().map { item, collection in
        LSP.PostkitStoredEnvironment(
          id: item.environment.id, name: item.environment.name, collection: collection?.name,
          active: collection?.activeEnvironmentID == item.environment.id,
          variables: item.variables.map {
            LSP.PostkitStoredVariable(
              id: $0.id, name: $0.key, value: $0.value?.shown, masked: $0.isSecret)
          })
      }
    } catch {
      Log.warning("The stored environments can't be read: \(error.message)")
      return []
    }
  }

  /// The environments around a document, or of all folders: those of the same name in several are
  /// told as one.
  static func environments(
    _ snapshot: Snapshot, _ uri: String?
  ) async -> [LSP.PostkitEnvironment] {
    if let uri { return await environments(snapshot, around: DocumentURI(uri)) }
    let folders = snapshot.folders.compactMap(\.uri.path)
    var result: [LSP.PostkitEnvironment] = []
    for folder in folders.isEmpty ? [FileSystem.homeDirectory] : folders {
      let place = DocumentURI(path: FilePath.join(folder, "x.http"))
      for item in await environments(snapshot, around: place) {
        guard let index = result.firstIndex(where: { $0.name == item.name }) else {
          result.append(item)
          continue
        }
        result[index].files += item.files.filter { !result[index].files.contains($0) }
        result[index].active = result[index].active || item.active
        result[index].confirm = result[index].confirm ?? item.confirm
      }
    }
    return result
  }

  private static func environments(
    _ snapshot: Snapshot, around place: DocumentURI
  ) async -> [LSP.PostkitEnvironment] {
    let folder = snapshot.folder(of: place)
    let workspace = await snapshot.readableWorkspace(of: place)
    let settings = snapshot.settings(of: workspace).settings
    await snapshot.waitForStore()
    let active = await snapshot.activeEnvironment(folder, settings)
    let files = EnvironmentSources(workspace.environmentSources(active: active))
    return files.set(active: active).names.map { name in
      LSP.PostkitEnvironment(
        name: name, files: files.paths(defining: name), active: name == active,
        confirm: files.set(active: name).asksFirst ? true : nil)
    }
  }

  /// `postkit/variables`: what can be used at a place, secrets masked.
  static func variables(
    _ snapshot: Snapshot, _ params: LSP.PostkitVariablesParams
  ) async throws(RPCError) -> LSP.PostkitVariablesResult {
    guard snapshot.holdsRequests(DocumentURI(params.textDocument.uri)) else {
      return LSP.PostkitVariablesResult(items: [])
    }
    let document = try await snapshot.sendable(params.textDocument.uri)
    let revealed = Set(params.reveal ?? [])
    var context = await snapshot.context(of: document, environment: params.environment)
    if !revealed.isEmpty {
      // Masks stand for the secrets of stored environments until somebody needs the values.
      do throws(StoreFailure) { context = try await context.withSecrets(snapshot) } catch {
        throw RPCError(error)
      }
    }
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let offset = params.position.map { context.converter(snapshot).offset($0) }
      ?? document.text.bytes.count
    return LSP.PostkitVariablesResult(
      items: analysis.scope.definitions(at: offset).map { definition in
        let isHidden = definition.isSecret && !revealed.contains(definition.name)
        if definition.isSecret, !isHidden {
          Log.info("The value of \(definition.name) was revealed to the client.")
        }
        let file = definition.origin.path.isEmpty && definition.origin.layer == .file
          ? context.file : definition.origin.path
        return LSP.PostkitVariable(
          name: definition.name, value: isHidden ? nil : definition.shownText,
          masked: isHidden,
          origin: LSP.PostkitVariableOrigin(file: file, line: definition.origin.line))
      })
  }
}
