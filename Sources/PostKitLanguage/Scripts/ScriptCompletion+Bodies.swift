// The members of the last response's body where a script reads them, also by another name.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
package import PostKitSyntax

/// A step into a body.
enum ScriptBodyStep: Sendable, Hashable {
  case member(String)
  /// An element of a list; `nil` where any can be meant.
  case element(Int?)
}

extension ScriptReading {
  /// The chain behind whose part a bracket stands, up to there.
  func chain(indexedAt open: Int) -> ScriptChain? {
    guard let chain = chain(openingBracketAt: open) else { return nil }
    let step = chain.steps.firstIndex {
      if case .element(open, _) = $0 { true } else { false }
    }
    guard let step, step > 0 else { return nil }
    return ScriptChain(steps: Array(chain.steps[..<step]), danglingDot: nil)
  }

  /// The steps of a chain into the body of the response; `nil` where it leads elsewhere. Names
  /// that the script gives to the body or to parts of it are followed.
  func bodyPath(_ chain: ScriptChain, depth: Int = 0) -> [ScriptBodyStep]? {
    guard depth < 8, let name = tokens.word(chain.first) else { return nil }
    if let declaration = declaration(of: chain.first) {
      guard let value = bodyPath(of: declaration, depth) else { return nil }
      return value + steps(chain.steps.dropFirst())
    }
    let steps = chain.steps
    // The text of a body is read as JSON: `JSON.parse(response.body)`.
    if name == "JSON", steps.count > 2, case .member(let parse) = steps[1],
      tokens.isWord(parse, "parse"), case .call(let open, _) = steps[2],
      let inner = self.chain(startingAt: open + 1),
      let value = bodyPath(inner, depth: depth + 1)
    {
      return value + self.steps(steps.dropFirst(3))
    }
    for (path, isCalled) in ScriptReading.bodies {
      let count = path.count + (isCalled ? 1 : 0)
      guard steps.count >= count, zip(path, steps).allSatisfy({ word, step in
        if case .member(let token) = step { tokens.isWord(token, word) } else { false }
      }) else { continue }
      if isCalled { guard case .call = steps[path.count] else { continue } }
      return self.steps(steps.dropFirst(count))
    }
    return nil
  }

  /// The names of the body, with those of functions that answer it.
  private static let bodies: [(path: [String], isCalled: Bool)] = [
    (["response", "body"], false), (["response", "parsedBody"], false),
    (["pm", "response", "json"], true), (["res", "body"], false), (["res", "getBody"], true),
  ]

  private func steps(_ steps: ArraySlice<ScriptStep>) -> [ScriptBodyStep] {
    steps.map { step in
      switch step {
      case .member(let token): .member(tokens.text(token))
      case .element(let open, _):
        open + 1 < tokens.count && tokens[open + 1].isPlain
          ? .member(tokens.text(tokens[open + 1].inside)) : .element(Int(tokens.text(open + 1)))
      // What a method answers is not known, and has no members here.
      case .call: .member("()")
      }
    }
  }

  /// The steps to what a name stands for: `const a = response.body`, `const {a} = response.body`,
  /// `for (const a of response.body.items)`, `response.body.items.map(a => …)`.
  private func bodyPath(of declaration: ScriptDeclaration, _ depth: Int) -> [ScriptBodyStep]? {
    let token = declaration.token
    func value(at start: Int) -> [ScriptBodyStep]? {
      let first = tokens.isWord(start, "await") ? start + 1 : start
      return chain(startingAt: first).flatMap { bodyPath($0, depth: depth + 1) }
    }
    switch declaration.kind {
    case .constant, .variable:
      if tokens.isMark(token + 1, "=") { return value(at: token + 2) }
      if tokens.isWord(token + 1, "of") {
        return value(at: token + 2).map { $0 + [.element(nil)] }
      }
      guard let open = opener(token), tokens.isMark(open, "{"), let close = closer(open),
        tokens.isMark(close + 1, "="), !tokens.isMark(token - 1, ":")
      else { return nil }
      return value(at: close + 2).map { $0 + [.member(tokens.text(token))] }
    case .parameter:
      let inner = opener(token)
      let isArrow = tokens.isMark(token + 1, "=>")
      guard let open = isArrow ? inner : inner.flatMap(opener),
        isArrow || inner == token - 1, tokens.isMark(open, "("),
        let call = call(opening: open), call.callee.steps.count > 2,
        case .member(let method) = call.callee.steps[call.callee.steps.count - 1],
        ScriptReading.listMethods.contains(tokens.text(method))
      else { return nil }
      let list = ScriptChain(steps: Array(call.callee.steps.dropLast()), danglingDot: nil)
      return bodyPath(list, depth: depth + 1).map { $0 + [.element(nil)] }
    case .function, .type, .imported: return nil
    }
  }

  /// The methods of lists that hand each element to a function.
  private static let listMethods: Set<String> = [
    "every", "filter", "find", "findIndex", "findLast", "flatMap", "forEach", "map", "some",
  ]
}

extension Analysis {
  /// The request whose last response a script reads at an offset.
  package static func scriptResponseName(_ document: ParsedDocument, at offset: Int) -> String? {
    guard let block = document.block(at: offset), block.hasScript(at: offset) else { return nil }
    return block.name
  }

