// What can be told of a script from its words, signs and brackets: chains of members, calls with
// their arguments, names that are declared. It is right on broken text, too, as nothing is parsed.

package import PostKitSyntax

/// A step of a chain: what stands behind the object before it.
package enum ScriptStep: Sendable, Hashable {
  /// `.name`, or the first name of all: the number of the token.
  case member(Int)
  /// `(…)`: the numbers of the brackets; the second one is missing where nothing closes it.
  case call(open: Int, close: Int?)
  /// `[…]` in the same way.
  case element(open: Int, close: Int?)

  /// The number of its last token; of a bracket that is not closed the one that opens it.
  var lastToken: Int {
    switch self {
    case .member(let token): token
    case .call(let open, let close), .element(let open, let close): close ?? open
    }
  }
}

/// A chain such as `client.global.get("name").length`.
package struct ScriptChain: Sendable, Hashable {
  package let steps: [ScriptStep]
  /// The dot that nothing follows, where somebody is about to write a member's name.
  package let danglingDot: Int?

  /// The number of the first token.
  package var first: Int { if case .member(let token) = steps[0] { token } else { 0 } }

  /// The number of the last token; of a bracket that is not closed the one that opens it.
  package var last: Int { steps[steps.count - 1].lastToken }
}

/// A call that is open at a place.
package struct ScriptCall: Sendable, Hashable {
  /// The chain that ends in what is called.
  package let callee: ScriptChain
  /// The parenthesis that opens the arguments.
  package let open: Int
  /// How many arguments end before the place.
  package let argument: Int
}

/// The tokens of a script with what their brackets and dots make of them.
package struct ScriptReading: Sendable {
  package let tokens: ScriptTokens
  /// By token: the bracket that is open before it, `-1` for none.
  private let openers: [Int]
  /// By token: the bracket that closes it, `-1` where none does or where it opens none.
  private let closers: [Int]
  /// By token: the bracket that it closes, `-1` for none.
  private let partners: [Int]
  /// The chains in the order of their first names.
  package let chains: [ScriptChain]

  /// Reads a script.
  package init(_ bytes: ArraySlice<UInt8>, isLua: Bool = false) {
    self.init(ScriptTokens(bytes, isLua: isLua))
  }

  /// Reads the tokens of a script.
  package init(_ tokens: ScriptTokens) {
    self.tokens = tokens
    let (openers, closers) = ScriptReading.brackets(tokens)
    (self.openers, self.closers) = (openers, closers)
    var partners = Array(repeating: -1, count: closers.count)
    for (open, close) in closers.enumerated() where close >= 0 { partners[close] = open }
    self.partners = partners
    chains = tokens.tokens.indices.compactMap { index in
      guard tokens[index].kind == .word, !tokens.isDot(index - 1) else { return nil }
      return ScriptReading.chain(tokens, from: index, closers)
    }
  }

  /// The bracket that is open before a token; `nil` where none is.
  package func opener(_ index: Int) -> Int? {
    guard openers.indices.contains(index), openers[index] >= 0 else { return nil }
    return openers[index]
  }

  /// The bracket that closes what a token opens; `nil` where none does.
  package func closer(_ index: Int) -> Int? {
    guard closers.indices.contains(index), closers[index] >= 0 else { return nil }
    return closers[index]
  }

  /// The bracket that a token closes; `nil` where it closes none.
  func partner(_ index: Int) -> Int? {
    guard partners.indices.contains(index), partners[index] >= 0 else { return nil }
    return partners[index]
  }

  /// How many brackets are open before a token.
  package func depth(_ index: Int) -> Int {
    var count = 0
    var at = opener(index)
    while let open = at {
      count += 1
      at = opener(open)
    }
    return count
  }

  private static func brackets(_ tokens: ScriptTokens) -> (openers: [Int], closers: [Int]) {
    var openers = Array(repeating: -1, count: tokens.count)
    var closers = openers
    var open: [(token: Int, kind: Bracket)] = []
    var counts = [0, 0, 0, 0]
    for index in 0..<tokens.count {
      if tokens.closes(index) {
        let kind = Bracket(tokens, index, opens: false)
        // A bracket of another kind closes nothing, unless one of its own is open further out.
        while counts[kind.rawValue] > 0, let last = open.popLast() {
          counts[last.kind.rawValue] -= 1
          guard last.kind == kind else { continue }
          closers[last.token] = index
          break
        }
      }
      openers[index] = open.last?.token ?? -1
      if tokens.opens(index) {
        open.append((index, Bracket(tokens, index, opens: true)))
        counts[open[open.count - 1].kind.rawValue] += 1
      }
    }
    return (openers, closers)
  }

  /// What belongs together of what opens and closes.
  private enum Bracket: Int {
    case parenthesis, bracket, brace, template

    init(_ tokens: ScriptTokens, _ index: Int, opens: Bool) {
      let bytes = tokens.slice(tokens[index].range)
      self = switch (tokens[index].kind, opens ? bytes.last : bytes.first) {
      case (.template, _): .template
      case (_, UInt8(ascii: "(")), (_, UInt8(ascii: ")")): .parenthesis
      case (_, UInt8(ascii: "[")), (_, UInt8(ascii: "]")): .bracket
      default: .brace
      }
    }
  }

  private static func chain(
    _ tokens: ScriptTokens, from first: Int, _ closers: [Int]
  ) -> ScriptChain {
    var steps: [ScriptStep] = [.member(first)]
    var at = first + 1
    func closer(_ open: Int) -> Int? { closers[open] < 0 ? nil : closers[open] }
    while at < tokens.count {
      if tokens.isDot(at), tokens.word(at + 1) != nil {
        steps.append(.member(at + 1))
        at += 2
        continue
      }
      // `?.` stands before brackets, too.
      let open = tokens.isMark(at, "?.") ? at + 1 : at
      if tokens.isMark(open, "("), !isKeyword(tokens.text(first)) || steps.count > 1 {
        steps.append(.call(open: open, close: closer(open)))
      } else if tokens.isMark(open, "[") {
        steps.append(.element(open: open, close: closer(open)))
      } else {
        break
      }
      guard let close = closer(open) else { return ScriptChain(steps: steps, danglingDot: nil) }
      at = close + 1
    }
    return ScriptChain(steps: steps, danglingDot: tokens.isDot(at) ? at : nil)
  }

  /// Words of the language, which name nothing.
  package static let keywords: Set<String> = [
    "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
    "delete", "do", "else", "export", "extends", "false", "finally", "for", "function", "if",
    "import", "in", "instanceof", "let", "new", "null", "of", "return", "static", "super", "switch",
    "this", "throw", "true", "try", "typeof", "undefined", "var", "void", "while", "with", "yield",
  ]

  /// Whether a word belongs to the language.
  static func isKeyword(_ word: String) -> Bool { keywords.contains(word) }
}

