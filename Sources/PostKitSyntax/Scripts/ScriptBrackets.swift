// Which brackets of a script belong together.

/// The brackets of a script, by the numbers of their tokens.
struct ScriptBrackets: Sendable {
  /// What belongs together of what opens and closes.
  enum Kind: Int, Sendable {
    case parenthesis, bracket, brace, template

    /// The kind that a sign opens; `nil` for any other sign.
    init?(opening sign: UInt32) {
      switch sign {
      case 0x28: self = .parenthesis
      case 0x5B: self = .bracket
      case 0x7B: self = .brace
      default: return nil
      }
    }

    /// The kind that a sign closes; `nil` for any other sign.
    init?(closing sign: UInt32) {
      switch sign {
      case 0x29: self = .parenthesis
      case 0x5D: self = .bracket
      case 0x7D: self = .brace
      default: return nil
      }
    }
  }

  /// By token: the bracket that is open before it, `-1` for none.
  private var openers: [Int32]
  /// By token: the bracket that closes it or that it closes, `-1` for none.
  private var partners: [Int32]

  /// Finds the brackets of a script.
  init(_ tokens: ScriptTokens) {
    openers = Array(repeating: -1, count: tokens.count)
    partners = openers
    var open: [(token: Int32, kind: Kind)] = []
    var counts = [0, 0, 0, 0]
    var innermost: Int32 = -1
    for (index, token) in tokens.tokens.enumerated() {
      let (closing, opening) = ScriptBrackets.kinds(of: token, tokens)
      if let closing {
        // A bracket of another kind closes nothing, unless one of its own is open further out.
        while counts[closing.rawValue] > 0, let last = open.popLast() {
          counts[last.kind.rawValue] -= 1
          guard last.kind == closing else { continue }
          partners[Int(last.token)] = Int32(truncatingIfNeeded: index)
          if opening == nil { partners[index] = last.token }
          break
        }
        innermost = open.last?.token ?? -1
      }
      openers[index] = innermost
      if let opening {
        innermost = Int32(truncatingIfNeeded: index)
        open.append((innermost, opening))
        counts[opening.rawValue] += 1
      }
    }
  }

  /// What a token closes, and what it opens; the middle of a text with expressions does both.
  private static func kinds(
    of token: ScriptToken, _ tokens: ScriptTokens
  ) -> (closing: Kind?, opening: Kind?) {
    switch token.kind {
    case .mark: (Kind(closing: token.sign), Kind(opening: token.sign))
    case .template:
      (
        tokens.slice(token.range).first == Byte.closeBrace ? .template : nil,
        token.opensExpression ? .template : nil
      )
    case .word, .number, .string, .pattern: (nil, nil)
    }
  }

  /// The bracket that is open before a token; `nil` where none is.
  func opener(_ index: Int) -> Int? {
    guard openers.indices.contains(index), openers[index] >= 0 else { return nil }
    return Int(openers[index])
  }

  /// The bracket that closes what a token opens; `nil` where none does.
  func closer(_ index: Int) -> Int? {
    guard partners.indices.contains(index), partners[index] > index else { return nil }
    return Int(partners[index])
  }

  /// The bracket that a token closes; `nil` where it closes none.
  func partner(_ index: Int) -> Int? {
    guard partners.indices.contains(index), partners[index] >= 0, partners[index] < index else {
      return nil
    }
    return Int(partners[index])
  }
}
