// What can be typed at a place (PROMISES.md C1 to C24): the items, and who makes them.

import PostKitEvaluate
import PostKitHTTP
package import PostKitSyntax
import PostKitText

/// What a completion item is, for its icon.
package enum CompletionKind: Sendable, Hashable {
  case method, header, value, variable, dynamicVariable, request, member, metadata, snippet
  case file, folder
  /// What scripts can name, and the words of their language.
  case function, object, keyword
}

/// One candidate.
package struct CompletionItem: Sendable, Hashable {
  package var label: String
  package var kind: CompletionKind
  /// What replaces `replaced`.
  package var text: String
  /// The same with places to fill in, for editors that know them.
  package var snippet: String?
  package var replaced: Range<Int>
  /// A value or a signature, never a secret.
  package var detail: String?
  /// Where it comes from.
  package var origin: String?
  package var documentation: String?
  /// The place in the list; smaller comes first.
  package var rank: Int
  /// Whether a further completion is worth asking for once this one is in.
  package var continues: Bool
  /// What is held against the text from the start of `replaced` on, where it isn't the label.
  package var filter: String?
  /// The path of what scripts can name, by which its documentation is found.
  package var apiPath: String?
  /// Where the rest of the word begins that may stay, for editors that let their users choose
  /// between inserting and replacing; `nil` where all that is replaced must go.
  package var insertedEnd: Int?
  /// Whether the service's description says that it is on its way out.
  package var isDeprecated = false
  /// Whether all that is replaced behind the caret is a quote.
  package var isBeforeQuote = false

  /// Makes an item.
  package init(
    _ label: String, _ kind: CompletionKind, text: String? = nil, snippet: String? = nil,
    replaced: Range<Int>, detail: String? = nil, origin: String? = nil,
    documentation: String? = nil, rank: Int = 0, continues: Bool = false, filter: String? = nil
  ) {
    self.label = label
    self.kind = kind
    self.text = text ?? label
    self.snippet = snippet
    self.replaced = replaced
    self.detail = detail
    self.origin = origin
    self.documentation = documentation
    self.rank = rank
    self.continues = continues
    self.filter = filter
  }

  /// The same with the quote behind the caret left where it is, for editors that replace nothing
  /// there (Neovim): it ends the text, or the value that is yet to be filled in, else the key.
  package var keepingQuote: CompletionItem {
    guard isBeforeQuote, let quote = text.lastIndex(of: "\""), quote > text.startIndex else {
      return self
    }
    var result = self
    result.filter = filterText
    result.text = String(text[..<quote])
    let value = snippet.map { $0.hasSuffix(",") ? $0.dropLast() : $0[...] }
    result.snippet = value.flatMap { $0.hasSuffix("$1\"") ? String($0.dropLast()) : nil }
    result.replaced = replaced.lowerBound..<replaced.upperBound - 1
    return result
  }

  /// What goes in where snippets can, also a text without places that has a blank in it: Neovim
  /// takes no more than the first word of a plain one.
  package var snippetText: String? {
    snippet ?? (text.contains(where: \.isWhitespace) ? Snippet.literal(text) : nil)
  }

  /// What is held against the text from the start of `replaced` on.
  package var filterText: String { filter ?? (text.hasPrefix(label) ? label : text) }
}

extension Analysis {
  /// The characters after which an editor should ask by itself.
  package static let completionTriggers = [
    "{", "$", ".", "@", "#", ":", "/", "<", "\"", "?", "&", "=",
  ]

  /// The best candidates at an offset.
  package func completion(
    at offset: Int, with sources: CompletionSources = CompletionSources(), limit: Int = 200
  ) -> CompletionAnswer {
    let caret = CaretLine(document, at: offset).caret
    let sources = withoutSecrets(sources)
    let items =
      scriptItems(sources, at: caret)
      ?? candidates(CursorContext(document, at: offset), sources, at: caret, limit)
    return CompletionAnswer(items, document.bytes, caret: caret, limit: limit)
  }

  /// Sources whose descriptions offer no secret, which may stand in a URL that was typed.
  private func withoutSecrets(_ sources: CompletionSources) -> CompletionSources {
    var result = sources
    result.described = { place in
      let texts = sources.described(place)
      if texts.isEmpty { return [] }
      let mask = suggestionMask
      return texts.filter { maySuggest($0.text, mask) }
    }
    return result
  }

