// What a Hurl file expects of an answer: `??` lines, tests and values for later requests.

import PostKitEvaluate
import PostKitJSON

/// Reads the expected answer of one entry.
struct HurlChecks {
  let context: OriginContext
  let source: OriginSource
  /// The name by which later requests refer to the entry.
  let entry: String
  let response: HurlResponse
  private(set) var checks: [OriginCheck] = []
  /// Statements that run when the answer is there.
  private(set) var scripts: [OriginScript] = []
  /// Variables for the head of the next request.
  private(set) var captured: [OriginVariable] = []
  /// The queries of this entry's captures.
  private var queries: [String: HurlQuery] = [:]
  private var templates: HurlTemplates

  /// Begins with nothing read.
  init(context: OriginContext, source: OriginSource, entry: String, response: HurlResponse) {
    self.context = context
    self.source = source
    self.entry = entry
    self.response = response
    templates = HurlTemplates(notes: context.notes)
  }

  private func place(_ line: Int) -> OriginPlace { OriginPlace(file: source.name, line: line) }

  /// Reads all of it; behind the last entry nothing can refer to it.
  mutating func read(isLast: Bool) {
    if let status = response.status { checks.append(OriginCheck(line: "status == \(status)")) }
    for header in response.headers {
      let value = templates.text(header.value, at: place(header.line))
      checks.append(OriginCheck(line: "header \(header.name) == \(Self.written(value) ?? value)"))
    }
    for capture in response.captures { read(capture, isLast: isLast) }
    for assert in response.asserts { read(assert) }
    if let body = response.body { read(body) }
  }

  private mutating func add(_ statement: String, of text: String, line: Int) {
    scripts.append(
      OriginScript(
        phase: .afterResponse, text: text, place: place(line),
        translation: [.handler(statement)]))
  }

  private func tell(_ code: ImportNoteCode, _ message: String, line: Int) {
    context.notes.tell(code, message, at: place(line))
  }

  // MARK: - Captures

  private mutating func read(_ capture: HurlCapture, isLast: Bool) {
    var query = capture.query
    // A capture of a capture has its value from the same place.
    if query.kind == "variable", case .text(let name)? = query.argument,
      let earlier = queries[name]
    {
      query = HurlQuery(
        kind: earlier.kind, argument: earlier.argument, filters: earlier.filters + query.filters)
    }
    queries[capture.name] = query
    if !isLast, query.filters.isEmpty, let part = reference(to: query) {
      // Checks of the entry itself read its answer, as the variable comes with the next request.
      templates.replacements[capture.name] = "\(entry).response.\(part)"
      captured.append(
        OriginVariable(
          name: capture.name, value: .text("{{\(entry).response.\(part)}}"),
          isForLater: true, place: place(capture.line)))
      return
    }
    guard let value = HurlScript.value(of: query) else {
      tell(
        .templateUnsupported,
        "The capture `\(capture.name)` takes `\(query.kind)` or a filter that has no counterpart; "
          + "give the variable a value.", line: capture.line)
      return
    }
    add(
      "client.global.set(\(HurlScript.literal(capture.name)), \(value));", of: capture.name,
      line: capture.line)
  }

  /// What follows `NAME.response.` for a part of the answer; `nil` for what only a script can take.
  private func reference(to query: HurlQuery) -> String? {
    let argument: String
    switch query.argument {
    case .text(let text)?: argument = text
    case nil: argument = ""
    default: return nil
    }
    guard !argument.contains("{{"), !argument.contains("}}") else { return nil }
    switch query.kind {
    case "status": return "status"
    case "body": return "body.*"
    case "header": return argument.contains(" ") ? nil : "headers.\(argument)"
    case "cookie":
      let isName = argument.utf8.allSatisfy { ASCIIWord.contains($0) || $0 == 45 }
      return isName ? "cookies.\(argument)" : nil
    case "jsonpath":
      // One that finds several would send the request several times (PK-71).
      let isOne = !argument.contains("*") && !argument.contains("?") && !argument.contains("..")
      return argument.hasPrefix("$") && isOne ? "body.\(argument)" : nil
    case "xpath":
      let path = argument.hasPrefix("string(") && argument.hasSuffix(")")
        ? String(argument.dropFirst(7).dropLast()) : argument
      return path.hasPrefix("/") ? "body.\(path)" : nil
    default: return nil
    }
  }

  // MARK: - Asserts

  private mutating func read(_ assert: HurlAssert) {
    var assert = assert
    if assert.query.kind == "variable", case .text(let name)? = assert.query.argument,
      let query = queries[name]
    {
      assert.query = HurlQuery(
        kind: query.kind, argument: query.argument, filters: query.filters + assert.query.filters)
    }
    if let line = HurlCheckLine(assert, templates, at: place(assert.line)).line {
      checks.append(OriginCheck(line: line))
      return
    }
    if let condition = HurlScript.condition(of: assert) {
      add(
        "client.test(\(HurlScript.literal(assert.text)), () => client.assert(\(condition)));",
        of: assert.text, line: assert.line)
      return
    }
    tell(.testUnsupported, "The check `\(shown(assert))` has no counterpart.", line: assert.line)
  }

  /// The words of a check without its value, which may be a secret.
  private func shown(_ assert: HurlAssert) -> String {
    ([assert.query.kind] + assert.query.filters.map(\.name) + [assert.predicate])
      .joined(separator: " ")
  }

  private mutating func read(_ body: HurlBody) {
    switch body {
    case .json(let text):
      // A check is one line; JSON means the same without its line ends.
      if let tree = try? JSONTree(parsing: Array(text.utf8)) {
        checks.append(OriginCheck(line: "body == \(tree.root.value.substitutionText)"))
        return
      }
    case .text(let text, isTemplate: true):
      if let written = Self.written(templates.text(text, at: place(response.line))) {
        checks.append(OriginCheck(line: "body == \(written)"))
        return
      }
    default: break
    }
    tell(.testUnsupported, "The expected body has no counterpart.", line: response.line)
  }

  /// A text as the right side of a check; `nil` where none can have it.
  static func written(_ text: String) -> String? {
    guard !text.contains(where: \.isNewline) else { return nil }
    let isPlain = !text.isEmpty && text.first != " " && text.last != " " && text.first != "\""
      && text.first != "'"
    return isPlain ? text : HurlScript.literal(text)
  }
}
