// The folder that an import writes to: as it is, and how changes come into it.

import PostKitSupport

/// A folder on the disk.
struct ImportTarget: Sendable {
  /// The absolute path, links resolved.
  let path: String

  /// Names a folder that need not be there.
  init(_ path: String) { self.path = FileSystem.resolved(path) ?? path }

  /// Whether something is there that could be lost.
  func isEmpty() throws(FileFailure) -> Bool {
    guard FileSystem.exists(path) else { return true }
    guard FileSystem.isDirectory(path) else { throw .notDirectory(path: path) }
    return try FileSystem.list(path).allSatisfy(StagingDirectory.isOne)
  }

  /// The bytes of the manifest; `nil` where there is none.
  func manifest() throws(FileFailure) -> [UInt8]? { try file(ImportManifest.fileName) }

  /// The variables of its environments.
  var variables: VariablesThere {
    var variables = VariablesThere()
    for name in [EnvironmentFilesWriter.publicName, EnvironmentFilesWriter.privateName] {
      // A file that can't be read is told when the state is asked for.
      if let bytes = try? file(name) { variables.add(bytes) }
    }
    return variables
  }

  /// What is there; `others` are the files beside requests whose bytes are wanted.
  func state(others: Set<String>) throws(FileFailure) -> FolderState {
    var state = FolderState()
    state.ignoresPrivateFile =
      try VersionControl.ignores(in: path, EnvironmentFilesWriter.privateName)
    state.ignoresDotenv = try VersionControl.ignores(in: path, ".env")
    guard FileSystem.isDirectory(path) else { return state }
    try read("", depth: 0, &state)
    let own = [
      EnvironmentFilesWriter.publicName, EnvironmentFilesWriter.privateName, ".gitignore",
      ImportManifest.fileName,
    ]
    for name in others.union(own).sorted() where state.requestFiles[name] == nil {
      state.others[name] = try file(name)
    }
    return state
  }

  private func read(
    _ place: String, depth: Int, _ state: inout FolderState
  ) throws(FileFailure) {
    let folder = FilePath.join(path, place)
    for name in try FileSystem.list(folder) where !StagingDirectory.isOne(name) {
      let inner = place.isEmpty ? name : "\(place)/\(name)"
      let full = FilePath.join(path, inner)
      state.taken.insert(inner.lowercased())
      if name.hasPrefix(".") || name == "node_modules" || FileSystem.isLink(full) { continue }
      if FileSystem.isDirectory(full) {
        if depth < FolderFiles.depthLimit { try read(inner, depth: depth + 1, &state) }
      } else if FolderFiles.isRequestFile(name), FileSystem.isRegularFile(full) {
        state.requestFiles[inner] = try FileSystem.read(
          path: full, limit: Limits.importFileBytes, inside: [path])
      }
    }
  }

  /// A file of the folder; `nil` where none is there. A link is none.
  private func file(_ name: String) throws(FileFailure) -> [UInt8]? {
    let full = FilePath.join(path, name)
    guard !FileSystem.isLink(full), FileSystem.isRegularFile(full) else { return nil }
    do throws(FileFailure) {
      return try FileSystem.read(path: full, limit: Limits.importFileBytes, inside: [path])
    } catch {
      // A folder on the way is a link: what lies behind it is none of the import's.
      if case .outside = error { return nil }
      throw error
    }
  }
}

extension ImportTarget {
  /// What the files of others may do with what is written: secrets are the user's alone.
  private static func mode(_ path: String) -> UInt16 {
    path == EnvironmentFilesWriter.privateName || WrittenFolder.isDotenv(path) ? 0o600 : 0o644
  }
  private static let folderMode: UInt16 = 0o755

  /// Writes changes. All is written elsewhere first, so that a full disk leaves the folder as it
  /// was; then each file gets its place at once, the manifest last. A folder that is not there gets
  /// its place as a whole. What was written when it is to end stays, and the same import goes on
  /// with it.
  ///
  /// Answers whether all was written.
  func write(_ changes: FolderChanges, _ watch: ImportWatch) throws(FileFailure) -> Bool {
    if changes.isEmpty { return true }
    for name in changes.writes.map(\.path) + changes.removals where !FolderChanges.isAllowed(name) {
      throw .outside(path: FilePath.join(path, name), root: path)
    }
    let isThere = FileSystem.exists(path)
    let wasEmpty = try isEmpty()
    if isThere { for file in changes.writes { try FolderFiles.requirePlain(file.path, in: path) } }
    if !isThere { try FileSystem.makeDirectory(FilePath.parent(path), mode: Self.folderMode) }
    let staging: StagingDirectory
    do throws(FileFailure) {
      staging = try StagingDirectory(in: isThere ? path : FilePath.parent(path))
    } catch {
      throw error.of(path)
    }
    defer {
      // What can't be removed is cleared away by the next import.
      try? staging.remove()
    }
    let stage = FilePath.join(staging.path, "files")
    try FileSystem.makeDirectory(stage, mode: Self.folderMode)
    for (number, file) in changes.writes.enumerated() {
      if watch.isStopped() { return false }
      try put(file, below: stage)
      watch.tell(number + 1, after: number, of: changes.writes.count, "files")
    }
    guard isThere else {
      try FileSystem.rename(stage, to: path)
      return true
    }
    if wasEmpty {
      // Should the process be killed, the next one knows whose files these are.
      try put(
        TransferFile(path: ImportManifest.fileName, bytes: ImportManifest().bytes), below: path)
    }
    for file in changes.writes where file.path != ImportManifest.fileName {
      if watch.isStopped() { return false }
      try move(file.path, from: stage)
    }
    for name in changes.removals {
      if watch.isStopped() { return false }
      try remove(name)
    }
    if changes.writes.last?.path == ImportManifest.fileName {
      try move(ImportManifest.fileName, from: stage)
    }
    return true
  }

  private func put(_ file: TransferFile, below folder: String) throws(FileFailure) {
    let place = FilePath.join(folder, file.path)
    try FileSystem.makeDirectory(FilePath.parent(place), mode: Self.folderMode)
    try FileSystem.writeAtomically(file.bytes, to: place, mode: Self.mode(file.path))
  }

  private func move(_ name: String, from stage: String) throws(FileFailure) {
    let place = FilePath.join(path, name)
    try FileSystem.makeDirectory(FilePath.parent(place), mode: Self.folderMode)
    try FolderFiles.requirePlain(name, in: path)
    try FileSystem.rename(FilePath.join(stage, name), to: place)
  }

  /// Removes a file, and the folders that are empty then.
  private func remove(_ name: String) throws(FileFailure) {
    let place = FilePath.join(path, name)
    try FolderFiles.requirePlain(name, in: path)
    try FileSystem.remove(place)
    var parent = FilePath.parent(place)
    while parent != path, try FileSystem.list(parent).isEmpty {
      try FileSystem.remove(parent)
      parent = FilePath.parent(parent)
    }
  }
}
