// Where a request file lives: its root, the environment files around it, and what its paths mean.

package import PostKitEvaluate
import PostKitSupport

/// The surroundings of one request file.
package struct Workspace: Sendable, Hashable {
  /// The absolute path of the request file.
  package let file: String
  /// The folder that bounds every search (contracts.md, section 4).
  package let root: String
  /// The text of the files that are open in an editor, by absolute path. It wins over the disk, as
  /// it is what the user sees (lsp.md D9); only a body that is sent as it lies on disk is not
  /// looked for here, since an editor may have converted its bytes.
  private let openFiles: [String: [UInt8]]

  /// Finds the surroundings of a file. In an editor the workspace folder that holds it is the root.
  package init(
    file: String, workspaceFolder: String? = nil, openFiles: [String: [UInt8]] = [:]
  ) {
    self.openFiles = openFiles
    let path = FilePath.normalise(FileSystem.absolute(file))
    self.file = path
    if let workspaceFolder, FilePath.isInside(path, directory: workspaceFolder) {
      root = FilePath.normalise(workspaceFolder)
    } else {
      root = Workspace.root(of: FilePath.parent(path))
    }
  }

  /// The nearest ancestor with `postkit.json` or `.git`; else the topmost parent up to, not beyond,
  /// the home directory; outside home, parents owned by the user and
  /// closed to others, so that nobody can plant an environment file.
  private static func root(of folder: String) -> String {
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
  /// root (PK-17); `nil` where nothing is there.
  package func resolve(_ path: String) -> String? {
    let expanded = FilePath.expandTilde(path, home: FileSystem.homeDirectory)
    if FilePath.isAbsolute(expanded) { return FileSystem.exists(expanded) ? expanded : nil }
    for base in [folder, root] {
      let candidate = FilePath.normalise(FilePath.join(base, expanded))
      if FileSystem.exists(candidate) { return candidate }
    }
    return nil
  }

  /// Whether a file lies below the root, links followed.
  package func holds(_ path: String) -> Bool {
    let real = FileSystem.realPath(path) ?? path
    return FilePath.isInside(real, directory: FileSystem.realPath(root) ?? root)
  }

  /// The environment files in force, root first (PK-47, PK-103).
  package func environmentSources(active: String?) -> [EnvironmentSource] {
    var sources: [EnvironmentSource] = []
    for folder in folders {
      for (name, kind) in Workspace.candidates(active: active) {
        guard let file = read(FilePath.join(folder, name)) else { continue }
        sources.append(EnvironmentSource(kind: kind, file: file))
      }
    }
    return sources
  }

  private static func candidates(active: String?) -> [(String, EnvironmentSource.Kind)] {
    var result: [(String, EnvironmentSource.Kind)] = [(".env", .dotEnv)]
    if let active, !active.contains("/") {
      result.append(("\(active).env", .namedDotEnv(active)))
      result.append((".env.\(active)", .namedDotEnv(active)))
    }
    result.append((".vscode/settings.json", .editorSettings))
    result.append((".httpyac.json", .httpyacConfiguration))
    result.append(("http-client.env.json", .publicFile))
    result.append(("http-client.env.json.user", .userFile))
    result.append(("http-client.private.env.json", .privateFile))
    return result
  }

  /// The dotenv files of the nearest folder that has any: `.env`, then `.env.NAME` (PK-52).
  package func dotEnvFiles(active: String?) -> [SourceFile] {
    for folder in folders.reversed() {
      var files = [read(FilePath.join(folder, ".env"))].compactMap { $0 }
      if let active, !active.contains("/"),
        let named = read(FilePath.join(folder, ".env.\(active)"))
      {
        files.append(named)
      }
      if !files.isEmpty { return files }
    }
    return []
  }

  /// Every file that evaluation of this file may read, for watching.
  package func watchedPaths(active: String?) -> [String] {
    folders.flatMap { folder in
      Workspace.candidates(active: active).map { FilePath.join(folder, $0.0) }
    }
  }

  private func read(_ path: String) -> SourceFile? {
    if let bytes = openFiles[path] { return SourceFile(path: path, bytes: bytes) }
    guard FileSystem.isRegularFile(path) else { return nil }
    // A file that can't be read is as good as absent here; a broken one is reported by its parser.
    guard let bytes = try? FileSystem.read(path: path, limit: Limits.sourceFileBytes) else {
      return nil
    }
    return SourceFile(path: path, bytes: bytes)
  }

  /// Reads a file for evaluation.
  package func content(_ path: String) -> FileContent {
    if let bytes = openFiles[path] { return .bytes(bytes) }
    do throws(FileFailure) {
      return .bytes(try FileSystem.read(path: path, limit: Limits.sourceFileBytes))
    } catch {
      if !FileSystem.exists(path) { return .missing }
      return .unreadable("\(error)")
    }
  }
}
