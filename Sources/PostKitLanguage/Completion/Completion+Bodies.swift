// Completion in bodies: keys and values of JSON, fields of forms, parts (C20 to C23).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

extension Analysis {
  /// What can stand in a body at the caret; `range` is the body's text.
  func bodyItems(
    _ range: Range<Int>, _ sources: CompletionSources, at caret: Int
  ) -> [CompletionItem] {
    guard let block = document.block(at: caret), let request = block.request else { return [] }
    let written = request.headers.first {
      block.text($0.name).equalsIgnoringASCIICase("content-type")
    }
    let value = written.map { $0.value.map { block.text($0) }.joined(separator: " ") }
    let type = value.flatMap(MediaType.init)
    let isGraphQL =
      block.writtenMethod.uppercased() == "GRAPHQL" || type?.essence == "application/graphql"
    let first = document.bytes[range].first { $0 > 32 }
    if isGraphQL {
      let url = url(at: caret)?.url ?? ""
      let place = DescribedPlace.graphQL(
        url: url, document: Array(document.bytes[range]), offset: caret - range.lowerBound)
      var list = SuggestionList(replaced: wordRange(at: caret), kind: .member)
      list.add(sources.described(place), rank: 0)
      return list.items(suggestible)
    }
    if type?.isForm == true { return formItems(range, sources, at: caret) }
    if let type, type.essence.hasPrefix("multipart/") {
      return partItems(range, boundary: type.parameter("boundary"), sources, at: caret)
    }
    let mayBeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if type?.isJSON == true || type == nil && mayBeJSON {
      return jsonItems(range, sources, at: caret)
    }
    return []
  }

  /// The word that the caret stands in.
  private func wordRange(at caret: Int) -> Range<Int> {
    let line = CaretLine(document, at: caret)
    var start = caret
    while start > line.range.lowerBound, document.bytes[start - 1].isWord { start -= 1 }
    return start..<line.wordEnd
  }

  // MARK: - JSON

  private func jsonItems(
    _ range: Range<Int>, _ sources: CompletionSources, at caret: Int
  ) -> [CompletionItem] {
    let sketch = JSONSketch(document.bytes, in: range, caret: caret)
    guard let place = sketch.caret else { return [] }
    let container = place.container.map { sketch.containers[$0] }
    switch place.role {
    case .key:
      guard let container else { return [] }
      return keyItems(place, container, sources, at: caret)
    case .value:
      let path = container.map { $0.path + [$0.isObject ? place.key ?? "" : "*"] } ?? []
      return valueItems(place, path, sources, at: caret)
    case .nothing: return []
    }
  }

  /// Keys that the same object has elsewhere (C20), without those that it has already.
  private func keyItems(
    _ place: JSONSketch.Caret, _ container: JSONSketch.Container, _ sources: CompletionSources,
    at caret: Int
  ) -> [CompletionItem] {
    var written = SeenTexts()
    var sent = SeenTexts()
    var received = SeenTexts()
    for sample in writtenBodies(like: caret) { sample.collectKeys(at: container.path, &written) }
    for body in sentSamples(sources, at: caret) {
      if body.isAnswer {
        body.sample.collectKeys(at: container.path, &received)
      } else {
        body.sample.collectKeys(at: container.path, &sent)
      }
    }
    let present = Set(container.keys.map(\.name))
    var texts = written.sorted.map { ($0, "file") } + sent.sorted.map { ($0, "history") }
    texts += received.sorted.map { ($0, "response") }
    let block = document.block(at: caret)
    texts += sources.described(
      .bodyKeys(
        method: block?.writtenMethod.uppercased() ?? "", url: url(at: caret)?.url ?? "",
        path: container.path)
    ).map { ($0.text, "description") }
    let mask = suggestionMask
    var known = present
    return texts.enumerated().compactMap { rank, entry in
      let (key, origin) = entry
      guard known.insert(key).inserted, maySuggest(key, mask) else { return nil }
      let quoted = "\"\(key)\""
      return CompletionItem(
        key, .member, text: place.hasColon ? quoted : quoted + ": ", replaced: place.token,
        origin: origin, rank: rank, continues: true, filter: place.isQuoted ? quoted : key)
    }
  }

