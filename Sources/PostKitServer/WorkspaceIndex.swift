// The names of all files of the workspace: read at the first question that needs them, kept by
// file version.

import LanguageServerProtocol
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSupport
import PostKitSyntax
import PostKitText
import Synchronization

/// Keeps the names of the files in the workspace folders. What is open wins over the disk; nothing
/// outside of the folders is read unless the client says that they are trusted.
///
/// The files are read on a thread of the index's own; the loop only says what became stale.
actor WorkspaceIndex {
  private nonisolated let executor = SerialQueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What may have changed since the last question.
  private struct News: Sendable {
    var isAll = true
    var paths: Set<String> = []
  }

  /// A file on disk that was read.
  private struct Kept {
    var version: FileVersion?
    var names: FileNames
  }

  private nonisolated let news = Mutex(News())
  private var roots: [String] = []
  private var readings = ProjectReadings()
  /// Why files were left out at the last walk.
  private var gap: String?
  private var kept: [String: Kept] = [:]
  private var templates: [String: Kept] = [:]
  private var open: [DocumentURI: (text: OpenDocument, names: FileNames)] = [:]

  /// Says that files may have changed; `nil` means any.
  nonisolated func changed(_ paths: [String]?) {
    news.withLock { news in
      if let paths { news.paths.formUnion(paths) } else { news.isAll = true }
    }
  }

  /// The names of everything that belongs to the workspace, as a question sees it. What is to be
  /// changed is compared with the disk first, whether or not a change of it was heard of.
  func project(_ snapshot: Snapshot, isForChange: Bool = false) -> ProjectIndex {
    refresh(snapshot, comparesAll: isForChange)
    var files: [String: FileNames] = kept.mapValues(\.names)
    for names in openNames(snapshot) { files[names.path] = names }
    let (templates, unread) = templateNames(of: files.values, snapshot)
    for names in templates where files[names.path] == nil { files[names.path] = names }
    return ProjectIndex(Array(files.values), unread: unread, gap: gap)
  }

  /// The names of one open document.
  func names(of document: OpenDocument, _ snapshot: Snapshot) -> FileNames {
    if let before = open[document.uri], before.text.hasSameText(as: document) {
      return before.names
    }
    let roots = snapshot.folders.compactMap(\.uri.path).map(FilePath.normalise)
    if self.roots.isEmpty {
      self.roots = roots
      readings = ProjectReadings(snapshot, roots: roots)
    }
    let names = read(document, reusing: open[document.uri]?.names)
    open[document.uri] = (document, names)
    return names
  }

  // MARK: - Files on disk

  private func refresh(_ snapshot: Snapshot, comparesAll: Bool) {
    var news = news.withLock { news in
      defer { news = News(isAll: false) }
      return news
    }
    // Paths may lead elsewhere now.
    if news.isAll || !news.paths.isEmpty { open = [:] }
    let roots = snapshot.folders.compactMap(\.uri.path).map(FilePath.normalise)
    let settings = ProjectReadings(snapshot, roots: roots)
    // A client that does not watch files for us says nothing of those that others write.
    if comparesAll || roots != self.roots || !snapshot.client.profile.registersWatchedFiles {
      news.isAll = true
    }
    if news.paths.contains(where: { FilePath.name($0) == SettingsForm.project.fileName }) {
      news.isAll = true
    }
    if !settings.hasSameBase(as: readings) {
      (kept, open) = ([:], [:])
      news.isAll = true
    }
    self.roots = roots
    if news.isAll {
      walk(settings, snapshot)
    } else {
      for path in news.paths where WorkspaceWalk.isIndexed(path, in: roots) {
        let mayRead = WorkspaceWalk.mayRead(path, roots, isTrusted: isTrusted(snapshot))
        kept[path] = mayRead ? read(path, kept[path]) : nil
      }
    }
  }

  private func walk(_ settings: ProjectReadings, _ snapshot: Snapshot) {
    var walk = WorkspaceWalk(roots: roots, isTrusted: isTrusted(snapshot))
    walk.run()
    if let notice = walk.notice, notice != gap { Log.info(notice) }
    gap = walk.notice
    let before = readings
    readings = settings
    readings.read(folders: walk.settingsFolders)
    if !readings.isSame(as: before) { (kept, open) = ([:], [:]) }
    let old = kept
    kept = [:]
    for path in walk.files { kept[path] = read(path, old[path]) }
  }

  private func isTrusted(_ snapshot: Snapshot) -> Bool { snapshot.initialization.trusted == true }

  /// The names of a file, from the last look where it is the same file still.
  private func read(_ path: String, _ before: Kept?) -> Kept? {
    let version = FileSystem.version(path)
    if let before, version != nil, before.version == version { return before }
    // What can't be read has no names; it is told of where it is used.
    guard let bytes = try? FileSystem.read(path: path, limit: Limits.analysedDocumentBytes) else {
      return nil
    }
    if let kind = EnvironmentSource.Kind(path: path) {
      return Kept(version: version, names: FileNames(path: path, bytes: bytes, of: kind))
    }
    let reading = readings.reading(of: path)
    let document = reading.document(bytes, format: .http)
    let dialect = reading.dialect(of: document)
    let resolve = resolver(path, dialect)
    return Kept(
      version: version,
      names: FileNames(path: path, document: document, dialect: dialect, resolve: resolve))
  }

  private func resolver(_ path: String, _ dialect: Dialect) -> (String) -> String? {
    let root = roots.filter { FilePath.isInside(path, directory: $0) }.max { $0.count < $1.count }
    var workspace = Workspace(file: path, workspaceFolder: root)
    workspace.pathBase = dialect.pathBase
    // Where nothing is there yet, the path is that of what will be.
    return { workspace.resolve($0) ?? workspace.place($0) }
  }

  // MARK: - Open documents and templates

  /// The names of the open documents whose text is no document of ours.
  private func openNames(_ snapshot: Snapshot) -> [FileNames] {
    var names: [FileNames] = []
    var still: [DocumentURI: (text: OpenDocument, names: FileNames)] = [:]
    for document in snapshot.documents.all where snapshot.shown(document.uri) == nil {
      let before = open[document.uri]
      let found: FileNames
      if let before, before.text.hasSameText(as: document) {
        found = before.names
      } else {
        found = read(document, reusing: before?.names)
      }
      still[document.uri] = (document, found)
      names.append(found)
    }
    open = still
    return names
  }

  private func read(_ document: OpenDocument, reusing before: FileNames?) -> FileNames {
    let path = document.indexKey
    if let kind = EnvironmentSource.Kind(path: path) {
      return FileNames(path: path, bytes: document.text.bytes, of: kind, keepsBytes: true)
    }
    let reading = readings.reading(of: path)
    let parsed = reading.document(document.parsed, reusing: nil)
    let dialect = reading.dialect(of: parsed)
    return FileNames(
      path: path, document: parsed, dialect: dialect, reusing: before, keepsBytes: true,
      resolve: resolver(path, dialect))
  }

  /// The names of the files that requests send with their references resolved.
  private func templateNames(
    of files: some Sequence<FileNames>, _ snapshot: Snapshot
  ) -> (names: [FileNames], unread: Set<String>) {
    var still: [String: Kept] = [:]
    var unread: Set<String> = []
    for path in Set(files.flatMap(\.templates)).sorted() {
      if let text = snapshot.documents[DocumentURI(path: path)]?.text {
        let names = FileNames(path: path, template: text.bytes, keepsBytes: true)
        still[path] = Kept(version: nil, names: names)
        continue
      }
      guard FileSystem.exists(path) else { continue }
      let version = FileSystem.version(path)
      if let before = templates[path], version != nil, before.version == version {
        still[path] = before
      } else if WorkspaceWalk.mayRead(path, roots, isTrusted: isTrusted(snapshot)),
        // What can't be read is told of where it is sent.
        let bytes = try? FileSystem.read(path: path, limit: Limits.templateIndexBytes)
      {
        still[path] = Kept(version: version, names: FileNames(path: path, template: bytes))
      } else {
        unread.insert(path)
      }
    }
    templates = still
    return (still.values.map(\.names), unread)
  }
}

