// Remarks on bodies: comments, JSON, XML, forms and included files.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

extension Advice {
  /// Looks at a body.
  mutating func check(_ body: BodySyntax, of request: RequestSyntax) {
    let written = request.headers.first {
      block.text($0.name).lowercased() == "content-type" && !$0.value.isEmpty
    }?.value.map { block.text($0) }.joined(separator: " ")
    for line in body.lines {
      if case .file(let include) = line.kind { check(include) }
    }
    // What a reference stands for may be of any type, unless that is known.
    guard let written = known(written) else { return }
    let type = written.isEmpty ? nil : MediaType(written)
    checkComments(body, type)
    if type?.isForm == true { checkPairs(body) }
    if type?.isJSON == true, !isGraphQL(request, body) { checkJSON(body) }
    if type?.isXML == true { checkXML(body, type) }
  }

  /// A type with its references resolved, empty where none is written; `nil` where one of them
  /// can't be told now.
  private func known(_ written: String?) -> String? {
    guard let written, written.contains("{{") else { return written ?? "" }
    var evaluator = Evaluator(context: analysis.context, scope: analysis.scope)
    let text = evaluator.display(written, at: block.range.lowerBound)
    return evaluator.problems.isEmpty && evaluator.needs.isEmpty && !evaluator.usedChangingValue
      ? text : nil
  }

  // MARK: - Comments

  /// The first comment line that is sent; one remark is enough for a body.
  private mutating func checkComments(_ body: BodySyntax, _ type: MediaType?) {
    let flagged = block.syntax.problems.map(\.range)
    guard type?.isMultipart != true, sendsComments(body, type),
      let line = body.lines.first(where: { line in
        line.kind == .comment && !flagged.contains { $0.overlaps(line.content) }
      })
    else { return }
    say(
      .commentInBody, line.content,
      "PostKit sends this line; REST Client, JetBrains and httpYac may drop it. "
        + "If it is a comment, move it above the request.")
  }

  private func sendsComments(_ body: BodySyntax, _ type: MediaType?) -> Bool {
    switch dialect.bodyComments {
    case .keep: return true
    case .strip: return type?.essence == "text/markdown"
    case .byType:
      guard let type else { return !looksLikeJSON(body) }
      return !type.isJSON && !type.isNewlineDelimitedJSON && !type.isForm
        && type.essence != "application/graphql"
    }
  }

  private func firstByte(_ body: BodySyntax) -> UInt8? {
    for line in body.lines where line.kind == .text {
      if let byte = block.slice(line.content).first(where: { $0 != 32 && $0 != 9 }) { return byte }
    }
    return nil
  }

  private func looksLikeJSON(_ body: BodySyntax) -> Bool {
    firstByte(body).map { "{[".utf8.contains($0) } ?? false
  }

  // MARK: - JSON

  /// Whether the body is a query and its variables, not JSON yet (PK-21).
  func isGraphQL(_ request: RequestSyntax, _ body: BodySyntax) -> Bool {
    if request.method.map({ block.text($0) }) == "GRAPHQL" { return true }
    if block.syntax.metadata.contains(where: { $0.kind == .graphQL }) { return true }
    if request.headers.contains(where: {
      block.text($0.name).lowercased() == "x-request-type"
    }) {
      return true
    }
    let text = block.text(body.range)
    return ["query", "mutation", "subscription", "fragment", "gql"].contains { text.hasPrefix($0) }
  }

  /// Checks the body with references replaced by ones, which are right in strings and elsewhere.
  private mutating func checkJSON(_ body: BodySyntax) {
    guard
      let neutral = neutral(body, UInt8(ascii: "1"), dropsComments: dialect.bodyComments != .keep),
      !neutral.mayLackMembers
    else { return }
    do throws(JSONSyntaxError) {
      _ = try JSONTree(parsing: neutral.text)
    } catch {
      if error.problem == .tooDeep { return }
      let place = body.range.lowerBound + min(error.offset, max(0, neutral.text.count - 1))
      say(
        .jsonBody, place..<place + 1,
        "The body is not valid JSON: \(error.explanation). Correct it, or change its "
          + "`Content-Type`.")
    }
  }