  /// Values that the key has elsewhere, variables, and the words of JSON (C21).
  private func valueItems(
    _ place: JSONSketch.Caret, _ path: [String], _ sources: CompletionSources, at caret: Int
  ) -> [CompletionItem] {
    var values = SeenTexts()
    if !path.contains(where: isSensitive) {
      for sample in writtenBodies(like: caret) { sample.collectValues(at: path, &values) }
      for body in sentSamples(sources, at: caret) { body.sample.collectValues(at: path, &values) }
    }
    let mask = suggestionMask
    var items: [CompletionItem] = []
    for (rank, value) in values.sorted.prefix(Analysis.shownValues).enumerated()
    where maySuggest(value, mask) {
      let isText = value.hasPrefix("\"")
      if place.isQuoted && !isText { continue }
      items.append(
        CompletionItem(value, .value, replaced: place.token, origin: "seen before", rank: rank))
    }
    let typed = place.token.lowerBound + (place.isQuoted ? 1 : 0)
    let prefix = String(decoding: document.bytes[min(typed, caret)..<caret], as: UTF8.self)
    let scope = scope(at: caret)
    let definitions = bestDefinitions(
      prefix, scope, at: caret, count: Analysis.shownVariables
    ).prefix(Analysis.shownVariables)
    items += definitions.enumerated().map { rank, definition in
      let reference = "{{\(definition.name)}}"
      let isBare = !place.isQuoted && Analysis.isBare(definition)
      return CompletionItem(
        reference, .variable, text: isBare ? reference : "\"\(reference)\"",
        replaced: place.token, detail: Analysis.detail(definition),
        origin: definition.origin.layer.rawValue, rank: 200 + rank,
        filter: place.isQuoted ? "\"\(reference)\"" : reference)
    }
    guard !place.isQuoted else { return items }
    return items + ["true", "false", "null"].enumerated().map {
      CompletionItem($1, .value, replaced: place.token, rank: 100 + $0)
    }
  }

  private static let shownValues = 50
  private static let shownVariables = 100

  /// Whether a value stands in JSON without quotes.
  private static func isBare(_ definition: VariableDefinition) -> Bool {
    if definition.isSecret { return false }
    switch definition.value {
    case .string(let text): return Double(text) != nil || ["true", "false", "null"].contains(text)
    default: return true
    }
  }

  /// The bodies of requests near by with the same method and path.
  private func writtenBodies(like caret: Int) -> [JSONSample] {
    guard let own = document.block(at: caret), let request = own.request else { return [] }
    let path = pathText(own, request)
    let method = own.writtenMethod.uppercased()
    return blocksNear(caret).lazy.compactMap { block in
      guard let request = block.request, let body = request.body,
        block.writtenMethod.uppercased() == method, pathText(block, request) == path
      else { return nil }
      return JSONSample(document.bytes, in: block.absolute(body.range))
    }.prefix(Analysis.readSamples).map { $0 }
  }

  /// How many bodies of the file are read for one answer.
  private static let readSamples = 20

  private func pathText(_ block: ParsedBlock, _ request: RequestSyntax) -> String {
    let text = Array(request.target.map { block.text($0) }.joined().utf8)
    let shape = TargetShape(text)
    return String(decoding: text[shape.originEnd..<shape.pathEnd], as: UTF8.self)
  }

  /// The bodies of the history: those of requests with the same method, and all answers.
  private func sentSamples(
    _ sources: CompletionSources, at caret: Int
  ) -> [(sample: JSONSample, isAnswer: Bool)] {
    let method = document.block(at: caret)?.writtenMethod.uppercased()
    var result: [(sample: JSONSample, isAnswer: Bool)] = []
    for body in sources.bodies {
      if body.method == method {
        result.append((JSONSample(body.request, in: 0..<body.request.count), false))
      }
      result.append((JSONSample(body.response, in: 0..<body.response.count), true))
    }
    return result
  }
}

/// A JSON text in which keys and values are looked up; what is an array of objects there may be one
/// object here.
struct JSONSample {
  private let bytes: [UInt8]
  private let sketch: JSONSketch

  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    let end = min(range.upperBound, range.lowerBound + JSONSample.longest)
    sketch = JSONSketch(bytes, in: range.lowerBound..<end)
  }

  /// How much of a body is read.
  private static let longest = 32 << 10

  private func containers(at path: [String]) -> [JSONSketch.Container] {
    let exact = sketch.containers.filter { $0.isObject && $0.path == path }
    return exact.isEmpty
      ? sketch.containers.filter { $0.isObject && $0.path == ["*"] + path } : exact
  }

  /// Counts the keys of the object at a path, each once.
  func collectKeys(at path: [String], _ seen: inout SeenTexts) {
    var known: Set<String> = []
    for container in containers(at: path) {
      for key in container.keys where known.insert(key.name).inserted { seen.add(key.name) }
    }
  }

  /// Counts the scalars at a path, as written.
  func collectValues(at path: [String], _ seen: inout SeenTexts) {
    guard let last = path.last else { return }
    for container in containers(at: path.dropLast()) {
      for key in container.keys where key.name == last {
        guard let value = key.value, value.count <= JSONSample.longestValue else { continue }
        let text = String(decoding: bytes[value], as: UTF8.self)
        if !["true", "false", "null"].contains(text) { seen.add(text) }
      }
    }
  }

  /// Bytes of a value that is one of a few; longer ones are data.
  private static let longestValue = 80
}
