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
    if let (_, parts) = graphQL(at: caret) {
      return GraphQLRequest(parts, sources.schema, caret: caret).completion(at: caret)
    }
    guard let block = document.block(at: caret), let request = block.request else { return [] }
    let written = request.headers.first {
      block.text($0.name).equalsIgnoringASCIICase("content-type")
    }
    let value = written.map { $0.value.map { block.text($0) }.joined(separator: " ") }
    let type = value.flatMap(MediaType.init)
    let first = document.bytes[range].first { $0 > 32 }
    if let type, type.isForm { return formItems(range, type, sources, at: caret) }
    if let type, type.essence.hasPrefix("multipart/") {
      return partItems(range, boundary: type.parameter("boundary"), sources, at: caret)
    }
    let mayBeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if type?.isJSON == true || type == nil && mayBeJSON {
      return jsonItems(range, sources, at: caret)
    }
    return []
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
    var kinds: [String: UInt8] = [:]
    for sample in writtenBodies(like: caret) + sentSamples(sources, at: caret).map(\.sample) {
      sample.collectKinds(at: container.path, &kinds)
    }
    let comma = isKeyAhead(of: place.token.upperBound) ? "," : ""
    let present = Set(container.keys.map(\.name))
    var texts = written.sorted.map { ($0, "file") } + sent.sorted.map { ($0, "history") }
    texts += received.sorted.map { ($0, "response") }
    let described = describedKeys(container, sources, at: caret)
    texts = described.filter(\.isRequired).map { ($0.text, "description") } + texts
    texts += described.map { ($0.text, "description") }
    let details = Dictionary(described.map { ($0.text, $0) }) { first, _ in first }
    let mask = suggestionMask
    var known = present
    return texts.enumerated().compactMap { rank, entry in
      let (key, origin) = entry
      guard known.insert(key).inserted, maySuggest(key, mask) else { return nil }
      let quoted = "\"\(key)\""
      let opening = (kinds[key] ?? details[key]?.opening).flatMap(JSONSample.brackets)
      var item = CompletionItem(
        key, .member, text: place.hasColon ? quoted : quoted + ": ",
        snippet: place.hasColon
          ? nil
          : opening.map { brackets in
            "\(Snippet.literal(quoted)): \(brackets.0)$1\(Snippet.literal(brackets.1))\(comma)"
          }, replaced: place.token, detail: details[key]?.detail,
        origin: origin, documentation: details[key]?.documentation, rank: rank, continues: true,
        filter: place.isQuoted ? quoted : key)
      item.isDeprecated = details[key]?.isDeprecated ?? false
      return item
    }
  }

  /// The keys that the service's description has for an object of the body.
  private func describedKeys(
    _ container: JSONSketch.Container, _ sources: CompletionSources, at caret: Int
  ) -> [DescribedText] {
    guard container.isObject, let block = document.block(at: caret),
      let request = describedRequest(of: block)
    else { return [] }
    return sources.described(
      .bodyKeys(request, type: contentType(of: block)?.essence, path: container.path))
  }

  /// Whether the next thing behind a place is a key, so that a comma is missing.
  private func isKeyAhead(of place: Int) -> Bool {
    document.bytes[place...].first { $0 > 32 } == UInt8(ascii: "\"")
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
    items += describedValues(place, path, sources, at: caret, known: items.map(\.label))
    let typed = place.token.lowerBound + (place.isQuoted ? 1 : 0)
    let prefix = String(decoding: document.bytes[min(typed, caret)..<caret], as: UTF8.self)
    let scope = scope(at: caret)
    let definitions = bestDefinitions(
      prefix, scope, at: caret, count: Analysis.shownVariables
    ).prefix(Analysis.shownVariables)
    let own = path.last
    // Some editors hold what is typed against the beginning alone (Neovim).
    let isName = !prefix.hasPrefix("{")
    items += definitions.enumerated().map { rank, definition in
      let reference = "{{\(definition.name)}}"
      let filter = isName ? definition.name : reference
      let isBare = !place.isQuoted && Analysis.isBare(definition)
      return CompletionItem(
        reference, .variable, text: isBare ? reference : "\"\(reference)\"",
        replaced: place.token, detail: Analysis.detail(definition),
        origin: definition.origin.layer.rawValue,
        // The variable that is called like the key is likely to be meant.
        rank: definition.name == own
          ? -1 : 200 + 100 * Analysis.rank(definition.origin.layer) + rank,
        filter: place.isQuoted ? "\"\(filter)\"" : filter)
    }
    guard !place.isQuoted else { return items }
    if place.container == nil {
      items += [("{}", "{\n  $1\n\\}"), ("[]", "[\n  $1\n]")].enumerated().map { rank, form in
        CompletionItem(form.0, .value, snippet: form.1, replaced: place.token, rank: rank - 10)
      }
    }
    return items
      + ["true", "false", "null"].enumerated().map {
        CompletionItem($1, .value, replaced: place.token, rank: 100 + $0)
      }
  }

  /// The values that the service's description has for a place of the body.
  private func describedValues(
    _ place: JSONSketch.Caret, _ path: [String], _ sources: CompletionSources, at caret: Int,
    known: [String]
  ) -> [CompletionItem] {
    guard let block = document.block(at: caret), let request = describedRequest(of: block) else {
      return []
    }
    let texts = sources.described(
      .bodyValues(request, type: contentType(of: block)?.essence, path: path))
    let mask = suggestionMask
    return texts.enumerated().compactMap { rank, text in
      guard !known.contains(text.text), maySuggest(text.text, mask),
        !place.isQuoted || text.text.hasPrefix("\"")
      else { return nil }
      return CompletionItem(
        text.text, .value, replaced: place.token, detail: text.detail, origin: "description",
        rank: 60 + rank)
    }
  }

  private static let shownValues = 50
  private static let shownVariables = 100

  /// Whether a value stands in JSON without quotes.
  private static func isBare(_ definition: VariableDefinition) -> Bool {
    if definition.isSecret { return false }
    guard case .string(let text) = definition.value else { return true }
    return Double(text) != nil || ["true", "false", "null"].contains(text)
  }

  /// The bodies of requests near by with the same method and path.
  private func writtenBodies(like caret: Int) -> [JSONSample] {
    guard let own = document.block(at: caret), let request = own.request else { return [] }
    let shape = PathShape(pathText(own, request))
    let method = own.writtenMethod.uppercased()
    var found: [(distance: Int, place: Int, body: Range<Int>)] = []
    for (place, block) in blocksNear(caret).enumerated() {
      guard let request = block.request, let body = request.body,
        let distance = shape.distance(to: PathShape(pathText(block, request)))
      else { continue }
      // What one thing is changed with, another is made with.
      if block.writtenMethod.uppercased() != method, distance < 2 { continue }
      found.append((distance, place, block.absolute(body.range)))
    }
    found.sort { ($0.distance, $0.place) < ($1.distance, $1.place) }
    return found.prefix(Analysis.readSamples).map { JSONSample(document.bytes, in: $0.body) }
  }

  /// How many bodies of the file are read for one answer.
  private static let readSamples = 20

  /// The path of a request's target as written.
  func pathText(_ block: ParsedBlock, _ request: RequestSyntax) -> String {
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

  /// A text of which a sketch is made already.
  init(_ bytes: [UInt8], _ sketch: JSONSketch) {
    self.bytes = bytes
    self.sketch = sketch
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

  /// Notes with which byte the values of the keys at a path begin.
  func collectKinds(at path: [String], _ kinds: inout [String: UInt8]) {
    for container in containers(at: path) {
      for key in container.keys where kinds[key.name] == nil {
        kinds[key.name] = key.value.map { bytes[$0.lowerBound] }
      }
    }
    for inner in sketch.containers where inner.path.dropLast().elementsEqual(path) {
      guard let name = inner.path.last, kinds[name] == nil else { continue }
      kinds[name] = UInt8(ascii: inner.isObject ? "{" : "[")
    }
  }

  /// What a value that begins with a byte stands between; `nil` where that is nothing.
  static func brackets(_ first: UInt8) -> (String, String)? {
    switch first {
    case UInt8(ascii: "\""): ("\"", "\"")
    case UInt8(ascii: "{"): ("{", "}")
    case UInt8(ascii: "["): ("[", "]")
    default: nil
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
