// How the words of a search are spelled in the index of words: that keeps letters such as `ß`,
// which `FoldedText` takes for others.

extension SearchText {
  /// A word of the search as the index may have it: its parts, folded, and whether more letters may
  /// follow the last one.
  struct Folded: Hashable {
    var parts: [[Unicode.Scalar]]
    var isOpen: Bool
    /// The word itself, where folding changes other letters than those of ASCII: of some scripts
    /// the index keeps marks that folding takes away.
    var typed: String?
  }

  /// The words that the index knows a part of.
  var folded: [Folded] {
    let known = words.filter(\.hasLetters)
    return known.enumerated().map { index, word in
      let folded = FoldedText.fold(word.text)
      let isPlain = folded == word.text || word.text.unicodeScalars.allSatisfy(\.isASCII)
      return Folded(
        parts: folded.unicodeScalars.split { !SearchText.isPartOfWord($0) }.map(Array.init),
        isOpen: index == known.count - 1 && !word.isClosed, typed: isPlain ? nil : word.text)
    }
  }
}

/// Looks up how words are spelled.
///
/// It goes along a word, and where another letter may stand asks the index if a word begins so.
/// The words that an older PostKit has indexed are found, too: nothing of the index is different.
struct WordSpellings {
  private let connection: Connection
  private var looks = 0

  /// Begins to look up words in the index of a file.
  init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    try connection.execute(WordIndex.vocabulary)
  }

  /// A search in the language of FTS5 with all spellings of its words; `nil` where the index has
  /// them as they were typed.
  mutating func expression(_ text: SearchText) throws(SQLiteError) -> String? {
    let words = text.folded
    var isOther = false
    var choices: [[String]] = []
    for word in words {
      let found = try phrases(word)
      isOther = isOther || found.count > 1 || word.typed != nil
      choices.append(try quoted(found, word))
    }
    guard isOther else { return nil }
    return choices.map { "(\($0.joined(separator: " OR ")))" }.joined(separator: " AND ")
  }

  /// The parts of a word in all their spellings, the plain one first.
  private mutating func phrases(_ word: SearchText.Folded) throws(SQLiteError) -> [[String]] {
    var phrases: [[String]] = [[]]
    for (index, part) in word.parts.enumerated() {
      let isOpen = word.isOpen && index == word.parts.count - 1
      let plain = String(String.UnicodeScalarView(part))
      let spelled = [plain] + (try others(part, isOpen: isOpen))
      phrases = Array(
        phrases.flatMap { phrase in spelled.map { phrase + [$0] } }
          .prefix(WordSpellings.phraseCount))
    }
    return phrases
  }

  private func quoted(
    _ phrases: [[String]], _ word: SearchText.Folded
  ) throws(SQLiteError) -> [String] {
    let end = word.isOpen ? "\" *" : "\""
    var quoted = word.typed.map { ["\"\($0)\(end)"] } ?? []
    for phrase in phrases {
      guard let last = phrase.last else { continue }
      let others = phrase.dropLast().map { "\($0) " }.joined()
      var endings: [String]?
      // Few spellings are looked up by all words that begin so, as one is.
      if word.isOpen, phrases.count <= WordSpellings.lookedUpCount,
        last.unicodeScalars.count > WordIndex.longestBeginning
      {
        endings = try WordIndex.words(beginning: last, connection)
      }
      guard let endings, !endings.isEmpty else {
        quoted.append("\"\(others)\(last)\(end)")
        continue
      }
      quoted += endings.map { "\"\(others)\($0)\"" }
    }
    return quoted
  }

  /// The spellings of a folded word but the plain one; where it is open those of its beginning.
  private mutating func others(
    _ word: [Unicode.Scalar], isOpen: Bool
  ) throws(SQLiteError) -> [String] {
    var found: [String] = []
    var waiting = [(spelled: "", place: 0)]
    while let (start, first) = waiting.popLast() {
      var spelled = start
      for place in first..<word.count {
        let rest = word[place...]
        for (base, letter) in FoldedText.keptLetters[word[place]] ?? [] {
          // The end of what is typed may be half of such a letter.
          let fits = rest.starts(with: base) || isOpen && base.starts(with: rest)
          let beginning = spelled + String(letter)
          guard fits, try isBeginning(beginning) else { continue }
          if base.count < rest.count {
            waiting.append((beginning, place + base.count))
          } else {
            found.append(beginning)
          }
        }
        spelled.unicodeScalars.append(word[place])
      }
      if first > 0 { found.append(spelled) }
    }
    return found
  }

  /// Whether a word of the index begins so; not of so many that it would take long.
  private mutating func isBeginning(_ text: String) throws(SQLiteError) -> Bool {
    looks += 1
    guard looks <= WordSpellings.lookCount else { return false }
    return try connection.first(WordIndex.nextWord, WordIndex.range(text)) { _ in true } ?? false
  }

  /// Spellings of a word that are looked for.
  private static let phraseCount = 64
  /// Spellings whose endings are looked up.
  private static let lookedUpCount = 4
  /// Looks into the index, each of some 20 microseconds.
  private static let lookCount = 256
}

extension Store {
  /// A search in the language of FTS5 with all spellings of its words; `nil` where the index has
  /// them as they were typed, or where there is none.
  func spelled(_ query: HistoryQuery, in file: DatabaseFile) throws(StoreFailure) -> String? {
    guard let text = query.text.map(SearchText.init), try hasWords(file) else { return nil }
    return try file.read("look up words") { connection throws(SQLiteError) in
      var spellings = try WordSpellings(connection)
      return try spellings.expression(text)
    }
  }
}