extension OpenDocument {
  /// Whether both have one text.
  fileprivate func hasSameText(as other: OpenDocument) -> Bool {
    text.version == other.text.version && text.bytes == other.text.bytes
  }

  /// How the index names the document: its path, else its URI.
  var indexKey: String { uri.path.map(FilePath.normalise) ?? uri.spelling }
}

/// How the request files of the workspace are read, folder by folder.
struct ProjectReadings {
  /// What the settings of each workspace folder say, with those of the editor and the user.
  private var roots: [String: FileReading] = [:]
  /// What the settings in folders below say.
  private var folders: [String: FileReading] = [:]

  /// Nothing is known yet.
  init() {}

  /// Reads the settings of the workspace folders.
  init(_ snapshot: Snapshot, roots: [String]) {
    for root in roots { self.roots[root] = snapshot.settings(root: root).reading() }
  }

  /// Whether the workspace folders are read alike.
  func hasSameBase(as other: ProjectReadings) -> Bool { roots == other.roots }

  /// Whether every file is read alike.
  func isSame(as other: ProjectReadings) -> Bool {
    roots == other.roots && folders == other.folders
  }

  /// Reads the settings of folders below the roots.
  mutating func read(folders paths: [String]) {
    for folder in paths.sorted(by: { $0.utf8.count < $1.utf8.count }) where roots[folder] == nil {
      let file = SettingsFile(projectIn: folder)
      folders[folder] = file.settings.over(Settings(reading(of: folder))).reading()
    }
  }

  /// How a file is read: as the nearest folder above it has it.
  func reading(of path: String) -> FileReading {
    var folder = FilePath.parent(path)
    while true {
      if let found = folders[folder] ?? roots[folder] { return found }
      let parent = FilePath.parent(folder)
      if parent == folder { return FileReading() }
      folder = parent
    }
  }
}
