// How `postkit collections` takes deletions back, marks favourites, and backs all up.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore
import PostKitSupport

extension CollectionsCommand {
  /// The options of these forms that no other has.
  static let keepingOptions = [
    Option(names: ["--off"], value: nil, help: "make it no favourite any more"),
    Option(names: ["--list"], value: nil, help: "list what can be taken back"),
    Option(
      names: ["--purge"], value: nil,
      help: "delete for good what can be taken back, secrets included"),
    Option(names: ["--all"], value: nil, help: "export all collections and environments"),
  ]

  // MARK: - Undo

  /// Takes a deletion back, lists what can be taken back, or deletes that for good.
  func undo(_ id: String?) async throws(Arguments.Problem) -> Int32 {
    let isList = arguments.has("--list") || arguments.has("--json")
    guard !isList || id == nil && !arguments.has("--purge") else {
      throw Arguments.Problem(message: "usage: `\(CollectionsForm.undo.usage)`")
    }
    return await withStore { store throws(Stop) in
      if isList { return try await listDeleted(store) }
      if arguments.has("--purge") { return try await purge(id, store) }
      let (_, name) = try await change(store) { reader throws(StoreFailure) in
        let found = try deletion(id, reader)
        return CollectionPlan([.undo(id: found?.id ?? id)], value: found?.name ?? "")
      }
      console.line("Took back \(Display.line(name.shown)).")
    }
  }

  /// The deletion with an id, or the last one.
  private func deletion(
    _ id: String?, _ reader: CollectionReader
  ) throws(StoreFailure) -> DeletedItem? {
    let all = try reader.deleted()
    guard let id else { return all.first }
    return all.first { $0.id == id } ?? all.first { $0.itemID == id }
      ?? all.first { $0.name == id }
  }

  private func listDeleted(_ store: Store) async throws(Stop) {
    let found = try await look(store) { reader throws(StoreFailure) in try reader.deleted() }
    if arguments.has("--json") {
      console.line(
        JSONValue.array(
          found.map { item in
            [
              "id": .string(item.id), "item": .string(item.itemID), "kind": .string(item.kind),
              "name": .string(item.name.shown), "path": .string(item.path.shown),
              "deletedAt": .string(Moment.utc(item.deletedAt)),
              "requestCount": .int(item.requestCount),
            ]
          }))
    } else if found.isEmpty {
      console.line(Self.nothingDeleted)
    }
    guard !arguments.has("--json") else { return }
    for item in found {
      let path = (item.path.isEmpty ? "" : item.path + "/") + item.name
      let isAlone = item.requestCount == (item.kind == "request" ? 1 : 0)
      let contents = isAlone
        ? "" : "  with \(item.requestCount) request\(item.requestCount == 1 ? "" : "s")"
      console.line(
        "\(item.id)  \(Moment.local(item.deletedAt))  \(item.kind)  "
          + Display.line(path.shown) + contents)
    }
  }

  private static let nothingDeleted = "Nothing was deleted within 30 days."

  private func purge(_ id: String?, _ store: Store) async throws(Stop) {
    let (_, count) = try await change(store) { reader throws(StoreFailure) in
      let ids = try id == nil
        ? reader.deleted().map(\.id) : [try deletion(id, reader)?.id ?? id ?? ""]
      return CollectionPlan([.discard(deletions: ids)], value: ids.count)
    }
    console.line(
      count == 0 ? Self.nothingDeleted
        : "Deleted \(count) deletion\(count == 1 ? "" : "s") for good.")
  }

  // MARK: - Favourites and recent requests

  /// Makes a request a favourite, or none any more.
  func favour(_ path: String, _ store: Store) async throws(Stop) {
    let isFavourite = !arguments.has("--off")
    let (_, name) = try await change(store) { reader throws(StoreFailure) in
      let item = try item(path, reader)
      return CollectionPlan([.favourite(id: item.id, isFavourite)], value: item.name)
    }
    let word = isFavourite ? "a favourite" : "no favourite any more"
    console.line("\(Display.line(name.shown)) is \(word).")
  }

  /// Prints the requests that were sent last.
  func recent() async throws(Arguments.Problem) -> Int32 {
    let workspace = Workspace(file: FileSystem.absolute("requests.http"))
    if RequestFile.settings(root: workspace.root, invocation)[.historyEnabled] == false {
      console.note(
        "postkit: the history is off, so requests sent since then are missing. Set "
          + "`history.enabled` to true to list them.")
    }
    return try await find([], sort: .recent)
  }