  private func candidates(
    _ context: CursorContext, _ sources: CompletionSources, at caret: Int, _ limit: Int
  ) -> [CompletionItem] {
    switch context {
    case .reference(let prefix, let replaced, let braces):
      opened(
        referenceItems(prefix, replaced, braces, sources, at: caret, limit), braces,
        from: replaced.lowerBound)
    case .metadataKey(_, let replaced):
      metadataItems(replaced, at: caret)
    case .comment(let replaced):
      metadataItems(replaced, at: caret, lead: "@")
    case .definitionName(let replaced, let hasValue):
      definitionNameItems(replaced, hasValue: hasValue, at: caret)
    case .assertion(let words, let replaced):
      assertionItems(words, replaced, at: caret)
    case .bodyStart(let place):
      bodyStartItems(place, sources)
    case .metadataValue(let tag, let words, let replaced):
      metadataValueItems(tag, words, replaced, at: caret)
    case .requestName(let prefix, let replaced):
      requestNameItems(prefix, replaced, marker: "")
    case .requestNameOfFile(let path, let replaced):
      requestNameItems(ofFile: path, replaced)
    case .requestFile(let prefix, let replaced, let isRun):
      requestFileItems(prefix, replaced, isRun: isRun, sources)
    case .runArgument(let argument, let given, let replaced):
      runArgumentItems(argument, given, replaced)
    case .path(let use, let folder, let replaced):
      pathItems(use, folder, replaced, sources)
    case .requestStart(let replaced, let isWholeLine):
      isWholeLine ? startItems(replaced, at: caret) : methodItems(replaced, sources, at: caret)
    case .target(let before, let prefix, let replaced):
      targetItems(TargetCaret(before: before, typed: prefix), replaced, sources, at: caret)
    case .version(_, let replaced):  // (PROMISES.md C6)
      ["HTTP/1.1", "HTTP/2", "HTTP/1.0", "HTTP/2 (Prior Knowledge)"].enumerated().map {
        CompletionItem($1, .value, replaced: replaced, rank: $0)
      }
    case .headerName(_, let replaced, let hasColon):
      headerNameItems(replaced, hasColon: hasColon, sources, at: caret)
    case .headerValue(let name, let prefix, let replaced, let needsBlank):
      headerValueItems(
        HeaderCaret(name: name, typed: prefix, replaced: replaced, needsBlank: needsBlank),
        sources, at: caret)
    case .body(let range):
      bodyItems(range, sources, at: caret)
    case .nothing:
      []
    }
  }

  /// The request whose latest response the answer at an offset reads; `nil` for most places.
  package static func responseName(_ document: ParsedDocument, at offset: Int) -> String? {
    if let name = scriptResponseName(document, at: offset) { return name }
    guard case .reference(let prefix, _, _) = CursorContext(document, at: offset),
      let dot = prefix.firstIndex(of: "."), !prefix.hasPrefix("$")
    else { return nil }
    return String(prefix[..<dot])
  }

  /// What the answer at an offset needs of the history.
  package func completionNeed(at offset: Int) -> CompletionNeed {
    let caret = CaretLine(document, at: offset).caret
    if let block = document.block(at: caret), block.hasScript(at: caret) {
      return readsBody(block, at: caret) ? need(ofBodiesLike: block) : .nothing
    }
    switch CursorContext(document, at: offset) {
    case .reference(let prefix, _, _):
      return need(ofPath: prefix)
    case .target(let before, let prefix, _):
      let target = TargetCaret(before: before, typed: prefix)
      if target.part == .origin { return .targets(host: nil) }
      return base(of: target.origin, at: caret).map { .targets(host: $0.host) } ?? .nothing
    case .headerName:
      return .fields(host: url(at: caret)?.host)
    case .headerValue(let name, _, _, _):
      let host = url(at: caret)?.host
      if name.equalsIgnoringASCIICase("cookie") { return .cookies(host: host) }
      return isSensitive(name) ? .nothing : .fields(host: host)
    case .body, .bodyStart:
      return document.block(at: caret).map(need(ofBodiesLike:)) ?? .nothing
    case .metadataKey, .comment, .definitionName, .assertion, .metadataValue, .requestName,
      .requestNameOfFile, .requestFile, .runArgument, .path, .requestStart, .version, .nothing:
      return .nothing
    }
  }

