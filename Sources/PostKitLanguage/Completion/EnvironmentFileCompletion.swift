// Completion in files of environments: keys alone, never a value (C24).

package import PostKitEvaluate

/// Completes the keys of a file of environments.
package enum EnvironmentFileCompletion {
  /// The names of the files beside one that define the same variables; `nil` where a file's keys
  /// are not completed. `names` are those of all files of its folder.
  package static func siblings(of name: String, among names: [String]) -> [String]? {
    guard let kind = EnvironmentSource.Kind(path: name) else { return nil }
    if kind.isDotEnv {
      return names.filter { $0 != name && EnvironmentSource.Kind(path: $0)?.isDotEnv ?? false }
    }
    let files = [
      "http-client.env.json", "http-client.private.env.json", "http-client.env.json.user",
    ]
    return files.contains(name) ? files.filter { $0 != name } : []
  }

  /// The keys that an environment lacks and others have, those that request files read and nothing
  /// defines (`wanted`), and the environments that the file lacks; `others` are the texts of the
  /// files beside it.
  package static func answer(
    _ bytes: [UInt8], of kind: EnvironmentSource.Kind, at offset: Int, others: [[UInt8]],
    wanted: [String], limit: Int
  ) -> CompletionAnswer {
    let caret = max(0, min(offset, bytes.count))
    let items: [CompletionItem]
    switch kind {
    case .dotEnv, .namedDotEnv: items = lineItems(bytes, at: caret, others, wanted)
    case .publicFile, .privateFile, .userFile: items = memberItems(bytes, at: caret, others, wanted)
    case .editorSettings, .codeWorkspace, .httpyacConfiguration, .stored, .defaults: items = []
    }
    return CompletionAnswer(items, bytes, caret: caret, limit: limit)
  }

  // MARK: - JSON

  private static func memberItems(
    _ bytes: [UInt8], at caret: Int, _ others: [[UInt8]], _ wanted: [String]
  ) -> [CompletionItem] {
    let sketch = JSONSketch(bytes, in: 0..<bytes.count, caret: caret)
    if let place = sketch.caret, place.role == .value, place.isQuoted,
      let open = openBraces(bytes, place.token.lowerBound..<caret)
    {
      return referenceItems(bytes, sketch, place, caret, open, others)
    }
    guard let place = sketch.caret, let index = place.container else { return [] }
    let container = sketch.containers[index]
    let clients = ClientCompletion(bytes, sketch, place, container, others)
    if place.role == .value { return clients.values }
    guard place.role == .key else { return [] }
    if let keys = clients.keys { return keys }
    var seen = SeenTexts()
    var kinds: [String: UInt8] = [:]
    for sample in [(bytes, sketch)] + others.map({ ($0, JSONSketch($0, in: 0..<$0.count)) }) {
      for other in sample.1.containers where other.path.count == container.path.count {
        // Below the variables of an environment only the same place says anything.
        if container.path.count > 1, other.path.dropFirst() != container.path.dropFirst() {
          continue
        }
        for key in other.keys { seen.add(key.name) }
        JSONSample(sample.0, sample.1).collectKinds(at: other.path, &kinds)
      }
    }
    let present = Set(container.keys.map(\.name))
    let isOutermost = container.path.isEmpty
    if isOutermost { seen.add("$shared") }
    let known = seen.sorted
    let unknown = container.path.count == 1 ? wanted.filter { !known.contains($0) } : []
    let names =
      known.map { ($0, isOutermost ? "an environment" : nil) }
      + unknown.map { ($0, "used, not defined") }
    let comma = bytes[place.token.upperBound...].first { $0 > 32 } == UInt8(ascii: "\"") ? "," : ""
    let items = names.filter { !present.contains($0.0) && !$0.0.isEmpty }.enumerated().map {
      rank, name in
      let quoted = "\"\(name.0)\""
      let brackets =
        isOutermost ? ("{", "}") : kinds[name.0].map { JSONSample.brackets($0) ?? ("", "") }
      let (opening, closing) = brackets ?? ("\"", "\"")
      return CompletionItem(
        name.0, .member, text: place.hasColon ? quoted : quoted + ": ",
        snippet: place.hasColon
          ? nil : "\(Snippet.literal(quoted)): \(opening)$1\(Snippet.literal(closing))\(comma)",
        replaced: place.token, detail: name.1, rank: rank,
        filter: place.isQuoted ? quoted : name.0)
    }
    return items + clients.frames.filter { frame in !items.contains { $0.label == frame.label } }
  }

  /// The last `{{` in a range that is not closed there.
  private static func openBraces(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    var at = range.upperBound - 2
    while at >= range.lowerBound {
      if bytes[at] == UInt8(ascii: "{"), bytes[at + 1] == UInt8(ascii: "{") { return at }
      if bytes[at] == UInt8(ascii: "}"), bytes[at + 1] == UInt8(ascii: "}") { return nil }
      at -= 1
    }
    return nil
  }

  /// The variables that a value can refer to: those of all environments, but not itself.
  private static func referenceItems(
    _ bytes: [UInt8], _ sketch: JSONSketch, _ place: JSONSketch.Caret, _ caret: Int, _ open: Int,
    _ others: [[UInt8]]
  ) -> [CompletionItem] {
    var seen = SeenTexts()
    let isVariable = place.container.map { sketch.containers[$0].path.count == 1 } ?? false
    let own = isVariable ? place.key : nil
    for container in sketch.containers where container.path.count == 1 {
      for key in container.keys { seen.add(key.name) }
    }
    for other in others {
      for container in JSONSketch(other, in: 0..<other.count).containers
      where container.path.count == 1 {
        for key in container.keys { seen.add(key.name) }
      }
    }
    var start = open + 2
    while start < caret, bytes[start] == 32 || bytes[start] == 9 { start += 1 }
    var end = caret
    while end < bytes.count, bytes[end].isWord { end += 1 }
    let isClosed = bytes[end...].drop { $0 == 32 || $0 == 9 }.starts(with: Array("}}".utf8))
    return seen.sorted.filter { $0 != own }.enumerated().map { rank, name in
      CompletionItem(
        name, .member, text: isClosed ? name : name + "}}", replaced: start..<end, rank: rank)
    }
  }

  // MARK: - Lines

  /// The names at the beginning of a line of a dotenv file.
  private static func lineItems(
    _ bytes: [UInt8], at caret: Int, _ others: [[UInt8]], _ wanted: [String]
  ) -> [CompletionItem] {
    var start = caret
    while start > 0, bytes[start - 1].isWord, bytes[start - 1] != 36 { start -= 1 }
    let line = bytes[..<caret].lastIndex { $0 == 10 || $0 == 13 }.map { $0 + 1 } ?? 0
    let lead = String(decoding: bytes[line..<start], as: UTF8.self)
    guard ["", "export"].contains(lead.filter { $0 != " " && $0 != "\t" }) else { return [] }
    var end = caret
    while end < bytes.count, bytes[end].isWord { end += 1 }
    let rest = bytes[end...].prefix { $0 != 10 && $0 != 13 }
    let hasValue = rest.first { $0 > 32 } == UInt8(ascii: "=")
    var before = Array(bytes[..<line])
    before += bytes[end...].drop { $0 != 10 }
    let present = Set(EnvironmentSource.dotEnvNames(in: before))
    var seen = SeenTexts()
    for file in others { for name in EnvironmentSource.dotEnvNames(in: file) { seen.add(name) } }
    let known = seen.sorted
    let names =
      known.map { ($0, nil) }
      + wanted.filter { !known.contains($0) }.map { ($0, "used, not defined") }
    return names.filter { !present.contains($0.0) }.enumerated().map { rank, name in
      CompletionItem(
        name.0, .member, text: hasValue ? name.0 : name.0 + "=", replaced: start..<end,
        detail: name.1, rank: rank)
    }
  }
}
