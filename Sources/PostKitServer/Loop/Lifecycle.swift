// From initialize to exit, and the settings and folders of the session.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitSession
import PostKitStore
import PostKitSupport

/// The handlers of the session itself.
enum Lifecycle {
  /// Answers `initialize`: no disk, no database, no network before the reply.
  static func initialize(
    _ state: inout ServerState, _ params: LSP.InitializeParams
  ) throws(RPCError) -> LSP.InitializeResult {
    var profile = ClientProfile(params)
    if let own = params.initializationOptions?["postkit"] {
      state.initialization = options(own)
      if let said = state.initialization.executeCommands { profile.executesCommands = said }
    }
    state.client = ClientProxy(
      profile: profile, transport: state.transport, events: state.events.notices)
    state.settings = state.initialization.settings ?? .null
    state.trace = params.trace ?? .off
    let client = state.client
    let events = state.events
    state.store = StoreAccess(
      location: location(state.options, state.initialization.store),
      tell: { client.showMessage(.warning, $0) },
      healthChanged: { events.post(.statusChanged) },
      opened: {
        events.post(.refresh(.everything))
        events.post(.statusChanged)
      })
    let store = state.store
    state.scripts = ScriptHosts { store.note(.scripts, $0) }
    state.descriptions = Descriptions(store)
    if let folders = params.workspaceFolders {
      state.folders = folders.map(WorkspaceFolder.init)
    } else if let root = params.rootUri {
      state.folders = [WorkspaceFolder(uri: DocumentURI(root))]
    }
    if let pid = params.processId.flatMap(Int32.init(exactly:)) { state.watch?.follow(pid) }
    state.phase = .running
    return LSP.InitializeResult(
      capabilities: Capabilities.make(
        profile: profile, router: state.router, initialization: state.initialization),
      serverInfo: LSP.ServerInfo(name: "postkit", version: state.options.version))
  }

  /// Where the store is: as the command line says, else the client, else the environment.
  static func location(_ options: ServerOptions, _ store: String?) -> StoreLocation {
    if let directory = options.storeDirectory ?? store {
      return StoreLocation(directory: FileSystem.absolute(directory))
    }
    return StoreLocation(environment: { ProcessEnvironment.value($0) })
  }

  /// Our part of the initialization options; what can't be understood is said and left out.
  private static func options(_ value: JSONValue) -> LSP.PostkitInitializationOptions {
    do throws(JSONSyntaxError) {
      let view = try JSONTree(parsing: value.bytes).root
      do throws(DecodingFailure) {
        return try LSP.PostkitInitializationOptions(decoding: view)
      } catch {
        Log.warning("initializationOptions.postkit is ignored: \(error)")
      }
    } catch {
      bug("a JSON value can't be read back: \(error)")
    }
    return LSP.PostkitInitializationOptions()
  }

  /// Ends the session but for `exit`.
  static func shutdown(_ state: inout ServerState, _: LSP.Nothing) -> LSP.Nothing {
    state.phase = .shutDown
    state.inFlight.cancelAll()
    return LSP.Nothing()
  }

  /// Takes up a change of settings: what was pushed, else what the client says when asked.
  static func didChangeConfiguration(
    _ state: inout ServerState, _ params: LSP.DidChangeConfigurationParams
  ) {
    guard let pushed = params.settings["postkit"] else { return state.askForSettings() }
    state.folderSettings = [:]
    state.take(pushed)
    // What is pushed holds for all folders; what each has of its own must be asked for.
    if state.folders.count > 1 { state.askForSettings() }
  }

  /// Keeps the list of folders.
  static func didChangeWorkspaceFolders(
    _ state: inout ServerState, _ params: LSP.DidChangeWorkspaceFoldersParams
  ) {
    for removed in params.event.removed.map(WorkspaceFolder.init) {
      for folder in state.folders where folder.isSame(as: removed) {
        state.folderSettings[folder.uri] = nil
      }
      state.folders.removeAll { $0.isSame(as: removed) }
    }
    for folder in params.event.added.map(WorkspaceFolder.init)
    where !state.folders.contains(where: { $0.isSame(as: folder) }) {
      state.folders.append(folder)
    }
    state.askForSettings()
    state.registerFolders()
    // Where a document belongs decides on its environments, its settings and its paths.
    state.events.post(.refresh(.everything))
    state.events.post(.statusChanged)
  }

  /// Cancels the send, import or export whose progress the user stopped.
  static func cancelProgress(
    _ state: inout ServerState, _ params: LSP.WorkDoneProgressCancelParams
  ) {
    state.session.cancelSend(progressToken: "\(params.token)")
    state.session.transfers.cancel(progressToken: "\(params.token)")
  }

  /// Cancels a request.
  static func cancelRequest(_ state: inout ServerState, _ params: LSP.CancelParams) {
    switch params.id {
    case .integer(let number): state.cancel(.int(number))
    case .string(let text): state.cancel(.string(text))
    }
  }
}

extension ServerState {
  /// Does what waits for the client to be ready; a client that forgets `initialized` is ready with
  /// its first message (PROMISES.md L4).
  mutating func noteInitialized() {
    guard phase == .running, !isInitialized else { return }
    isInitialized = true
    // A server that is one of several in a process does not own the log.
    if watch != nil { LogForwarder.install(client) }
    askForSettings()
    register()
    watchStore()
    tellStatus()
    for document in documents.all { pushDiagnostics(document.uri) }
  }

  /// Asks for the settings, where the client answers that.
  mutating func askForSettings() {
    guard client.profile.answersConfiguration else { return }
    // One folder has the settings of the window.
    let scopes = folders.count > 1 ? folders.map(\.uri) : []
    let params = LSP.ConfigurationParams(
      items: [LSP.ConfigurationItem(section: "postkit")]
        + scopes.map { LSP.ConfigurationItem(scopeUri: $0.spelling, section: "postkit") })
    settingsScopes = scopes
    // The loop itself takes the answer, so that what the client sends after it sees the settings.
    let id = outgoing.register { _ in }
    settingsRequest = id
    session.settingsAsked()
    reply(
      OutgoingMessage.request(id: id, method: LSP.ConfigurationRequest.method) { writer in
        LSP.ConfigurationRequest.params.write(&writer, params)
      })
    inFlight.schedule(.callTimedOut(id: id), afterMilliseconds: Limits.clientAnswerMilliseconds)
  }

  /// Takes the answer to `askForSettings`.
  mutating func takeSettings(_ answer: Result<JSONView?, RPCError>) {
    settingsRequest = nil
    switch answer {
    case .success(let view):
      folderSettings = [:]
      for (index, folder) in settingsScopes.enumerated() {
        let value = view?[index + 1]?.value
        if case .object = value { folderSettings[folder] = value }
      }
      if let settings = view?[0]?.value { take(settings) }
      if !folderSettings.isEmpty { events.post(.refresh(.everything)) }
    case .failure(let error):
      Log.info("The client gave no settings: \(error.message)")
    }
    session.settingsAnswered(editor: settings, folders: folderSettings)
  }

  /// Takes settings over; those of the initialization options hold where nothing else is said. A
  /// client that has none says `null`: what it said before holds no longer.
  mutating func take(_ settings: JSONValue) {
    let members: [JSONMember]
    switch settings {
    case .object(let given): members = given
    case .null where self.settings != initialization.settings ?? .null: members = []
    default: return
    }
    var merged = members
    if case .object(let base) = initialization.settings ?? .null {
      merged = base.filter { old in !members.contains { $0.key == old.key } } + members
    }
    self.settings = .object(merged)
    events.post(.refresh(.everything))
  }
}
