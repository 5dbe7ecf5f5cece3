// Removing body files; which of them may go is the store's decision.

import PostKitSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension BodyFiles {
  /// Removes the file of a content and the directories that are empty then. Answers whether there
  /// was one.
  @discardableResult
  func remove(hash: String) -> Bool {
    let path = path(hash: hash)
    guard unlink(path) == 0 else { return false }
    // Directories that aren't empty stay.
    if rmdir(FilePath.parent(path)) == 0 { rmdir(FilePath.parent(FilePath.parent(path))) }
    return true
  }

  /// The contents whose files were modified before a moment, in nanoseconds since 1970.
  func hashes(modifiedBefore moment: Int64) -> [String] {
    var found: [String] = []
    for first in names(directory) where first.utf8.count == 2 {
      for second in names("\(directory)/\(first)") where second.utf8.count == 2 {
        for name in names("\(directory)/\(first)/\(second)") where name.utf8.count == 64 {
          guard let version = FileSystem.version(path(hash: name)) else { continue }
          if version.modifiedNanoseconds < moment { found.append(name) }
        }
      }
    }
    return found
  }

  /// Removes files in `incoming/` that nobody has written to since a moment, in nanoseconds since
  /// 1970. Answers how many.
  func removeTemporaryFiles(modifiedBefore moment: Int64) -> Int {
    let incoming = directory + "/incoming"
    return names(incoming).reduce(0) { count, name in
      let path = "\(incoming)/\(name)"
      guard let version = FileSystem.version(path), version.modifiedNanoseconds < moment,
        unlink(path) == 0
      else { return count }
      return count + 1
    }
  }

  private func names(_ directory: String) -> [String] {
    // A directory that isn't there has no names.
    (try? FileSystem.list(directory)) ?? []
  }
}
