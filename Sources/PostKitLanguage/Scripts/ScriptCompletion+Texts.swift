// What can be typed in a script between quotes, and the members of the last response's body.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// Finds what a text in quotes can be: names, headers, modules, files.
struct ScriptTextCompletion {
  let analysis: Analysis
  let place: ScriptPlace
  let sources: CompletionSources
  let offset: Int

  /// Is going to complete a text at an offset.
  init(_ analysis: Analysis, _ place: ScriptPlace, _ sources: CompletionSources, at offset: Int) {
    self.analysis = analysis
    self.place = place
    self.sources = sources
    self.offset = offset
  }

  /// What can stand in the text of a token.
  func items(in string: Int) -> [CompletionItem] {
    let reading = place.reading
    let token = reading.tokens[string]
    // What is not closed goes on to the end of its line, which is not known to belong to it.
    let isClosed = token.range.upperBound > token.inside.upperBound
    let end = isClosed ? place.absolute(token.inside).upperBound : offset
    let replaced = place.absolute(token.inside).lowerBound..<max(end, offset)
    if reading.tokens.isWord(string - 1, "from") || reading.tokens.isWord(string - 1, "import") {
      return modules(replaced)
    }
    guard let call = reading.call(at: token.range.lowerBound),
      reading.argumentStarts(call.open, before: string + 1).last == string
    else { return [] }
    let path = reading.path(of: call.callee)
    guard call.argument == 0 else { return [] }
    if path == "require" { return modules(replaced) }
    if let role = ScriptNames.role(of: path) { return names(role, replaced) }
    let member = path.split(separator: ".").last ?? ""
    if ["valueOf", "valuesOf", "findByName"].contains(member) || path.contains("headers.") {
      return headers(path, replaced)
    }
    return []
  }

  private func names(_ role: ScriptName.Role, _ replaced: Range<Int>) -> [CompletionItem] {
    let scope = analysis.scope(at: offset)
    let set = analysis.document.scriptVariables.blocks.keys.sorted()
    var found: [(name: String, detail: String?)]
    switch role {
    case .globalVariable, .globalReference:
      found = scope.globalDefinitions(at: offset).map { ($0.name, Analysis.detail($0)) }
      found += set.map { ($0, "set by a script") }
    case .environmentReference:
      found = scope.environments.definitions.values.sorted { $0.name < $1.name }
        .map { ($0.name, Analysis.detail($0)) }
    case .reference, .variable:
      found = scope.definitions(at: offset).map { ($0.name, Analysis.detail($0)) }
      found += set.map { ($0, "set by a script") }
    case .call:
      found = scope.files.files.flatMap { $0.document.requests.compactMap(\.name) }
        .map { ($0, "request") }
    case .word, .open: found = []
    }
    var seen: Set<String> = []
    let kind: CompletionKind = role == .call ? .request : .variable
    return found.filter { seen.insert($0.name).inserted && !$0.name.contains("\"") }
      .enumerated().map {
        CompletionItem($1.name, kind, replaced: replaced, detail: $1.detail, rank: $0)
      }
  }

  /// The headers of the last response where those of a response are meant, then the known ones.
  private func headers(_ path: String, _ replaced: Range<Int>) -> [CompletionItem] {
    let block = analysis.document.block(at: offset)
    let last = block?.name.flatMap { analysis.context.shownExchange($0) }
    let isOfResponse = path.hasPrefix("response")
    var seen: Set<String> = []
    let received = isOfResponse ? last?.response.headers.fields ?? [] : []
    let mask = analysis.suggestionMask
    let sent = received.compactMap { field -> CompletionItem? in
      guard seen.insert(field.name.lowercased()).inserted else { return nil }
      let value = Analysis.shortened(mask.mask(field.value).text)
      return CompletionItem(
        field.name, .header, replaced: replaced,
        detail: analysis.isSensitive(field.name) ? SecretMask.text : value,
        origin: "last response", rank: 0)
    }
    return sent
      + HeaderCatalog.all.filter { seen.insert($0.name.lowercased()).inserted }.map {
        CompletionItem(
          $0.name, .header, replaced: replaced, documentation: $0.summary, rank: 1)
      }
  }