extension ScriptReading {
  /// The token that holds a place or ends there; `nil` between tokens.
  package func token(at place: Int) -> Int? {
    let next = tokens.tokens.partitioningIndex { $0.range.lowerBound >= place }
    if next > 0, tokens[next - 1].range.upperBound >= place { return next - 1 }
    if next < tokens.count, tokens[next].range.lowerBound == place { return next }
    return nil
  }

  /// The number of the first token that begins at a place or behind it.
  package func firstToken(from place: Int) -> Int {
    tokens.tokens.partitioningIndex { $0.range.lowerBound >= place }
  }

  /// Whether a place lies in a comment, in a regular expression or in a number.
  package func isInText(_ place: Int) -> Bool {
    let isComment = tokens.comments.contains { comment in
      let isLine = !tokens.slice(comment).starts(with: "/*".utf8)
      return comment.lowerBound < place
        && (isLine ? place <= comment.upperBound : place < comment.upperBound)
    }
    if isComment { return true }
    guard let index = token(at: place), tokens[index].range.lowerBound < place else { return false }
    switch tokens[index].kind {
    case .number: return true
    case .pattern, .template: return place < tokens[index].range.upperBound
    case .word, .string, .mark: return false
    }
  }

  /// The text in quotes that holds a place, if any.
  package func string(at place: Int) -> Int? {
    guard let index = token(at: place), tokens[index].kind == .string else { return nil }
    let inside = tokens[index].inside
    return inside.lowerBound <= place && place <= inside.upperBound ? index : nil
  }

  /// The chain that has a token among its names.
  package func chain(naming token: Int) -> ScriptChain? {
    chains.first { $0.steps.contains(.member(token)) }
  }

  /// The chain behind whose last dot a token stands.
  package func chain(danglingAt token: Int) -> ScriptChain? {
    chains.first { $0.danglingDot == token }
  }

  /// The call whose arguments hold a place: the innermost one that is no other bracket.
  package func call(at place: Int) -> ScriptCall? {
    let next = firstToken(from: place)
    // Inside of a token its own opener counts.
    let inside = next > 0 && tokens[next - 1].range.upperBound > place ? next - 1 : next
    var opener = openBefore(inside)
    while let open = opener {
      if tokens.isMark(open, "("), let call = call(opening: open, before: inside) { return call }
      if !tokens.isMark(open, "[") && !tokens.isMark(open, "{") { return nil }
      // A function's body is none of the arguments.
      if tokens.isMark(open, "{"), tokens.isMark(open - 1, "=>") || tokens.isMark(open - 1, ")") {
        return nil
      }
      opener = self.opener(open)
    }
    return nil
  }

  /// The bracket that is open between a token and the one before it.
  private func openBefore(_ index: Int) -> Int? {
    guard index > 0 else { return nil }
    return tokens.opens(index - 1) ? index - 1 : opener(index - 1)
  }

  /// The call that a parenthesis opens, with the argument before a token.
  package func call(opening open: Int, before token: Int? = nil) -> ScriptCall? {
    for chain in chains {
      guard let step = chain.steps.firstIndex(where: { $0.isCall(opening: open) }), step > 0
      else { continue }
      let callee = ScriptChain(steps: Array(chain.steps[..<step]), danglingDot: nil)
      return ScriptCall(
        callee: callee, open: open,
        argument: argumentStarts(open, before: token ?? open).count - 1)
    }
    return nil
  }

  /// The first token of each argument behind a parenthesis, as far as they begin before a token;
  /// the first one stands there even if there is none.
  func argumentStarts(_ open: Int, before end: Int) -> [Int] {
    var result = [open + 1]
    for index in open + 1..<max(open + 1, min(end, tokens.count))
    where openers[index] == open && tokens.isMark(index, ",") {
      result.append(index + 1)
    }
    return result
  }

  /// The tokens of each argument of a call that is closed.
  package func arguments(_ open: Int) -> [Range<Int>] {
    guard let close = closer(open), close > open + 1 else { return [] }
    let starts = argumentStarts(open, before: close)
    return starts.enumerated().map { place, start in
      start..<(place + 1 < starts.count ? starts[place + 1] - 1 : close)
    }
  }
}

extension ScriptStep {
  /// Whether it is a call with that parenthesis.
  fileprivate func isCall(opening token: Int) -> Bool {
    if case .call(token, _) = self { true } else { false }
  }
}

extension Array {
  /// The first place whose element fulfils a condition that all behind it fulfil, too.
  func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
