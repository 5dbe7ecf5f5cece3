// Erasing words from the index: what FTS5 deletes stays in the file until its parts are merged.

/// What is known of the words that were deleted and can still be read in the index. Those that are
/// still to be deleted there stand in `word_task`; when they leave it a trigger counts them in
/// `word_erasure`, whichever PostKit deletes.
enum WordErasure {
  /// Whether there are any.
  static let isDue = """
    EXISTS (SELECT 1 FROM word_erasure WHERE deleted <> erased) OR EXISTS (SELECT 1 FROM word_task)
    """

  /// Notes that there are none.
  static let allDone = "UPDATE word_erasure SET erased = deleted"
}

/// How far the parts of the index of words are merged into one, which has none of what was deleted
/// before the first step.
struct WordMerging: Hashable {
  private(set) var isDone = false
  /// What had been deleted when it began; `nil` before that.
  private var deleted: Int64?

  /// Begins to merge.
  init() {}

  /// The state after one step more, which is made in an open transaction.
  func next(_ connection: Connection) throws(SQLiteError) -> WordMerging {
    var next = self
    if deleted == nil {
      next.deleted = try connection.integer("SELECT deleted FROM word_erasure")
    }
    let before = connection.totalChangeCount
    try connection.run("INSERT INTO words (words, rank) VALUES ('merge', ?)", [.int(pages)])
    // The insertion itself counts as one.
    guard connection.totalChangeCount - before < 2 && deleted != nil else { return next }
    // Another file may have taken the place of the one in which it began.
    try connection.run(
      "UPDATE word_erasure SET erased = max(erased, ?1) WHERE deleted >= ?1",
      [.int(next.deleted ?? 0)])
    next.isDone = true
    return next
  }

  /// A negative number begins to merge all parts into one, a positive one goes on. Its amount is
  /// the pages of the index that are written in one transaction.
  private var pages: Int64 { deleted == nil ? -1_000 : 1_000 }
}