  // MARK: - Backups

  /// Writes all collections to a file.
  func export(_ path: String) async throws(Arguments.Problem) -> Int32 {
    guard arguments.has("--all") else {
      throw Arguments.Problem(
        message: "usage: `\(CollectionsForm.export.usage)`; `postkit export collection PATH` "
          + "writes one as files")
    }
    return await withStore { store throws(Stop) in
      let rows = try await look(store) { reader throws(StoreFailure) in try reader.all() }
      let bytes = CollectionBackup(rows).bytes(now: Clock.wallMilliseconds)
      do throws(FileFailure) {
        let file = try PendingFile(
          path: FileSystem.absolute(path), replaces: arguments.has("--force"))
        try file.write(bytes)
        try file.finish()
      } catch {
        let isThere = if case .alreadyExists = error { true } else { false }
        throw .usage("\(error)" + (isThere ? " `--force` replaces it." : ""))
      }
      console.line("Wrote \(words(rows)) to \(Display.line(path)).")
      let count = rows.secrets.count
      if count > 0 {
        console.note(
          "postkit: the value\(count == 1 ? "" : "s") of \(count) secret variable"
            + "\(count == 1 ? " is" : "s are") not in it.")
      }
      let plain = rows.defaults.filter { !$0.defaults.plainCredentials().isEmpty }.map(\.name)
      if !plain.isEmpty {
        console.note(
          "postkit: warning: it has credentials in plain text, of the defaults of "
            + plain.map { "`\(Display.line($0.shown))`" }.joined(separator: ", ") + ".")
      }
    }
  }

  /// Brings the collections of a file in.
  func restore(_ path: String) async throws(Arguments.Problem) -> Int32 {
    let backup: CollectionBackup
    do {
      let bytes = try FileSystem.read(path: path, limit: CollectionsCommand.backupByteLimit)
      backup = try CollectionBackup(bytes, path: path)
    } catch {
      let problem = error as? CollectionBackup.Problem
      console.complain(problem?.message ?? "\(error)")
      return 2
    }
    return await withStore { store throws(Stop) in
      let (_, taken) = try await change(store) { reader throws(StoreFailure) in
        CollectionPlan([.restore(backup.rows)], value: try reader.taken(by: backup.rows))
      }
      console.line("Restored \(words(backup.rows)).")
      try await tell(of: backup.rows, taken: taken, store)
    }
  }

  /// Tells what is not as the backup has it: variables that others stand for, names that are there
  /// twice, and secrets without a value.
  private func tell(
    of rows: KeptRows, taken: [KeptRows.NamedVariable], _ store: Store
  ) async throws(Stop) {
    func list(_ names: [String]) -> String {
      names.map { Display.line($0.shown) }.joined(separator: ", ")
    }
    if !taken.isEmpty {
      console.note(
        "postkit: warning: these variables were made again since, and keep the values that they "
          + "have: \(list(taken.map(\.name))).")
    }
    let shared = try await look(store) { reader throws(StoreFailure) in
      try reader.sharedNames(of: rows)
    }
    if !shared.isEmpty {
      console.note(
        "postkit: warning: there is more than one collection \(list(shared.map { "`\($0)`" })). "
          + "`postkit collections --json` has their ids; `\(CollectionsForm.rename.usage)` "
          + "renames one.")
    }
    var missing: [String] = []
    for secret in rows.secrets where !taken.contains(secret) {
      let value = try await ask { () throws(StoreFailure) in
        try await store.secrets.secret(of: secret.id)
      }
      if value == nil { missing.append(secret.name) }
    }
    guard !missing.isEmpty else { return }
    console.note(
      "postkit: warning: these secret variables have no value on this machine: \(list(missing)). "
        + "Give each one with `postkit collections set KEY --secret --env ENVIRONMENT --collection "
        + "COLLECTION`.")
  }

  /// Larger than any collections that can be imported, in bytes.
  private static let backupByteLimit = 1 << 30

  private func words(_ rows: KeptRows) -> String {
    let (count, rest) = rows.contents
    return "\(count) collection\(count == 1 ? "" : "s")"
      + (rest.isEmpty ? "" : " with \(rest.words)")
  }
}
