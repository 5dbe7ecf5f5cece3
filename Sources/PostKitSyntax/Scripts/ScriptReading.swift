// What can be told of a script from its words, signs and brackets: chains of members, calls with
// their arguments, names that are declared. It is right on broken text, too, as nothing is parsed.

import Synchronization

/// A step of a chain: what stands behind the object before it.
package enum ScriptStep: Sendable, Hashable {
  /// `.name`, or the first name of all: the number of the token.
  case member(Int)
  /// `(…)`: the numbers of the brackets; the second one is missing where nothing closes it.
  case call(open: Int, close: Int?)
  /// `[…]` in the same way.
  case element(open: Int, close: Int?)

  /// The number of its last token; of a bracket that is not closed the one that opens it.
  package var lastToken: Int {
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

  /// Makes a chain of steps, of which there is at least one.
  package init(steps: [ScriptStep], danglingDot: Int?) {
    self.steps = steps
    self.danglingDot = danglingDot
  }

  /// The number of the first token.
  package var first: Int { if case .member(let token) = steps[0] { token } else { 0 } }

  /// The number of the last token; of a bracket that is not closed the one that opens it.
  package var last: Int { steps[steps.count - 1].lastToken }
}

/// A call that is open at a place.
package struct ScriptCallSite: Sendable, Hashable {
  /// The chain that ends in what is called.
  package let callee: ScriptChain
  /// The parenthesis that opens the arguments.
  package let open: Int
  /// How many arguments end before the place.
  package let argument: Int
}

/// The tokens of a script with what their brackets and dots make of them.
package final class ScriptReading: Sendable {
  package let tokens: ScriptTokens
  private let brackets: ScriptBrackets
  /// The numbers of the words that begin chains, in order.
  private let starts: [Int32]
  private let declared = AtomicLazyReference<ScriptDeclarations>()
  private let collected = AtomicLazyReference<CollectedNames>()
  private let collectedWithWords = AtomicLazyReference<CollectedNames>()

  /// Reads the tokens of a script.
  package init(_ tokens: ScriptTokens) {
    self.tokens = tokens
    brackets = ScriptBrackets(tokens)
    var starts: [Int32] = []
    var isBehindDot = false
    for (index, token) in tokens.tokens.enumerated() {
      if token.kind == .word, !isBehindDot { starts.append(Int32(truncatingIfNeeded: index)) }
      isBehindDot = token.isDot
    }
    self.starts = starts
  }

  /// Reads a script.
  package convenience init(_ bytes: ArraySlice<UInt8>, isLua: Bool = false) {
    self.init(ScriptTokens(bytes, isLua: isLua))
  }

  /// The reading of a script; of a long one that was read before the same, and of one that is
  /// another now only what has changed is read.
  package static func of(_ bytes: ArraySlice<UInt8>, isLua: Bool = false) -> ScriptReading {
    bytes.count < ScriptMemory.least
      ? ScriptReading(bytes, isLua: isLua) : ScriptMemory.shared.reading(bytes, isLua: isLua)
  }

  /// The chains in the order of their first names.
  package var chains: ScriptChains { ScriptChains(self, starts) }

  /// The bracket that is open before a token; `nil` where none is.
  package func opener(_ index: Int) -> Int? { brackets.opener(index) }

  /// The bracket that closes what a token opens; `nil` where none does.
  package func closer(_ index: Int) -> Int? { brackets.closer(index) }

  /// The bracket that a token closes; `nil` where it closes none.
  package func partner(_ index: Int) -> Int? { brackets.partner(index) }

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

  /// The names that the script declares, once collected.
  var declarationTable: ScriptDeclarations {
    // Two callers at once may collect the same; the first result is kept.
    declared.load() ?? declared.storeIfNil(ScriptDeclarations(collectedDeclarations, tokens))
  }

  /// The names of variables and requests that the script reads and sets, its bare words left out.
  package var names: [ScriptName] { names(withWords: false) }

  /// The same with the bare words, which may be variables, where they are asked for.
  package func names(withWords: Bool) -> [ScriptName] {
    withWords ? names(collectedWithWords, true) : names(collected, false)
  }

  private func names(
    _ kept: borrowing AtomicLazyReference<CollectedNames>, _ areRead: Bool
  ) -> [ScriptName] {
    if let found = kept.load() { return found.names }
    return kept.storeIfNil(CollectedNames(ScriptNames(tokens, readsWords: areRead).names)).names
  }

  /// The chain that begins with a word; `nil` where none does.
  package func chain(startingAt first: Int) -> ScriptChain? {
    guard first >= 0, first < tokens.count, tokens[first].kind == .word, !tokens.isDot(first - 1)
    else { return nil }
    var steps: [ScriptStep] = [.member(first)]
    var at = first + 1
    while at < tokens.count {
      if tokens.isDot(at), at + 1 < tokens.count, tokens[at + 1].kind == .word {
        steps.append(.member(at + 1))
        at += 2
        continue
      }
      // `?.` stands before brackets, too.
      let open = tokens.isMark(at, "?.") ? at + 1 : at
      if tokens.isMark(open, "("), steps.count > 1 || !isKeyword(first) {
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
  package static func isKeyword(_ word: String) -> Bool { keywords.contains(word) }

  /// Whether a token is a word of the language.
  package func isKeyword(_ token: Int) -> Bool { ScriptReading.keywordSet.contains(tokens, token) }

  private static let keywordSet = ScriptWords(keywords)
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
    guard token >= 0, token < tokens.count, tokens[token].kind == .word else { return nil }
    guard let chain = chain(startingAt: chainStart(upTo: token)) else { return nil }
    return chain.steps.contains(.member(token)) ? chain : nil
  }

  /// The first word of the chain that a token can belong to: in front of names, dots and brackets.
  private func chainStart(upTo token: Int) -> Int {
    var at = token
    while at > 0 {
      if tokens[at].kind == .word {
        guard tokens.isDot(at - 1) else { return at }
        at -= 2
      } else if let open = partner(at) {
        at = tokens.isMark(open - 1, "?.") ? open - 2 : open - 1
      } else {
        break
      }
    }
    return at
  }

  /// The chain behind whose last dot a token stands.
  package func chain(danglingAt token: Int) -> ScriptChain? {
    guard token > 0, tokens.isDot(token) else { return nil }
    let chain = chain(startingAt: chainStart(upTo: token - 1))
    return chain?.danglingDot == token ? chain : nil
  }

  /// The call whose arguments hold a place: the innermost one that is no other bracket.
  package func call(at place: Int) -> ScriptCallSite? {
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
  package func call(opening open: Int, before token: Int? = nil) -> ScriptCallSite? {
    guard let chain = chain(openingBracketAt: open),
      let step = chain.steps.firstIndex(where: { $0.isCall(opening: open) }), step > 0
    else { return nil }
    let callee = ScriptChain(steps: Array(chain.steps[..<step]), danglingDot: nil)
    return ScriptCallSite(
      callee: callee, open: open, argument: argumentStarts(open, before: token ?? open).count - 1)
  }

  /// The chain that can have a bracket among its steps.
  package func chain(openingBracketAt open: Int) -> ScriptChain? {
    let before = tokens.isMark(open - 1, "?.") ? open - 2 : open - 1
    return before < 0 ? nil : chain(startingAt: chainStart(upTo: before))
  }

  /// The first token of each argument behind a parenthesis, as far as they begin before a token;
  /// the first one stands there even if there is none.
  package func argumentStarts(_ open: Int, before end: Int) -> [Int] {
    var result = [open + 1]
    var index = open + 1
    let end = min(end, tokens.count)
    while index < end {
      if tokens.isMark(index, ","), opener(index) == open { result.append(index + 1) }
      // What stands in brackets of its own is passed at once.
      index = closer(index).map { min($0, end) } ?? index + 1
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
