// Files that got other names: what was sent from them stays theirs.

import PostKitSupport

/// A file or a folder that got another name.
package struct FileMove: Sendable, Hashable {
  /// The absolute path before.
  package var old: String
  /// The absolute path now.
  package var new: String

  /// Makes a move.
  package init(from old: String, to new: String) {
    self.old = old
    self.new = new
  }

  /// What a path is afterwards; `nil` where it stays.
  package func moved(_ path: String) -> String? {
    if path == old { return new }
    guard FilePath.isInside(path, directory: old) else { return nil }
    return FilePath.join(new, FilePath.relative(path, to: old))
  }
}

extension [FileMove] {
  /// What a path is after moves that are made at once.
  package func moved(_ path: String) -> String {
    lazy.compactMap { $0.moved(path) }.first ?? path
  }
}

extension Store {
  /// Gives the exchanges of files that have other names now to these, in one transaction, and
  /// answers how many there are.
  @discardableResult
  package func follow(_ moves: [FileMove]) throws(StoreFailure) -> Int {
    commitQueue()
    let file = try history()
    let action = "follow files that were renamed"
    // It decides nothing but that there is nothing to write.
    let isMoved = try file.read(action) { connection throws(SQLiteError) in
      try connection.files(in: moves).contains { moves.moved($0) != $0 }
    }
    guard isMoved || hasWaiting() else { return 0 }
    let count = try file.underLock { () throws(StoreFailure) in
      // What waits was sent from these files as well.
      try takeIn()
      return try file.write(action, scope: StoreScope.history.rawValue) {
        _ throws(StoreFailure) in
        try file.sql(action) { connection throws(SQLiteError) in
          let changed = try connection.files(in: moves).filter { moves.moved($0) != $0 }
          return try connection.rename(changed.map { ($0, moves.moved($0)) })
        }
      }
    }
    finishCommit(.history, of: file)
    return count
  }
}

extension Connection {
  /// The names in the history of the files that were moved, or lie in folders that were.
  fileprivate func files(in moves: [FileMove]) throws(SQLiteError) -> Set<String> {
    var names: Set<String> = []
    for move in moves {
      // "0" is the letter behind "/".
      names.formUnion(
        try rows(
          "SELECT DISTINCT file FROM exchange WHERE file = ?1 OR file > ?2 AND file < ?3",
          [.text(move.old), .text(move.old + "/"), .text(move.old + "0")]
        ) { $0.text(0) })
    }
    return names
  }

  /// Renames files in the history; where they exchange their names, by way of names that no file
  /// has.
  fileprivate func rename(_ files: [(old: String, new: String)]) throws(SQLiteError) -> Int {
    let isCircle = !Set(files.map(\.old)).isDisjoint(with: files.map(\.new))
    var count = 0
    for file in files {
      count += try rename(file.old, to: isCircle ? "\u{1}" + file.new : file.new)
    }
    if isCircle {
      for file in files { _ = try rename("\u{1}" + file.new, to: file.new) }
    }
    return count
  }

  private func rename(_ old: String, to new: String) throws(SQLiteError) -> Int {
    try run("UPDATE exchange SET file = ?2 WHERE file = ?1", [.text(old), .text(new)])
  }
}
