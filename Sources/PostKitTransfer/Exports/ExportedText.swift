// Texts of requests that are written for another tool: literals, and references by what they mean.

/// A text in pieces; literals keep bytes that are no UTF-8.
struct ExportedText: Sendable, Hashable {
  /// A piece of a text.
  enum Piece: Sendable, Hashable {
    case literal(String)
    /// What a reference means; `isEncoded`: its value is to be percent-encoded (`{{%name}}`).
    case reference(ExportedReference, isEncoded: Bool)
  }

  /// The pieces in order; two literals never follow each other, and none is empty.
  private(set) var pieces: [Piece] = []

  /// Makes an empty text.
  init() {}

  /// Makes a text without references.
  init(_ text: String) { append(text) }

  /// Makes a text that is one reference.
  init(_ reference: ExportedReference) { append(reference) }

  /// Whether there is nothing in it.
  var isEmpty: Bool { pieces.isEmpty }

  /// The text where it has no reference; else `nil`.
  var literal: String? {
    switch pieces.first {
    case nil: ""
    case .literal(let text) where pieces.count == 1: text
    default: nil
    }
  }

  /// The references in order.
  var references: [ExportedReference] {
    pieces.compactMap { if case .reference(let reference, _) = $0 { reference } else { nil } }
  }

  /// Adds a literal.
  mutating func append(_ text: String) {
    guard !text.isEmpty else { return }
    if case .literal(let before)? = pieces.last {
      pieces[pieces.count - 1] = .literal(before + text)
    } else {
      pieces.append(.literal(text))
    }
  }

  /// Adds a reference.
  mutating func append(_ reference: ExportedReference, isEncoded: Bool = false) {
    pieces.append(.reference(reference, isEncoded: isEncoded))
  }

  /// Adds another text.
  mutating func append(_ other: ExportedText) {
    for piece in other.pieces {
      if case .literal(let text) = piece { append(text) } else { pieces.append(piece) }
    }
  }

  /// The text with each piece written by the one who knows the target.
  func written(
    literal: (String) -> String = { $0 }, _ reference: (ExportedReference, Bool) -> String
  ) -> String {
    pieces.reduce(into: "") { result, piece in
      switch piece {
      case .literal(let text): result += literal(text)
      case .reference(let meant, let isEncoded): result += reference(meant, isEncoded)
      }
    }
  }

  /// The text with its literals changed.
  func mappingLiterals(_ change: (String) -> String) -> ExportedText {
    var result = ExportedText()
    for piece in pieces {
      if case .literal(let text) = piece {
        result.append(change(text))
      } else {
        result.pieces.append(piece)
      }
    }
    return result
  }

  /// The parts between separators in literals; `limit` is the largest number of cuts.
  func split(separator: Character, limit: Int = .max) -> [ExportedText] {
    var result = [ExportedText()]
    for piece in pieces {
      guard case .literal(let text) = piece else {
        result[result.count - 1].pieces.append(piece)
        continue
      }
      let cuts = limit - (result.count - 1)
      let parts = text.split(
        separator: separator, maxSplits: cuts, omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 { result.append(ExportedText()) }
        result[result.count - 1].append(String(part))
      }
    }
    return result
  }

  /// The text with other values in its pairs, such as those of a query, a form or of cookies.
  func replacingValues(
    separator: Character, _ value: (_ name: ExportedText, _ value: ExportedText) -> ExportedText
  ) -> ExportedText {
    var result = ExportedText()
    for (place, pair) in split(separator: separator).enumerated() {
      if place > 0 { result.append(String(separator)) }
      let halves = pair.split(separator: "=", limit: 1)
      result.append(halves[0])
      guard halves.count > 1 else { continue }
      result.append("=")
      result.append(value(halves[0], halves[1]))
    }
    return result
  }

  /// Adds a piece.
  mutating func append(_ piece: Piece) {
    switch piece {
    case .literal(let text): append(text)
    case .reference(let reference, let isEncoded): append(reference, isEncoded: isEncoded)
    }
  }

