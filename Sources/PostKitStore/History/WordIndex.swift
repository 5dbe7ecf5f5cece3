// The index of words: its table, and what of an exchange it holds.

import PostKitHTTP

/// The FTS5 table of the words of exchanges. It is derived from them: where it is damaged it is
/// made anew. It keeps its own copy of the texts, because the words of a body that is a file could
/// not be removed otherwise; `rowid` is the exchange's `sequence`.
enum WordIndex {
  /// Makes the table; only where SQLite has FTS5. A change of the tokenizer or the columns needs a
  /// table of another name: older PostKits go on using this one. No trigger changes it: SQLite 3.40
  /// runs none on FTS5 tables where the schema is not trusted.
  ///
  /// The beginnings of words have an index of their own: without it the search for `e` would read
  /// every word that begins so, 33 ms in a history of 100,000 entries.
  static let creation = """
    CREATE VIRTUAL TABLE words USING fts5 (
      address, name, headers, bodies, remarks,
      tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3')
    """

  /// The letters of the longest beginnings that have an index of their own.
  static let longestBeginning = 3

  /// Makes the list of all words with the places where they occur, which is read from the index
  /// itself and is nothing that the file holds.
  static let vocabulary = """
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, words, instance)
    """

  /// The first word between two.
  static let nextWord = "SELECT term FROM vocabulary WHERE term >= ? AND term <= ? LIMIT 1"

  /// The table, and those in which FTS5 keeps it.
  static let tables = [
    "words", "words_data", "words_idx", "words_content", "words_docsize", "words_config",
  ]

  /// Removes the table; it is made again when words are indexed.
  static let removal = "DROP TABLE words; \(emptyRange); DELETE FROM word_task"

  /// Forgets the table without giving its pages back, which only making the file anew does.
  static let abandoning = """
    BEGIN IMMEDIATE;
    DELETE FROM sqlite_schema
    WHERE type = 'table' AND name IN (\(tables.map { "'\($0)'" }.joined(separator: ", ")));
    \(emptyRange);
    DELETE FROM word_task;
    COMMIT;
    PRAGMA writable_schema = RESET
    """

  /// Whether the index of a file can be trusted. That of a small file is compared with the texts,
  /// which bars others from writing for a second at most; of a larger one all is read.
  static func isIntact(_ connection: Connection) throws(SQLiteError) -> Bool {
    guard SQLiteLibrary.hasFullText, try connection.integer(Store.wordsExistSQL) != 0 else {
      return true
    }
    guard try hasFormat(connection), try hasAllLeaves(connection) else { return false }
    do throws(SQLiteError) {
      if try connection.fileSize() <= comparedSize {
        try connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
      } else {
        try connection.execute(
          "CREATE VIRTUAL TABLE IF NOT EXISTS temp.frequency USING fts5vocab (main, words, row)")
        // Counting where a word occurs takes all of its places.
        _ = try connection.integer("SELECT sum(cnt) FROM frequency")
      }
      return true
    } catch {
      if error.code == SQLiteError.damagedIndexCode { return false }
      throw error
    }
  }

  /// Whether the index says how it is written. Without that FTS5 refuses to open it, with an error
  /// that is none of damage, and can't even remove it.
  static func hasFormat(_ connection: Connection) throws(SQLiteError) -> Bool {
    try connection.integer(
      """
      SELECT count(*) FROM words_config WHERE k = 'version' AND typeof(v) = 'integer' AND v > 3
      """) != 0
  }

  /// Makes the table removable.
  static let formatting = "INSERT OR REPLACE INTO words_config (k, v) VALUES ('version', 4)"

