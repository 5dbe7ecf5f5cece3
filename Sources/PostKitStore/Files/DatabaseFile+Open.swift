// Opening a file of the store: probe first, write after, and never lose what somebody has there.

import CSQLite
import PostKitSupport

extension DatabaseFile {
  /// Opens, checks and migrates a file; the caller holds the lock.
  static func open(
    _ path: String, _ schema: Schema, isMemory: Bool, traces: Bool, _ notices: inout [StoreNotice]
  ) throws(StoreFailure) -> Connection {
    if isMemory {
      return try attempt(path, "open the database") { () throws(SQLiteError) in
        try connect(":memory:", schema, journal: nil, traces, &notices)
      }
    }
    try Successor(path: path).takePlace()
    let fileSystem = FileSystemKind(path: FilePath.parent(path))
    var journal = fileSystem.sharesMemory ? "WAL" : "DELETE"
    var damaged: (keptAs: String, problem: String)?
    for isLast in [false, false, true] {
      try StorePlace.makeFile(path)
      do throws(SQLiteError) {
        let connection = try connect(path, schema, journal: journal, traces, &notices)
        if connection.journalMode != "wal" { notices.append(slowJournal(path, fileSystem)) }
        if let damaged {
          notices.append(replaced(path, damaged.keptAs, damaged.problem, connection))
        }
        return connection
      } catch {
        switch error.code {
        case newerFormatCode: throw .newerFormat(path: path, version: error.message)
        case foreignFileCode:
          let problem = "it is a database of another program"
          notices.append(replaced(path, try setAside(path, problem), problem, nil))
        case sharedMemoryCodes where journal == "WAL" && !isLast:
          // Some file systems can't map memory for several processes and don't say so.
          journal = "DELETE"
        default:
          guard [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.primaryCode), !isLast else {
            throw .make(error, path: path, action: "open the database")
          }
          damaged = (try setAside(path, error.message), error.message)
        }
      }
    }
    throw .cannotOpen(path: path, reason: "a new file could not be made")
  }

  /// Codes of our own among SQLite's, none of which is negative.
  private static var newerFormatCode: Int32 { -1 }
  private static var foreignFileCode: Int32 { -2 }
  /// `SQLITE_IOERR_SHMOPEN` to `SQLITE_IOERR_SHMMAP`, macros that Swift can't see.
  private static let sharedMemoryCodes = (SQLITE_IOERR | 18 << 8)...(SQLITE_IOERR | 21 << 8)

  /// Opens a file that exists and brings it to the newest format. Without a journal it keeps that
  /// which SQLite chooses.
  static func connect(
    _ path: String, _ schema: Schema, journal: String?, _ traces: Bool,
    _ notices: inout [StoreNotice]
  ) throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, tracesStatements: traces)
    do throws(SQLiteError) {
      // Versions first, while the connection is barred from writing.
      try connection.execute("PRAGMA query_only = ON")
      let found = try probe(connection, schema)
      let isEmpty = found == FormatVersion(0, 0)
      try connection.execute(
        """
        PRAGMA query_only = OFF; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON; PRAGMA mmap_size = 0;
        PRAGMA synchronous = \(isEmpty ? "OFF" : schema.synchronous);
        PRAGMA journal_size_limit = 8388608;
        PRAGMA temp_store = MEMORY
        """)
      if isEmpty { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
      if let journal, try connection.text("PRAGMA journal_mode").uppercased() != journal {
        _ = try connection.text("PRAGMA journal_mode = \(journal)")
      }
      if found < schema.version {
        try Migrator(connection: connection, schema: schema, path: path).run(from: found, &notices)
      }
      if isEmpty {
        // An empty file has nothing to lose, so that it is made without waiting for the disk.
        try connection.execute("PRAGMA synchronous = \(schema.synchronous)")
        if schema.synchronous == "FULL" { try connection.checkpoint(.passive) }
      }
      return connection
    } catch {
      connection.close()
      throw error
    }
  }

  /// Reads whose file it is and in which format; writes nothing.
  private static func probe(
    _ connection: Connection, _ schema: Schema
  ) throws(SQLiteError) -> FormatVersion {
    let application = try connection.integer("PRAGMA application_id")
    let version = FormatVersion(userVersion: try connection.integer("PRAGMA user_version"))
    // Reading the schema finds damage that the header doesn't show.
    let tables = try connection.integer("SELECT count(*) FROM sqlite_schema")
    if application == 0 && version == FormatVersion(0, 0) && tables == 0 { return version }
    guard application == schema.applicationID else {
      throw SQLiteError(code: foreignFileCode, message: "")
    }
    guard version.major <= schema.version.major else {
      throw SQLiteError(code: newerFormatCode, message: version.description)
    }
    return version
  }

  /// Gives a file that can't be used another name, with its log and its shared memory; never
  /// deletes it. Answers the name. The caller holds the lock.
  static func setAside(_ path: String, _ problem: String) throws(StoreFailure) -> String {
    let name = "\(path).set-aside-\(Identifier.next())"
    for suffix in ["-wal", "-shm", "-journal", ""] where FileSystem.exists(path + suffix) {
      do {
        try FileSystem.rename(path + suffix, to: name + suffix)
      } catch {
        throw .damaged(path: path, detail: "\(problem); and it can't be set aside: \(error)")
      }
    }
    return name
  }

  /// What is told of a file that was set aside. What can be read of it is taken over into the one
  /// of `connection`.
  static func replaced(
    _ path: String, _ name: String, _ problem: String, _ connection: Connection?
  ) -> StoreNotice {
    let taken = connection.map { " " + Salvage(of: name, into: $0).sentence } ?? ""
    return StoreNotice(
      kind: .setAside(path: path, keptAs: name),
      message: "The file \(path) is unusable (\(problem)). PostKit kept it as \(name) and "
        + "made a new one.\(taken)")
  }

  /// What is told of a file in which only what is derived from its content was damaged.
  static func mended(_ path: String, _ problem: String) -> StoreNotice {
    StoreNotice(
      kind: .mended(path: path),
      message: "A derived part of the file \(path) was damaged (\(problem)). PostKit "
        + "rebuilds it; nothing is lost. If this happens again, check the disk.")
  }

  private static func slowJournal(_ path: String, _ kind: FileSystemKind) -> StoreNotice {
    StoreNotice(
      kind: .slowJournal(fileSystem: kind.name),
      message: "\(path) is on a \(kind.name) file system, where PostKit works more "
        + "slowly. Choose a local directory in POSTKIT_HOME.")
  }

  private static func attempt<Result>(
    _ path: String, _ action: String, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    do {
      return try body()
    } catch {
      throw .make(error, path: path, action: action)
    }
  }
}
