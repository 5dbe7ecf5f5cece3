// Finds out what surrounds a document: folder, settings, environment, results.

package import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
package import PostKitLanguage
package import PostKitRunner
package import PostKitStore
import PostKitSupport
import PostKitSyntax
package import PostKitText

extension DocumentContext {
  /// The document with the values of the secret variables that its stored request can use, for
  /// sending; everything else sees masks. What has no value is told, and is not defined then. Where
  /// the keyring doesn't answer nothing can be sent.
  package func withSecrets(_ snapshot: Snapshot) async throws(StoreFailure) -> DocumentContext {
    guard let stored else { return self }
    var secrets: [String: String] = [:]
    if let store = await snapshot.store.existing() {
      let found = try await stored.secrets(in: environment, from: store.secrets)
      secrets = found.values
      for name in found.missing {
        snapshot.client.showMessage(
          .warning,
          "The secret variable `\(name)` has no value on this machine. Give it one with "
            + "`postkit collections set \(name) --secret`.")
      }
    }
    var result = self
    result.workspace.storedEnvironments = stored.sources(secrets: secrets)
    return result
  }

  /// Converts positions of the document.
  package func converter(_ snapshot: Snapshot) -> PositionConverter {
    document.text.converter(snapshot.client.profile.encoding)
  }
}

extension Snapshot {
  /// The surroundings of a document. `known` is the stored request that it shows where that is
  /// deleted.
  package func context(
    of document: OpenDocument, environment chosen: String? = nil, known: StoredRequestFile? = nil
  ) async -> DocumentContext {
    var stored = known
    if stored == nil, let id = storedRequestID(of: document.uri) {
      stored = await storedRequest(id: id)
    }
    let place = stored.map { DocumentURI(path: $0.path(otherwise: firstFolder)) } ?? document.uri
    let folder = folder(of: place)
    var workspace = await readableWorkspace(of: place)
    let (settings, outside) = settings(of: workspace)
    workspace.reading = settings.reading()
    if let stored {
      workspace.reading = stored.reading(workspace.reading)
      workspace.storedEnvironments = stored.sources(secrets: nil)
    }
    let document = read(document, as: workspace.reading)
    let dialect = workspace.reading.dialect(of: document.parsed)
    workspace.pathBase = dialect.pathBase
    var environment = chosen ?? stored?.activeEnvironment
    if environment == nil { environment = await activeEnvironment(folder, settings) }
    return DocumentContext(
      document: document, workspace: workspace, settings: settings, environment: environment,
      dialect: dialect, stored: stored, outsideSettings: outside)
  }

  /// Where a document without a path of its own counts as lying.
  private var firstFolder: String {
    folders.compactMap(\.uri.path).first.map(FilePath.normalise) ?? FileSystem.homeDirectory
  }

  /// The document with its lines as the project has them read. What is typed into is parsed before
  /// the settings are known, so where they choose other lines the last such parse is kept.
  private func read(_ document: OpenDocument, as reading: FileReading) -> OpenDocument {
    let parsed = reading.document(document.parsed, reusing: caches[document.uri]?.reading)
    guard parsed.rules != document.parsed.rules else { return document }
    caches.keep(document.uri) { $0.reading = parsed }
    return document.parsed(as: parsed)
  }

  /// The workspace folder that holds a document: the innermost one; for a document without a path
  /// the first.
  package func folder(of uri: DocumentURI) -> String? {
    let paths = folders.compactMap(\.uri.path).map(FilePath.normalise)
    guard let path = uri.path else { return paths.first }
    return paths.filter { FilePath.isInside(path, directory: $0) }.max { $0.count < $1.count }
  }

  /// The name of the workspace folder that holds a document, else of the first; `nil` where there
  /// is none.
  package func folderName(of uri: String?) -> String? {
    let path = uri.flatMap { folder(of: DocumentURI($0)) }
    let holder = folders.first { $0.uri.path.map(FilePath.normalise) == path }
    // Neovim gives folders their paths as names.
    return (holder ?? folders.first).map { FilePath.name($0.name) }
  }

  /// Where a document's files are looked for; one without a path is treated as if it stood at the
  /// top of the folder.
  package func workspace(of uri: DocumentURI) -> Workspace {
    let folder = folder(of: uri)
    let path = uri.path ?? FilePath.join(folder ?? FileSystem.homeDirectory, "untitled.http")
    var workspace = Workspace(file: path, workspaceFolder: folder, openFiles: documents.texts)
    workspace.parsedFiles = caches.parsedFiles
    return workspace
  }

  /// The same, with what may be read there (PROMISES.md R4).
  package func readableWorkspace(of uri: DocumentURI) async -> Workspace {
    var workspace = workspace(of: uri)
    workspace.outsideRefusal = await trustRefusal(of: workspace.root)
    return workspace
  }

  /// The settings of a project: its own file, then the editor's, then the user's. What has no
  /// effect in them is told once, unless the editor has the file open and shows it there. A file of
  /// the project that lies outside of a folder that isn't trusted is left out, and named.
  package func settings(
    of workspace: Workspace, tellsRefusal: Bool = true
  ) -> (settings: Settings, outside: String?) {
    let project = workspace.settingsFile(in: workspace.root)
    let user = SettingsFile(user: store.location.configPath)
    let isShown = documents[DocumentURI(path: project.path)] != nil
    let isTold = !isShown && (tellsRefusal || !project.isRefused)
    for notice in (isTold ? project.notices : []) + user.notices { tellOnce(notice) }
    let window = Settings(editorSettings, folder: workspace.root)
    let folder = folderSettings(root: workspace.root)
    for name in folder.userNames(unlike: window) {
      tellOnce(
        "The settings of a folder say `\(name)`, which has no effect: it holds for all folders. "
          + "Say it in the user settings, or in \(store.location.configPath).")
    }
    let editor = folder.withoutUserSettings.over(window)
    let settings = project.settings.over(editor.over(user.settings))
    return (settings, project.isRefused ? project.path : nil)
  }

