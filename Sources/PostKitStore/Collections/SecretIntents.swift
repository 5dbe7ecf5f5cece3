// What is to become of the values of secret variables: noted in the database before it is done, so
// that a process that is killed leaves no value that nothing names.

import PostKitSupport

/// How far the secrets of a change are.
enum SecretStage: Hashable {
  /// The change has nothing to do with secrets, or it is not made.
  case untouched
  /// These values were written, each after it had been noted.
  case written([String: String])
  /// Whoever changes the collections sees to the secrets, or has none.
  case left
}

/// A variable of which a value may be left, or whose copy may lack one.
struct SecretIntent: Sendable, Hashable {
  var number: Int64
  var variable: String
  /// The variable whose value it gets, where it is a copy.
  var original: String?
  /// Whether there is a variable with that id whose value is a secret, or a deletion of it that can
  /// be taken back.
  var isNamed: Bool
}

/// The table `pending_secret`. A row is made in the transaction that deletes a secret variable, by
/// a trigger whichever PostKit deletes, or before a value is written. It goes when the value is
/// what the variable says.
struct SecretIntents {
  let file: DatabaseFile
  private static let action = "note the secrets"
  /// The secret variables that deletions took away which can be taken back.
  static let deletedSQL = "SELECT value FROM trash, json_each(trash.content, '$.secrets')"

  /// The number of the last one; 0 where there is none.
  func last() throws(StoreFailure) -> Int64 {
    try integer("SELECT coalesce(max(number), 0) FROM pending_secret", [])
  }

  /// Whether there are any about some variables.
  func concern(_ variables: [String]) throws(StoreFailure) -> Bool {
    try integer(
      """
      SELECT EXISTS (
        SELECT 1 FROM pending_secret WHERE variable IN (SELECT value FROM json_each(?)))
      """, [.text(StoredJSON.text(variables))]) != 0
  }

  /// Notes that values of variables are going to be written.
  func add(_ variables: some Collection<String>) throws(StoreFailure) {
    for variable in variables {
      try run("INSERT INTO pending_secret (variable) VALUES (?)", [.text(variable)])
    }
  }

  /// Notes that copies of variables are going to get their values.
  func add(copies: [CollectionEditResult.SecretCopy]) throws(StoreFailure) {
    for copy in copies {
      try run(
        "INSERT INTO pending_secret (variable, original) VALUES (?, ?)",
        [.text(copy.copy), .text(copy.original)])
    }
  }

  /// Takes back what was noted of values that variables name by now.
  func fulfil(_ variables: some Collection<String>) throws(StoreFailure) {
    try run(
      """
      DELETE FROM pending_secret
      WHERE original IS NULL AND variable IN (SELECT value FROM json_each(?))
        AND EXISTS (SELECT 1 FROM variable WHERE id = pending_secret.variable AND is_secret = 1)
      """, [.text(StoredJSON.text(Array(variables)))])
  }

  /// All of them, oldest first.
  func all() throws(StoreFailure) -> [SecretIntent] {
    try file.sql(Self.action) { connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT number, variable, original,
          EXISTS (SELECT 1 FROM variable WHERE id = pending_secret.variable AND is_secret = 1)
          OR pending_secret.variable IN (\(Self.deletedSQL))
        FROM pending_secret ORDER BY number
        """
      ) {
        SecretIntent(
          number: $0.int64(0), variable: $0.text(1), original: $0.optionalText(2),
          isNamed: $0.int(3) != 0)
      }
    }
  }

  /// Takes back some of them.
  func remove(_ numbers: [Int64]) throws(StoreFailure) {
    let list = "[\(numbers.map(String.init).joined(separator: ","))]"
    try run(
      "DELETE FROM pending_secret WHERE number IN (SELECT value FROM json_each(?))",
      [.text(list)])
  }

  private func run(_ sql: String, _ values: [SQLValue]) throws(StoreFailure) {
    try file.sql(Self.action) { connection throws(SQLiteError) in
      _ = try connection.run(sql, values)
    }
  }

  private func integer(_ sql: String, _ values: [SQLValue]) throws(StoreFailure) -> Int64 {
    try file.sql(Self.action) { connection throws(SQLiteError) in
      try connection.integer(sql, values)
    }
  }
}

extension Store {
  /// Notes which values of secrets a change is going to write, and answers them; the caller holds
  /// the lock of the secrets. A change that is refused is refused here, before anything is written.
  func intend<Value>(_ change: CollectionChange<Value>) throws(StoreFailure) -> [String: String] {
    commitQueue()
    let file = try openCollections()
    return try file.write(CollectionWriter.action, scope: nil) { _ throws(StoreFailure) in
      let values = try file.rehearse { () throws(StoreFailure) in
        try change.carryOut(in: file, separatingSecrets: true).plan.secrets
      }
      try SecretIntents(file: file).add(values.keys)
      return values
    }
  }

  /// What was noted of secrets and is not done yet.
  func secretIntents() throws(StoreFailure) -> [SecretIntent] {
    let file = try openCollections()
    return try file.readAtOnce("read the collections") { () throws(StoreFailure) in
      try SecretIntents(file: file).all()
    }
  }

  /// Takes back what was noted of secrets and is done.
  func remove(secretIntents numbers: [Int64]) throws(StoreFailure) {
    guard !numbers.isEmpty else { return }
    let file = try openCollections()
    try file.write(CollectionWriter.action, scope: nil) { _ throws(StoreFailure) in
      try SecretIntents(file: file).remove(numbers)
    }
  }

  /// The variables whose values are secrets, those of deletions that can be taken back among them.
  package func secretVariables() throws(StoreFailure) -> Set<String> {
    let file = try openCollections()
    return Set(
      try file.read("read the collections") { connection throws(SQLiteError) in
        try connection.rows(
          "SELECT id FROM variable WHERE is_secret = 1 UNION \(SecretIntents.deletedSQL)", []
        ) { $0.text(0) }
      })
  }
}

extension DatabaseFile {
  /// Does something in an open transaction, and takes back what it has changed.
  func rehearse<Result>(
    _ body: () throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    try execute("SAVEPOINT rehearsal")
    let result = try body()
    try execute("ROLLBACK TO rehearsal; RELEASE rehearsal")
    return result
  }

  /// Runs statements in an open transaction.
  private func execute(_ statements: String) throws(StoreFailure) {
    try sql(CollectionWriter.action) { connection throws(SQLiteError) in
      try connection.execute(statements)
    }
  }
}
