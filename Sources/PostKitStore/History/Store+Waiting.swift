// Taking into the store what waited for it, whichever process left it.

import PostKitSupport

/// The last look at `incoming/` that found nothing waiting there.
struct WaitingLook {
  private var version: FileVersion?
  private var moment: Int64 = 0

  /// Whether a file may have come since then.
  func isStale(_ now: FileVersion) -> Bool {
    version != now || !now.isSettled(at: moment)
  }

  /// Notes that nothing was there, by what the directory was like before it was listed.
  mutating func note(_ version: FileVersion, at moment: Int64) {
    (self.version, self.moment) = (version, moment)
  }
}

extension Store {
  private var waiting: WaitingExchanges { WaitingExchanges(bodies: bodies) }

  /// Whether anything waits to be taken in; where nothing has come, one look at the directory.
  func hasWaiting() -> Bool {
    let moment = Clock.wallMilliseconds
    guard location != nil, let version = FileSystem.version(bodies.incoming),
      waitingLook.isStale(version)
    else { return false }
    if !waiting.names.isEmpty || !waitingChanges.names.isEmpty { return true }
    waitingLook.note(version, at: moment)
    return false
  }

  /// Takes in what waits, unless another process holds the lock.
  func takeInIfFree() {
    guard hasWaiting() else { return }
    do throws(StoreFailure) {
      try waitingHere(atMost: 0) { () throws(StoreFailure) in try takeIn() }
    } catch {
      if case .busy = error { return }
      Log.info("What waits is taken into the store later: \(error.message)")
    }
  }

  /// Takes in all that waits, exchanges in the order in which they were sent. One that is in the
  /// history already only loses its file: its process was killed in between.
  ///
  /// Others can write between the parts, unless the caller holds the lock because all has to be
  /// there.
  func takeIn() throws(StoreFailure) {
    guard hasWaiting() else { return }
    let file = try history()
    try takeInChanges()
    var count = 0
    defer { if count > 0 { finishCommit(.history, of: file) } }
    while true {
      let part = try file.underLock { () throws(StoreFailure) in try takeInSome(of: file) }
      guard let part else { return }
      count += part
      if !file.holdsLock { file.letOthersWrite() }
    }
  }

  /// Takes in some; `nil` where none are left. The caller holds the lock, so that whoever forgets
  /// finds none that are in the history as well.
  private func takeInSome(of file: DatabaseFile) throws(StoreFailure) -> Int? {
    var rows: [(name: String, row: WaitingExchanges.Row)] = []
    for name in waiting.names where rows.count < Store.takenAtOnce {
      do throws(WaitingFiles.Obstacle) {
        rows.append((name, try waiting.read(name)))
      } catch {
        if case .damaged(let reason) = error { reject(name, reason) }
      }
    }
    guard !rows.isEmpty else { return nil }
    let action = "take in what was sent"
    var numbers: [Int64] = []
    var taken: [(name: String, row: WaitingExchanges.Row)] = []
    try file.write(action, scope: StoreScope.history.rawValue) { _ throws(StoreFailure) in
      (numbers, taken) = ([], [])
      for (name, row) in rows {
        let kept = try placed(row)
        let refusal = try file.sql(action) { connection throws(SQLiteError) -> String? in
          do throws(SQLiteError) {
            let count = try connection.run(ExchangeRow.insertion(of: kept.columns), kept.values)
            guard count > 0 else { return nil }
            numbers.append(connection.lastRowNumber)
            if kept.columns.contains("purpose") {
              try connection.run(
                ExchangeRow.purposeInsertion, [.int(connection.lastRowNumber)])
            }
            return nil
          } catch {
            // What is wrong with the disk or the memory is not the row's fault.
            guard error.isAboutValues else { throw error }
            return error.message
          }
        }
        if let refusal { reject(name, refusal) } else { taken.append((name, row)) }
      }
    }
    for (name, row) in taken {
      do throws(FileFailure) { try waiting.remove(name, row) } catch {
        throw .body(path: bodies.incoming, reason: error.description)
      }
    }
    if let first = numbers.first, let last = numbers.last { noteRecorded(first: first, last: last) }
    // Without any the same ones would be met again.
    return taken.isEmpty ? nil : numbers.count
  }

  /// Removes what waits and can't be taken in here: after everything was forgotten nothing comes
  /// back.
  func forgetUnreadableWaiting() throws(StoreFailure) {
    guard hasWaiting() else { return }
    try history().underLock { () throws(StoreFailure) in
      do throws(FileFailure) { try waiting.removeUnreadable() } catch {
        throw .body(path: bodies.incoming, reason: error.description)
      }
    }
  }

  private func reject(_ name: String, _ reason: String) {
    Log.warning("The exchange in \(bodies.incoming)/\(name) can't be taken in: \(reason)")
    _ = orLog("put an exchange aside") { try waiting.reject(name) }
  }

  /// A row whose bodies have their places; without the bodies that are gone.
  private func placed(_ row: WaitingExchanges.Row) throws(StoreFailure) -> WaitingExchanges.Row {
    var row = row
    for (index, column) in row.columns.enumerated() where ExchangeRow.hashColumns.contains(column) {
      guard case .text(let hash) = row.values[index] else { continue }
      if try !bodies.place(row.files[hash], hash: hash) { row.values[index] = .null }
    }
    return row
  }

  /// Exchanges that are taken in with one transaction.
  private static let takenAtOnce = 64
}
