// Looking for damage after a stop that was none in order, before anybody meets it.

import CSQLite
import PostKitSupport

extension Store {
  /// Looks for damage if the store was not closed in order, on a thread of its own: it reads all of
  /// both files. A damaged file is mended, or set aside, and what can be read of it is taken over.
  func scheduleLookForDamage() {
    guard isCheckDue, let location else { return }
    let paths = [location.historyPath, location.collectionsPath]
    // Without a thread it stays due.
    _ = SystemThread.start { [weak self] in
      let findings = paths.map(Store.finding)
      guard let self else { return }
      self.executor.schedule { self.assumeIsolated { $0.finishCheck(findings) } }
    }
  }

  /// Does the same at once where it takes no time; a run has no later. Larger files are looked at
  /// by the next editor.
  func checkSmallFiles() {
    guard isCheckDue, let location else { return }
    let paths = [location.historyPath, location.collectionsPath]
    let size = paths.reduce(0) { $0 + (FileSystem.version($1)?.size ?? 0) }
    if size <= Store.smallSize { finishCheck(paths.map(Store.finding)) }
  }

  private static let smallSize: Int64 = 16 << 20

  /// What is found in a file.
  private enum Finding {
    case nothing, damage, damagedIndex, unknown
  }

  private static func finding(_ path: String) -> Finding {
    do throws(SQLiteError) {
      let connection = try Connection(path: path)
      defer { connection.close() }
      if try connection.damage() != nil { return .damage }
      return try WordIndex.isIntact(connection) ? .nothing : .damagedIndex
    } catch {
      return [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.primaryCode) ? .damage : .unknown
    }
  }

  /// The order is that of the paths. What can't be done now is done after the next start.
  private func finishCheck(_ findings: [Finding]) {
    var isDone = true
    for (finding, file) in zip(findings, [historyIfOpen, collections]) {
      switch finding {
      case .nothing: break
      case .unknown: isDone = false
      case .damagedIndex:
        guard let file,
          orLog("make the index anew", { try replaceDamagedWords(of: file) }) != nil
        else {
          isDone = false
          continue
        }
      case .damage:
        // A file that is not open is left to somebody who opens it.
        guard let file,
          orLog("set a damaged file aside", { try file.replaceDamaged() }) != nil
        else {
          isDone = false
          continue
        }
      }
    }
    if isDone { _ = orLog("note that the store is well") { try noteChecked() } }
    announceDamage()
  }
}
