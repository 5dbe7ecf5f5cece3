// What can be done to scripts (SC-80).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

/// A script of a block and what is selected in it.
struct ScriptRefactoring {
  let analysis: Analysis
  let block: ParsedBlock
  let script: ScriptSyntax
  let place: ScriptPlace
  let selection: Range<Int>

  private var reading: ScriptReading { place.reading }
  private var tokens: ScriptTokens { place.reading.tokens }
  private var lineEnd: String { analysis.document.lineEndText }

  /// The whole script in its file, markers included.
  private var whole: Range<Int> { block.absolute(script.range) }

  /// The text of bytes of the file without white space at its ends.
  private func trimmed(_ range: Range<Int>) -> String {
    let text = analysis.document.bytes[range].drop { $0 <= 32 }
    let end = text.lastIndex { $0 > 32 }.map { $0 + 1 } ?? text.startIndex
    return String(decoding: text[..<end], as: UTF8.self)
  }

  /// What can be done here.
  var changes: [CodeChange] {
    [asCheck, asDefinition, asFile, wrapping, otherStore].compactMap { $0 }
  }

  /// The script as a `??` line, where it is one test with one condition and nothing else.
  var asCheck: CodeChange? {
    guard script.kind == .responseHandler, let test = soleTest,
      let form = ScriptCheckForm(reading, test.condition)
    else { return nil }
    let isNameKept = test.name == form.line
    let comment = isNameKept ? "" : "# \(test.name)" + lineEnd
    return CodeChange(
      .rewrite, "Convert the test to `?? \(form.line)`",
      [TextEdit(whole, "\(comment)?? \(form.line)")])
  }

  /// The name and the condition of the only test, whose function only asserts.
  private var soleTest: (name: String, condition: Range<Int>)? {
    guard tokens.comments.isEmpty, let chain = reading.chains.first, chain.first == 0,
      case .call(let open, let close?) = chain.steps.last, chain.steps.count == 3,
      reading.path(of: head(chain)) == "client.test", isEnd(close + 1)
    else { return nil }
    let arguments = reading.arguments(open)
    guard arguments.count == 2, arguments[0].count == 1, tokens[open + 1].isPlain else {
      return nil
    }
    guard let body = functionBody(arguments[1]),
      let assertion = reading.chain(startingAt: body.lowerBound),
      case .call(let inner, let end?) = assertion.steps.last, assertion.steps.count == 3,
      reading.path(of: head(assertion)) == "client.assert",
      end + 1 == body.upperBound || tokens.isMark(end + 1, ";") && end + 2 == body.upperBound,
      let condition = reading.arguments(inner).first
    else { return nil }
    return (tokens.text(tokens[open + 1].inside), condition)
  }

  private func head(_ chain: ScriptChain) -> ScriptChain {
    ScriptChain(steps: Array(chain.steps.dropLast()), danglingDot: nil)
  }

  /// Whether nothing but a semicolon stands from a token on.
  private func isEnd(_ token: Int) -> Bool {
    token == tokens.count || tokens.isMark(token, ";") && token + 1 == tokens.count
  }

  /// The tokens in a function without parameters: `() => x`, `() => {x}`, `function () {x}`.
  private func functionBody(_ range: Range<Int>) -> Range<Int>? {
    var at = range.lowerBound
    if tokens.isWord(at, "function") { at += 1 }
    guard tokens.isMark(at, "("), tokens.isMark(at + 1, ")") else { return nil }
    at += 2
    if tokens.isMark(at, "=>") { at += 1 }
    guard tokens.isMark(at, "{") else { return at..<range.upperBound }
    guard let close = reading.closer(at), close + 1 == range.upperBound else { return nil }
    return at + 1..<close
  }

  /// A handler that only keeps one member of the body as a definition, which needs no engine.
  var asDefinition: CodeChange? {
    guard script.kind == .responseHandler, tokens.comments.isEmpty, let request = block.name,
      !request.contains(where: \.isWhitespace), let chain = reading.chains.first,
      chain.first == 0, case .call(let open, let close?) = chain.steps.last, isEnd(close + 1),
      ["client.global.set", "request.variables.set"].contains(reading.path(of: head(chain)))
    else { return nil }
    let arguments = reading.arguments(open)
    guard arguments.count == 2, arguments[0].count == 1, tokens[open + 1].isPlain,
      let value = reading.chain(startingAt: arguments[1].lowerBound),
      value.last + 1 == arguments[1].upperBound, value.steps.count > 2
    else { return nil }
    let path = reading.path(of: value)
    guard path.hasPrefix("response.body.") else { return nil }
    let name = tokens.text(tokens[open + 1].inside)
    let reference = "{{\(request).response.body.$.\(path.dropFirst("response.body.".count))}}"
    return CodeChange(
      .rewrite, "Convert the script to `@\(name) = \(reference)`",
      [TextEdit(whole, "@\(name) = \(reference)")])
  }

