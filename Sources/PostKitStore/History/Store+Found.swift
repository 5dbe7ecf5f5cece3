// All exchanges that a query finds: how many they are, and which of them a change is about.

import PostKitSupport

/// Exchanges that a query has found, and how.
struct FoundExchanges {
  /// Their numbers, rising.
  var numbers: [Int64]
  var search: HistoryQuery.Search

  /// As many as are changed in one transaction.
  var batches: [ArraySlice<Int64>] {
    stride(from: 0, to: numbers.count, by: Store.forgetBatchCount).map {
      numbers[$0..<min($0 + Store.forgetBatchCount, numbers.count)]
    }
  }
}

extension Store {
  /// How many exchanges a query asks for, on whatever page.
  package func historyCount(_ query: HistoryQuery) throws(StoreFailure) -> Int {
    commitQueue()
    let file = try history()
    let numbers = try numbers(query, in: file).statement
    return try file.read("count the exchanges") { connection throws(SQLiteError) in
      Int(
        try connection.integer("SELECT count(*) FROM (\(numbers.sql))", numbers.values))
    }
  }

  /// The statement that answers the numbers of all exchanges that a query asks for, in no order,
  /// and how their words are found.
  func numbers(
    _ query: HistoryQuery, in file: DatabaseFile
  ) throws(StoreFailure) -> (statement: SQLQuery, search: HistoryQuery.Search) {
    let query = try withPurposes(query, in: file)
    if let conditions = query.groupConditions, try isGroupedByNow(file) {
      return (conditions.renderedNumbers(), .reading)
    }
    let search = try searchForm(of: query, in: file)
    return (query.renderedNumbers(search), search)
  }

  /// What a query finds, decided while nobody else can write, with what waits taken in. Throws
  /// `changedMeanwhile` where it is more than `most`.
  func found(
    _ query: HistoryQuery, atMost most: Int?, of file: DatabaseFile
  ) throws(StoreFailure) -> FoundExchanges {
    // Most of what isn't indexed yet is indexed while others can write.
    if query.text != nil { try indexAllWords() }
    return try file.underLock { () throws(StoreFailure) in
      try takeIn()
      if query.text != nil { try indexAllWords() }
      let (statement, search) = try numbers(query, in: file)
      let numbers = try file.read("search the history") { connection throws(SQLiteError) in
        try connection.rows(statement.sql, statement.values) { $0.int64(0) }
      }
      if let most, numbers.count > most { throw .changedMeanwhile(path: file.path) }
      return FoundExchanges(numbers: numbers.sorted(), search: search)
    }
  }

  private func indexAllWords() throws(StoreFailure) {
    while try !indexWords(milliseconds: 1_000, step: .long) {}
  }

  /// How the words of a query are found: by the index, where there is one.
  func searchForm(
    of query: HistoryQuery, in file: DatabaseFile
  ) throws(StoreFailure) -> HistoryQuery.Search {
    guard let text = query.text, SearchText(text).expression != nil, hasFullText else {
      return .reading
    }
    var words = try spelled(query, in: file)
    if words == nil { words = try expression(query, in: file) }
    guard let words else { return .reading }
    return .indexed(words: words, except: try rangeOfWords(of: file))
  }
}
