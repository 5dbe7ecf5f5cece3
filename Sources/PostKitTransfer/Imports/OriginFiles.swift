// Sources, and files that sources name, from the disk.

import PostKitSupport

/// Reads what an import is about.
enum OriginFiles {
  /// The endings of files that formats made of folders consist of; others are told by their names
  /// alone, as a folder may hold anything.
  private static let endings: Set<String> = [
    "json", "yml", "yaml", "bru", "js", "http", "rest", "env", "graphql", "gql", "txt", "xml",
  ]

  /// Reads a file or a folder.
  static func source(_ path: String, called: String) throws(OriginFailure) -> OriginSource {
    do throws(FileFailure) {
      guard FileSystem.isDirectory(path) else {
        let bytes = try FileSystem.read(path: path, limit: Limits.importFileBytes)
        return OriginSource(name: called, bytes: bytes)
      }
      var files: [TransferFile] = []
      var size = 0
      let top = FileSystem.realPath(path) ?? path
      let kept = FilePath.join(top, InsomniaRepository.folderName)
      // A repository may have anything beside it, however large.
      if InsomniaRepository.isAll(of: try FileSystem.list(top)), FileSystem.isDirectory(kept),
        !FileSystem.isLink(kept)
      {
        let place = "\(InsomniaRepository.folderName)/"
        try read(kept, place, top: top, depth: 1, &files, &size)
      } else {
        try read(top, "", top: top, depth: 0, &files, &size)
      }
      return OriginSource(name: called, files: files)
    } catch {
      throw OriginFailure(error.of(called).description)
    }
  }

  private static func read(
    _ folder: String, _ place: String, top: String, depth: Int, _ files: inout [TransferFile],
    _ size: inout Int
  ) throws(FileFailure) {
    for name in try FileSystem.list(folder) where name != "node_modules" {
      if name.hasPrefix("."), !place.isEmpty || name != InsomniaRepository.folderName { continue }
      let path = FilePath.join(folder, name)
      // What a link leads to lies elsewhere, or is found there.
      if FileSystem.isLink(path) { continue }
      if FileSystem.isDirectory(path) {
        guard depth < FolderFiles.depthLimit else { continue }
        try read(path, "\(place)\(name)/", top: top, depth: depth + 1, &files, &size)
      } else if FileSystem.isRegularFile(path) {
        var bytes: [UInt8] = []
        if endings.contains(FilePath.fileExtension(name).lowercased()) {
          bytes = try FileSystem.read(
            path: path, limit: max(Limits.importFileBytes - size, 0), inside: [top])
        }
        size += bytes.count
        files.append(TransferFile(path: place + name, bytes: bytes))
      }
    }
  }

  /// What is answered to an importer that asks for a file: only what lies below a folder, links
  /// followed (IO-2).
  static func answer(_ path: String, from folder: String, below root: String) -> OriginFileAnswer {
    let root = FileSystem.realPath(root) ?? root
    let wanted = FilePath.normalise(FilePath.join(folder, path))
    guard let real = FileSystem.resolved(wanted), FilePath.isInside(real, directory: root) else {
      return .outside
    }
    guard FileSystem.exists(real) else { return .missing }
    do throws(FileFailure) {
      return .bytes(
        try FileSystem.read(path: real, limit: Limits.importFileBytes, inside: [root]))
    } catch {
      if case .outside = error { return .outside }
      if case .notFound = error { return .missing }
      return .unreadable(error.of(path).description)
    }
  }
}