  /// Whether each page of words but the first of its segment can be found: no error would tell
  /// that one can't, and its words would be missing from every answer. FTS5's own check trusts
  /// that list.
  ///
  /// The bits of the number of a page are its segment, whether it is a list of pages, its height
  /// and its place. It begins with where its first number of an exchange is, and with where the
  /// list of its words begins, which is at its end where it has none (fts5_index.c).
  private static func hasAllLeaves(_ connection: Connection) throws(SQLiteError) -> Bool {
    let listed = Set(
      try connection.rows("SELECT (segid << 37) | (pgno >> 1) FROM words_idx") { $0.int64(0) })
    var segment: Int64 = 0
    var isComplete = true
    try connection.each(
      "SELECT id, substr(block, 1, 4), length(block) FROM words_data WHERE id > 10"
    ) { row in
      let (page, head) = (row.int64(0), row.bytes(1))
      if page >> 31 & 0x3F != 0 { return true }
      let isFirst = page >> 37 != segment
      segment = page >> 37
      let hasWords = head.count == 4 && row.int64(2) > Int64(head[2]) << 8 | Int64(head[3])
      isComplete = isFirst || !hasWords || listed.contains(page)
      return isComplete
    }
    return isComplete
  }

  /// Bytes of a file of which 30 MB are compared in half a second.
  private static let comparedSize: Int64 = 64 << 20

  /// Removes all words without the help of FTS5, which alone can remove some: its tables are left
  /// as it makes them for an index of nothing.
  static let emptying = """
    DELETE FROM words_data; DELETE FROM words_idx; DELETE FROM words_content;
    DELETE FROM words_docsize;
    INSERT INTO words_data (id, block) VALUES (1, X''), (10, X'00000000000000')
    """

  /// Makes the range empty: every exchange is to be indexed.
  static let emptyRange = """
    UPDATE word_range SET (first, last) =
      (SELECT coalesce(max(sequence), 0) + 1, coalesce(max(sequence), 0) FROM exchange)
    """

  /// Puts the words of an exchange into the index; its values are those of `IndexedExchange`.
  static let insertion = """
    INSERT OR REPLACE INTO words (rowid, address, name, headers, bodies, remarks)
    VALUES (?, ?, ?, ?, ?, ?)
    """

  /// Bytes of a body whose words are found.
  static let bodyLimit = 256 << 10
}

/// An exchange as the index of words takes it.
struct IndexedExchange {
  /// The columns that `init(_:bodies:)` reads, in its order.
  static let selection = """
    SELECT sequence, url, request_name, request_headers, response_headers, request_body_hash, \
    response_body_hash, substr(request_body, 1, \(WordIndex.bodyLimit)), \
    substr(response_body, 1, \(WordIndex.bodyLimit)), label, note FROM exchange
    """

  let sequence: Int64
  private let texts: [String]

  /// Bytes of all texts.
  var byteCount: Int { texts.reduce(0) { $0 + $1.utf8.count } }

  /// The values of `WordIndex.insertion`.
  var values: [SQLValue] { [.int(sequence)] + texts.map(SQLValue.text) }

  /// Reads the current row of a statement that begins with `selection`.
  init(_ row: Statement, bodies: BodyFiles) {
    let parts = [(headers: row.text(3), hash: 5, bytes: 7), (row.text(4), 6, 8)].map {
      part -> (headers: String, body: String) in
      let bytes = row.optionalText(Int32(part.hash)).map {
        bodies.head(hash: $0, count: WordIndex.bodyLimit)
      }
      let type = StoredJSON.headers(part.headers).mediaType
      return (
        part.headers,
        IndexedExchange.text(of: bytes ?? row.bytes(Int32(part.bytes)), type) ?? ""
      )
    }
    sequence = row.int64(0)
    // Names and values of header fields stand in JSON as they are, as far as words are concerned.
    texts = [
      row.text(1), row.text(2), parts.map(\.headers).joined(separator: "\n"),
      parts.map(\.body).joined(separator: "\n"), row.text(9) + "\n" + row.text(10),
    ]
  }

  /// A body as text; `nil` where a person could not read it.
  static func text(of bytes: [UInt8], _ type: MediaType?) -> String? {
    if bytes.isEmpty { return nil }
    if type?.isText == true { return String(decoding: bytes, as: UTF8.self) }
    // The head of a longer body may end inside a letter.
    let continuation = bytes.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
    let isCut = bytes.count == WordIndex.bodyLimit
    let whole = isCut ? bytes.dropLast(min(continuation + 1, bytes.count)) : bytes[...]
    return whole.contains(0) ? nil : String(validating: whole, as: UTF8.self)
  }
}
