// The outline of a file: requests with their parts, definitions, imports. Secrets are
// masked in it, as editors show it in many places.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// A part of the outline.
package struct DocumentSymbol: Sendable, Hashable {
  /// What a symbol is.
  package enum Kind: Sendable, Hashable {
    case request, requestLine, queryParameter, headers, header
    /// A body by what it is made of.
    case structuredBody, textBody, fileBody
    case bodyKey, part, script, test, variable, tag, file
  }
  package var name: String
  package var detail: String
  package var kind: Kind
  /// The whole block or line.
  package var range: Range<Int>
  /// The name or the request line; lies inside of `range`.
  package var selection: Range<Int>
  /// What it is made of, in the order of the file.
  package var children: [DocumentSymbol] = []
}

extension Analysis {
  /// How many blocks a file may have for its requests to be taken apart: of more, an outline with
  /// all their headers is too long for a person as for an editor.
  package static let detailedBlocks = 1_000
  /// How many checks such a long file is told to have: a list of tests wants to know of them, and
  /// of more nobody runs one alone.
  package static let checksOfLongFiles = 5_000

  /// The outline: requests, definitions and imports in the order of the file; the beginning of it
  /// where nobody waits for it any more.
  package func symbols() -> [DocumentSymbol] {
    let outline = Outline(self)
    var result: [DocumentSymbol] = []
    result.reserveCapacity(document.blocks.count)
    for block in document.blocks {
      if isAbandoned() { break }
      outline.add(block, to: &result)
    }
    return result
  }
}

/// Makes the outline of a file; an object, as to copy it for each block would take longer than what
/// is done with the block.
private final class Outline {
  private let analysis: Analysis
  private let mask: SecretMask
  private let isDetailed: Bool
  /// How many checks may still be told of where requests are not taken apart.
  private var checksLeft = Analysis.checksOfLongFiles
  /// Whether no name is defined twice, so that equal targets have one host.
  private let hostsAreSame: Bool
  private var hosts: [String: String] = [:]

  init(_ analysis: Analysis) {
    self.analysis = analysis
    mask = SecretMask(secrets: analysis.knownSecrets)
    isDetailed = analysis.document.blocks.count <= Analysis.detailedBlocks
    hostsAreSame = analysis.document.names.definitions.allSatisfy { $0.value.count == 1 }
  }

  /// Adds what a block has for the outline.
  func add(_ block: ParsedBlock, to result: inout [DocumentSymbol]) {
    let first = result.count
    for variable in block.variables {
      result.append(
        DocumentSymbol(
          name: "@" + block.name(of: variable), detail: value(of: variable, block), kind: .variable,
          range: block.absolute(variable.line), selection: block.absolute(variable.nameRange)))
    }
    for directive in block.directives {
      let mark = directive.kind == .runRequest ? "#" : ""
      result.append(
        DocumentSymbol(
          name: mark + shown(block.text(directive.argument)),
          detail: directive.request.map { "#" + shown(block.text($0)) } ?? "", kind: .file,
          range: block.absolute(directive.line), selection: block.absolute(directive.argument)))
    }
    if let request = block.request { result.append(symbol(of: request, block)) }
    if result.count > first + 1 {
      result[first...].sort { $0.selection.lowerBound < $1.selection.lowerBound }
    }
  }

  /// A value as written; what is called a secret is none to be shown, wherever it stands.
  private func value(of variable: VariableSyntax, _ block: ParsedBlock) -> String {
    let written = block.text(variable.value)
    let isSecret = VariableDefinition.nameIsSecret(block.name(of: variable))
    return isSecret && !written.contains("{{") && !written.isEmpty
      ? SecretMask.text : shown(written)
  }

