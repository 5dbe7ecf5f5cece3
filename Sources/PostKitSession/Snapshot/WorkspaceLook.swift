// What was found in the files that are not open, kept while nothing changes that it depends on: a
// send, or a key in one file, must not have a thousand others read again.

package import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax

/// One look at the files of the workspace, which sees everything around them but once.
package struct WorkspaceLook {
  private let snapshot: Snapshot
  private let open: [String: [UInt8]]
  private var worlds: [String?: WorkspaceFinding.World] = [:]
  private var states: [String: WorkspaceFinding.FileState] = [:]
  /// By the folders of request files.
  private var surroundings: [String: WorkspaceFinding.Surroundings] = [:]
  private var history: UInt64?

  /// Begins a look.
  package init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    open = snapshot.documents.files
  }

  /// Whether a file is as it was when that was found of it which has an id.
  package mutating func isUnchanged(_ path: String, since id: String) async -> Bool {
    guard let entry = snapshot.index.finding(path), entry.id == id,
      FileSystem.version(path) == entry.version,
      await surroundings(of: path) == entry.surroundings
    else { return false }
    guard let revision = entry.history else { return true }
    return await historyRevision() == revision
  }

  /// Looks at a file that is not open; `nil` for one that is gone. What was found is kept under the
  /// id that `id` makes of it; `find` finds it.
  package mutating func diagnostics(
    _ path: String, id: ([LSP.Diagnostic]) -> String,
    _ find: (Snapshot, DocumentContext) async -> [LSP.Diagnostic]
  ) async -> [LSP.Diagnostic]? {
    // All of this before the file is read, so that it is never newer than what was found.
    let (now, version) = (Clock.wallMilliseconds, FileSystem.version(path))
    let surroundings = await surroundings(of: path)
    let revision = await historyRevision()
    // Why it can't be read is told where it is opened.
    guard let file = try? await snapshot.readableDocument(DocumentURI(path: path).spelling) else {
      return nil
    }
    let context = await snapshot.context(of: file)
    let found = await find(snapshot, context)
    let parsed = context.document.parsed
    // Other files may change without a trace in what is compared.
    let isAlone =
      !parsed.namesRequestFiles && !parsed.blocks.contains(where: \.dependsOnFiles)
      && context.dialect.environmentSearch != .dotEnvOnly
    var finding: WorkspaceFinding?
    if let version, version.isSettled(at: now), isAlone, !Task.isCancelled {
      finding = WorkspaceFinding(
        id: id(found), version: version, surroundings: surroundings,
        history: parsed.readsHistory ? revision : nil)
    }
    snapshot.index.keep(finding, of: path)
    return found
  }

  private mutating func historyRevision() async -> UInt64 {
    if let history { return history }
    let revision = await snapshot.rememberedNow().revision
    history = revision
    return revision
  }

  private mutating func surroundings(of path: String) async -> WorkspaceFinding.Surroundings {
    let folder = FilePath.parent(path)
    if let known = surroundings[folder] { return known }
    let uri = DocumentURI(path: path)
    let workspace = await snapshot.readableWorkspace(of: uri)
    let world = await world(of: snapshot.folder(of: uri), workspace.root)
    let paths = workspace.watchedPaths(active: world.environment) + [
      FilePath.join(workspace.root, SettingsForm.project.fileName),
      snapshot.store.location.configPath,
    ]
    var files: [String: WorkspaceFinding.FileState] = [:]
    for path in paths { files[path] = state(of: path) }
    let found = WorkspaceFinding.Surroundings(world: world, files: files)
    surroundings[folder] = found
    return found
  }

  private mutating func world(of folder: String?, _ root: String) async -> WorkspaceFinding.World {
    if let known = worlds[folder] { return known }
    let settings = await snapshot.settings(folder: root)
    var world = WorkspaceFinding.World(root: root)
    world.editorSettings = snapshot.editorSettings
    world.folderSettings = snapshot.folderSettings
    world.environment = await snapshot.activeEnvironment(folder, settings)
    world.refusal = await snapshot.trustRefusal(of: root)
    world.exampleServer = snapshot.session.exampleServer.runningURL
    world.mock = snapshot.session.mock.running?.url
    let owner = WorkspaceEnvironment(folder: root, environment: world.environment)
    world.globals = snapshot.session.memory.globals(of: owner)
    world.keptGlobals = await snapshot.globals(of: owner, Dialect())
    worlds[folder] = world
    return world
  }

  private mutating func state(of path: String) -> WorkspaceFinding.FileState {
    if let bytes = open[path] { return .open(bytes) }
    if let known = states[path] { return known }
    let state = FileSystem.version(path).map(WorkspaceFinding.FileState.saved) ?? .missing
    states[path] = state
    return state
  }
}
