// What lies in folders around a request file, for whoever completes a path.

import PostKitEvaluate
import PostKitSupport

extension Workspace {
  /// An entry of a folder.
  package struct Entry: Sendable, Hashable {
    package var name: String
    package var isFolder: Bool
  }

  /// How deep and how far request files are looked for: completion must not wait for a large tree.
  private static let nearby = (depth: 4, files: 200, names: 5_000)

  /// The other request files in this one's folder and below, as `import` lines name them.
  package var requestFilesBelow: [String] {
    var result: [String] = []
    if refusal(folder) != nil { return [] }
    var waiting = [("./", folder, 1)]
    var names = 0
    while !waiting.isEmpty, result.count < Workspace.nearby.files {
      let (prefix, folder, depth) = waiting.removeFirst()
      // A folder that can't be read holds nothing that could be imported.
      let entries = (try? FileSystem.list(folder)) ?? []
      for name in entries.sorted() where !name.hasPrefix(".") && name != "node_modules" {
        names += 1
        if names > Workspace.nearby.names { return result }
        let path = FilePath.join(folder, name)
        if name.hasSuffix(".http") || name.hasSuffix(".rest") {
          if path != file, FileSystem.isRegularFile(path) { result.append(prefix + name) }
        } else if depth < Workspace.nearby.depth, !name.contains("."),
          FileSystem.isDirectory(path), refusal(path) == nil
        {
          waiting.append((prefix + name + "/", path, depth + 1))
        }
      }
    }
    return result
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
