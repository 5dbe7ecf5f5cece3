// What can be typed at a place: every candidate of the context; the client filters.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// What a completion item is, for its icon.
package enum CompletionKind: Sendable, Hashable {
  case method, header, value, variable, dynamicVariable, request, member, metadata, snippet
}

/// One candidate.
package struct CompletionItem: Sendable, Hashable {
  package var label: String
  package var kind: CompletionKind
  /// What replaces `replaced`.
  package var text: String
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

  /// Makes an item.
  package init(
    _ label: String, _ kind: CompletionKind, text: String? = nil, replaced: Range<Int>,
    detail: String? = nil, origin: String? = nil, documentation: String? = nil, rank: Int = 0,
    continues: Bool = false
  ) {
    self.label = label
    self.kind = kind
    self.text = text ?? label
    self.replaced = replaced
    self.detail = detail
    self.origin = origin
    self.documentation = documentation
    self.rank = rank
    self.continues = continues
  }
}

extension Analysis {
  /// The characters after which an editor should ask by itself (lsp.md, section 1.10).
  package static let completionTriggers = ["{", "$", ".", "@", "#", ":", "/"]

  /// All candidates at an offset.
  package func completion(at offset: Int) -> [CompletionItem] {
    switch CursorContext(document, at: offset) {
    case .reference(let prefix, let replaced, let isClosed):
      referenceItems(prefix, replaced, isClosed: isClosed, at: offset)
    case .metadataKey(_, let replaced):
      metadataItems(replaced)
    case .metadataValue(let key, _, let replaced):
      metadataValueItems(key, replaced)
    case .requestName(_, let replaced):
      requestNameItems(replaced, marker: "")
    case .requestFile(_, let replaced, let isRun):
      (isRun ? requestNameItems(replaced, marker: "#") : []) + requestFileItems(replaced)
    case .method(_, let replaced):
      methodItems(replaced, at: offset)
    case .target(let prefix, let replaced):
      targetItems(prefix, replaced, at: offset)
    case .version(_, let replaced):
      ["HTTP/1.1", "HTTP/2", "HTTP/1.0", "HTTP/2 (Prior Knowledge)"].enumerated().map {
        CompletionItem($1, .value, replaced: replaced, rank: $0)
      }
    case .headerName(_, let replaced, let hasColon):
      headerNameItems(replaced, hasColon: hasColon, at: offset)
    case .headerValue(let name, _, let replaced, let needsBlank):
      headerValueItems(name, replaced, needsBlank: needsBlank, at: offset)
    case .body, .nothing:
      []
    }
  }

  private func metadataItems(_ replaced: Range<Int>) -> [CompletionItem] {
    MetadataCatalog.all.enumerated().map { rank, tag in
      CompletionItem(
        tag.key, .metadata,
        text: tag.argument.isEmpty || isBlank(at: replaced.upperBound) ? tag.key : tag.key + " ",
        replaced: replaced, detail: tag.argument.isEmpty ? nil : "@\(tag.key) \(tag.argument)",
        documentation: tag.summary, rank: rank)
    }
  }

  private func metadataValueItems(_ key: String, _ replaced: Range<Int>) -> [CompletionItem] {
    switch key {
    case "ref", "forceref": requestNameItems(replaced, marker: "")
    case "import": requestFileItems(replaced)
    case "dialect":
      DialectPreset.allCases.enumerated().map {
        CompletionItem($1.rawValue, .value, replaced: replaced, rank: $0)
      }
    case "timeout", "connectiontimeout":
      ["5 s", "30 s", "500 ms", "2 m"].enumerated().map {
        CompletionItem($1, .value, replaced: replaced, rank: $0)
      }
    default: []
    }
  }

  private func requestNameItems(_ replaced: Range<Int>, marker: String) -> [CompletionItem] {
    requestNames.enumerated().map {
      CompletionItem(marker + $1, .request, replaced: replaced, rank: $0)
    }
  }

  private func requestFileItems(_ replaced: Range<Int>) -> [CompletionItem] {
    context.requestFiles().enumerated().map {
      CompletionItem($1, .value, replaced: replaced, rank: 1_000 + $0)
    }
  }

