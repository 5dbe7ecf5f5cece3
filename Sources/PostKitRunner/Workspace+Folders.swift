// What lies in folders around a request file, for whoever completes a path.

import PostKitEvaluate
import PostKitSupport

extension Workspace {
  /// An entry of a folder.
  package struct Entry: Sendable, Hashable {
    package var name: String
    package var isFolder: Bool
  }

  /// What lies in the folder that a path in the request file means, by name; empty for a folder
  /// outside of the root, links followed. Hidden files are left out.
  package func entries(of path: String) -> [Entry] {
    let written = FilePath.expandTilde(path, home: FileSystem.homeDirectory)
    let base = pathBase == .root && !path.hasPrefix(".") ? root : folder
    let place = FilePath.normalise(
      FilePath.isAbsolute(written) ? written : FilePath.join(base, written))
    guard FileSystem.isDirectory(place), holds(place) else { return [] }
    // A folder that can't be listed has nothing to offer.
    let names = (try? FileSystem.list(place)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().prefix(Limits.completionFolderEntries)
      .compactMap { name in
        let path = FilePath.join(place, name)
        if path == file { return nil }
        let isFolder = FileSystem.isDirectory(path)
        guard isFolder || FileSystem.isRegularFile(path), holds(path) else { return nil }
        return Entry(name: name, isFolder: isFolder)
      }
  }
}
