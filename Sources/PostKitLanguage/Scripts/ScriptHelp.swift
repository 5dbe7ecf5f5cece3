// What a name in a script means, and which arguments a call takes.

import PostKitEvaluate
import PostKitSyntax

extension Analysis {
  /// The hover of a name in a script or an expression; `nil` where nothing is known of it.
  func scriptHover(
    at offset: Int, _ variable: (String, Range<Int>) -> Hover?
  ) -> Hover? {
    guard let block = document.block(at: offset),
      let place = (block.scripts.isEmpty ? nil : block.scriptPlace(at: offset))
        ?? block.expressionPlace(at: offset)
    else { return nil }
    let reading = place.reading
    let at = place.place(offset)
    if reading.isInText(at) { return nil }
    guard let token = reading.token(at: at) else { return nil }
    let names = reading.names(withWords: true)
    // The name of a variable: in quotes, as a member of `exports`, or alone.
    if let name = names.first(where: { $0.range.touches(at) && !$0.isOpen }),
      name.role != .call
    {
      let isKnown = name.role != .word || scope.lookup(name.name, at: offset) != nil
      if isKnown { return variable(name.name, place.absolute(name.range)) }
    }
    if let hover = bodyHover(place, token, at: offset) { return hover }
    guard let entry = reading.entry(naming: token) else { return nil }
    return Hover(
      range: place.absolute(reading.tokens[token].range),
      markdown: ScriptText.markdown(entry, calledAs: reading.path(upTo: token) ?? entry.path))
  }
}

/// An entry of the table in words.
enum ScriptText {
  /// What an entry is, says, returns where there is nothing, and where it can be used.
  static func markdown(_ entry: ScriptEntry, calledAs path: String) -> String {
    let forms = entry.signatures.map { Markdown.code(path + $0.text) }
    let own = entry.type.map { Markdown.code("\(path): \($0)") } ?? Markdown.code(path)
    var lines = [forms.isEmpty ? own : forms.joined(separator: "\n\n"), entry.documentation]
    if let absent = entry.absent { lines.append("Where there is nothing: \(absent)") }
    if let throwing = entry.throwing { lines.append("Throws: \(throwing)") }
    var place = entry.families.names.joined(separator: ", ")
    if let when = words(for: entry.phases) { place += place.isEmpty ? when : "; " + when }
    if !place.isEmpty { lines.append("*\(place)*") }
    return lines.joined(separator: "\n\n")
  }

  /// When something can be used, in words; `nil` where that is always.
  static func words(for phases: ScriptPhases) -> String? {
    if phases == .all { return nil }
    let early: ScriptPhases = [.before, .request, .imports, .expression]
    let late: ScriptPhases = [.streaming, .response, .logging, .after]
    if phases.isDisjoint(with: early) { return "only after the response" }
    if phases.isDisjoint(with: late) { return "only before the request is sent" }
    if phases.isDisjoint(with: [.imports, .expression]) {
      return "not in import blocks and expressions"
    }
    if !phases.contains(.imports) { return "not in import blocks" }
    return nil
  }
}

extension SignatureHelp {
  /// The signature of the call whose arguments are being written in a script or an expression.
  static func script(_ document: ParsedDocument, at offset: Int) -> SignatureHelp? {
    guard let block = document.block(at: offset) else { return nil }
    let own = block.scripts.isEmpty ? nil : block.scriptPlace(at: offset)
    guard let place = own ?? block.expressionPlace(at: offset) ?? open(document, at: offset) else {
      return nil
    }
    let at = place.place(offset)
    let reading = place.reading
    guard !reading.isInText(at), let call = reading.call(at: at),
      reading.declaration(of: call.callee.first) == nil,
      case .entry(let found) = reading.meaning(of: call.callee)
    else { return nil }
    let entry = found.type.flatMap { ScriptAPI.byPath[$0 + ".()"] } ?? found
    guard !entry.signatures.isEmpty else { return nil }
    let written = reading.path(of: call.callee)
    let path = written.isEmpty ? found.path : written
    let fitting = entry.signatures.firstIndex { $0.takes(call.argument) }
    let active = fitting ?? entry.signatures.count - 1
    let parameters = entry.signatures[active].parameters
    // Behind the last parameter nothing is active, unless it takes any number.
    guard parameters.isEmpty || fitting != nil else { return nil }
    return SignatureHelp(
      signatures: entry.signatures.map { signature in
        Signature(
          label: path + signature.text, documentation: entry.documentation,
          parameters: signature.parameters.map(\.text))
      }, activeSignature: active,
      activeParameter: max(0, min(call.argument, parameters.count - 1)))
  }

  /// An expression that is being written and not closed yet.
  private static func open(_ document: ParsedDocument, at offset: Int) -> ScriptPlace? {
    guard case .reference(_, let replaced, let braces) = CursorContext(
      document, at: offset), braces.opening.isEmpty
    else { return nil }
    return ScriptPlace(
      writing: replaced.lowerBound..<max(offset, replaced.lowerBound), in: document.bytes)
  }
}

extension ScriptSignature {
  /// Whether there is a parameter for an argument of that number; the first may be missing.
  fileprivate func takes(_ argument: Int) -> Bool {
    argument < parameters.count || parameters.last?.isRest == true
      || argument == 0 && parameters.isEmpty
  }
}
