// A written folder that comes to lie beside files of others.

extension WrittenFolder {
  /// The folder with other names for files of which the names are taken by something else:
  /// `Users.http` becomes `Users 2.http`. What names them is changed, too.
  func beside(_ state: FolderState) -> WrittenFolder {
    var result = self
    var taken = state.taken
    func free(_ path: String, _ bytes: [UInt8]) -> String {
      if !taken.contains(path.lowercased()) || state[path] == bytes { return path }
      let dot = path.lastIndex(of: ".").flatMap { $0 > (path.lastIndex(of: "/") ?? path.startIndex)
        ? $0 : nil } ?? path.endIndex
      var number = 2
      while true {
        let other = "\(path[..<dot]) \(number)\(path[dot...])"
        if !taken.contains(other.lowercased()) || state[other] == bytes { return other }
        number += 1
      }
    }
    var renamed: [(from: String, to: String)] = []
    for place in result.attachments.indices {
      let file = result.attachments[place]
      let path = free(file.path, file.bytes)
      taken.insert(path.lowercased())
      if path != file.path { renamed.append((file.path, path)) }
      result.attachments[place].path = path
    }
    for place in result.files.indices {
      let folder = result.files[place].path.split(separator: "/").dropLast()
      for (from, to) in renamed {
        result.files[place].rename(from, to, seenFrom: folder.map(String.init))
      }
      let path = free(result.files[place].path, Array(result.files[place].text.utf8))
      taken.insert(path.lowercased())
      result.files[place].path = path
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
