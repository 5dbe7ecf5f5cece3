// Questions to the history as people type and save them: `status:4xx host:h.test "token expired"`.

/// A line of words and of filters among them.
package struct HistoryLine: Sendable, Hashable {
  /// A filter as it is written, such as `status:4xx`.
  package struct Filter: Sendable, Hashable {
    /// One of `HistoryQuery.names`.
    package var name: String
    package var value: String

    /// A filter of a name that there is.
    package init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }

    /// As it stands in a line; what would end there is in quotes.
    var text: String {
      let needsQuotes = value.isEmpty || value.contains { $0.isWhitespace || $0 == "\"" }
      return "\(name):" + (needsQuotes ? HistoryLine.quoted(value) : value)
    }
  }

  /// Why a line can't be read, in one sentence for a person.
  package struct Problem: Error, Hashable {
    package let message: String
  }

  /// What is searched for, with its quotes; empty for nothing.
  package var words: String
  /// The filters in the order of the line.
  package var filters: [Filter]

  /// A line of parts.
  package init(words: String = "", filters: [Filter] = []) {
    (self.words, self.filters) = (words, filters)
  }

  /// Whether nothing but the newest is asked for.
  package var isEmpty: Bool { words.isEmpty && filters.allSatisfy { $0.name == "sort" } }

  /// The line; read again it is the same question.
  package var text: String {
    // A word that looks like a filter is a phrase.
    let words = HistoryLine.pieces(words).map { piece in
      if case .filter = HistoryLine.meaning(piece) { HistoryLine.quoted(piece) } else { piece }
    }
    return (filters.map(\.text) + words).joined(separator: " ")
  }

  /// Reads a line. Names of filters may be in any case; what is no name is a word.
  package init(_ text: String) throws(Problem) {
    var words: [String] = []
    filters = []
    for piece in HistoryLine.pieces(text) {
      switch HistoryLine.meaning(piece) {
      case .word: words.append(piece)
      case .filter(let filter):
        guard !filter.value.isEmpty else {
          throw Problem(message: "`\(piece)`: the value is missing. Write it behind the colon.")
        }
        guard !filters.contains(where: { $0.name == filter.name }) else {
          throw Problem(message: "`\(filter.name)` is given twice. Leave one out.")
        }
        filters.append(filter)
      }
    }
    self.words = words.joined(separator: " ")
  }

  /// The question of both lines, in the order of the other; a filter that both have must have one
  /// value.
  package func adding(_ other: HistoryLine) throws(Problem) -> HistoryLine {
    var result = self
    for filter in other.filters {
      if filter.name == "sort" { result.filters.removeAll { $0.name == "sort" } }
      guard let own = result.filters.first(where: { $0.name == filter.name }) else {
        result.filters.append(filter)
        continue
      }
      if own != filter {
        throw Problem(message: "`\(own.text)` and `\(filter.text)` contradict. Leave one out.")
      }
    }
    result.words = [words, other.words].filter { !$0.isEmpty }.joined(separator: " ")
    return result
  }

  /// The line for those of its exchanges that filters choose. Each takes the place of its namesake,
  /// except that of two times the one that leaves fewer stays; `moment` reads them.
  package func narrowed(by others: [Filter], moment: (String) -> Int64?) -> HistoryLine {
    var result = self
    for filter in others {
      guard let place = result.filters.firstIndex(where: { $0.name == filter.name }) else {
        result.filters.append(filter)
        continue
      }
      if let own = moment(result.filters[place].value), let new = moment(filter.value),
        (filter.name == "since" && own > new) || (filter.name == "until" && own < new)
      {
        continue
      }
      result.filters[place] = filter
    }
    return result
  }

  private enum Meaning {
    case word
    case filter(Filter)
  }

  /// Names as they may be written, in small letters, with those that they mean.
  private static let names: [String: String] = {
    let names = HistoryQuery.names.filter { $0 != "search" }
    return Dictionary(
      names.map { ($0.lowercased(), $0) } + [("request", "name"), ("env", "environment")]
    ) { first, _ in first }
  }()

  private static func meaning(_ piece: String) -> Meaning {
    guard let colon = piece.firstIndex(of: ":"),
      let name = names[piece[..<colon].lowercased()]
    else { return .word }
    let value = String(piece[piece.index(after: colon)...])
    guard value.first == "\"" else { return .filter(Filter(name, value)) }
    let inner = value.dropFirst()
    let end = value.count > 1 && value.last == "\"" ? inner.dropLast() : inner
    return .filter(Filter(name, unquoted(end)))
  }

  /// The parts between blanks; one in quotes may have blanks, and two quotes there are one.
  private static func pieces(_ text: String) -> [String] {
    var pieces: [String] = []
    var piece = ""
    var isQuoted = false
    for letter in text {
      if letter == "\"" {
        // In the middle of a word it is one of its letters.
        isQuoted = !isQuoted && (piece.last.map { $0 == ":" || $0 == "\"" } ?? true)
      }
      if letter.isWhitespace, !isQuoted {
        if !piece.isEmpty { pieces.append(piece) }
        piece = ""
      } else {
        piece.append(letter)
      }
    }
    return piece.isEmpty ? pieces : pieces + [piece]
  }

  private static func quoted(_ value: String) -> String {
    var text = "\""
    for letter in value { text += letter == "\"" ? "\"\"" : String(letter) }
    return text + "\""
  }

  private static func unquoted(_ text: Substring) -> String {
    var result = ""
    var isSecond = false
    for letter in text {
      if letter == "\"", !isSecond {
        isSecond = true
        continue
      }
      isSecond = false
      result.append(letter)
    }
    return result
  }
}

extension HistoryQuery {
  /// The question that a line asks; `moment` reads a time as people write it.
  package init(
    _ line: HistoryLine, limit: Int, moment: (String) -> Int64?
  ) throws(HistoryLine.Problem) {
    self.init(text: line.words.isEmpty ? nil : line.words, limit: limit)
    for filter in line.filters {
      do throws(NameProblem) {
        try set(filter.name, to: filter.value, moment: moment)
      } catch {
        guard case .expected(let expected) = error else { continue }
        throw HistoryLine.Problem(message: "`\(filter.text)`: write \(expected).")
      }
    }
    if let contradiction { throw HistoryLine.Problem(message: contradiction) }
  }

  /// Why no exchange can be what is asked for; `nil` where some can.
  package var contradiction: String? {
    let pairs: [(isEmpty: Bool, sentence: String)] = [
      (
        isAbove(since, until.map { $0 - 1 }),
        "`since` is not before `until`, so nothing can match. Change one of the two times."
      ),
      (
        isAbove(minMilliseconds.map(Int64.init), maxMilliseconds.map(Int64.init)),
        "The shortest duration is above the longest, so nothing can match. Change one of them."
      ),
      (
        isAbove(minSize.map(Int64.init), maxSize.map(Int64.init)),
        "The smallest size is larger than the largest, so nothing can match. Change one of them."
      ),
    ]
    return pairs.first { $0.isEmpty }?.sentence
  }

  private func isAbove(_ least: Int64?, _ most: Int64?) -> Bool {
    guard let least, let most else { return false }
    return least > most
  }
}