  /// The body without what is left out of it and without references; `nil` where a part of it
  /// stands in a file.
  private func neutral(_ body: BodySyntax, _ filler: UInt8, dropsComments: Bool) -> NeutralBody? {
    if body.lines.contains(where: { if case .file = $0.kind { true } else { false } }) {
      return nil
    }
    return NeutralBody(
      block, body, filler: filler, dropsComments: dropsComments,
      dropsEndMark: dialect.preset == .httpyac)
  }

  // MARK: - XML

  /// Checks the body with references replaced by letters, which are right in names, in values and
  /// in text.
  private mutating func checkXML(_ body: BodySyntax, _ type: MediaType?) {
    guard let neutral = neutral(body, UInt8(ascii: "x"), dropsComments: !sendsComments(body, type)),
      !neutral.mayLackTags, let mistake = analysis.context.xmlMistake(neutral.text),
      // What stands there may be anything, and what follows at once may be right behind it.
      !neutral.references.contains(where: {
        $0.overlaps(mistake.range)
          || mistake.range.count <= 1 && $0.upperBound == mistake.range.lowerBound
      })
    else { return }
    let last = max(0, neutral.text.count - 1)
    let start = min(mistake.range.lowerBound, last)
    let end = min(max(mistake.range.upperBound, start + 1), neutral.text.count)
    say(
      .xmlBody, body.range.lowerBound + start..<body.range.lowerBound + max(start + 1, end),
      "The body is not valid XML: \(mistake.explanation). Correct it, or change its "
        + "`Content-Type`.")
  }

  // MARK: - Forms

  /// A line that begins with a pair of its own while the line above has no `&` at its end (PK-20).
  private mutating func checkPairs(_ body: BodySyntax) {
    var isOpen = false
    for line in body.lines where line.kind == .text {
      let text = block.text(line.content).trimmingASCIIBlanks()
      if text.isEmpty { continue }
      if isOpen, !text.hasPrefix("&"), Advice.beginsWithPair(text) {
        say(
          .formMissingAmpersand, line.content,
          "The line above has no `&` at its end, so both are sent as one pair. Add it there.")
      }
      isOpen = !text.hasSuffix("&")
    }
  }

  private static func beginsWithPair(_ text: String) -> Bool {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return false }
    return String(text[..<equals]).trimmingASCIIBlanks().utf8.allSatisfy {
      switch $0 {
      case 48...57, 65...90, 97...122: true
      default: "_-.[]%{}$".utf8.contains($0)
      }
    }
  }

  // MARK: - Included files

  private mutating func check(_ include: RedirectSyntax) {
    let written = block.text(include.path)
    guard !written.contains("{{") else { return }
    if analysis.context.isAmbiguous(written) {
      say(
        .ambiguousPath, include.path,
        "`\(written)` is beside this file and in the root folder. "
          + (dialect.pathBase == .root
            ? "PostKit and REST Client send the one in the root folder; others send the other. "
            : "PostKit sends the one beside this file, REST Client the other. ")
          + "Write a path that matches one.")
    }
    guard include.marker == .includeRaw, dialect.fileBody == .rawPlain,
      !block.syntax.metadata.contains(where: { $0.kind == .injectVariables }),
      let path = analysis.context.resolvePath(written),
      case .bytes(let bytes) = analysis.context.readFile(path),
      let reference = resolvableReference(in: bytes)
    else { return }
    say(
      .fileHasVariables, include.path,
      "The file contains references such as `\(reference)`, which `<` does not resolve. "
        + "Write `<@` to resolve them.")
  }

  /// The first reference of a file whose name means something here. The start of a file is enough.
  private func resolvableReference(in bytes: [UInt8]) -> String? {
    let range = 0..<min(bytes.count, 1 << 16)
    for case .reference(let reference) in TemplateParser.pieces(bytes, in: range) {
      let isKnown =
        switch reference.expression {
        case .dynamic: true
        case .path(let name, _):
          analysis.scope.lookup(name, at: block.range.lowerBound) != nil
        case .script, .empty: false
        }
      if isKnown { return String(decoding: bytes[reference.range], as: UTF8.self) }
    }
    return nil
  }
}
