// The secrets of a machine without a keyring: a file apart from the database, for its owner alone.

import PostKitJSON
import PostKitSupport

/// The file `secrets.json`, with the values of secret variables by their ids. It is replaced as a
/// whole under the store's lock, so that readers need none.
struct SecretFile: Sendable {
  /// Where the file is.
  let path: String
  private let lockPath: String
  private let noticed = Monitor<[StoreNotice]>([])

  private static let format = 1
  private static let byteLimit = 16 << 20

  /// What can't be read as the file that `write` makes.
  private struct Damage: Error {
    let explanation: String
  }

  init(_ location: StoreLocation) {
    path = location.secretsPath
    lockPath = location.lockPath
  }

  /// The value of a variable; `nil` where the file has none.
  func value(of variable: String) throws(StoreFailure) -> String? {
    do {
      return try read()[variable]
    } catch {
      if error is Damage { return try change { $0[variable] } }
      throw SecretFile.failure(error, path)
    }
  }

  /// The variables that have a value; a damaged file has none that could be read.
  func variables() throws(StoreFailure) -> Set<String> {
    do { return Set(try read().keys) } catch {
      if error is Damage { return [] }
      throw SecretFile.failure(error, path)
    }
  }

  /// Keeps a value, or forgets it.
  func set(_ value: String?, of variable: String) throws(StoreFailure) {
    // Where nothing is kept nothing needs to be forgotten.
    if value == nil, !FileSystem.exists(path) { return }
    try change { $0[variable] = value }
  }

  /// What a person should be told, each thing once.
  func takeNotices() -> [StoreNotice] {
    noticed.update { notices in
      defer { notices = [] }
      return notices
    }
  }

  // MARK: - The file

  /// Changes what is kept; a damaged file is set aside, and a new one begun.
  private func change<Result>(
    _ body: (inout [String: String]) -> Result
  ) throws(StoreFailure) -> Result {
    try StorePlace.prepareDirectory(FilePath.parent(path))
    return try StoreLock(path: lockPath).hold { () throws(StoreFailure) in
      var values: [String: String]
      do {
        values = try read()
      } catch {
        guard let damage = error as? Damage else { throw SecretFile.failure(error, path) }
        let kept = try DatabaseFile.setAside(path, damage.explanation)
        let notice = DatabaseFile.replaced(path, kept, damage.explanation, nil)
        noticed.update { $0.append(notice) }
        values = [:]
      }
      let before = values
      let result = body(&values)
      if values != before { try write(values) }
      return result
    }
  }

  private func read() throws -> [String: String] {
    guard FileSystem.exists(path) else { return [:] }
    // Somebody may have opened it to others by a copy or a restored backup.
    try StorePlace.makeFile(path)
    let bytes = try FileSystem.read(path: path, limit: SecretFile.byteLimit)
    let tree: JSONTree
    do {
      tree = try JSONTree(parsing: bytes)
    } catch {
      throw Damage(explanation: error.explanation)
    }
    let parts = tree.root.members.reduce(into: [:]) { $0[$1.key.string ?? ""] = $1.value }
    guard let format = parts["format"]?.int, let secrets = parts["secrets"],
      secrets.kind == .object
    else { throw Damage(explanation: "it has no `format` and `secrets`") }
    guard format == SecretFile.format else {
      throw StoreFailure.secret(.newerFile(path: path))
    }
    return try secrets.members.reduce(into: [:]) { values, member in
      guard let value = member.value.string else {
        throw Damage(explanation: "a value is not a string")
      }
      values[member.key.string ?? ""] = value
    }
  }

  private func write(_ values: [String: String]) throws(StoreFailure) {
    let secrets = values.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }
    let content: JSONValue = [
      "format": .int(SecretFile.format), "secrets": .object(secrets),
    ]
    do throws(FileFailure) {
      try removeUnfinished()
      try FileSystem.writeAtomically(content.bytes, to: path, mode: 0o600)
    } catch {
      throw .secret(.file("\(error)"))
    }
  }

  /// Removes what a process that was killed while it wrote has left: secrets that nobody would
  /// ever delete.
  private func removeUnfinished() throws(FileFailure) {
    let prefix = FilePath.name(path) + "."
    let directory = FilePath.parent(path)
    for name in try FileSystem.list(directory)
    where name.hasPrefix(prefix) && Identifier.isValid(String(name.dropFirst(prefix.count))) {
      try FileSystem.remove(FilePath.join(directory, name))
    }
  }

  private static func failure(_ error: any Error, _ path: String) -> StoreFailure {
    if let failure = error as? StoreFailure { return failure }
    return .secret(.file("\(error)"))
  }
}
