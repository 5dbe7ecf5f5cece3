// A script of a request file with what its place says about it: when it runs, and whose it is.

import PostKitEvaluate
import PostKitSyntax

/// A script, or an expression between braces, at its place in a file.
struct ScriptPlace {
  /// The bytes of the text in the file, without the words that say when it runs.
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
    let range = block.absolute(script.range)
    let marker = block.bytes[range.lowerBound]
    var start = written.lowerBound
    let isAbove = block.request.map { script.range.lowerBound < $0.line.lowerBound } ?? true
    var phase: ScriptPhases = isAbove ? .before : .response
    family = marker == UInt8(ascii: "{") ? .httpyac : .jetbrains
    if marker == UInt8(ascii: "=") { phase = .imports }
    if family == .httpyac {
      let head = ScriptPlace.head(block.bytes, range.lowerBound + 2..<written.upperBound)
      start = max(start, head.end)
      phase = ScriptPlace.events[head.event] ?? phase
    }
    let words = block.bytes[start..<written.upperBound]
    isLua = ScriptNames.isLua(words) || ScriptPlace.isTaggedLua(script, block)
    text = start..<written.upperBound
    self.phase = phase
    reading = ScriptReading(words, isLua: isLua)
  }

  /// Makes a place of an expression between braces.
  init(expression: Range<Int>, in bytes: [UInt8]) {
    text = expression
    phase = .expression
    family = .httpyac
    isLua = false
    reading = ScriptReading(bytes[expression])
  }

  /// The words behind `{{` that say when a block runs.
  private static let events: [String: ScriptPhases] = [
    "request": .request, "streaming": .streaming, "response": .response,
    "responselogging": .logging, "after": .after,
  ]

  /// The event behind `{{`, in small letters, and where the text begins; `@js` names none.
  private static func head(_ bytes: [UInt8], _ range: Range<Int>) -> (event: String, end: Int) {
    var end = range.lowerBound
    while end < range.upperBound, bytes[end] != 10, bytes[end] != 13 { end += 1 }
    let line = String(decoding: bytes[range.lowerBound..<end], as: UTF8.self)
    let words = line.split { $0 == " " || $0 == "\t" || $0 == "+" || $0 == "@" }
    let event = words.first { $0 != "js" } ?? ""
    return (event.lowercased(), end)
  }

  /// Whether a tag above says that the scripts behind it are Lua.
  private static func isTaggedLua(_ script: ScriptSyntax, _ block: ParsedBlock) -> Bool {
    block.metadata.contains {
      $0.kind == .scriptLanguage && $0.line.upperBound <= script.range.lowerBound
        && block.text($0.value).lowercased() == "lua"
    }
  }
}

extension ParsedBlock {
  /// The scripts in the block that stand in the file itself, without those in Lua.
  var scriptPlaces: [ScriptPlace] {
    scripts.compactMap { ScriptPlace($0, in: self) }.filter { !$0.isLua }
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
    guard inner.lowerBound <= offset, offset <= inner.upperBound else { return nil }
    return ScriptPlace(expression: inner, in: bytes)
  }
}
