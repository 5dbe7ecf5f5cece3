// A script of a request file with what its place says about it: when it runs, and whose it is.

import PostKitEvaluate
import PostKitSyntax

/// A script, or an expression between braces, at its place in a file.
struct ScriptPlace {
  /// The bytes of the text in the file.
  let text: Range<Int>
  /// When it runs.
  let phase: ScriptPhases
  /// Whose objects come first: those of JetBrains in `{% %}`, of httpYac in `{{ }}`.
  let family: ScriptFamilies
  let isLua: Bool
  /// The tokens of the text, counted from its start.
  let reading: ScriptReading

  /// Whether variables can be used by their bare names in it, as all scripts can.
  var isExpression: Bool { phase == .expression }

  /// A place of the file as one of the text.
  func place(_ offset: Int) -> Int { offset - text.lowerBound }

  /// A range of the text as one of the file.
  func absolute(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + text.lowerBound..<range.upperBound + text.lowerBound
  }

  /// The bytes of tokens in the file.
  func range(_ tokens: Range<Int>) -> Range<Int> {
    absolute(reading.tokens[tokens.lowerBound].range.lowerBound
      ..< reading.tokens[tokens.upperBound - 1].range.upperBound)
  }

  /// Makes a place of a script of a block; `nil` where it is a file.
  init?(_ script: ScriptSyntax, in block: ParsedBlock) {
    guard let written = script.text.map(block.absolute) else { return nil }
    text = written
    family = script.kind == .block ? .httpyac : .jetbrains
    phase = ScriptPhases(script.phase)
    isLua = block.isLua(script)
    reading = ScriptReading.of(block.bytes[written], isLua: isLua)
  }

  /// Makes a place of the expression that is being written between braces at the end of a range;
  /// `nil` where it is rather a name, a path or a dynamic variable.
  init?(writing range: Range<Int>, in bytes: [UInt8]) {
    guard ScriptPlace.isExpression(bytes[range]) else { return nil }
    self.init(expression: range, in: bytes)
  }

  /// Whether a text between braces can be nothing but JavaScript.
  static func isExpression(_ text: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: text, as: UTF8.self)
    guard case .script = ReferenceExpression(parsing: text) else { return false }
    // Paths into responses have conditions of their own.
    let isPath = text.contains(".response.") || text.contains(".request.") || text.contains("[?")
    let word = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "." }
    let isDynamic = text.hasPrefix("$") && DynamicVariables.named(String(word)) != nil
    return !isPath && !isDynamic && text.contains { "(+=?&|`<>".contains($0) }
  }

  /// Makes a place of an expression between braces.
  init(expression: Range<Int>, in bytes: [UInt8]) {
    text = expression
    phase = .expression
    family = .httpyac
    isLua = false
    reading = ScriptReading(bytes[expression])
  }
}

extension ScriptPhases {
  /// The phase of a script of the tree.
  init(_ phase: ScriptSyntax.Phase) {
    self = switch phase {
    case .imports: .imports
    case .pre: .before
    case .request: .request
    case .streaming: .streaming
    case .response: .response
    case .logging: .logging
    case .after: .after
    }
  }
}

extension ParsedBlock {
  /// The scripts in the block that stand in the file itself, without those in Lua.
  var scriptPlaces: [ScriptPlace] {
    scripts.compactMap { ScriptPlace($0, in: self) }.filter { !$0.isLua }
  }

  /// Whether a place of the file lies in the text of a script, which is not read for it.
  func hasScript(at offset: Int) -> Bool {
    scripts.contains { script in
      script.text.map { absolute($0).touches(offset) && !isLua(script) } ?? false
    }
  }

  /// Whether a place of the file lies between the markers of a script.
  func isInsideScript(_ offset: Int) -> Bool {
    scripts.contains { script in
      script.text.map(absolute).map { $0.lowerBound < offset && offset < $0.upperBound } ?? false
    }
  }

  /// The script in which a place of the file lies; `nil` where it lies in none.
  func scriptPlace(at offset: Int) -> ScriptPlace? {
    for script in scripts {
      guard let text = script.text.map(absolute),
        text.lowerBound <= offset, offset <= text.upperBound,
        let place = ScriptPlace(script, in: self)
      else { continue }
      return !place.isLua && place.text.lowerBound <= offset ? place : nil
    }
    return nil
  }

  /// The expression between braces in which a place of the file lies; `nil` for a plain name.
  func expressionPlace(at offset: Int) -> ScriptPlace? {
    guard let reference = syntax.reference(at: offset - range.lowerBound),
      case .script = reference.expression
    else { return nil }
    let inner = absolute(reference.inner)
    guard inner.lowerBound <= offset, offset <= inner.upperBound,
      ScriptPlace.isExpression(bytes[inner])
    else { return nil }
    return ScriptPlace(expression: inner, in: bytes)
  }
}

extension Analysis {
  /// Whether a reference lacks nothing but what a script sets before the request is sent: one of
  /// its own before it, or one that runs for each request of the file.
  func isSetBeforeSending(_ problem: EvaluationProblem, _ block: ParsedBlock) -> Bool {
    guard case .setByScript(let name, _, let isCertain) = problem.kind else { return false }
    let meant = name.hasPrefix("$global.") ? String(name.dropFirst("$global.".count)) : name
    let ofAll = document.blocks.having(.scripts).flatMap { other in
      other.scripts.filter { $0.isForAll || !other.isRequest }
        .map { (other, $0) }
    }
    return (block.scripts.map { (block, $0) } + ofAll).contains { owner, script in
      guard script.phase == .pre else { return false }
      return context.scriptNames(script, in: owner).contains {
        $0.role == .openVariable && !isCertain
          || $0.name == meant && ($0.role == .globalVariable || $0.role == .variable)
      }
    }
  }
}
