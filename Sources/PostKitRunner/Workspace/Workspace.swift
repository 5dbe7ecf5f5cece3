// Where a request file lives: its root, the environment files around it, and what its paths mean.

package import PostKitEvaluate
import PostKitJSON
import PostKitSupport
import PostKitText

/// What an editor has of a file.
package struct OpenText: Sendable, Hashable {
  /// The text, saved or not.
  package let bytes: [UInt8]
  /// Another number for each text of the session, so that a change is seen without a comparison.
  package let revision: Int

  /// Makes a text.
  package init(_ bytes: [UInt8], revision: Int) { (self.bytes, self.revision) = (bytes, revision) }
}

/// The surroundings of one request file.
package struct Workspace: Sendable, Hashable {
  /// The absolute path of the request file.
  package let file: String
  /// The folder that bounds every search (CONTRACTS.md, section 4).
  package let root: String
  /// The text of the files that are open in an editor, by absolute path. It wins over the disk, as
  /// it is what the user sees (PROMISES.md D9); only a body that is sent as it lies on disk is not
  /// looked for here, since an editor may have converted its bytes.
  private let openFiles: [String: OpenText]
  /// How the files that belong to the request file are read.
  package var reading = FileReading()
  /// The parses of files that are imported again and again; `nil` where each is read but once.
  package var parsedFiles: ParsedFiles?
  /// Where relative paths of requests count from.
  package var pathBase = Dialect.PathBase.file
  /// The environments that the store keeps for the request file; they stand above those of files.
  package var storedEnvironments: [EnvironmentSource] = []
  /// Why files outside of the root are not read, as a clause; `nil` where they are (R4).
  package var outsideRefusal: String?
  /// The folder that `HTTPYAC_ENV` names, whose environments hold for all projects.
  package var sharedFolder = Workspace.sharedFolderOfProcess

  /// Finds the surroundings of a file. In an editor the workspace folder that holds it is the root.
  package init(file: String, workspaceFolder: String? = nil, openFiles: [String: OpenText] = [:]) {
    self.openFiles = openFiles
    let path = FilePath.normalise(FileSystem.absolute(file))
    self.file = path
    if let workspaceFolder, FilePath.isInside(path, directory: workspaceFolder) {
      root = FilePath.normalise(workspaceFolder)
    } else {
      root = Workspace.root(of: FilePath.parent(path))
    }
  }

  /// The surroundings of another file with the same root.
  package func beside(_ file: String) -> Workspace {
    var result = Workspace(file: file, root: root, openFiles: openFiles, reading: reading)
    result.sharedFolder = sharedFolder
    result.pathBase = pathBase
    result.parsedFiles = parsedFiles
    result.storedEnvironments = storedEnvironments
    result.outsideRefusal = outsideRefusal
    return result
  }

  /// The folder that `HTTPYAC_ENV` names now; `nil` where it names none.
  package static var sharedFolderOfProcess: String? {
    guard let path = ProcessEnvironment.value("HTTPYAC_ENV"), !path.isEmpty else { return nil }
    return FileSystem.absolute(path)
  }

  private init(file: String, root: String, openFiles: [String: OpenText], reading: FileReading) {
    self.file = file
    self.root = root
    self.openFiles = openFiles
    self.reading = reading
  }

  /// The nearest ancestor with `postkit.json` or `.git`; else the topmost parent up to, not beyond,
  /// the home directory; outside home, parents owned by the user and
  /// closed to others, so that nobody can plant an environment file.
  static func root(of folder: String) -> String {
    var candidate = folder
    while true {
      if FileSystem.exists(FilePath.join(candidate, "postkit.json"))
        || FileSystem.exists(FilePath.join(candidate, ".git"))
      {
        return candidate
      }
      let parent = FilePath.parent(candidate)
      if parent == candidate { break }
      candidate = parent
    }
    let home = FilePath.normalise(FileSystem.homeDirectory)
    if FilePath.isInside(folder, directory: home) { return home }
    let user = FileSystem.currentUser
    var top = folder
    while true {
      let parent = FilePath.parent(top)
      guard parent != top, parent != "/", FileSystem.owner(parent) == user,
        !FileSystem.isWritableByOthers(parent)
      else { return top }
      top = parent
    }
  }

  /// What an editor has of a file.
  func openFile(_ path: String) -> [UInt8]? { openFiles[path]?.bytes }

  /// What tells the text that an editor has of a file from what it had before.
  func openRevision(_ path: String) -> Int? { openFiles[path]?.revision }

  /// The folder of the request file.
  package var folder: String { FilePath.parent(file) }

  /// The folders from the root down to the file's own.
  package var folders: [String] {
    var result: [String] = []
    var current = folder
    while true {
      result.append(current)
      let parent = FilePath.parent(current)
      if current == root || parent == current || !FilePath.isInside(current, directory: root) {
        break
      }
      current = parent
    }
    return result.reversed()
  }

  /// What a path in the request file means: absolute, below home, beside the file, else below the
  /// root, or as the dialect has it (PK-17); `nil` where nothing is there.
  package func resolve(_ path: String) -> String? {
    let expanded = FilePath.expandTilde(path, home: FileSystem.homeDirectory)
    if FilePath.isAbsolute(expanded) { return isThere(expanded) ? expanded : nil }
    let bases =
      switch pathBase {
      case .file: [folder, root]
      case .root: [root, folder]
      case .fileAlone: [folder]
      }
    for base in bases {
      let candidate = FilePath.normalise(FilePath.join(base, expanded))
      if isThere(candidate) { return candidate }
    }
    return nil
  }

  /// Whether there is a file, if only in an editor that has not saved it yet.
  private func isThere(_ path: String) -> Bool {
    openFiles[FilePath.normalise(path)] != nil || FileSystem.exists(path)
  }

  /// What an editor has of a file that it has not saved; `nil` where the disk has it, too.
  package func unsavedBytes(_ path: String) -> [UInt8]? {
    guard let open = openFile(FilePath.normalise(path)) else { return nil }
    guard FileSystem.exists(path) else { return open }
    // What is to be sent from there is told by its path.
    if outsideRefusal != nil, !holds(path) { return nil }
    // What can't be read is told when it is sent.
    guard let saved = try? savedBytes(path) else { return nil }
    // An editor has a text without its mark, in an encoding and with line ends of its own, and
    // that alone is no change.
    let isPlain =
      saved.byteOrderMarkLength == 0
      && String(decoding: saved, as: UTF8.self).utf8.elementsEqual(saved)
    let isSame = open.lazy.filter { $0 != 13 }.elementsEqual(saved.lazy.filter { $0 != 13 })
    return isPlain && !isSame ? open : nil
  }

  /// What a path to write to means: absolute, below home, else beside the file (PK-90).
  package func place(_ path: String) -> String {
    let expanded = FilePath.expandTilde(path, home: FileSystem.homeDirectory)
    return FilePath.normalise(
      FilePath.isAbsolute(expanded) ? expanded : FilePath.join(folder, expanded))
  }

  /// Whether a relative path leads to two files: beside the request file and below the root.
  package func isAmbiguous(_ path: String) -> Bool {
    let expanded = FilePath.expandTilde(path, home: FileSystem.homeDirectory)
    if FilePath.isAbsolute(expanded) || folder == root || pathBase == .fileAlone { return false }
    return [folder, root].allSatisfy {
      FileSystem.exists(FilePath.normalise(FilePath.join($0, expanded)))
    }
  }

  /// Whether a file lies below the root, links followed, also those to what isn't there yet.
  package func holds(_ path: String) -> Bool {
    // Links that lead round in a circle lead nowhere that could be told.
    guard let real = FileSystem.resolved(path) else { return false }
    return holds(real: real)
  }

  /// The environment files in force, root first (PK-47, PK-103). `active` names one environment, or
  /// several with commas between.
  package func environmentSources(
    active: String?, search: Dialect.EnvironmentSearch = .merge
  ) -> [EnvironmentSource] {
    environmentFiles(active: active, search: search) + storedEnvironments
  }

  private func environmentFiles(
    active: String?, search: Dialect.EnvironmentSearch
  ) -> [EnvironmentSource] {
    let selected = EnvironmentSet.selected(active)
    if search == .dotEnvOnly { return nearestDotEnv(selected) }
    if search == .nearest { return nearestSources(selected) }
    var sources = codeWorkspaces
    for (folder, isOwn) in environmentFolders {
      for (name, kind) in Workspace.candidates(selected) where isOwn || kind.isEnvironmentAlone {
        if let source = source(FilePath.join(folder, name), kind) { sources.append(source) }
      }
    }
    return sources
  }

  /// The files of the file's own folders, and of the `http-client` files those of the nearest.
  private func nearestSources(_ selected: [String]) -> [EnvironmentSource] {
    var sources: [EnvironmentSource] = []
    var nearest: String?
    for folder in folders {
      for (name, kind) in Workspace.candidates(selected) {
        guard let source = source(FilePath.join(folder, name), kind) else { continue }
        sources.append(source)
        if kind.isClientFile { nearest = folder }
      }
    }
    return sources.filter { !$0.kind.isClientFile || FilePath.parent($0.file.path) == nearest }
  }

  /// The folders whose environment files are read, the lowest first: that of `HTTPYAC_ENV`, then
  /// the file's own, each with its folder for environments. Settings of tools count in the file's
  /// own alone.
  private var environmentFolders: [(path: String, isOwn: Bool)] {
    let name = environmentFolderName
    var result: [(path: String, isOwn: Bool)] = []
    if let sharedFolder { result.append((sharedFolder, false)) }
    for folder in folders {
      result.append((folder, true))
      let inner = FilePath.normalise(FilePath.join(folder, name))
      if FileSystem.isDirectory(inner) { result.append((inner, false)) }
    }
    return result
  }

  /// `env`, or what httpYac's configuration at the root calls it.
  private var environmentFolderName: String {
    let path = FilePath.join(root, ".httpyac.json")
    guard let file = source(path, .httpyacConfiguration)?.file else { return "env" }
    let options = JSONParsingOptions(allowsComments: true)
    // One that is broken is told where its environments are read.
    let tree = try? JSONTree(parsing: file.bytes, options: options)
    let name = tree?.root["envDirName"]?.string ?? ""
    return name.isEmpty ? "env" : name
  }

  /// VS Code's workspace files at the root, below the settings of its folders.
  private var codeWorkspaces: [EnvironmentSource] {
    // A folder that can't be listed has none to offer, and files in it are told when they are read.
    let names = (try? FileSystem.list(root, suffix: ".code-workspace")) ?? []
    return names.compactMap { source(FilePath.join(root, $0), .codeWorkspace) }
  }

  private static func candidates(_ selected: [String]) -> [(String, EnvironmentSource.Kind)] {
    var result: [(String, EnvironmentSource.Kind)] = [(".env", .dotEnv)]
    for name in selected where !name.contains("/") {
      result.append(("\(name).env", .namedDotEnv(name)))
      result.append((".env.\(name)", .namedDotEnv(name)))
    }
    result.append((".vscode/settings.json", .editorSettings))
    result.append((".httpyac.json", .httpyacConfiguration))
    result.append(("http-client.env.json", .publicFile))
    result.append(("http-client.env.json.user", .userFile))
    result.append(("http-client.private.env.json", .privateFile))
    return result
  }

  /// The one dotenv file that rest.nvim reads: that of the chosen environment, else the nearest
  /// with the request file's name, else the nearest `.env`.
  private func nearestDotEnv(_ selected: [String]) -> [EnvironmentSource] {
    var candidates: [(String, EnvironmentSource.Kind)] = []
    for name in selected where !name.contains("/") {
      candidates += [(".env.\(name)", .namedDotEnv(name)), ("\(name).env", .namedDotEnv(name))]
    }
    if selected.isEmpty {
      let name = FilePath.name(file)
      let base = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
      candidates = [("\(base).env", .dotEnv), (".env", .dotEnv)]
    }
    for (name, kind) in candidates {
      for folder in folders.reversed() {
        if let source = source(FilePath.join(folder, name), kind) { return [source] }
      }
    }
    return []
  }

  /// The dotenv files of the nearest folder that has any: `.env`, then `.env.NAME` (PK-52).
  package func dotEnvFiles(active: String?) -> [SourceFile] {
    let names = Workspace.dotEnvNames(active)
    for folder in folders.reversed() {
      // One that can't be read is told about where the environments are read.
      let files = names.compactMap { name -> SourceFile? in
        let found = source(FilePath.join(folder, name), .dotEnv)
        return found?.failure == nil ? found?.file : nil
      }
      if !files.isEmpty { return files }
    }
    return []
  }

  /// Where such files may lie.
  func dotEnvPaths(active: String?) -> [String] {
    folders.flatMap { folder in
      Workspace.dotEnvNames(active).map { FilePath.join(folder, $0) }
    }
  }

  private static func dotEnvNames(_ active: String?) -> [String] {
    let selected = EnvironmentSet.selected(active).filter { !$0.contains("/") }
    return [".env"] + selected.map { ".env.\($0)" }
  }

  /// Every file that evaluation of this file may read, for watching.
  package func watchedPaths(active: String?) -> [String] {
    let candidates = Workspace.candidates(EnvironmentSet.selected(active))
    return codeWorkspaces.map(\.file.path)
      + environmentFolders.flatMap { folder, isOwn in
        candidates.filter { isOwn || $0.1.isEnvironmentAlone }.map { FilePath.join(folder, $0.0) }
      }
  }

  /// An environment file; `nil` where there is none.
  private func source(_ path: String, _ kind: EnvironmentSource.Kind) -> EnvironmentSource? {
    if let bytes = openFile(path) {
      return EnvironmentSource(kind: kind, file: SourceFile(path: path, bytes: bytes))
    }
    // A folder `.env` is one of Python's environments.
    guard FileSystem.exists(path), !kind.isDotEnv || !FileSystem.isDirectory(path) else {
      return nil
    }
    if let refusal = environmentRefusal(path) {
      return EnvironmentSource(
        kind: kind, file: SourceFile(path: path, bytes: []),
        failure: Workspace.ignored("this link", refusal))
    }
    do throws(FileFailure) {
      let bytes = try savedBytes(path)
      return EnvironmentSource(kind: kind, file: SourceFile(path: path, bytes: bytes))
    } catch {
      let file = SourceFile(path: path, bytes: [])
      let failure = "The file is ignored. \(error.remark)"
      return EnvironmentSource(kind: kind, file: file, failure: failure)
    }
  }

  /// Why a file that is there can't be sent; `nil` where it can be.
  func obstacle(_ path: String) -> String? {
    if unsavedBytes(path) != nil { return nil }
    do throws(FileFailure) {
      _ = try FileSystem.size(path)
      return nil
    } catch {
      return error.explanation
    }
  }

  /// Reads a file for evaluation.
  package func content(_ path: String) -> FileContent {
    if let bytes = openFile(path) { return .bytes(bytes) }
    if FileSystem.exists(path), let refusal = refusal(path) { return .outside(refusal) }
    do throws(FileFailure) {
      return .bytes(try savedBytes(path))
    } catch {
      if case .outside = error, let outsideRefusal { return .outside(outsideRefusal) }
      if !FileSystem.exists(path) { return .missing }
      return .unreadable(error.explanation)
    }
  }
}
