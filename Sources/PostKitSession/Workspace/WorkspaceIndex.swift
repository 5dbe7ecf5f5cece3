// The names of all files of the workspace: read at the first question that needs them, kept by
// file version.

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
package actor WorkspaceIndex {
  private nonisolated let executor = SerialQueueExecutor()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What may have changed since the last question.
  private struct News: Sendable {
    var isAll = true
    var paths: Set<String> = []
  }

  /// What is known without waiting for the actor.
  private struct Quick: Sendable {
    var news = News()
    /// What was found in files that are not open, by their paths.
    var findings: [String: WorkspaceFinding] = [:]
    /// How often there was something new to say of files that are not open.
    var revision: UInt64 = 0
    /// Who waits for that.
    var waiting: [First<Void>] = []
  }

  /// A file on disk that was read.
  private struct Kept {
    var version: FileVersion?
    var names: FileNames
    /// Whether it was too large to be looked into.
    var isTooLarge = false
    /// Whether it is a page without a request, as most are.
    var isMerePage = false
  }

  private nonisolated let quick = Mutex(Quick())
  private let sharedFolder = Workspace.sharedFolderOfProcess
  private var roots: [String] = []
  private var trust = FolderTrust()
  private var readings = ProjectReadings(roots: [:])
  /// Why files were left out at the last walk.
  private var notice: String?
  private var listings: [String: FolderListing] = [:]
  private var kept: [String: Kept] = [:]
  /// The environment files of the folder that all projects share.
  private var shared: [String: Kept] = [:]
  private var attached: [String: Kept] = [:]
  private var open: [DocumentURI: (text: OpenDocument, names: FileNames)] = [:]
  /// Whether nobody waits for what is being worked out.
  private var isAbandoned: @Sendable () -> Bool = { false }

  /// An index that has read nothing yet.
  package init() {}

  /// Says that files may have changed; `nil` means any.
  package nonisolated func changed(_ paths: [String]?) {
    quick.withLock { quick in
      if let paths { quick.news.paths.formUnion(paths) } else { quick.news.isAll = true }
    }
  }

  /// The names of everything that belongs to the workspace, as a question sees it. What is to be
  /// changed is compared with the disk first, whether or not a change of it was heard of; it is the
  /// whole of it in any case, else a part where nobody waits for the answer any more.
  func project(_ question: WorkspaceQuestion, isForChange: Bool) -> ProjectIndex {
    isAbandoned = { !isForChange && Task.isCancelled }
    refresh(question, comparesAll: isForChange)
    readQuick()
    var files: [String: FileNames] = kept.mapValues(\.names)
    for (path, file) in shared { files[path] = file.names }
    for names in openNames(question) { files[names.path] = names }
    let (attached, unread) = attachedNames(of: files.values, question.documents)
    // One that is open in the editor is no request file for that.
    for names in attached where !WorkspaceWalk.isIndexed(names.path) { files[names.path] = names }
    var project = ProjectIndex(
      Array(files.values), unread: unread, gap: gap(question), folders: roots)
    project.isAbandoned = isAbandoned
    return project
  }

  /// Why names are missing; `nil` where all are there.
  private func gap(_ question: WorkspaceQuestion) -> String? {
    if let notice { return notice }
    let closed = kept.merging(shared) { $1 }.filter(\.value.isTooLarge).keys
      .filter { question.documents[DocumentURI(path: $0)] == nil }
    let open = question.documents.all.filter { $0.isTooLong && !question.isOurs($0.uri) }
    guard let path = (closed + open.map(\.indexKey)).min() else { return nil }
    return "PostKit does not index the names in \(path): it is larger than "
      + "\(Limits.analysedDocumentBytes >> 20) MB. Split it into smaller files."
  }

  /// The paths of the request files on disk, in order.
  func requestFiles(_ question: WorkspaceQuestion) -> [String] {
    refresh(question, comparesAll: false)
    return kept.keys.filter(ParsedDocument.isRequestFile).sorted()
  }

  /// The names of one open document.
  func names(of document: OpenDocument, _ question: WorkspaceQuestion) -> FileNames {
    if let before = open[document.uri], before.text.hasSameText(as: document) {
      return before.names
    }
    if roots.isEmpty {
      (roots, trust) = (question.roots, question.trust)
      readings = ProjectReadings(roots: question.readings())
    }
    let names = read(document, reusing: open[document.uri]?.names)
    open[document.uri] = (document, names)
    return names
  }

  // MARK: - What is known without waiting

  /// What was found in a file that is not open.
  nonisolated func finding(_ path: String) -> WorkspaceFinding? {
    quick.withLock { $0.findings[path] }
  }

  /// Keeps what was found in a file that is not open.
  nonisolated func keep(_ finding: WorkspaceFinding?, of path: String) {
    quick.withLock { $0.findings[path] = finding }
  }

  /// Forgets what was found in all other files.
  package nonisolated func keepFindings(only paths: [String]) {
    quick.withLock { quick in
      guard quick.findings.count > paths.count else { return }
      let still = Set(paths)
      quick.findings = quick.findings.filter { still.contains($0.key) }
    }
  }

  /// How often there was something new to say of files that are not open.
  package nonisolated var revision: UInt64 { quick.withLock { $0.revision } }

  /// Says that there may be something new to say of them, to those who wait for it.
  package nonisolated func raise() {
    let waiting = quick.withLock { quick in
      quick.revision += 1
      defer { quick.waiting = [] }
      return quick.waiting
    }
    for end in waiting { end.give(()) }
  }

  /// Waits until there is something new after a revision, or the task is cancelled.
  package nonisolated func wait(after revision: UInt64) async {
    let end = First<Void>()
    let waits = quick.withLock { quick in
      if quick.revision == revision { quick.waiting.append(end) }
      return quick.revision == revision
    }
    guard waits else { return }
    await withTaskCancellationHandler { await end.value } onCancel: { end.give(()) }
    quick.withLock { $0.waiting.removeAll { $0 === end } }
  }

  // MARK: - Files on disk

  private func refresh(_ question: WorkspaceQuestion, comparesAll: Bool) {
    var news = quick.withLock { quick in
      defer { quick.news = News(isAll: false) }
      return quick.news
    }
    // Paths may lead elsewhere now.
    if news.isAll || !news.paths.isEmpty { open = [:] }
    let (roots, trust) = (question.roots, question.trust)
    let settings = ProjectReadings(roots: question.readings())
    // A client that does not watch files for us says nothing of those that others write.
    let isOther = roots != self.roots || trust != self.trust
    if comparesAll || isOther || !question.isWatched {
      news.isAll = true
    }
    if news.paths.contains(where: { FilePath.name($0) == SettingsForm.project.fileName }) {
      news.isAll = true
    }
    if !settings.hasSameBase(as: readings) {
      (kept, open) = ([:], [:])
      news.isAll = true
    }
    (self.roots, self.trust) = (roots, trust)
    if news.isAll {
      walk(settings, question.documents)
    } else {
      for path in news.paths where WorkspaceWalk.isIndexed(path, in: roots) {
        let mayRead = WorkspaceWalk.mayRead(path, roots, trust)
        kept[path] = mayRead ? read(path, kept[path]) : nil
      }
    }
  }

  private func walk(_ settings: ProjectReadings, _ documents: Documents) {
    var walk = WorkspaceWalk(roots: roots, trust: trust, known: listings)
    walk.run(isAbandoned)
    // What was not looked at is looked for at the next question.
    if isAbandoned() { return changed(nil) }
    listings = walk.listings
    let before = readings
    readings = settings
    let texts = documents.files
    let written = texts.keys.filter { FilePath.name($0) == SettingsForm.project.fileName }
    readings.read(
      folders: walk.settingsFolders + written.map(FilePath.parent),
      inside: { WorkspaceWalk.boundary(of: $0, roots, trust) }, open: { texts[$0] })
    if !readings.isSame(as: before) { (kept, open) = ([:], [:]) }
    keep(walk)
  }

  /// Reads the files that a walk came to, so far as there is room for their names.
  private func keep(_ walk: WorkspaceWalk) {
    let old = kept
    var (notice, count) = (walk.notice, walk.count)
    kept = [:]
    for (number, path) in walk.files.enumerated() {
      guard !isAbandoned() else {
        for path in walk.files[number...] { kept[path] = old[path] }
        return changed(nil)
      }
      let file = read(path, old[path])
      if ParsedDocument.format(ofPath: path) == .markdown, let file, !file.isMerePage {
        guard count < Limits.indexedFiles else {
          notice = notice ?? WorkspaceWalk.notice(count, at: FilePath.parent(path))
          continue
        }
        count += 1
      }
      kept[path] = file
    }
    if let notice, notice != self.notice { Log.info(notice) }
    self.notice = notice
  }

  /// The names of a file, from the last look where it is the same file still.
  private func read(_ path: String, _ before: Kept?) -> Kept? {
    let version = FileSystem.version(path)
    if let before, version != nil, before.version == version { return before }
    // What can't be read has no names; it is told of where it is used.
    let isShared = FilePath.parent(path) == sharedFolder
    let inside = isShared ? nil : WorkspaceWalk.boundary(of: path, roots, trust)
    let read = try? FileSystem.read(
      path: path, limit: Limits.analysedDocumentBytes, inside: inside)
    guard let bytes = read else {
      guard let version, version.size > Limits.analysedDocumentBytes else { return nil }
      let names = FileNames(path: path, template: [])
      return Kept(version: version, names: names, isTooLarge: true)
    }
    if let kind = EnvironmentSource.Kind(path: path) {
      let names = FileNames(
        path: path, bytes: bytes, of: kind, isShared: isShared, resolve: resolver(path, Dialect()))
      return Kept(version: version, names: names)
    }
    if WorkspaceWalk.isSettings(path) {
      let names = FileNames(path: path, settings: bytes, resolve: resolver(path, Dialect()))
      return Kept(version: version, names: names)
    }
    let reading = readings.reading(of: path)
    var document = reading.document(bytes, format: ParsedDocument.format(ofPath: path))
    // Most texts have no requests; not even their lines are kept then.
    let isMerePage =
      document.format == .markdown && !document.blocks.contains(where: \.isRequest)
    if isMerePage { document = reading.document([], format: .markdown) }
    let dialect = reading.dialect(of: document)
    let resolve = resolver(path, dialect)
    let names = FileNames(path: path, document: document, dialect: dialect, resolve: resolve)
    return Kept(version: version, names: names, isMerePage: isMerePage)
  }

  /// Looks at the environment files in the folder that all projects share, which nobody watches.
  private func readQuick() {
    guard let sharedFolder else { return }
    // Where there is no such folder, its name was told when environments were read.
    let paths = ((try? FileSystem.list(sharedFolder)) ?? []).map { FilePath.join(sharedFolder, $0) }
    let old = shared
    shared = [:]
    for path in paths where EnvironmentSource.Kind(path: path)?.isEnvironmentAlone ?? false {
      if FileSystem.isRegularFile(path) { shared[path] = read(path, old[path]) }
    }
  }

  private func resolver(_ path: String, _ dialect: Dialect) -> (String) -> String? {
    let root = roots.filter { FilePath.isInside(path, directory: $0) }.max { $0.count < $1.count }
    var workspace = Workspace(file: path, workspaceFolder: root)
    workspace.pathBase = dialect.pathBase
    // Where nothing is there yet, the path is that of what will be.
    return { workspace.resolve($0) ?? workspace.place($0) }
  }

  // MARK: - Open documents and attached files

  /// The names of the open documents whose text is no document of ours.
  private func openNames(_ question: WorkspaceQuestion) -> [FileNames] {
    var names: [FileNames] = []
    var still: [DocumentURI: (text: OpenDocument, names: FileNames)] = [:]
    for document in question.documents.all where !question.isOurs(document.uri) {
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
      return FileNames(
        path: path, bytes: document.text.bytes, of: kind, keepsBytes: true,
        isShared: FilePath.parent(path) == sharedFolder, resolve: resolver(path, Dialect()))
    }
    if WorkspaceWalk.isSettings(path) {
      return FileNames(
        path: path, settings: document.text.bytes, keepsBytes: true,
        resolve: resolver(path, Dialect()))
    }
    // A document without a path counts as lying in the first folder.
    let folder = document.uri.path == nil ? roots.first : nil
    let place = folder.map { FilePath.join($0, "untitled.http") } ?? path
    let reading = readings.reading(of: place)
    let parsed = reading.document(document.parsed, reusing: nil)
    let dialect = reading.dialect(of: parsed)
    return FileNames(
      path: path, document: parsed, dialect: dialect, place: place, reusing: before,
      keepsBytes: true, resolve: resolver(place, dialect))
  }

  /// The names of the files that requests send with their references resolved, or run as scripts.
  private func attachedNames(
    of files: some Sequence<FileNames>, _ documents: Documents
  ) -> (names: [FileNames], unread: Set<String>) {
    var still: [String: Kept] = [:]
    var unread: Set<String> = []
    let scripts = Set(files.flatMap(\.scripts))
    let trusted = files.filter { trust.covers($0.path, of: roots) }
    let allowed = Set(trusted.flatMap { $0.scripts + $0.templates })
    for path in scripts.union(files.flatMap(\.templates)).sorted() {
      let names = { (bytes: [UInt8], keepsBytes: Bool) in
        scripts.contains(path)
          ? FileNames(path: path, script: bytes, keepsBytes: keepsBytes)
          : FileNames(path: path, template: bytes, keepsBytes: keepsBytes)
      }
      if let text = documents[DocumentURI(path: path)]?.text {
        still[path] = Kept(version: nil, names: names(text.bytes, true))
        continue
      }
      guard FileSystem.exists(path) else { continue }
      let version = FileSystem.version(path)
      if let before = attached[path], version != nil, before.version == version {
        still[path] = before
      } else if
        // What can't be read is told of where it is sent.
        let bytes = try? FileSystem.read(
          path: path, limit: Limits.templateIndexBytes,
          inside: allowed.contains(path) ? nil : WorkspaceWalk.boundary(of: path, roots, trust))
      {
        still[path] = Kept(version: version, names: names(bytes, false))
      } else {
        unread.insert(path)
      }
    }
    attached = still
    return (still.values.map(\.names), unread)
  }
}

extension OpenDocument {
  /// Whether both have one text.
  fileprivate func hasSameText(as other: OpenDocument) -> Bool {
    text.version == other.text.version && text.bytes == other.text.bytes
  }

  /// How the index names the document: its path, else its URI.
  package var indexKey: String { uri.path.map(FilePath.normalise) ?? uri.spelling }
}
