// Sweeping: what nobody refers to any more, because processes were killed, goes in quiet moments.

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