  private func symbol(of request: RequestSyntax, _ block: ParsedBlock) -> DocumentSymbol {
    var detail = host(of: block)
    if let result = analysis.result(of: block) {
      if !detail.isEmpty { detail += ", " }
      let time = DurationText.text(result.milliseconds)
      detail += result.isFailure ? result.status : "\(result.status) - \(time)"
    }
    var symbol = DocumentSymbol(
      name: block.name.map { shown($0) } ?? mask.mask(block.methodAndPlace).text, detail: detail,
      kind: .request, range: block.range, selection: block.absolute(request.line))
    guard isDetailed else {
      symbol.children = checksAlone(block)
      return symbol
    }
    symbol.children = tags(block) + scripts(block) + [requestLine(request, block)] + checks(block)
    if let headers = headers(request, block) { symbol.children.append(headers) }
    if let body = body(request, block) { symbol.children.append(body) }
    symbol.children.sort { $0.range.lowerBound < $1.range.lowerBound }
    return symbol
  }

  // MARK: - Parts of a request

  private func tags(_ block: ParsedBlock) -> [DocumentSymbol] {
    block.metadata.filter { $0.region != .body && $0.kind != .name }.map { tag in
      DocumentSymbol(
        name: "@" + block.text(tag.key), detail: value(of: tag, block), kind: .tag,
        range: block.absolute(tag.line), selection: block.absolute(tag.key))
    }
  }

  /// The value of a tag. Options of curl may hold credentials in many forms, so they are not shown.
  private func value(of tag: MetadataSyntax, _ block: ParsedBlock) -> String {
    let isOption = tag.kind == .curlOption || tag.kind == .curlDataURLEncode
    if isOption, !tag.value.isEmpty { return SecretMask.text }
    return shown(block.text(tag.value))
  }

  private func scripts(_ block: ParsedBlock) -> [DocumentSymbol] {
    block.scripts.map { script in
      DocumentSymbol(
        name: script.kind.title, detail: script.path.map { shown(block.text($0)) } ?? "inline",
        kind: .script, range: block.absolute(script.range),
        selection: block.absolute(script.path ?? script.range),
        children: tests(script, block))
    }
  }

  /// The titles of tests, such as `client.test("title", …)`.
  private func tests(_ script: ScriptSyntax, _ block: ParsedBlock) -> [DocumentSymbol] {
    guard let place = ScriptPlace(script, in: block), !place.isLua else { return [] }
    return place.reading.tests.map { test in
      DocumentSymbol(
        name: shown(place.reading.tokens.text(test.title)), detail: "", kind: .test,
        range: place.absolute(test.range), selection: place.absolute(test.title))
    }
  }

  /// The `??` lines; the tag that expects a status stands among the tags.
  private func checks(_ block: ParsedBlock) -> [DocumentSymbol] {
    block.assertions.map { assertion in
      DocumentSymbol(
        name: shown(block.text(assertion.text)), detail: "", kind: .test,
        range: block.absolute(assertion.line), selection: block.absolute(assertion.text))
    }
  }

  /// What a request of a long file checks, without the other parts; as far as there is room.
  private func checksAlone(_ block: ParsedBlock) -> [DocumentSymbol] {
    guard checksLeft > 0, !block.assertions.isEmpty || !block.scripts.isEmpty else { return [] }
    let found = (scripts(block).flatMap(\.children) + checks(block))
      .sorted { $0.range.lowerBound < $1.range.lowerBound }.prefix(checksLeft)
    checksLeft -= found.count
    return Array(found)
  }

  private func requestLine(_ request: RequestSyntax, _ block: ParsedBlock) -> DocumentSymbol {
    let end = max(request.line.upperBound, request.target.last?.upperBound ?? 0)
    let range = block.absolute(request.line.lowerBound..<end)
    let target = request.target.map { block.text($0) }.joined()
    let method = request.method.map { block.text($0) } ?? (request.curl == nil ? "GET" : "curl")
    var symbol = DocumentSymbol(
      name: shown(method), detail: shortened(mask.maskURL(target).text), kind: .requestLine,
      range: range, selection: block.absolute(request.line))
    let query = URLPieces(block, request.target).query.filter { !$0.name.isEmpty }
    symbol.children = query.map { name, value in
      DocumentSymbol(
        name: shown(block.text(name)), detail: shown(block.text(value)), kind: .queryParameter,
        range: block.absolute(name.lowerBound..<value.upperBound), selection: block.absolute(name))
    }
    return symbol
  }

