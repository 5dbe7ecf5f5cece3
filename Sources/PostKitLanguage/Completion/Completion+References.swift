// Completion between `{{` and `}}`: variables, dynamic variables, requests (C11, C12).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension Analysis {
  /// What can stand in a reference that begins with `prefix` (C11 to C15).
  func referenceItems(
    _ prefix: String, _ replaced: Range<Int>, _ braces: ReferenceBraces,
    _ sources: CompletionSources, at offset: Int, _ limit: Int
  ) -> [CompletionItem] {
    if let items = memberItems(prefix, replaced, braces, sources, at: offset) { return items }
    if let items = prefixedItems(prefix, replaced, braces, at: offset) { return items }
    if let items = clientItems(prefix, at: offset) { return items }
    if let items = argumentItems(prefix, replaced, braces, at: offset) { return items }
    let close = braces.closing
    let scope = scope(at: offset)
    let hasMembers = hasDot(at: replaced.upperBound)
    let ownName = nameBeingDefined(at: offset)
    var items = bestDefinitions(
      prefix, scope, at: offset, count: limit + 1
    ).compactMap { definition -> CompletionItem? in
      if hasMembers && !definition.hasMembers { return nil }
      // A definition that reads itself has no value.
      if definition.name == ownName, definition.origin.layer == .file { return nil }
      let layer = definition.origin.layer
      return CompletionItem(
        definition.name, .variable, text: definition.name + close, replaced: replaced,
        detail: Analysis.detail(definition), origin: layer.rawValue,
        documentation: Analysis.place(definition.origin).map(Markdown.text),
        rank: Analysis.rank(layer))
    }
    items += scope.definedLater.map { name, request in
      CompletionItem(
        name, .variable, text: name + close, replaced: replaced,
        detail: "from the response of \(request)",
        origin: VariableOrigin.Layer.response.rawValue, rank: 0)
    }
    items += bestRequestNames(prefix, count: limit + 1).map { name in
      CompletionItem(
        name, .request, text: hasDot(at: replaced.upperBound) ? name : name + ".response.",
        replaced: replaced,
        detail: "a part of the response of \(name)", origin: "request", rank: 50, continues: true)
    }
    return hasMembers ? items : items + dynamicItems(prefix, replaced, braces)
  }

  /// The items with the brace before the name that is missing, from where the name begins.
  func opened(
    _ items: [CompletionItem], _ braces: ReferenceBraces, from start: Int
  ) -> [CompletionItem] {
    guard !braces.opening.isEmpty else { return items }
    return items.map { item in
      let kept = document.bytes[start..<max(start, item.replaced.lowerBound)]
      let lead = String(decoding: kept, as: UTF8.self)
      var result = item
      result.filter = lead + item.filterText
      result.text = braces.opening + lead + item.text
      result.snippet = item.snippet.map { Snippet.literal(braces.opening + lead) + $0 }
      result.replaced = min(start, item.replaced.lowerBound)..<item.replaced.upperBound
      return result
    }
  }

  /// The dynamic variables with their forms, which are the same for every request.
  private static let dynamicForms = DynamicVariables.all.map { variable in
    let form = SignatureForm(variable)
    return (variable: variable, form: form, snippet: form.snippet)
  }

  /// The dynamic variables; without their `$` those alone of which a word begins as is typed.
  private func dynamicItems(
    _ prefix: String, _ replaced: Range<Int>, _ braces: ReferenceBraces
  ) -> [CompletionItem] {
    let close = braces.closing
    let filter = CompletionFilter(prefix.utf8)
    let next = document.bytes.dropFirst(replaced.upperBound).first
    // What follows braces that are open is none of the arguments.
    let isFollowed =
      braces.reachesBehindCaret
      && (isBlank(at: replaced.upperBound) || next == UInt8(ascii: "("))
    return Analysis.dynamicForms.compactMap { variable, form, formSnippet in
      if !prefix.hasPrefix("$"), filter.quality(form.name).map({ $0 > 1 }) ?? true { return nil }
      let opening = form.needsArguments ? form.isCall ? "(" : " " : close
      return CompletionItem(
        form.name, .dynamicVariable, text: isFollowed ? form.name : form.name + opening,
        snippet: isFollowed ? nil : formSnippet.map { $0 + Snippet.literal(close) },
        replaced: replaced, detail: variable.signature, origin: "dynamic",
        documentation: variable.summary, rank: 60)
    }
  }

  /// The name that the line of an offset defines; `nil` where it defines none.
  private func nameBeingDefined(at offset: Int) -> String? {
    guard let block = document.block(at: offset) else { return nil }
    let place = offset - block.range.lowerBound
    let variable = block.variables.first { $0.line.touches(place) }
    return variable.map { block.name(of: $0) }
  }

  /// Names behind `$env.` and `$global.`; `nil` where neither is written.
  private func prefixedItems(
    _ prefix: String, _ replaced: Range<Int>, _ braces: ReferenceBraces, at offset: Int
  ) -> [CompletionItem]? {
    let close = braces.closing
    if prefix.hasPrefix("$env.") {
      return context.processNames().enumerated().map { rank, name in
        CompletionItem(
          "$env." + name, .value, text: "$env." + name + close, replaced: replaced,
          origin: VariableOrigin.Layer.process.rawValue, rank: rank)
      }
    }
    guard prefix.hasPrefix("$global.") else { return nil }
    return scope(at: offset).globalDefinitions(at: offset).enumerated().map { rank, definition in
      CompletionItem(
        "$global." + definition.name, .variable, text: "$global." + definition.name + close,
        replaced: replaced, detail: Analysis.detail(definition),
        origin: definition.origin.layer.rawValue, rank: rank)
    }
  }

  /// What a dynamic variable takes as its first argument, where that is one of a few; `nil` before
  /// the arguments.
  private func argumentItems(
    _ prefix: String, _ replaced: Range<Int>, _ braces: ReferenceBraces, at offset: Int
  ) -> [CompletionItem]? {
    let words = prefix.split(separator: " ", omittingEmptySubsequences: false)
    guard prefix.hasPrefix("$"), words.count > 1, let typed = words.last else { return nil }
    let texts: [String]
    switch (words[0], words.count) {
    case ("$dotenv", 2): texts = context.dotEnvNames
    case ("$processEnv", 2): texts = context.processNames()
    case ("$timestamp", 2), ("$datetime", 3), ("$localDatetime", 3): texts = ["-1", "1"]
    case ("$timestamp", 3), ("$datetime", 4), ("$localDatetime", 4): texts = Analysis.timeUnits
    case ("$datetime", 2), ("$localDatetime", 2):
      texts = ["rfc1123", "iso8601", "\"YYYY-MM-DD\""]
    default: texts = []
    }
    let start = offset - typed.utf8.count
    return texts.enumerated().map { rank, text in
      CompletionItem(
        text, .value, text: text + braces.closing,
        replaced: start..<max(start, replaced.upperBound), rank: rank)
    }
  }

  /// The units by which a time can be shifted, the commonest first.
  private static let timeUnits = ["d", "h", "m", "s", "ms", "w", "M", "y"]

  /// The definitions whose names fit best, at most `count` of each kind of source.
  func bestDefinitions(
    _ prefix: String, _ scope: Scope, at offset: Int, count: Int
  ) -> [VariableDefinition] {
    let filter = CompletionFilter(prefix.utf8)
    var known: Set<String> = []
    return scope.nameGroups.flatMap { filter.best($0, count: count) }
      .filter { known.insert($0).inserted }.compactMap { scope.lookup($0, at: offset) }
  }

  /// The layer that wins comes first.
  static func rank(_ layer: VariableOrigin.Layer) -> Int {
    switch layer {
    case .override, .prompt, .loop, .script, .global, .response: 0
    case .file, .importedFile: 1
    case .collection, .privateEnvironment, .userEnvironment, .publicEnvironment, .editorSettings: 2
    case .shared: 3
    case .dotEnv, .process: 4
    }
  }

  /// The value as written; never that of a secret.
  static func detail(_ definition: VariableDefinition) -> String {
    if definition.origin.layer == .prompt { return "PostKit asks before sending" }
    if definition.isFile { return "the content of \(shortened(definition.shownText))" }
    return definition.isSecret ? SecretMask.text : shortened(definition.shownText)
  }

  /// The first line of a text, cut where it is long.
  static func shortened(_ text: String) -> String {
    // Letters are counted only where there may be too many: an outline asks thousands of times.
    if text.utf8.count <= 60, !text.utf8.contains(0x0A) { return text }
    let line = text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    return line.count > 60 ? String(line.prefix(59)) + "…" : line
  }

  /// The file and line of a definition in words; `nil` where no file holds it.
  static func place(_ origin: VariableOrigin) -> String? {
    guard origin.line > 0 else { return nil }
    let name = origin.path.split(separator: "/").last.map(String.init) ?? "this file"
    return "\(name), line \(origin.line)"
  }
}
