// What people write on exchanges: pins, labels and notes; and changes of the history as values.

import PostKitSupport

/// Something that is written on exchanges.
package enum HistoryMark: Sendable, Hashable {
  /// Whether they are kept however old they are.
  case pinned(Bool)
  /// A word to find them by; `nil` or empty takes it away.
  case label(String?)
  /// A text; `nil` or empty takes it away.
  case note(String?)

  fileprivate var assignment: SQLQuery {
    switch self {
    case .pinned(let isPinned): SQLQuery(sql: "pinned = ?", values: [.int(isPinned ? 1 : 0)])
    case .label(let text): SQLQuery(sql: "label = nullif(?, '')", values: [.optional(text)])
    case .note(let text): SQLQuery(sql: "note = nullif(?, '')", values: [.optional(text)])
    }
  }
}

/// Exchanges and what is written on them.
package struct HistoryMarking: Sendable, Hashable {
  package var ids: [String]
  package var mark: HistoryMark
  /// The label or the note as whoever changes it has seen it. Where it is another by now, nothing
  /// is marked.
  package var seen: HistoryMark?

  /// Makes a marking.
  package init(_ ids: [String], as mark: HistoryMark, seen: HistoryMark? = nil) {
    self.ids = ids
    self.mark = mark
    self.seen = seen
  }
}

extension Store {
  /// Marks exchanges in one transaction, and answers how many of the ids there are.
  @discardableResult
  package func mark(_ ids: [String], as mark: HistoryMark) throws(StoreFailure) -> Int {
    try self.mark([HistoryMarking(ids, as: mark)])
  }

  /// Marks all exchanges that a query asks for, in short transactions, and answers how many there
  /// were. Where they are more than `most` by now, nothing is marked, and it throws
  /// `changedMeanwhile`.
  @discardableResult
  package func mark(
    _ query: HistoryQuery, as mark: HistoryMark, atMost most: Int? = nil
  ) throws(StoreFailure) -> Int {
    commitQueue()
    let file = try history()
    let found = try found(query, atMost: most, of: file)
    var count = 0
    for batch in found.batches {
      let chosen = query.rendered(found.search, among: batch)
      count += try file.write(Store.marking, scope: StoreScope.history.rawValue) {
        _ throws(StoreFailure) in
        try file.sql(Store.marking) { connection throws(SQLiteError) in
          try connection.mark(chosen, mark)
        }
      }
      file.letOthersWrite()
    }
    if count > 0 { finishCommit(.history, of: file) }
    return count
  }

  private static let marking = "mark a part of the history"

  /// Makes several marks in one transaction, in order, and answers how many of the ids there are.
  ///
  /// Throws `markChanged` where a text is not the one that was seen.
  func mark(_ marks: [HistoryMarking]) throws(StoreFailure) -> Int {
    commitQueue()
    let file = try history()
    let action = Store.marking
    let count = try file.underLock { () throws(StoreFailure) in
      // What waits to be written is there for whoever sent it.
      try takeIn()
      return try file.write(action, scope: StoreScope.history.rawValue) {
        _ throws(StoreFailure) in
        var count = 0
        for marking in marks {
          let other = try file.sql(action) { connection throws(SQLiteError) in
            try connection.otherText(than: marking)
          }
          if let other { throw .markChanged(path: file.path, to: other) }
          count += try file.sql(action) { connection throws(SQLiteError) in
            try connection.mark(.ids(marking.ids), marking.mark)
          }
        }
        return count
      }
    }
    finishCommit(.history, of: file)
    return count
  }

  /// The whole id of the exchange whose id begins with at least 8 letters; `nil` where there is
  /// none.
  package func id(beginningWith id: String) throws(StoreFailure) -> String? {
    commitQueue()
    let id = id.lowercased()
    guard id.utf8.count >= 8 else { return nil }
    let found = try history().read("look up an exchange") { connection throws(SQLiteError) in
      // "~" sorts after every letter of an id.
      try connection.rows(
        "SELECT id FROM exchange WHERE id >= ? AND id < ? ORDER BY id LIMIT 2",
        [.text(id), .text(id + "~")]
      ) { $0.text(0) }
    }
    if found.count > 1 { throw .ambiguousID(path: try history().path, prefix: id) }
    return found.first
  }
}

extension Connection {
  /// The text that one of the exchanges has in place of the one that was seen; `nil` where each has
  /// that.
  fileprivate func otherText(than marking: HistoryMarking) throws(SQLiteError) -> String? {
    let column: String
    let text: String?
    switch marking.seen {
    case .label(let seen): (column, text) = ("label", seen)
    case .note(let seen): (column, text) = ("note", seen)
    case .pinned, nil: return nil
    }
    let chosen = SQLQuery.ids(marking.ids)
    return try rows(
      "SELECT coalesce(\(column), '') FROM exchange WHERE \(chosen.sql) AND \(column) IS NOT ?",
      chosen.values + [.optional(text)]
    ) { $0.text(0) }.first
  }

  fileprivate func mark(_ chosen: SQLQuery, _ mark: HistoryMark) throws(SQLiteError) -> Int {
    let assignment = mark.assignment
    if case .pinned = mark {} else {
      try run(
        """
        INSERT OR IGNORE INTO word_task SELECT sequence FROM exchange, word_range
        WHERE sequence BETWEEN first AND last AND \(chosen.sql)
        """, chosen.values)
    }
    return try run(
      "UPDATE exchange SET \(assignment.sql) WHERE \(chosen.sql)",
      assignment.values + chosen.values)
  }
}

/// A change of the history, which is made as a whole or not at all.
package enum HistoryEdit: Sendable, Hashable {
  /// Marks in order; a later one of an exchange counts.
  case mark([HistoryMarking])
  /// Marks all that a query asks for, in short transactions.
  case markFound(HistoryQuery, HistoryMark)
  case forget(ForgetScope)
  /// Saves a search under a name, in place of one of that name.
  case saveSearch(String, HistoryLine)
  case deleteSearch(String)
}

extension Store {
  /// Makes a change, and answers how many exchanges it met and the revision after it.
  ///
  /// With `expected` nothing is changed where the store has another revision by now, whoever raised
  /// it; then it throws `changedMeanwhile`. So it does where a query finds more than `most`.
  package func editHistory(
    _ edit: HistoryEdit, ifRevision expected: Int64?, atMost most: Int? = nil
  ) throws(StoreFailure) -> (count: Int, revision: Int64) {
    let count = switch edit {
    case .mark(let marks):
      try ifUnchanged(since: expected) { () throws(StoreFailure) in try mark(marks) }
    case .markFound(let query, let mark):
      try ifUnchanged(since: expected) { () throws(StoreFailure) in
        try self.mark(query, as: mark, atMost: most)
      }
    case .forget(let scope): try forget(scope, ifRevision: expected, atMost: most)
    case .saveSearch(let name, let line):
      try ifUnchanged(since: expected) { () throws(StoreFailure) in
        try saveSearch(name, line)
        return 1
      }
    case .deleteSearch(let name):
      try ifUnchanged(since: expected) { () throws(StoreFailure) in
        try deleteSearch(name)
        return 1
      }
    }
    return (count, try revision())
  }

  /// Does something while nobody else can write, unless the store has another revision than is
  /// expected. Without one others may write meanwhile.
  func ifUnchanged<Result>(
    since expected: Int64?, _ body: () throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    guard let expected else { return try body() }
    let file = try history()
    return try file.underLock { () throws(StoreFailure) in
      guard try revision() == expected else { throw .changedMeanwhile(path: file.path) }
      return try body()
    }
  }
}