  /// The scheme that the text begins with, its slashes included; empty for a URL without one. It is
  /// `nil` where that can't be told.
  var literalScheme: String? {
    guard case .literal(let text)? = pieces.first else { return nil }
    return text.firstRange(of: "://").map { String(text[..<$0.upperBound]) } ?? ""
  }

  /// What stands behind a beginning; `nil` where the text does not begin so. Case doesn't count.
  func dropping(prefix: String) -> ExportedText? {
    guard case .literal(let text)? = pieces.first,
      text.prefix(prefix.count).lowercased() == prefix.lowercased()
    else { return nil }
    var result = ExportedText(String(text.dropFirst(prefix.count)))
    for piece in pieces.dropFirst() { result.pieces.append(piece) }
    return result
  }
}

/// What a reference means.
enum ExportedReference: Sendable, Hashable {
  /// A variable of the collection by the name that it has there.
  case variable(String)
  /// A part of the response to a request, by the place of that among the requests.
  case response(request: Int, ExportedPart)
  /// A value that is made anew at each use: its name without `$`, and its arguments.
  case dynamic(name: String, arguments: String)
  /// A variable of the process environment.
  case process(String)
  /// What no other tool can be told, as it is written, braces included.
  case unknown(String)
}

/// A part of a response.
enum ExportedPart: Sendable, Hashable {
  case body
  /// A value in a body of JSON.
  case member(ExportedPath)
  case header(String)
  case status
  /// Something else, as it is written, such as `.cookies.sid`.
  case other(String)
}

/// A path into JSON.
struct ExportedPath: Sendable, Hashable {
  /// A step of a path that every language can say.
  enum Step: Sendable, Hashable {
    case name(String)
    case index(Int)
  }

  /// The path as JSONPath, `$` at its beginning.
  let text: String
  /// Its steps where it has names and places alone; else `nil`.
  let steps: [Step]?

  /// Reads a path as it is written, such as `$.a[0]`, `.a.b` or `a`.
  init(_ written: String) {
    var text = written
    if !text.hasPrefix("$") {
      text = "$" + (text.hasPrefix(".") || text.hasPrefix("[") ? "" : ".") + text
    }
    if text == "$." { text = "$" }
    self.text = text
    steps = ExportedPath.steps(text.dropFirst())
  }

  /// The steps as an expression of JavaScript and of many other languages: `.a["b c"][0]`.
  var members: String? {
    steps.map { steps in
      steps.map { step in
        switch step {
        case .name(let name) where ExportedPath.isWord(name): ".\(name)"
        case .name(let name): "[\(JavaScriptCode.literal.short(name))]"
        case .index(let index): "[\(index)]"
        }
      }.joined()
    }
  }

  /// The path in words for a name: `data_id`.
  var words: String { CodeWords.word(text) }

  private static func isWord(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(48...57).contains(first) else { return false }
    return name.utf8.allSatisfy(CodeWords.isWord)
  }

  private static func steps(_ path: Substring) -> [Step]? {
    var rest = path
    var steps: [Step] = []
    while let mark = rest.first {
      if mark == "." {
        let name = rest.dropFirst().prefix { $0 != "." && $0 != "[" }
        guard !name.isEmpty, name != "*", name != "length" else { return nil }
        // Digits may be a name or a place; which is only known with the document.
        guard !name.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        steps.append(.name(String(name)))
        rest = rest.dropFirst(1 + name.count)
      } else if mark == "[", let end = rest.firstIndex(of: "]") {
        let inner = rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
        if let index = Int(inner), index >= 0 {
          steps.append(.index(index))
        } else if inner.count > 2, let quote = inner.first, quote == "'" || quote == "\"",
          inner.last == quote, !inner.contains("\\")
        {
          steps.append(.name(String(inner.dropFirst().dropLast())))
        } else {
          return nil
        }
      } else {
        return nil
      }
    }
    return steps
  }
}