  /// The script in a file of its own.
  var asFile: CodeChange? {
    guard script.kind == .responseHandler || script.kind == .preRequest, tokens.count > 0 else {
      return nil
    }
    let base = block.name.map(ScriptVariableName.folded) ?? ""
    let isBefore = script.kind == .preRequest
    let stem = (base.isEmpty ? "script" : base) + (isBefore ? "-before" : "-after")
    let name = (1...100).lazy.map { $0 == 1 ? "./\(stem).js" : "./\(stem)-\($0).js" }
      .first { analysis.context.resolvePath($0) == nil }
    guard let name else { return nil }
    return CodeChange(
      .extract, "Extract the script to `\(name)`",
      [TextEdit(whole, (isBefore ? "< " : "> ") + name)],
      files: [
        FileChange(
          path: analysis.context.placePath(name), content: .new(trimmed(place.text) + "\n"))
      ])
  }

  /// The selected statements as a test.
  var wrapping: CodeChange? {
    guard !selection.isEmpty, place.phase == .response,
      place.text.lowerBound <= selection.lowerBound, selection.upperBound <= place.text.upperBound
    else { return nil }
    let text = trimmed(selection)
    let inner = ScriptReading(Array(text.utf8)[...])
    let isWhole = inner.tokens.tokens.indices.allSatisfy {
      inner.tokens.opens($0) ? inner.closer($0) != nil : true
    }
    guard isWhole, inner.tokens.count > 0 else { return nil }
    let call = place.family == .httpyac ? "test" : "client.test"
    return CodeChange(
      .rewrite, "Wrap the selection in a test",
      [
        TextEdit(selection, "\(call)(\"name\", () => {\(lineEnd)\(text)\(lineEnd)})")
      ])
  }

  /// `exports.x = v` as `client.global.set("x", v)`, and back.
  var otherStore: CodeChange? {
    let caret = place.place(selection.lowerBound)
    let chains = reading.chains
    for number in chains.indices {
      let first = chains.first(at: number)
      let start = tokens[first].range.lowerBound
      if start > caret { break }
      guard tokens.isWord(first, "exports") || tokens.isWord(first, "client") else { continue }
      let chain = chains[number]
      let path = reading.path(of: chain)
      if path.hasPrefix("exports."), chain.steps.count == 2, tokens.isMark(chain.last + 1, "=") {
        let end = statementEnd(chain.last + 2)
        guard end > chain.last + 2 else { continue }
        let value = tokens[chain.last + 2].range.lowerBound..<tokens[end - 1].range.upperBound
        guard start <= caret, caret <= value.upperBound else { continue }
        let name = path.dropFirst("exports.".count)
        return CodeChange(
          .rewrite, "Keep `\(name)` as a global",
          [
            TextEdit(
              place.absolute(start..<value.upperBound),
              "client.global.set(\"\(name)\", \(tokens.text(value)))")
          ])
      }
      guard case .call(let open, let close?) = chain.steps.last, start <= caret,
        caret <= tokens[close].range.upperBound,
        reading.path(of: head(chain)) == "client.global.set"
      else { continue }
      let arguments = reading.arguments(open)
      guard arguments.count == 2, arguments[0].count == 1, tokens[open + 1].isPlain else {
        continue
      }
      let name = tokens.text(tokens[open + 1].inside)
      guard ScriptVariableName.folded(name) == name else { continue }
      let value = place.range(arguments[1])
      let text = String(decoding: analysis.document.bytes[value], as: UTF8.self)
      return CodeChange(
        .rewrite, "Keep `\(name)` for this file (`exports.\(name)`)",
        [
          TextEdit(
            place.absolute(start..<tokens[close].range.upperBound), "exports.\(name) = \(text)")
        ])
    }
    return nil
  }

