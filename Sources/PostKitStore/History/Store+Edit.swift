// A change of the history that somebody asks for, if it is still as they know it.

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
