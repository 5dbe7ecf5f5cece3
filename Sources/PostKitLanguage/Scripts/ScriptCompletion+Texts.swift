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
    if let open = reading.opener(string), reading.tokens.isMark(open, "["), open == string - 1,
      let owner = reading.chain(indexedAt: open)
    {
      return keys(of: owner, replaced)
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

  /// What can stand between the brackets behind an object.
  private func keys(of owner: ScriptChain, _ replaced: Range<Int>) -> [CompletionItem] {
    if let keys = analysis.bodyKeys(place, owner, replaced, sources, at: offset, inQuotes: true) {
      return keys
    }
    let path = place.reading.path(of: owner)
    switch path {
    case "response.headers": return headers(path, replaced)
    case "$global": return names(.globalReference, replaced)
    case "exports", "module.exports": return names(.reference, replaced)
    default: return []
    }
  }

  /// Names that can be members of an object in which variables are kept, by its path.
  func members(of path: String, _ replaced: Range<Int>) -> [CompletionItem] {
    let found: [CompletionItem]
    switch path {
    case "$global": found = names(.globalReference, replaced)
    case "exports", "module.exports":
      found = analysis.document.scriptVariables.blocks.keys.sorted().map {
        CompletionItem($0, .variable, replaced: replaced, detail: "set by a script")
      }
    case "response.headers" where place.family == .httpyac:
      found = headers(path, replaced).filter { $0.origin == "last response" }
    default: return []
    }
    return found.filter { ScriptVariableName.folded($0.label) == $0.label }
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
    case .word, .open, .openVariable: found = []
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
