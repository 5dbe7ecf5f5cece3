// Choosing the environment of a workspace folder.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport

/// The active environment, kept per folder and shared by all editors (CONTRACTS.md, section 3).
enum Environments {
  /// `postkit.selectEnvironment`; without an argument the user is shown the names.
  static func select(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> LSP.PostkitSelectEnvironmentResult {
    await snapshot.waitForStore()
    let folder: String?
    let name: String?
    if let argument {
      let meant = try ExecuteCommand.decode(LSP.PostkitSelectEnvironmentArguments.self, argument)
      let named = try meant.folder.map { uri throws(RPCError) in try path(uri) }
      folder = named ?? defaultFolder(snapshot)
      name = meant.name.flatMap { $0.isEmpty ? nil : $0 }
    } else {
      folder = defaultFolder(snapshot)
      guard let chosen = try await choose(snapshot, folder) else {
        let settings = await snapshot.settings(folder: folder)
        return LSP.PostkitSelectEnvironmentResult(
          active: await snapshot.activeEnvironment(folder, settings))
      }
      name = chosen.isEmpty ? nil : chosen
    }
    if let name {
      let known = await names(snapshot, folder)
      guard known.contains(name) else {
        let list = known.isEmpty ? "None is defined." : "Known: \(known.joined(separator: ", "))."
        throw RPCError(
          .invalidParams, "Environment `\(name)` not found. \(list)")
      }
    }
    await keep(snapshot, name, folder)
    return LSP.PostkitSelectEnvironmentResult(active: name)
  }

  /// The command that chooses an environment for a document: for the folder of a file, for the
  /// collection of a stored request. `nil` where the choice would change nothing, as the collection
  /// uses one of its own.
  static func command(
    _ title: String, _ name: String, _ snapshot: Snapshot, _ context: DocumentContext
  ) -> LSP.Command? {
    let own = snapshot.initialization
    if let stored = context.stored {
      if let id = stored.environmentID(named: name) {
        return CommandID.collectionEdit.command(
          title, own,
          LSP.PostkitEditOperation(
            op: .selectEnvironment, id: stored.collection.id, environment: id))
      }
      if stored.activeEnvironment != nil { return nil }
    }
    let folder = snapshot.folder(of: DocumentURI(path: context.workspace.file))
    return CommandID.selectEnvironment.command(
      title, own,
      LSP.PostkitSelectEnvironmentArguments(
        name: name, folder: folder.map { DocumentURI(path: $0).spelling }))
  }

  private static func path(_ uri: String) throws(RPCError) -> String {
    guard let path = DocumentURI(uri).path else {
      throw RPCError(.invalidParams, "params.arguments[0].folder: expected a file: URI.")
    }
    return FilePath.normalise(path)
  }

  private static func defaultFolder(_ snapshot: Snapshot) -> String? {
    if let caret = snapshot.lastCaret, let folder = snapshot.folder(of: DocumentURI(caret.uri)) {
      return folder
    }
    return snapshot.folders.first?.uri.path.map(FilePath.normalise)
  }

  /// The environments of a folder: those at its top, and those beside its open documents.
  static func names(_ snapshot: Snapshot, _ folder: String?) async -> [String] {
    var names: [String] = []
    var places = snapshot.documents.all.map(\.uri).filter { snapshot.folder(of: $0) == folder }
    if let folder { places.insert(DocumentURI(path: FilePath.join(folder, "x.http")), at: 0) }
    for uri in places {
      let workspace = await snapshot.readableWorkspace(of: uri)
      let sources = workspace.environmentSources(active: nil)
      for name in EnvironmentSet(sources: sources, active: nil).names where !names.contains(name) {
        names.append(name)
      }
    }
    return names
  }

  /// Lets the user choose with buttons; `nil` where nothing was chosen, empty for no environment.
  private static func choose(
    _ snapshot: Snapshot, _ folder: String?
  ) async throws(RPCError) -> String? {
    let names = await names(snapshot, folder)
    guard !names.isEmpty else {
      throw RPCError(
        .requestFailed,
        "No environments are defined. Create `http-client.env.json` with one.")
    }
    // An environment that is called like none is another.
    let none = "No environment"
    let titles = [none] + names.map { $0 == none ? "`\($0)`" : $0 }
    let place =
      snapshot.folders.count > 1 ? folder.map { " in `\(FilePath.name($0))`" } ?? "" : ""
    let choice = await UserQuestions.choose(
      snapshot.client, "Which environment should be used\(place)?", titles)
    switch choice {
    case .button(let index): return index == 0 ? "" : names[index - 1]
    case .nothing: return nil
    case .cannotAsk:
      throw RPCError(
        .requestFailed,
        "This editor can't ask. Give `postkit.selectEnvironment` a `name`: "
          + "\(names.joined(separator: ", ")).")
    }
  }

  /// Keeps the choice: in the store, else for this session.
  static func keep(_ snapshot: Snapshot, _ name: String?, _ folder: String?) async {
    let key = folder ?? ""
    defer {
      snapshot.events.post(.refresh(.everything))
      snapshot.events.post(.statusChanged)
    }
    let session = snapshot.session
    let settings = await snapshot.settings(folder: folder)
    guard settings[.environmentScope] != .window, let store = await snapshot.store.store()
    else { return session.update { $0.memory.choose(name, folder: key) } }
    session.update { values in
      values.memory.leaveEnvironment(folder: key)
      values.choices.begin(folder: key)
    }
    do throws(StoreFailure) {
      try await store.setSessionValue(SessionKey.environment.text, folder: key, to: name ?? "")
    } catch {
      session.update { $0.memory.choose(name, folder: key) }
      snapshot.store.complain(
        "The environment is selected for this session only: \(error.message)")
    }
    session.update { $0.choices.end(name ?? "", folder: key) }
  }

  /// Notes what is chosen in the store, and tells where another editor has chosen otherwise
  /// meanwhile. Nobody is told who has no file of the folder open.
  static func followOthers(_ snapshot: Snapshot) async {
    guard let store = await snapshot.store.existing() else { return }
    let session = snapshot.session
    for folder in snapshot.folders.compactMap(\.uri.path).map(FilePath.normalise) {
      let look = session.update { $0.choices.look() }
      // What can't be read is told by whoever needs it.
      guard
        let stored = try? await store.sessionValue(
          SessionKey.environment.text, folder: folder) ?? "",
        session.update({ $0.choices.see(stored, folder: folder, in: look) }),
        session.memory.environment(folder: folder) == nil,
        await snapshot.settings(folder: folder)[.environmentScope] != .window,
        snapshot.documents.all.contains(where: { snapshot.folder(of: $0.uri) == folder })
      else { continue }
      let name = stored.isEmpty ? "no environment" : "`\(stored)`"
      snapshot.client.showMessage(
        .info, "Another editor selected \(name) for `\(FilePath.name(folder))`.")
    }
  }
}