  /// What a path into an exchange needs where the request was not sent yet.
  private func need(ofPath prefix: String) -> CompletionNeed {
    guard let dot = prefix.firstIndex(of: "."), !prefix.hasPrefix("$") else { return .nothing }
    let name = String(prefix[..<dot])
    let rest = prefix[dot...]
    guard rest.hasPrefix(".response.body.") || rest.hasPrefix(".request.body."),
      let block = scope.request(referredToAs: name), context.shownExchange(name) == nil
    else { return .nothing }
    return need(ofBodiesLike: block)
  }

  private func need(ofBodiesLike block: ParsedBlock) -> CompletionNeed {
    guard let request = block.request else { return .nothing }
    let target = request.target.map { block.text($0) }.joined()
    let offset = block.range.lowerBound
    if let url = base(of: target, at: offset), !url.host.isEmpty, !url.host.contains("{") {
      return .bodies(host: url.host, path: url.path.isEmpty ? "/" : url.path)
    }
    // Where the host is not known, its path may still be.
    let path = pathText(block, request)
    return path.count > 1 ? .bodies(host: nil, path: path) : .nothing
  }

  /// The URL of the request at an offset, as far as its names are known.
  func url(at offset: Int) -> URLParts? {
    guard let block = document.block(at: offset), let request = block.request else { return nil }
    let target = request.target.map { block.text($0) }.joined()
    return base(of: target, at: offset)
  }

  /// The URL that a text stands for, as far as its names are known.
  func base(of text: String, at offset: Int) -> URLParts? {
    var evaluator = Evaluator(context: context, scope: scope)
    return URLParts(evaluator.display(text, at: offset))
  }

  /// Whether a text may be offered: it holds no secret, nor the mask of one.
  func maySuggest(_ text: String, _ mask: SecretMask) -> Bool {
    !text.isEmpty && text.utf8.count <= Analysis.suggestedBytes && !text.breaksLine
      && !text.holds(SecretMask.text) && !text.holds("%E2%80%A2") && !mask.mask(text).didMask
  }

  /// The mask of all that is never to be suggested.
  var suggestionMask: SecretMask { SecretMask(secrets: knownSecrets) }

  /// Whether what a name stands for is likely to be a secret, so that no literal is suggested.
  func isSensitive(_ name: String) -> Bool {
    let name = name.lowercased().filter { $0 != "-" && $0 != "_" }
    return SecretMask.isAlwaysMasked(name) || Analysis.sensitiveWords.contains(where: name.contains)
  }

  private static let sensitiveWords = [
    "password", "passwd", "passphrase", "pwd", "secret", "token", "jwt", "apikey", "accesskey",
    "privatekey", "signature", "credential", "session", "auth", "otp",
  ]

  /// Bytes of a text that is suggested; longer ones are data.
  private static let suggestedBytes = 200

  /// The blocks around an offset, the nearest first, without the one there: in a long file what is
  /// near says enough.
  func blocksNear(_ offset: Int) -> [ParsedBlock] {
    guard let own = document.block(at: offset)?.index else { return [] }
    var result: [ParsedBlock] = []
    for distance in 1...Analysis.nearbyBlocks {
      for index in [own - distance, own + distance] where document.blocks.indices.contains(index) {
        result.append(document.blocks[index])
      }
    }
    return result
  }

  /// How many blocks above and below are looked at while somebody types.
  private static let nearbyBlocks = 200

  /// Whether a blank stands at a place, so that none needs to be inserted there.
  func isBlank(at place: Int) -> Bool {
    document.bytes.indices.contains(place)
      && (document.bytes[place] == 32 || document.bytes[place] == 9)
  }

  /// A variable in Markdown: its value, masked where it is a secret, where it comes from, and what
  /// it covers; `nil` where nothing defines it.
  package func variableText(_ name: String, at offset: Int) -> String? {
    let candidates = scope(at: offset).candidates(name, at: offset)
    guard let first = candidates.first else { return nil }
    var lines = [
      "\(Analysis.code(name)) = \(Analysis.code(Analysis.detail(first)))", Analysis.source(first),
    ]
    for other in candidates.dropFirst().prefix(Analysis.shownCandidates) {
      lines.append("covers \(Analysis.code(Analysis.detail(other))), \(Analysis.source(other))")
    }
    return SecretText.masking(lines.joined(separator: "\n\n"), Set(knownSecrets))
  }

  private static let shownCandidates = 5

  private static func source(_ definition: VariableDefinition) -> String {
    let layer = definition.origin.layer.rawValue
    guard let place = place(definition.origin) else { return layer }
    return "\(layer): \(Markdown.text(place))"
  }
}
