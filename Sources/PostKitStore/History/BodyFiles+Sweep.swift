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

  /// Directories that hold the contents; a sweep looks at one after the other.
  static let partCount = 256

  /// The contents in one of the directories whose files were modified before a moment, in
  /// nanoseconds since 1970.
  func hashes(inPart part: Int, modifiedBefore moment: Int64) -> [String] {
    let digits = String(part, radix: 16)
    let first = digits.utf8.count < 2 ? "0" + digits : digits
    var found: [String] = []
    for second in names("\(directory)/\(first)") where second.utf8.count == 2 {
      for name in names("\(directory)/\(first)/\(second)") where name.utf8.count == 64 {
        guard let version = FileSystem.version(path(hash: name)) else { continue }
        if version.modifiedNanoseconds < moment { found.append(name) }
      }
    }
    return found
  }

  /// All contents.
  var hashes: [String] {
    (0..<BodyFiles.partCount).flatMap { hashes(inPart: $0, modifiedBefore: .max) }
  }

  /// Files that processes left when they ended, and those of nobody that are older than a moment,
  /// in nanoseconds since 1970.
  func abandonedFiles(modifiedBefore moment: Int64) -> [String] {
    // Looked at in this order: what a process that has ended left is named by then, or never.
    let abandoned = SpoolDirectory.abandoned(in: incoming, modifiedBefore: moment)
    return WaitingExchanges(bodies: self).unneeded(of: abandoned)
  }

  private func names(_ directory: String) -> [String] {
    // A directory that isn't there has no names.
    (try? FileSystem.list(directory)) ?? []
  }
}
