// Folders on the disk as files without it, and back.

package import PostKitSupport

/// Reads and writes whole folders.
package enum FolderFiles {
  /// How deep directories may lie in each other.
  static let depthLimit = 32

  /// What was found of a folder.
  package struct Contents: Sendable, Hashable {
    package var files: [TransferFile] = []
    /// Whether one request file was named, not a folder.
    package var isOneFile = false
    /// What can't be read, or is a link to somewhere else, and is left out.
    package var warnings: [String] = []
  }

  /// Whether a file is one that requests are written in, by its name.
  package static func isRequestFile(_ name: String) -> Bool {
    let name = name.lowercased()
    return RequestFolderReader.endings.contains(where: name.hasSuffix)
  }

  /// The name of a request file without its ending; `users.v1.http` and `users.v2.http` differ.
  static func title(ofRequestFile name: String) -> String {
    isRequestFile(name) && name.utf8.count > 5 ? String(name.dropLast(5)) : name
  }

  /// The files of a folder that an import may be about, or the one request file that is named;
  /// hidden ones are passed over. `onFile` is told how many were read so far.
  package static func read(
    _ path: String, onFile: (Int) -> Void = { _ in }
  ) throws(FileFailure) -> Contents {
    if isRequestFile(path), FileSystem.isRegularFile(path) {
      let bytes = try FileSystem.read(path: path, limit: Limits.sourceFileBytes)
      return Contents(
        files: [TransferFile(path: FilePath.name(path), bytes: bytes)], isOneFile: true)
    }
    guard FileSystem.isDirectory(path) else {
      throw FileSystem.exists(path) ? .notDirectory(path: path) : .notFound(path: path)
    }
    var contents = Contents()
    let folder = FileSystem.realPath(path) ?? path
    try read(
      names: FileSystem.list(folder), of: folder, "", top: folder, depth: 0, &contents, onFile)
    return contents
  }

  private static func read(
    names: [String], of directory: String, _ place: String, top: String, depth: Int,
    _ contents: inout Contents, _ onFile: (Int) -> Void
  ) {
    for name in names where !name.hasPrefix(".") {
      let path = FilePath.join(directory, name)
      do throws(FileFailure) {
        if FileSystem.isDirectory(path) {
          guard FileSystem.realPath(path) == path else {
            contents.warnings.append("\(place)\(name) is left out: it is a link to a folder.")
            continue
          }
          guard depth < depthLimit else {
            contents.warnings.append(
              "\(place)\(name) is left out: it is deeper than \(depthLimit) folders.")
            continue
          }
          let inner = try FileSystem.list(path)
          read(
            names: inner, of: path, "\(place)\(name)/", top: top, depth: depth + 1, &contents,
            onFile)
        } else if FileSystem.isRegularFile(path) {
          let real = FileSystem.realPath(path)
          guard real.map({ FilePath.isInside($0, directory: top) }) ?? false else {
            contents.warnings.append(
              "\(place)\(name) is left out: it is a link to a file outside the folder.")
            continue
          }
          // What else lies there is told by its name alone.
          let isWanted = isRequestFile(name) || FolderManifest.ownFiles.contains(name)
          let bytes = isWanted
            ? try FileSystem.read(path: path, limit: Limits.sourceFileBytes, inside: [top]) : []
          contents.files.append(TransferFile(path: place + name, bytes: bytes))
          onFile(contents.files.count)
        } else if !FileSystem.exists(path), let reason = unreadable(name) {
          contents.warnings.append("\(place)\(name) \(reason)")
        }
      } catch {
        contents.warnings.append("\(place)\(name) is left out. \(error)")
      }
    }
  }

  /// Why nothing is found by a name that a directory lists; `nil` where that concerns no import.
  private static func unreadable(_ name: String) -> String? {
    // What is no UTF-8 was replaced by this character when the directory was listed.
    if name.unicodeScalars.contains("\u{FFFD}") {
      return "is left out: its name is not UTF-8. Rename it."
    }
    return isRequestFile(name) ? "is left out: it is a broken link." : nil
  }

  /// Writes files into a folder, and nowhere else. One that has something in it must be allowed to
  /// change: then the request files that an earlier export has listed, and that are none any more,
  /// are removed. All is written elsewhere first, so that a full disk leaves the folder as it was.
  package static func write(
    _ files: [TransferFile], to path: String, replaces: Bool
  ) throws(FileFailure) {
    let isThere = FileSystem.exists(path)
    if !isThere, FileSystem.isLink(path) { throw .isLink(path: path) }
    let target = FileSystem.realPath(path) ?? path
    var old: [String] = []
    if isThere {
      guard FileSystem.isDirectory(path) else { throw .notDirectory(path: path) }
      let isEmpty = try FileSystem.list(path).allSatisfy(StagingDirectory.isOne)
      if !replaces, !isEmpty { throw .alreadyExists(path: path) }
      old = try listed(in: target)
    }
    let parent = isThere ? target : FilePath.parent(target)
    let directory: StagingDirectory
    do throws(FileFailure) { directory = try StagingDirectory(in: parent) } catch {
      throw error.of(target)
    }
    let stage = directory.path
    do throws(FileFailure) {
      for file in files {
        let place = FilePath.join(stage, file.path)
        try FileSystem.makeDirectory(FilePath.parent(place))
        try FileSystem.writeAtomically(file.bytes, to: place, mode: 0o600)
      }
      if isThere {
        for file in files { try requirePlain(file.path, in: target) }
        for file in files {
          let place = FilePath.join(target, file.path)
          try FileSystem.makeDirectory(FilePath.parent(place))
          try FileSystem.rename(FilePath.join(stage, file.path), to: place)
        }
        try directory.remove()
      } else {
        try directory.rename(to: target)
      }
    } catch {
      // What can't be removed either is a folder with a strange name; the first failure is told.
      try? directory.remove()
      guard error.path.hasPrefix(stage) else { throw error }
      throw error.of(target + error.path.dropFirst(stage.count))
    }
    let new = Set(files.map(\.path))
    for name in old where !new.contains(name) {
      try FileSystem.remove(FilePath.join(target, name))
    }
  }

  /// Refuses a file that is a link, which would be replaced, or whose directories are links, by
  /// which it would come to lie elsewhere, and one in whose place a directory is.
  static func requirePlain(_ path: String, in target: String) throws(FileFailure) {
    let place = FilePath.join(target, path)
    if FileSystem.isLink(place) { throw .isLink(path: place) }
    if FileSystem.isDirectory(place) { throw .isDirectory(path: place) }
    var parent = FilePath.parent(place)
    while parent != target {
      if let real = FileSystem.realPath(parent), real != parent { throw .isLink(path: parent) }
      parent = FilePath.parent(parent)
    }
  }

  /// The files of an earlier export into a folder: its manifest, the request files that this lists,
  /// and those of the folders that it lists. What else lies there may be another export, and a
  /// manifest that was changed by hand names nothing else.
  private static func listed(
    in target: String, _ place: String = ""
  ) throws(FileFailure) -> [String] {
    let manifestPath = place + FolderManifest.fileName
    let file = FilePath.join(target, manifestPath)
    guard FileSystem.isRegularFile(file),
      let manifest = FolderManifest(try FileSystem.read(path: file, limit: Limits.sourceFileBytes))
    else { return [] }
    var result = [manifestPath]
    for name in manifest.requests where isRequestFile(name) && isPlainName(name) {
      let path = place + name
      if FileSystem.isRegularFile(FilePath.join(target, path)) { result.append(path) }
    }
    for name in manifest.folders where isPlainName(name) {
      let directory = FilePath.join(target, place + name)
      guard FileSystem.realPath(directory) == directory, FileSystem.isDirectory(directory) else {
        continue
      }
      result += try listed(in: target, "\(place)\(name)/")
    }
    return result
  }

  /// Whether a name is one of a directory's entries that an export could have made.
  private static func isPlainName(_ name: String) -> Bool {
    let hasSeparator = name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    return !name.isEmpty && !name.hasPrefix(".") && !hasSeparator
  }
}

extension FolderFiles.Contents {
  /// The request files in the order of the manifests beside them: folders, then requests, then what
  /// a manifest does not list as it was read.
  package var requestFiles: [TransferFile] {
    var places: [String: Int] = [:]
    for file in files where file.name == FolderManifest.fileName {
      guard let manifest = FolderManifest(file.bytes) else { continue }
      let directory = String(file.path.dropLast(FolderManifest.fileName.count))
      for (place, name) in (manifest.folders + manifest.requests).enumerated()
      where places[directory + name] == nil { places[directory + name] = place }
    }
    let requests = files.filter { FolderFiles.isRequestFile($0.name) }
    var first: [String: Int] = [:]
    // Of each directory on the way to a file, and of the file: its place, then when it was read.
    let keys = requests.enumerated().map { offset, file -> [Int] in
      var path = ""
      return file.path.split(separator: "/").flatMap { part -> [Int] in
        path += path.isEmpty ? String(part) : "/" + part
        let read = first[path] ?? offset
        first[path] = read
        return [places[path] ?? .max, read]
      }
    }
    return requests.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
      .map { requests[$0] }
  }
}
