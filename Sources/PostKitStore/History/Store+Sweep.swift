// Sweeping: what nobody refers to any more, because processes were killed, goes in quiet moments.

import Libc
import PostKitSupport

extension Store {
  /// Removes the files of bodies that no row refers to, and those that processes left when they
  /// died. Bodies must be older than `graceSeconds`, because a view may still be reading them.
  /// Answers how many were removed. It looks at every file.
  @discardableResult
  package func sweepBodies(graceSeconds: Int64 = 3_600) throws(StoreFailure) -> Int {
    try sweepBodies(modifiedBefore: Store.nanoseconds(secondsAgo: graceSeconds))
  }

  /// Does the same with what is older than a moment, in nanoseconds since 1970.
  @discardableResult
  func sweepBodies(modifiedBefore moment: Int64) throws(StoreFailure) -> Int {
    guard location != nil else { return 0 }
    var count = sweepAbandoned(modifiedBefore: moment)
    for part in 0..<BodyFiles.partCount { count += try sweepBodies(part, modifiedBefore: moment) }
    return count
  }

  /// Does a small part of that; there are `BodyFiles.partCount` parts.
  func sweepBodies(part: Int) throws(StoreFailure) {
    guard location != nil else { return }
    let moment = Store.nanoseconds(secondsAgo: Store.sweepGraceSeconds)
    if part == 0 { sweepAbandoned() }
    _ = try sweepBodies(part, modifiedBefore: moment)
  }

  /// Removes the files that processes left when they died.
  func sweepAbandoned() {
    guard location != nil else { return }
    sweepAbandoned(modifiedBefore: Store.nanoseconds(secondsAgo: Store.sweepGraceSeconds))
  }

  @discardableResult
  private func sweepAbandoned(modifiedBefore moment: Int64) -> Int {
    bodies.abandonedFiles(modifiedBefore: moment).count {
      // One that can't be removed is tried again at the next sweep.
      (try? FileSystem.remove($0)) != nil
    }
  }

  /// Files are looked for before the lock is taken: others go on writing meanwhile.
  private func sweepBodies(_ part: Int, modifiedBefore moment: Int64) throws(StoreFailure) -> Int {
    let file = try history()
    var orphans: [String] = []
    for hash in bodies.hashes(inPart: part, modifiedBefore: moment)
    where try !isReferenced(hash, in: file) {
      orphans.append(hash)
    }
    guard !orphans.isEmpty else { return 0 }
    return try file.underLock { () throws(StoreFailure) in
      // A damaged file that is kept may still refer to them; it is set aside under the lock.
      if setAsideFiles.contains(where: { $0.hasPrefix(file.path) }) { return 0 }
      return try removeBodies(orphans, of: file)
    }
  }

  private static func nanoseconds(secondsAgo seconds: Int64) -> Int64 {
    (Clock.wallMilliseconds / 1_000 - seconds) * 1_000_000_000
  }

  private static let sweepGraceSeconds: Int64 = 3_600
}

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
