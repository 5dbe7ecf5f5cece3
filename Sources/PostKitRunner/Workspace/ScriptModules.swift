// Finds the files that scripts require and import, as Node does, inside of the root.

import PostKitEvaluate
import PostKitJSON
import PostKitSupport

/// Finds the files of modules (SC-14).
struct ScriptModules {
  /// What a name comes to.
  enum Found {
    case module(path: String, bytes: [UInt8])
    case refused(String)
  }

  let root: String
  let read: (String) -> FileContent

  /// What the modules of a run may be at most (SC-15).
  private static let most = (count: 1_000, bytes: 8 << 20, bytesTogether: 32 << 20)

  /// Why a module is one too many, by the sizes of all that a run has with it.
  static func excess(_ sizes: [String: Int], adding path: String) -> String? {
    let size = sizes[path] ?? 0
    if size > most.bytes {
      return "'\(path)' has \(size) bytes, more than the \(most.bytes) that a module may have"
    }
    let remedy = "require fewer, or bundle what is used of them"
    if sizes.count > most.count {
      return "'\(path)' is one too many: scripts may have \(most.count) modules; \(remedy)"
    }
    guard sizes.values.reduce(0, +) > most.bytesTogether else { return nil }
    return "'\(path)' is too much: all modules of scripts may have \(most.bytesTogether) bytes; "
      + remedy
  }

  /// The module that a file in a folder means by a name.
  func find(_ id: String, _ folder: String) -> Found? {
    if id.hasSuffix(".node") { return .refused("'\(id)' is native code, which is not run") }
    if id.hasPrefix("./") || id.hasPrefix("../") || id == "." || id == ".." || id.hasPrefix("/") {
      return file(FilePath.normalise(id.hasPrefix("/") ? id : folder + "/" + id))
    }
    var folder = folder
    while true {
      if let found = package(id, in: folder + "/node_modules") { return found }
      if folder == root || folder.isEmpty || folder == "/" { return nil }
      folder = FilePath.parent(folder)
    }
  }

  /// A file by its path, with the endings and the index that Node tries.
  private func file(_ path: String) -> Found? {
    let endings = ["", ".js", ".mjs", ".cjs", ".json", "/index.js"]
    for ending in endings {
      switch read(path + ending) {
      case .bytes(let bytes): return .module(path: path + ending, bytes: bytes)
      case .outside(let why): return .refused("'\(path)' can't be required: \(why)")
      case .missing, .unreadable: continue
      }
    }
    return nil
  }

  /// A package by its name, or a file in it.
  private func package(_ id: String, in folder: String) -> Found? {
    let parts = id.split(separator: "/").map(String.init)
    let count = id.hasPrefix("@") ? 2 : 1
    guard parts.count >= count else { return nil }
    let home = folder + "/" + parts.prefix(count).joined(separator: "/")
    let rest = parts.dropFirst(count).joined(separator: "/")
    // A manifest that can't be read is as good as none.
    guard case .bytes(let bytes) = read(home + "/package.json"),
      let manifest = try? JSONTree(parsing: bytes).root.value
    else { return file(rest.isEmpty ? home : home + "/" + rest) }
    let key = rest.isEmpty ? "." : "./" + rest
    if let exports = manifest["exports"] {
      let entry = exports[key] ?? (rest.isEmpty ? exports : .null)
      if let target = ScriptModules.target(entry) {
        return file(FilePath.normalise(home + "/" + target))
      }
    }
    if !rest.isEmpty { return file(home + "/" + rest) }
    return manifest["main"]?.string.flatMap { file(FilePath.normalise(home + "/" + $0)) }
      ?? file(home + "/index")
  }

  /// The path of an entry of `exports`.
  private static func target(_ entry: JSONValue) -> String? {
    if case .string(let text) = entry { return text }
    guard case .object = entry else { return nil }
    for condition in ["require", "node", "default"] {
      if let found = entry[condition].flatMap(target) { return found }
    }
    return nil
  }
}
