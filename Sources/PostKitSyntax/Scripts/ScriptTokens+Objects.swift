// Brackets of a script and what stands between them.

/// A key of an object as a script writes it.
package enum ScriptKey: Sendable, Hashable {
  /// `name: value`, `"name": value` or `name() {}`: the bytes of the name.
  case named(Range<Int>)
  /// `name` alone, whose value is the variable of that name.
  case shorthand(Range<Int>)
  /// `[…]: value` or `...value`, which may be any.
  case open(Range<Int>)
}

extension ScriptTokens {
  /// Whether a token opens a bracket, or an expression in a text.
  package func opens(_ index: Int) -> Bool {
    guard tokens.indices.contains(index) else { return false }
    switch tokens[index].kind {
    case .mark: return ScriptBrackets.Kind(opening: tokens[index].sign) != nil
    case .template: return tokens[index].opensExpression
    case .word, .number, .string, .pattern: return false
    }
  }

  /// Whether a token closes a bracket, or an expression in a text.
  package func closes(_ index: Int) -> Bool {
    guard tokens.indices.contains(index) else { return false }
    switch tokens[index].kind {
    case .mark: return ScriptBrackets.Kind(closing: tokens[index].sign) != nil
    case .template: return slice(tokens[index].range).first == Byte.closeBrace
    case .word, .number, .string, .pattern: return false
    }
  }

  /// The token that closes what a token opens, whatever the brackets are; `nil` where none does.
  package func closer(of open: Int) -> Int? {
    var depth = 0
    for index in open..<count {
      if index > open, closes(index) {
        depth -= 1
        if depth == 0 { return index }
      }
      if opens(index) { depth += 1 }
    }
    return nil
  }

  /// The keys of the object that a brace opens, in order.
  package func keys(ofObjectAt open: Int) -> [ScriptKey] {
    var result: [ScriptKey] = []
    var depth = 0
    var isAtKey = true
    for index in open + 1..<max(count, open + 1) {
      if closes(index) {
        depth -= 1
        if depth < 0 { break }
      } else if depth == 0, isMark(index, ",") {
        isAtKey = true
        continue
      } else if depth == 0, isAtKey {
        isAtKey = isMark(index, "*") || isModifier(index)
        if !isAtKey { result.append(key(index)) }
      }
      if opens(index) { depth += 1 }
    }
    return result
  }

  /// Whether a word stands before the name of a method: `async`, `get`, `set`.
  private func isModifier(_ index: Int) -> Bool {
    let isBeforeName = word(index + 1) != nil || isMark(index + 1, "*")
    return isBeforeName && ["async", "get", "set"].contains(word(index))
  }

  private func key(_ index: Int) -> ScriptKey {
    let token = tokens[index]
    switch token.kind {
    case .word:
      let isAlone = index + 1 >= count || isMark(index + 1, ",") || isMark(index + 1, "}")
      return isAlone ? .shorthand(token.range) : .named(token.range)
    case .string where token.isPlain: return .named(token.inside)
    case .number: return .named(token.range)
    case .string, .template, .pattern, .mark: return .open(token.range)
    }
  }
}