  /// Methods, those used in this file first, and what else can begin a request.
  private func methodItems(_ replaced: Range<Int>, at offset: Int) -> [CompletionItem] {
    var uses: [String: Int] = [:]
    for block in document.requests {
      guard let range = block.syntax.request?.method else { continue }
      uses[block.text(range), default: 0] += 1
    }
    let methods = MethodCatalog.all.enumerated().sorted {
      (uses[$1.element.name] ?? 0, $0.offset) < (uses[$0.element.name] ?? 0, $1.offset)
    }
    return methods.enumerated().map { rank, method in
      CompletionItem(
        method.element.name, .method,
        text: method.element.name + (isBlank(at: replaced.upperBound) ? "" : " "),
        replaced: replaced, detail: method.element.source,
        documentation: method.element.summary, rank: rank,
        continues: true)
    }
  }

  /// Variables whose value is a URL, the schemes, and origins seen in this file.
  private func targetItems(
    _ prefix: String, _ replaced: Range<Int>, at offset: Int
  ) -> [CompletionItem] {
    let isStart = !prefix.contains("?") && !prefix.contains("/") || prefix.hasSuffix(":/")
    guard isStart, !prefix.hasPrefix("&"), !prefix.contains("://") else { return [] }
    let variables = scope.definitions(at: offset).filter { definition in
      !definition.isSecret && ["http://", "https://"].contains {
        definition.value.substitutionText.hasPrefix($0)
      }
    }
    var items = variables.enumerated().map { rank, variable in
      CompletionItem(
        "{{\(variable.name)}}", .variable, replaced: replaced,
        detail: variable.shownText, origin: variable.origin.layer.rawValue, rank: rank)
    }
    var seen: Set<String> = []
    for block in document.blocks {
      guard let target = block.request?.target.map({ block.text($0) }).joined(),
        let parts = URLParts(target), !parts.host.contains("{")
      else { continue }
      let origin = parts.scheme + "://" + parts.host + (parts.port.map { ":\($0)" } ?? "")
      if seen.insert(origin).inserted {
        items.append(CompletionItem(origin, .value, replaced: replaced, rank: 1_000 + seen.count))
      }
    }
    let schemes = ["https://", "http://", "{{$exampleServer}}/"]
    items += schemes.enumerated().map {
      CompletionItem($1, .value, replaced: replaced, rank: 2_000 + $0)
    }
    return items
  }

  /// Header names that the request does not have yet.
  private func headerNameItems(
    _ replaced: Range<Int>, hasColon: Bool, at offset: Int
  ) -> [CompletionItem] {
    var present: Set<String> = []
    if let block = document.block(at: offset) {
      for header in block.syntax.request?.headers ?? [] {
        let line = block.absolute(header.line)
        if !(line.lowerBound...line.upperBound).contains(offset) {
          present.insert(block.text(header.name).lowercased())
        }
      }
    }
    let common = [
      "content-type", "authorization", "accept", "user-agent", "cookie", "cache-control",
    ]
    return HeaderCatalog.all.filter { !present.contains($0.name.lowercased()) }.map { header in
      let place = common.firstIndex(of: header.name.lowercased())
      return CompletionItem(
        header.name, .header,
        text: hasColon
          ? header.name : header.name + (isBlank(at: replaced.upperBound) ? ":" : ": "),
        replaced: replaced, detail: header.source, documentation: header.summary,
        rank: place ?? 100, continues: !header.values.isEmpty)
    }
  }

  private func headerValueItems(
    _ name: String, _ replaced: Range<Int>, needsBlank: Bool, at offset: Int
  ) -> [CompletionItem] {
    var values = HeaderCatalog.named(name)?.values ?? []
    if ["authorization", "proxy-authorization"].contains(name.lowercased()) {
      values = tokenNames(at: offset).map { "Bearer {{\($0)}}" }
        + values.filter { $0 != "Bearer {{token}}" || tokenNames(at: offset).isEmpty }
    }
    return values.enumerated().map { rank, value in
      CompletionItem(
        value, .value, text: needsBlank ? " " + value : value, replaced: replaced, rank: rank)
    }
  }

  /// The variables that hold a bearer token, by their names.
  private func tokenNames(at offset: Int) -> [String] {
    scope.definitions(at: offset).map(\.name).filter { $0.lowercased().contains("token") }
  }

  /// Whether a blank stands at a place, so that none needs to be inserted there.
  private func isBlank(at place: Int) -> Bool {
    document.bytes.indices.contains(place)
      && (document.bytes[place] == 32 || document.bytes[place] == 9)
  }

  /// The names of the requests of the file, in order, then those of files that it imports.
  var requestNames: [String] {
    var seen: Set<String> = []
    let documents = [document] + scope.files.files[scope.file].visible.map {
      scope.files.files[$0].document
    }
    return documents.flatMap(\.requests).compactMap(\.name).filter { seen.insert($0).inserted }
  }
}
