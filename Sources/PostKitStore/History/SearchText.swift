// What a person types to search the history, as words to be found.

/// The words of a search; all of them must occur. Text in double quotes is a phrase, and so is a
/// word such as `users/42`, whose parts must follow each other.
struct SearchText: Hashable {
  /// A word or a phrase.
  struct Word: Hashable {
    var text: String
    /// Whether it stands in quotes to its end, so that nothing can follow.
    var isClosed: Bool

    /// Whether the index of words knows any part of it.
    var hasLetters: Bool { text.unicodeScalars.contains(where: SearchText.isPartOfWord) }

    /// The letters and digits of ASCII that it ends with.
    fileprivate var letters: String {
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.reversed().prefix { $0.isASCII && SearchText.isPartOfWord($0) }
            .reversed()))
    }
  }

  private(set) var words: [Word] = []

  /// Takes a text apart. Of one that nobody would type the beginning counts.
  init(_ text: String) {
    var word = ""
    var isQuoted = false
    func finished(isClosed: Bool) -> [Word] {
      defer { word = "" }
      return word.isEmpty ? [] : [Word(text: word, isClosed: isClosed)]
    }
    for scalar in text.unicodeScalars.prefix(SearchText.lengthLimit) {
      if scalar == "\"" {
        words += finished(isClosed: isQuoted)
        isQuoted.toggle()
      } else if !isQuoted && scalar.properties.isWhitespace || scalar.value < 0x20 {
        words += finished(isClosed: false)
      } else {
        word.unicodeScalars.append(scalar)
      }
    }
    words = Array((words + finished(isClosed: false)).prefix(SearchText.wordLimit))
  }

  /// The search in the language of FTS5; `nil` where no word has a letter or a digit. Each word is
  /// quoted, so that nothing in it is an operator; the last one may be the beginning of a word.
  var expression: String? {
    let known = words.filter(\.hasLetters)
    guard let last = known.last else { return nil }
    let quoted = known.map { "\"\($0.text)\"" }.joined(separator: " ")
    return last.isClosed ? quoted : quoted + " *"
  }

  /// What a word of the index begins with that the search ends with: letters and digits of ASCII,
  /// small as the index has them. `nil` where the index knows all beginnings of that length, where
  /// they are not plain, and where nothing can follow.
  var beginning: String? {
    guard let last = words.last(where: \.hasLetters), !last.isClosed else { return nil }
    let letters = last.letters
    guard letters.count > WordIndex.longestBeginning else { return nil }
    // A letter of another script before them would belong to the word.
    let before = last.text.unicodeScalars.dropLast(letters.count).last
    return before?.isASCII == false ? nil : letters.lowercased()
  }

  /// A search for how a word begins, with so few of its letters that the index knows all words that
  /// begin so.
  struct Shortened: Hashable {
    /// The whole search in the language of FTS5, and the shortened beginning alone.
    var expression: String
    var lastWord: String
    /// All letters, small.
    var beginning: String
  }

  /// The search with its last word shortened; `nil` where the letters are no word of their own.
  var shortened: Shortened? {
    guard let beginning, let last = words.last(where: \.hasLetters),
      last.letters.count == last.text.unicodeScalars.count
    else { return nil }
    let others = words.filter(\.hasLetters).dropLast().map { "\"\($0.text)\" " }.joined()
    let lastWord = "\"\(beginning.prefix(WordIndex.longestBeginning))\" *"
    return Shortened(expression: others + lastWord, lastWord: lastWord, beginning: beginning)
  }

  /// The search as `expression` has it, but with all that the last word may be in place of how it
  /// begins.
  func expression(endings: [String]) -> String? {
    let known = words.filter(\.hasLetters)
    guard let last = known.last else { return nil }
    let stem = last.text.unicodeScalars.dropLast(last.letters.count)
    let choices = endings.isEmpty ? [last.text] : endings.map { String(stem) + $0 }
    let others = known.dropLast().map { "\"\($0.text)\" AND " }.joined()
    return others + "(\(choices.map { "\"\($0)\"" }.joined(separator: " OR ")))"
  }

  /// What the tokenizer `unicode61` takes for a part of a word.
  static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  private static let lengthLimit = 4_096
  /// FTS5 limits how deep an expression may be.
  private static let wordLimit = 64
}
