// Paths as text: what can be said about them without asking the disk.

/// Pure operations on POSIX paths.
package enum FilePath {
  /// The path without its last component: `/a/b` gives `/a`, `a` gives `.`, `/` gives `/`.
  package static func parent(_ path: String) -> String {
    let trimmed = withoutTrailingSlashes(path)
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let head = withoutTrailingSlashes(String(trimmed[..<slash]))
    return head.isEmpty ? "/" : head
  }

  /// The last component: `/a/b.http` gives `b.http`, `/` gives `/`.
  package static func name(_ path: String) -> String {
    let trimmed = withoutTrailingSlashes(path)
    guard trimmed != "/", let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return trimmed
    }
    return String(trimmed[trimmed.utf8.index(after: slash)...])
  }

  /// The part of the name after its last dot; empty where there is none or only a leading one.
  package static func fileExtension(_ path: String) -> String {
    let name = name(path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return ""
    }
    return String(name[name.utf8.index(after: dot)...])
  }

  /// Whether the path begins at the root.
  package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

  /// The path seen from a directory; an absolute path stays as it is.
  package static func join(_ directory: String, _ path: String) -> String {
    if path.isEmpty { return directory }
    if directory.isEmpty || isAbsolute(path) { return path }
    return directory.hasSuffix("/") ? directory + path : directory + "/" + path
  }

  /// The path without `.`, empty and resolvable `..` segments; symbolic links aren't looked at.
  package static func normalise(_ path: String) -> String {
    if isPlain(path) { return path }
    var kept: [Substring] = []
    for segment in path.utf8.split(separator: UInt8(ascii: "/")).lazy.map(Substring.init)
    where segment != "." {
      if segment != ".." {
        kept.append(segment)
      } else if let last = kept.last, last != ".." {
        kept.removeLast()
      } else if !isAbsolute(path) {
        kept.append(segment)
      }
    }
    let joined = kept.joined(separator: "/")
    if isAbsolute(path) { return "/" + joined }
    return joined.isEmpty ? "." : joined
  }

  /// Whether an absolute path has nothing to be left out, as nearly all have.
  private static func isPlain(_ path: String) -> Bool {
    let slash = UInt8(ascii: "/")
    var last: UInt8?
    for byte in path.utf8 {
      if last == nil ? byte != slash : last == slash && (byte == slash || byte == UInt8(ascii: "."))
      {
        return false
      }
      last = byte
    }
    return last != nil && (last != slash || path.utf8.count == 1)
  }

  /// The path with a leading `~` or `~/` replaced by a home directory.
  package static func expandTilde(_ path: String, home: String) -> String {
    guard path == "~" || path.hasPrefix("~/") else { return path }
    return join(home, String(path.dropFirst(2)))
  }

  /// Whether a path is a directory or lies below it, both absolute and free of dot segments.
  package static func isInside(_ path: String, directory: String) -> Bool {
    let directory = withoutTrailingSlashes(directory)
    return path == directory || directory == "/" || path.hasPrefix(directory + "/")
  }

  /// The path from a directory to a path, both absolute and free of dot segments.
  package static func relative(_ path: String, to directory: String) -> String {
    let target = path.split(separator: "/")
    let base = directory.split(separator: "/")
    let shared = zip(target, base).prefix { $0 == $1 }.count
    let up = Array(repeating: Substring(".."), count: base.count - shared)
    let result = (up + target[shared...]).joined(separator: "/")
    return result.isEmpty ? "." : result
  }

  private static func withoutTrailingSlashes(_ path: String) -> String {
    var end = path.utf8.endIndex
    while end > path.utf8.startIndex {
      let before = path.utf8.index(before: end)
      guard path.utf8[before] == UInt8(ascii: "/"), before > path.utf8.startIndex else { break }
      end = before
    }
    return String(path[..<end])
  }
}
