// What doctor shows of the store.

import PostKitSupport

/// How the store is.
package struct StoreHealth: Sendable, Hashable {
  /// One of the databases.
  package struct File: Sendable, Hashable {
    package var path: String
    /// The version of the format, such as `1.0`.
    package var formatVersion: String
    /// Bytes of the database.
    package var size: Int
    /// Bytes of its write-ahead log.
    package var logSize: Int
    /// Such as `wal`.
    package var journalMode: String
    /// Permissions, such as `600`.
    package var mode: String
    /// What `PRAGMA quick_check` found; empty when the file is well.
    package var problems: [String]
  }

  /// The directory; empty in memory.
  package var directory: String
  /// Permissions of the directory, such as `700`.
  package var directoryMode: String
  /// The kind of file system, such as `ext4`.
  package var fileSystem: String
  /// The version of SQLite.
  package var sqliteVersion: String
  package var files: [File] = []
  package var exchangeCount = 0
  package var wordIndex: WordIndexHealth
  /// Bytes of all bodies that are files.
  package var bodyBytes = 0
  /// Files that processes left when they were killed, and their bytes.
  package var abandonedCount = 0
  package var abandonedBytes = 0
  /// Files that were set aside because they were damaged or foreign.
  package var setAside: [String] = []
  /// What should be mended, each with its remedy; empty when all is well.
  package var problems: [String] = []
}

extension Store {
  /// Looks at everything; reads the whole of both databases. A file that is damaged is mended or
  /// set aside, and a damaged index of words made anew, of which the notices tell.
  package func health() throws(StoreFailure) -> StoreHealth {
    commitQueue()
    let history = try history()
    let directory = location?.directory ?? ""
    var health = StoreHealth(
      directory: directory, directoryMode: mode(directory),
      fileSystem: FileSystemKind(path: directory).name, sqliteVersion: SQLiteLibrary.version,
      wordIndex: WordIndexHealth(isSupported: hasFullText, pendingCount: 0))
    for file in [history, collections].compactMap({ $0 }) {
      var found = try look(file)
      if !found.problems.isEmpty {
        try file.replaceDamaged()
        found = try look(file)
      }
      health.files.append(found)
    }
    try checkWords(of: history)
    health.wordIndex = try wordIndexHealth()
    health.setAside = setAsideFiles
    health.exchangeCount = Int(
      try history.read("count the exchanges") { connection throws(SQLiteError) in
        try connection.integer("SELECT count(*) FROM exchange")
      })
    health.bodyBytes = Store.size(of: bodies.hashes.map { bodies.path(hash: $0) })
    if location != nil {
      let abandoned = bodies.abandonedFiles(modifiedBefore: .min)
      health.abandonedCount = abandoned.count
      health.abandonedBytes = Store.size(of: abandoned)
    }
    health.problems = problems(health)
    return health
  }

  private static func size(of paths: [String]) -> Int {
    paths.reduce(0) { $0 + Int(FileSystem.version($1)?.size ?? 0) }
  }

  /// Makes the index anew where it is damaged though the pages of the file are not.
  private func checkWords(of file: DatabaseFile) throws(StoreFailure) {
    let isIntact = try file.read("check the index of words") { connection throws(SQLiteError) in
      try WordIndex.isIntact(connection)
    }
    if !isIntact { try replaceDamagedWords(of: file) }
  }

  private func look(_ file: DatabaseFile) throws(StoreFailure) -> StoreHealth.File {
    try file.read("check the file") { connection throws(SQLiteError) in
      let version = FormatVersion(userVersion: try connection.integer("PRAGMA user_version"))
      let found = try connection.damage()
      return StoreHealth.File(
        path: file.path, formatVersion: version.description,
        size: Int(FileSystem.version(file.path)?.size ?? 0),
        logSize: Int(FileSystem.version(file.path + "-wal")?.size ?? 0),
        journalMode: try connection.text("PRAGMA journal_mode"), mode: mode(file.path),
        problems: found.map { [$0] } ?? [])
    }
  }

  private func problems(_ health: StoreHealth) -> [String] {
    guard location != nil else { return [] }
    var problems: [String] = []
    if !health.directoryMode.hasSuffix("00") {
      problems.append(
        "Others can look into \(health.directory). Run: chmod 700 '\(health.directory)'")
    }
    for file in health.files {
      if !file.mode.hasSuffix("00") {
        problems.append("Others can read \(file.path). Run: chmod 600 '\(file.path)'")
      }
      if let first = file.problems.first {
        problems.append(
          "\(file.path) is damaged (\(first)). Keep a copy of it, then move it away; PostKit makes "
            + "a new one.")
      }
    }
    if collections == nil {
      problems.append("The collections could not be opened. Update PostKit or look at the notices.")
    }
    return problems
  }

  private func mode(_ path: String) -> String {
    FileSystem.mode(path).map { String($0 & 0o777, radix: 8) } ?? ""
  }

  /// The files that were set aside because they were damaged or foreign.
  var setAsideFiles: [String] {
    guard let directory = location?.directory else { return [] }
    // A directory that can't be listed shows none.
    let names = (try? FileSystem.list(directory)) ?? []
    return names.filter {
      $0.contains(".set-aside-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }.sorted().map { FilePath.join(directory, $0) }
  }
}
