// Writing changes of cookies and session values behind those that wait, and reading with these.

import PostKitHTTP
import PostKitJSON
import PostKitSupport

extension Store {
  /// The files of changes that wait.
  var waitingChanges: WaitingFiles { WaitingFiles(bodies: bodies, kind: .change) }

  /// Brings a change into the store, behind those that wait.
  package func keep(_ change: SessionChange) throws(StoreFailure) {
    guard !change.isEmpty else { return }
    let file = try history()
    try file.underLock { () throws(StoreFailure) in
      do throws(StoreFailure) { try takeInChanges() } catch {
        Log.warning("What waits can't be taken into the store: \(error.message)")
      }
      if let refusal = try write(change, to: file) {
        throw .database(path: file.path, action: "keep a change", detail: refusal)
      }
    }
    finishCommit(change.scope, of: file)
  }

  /// Deletes cookies or session values once those that wait are in, so that none comes back.
  func afterWaitingChanges<Result>(
    _ body: () throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    guard hasWaiting() else { return try body() }
    return try history().underLock { () throws(StoreFailure) in
      try takeInChanges()
      return try body()
    }
  }

  /// Takes in the changes that wait, in the order in which they were made.
  func takeInChanges() throws(StoreFailure) {
    guard hasWaiting() else { return }
    let file = try history()
    let scopes = try file.underLock { () throws(StoreFailure) in
      var scopes: [StoreScope] = []
      for name in waitingChanges.names {
        guard let change = read(name) else { continue }
        if let refusal = try write(change, to: file) {
          reject(name, refusal)
          continue
        }
        scopes.append(change.scope)
        do throws(FileFailure) { try waitingChanges.remove(name) } catch {
          throw .body(path: bodies.incoming, reason: error.description)
        }
      }
      return scopes
    }
    for scope in Set(scopes) { finishCommit(scope, of: file) }
  }

  /// A change that waits; `nil` for one that is left to others or put aside.
  private func read(_ name: String) -> SessionChange? {
    do throws(WaitingFiles.Obstacle) {
      if let change = SessionChange(try waitingChanges.read(name).root) { return change }
      reject(name, "it has no cookies and no values")
    } catch {
      if case .damaged(let reason) = error { reject(name, reason) }
    }
    return nil
  }

  private func reject(_ name: String, _ reason: String) {
    Log.warning("The change in \(bodies.incoming)/\(name) can't be taken in: \(reason)")
    _ = orLog("put a change aside") { try waitingChanges.reject(name) }
  }

  /// Writes a change; answers what is wrong with its values, where something is.
  private func write(
    _ change: SessionChange, to file: DatabaseFile
  ) throws(StoreFailure) -> String? {
    let action = change.scope == .cookies ? "keep the cookies" : "keep session values"
    return try file.write(action, scope: change.scope.rawValue) { _ throws(StoreFailure) in
      try file.sql(action) { connection throws(SQLiteError) in
        do throws(SQLiteError) {
          switch change {
          case .cookies(let changes, let jar): try connection.change(changes, of: jar)
          case .values(let edits, let owner): try connection.set(edits, of: owner)
          }
          return nil
        } catch {
          // What is wrong with the disk or the memory is not the change's fault.
          guard error.isAboutValues else { throw error }
          return error.message
        }
      }
    }
  }

  /// The changes that wait and can't come in now, in order: who reads sees what they will make.
  private func standing() -> [SessionChange] {
    takeInIfFree()
    guard hasWaiting() else { return [] }
    return waitingChanges.names.compactMap { name in
      // What can't be read is told when it is taken in.
      (try? waitingChanges.read(name)).flatMap { SessionChange($0.root) }
    }
  }

  /// The cookies of a jar with the changes that wait.
  func withWaiting(
    _ jar: WorkspaceEnvironment, _ read: () throws(StoreFailure) -> [Cookie]
  ) throws(StoreFailure) -> [Cookie] {
    let waiting = standing()
    var cookies = try read()
    for case .cookies(let changes, jar) in waiting {
      let gone = Set(changes.removed + changes.stored.map(\.key))
      cookies = cookies.filter { !gone.contains($0.key) } + changes.stored
    }
    let now = Clock.wallMilliseconds / 1_000
    return waiting.isEmpty ? cookies : cookies.filter { $0.expires.map { $0 > now } ?? true }
  }

  /// The values of an owner whose keys have a beginning, with the changes that wait.
  func withWaiting(
    _ owner: WorkspaceEnvironment, _ beginning: String,
    _ read: () throws(StoreFailure) -> [(key: String, value: String)]
  ) throws(StoreFailure) -> [(key: String, value: String)] {
    let waiting = standing()
    var values = try read()
    for case .values(let edits, owner) in waiting {
      for edit in edits where edit.key.hasPrefix(beginning) {
        let key = String(edit.key.dropFirst(beginning.count))
        values.removeAll { $0.key == key }
        if let value = edit.value { values.append((key, value)) }
      }
    }
    return values
  }
}
