// Searching for how a word begins, which FTS5 does in a time that grows with the history.

import PostKitSupport

extension Store {
  /// The newest exchanges that have the words of a search, of which the last one may be the
  /// beginning of a word; `nil` where something else finds them faster.
  ///
  /// FTS5 finds up to three letters from the newest exchange on, no further than the page goes.
  /// Whether more letters follow is seen in the texts, which the index keeps. So it takes as long
  /// as the page, where much of what begins with the three begins with the others, too.
  func newestWithBeginning(
    _ query: HistoryQuery, in file: DatabaseFile
  ) throws(StoreFailure) -> [ExchangeSummary]? {
    guard !query.hasFilters, (1...Store.readCount).contains(query.limit), try hasWords(file),
      let search = query.text.flatMap({ SearchText($0).shortened })
    else { return nil }
    var reading = ReadingForBeginning(search.beginning, limit: query.limit)
    let values: [SQLValue] = [.text(search.expression), .int(query.after?.sequence ?? .max)]
    return try file.read("search the history") { connection throws(SQLiteError) in
      // What has several words lies far apart, so that its texts are worth reading only where it is
      // long to look up the words.
      if search.expression != search.lastWord {
        let count = try connection.integer(Store.recentCountSQL, [.text(search.lastWord)])
        guard count == Store.frequentCount else { return nil }
      }
      try connection.each(Store.textsSQL, values) { reading.takes($0) }
      return reading.isUseless ? nil : reading.found
    }
  }

  /// Of the newest 256 exchanges some that have a word.
  private static let recentCountSQL = """
    SELECT count(*) FROM (
      SELECT 1 FROM words WHERE words MATCH ? AND rowid > (SELECT last FROM word_range) - 256
      LIMIT \(frequentCount))
    """
  private static let frequentCount: Int64 = 64

  /// The table of words comes first, from the newest on, as `HistoryQuery` has it.
  private static let textsSQL = """
    SELECT \(ExchangeSummary.selection), words.address, words.name, words.headers, words.bodies,
      words.remarks
    FROM words CROSS JOIN exchange ON exchange.sequence = words.rowid
    WHERE words MATCH ? AND words.rowid < ? ORDER BY words.rowid DESC
    """

  /// Exchanges of a page whose texts are read rather than the index for each of their words.
  private static let readCount = 200

  /// What the index is asked where it has the words as they were typed; `nil` where there is none.
  ///
  /// FTS5 finds a beginning by making the list of all exchanges that have a word of it, 44 ms for a
  /// word of every exchange of a million. Whole words are read from the newest exchange on, no
  /// further than the page goes, and few begin alike. Stepping from such a frequent word to the
  /// next one passes over the pages of its list, which takes some 2 ms of a million exchanges.
  func expression(
    _ query: HistoryQuery, in file: DatabaseFile
  ) throws(StoreFailure) -> String? {
    guard try hasWords(file), let text = query.text.map(SearchText.init) else { return nil }
    guard let beginning = text.beginning else { return text.expression }
    let endings = try file.read("look up words") { connection throws(SQLiteError) in
      try connection.execute(WordIndex.vocabulary)
      return try WordIndex.words(beginning: beginning, connection)
    }
    return endings.map { text.expression(endings: $0) } ?? text.expression
  }
}

extension WordIndex {
  /// The words that begin with some letters; `nil` where there are too many.
  static func words(
    beginning: String, _ connection: Connection
  ) throws(SQLiteError) -> [String]? {
    var found: [String] = []
    var values = range(beginning)
    while let word = try connection.first(nextWord, values, { $0.text(0) }) {
      guard found.count < endingCount, word.utf8.count <= endingLength else { return nil }
      found.append(word)
      values[0] = .text(word + "\0")
    }
    return found
  }

  /// The values of `nextWord` for words that begin so: no letter comes after the last one.
  static func range(_ beginning: String) -> [SQLValue] {
    [.text(beginning), .text(beginning + "\u{10FFFF}")]
  }

  /// Words that are looked for one by one in place of how they begin.
  private static let endingCount = 64
  /// Bytes of the longest of these words.
  private static let endingLength = 256
}

/// Takes exchanges, newest first, of which some have a word that begins with some letters.
private struct ReadingForBeginning {
  private(set) var found: [ExchangeSummary] = []
  /// Whether what was read doesn't answer the question.
  private(set) var isUseless = false
  private let beginning: WordBeginning
  private let limit: Int
  private var count = 0
  private var byteCount = 0

  init(_ beginning: String, limit: Int) {
    self.beginning = WordBeginning(beginning)
    self.limit = limit
  }

  /// Takes a row of `textsSQL`, and answers whether it wants another.
  mutating func takes(_ row: Statement) -> Bool {
    count += 1
    var isUnknown = false
    for column in ReadingForBeginning.textColumns {
      let presence = row.look(at: column) { bytes in
        byteCount += bytes.count
        return beginning.presence(in: bytes)
      }
      if presence == .found {
        found.append(ExchangeSummary(row))
        isUnknown = false
        break
      }
      isUnknown = isUnknown || presence == .unknown
    }
    let isRare = count >= ReadingForBeginning.trialCount && found.count * 4 < count
    if isUnknown || isRare || byteCount > ReadingForBeginning.byteLimit {
      isUseless = found.count < limit
      return false
    }
    return found.count < limit
  }

  private static let textColumns: Range<Int32> = 19..<24
  /// Exchanges after which it shows whether enough of them have it.
  private static let trialCount = 16
  /// Bytes that are read in a millisecond.
  private static let byteLimit = 1 << 20
}

/// The letters and digits of ASCII, small, that a word begins with as the index takes it: whatever
/// is no letter or digit stands between words, and capitals count as small ones.
struct WordBeginning {
  /// What looking at a text tells.
  enum Presence {
    case found, missing
    /// There are other letters, some of which the index takes for those of ASCII.
    case unknown
  }

  private let letters: [UInt8]

  init(_ letters: String) { self.letters = Array(letters.utf8) }

  /// Whether a word of a text begins so.
  func presence(in text: UnsafeRawBufferPointer) -> Presence {
    var (isFirst, isUnknown) = (true, false)
    for index in text.indices {
      let byte = text[index]
      guard byte < 0x80 else {
        (isFirst, isUnknown) = (false, true)
        continue
      }
      let isPart = WordBeginning.isPartOfWord(byte)
      if isFirst && isPart && begins(text, at: index) { return .found }
      isFirst = !isPart
    }
    return isUnknown ? .unknown : .missing
  }

  private func begins(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard text.count - start >= letters.count else { return false }
    for (offset, letter) in letters.enumerated() {
      let byte = text[start + offset]
      let isCapital = (0x41...0x5A).contains(byte)
      if (isCapital ? byte | 0x20 : byte) != letter { return false }
    }
    return true
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}