  /// Whether a script reads the body of the response at an offset.
  func readsBody(_ block: ParsedBlock, at offset: Int) -> Bool {
    guard let place = block.scriptPlace(at: offset) else { return false }
    let reading = place.reading
    if let string = reading.string(at: place.place(offset)),
      let owner = reading.chain(indexedAt: string - 1)
    {
      return reading.bodyPath(owner) != nil
    }
    if bodyPattern(place, at: offset) != nil { return true }
    let dot = reading.firstToken(from: place.place(offset)) - 1
    let token = reading.tokens.isDot(dot) ? dot : dot - 1
    let chain = reading.chain(danglingAt: token) ?? reading.chain(naming: token + 1)
    return chain.flatMap { reading.bodyPath($0) } != nil
  }

  /// The chain whose members are named at an offset in the braces of `const {…} = response.body`.
  func bodyPattern(_ place: ScriptPlace, at offset: Int) -> ScriptChain? {
    let reading = place.reading
    let next = reading.firstToken(from: place.place(offset))
    let word = reading.token(at: place.place(offset)).flatMap {
      reading.tokens.word($0) == nil ? nil : $0
    }
    let last = word.map { $0 - 1 } ?? next - 1
    guard let open = reading.tokens.opens(last) ? last : reading.opener(last),
      reading.tokens.isMark(open, "{"), let close = reading.closer(open),
      reading.tokens.isMark(close + 1, "="), !reading.tokens.isMark(last, ":"),
      let chain = reading.chain(startingAt: close + 2),
      reading.bodyPath(chain) != nil
    else { return nil }
    return chain
  }

  /// The keys that the last response's body has at the end of a chain; `nil` where the chain leads
  /// elsewhere. Those that are no names can stand in quotes alone.
  func bodyKeys(
    _ place: ScriptPlace, _ chain: ScriptChain, _ replaced: Range<Int>,
    _ sources: CompletionSources, at offset: Int, inQuotes: Bool = false
  ) -> [CompletionItem]? {
    guard let steps = place.reading.bodyPath(chain) else { return nil }
    guard let value = lastValue(steps, sources, at: offset) else { return [] }
    let mask = suggestionMask
    var seen: Set<String> = []
    if !inQuotes, let members = value.standardMembers {
      return ScriptStandard.items(members, replaced)
    }
    return value.members.prefix(500).enumerated().compactMap { rank, member in
      guard let key = member.key.string, seen.insert(key).inserted, !mask.mask(key).didMask,
        inQuotes || ScriptVariableName.folded(key) == key, !key.contains("\"")
      else { return nil }
      let detail = isSensitive(key) ? SecretMask.text : Analysis.detail(of: member.value, mask)
      return CompletionItem(
        key, .member, replaced: replaced, detail: detail, origin: "last response", rank: rank)
    }
  }

  /// What the last response's body has at the end of some steps; `nil` where it is no JSON, or has
  /// nothing there.
  func lastValue(
    _ steps: [ScriptBodyStep], _ sources: CompletionSources, at offset: Int
  ) -> JSONView? {
    guard let body = lastBody(at: offset, sources), body.count <= Analysis.sketchedBytes,
      // A body that is no JSON has no members to offer.
      let tree = try? JSONTree(parsing: body)
    else { return nil }
    var value: JSONView? = tree.root
    for step in steps {
      switch step {
      case .member(let name): value = value?[name]
      case .element(let index):
        let elements = value?.elements
        value = index.flatMap { place in elements?.dropFirst(place).first } ?? elements?.first
      }
    }
    return value
  }

  private func lastBody(at offset: Int, _ sources: CompletionSources) -> [UInt8]? {
    let name = document.block(at: offset)?.name
    if let exchange = name.flatMap({ context.shownExchange($0) }) { return exchange.responseBody }
    return sources.bodies.first { !$0.response.isEmpty }?.response
  }

  /// Bytes of a body that is read while somebody types.
  private static let sketchedBytes = 2 << 20
}

extension JSONView {
  /// What the language gives to such a value; `nil` where it has members of its own.
  fileprivate var standardMembers: [String]? {
    switch kind {
    case .string: ScriptStandard.ofTexts
    case .array: ScriptStandard.ofLists
    case .number: ScriptStandard.ofNumbers
    case .object, .null, .true, .false: nil
    }
  }
}

extension Analysis {
  /// The hover of a member of the last response's body; `nil` where a script reads none.
  func bodyHover(_ place: ScriptPlace, _ token: Int, at offset: Int) -> Hover? {
    let reading = place.reading
    var chain: ScriptChain?
    if reading.tokens[token].kind == .string {
      guard let owner = reading.chain(indexedAt: token - 1) else { return nil }
      let close = reading.closer(token - 1)
      chain = ScriptChain(
        steps: owner.steps + [.element(open: token - 1, close: close)], danglingDot: nil)
    } else if let named = reading.chain(naming: token), token != named.first,
      let step = named.steps.firstIndex(of: .member(token))
    {
      chain = ScriptChain(steps: Array(named.steps[...step]), danglingDot: nil)
    }
    guard let chain, let steps = reading.bodyPath(chain), case .member(let key) = steps.last,
      let value = lastValue(steps, CompletionSources(), at: offset)
    else { return nil }
    let shown = isSensitive(key) ? SecretMask.text : Analysis.detail(of: value, suggestionMask)
    let start = reading.tokens[chain.first].range.lowerBound
    let name = Markdown.code(reading.tokens.text(start..<reading.tokens[token].range.upperBound))
    return Hover(
      range: place.absolute(reading.tokens[token].range),
      markdown: (shown.map { "\(name) = \(Markdown.code($0))" } ?? name)
        + "\n\nin the last response")
  }
}
