// Bringing a file to the newest format: all steps or none, and never without a way back.

import CSQLite
import PostKitSupport

/// Applies the steps that a file lacks. The caller holds the lock of all processes.
struct Migrator {
  let connection: Connection
  let schema: Schema
  let path: String

  /// Applies the missing steps in one transaction; with an error the file stays as it was. Where
  /// code is to change the rows, a copy of the file is kept first, of which `notices` tells.
  func run(from found: FormatVersion, _ notices: inout [StoreNotice]) throws(SQLiteError) {
    if found != FormatVersion(0, 0), schema.missing(found).contains(where: \.isCustom) {
      notices.append(notice(copy: try keepCopy(of: found), of: found))
    }
    // A table that is made anew under its old name must not take the rows along that refer to it.
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.execute("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      // Somebody who takes no lock may have been faster.
      let current = FormatVersion(userVersion: try connection.integer("PRAGMA user_version"))
      for step in schema.missing(current) { try apply(step) }
      try connection.execute("PRAGMA application_id = \(schema.applicationID)")
      try connection.execute("COMMIT")
    } catch {
      // Closing the connection would roll back as well; the error to report is the first one.
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
    try connection.execute("PRAGMA foreign_keys = ON")
  }

  private func apply(_ step: Migration) throws(SQLiteError) {
    do throws(SQLiteError) {
      try step.before?(connection)
      try connection.execute(step.sql)
      try step.after?(connection)
      if step.isCustom { try requireIntactReferences() }
      try connection.run(
        "INSERT INTO migration (version, name, hash, applied_at) VALUES (?, ?, ?, ?)",
        [
          .int(step.version.userVersion), .text(step.name), .text(step.hash),
          .int(Clock.wallMilliseconds),
        ])
      try connection.execute("PRAGMA user_version = \(step.version.userVersion)")
    } catch {
      throw SQLiteError(
        code: error.code, message: "in the step to format \(step.version): \(error.message)")
    }
  }

  private func requireIntactReferences() throws(SQLiteError) {
    let broken = try connection.first("PRAGMA foreign_key_check") { $0.text(0) }
    if let broken {
      throw SQLiteError(
        code: SQLITE_CONSTRAINT, message: "a row of \(broken) refers to one that is not there")
    }
  }

  /// Copies the file as it is, complete before it gets its name. A copy that an attempt before this
  /// one has kept is replaced: it holds less.
  private func keepCopy(of found: FormatVersion) throws(SQLiteError) -> String {
    let name = "\(path).format-\(found)"
    let unfinished = name + ".part"
    do {
      try FileSystem.remove(unfinished)
      // SQLite would make it readable for others.
      try FileSystem.writeAtomically([], to: unfinished, mode: 0o600)
      try connection.run("VACUUM INTO ?", [.text(unfinished)])
      try FileSystem.synchronise(unfinished)
      try FileSystem.rename(unfinished, to: name)
      return name
    } catch {
      // What is left of it is in the way of nothing.
      try? FileSystem.remove(unfinished)
      if let error = error as? SQLiteError {
        throw SQLiteError(code: error.code, message: "keeping a copy as \(name): \(error.message)")
      }
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "no copy can be kept as \(name): \(error)")
    }
  }

  private func notice(copy: String, of found: FormatVersion) -> StoreNotice {
    StoreNotice(
      kind: .copyKept(path: path, keptAs: copy),
      message: "PostKit converted \(path) from format \(found) to \(schema.version). The file "
        + "before that is \(copy); remove it when everything works.")
  }
}

extension Schema {
  /// The steps that a file of a format lacks.
  fileprivate func missing(_ found: FormatVersion) -> [Migration] {
    migrations.filter { $0.version > found }
  }
}
