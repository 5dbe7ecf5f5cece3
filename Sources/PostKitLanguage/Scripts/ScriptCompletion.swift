// What can be typed in a script: members, names in quotes, and words (C24).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension Analysis {
  /// The script, or the expression between braces, at an offset; `nil` elsewhere.
  func scriptPlace(at offset: Int) -> ScriptPlace? {
    guard let block = document.block(at: offset) else { return nil }
    if !block.scripts.isEmpty, let place = block.scriptPlace(at: offset) { return place }
    if let place = block.expressionPlace(at: offset) { return place }
    // One that is being written may not be closed.
    guard case .reference(let written, let replaced, let braces) = CursorContext(
      document, at: offset), braces.opening.isEmpty
    else { return nil }
    let text = replaced.lowerBound..<max(offset, replaced.lowerBound)
    if isMember(written, at: offset) {
      return ScriptPlace(expression: text, in: document.bytes)
    }
    return ScriptPlace(writing: text, in: document.bytes)
  }

  /// Whether a path that is being written leads into an object of scripts, as no variable and no
  /// request has the name.
  private func isMember(_ written: String, at offset: Int) -> Bool {
    guard let dot = written.firstIndex(of: "."), !written.hasPrefix("$") else { return false }
    let name = String(written[..<dot])
    return ScriptAPI.globals.contains { $0.path == name && $0.phases.contains(.expression) }
      && scope(at: offset).lookup(name, at: offset) == nil
      && scope.request(referredToAs: name) == nil
  }

  /// What can stand at an offset of a script; `nil` where no script is.
  func scriptItems(_ sources: CompletionSources, at offset: Int) -> [CompletionItem]? {
    guard let place = scriptPlace(at: offset) else { return nil }
    let reading = place.reading
    let at = place.place(offset)
    if reading.isInText(at) { return [] }
    if let string = reading.string(at: at) {
      return ScriptTextCompletion(self, place, sources, at: offset).items(in: string)
    }
    let word = reading.token(at: at).flatMap { token -> Int? in
      reading.tokens[token].kind == .word ? token : nil
    }
    let range = word.map { reading.tokens[$0].range } ?? at..<at
    let replaced = place.absolute(range)
    let before = word.map { $0 - 1 } ?? reading.firstToken(from: at) - 1
    if reading.tokens.isDot(before) {
      return scriptMembers(place, behind: before, replaced, sources, at: offset)
    }
    if let body = bodyPattern(place, at: offset),
      let keys = bodyKeys(place, body, replaced, sources, at: offset)
    {
      return keys
    }
    if let names = importItems(place, replaced, token: word ?? before + 1) { return names }
    // A name that is being declared is nobody else's.
    if let keyword = reading.tokens.word(before),
      ["const", "let", "var", "function", "class"].contains(keyword)
    {
      return []
    }
    return scriptWords(place, replaced, token: word ?? before + 1, at: offset)
  }

  /// The members of what stands before a dot.
  private func scriptMembers(
    _ place: ScriptPlace, behind dot: Int, _ replaced: Range<Int>, _ sources: CompletionSources,
    at offset: Int
  ) -> [CompletionItem] {
    let reading = place.reading
    var chain: ScriptChain?
    var count: Int?
    if let dangling = reading.chain(danglingAt: dot) {
      chain = dangling
    } else if let named = reading.chain(naming: dot + 1) {
      chain = named
      count = named.steps.firstIndex(of: .member(dot + 1))
    }
    let standard = ScriptStandard.items(
      reading.standardMembers(behind: dot), replaced, rank: 200)
    guard let chain else { return standard }
    let steps = Array(chain.steps.prefix(count ?? chain.steps.count))
    let head = ScriptChain(steps: steps, danglingDot: nil)
    if let keys = bodyKeys(place, head, replaced, sources, at: offset) { return keys }
    if let declaration = reading.declaration(of: chain.first) {
      return steps.count == 1 ? moduleItems(declaration, place, replaced) ?? [] : []
    }
    let names = ScriptTextCompletion(self, place, sources, at: offset)
      .members(of: reading.path(of: head), replaced)
    let meaning = reading.meaning(of: head)
    let members = ScriptAPI.members(of: meaning)
    if case .entry(let entry) = meaning, entry.kind != .function, entry.type == "string" {
      return ScriptStandard.items(ScriptStandard.ofTexts, replaced)
    }
    return names + standard
      + members.filter { !$0.phases.isDisjoint(with: place.phase) }.enumerated().map {
        Analysis.item($1, replaced, rank: $0, place.family)
      }
  }

  /// The names that can stand alone: what the script declares, variables, the objects of the table,
  /// and the words of the language.
  private func scriptWords(
    _ place: ScriptPlace, _ replaced: Range<Int>, token: Int, at offset: Int
  ) -> [CompletionItem] {
    var items: [CompletionItem] = []
    var known: Set<String> = []
    let declared = place.reading.declarations(knownAt: token)
    for (name, declaration) in declared.sorted(by: { $0.key < $1.key })
    where declaration.token != token {
      known.insert(name)
      let kind: CompletionKind = declaration.kind == .function ? .function : .variable
      items.append(
        CompletionItem(name, kind, replaced: replaced, origin: "this script", rank: 0))
    }
    for (name, detail) in bareVariables(at: offset) where known.insert(name).inserted {
      items.append(
        CompletionItem(
          name, .variable, replaced: replaced, detail: detail, origin: "variable", rank: 1))
    }
    for entry in ScriptAPI.globals where !entry.phases.isDisjoint(with: place.phase) {
      guard known.insert(entry.path).inserted else { continue }
      items.append(Analysis.item(entry, replaced, rank: 10, place.family))
    }
    items += ScriptStandard.items(ScriptStandard.globals, replaced, rank: 20).filter {
      known.insert($0.label).inserted
    }
    items += Analysis.scriptSnippets(place, replaced)
    items += ScriptReading.keywords.sorted().map {
      CompletionItem($0, .keyword, replaced: replaced, rank: 40)
    }
    return items
  }

  /// Variables by the names that scripts know them by, each with its value as it may be shown.
  func bareVariables(at offset: Int) -> [(name: String, detail: String?)] {
    let defined = scope(at: offset).definitions(at: offset).map {
      (ScriptVariableName.folded($0.name), Optional(Analysis.detail($0)))
    }
    let set = document.scriptVariables.blocks.keys.sorted().map {
      (ScriptVariableName.folded($0), Optional("set by a script"))
    }
    return (defined + set).filter { !ScriptReading.isKeyword($0.0) && !$0.0.isEmpty }
  }

  /// Texts that people write again and again.
  private static func scriptSnippets(
    _ place: ScriptPlace, _ replaced: Range<Int>
  ) -> [CompletionItem] {
    guard place.phase == .response else { return [] }
    let test = place.family == .httpyac ? "test" : "client.test"
    let status = "client.assert(response.status === "
    let forms = [
      (
        "test status", "\(test)(\"status is 200\", () => {\n  \(status)200)\n})",
        "\(test)(\"status is ${1:200}\", () => {\n  \(status)${1:200})\n})"
      ),
      (
        "assert status", "\(status)200)", "\(status)${1:200}, \"${2:the status is not 200}\")"
      ),
      (
        "save token", "client.global.set(\"token\", response.body.token)",
        "client.global.set(\"${1:token}\", response.${2:body.token})"
      ),
    ]
    return forms.map { label, text, snippet in
      CompletionItem(
        label, .snippet, text: text, snippet: snippet, replaced: replaced, origin: "snippet",
        rank: 30)
    }
  }

  /// The item of an entry, those of the script's own family first.
  static func item(
    _ entry: ScriptEntry, _ replaced: Range<Int>, rank: Int, _ family: ScriptFamilies
  ) -> CompletionItem {
    let name = String(entry.name)
    let isFunction = entry.kind == .function
    let arguments = entry.signatures.first.map { $0.parameters.isEmpty ? "()" : "($1)" } ?? ""
    var snippet = isFunction ? Snippet.literal(name) + arguments : nil
    if var own = entry.snippet {
      if own.hasPrefix(entry.path), entry.path != name {
        own = String(own.dropFirst(entry.path.count - name.count))
      }
      snippet = own
    }
    var item = CompletionItem(
      name, isFunction ? .function : entry.kind == .object ? .object : .member, text: name,
      snippet: snippet, replaced: replaced,
      detail: isFunction ? entry.signatures.first?.text : entry.type,
      origin: entry.families.names.first, documentation: entry.documentation,
      rank: rank + (entry.families.contains(family) ? 0 : 100))
    item.apiPath = entry.path
    return item
  }
}

extension ScriptFamilies {
  /// What the tools are called.
  var names: [String] {
    let all: [(ScriptFamilies, String)] = [
      (.jetbrains, "JetBrains"), (.httpyac, "httpYac"), (.kulala, "kulala"), (.postman, "Postman"),
      (.bruno, "Bruno"), (.web, "web"), (.node, "Node"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