  private func headers(_ request: RequestSyntax, _ block: ParsedBlock) -> DocumentSymbol? {
    guard let first = request.headers.first, let last = request.headers.last else { return nil }
    return DocumentSymbol(
      name: "Headers (\(request.headers.count))", detail: "", kind: .headers,
      range: block.absolute(first.line.lowerBound..<last.line.upperBound),
      selection: block.absolute(first.line),
      children: request.headers.map { header in
        let name = block.text(header.name)
        let value = header.value.map { block.text($0) }.joined(separator: " ")
        return DocumentSymbol(
          name: shown(name), detail: headerValue(name, value), kind: .header,
          range: block.absolute(header.line), selection: block.absolute(header.name))
      })
  }

  /// The value of a header. Credentials that are written out are masked but for their scheme.
  private func headerValue(_ name: String, _ value: String) -> String {
    guard SecretMask.isAlwaysMasked(name), !value.isEmpty else { return shown(value) }
    let words = value.split(separator: " ", maxSplits: 1)
    if words.count == 2, SecretMask.isScheme(String(words[0])) {
      return "\(words[0]) \(SecretMask.text)"
    }
    return SecretMask.text
  }

  private func body(_ request: RequestSyntax, _ block: ParsedBlock) -> DocumentSymbol? {
    guard let body = request.body else { return nil }
    let type = block.writtenHeader("content-type").map { " - " + shown($0) } ?? ""
    let range = block.absolute(body.range)
    var symbol = DocumentSymbol(
      name: "Body" + type, detail: SizeText.text(body.range.count), kind: .textBody,
      range: range, selection: range)
    let files = body.lines.compactMap { line -> RedirectSyntax? in
      if case .file(let file) = line.kind { file } else { nil }
    }
    if let file = files.first, body.lines.count == 1 {
      symbol.kind = .fileBody
      symbol.detail = shown(block.text(file.path))
    } else if let json = block.bodyJSON {
      symbol.kind = .structuredBody
      symbol.children = keys(json, block)
    } else {
      symbol.children = block.bodyParts.map { part in
        DocumentSymbol(
          name: part.name.map(shown) ?? "Part", detail: SizeText.text(part.range.count),
          kind: .part, range: part.range, selection: part.range)
      }
    }
    return symbol
  }

  /// The members of the outermost object.
  private func keys(_ json: JSONOutline, _ block: ParsedBlock) -> [DocumentSymbol] {
    guard json.nodes.first?.kind == .object else { return [] }
    return json.nodes.enumerated().compactMap { place, node in
      guard node.kind == .member, node.parent == 0, json.nodes.indices.contains(place + 1) else {
        return nil
      }
      let key = json.nodes[place + 1].range
      let text = String(decoding: block.bytes[key], as: UTF8.self)
      let name = text.filter { $0 != "\"" }
      return DocumentSymbol(
        name: name.isEmpty ? text : shown(name), detail: "", kind: .bodyKey, range: node.range,
        selection: key)
    }
  }

  // MARK: - Texts

  /// The text without secrets and without a password in a URL, its first line.
  private func shown(_ text: String) -> String { shortened(mask.maskURL(text).text) }

  private func shortened(_ text: String) -> String { Analysis.shortened(text) }

  /// The host that a request goes to, as far as it can be told without an effect.
  private func host(of block: ParsedBlock) -> String {
    let target = URLText(block.writtenTarget, as: .written)
    let base = String(target.text[..<target.path.lowerBound])
    if hostsAreSame, let known = hosts[base] { return known }
    var evaluator = Evaluator(context: analysis.context, scope: analysis.scope, masksSecrets: true)
    let url = URLText(
      evaluator.display(base, at: block.requestLine.lowerBound), as: .written)
    let host = url[url.hostAndPort] ?? ""
    let isKnown = evaluator.problems.isEmpty && !host.contains("{")
    let result = isKnown ? mask.mask(String(host)).text : ""
    if hostsAreSame { hosts[base] = result }
    return result
  }
}
