// Finds the files of the workspace that have names in them, within bounds.

import PostKitEvaluate
import PostKitLanguage
import PostKitSupport
import PostKitSyntax

/// A walk through the workspace folders.
struct WorkspaceWalk {
  let roots: [String]
  /// Whether links that lead out of the folders are followed.
  let isTrusted: Bool
  /// The request and environment files, in order.
  private(set) var files: [String] = []
  /// The folders with settings of their own.
  private(set) var settingsFolders: [String] = []
  /// What was left out, in words.
  private(set) var notice: String?
  private var names = 0

  /// Prepares a walk.
  init(roots: [String], isTrusted: Bool) {
    self.roots = roots
    self.isTrusted = isTrusted
  }

  /// Whether a file of that path has names that are kept.
  static func isIndexed(_ path: String) -> Bool {
    ParsedDocument.isRequestFile(path) || EnvironmentSource.Kind(path: path) != nil
  }

  /// Whether a walk through folders would come to such a file.
  static func isIndexed(_ path: String, in roots: [String]) -> Bool {
    guard isIndexed(path) else { return false }
    return roots.contains { root in
      guard FilePath.isInside(path, directory: root) else { return false }
      var folders = FilePath.relative(path, to: root).split(separator: "/").dropLast()
      if folders.last == ".vscode" { folders.removeLast() }
      return folders.count <= Limits.indexedDepth && folders.allSatisfy { mayHold(String($0)) }
    }
  }

  /// Whether a folder of that name is looked through.
  private static func mayHold(_ name: String) -> Bool {
    !name.hasPrefix(".") && name != "node_modules"
  }

  /// Whether a file may be read: it lies in one of the folders, links followed.
  static func mayRead(_ path: String, _ roots: [String], isTrusted: Bool) -> Bool {
    guard let real = FileSystem.realPath(path) else { return false }
    if isTrusted { return true }
    return roots.contains {
      FilePath.isInside(real, directory: FileSystem.realPath($0) ?? $0)
    }
  }

  /// Looks through all folders, the upper ones first.
  mutating func run() {
    var seen: Set<String> = []
    var waiting = roots.map { ($0, 0) }
    while !waiting.isEmpty, notice == nil {
      let (folder, depth) = waiting.removeFirst()
      guard seen.insert(folder).inserted else { continue }
      // A folder that can't be read has nothing in it that could be asked about.
      for name in ((try? FileSystem.list(folder)) ?? []).sorted() {
        names += 1
        if names > Limits.indexedNames || files.count >= Limits.indexedFiles {
          notice =
            "The index of names holds \(files.count) files; the rest of \(folder) and what comes "
            + "after it is left out. Open a smaller folder to have all of its names."
          break
        }
        let path = FilePath.join(folder, name)
        if name == SettingsForm.project.fileName { settingsFolders.append(folder) }
        if name == ".vscode" {
          let settings = FilePath.join(path, "settings.json")
          if FileSystem.isRegularFile(settings), isReadable(settings) { files.append(settings) }
        } else if WorkspaceWalk.isIndexed(path), FileSystem.isRegularFile(path) {
          if isReadable(path) { files.append(path) }
        } else if isFolder(name, path), depth < Limits.indexedDepth {
          waiting.append((path, depth + 1))
        }
      }
    }
  }

  /// Whether a file that was found lies in the folders.
  private func isReadable(_ path: String) -> Bool {
    !FileSystem.isSymbolicLink(path)
      || WorkspaceWalk.mayRead(path, roots, isTrusted: isTrusted)
  }

  /// Whether a name is that of a folder to look through; links could lead in circles.
  private func isFolder(_ name: String, _ path: String) -> Bool {
    WorkspaceWalk.mayHold(name) && FileSystem.isDirectory(path)
      && !FileSystem.isSymbolicLink(path)
  }
}
