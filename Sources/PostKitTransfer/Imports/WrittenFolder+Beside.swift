// A written folder that comes to lie beside files of others.

extension WrittenFolder {
  /// Other names for files of which the names are taken by something else, by their own:
  /// `Users.http` becomes `Users 2.http`.
  func namesBeside(_ state: FolderState) -> [String: String] {
    var result: [String: String] = [:]
    var taken = state.taken
    // The bytes are asked for only where something else has the name.
    let paths: [(String, () -> [UInt8])] = attachments.map { file in (file.path, { file.bytes }) }
      + files.map { file in (file.path, { file.bytes }) }
    for (path, bytes) in paths {
      let isFree: (String) -> Bool = { !taken.contains($0.lowercased()) || state[$0] == bytes() }
      var free = path
      var number = 1
      while !isFree(free) {
        number += 1
        free = Self.numbered(path, number)
      }
      taken.insert(free.lowercased())
      if free != path { result[path] = free }
    }
    return result
  }

  /// A path with a number before its ending.
  private static func numbered(_ path: String, _ number: Int) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
    return "\(path[..<dot]) \(number)\(path[dot...])"
  }

  /// The folder with other names for files; what names them is changed, too.
  func renamed(_ names: [String: String]) -> WrittenFolder {
    if names.isEmpty { return self }
    var result = self
    var changed: [(from: String, to: String)] = []
    for place in attachments.indices {
      guard let name = names[attachments[place].path] else { continue }
      changed.append((attachments[place].path, name))
      result.attachments[place].path = name
    }
    for place in files.indices {
      let folder = files[place].path.split(separator: "/").dropLast().map(String.init)
      for (from, to) in changed { result.files[place].rename(from, to, seenFrom: folder) }
      result.files[place].path = names[files[place].path] ?? files[place].path
    }
    return result
  }
}

extension WrittenFile {
  /// Names a file beside it by another path.
  fileprivate mutating func rename(_ from: String, _ to: String, seenFrom folder: [String]) {
    let (old, new) = (Self.relative(from, folder), Self.relative(to, folder))
    func replace(_ text: inout String) {
      guard text.contains(old) else { return }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.hasSuffix(old) ? line.dropLast(old.count) + new : line
      }
      text = lines.joined(separator: "\n")
      isRead = false
    }
    for place in blocks.indices {
      replace(&blocks[place].head)
      replace(&blocks[place].body)
      replace(&blocks[place].tail)
    }
  }

  /// The path of a file as a request file in a folder says it.
  private static func relative(_ path: String, _ folder: [String]) -> String {
    let parts = path.split(separator: "/").map(String.init)
    let shared = zip(parts.dropLast(), folder).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: folder.count - shared)
    return ((up.isEmpty ? ["."] : up) + parts[shared...]).joined(separator: "/")
  }
}
