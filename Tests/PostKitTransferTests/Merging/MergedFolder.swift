// A folder without a disk: imports into it, and what people do to it in between.

import PostKitHTTP
import PostKitJSON

@testable import PostKitTransfer

/// A folder that imports are merged into.
struct MergedFolder {
  var files: [String: [UInt8]] = [:]
  /// What the last import told.
  private(set) var changes = FolderChanges()
  private(set) var notes: [ImportNote] = []

  /// The text of a file; empty where there is none.
  subscript(path: String) -> String {
    get { files[path].map { String(keeping: $0) } ?? "" }
    set { files[path] = newValue.keptBytes }
  }

  /// The folder as a merge sees it.
  var state: FolderState {
    var state = FolderState()
    for (path, bytes) in files {
      if path.hasSuffix(".http") {
        state.requestFiles[path] = bytes
      } else {
        state.others[path] = bytes
      }
      state.taken.insert(path.lowercased())
    }
    let name = EnvironmentFilesWriter.privateName
    state.ignoresDotenv = IgnoreRules.ignores([(self[".gitignore"], ".env")])
    state.ignoresPrivateFile = IgnoreRules.ignores([(self[".gitignore"], name)])
    return state
  }

  /// The manifest of the last import.
  var manifest: ImportManifest? {
    get throws { try files[ImportManifest.fileName].map { bytes in try ImportManifest(bytes) } }
  }

  /// Replaces a text of a file, which must be there.
  mutating func edit(_ path: String, _ old: String, _ new: String) {
    precondition(self[path].contains(old), "\(path) has no \(old):\n\(self[path])")
    self[path] = self[path].replacing(old, with: new, maxReplacements: 1)
  }

  /// Imports, and writes what is to be written unless `rule` forbids it.
  @discardableResult mutating func `import`(
    _ new: WrittenFolder, _ rule: ConflictRule = .mine, sources: [String] = ["../shop.json"]
  ) throws -> FolderChanges {
    let notes = ImportNotes()
    var head = ImportManifest()
    (head.sources, head.format, head.name) = (sources, "postman", "Shop")
    changes = try FolderMerge.changes(
      from: new, in: state, base: manifest, head: head, rule: rule, notes: notes)
    self.notes = notes.notes
    if rule == .stop, !changes.conflicts.isEmpty { return changes }
    for file in changes.writes { files[file.path] = file.bytes }
    for path in changes.removals { files[path] = nil }
    return changes
  }
}

extension WrittenFolder {
  /// A folder of one file.
  init(_ path: String = "Users.http", head: String = "", _ blocks: [WrittenBlock]) {
    self.init(files: [WrittenFile(path: path, head: head, blocks: blocks)])
  }
}

extension WrittenBlock {
  /// A request with an id that is its title in small letters.
  init(
    _ title: String, id: String? = nil, head: String = "", _ line: String, headers: String = "",
    body: String = "", tail: String = ""
  ) {
    self.init(
      id: id ?? title.lowercased(), title: title, head: head, line: line, headers: headers,
      body: body, tail: tail)
  }
}