  /// The settings of a folder.
  package func settings(folder: String?) async -> Settings {
    let root = folder ?? FileSystem.homeDirectory
    let place = DocumentURI(path: FilePath.join(root, "untitled.http"))
    return settings(of: await readableWorkspace(of: place)).settings
  }

  /// What the editor says of the folder that a project lies in: of the innermost one.
  private func folderSettings(root: String) -> Settings {
    let found = folderSettings.filter { folder, _ in
      let path = folder.path.map(FilePath.normalise)
      return path.map { $0 == root || FilePath.isInside(root, directory: $0) } ?? false
    }
    let innermost = found.max { ($0.key.path ?? "").count < ($1.key.path ?? "").count }
    return innermost.map { Settings($0.value, folder: $0.key.path) } ?? Settings()
  }

  /// Waits until the store is open or known to be of no use, so that `atHand` gives it: what is
  /// sent or asked for is not to be made without it because another process was slow.
  package func waitForStore() async { _ = await store.existing() }

  /// The environment chosen for a folder, else the one that the settings name.
  package func activeEnvironment(_ folder: String?, _ settings: Settings) async -> String? {
    let key = folder ?? ""
    if let chosen = session.memory.environment(folder: key) { return chosen }
    if settings[.environmentScope] == .window { return settings[.environment] }
    do throws(StoreFailure) {
      if let value = try await store.value(.environment, folder: key) {
        return value.isEmpty ? nil : value
      }
    } catch {
      Log.warning("The active environment can't be read: \(error.message)")
    }
    return settings[.environment]
  }

  /// The document ready for questions of an editor. Of earlier responses those are read that its
  /// references name, or those of `names` alone.
  package func analysis(
    of context: DocumentContext, withResults: Bool = true,
    readingResponsesOf names: Set<String>? = nil
  ) async -> Analysis {
    let results =
      withResults
      ? await self.results(of: context)
      : ResultIndex(ResultTable([]), context.document.parsed, reusing: nil)
    var scope = context.workspace.scope(
      of: context.document.parsed, environment: context.environment, dialect: context.dialect)
    scope.globals = await globals(of: context.owner, context.dialect)
    let earlier = await earlierExchanges(of: context, scope, names)
    var world = context.workspace.analysisContext(environment: context.environment) { name in
      earlier.exchanges[name]
    }
    world.shownExchange = { earlier.shown[$0] }
    world.exchangeSecrets = earlier.secrets
    if let url = session.exampleServer.runningURL { world.exampleServer = { url } }
    let mock = session.mock.running?.url
    world.mock = { mock }
    scope.define(after: earlier, world)
    var analysis = Analysis(
      document: context.document.parsed, scope: scope, context: world,
      defaults: context.settings.requestDefaults, results: results)
    analysis.exchangeIDs = earlier.ids
    analysis.isAbandoned = { Task.isCancelled }
    return analysis
  }

  /// The document of a URI: the open one, else the file on disk. No link is followed out of a
  /// folder that isn't trusted.
  ///
  /// Throws `invalidParams` where there is neither, `requestFailed` where it must not be read.
  package func readableDocument(_ uri: String) async throws(RPCError) -> OpenDocument {
    let key = DocumentURI(uri)
    if documents[key] == nil, let path = key.path.map(FilePath.normalise) {
      let root = workspace(of: key).root
      do throws(FileFailure) {
        return try document(key, at: path, inside: [root])
      } catch {
        guard case .outside = error else { throw RPCError(.invalidParams, "\(error)") }
        if let refusal = await trustRefusal(of: root) {
          throw RPCError(
            .requestFailed,
            "PostKit does not read what \(path) leads to: \(refusal), or open it in the editor.",
            data: ["code": .string(FailureCode.fileNotFound.rawValue)])
        }
      }
    }
    return try anyDocument(uri)
  }

  /// The document of a URI: the open one, else the file on disk.
  ///
  /// Throws `invalidParams` where there is neither.
  package func anyDocument(_ uri: String) throws(RPCError) -> OpenDocument {
    let key = DocumentURI(uri)
    if let open = documents[key] { return open }
    guard let path = key.path else {
      throw RPCError(.invalidParams, "\(uri) is not open, and it is no file.")
    }
    do throws(FileFailure) {
      return try document(key, at: path, inside: nil)
    } catch {
      throw RPCError(.invalidParams, "\(error)")
    }
  }

  /// A document on disk, with `roots` one that lies in one of these folders, links followed.
  private func document(
    _ uri: DocumentURI, at path: String, inside roots: [String]?
  ) throws(FileFailure) -> OpenDocument {
    let bytes = try FileSystem.read(path: path, limit: Limits.sourceFileBytes, inside: roots)
    let text = TextSnapshot(uri: uri.spelling, version: nil, bytes: bytes)
    return OpenDocument(uri: uri, languageID: "http", text: text, previous: nil)
  }
}
