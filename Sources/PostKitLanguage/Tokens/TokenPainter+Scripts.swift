// The names in scripts; the rest of them is left to the grammar of their language (SC-78).

import PostKitEvaluate
import PostKitSyntax

extension TokenPainter {
  /// The text of a script, given by its bytes in the block.
  mutating func paintScript(_ range: Range<Int>) {
    let script = block.scripts.first { $0.text.map { $0.overlaps(range) } ?? false }
    guard let script, let place = ScriptPlace(script, in: block), !place.isLua else { return }
    paintScript(place)
  }

  /// The names of a script or an expression: objects, their members, variables.
  mutating func paintScript(_ place: ScriptPlace) {
    let reading = place.reading
    var pieces: [Range<Int>: NameMeaning] = [:]
    let chains = reading.chains
    for place in chains.indices {
      let first = chains.first(at: place)
      if !ScriptAPI.roots.contains(reading.tokens, first) || reading.declares(first) { continue }
      let chain = chains[place]
      for (count, step) in chain.steps.enumerated() {
        guard case .member(let token) = step,
          case .entry(let entry) = reading.meaning(of: chain, steps: count + 1)
        else { continue }
        pieces[reading.tokens[token].range] = NameMeaning(entry, isFirst: count == 0)
      }
    }
    for name in reading.names where !name.isOpen {
      let at = place.text.lowerBound + name.range.lowerBound
      switch name.role {
      case .globalVariable, .variable:
        note(name.name)
        pieces[name.range] = NameMeaning(type: .variable, modifiers: .modification)
      case .globalReference, .reference, .environmentReference:
        note(name.name)
        let known = meanings?.meaning(name.name, "", at: at, own: ownScope)
        pieces[name.range] = known ?? NameMeaning(type: .variable)
      case .call:
        note(name.name)
        let isKnown = meanings?.isRequest(name.name) ?? true
        pieces[name.range] = NameMeaning(type: .label, modifiers: isKnown ? [] : .unresolved)
      case .word, .open, .openVariable: break
      }
    }
    if meanings?.paintsAllOfScripts == true { fill(&pieces, reading.tokens) }
    let offset = place.text.lowerBound - start
    for (range, meaning) in pieces.sorted(by: { $0.key.lowerBound < $1.key.lowerBound }) {
      add(
        range.lowerBound + offset..<range.upperBound + offset, meaning.type, meaning.modifiers)
    }
  }
}

/// Adds what else a grammar would colour, around the names that are there.
private func fill(_ pieces: inout [Range<Int>: NameMeaning], _ tokens: ScriptTokens) {
  let names = pieces.keys.sorted { $0.lowerBound < $1.lowerBound }
  for comment in tokens.comments { pieces[comment] = NameMeaning(type: .comment) }
  var next = names[...]
  for (index, token) in tokens.tokens.enumerated() {
    let type: SemanticTokenType
    switch token.kind {
    case .word:
      guard ScriptReading.isKeyword(tokens.text(index)), !tokens.isDot(index - 1) else { continue }
      type = .keyword
    case .number: type = .number
    case .string, .template, .pattern: type = .string
    case .mark: continue
    }
    var start = token.range.lowerBound
    while let name = next.first, name.lowerBound < token.range.upperBound {
      next = next.dropFirst()
      if name.lowerBound > start { pieces[start..<name.lowerBound] = NameMeaning(type: type) }
      start = max(start, name.upperBound)
    }
    let rest = start..<token.range.upperBound
    if !rest.isEmpty, pieces[rest] == nil { pieces[rest] = NameMeaning(type: type) }
  }
}

extension NameMeaning {
  /// How a name of the table is painted.
  fileprivate init(_ entry: ScriptEntry, isFirst: Bool) {
    let type: SemanticTokenType = switch (isFirst, entry.kind) {
    case (true, .function): .function
    case (true, _): .variable
    case (false, .function): .method
    case (false, _): .property
    }
    let isObject = isFirst && entry.kind == .object
    self.init(type: type, modifiers: isObject ? [.defaultLibrary, .readonly] : .defaultLibrary)
  }
}