  /// The modules that PostKit has, and the files beside the request file.
  private func modules(_ replaced: Range<Int>) -> [CompletionItem] {
    let typed = String(
      decoding: analysis.document.bytes[replaced.lowerBound..<offset], as: UTF8.self)
    guard ScriptModules.isPath(typed) || typed.hasPrefix(".") else {
      let own = ScriptModules.own.map {
        CompletionItem($0, .object, replaced: replaced, origin: "built in", rank: 0)
      }
      return own + [CompletionItem("./", .folder, replaced: replaced, rank: 1, continues: true)]
    }
    let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    if folder.isEmpty {
      return ["./", "../"].map {
        CompletionItem($0, .folder, replaced: replaced, continues: true)
      }
    }
    let name = replaced.lowerBound + folder.utf8.count..<replaced.upperBound
    return sources.entries(folder).enumerated().compactMap { rank, entry in
      if entry.isFolder {
        return CompletionItem(
          entry.name + "/", .folder, replaced: name, rank: 1_000 + rank, continues: true)
      }
      let isModule = [".js", ".mjs", ".cjs", ".json"].contains(where: entry.name.hasSuffix)
      return isModule ? CompletionItem(entry.name, .file, replaced: name, rank: rank) : nil
    }
  }
}

extension Analysis {
  /// The request whose last response a script reads at an offset.
  static func scriptResponseName(_ document: ParsedDocument, at offset: Int) -> String? {
    guard let block = document.block(at: offset), !block.scripts.isEmpty,
      block.scriptPlace(at: offset) != nil
    else { return nil }
    return block.name
  }

  /// Whether a script reads the body of the response at an offset.
  func readsBody(_ block: ParsedBlock, at offset: Int) -> Bool {
    guard let place = block.scriptPlace(at: offset) else { return false }
    let reading = place.reading
    let dot = reading.firstToken(from: place.place(offset)) - 1
    let token = reading.tokens.isDot(dot) ? dot : dot - 1
    let chain = reading.chain(danglingAt: token) ?? reading.chain(naming: token + 1)
    return chain.flatMap { bodyPath($0, reading) } != nil
  }

  /// The steps of a chain into the response's body; `nil` where it leads elsewhere.
  private func bodyPath(_ chain: ScriptChain, _ reading: ScriptReading) -> ArraySlice<ScriptStep>? {
    guard chain.steps.count > 1, reading.tokens.isWord(chain.first, "response"),
      case .member(let member) = chain.steps[1],
      reading.tokens.isWord(member, "body") || reading.tokens.isWord(member, "parsedBody")
    else { return nil }
    return chain.steps.dropFirst(2)
  }

  /// The keys that the last response's body has at the end of a chain; `nil` where the chain leads
  /// elsewhere.
  func bodyKeys(
    _ place: ScriptPlace, _ chain: ScriptChain, _ replaced: Range<Int>,
    _ sources: CompletionSources, at offset: Int
  ) -> [CompletionItem]? {
    guard let steps = bodyPath(chain, place.reading) else { return nil }
    // A body that is no JSON has no members to offer.
    guard let body = lastBody(at: offset, sources), body.count <= Analysis.sketchedBytes,
      let tree = try? JSONTree(parsing: body)
    else { return [] }
    var value: JSONView? = tree.root
    for step in steps {
      switch step {
      case .member(let token): value = value?[place.reading.tokens.text(token)]
      case .element: value = value?.elements.first
      case .call: return []
      }
    }
    let mask = suggestionMask
    var seen: Set<String> = []
    return (value?.members ?? []).prefix(500).enumerated().compactMap { rank, member in
      guard let key = member.key.string, seen.insert(key).inserted, !mask.mask(key).didMask,
        ScriptVariableName.folded(key) == key
      else { return nil }
      let detail = isSensitive(key) ? SecretMask.text : Analysis.detail(of: member.value, mask)
      return CompletionItem(
        key, .member, replaced: replaced, detail: detail, origin: "last response", rank: rank)
    }
  }

  private func lastBody(at offset: Int, _ sources: CompletionSources) -> [UInt8]? {
    let name = document.block(at: offset)?.name
    if let exchange = name.flatMap({ context.shownExchange($0) }) { return exchange.responseBody }
    return sources.bodies.first { !$0.response.isEmpty }?.response
  }

  /// Bytes of a body that is read while somebody types.
  private static let sketchedBytes = 2 << 20
}