  /// The token behind a statement that has begun.
  private func statementEnd(_ start: Int) -> Int {
    var at = start
    while at < tokens.count {
      if tokens.isMark(at, ";") || tokens.closes(at) || tokens.isMark(at, ",") { return at }
      if at > start, reading.startsLine(at), !tokens.isDot(at), tokens[at].kind == .word {
        return at
      }
      at = tokens.opens(at) ? (reading.closer(at) ?? tokens.count - 1) + 1 : at + 1
    }
    return at
  }
}

extension Analysis {
  /// The types of PostKit's objects beside this file, where a script of it stands in a file of its
  /// own or asks for one (SC-71).
  private func describing(_ script: ScriptSyntax, in block: ParsedBlock) -> CodeChange? {
    let asksForFile = script.text.map { range in
      let text = block.slice(range)
      return text.holds("'./") || text.holds("\"./")
    }
    guard asksForFile ?? true, context.resolvePath("./" + ScriptTypes.fileName) == nil else {
      return nil
    }
    let files = [
      (ScriptTypes.fileName, ScriptTypes.text), ("jsconfig.json", ScriptTypes.settings + "\n"),
    ].compactMap { name, text in
      context.resolvePath("./" + name) == nil
        ? FileChange(path: context.placePath("./" + name), content: .new(text)) : nil
    }
    return CodeChange(
      .rewrite, "Describe PostKit's objects to this folder's editor", files: files)
  }

  /// What can be done to the script or the check at a selection.
  func scriptRefactorings(in range: Range<Int>) -> [CodeChange] {
    guard let block = document.block(at: range.lowerBound) else { return [] }
    var result: [CodeChange] = []
    for script in block.scripts where block.absolute(script.range).touches(range.lowerBound) {
      if let change = scriptOfFile(script, in: block) { result.append(change) }
      if let change = describing(script, in: block) { result.append(change) }
      guard let place = ScriptPlace(script, in: block), !place.isLua
      else { continue }
      result += ScriptRefactoring(
        analysis: self, block: block, script: script, place: place, selection: range
      ).changes
    }
    return result + block.assertions.compactMap { assertion -> CodeChange? in
      guard block.absolute(assertion.line).touches(range.lowerBound),
        let form = block.form(of: assertion),
        let check = ScriptCheckForm(form, in: block, line: block.text(assertion.text))
      else { return nil }
      let end = document.lineEndText
      let lines = [
        "> {%", "client.test(\(ScriptCheckForm.quoted(check.line)), () => {",
        "  client.assert(\(check.condition))", "})", "%}",
      ]
      return CodeChange(
        .rewrite, "Convert the check to a test in a script",
        [TextEdit(block.absolute(assertion.line), lines.joined(separator: end))])
    }
  }

  /// The text of a script's file in the place of its name. The file stays, as others may use it.
  private func scriptOfFile(_ script: ScriptSyntax, in block: ParsedBlock) -> CodeChange? {
    guard let written = script.path.map(block.text), !written.contains("{{"),
      let path = context.resolvePath(written), !block.isLua(script)
    else { return nil }
    let title = "Inline the script `\(written)`"
    let read: [UInt8]? = if case .bytes(let bytes) = context.readFile(path) { bytes } else { nil }
    guard let bytes = context.unsavedBytes(path) ?? read else { return nil }
    let text = String(validating: bytes, as: UTF8.self)
    var lines = text?.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) ?? []
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    guard bytes.count <= 64 << 10, !lines.isEmpty else {
      return CodeChange(.inline, title, disabled: "The file is empty, too long or not text.")
    }
    let marks = lines.map { String($0).trimmingASCIIBlanks() }
    if marks.contains(where: { $0.hasPrefix("###") || $0.hasSuffix("%}") }) {
      return CodeChange(
        .inline, title, disabled: "A line of the file would end the script inside a request.")
    }
    let tokens = ScriptReading(bytes[...])
    let names = ["__dirname", "__filename", "export", "import"]
    let isTied = tokens.chains.contains { names.contains(tokens.tokens.text($0.first)) }
    let isElsewhere = written.split(separator: "/").count { $0 != "." } > 1
    if isTied || isElsewhere && !tokens.paths.isEmpty {
      return CodeChange(
        .inline, title, disabled: "The script depends on the place of its file.")
    }
    let end = document.lineEndText
    let marker = script.kind == .preRequest ? "<" : ">"
    return CodeChange(
      .inline, title,
      [
        TextEdit(
          block.absolute(script.range),
          (["\(marker) {%"] + lines.map(String.init) + ["%}"]).joined(separator: end))
      ])
  }
}
