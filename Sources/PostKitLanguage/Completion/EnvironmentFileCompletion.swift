// Completion in `http-client.env.json` and its like: keys alone, never a value (C24).

import PostKitEvaluate

/// Completes the keys of a file of environments.
package enum EnvironmentFileCompletion {
  /// The names of the files that are completed, each with those that define the same environments.
  package static func siblings(of name: String) -> [String]? {
    let names = [
      "http-client.env.json", "http-client.private.env.json", "http-client.env.json.user",
    ]
    return names.contains(name) ? names.filter { $0 != name } : nil
  }

  /// The keys that an environment lacks and others have, and the environments that the file lacks;
  /// `others` are the texts of the files beside it.
  package static func answer(
    _ bytes: [UInt8], at offset: Int, others: [[UInt8]], limit: Int
  ) -> CompletionAnswer {
    let caret = max(0, min(offset, bytes.count))
    let sketch = JSONSketch(bytes, in: 0..<bytes.count, caret: caret)
    guard let place = sketch.caret, place.role == .key, let index = place.container else {
      return CompletionAnswer([], bytes, caret: caret, limit: limit)
    }
    let container = sketch.containers[index]
    let sketches = others.map { JSONSketch($0, in: 0..<$0.count) }
    var seen = SeenTexts()
    for file in [sketch] + sketches {
      for other in file.containers where other.path.count == container.path.count {
        // Below the variables of an environment only the same place says anything.
        if container.path.count > 1, other.path.dropFirst() != container.path.dropFirst() {
          continue
        }
        for key in other.keys { seen.add(key.name) }
      }
    }
    if container.path.isEmpty { seen.add("$shared") }
    let present = Set(container.keys.map(\.name))
    let opening = container.path.isEmpty ? ("{", "}") : ("\"", "\"")
    let items = seen.sorted.filter { !present.contains($0) && !$0.isEmpty }.enumerated().map {
      rank, key in
      let quoted = "\"\(key)\""
      return CompletionItem(
        key, .member, text: place.hasColon ? quoted : quoted + ": ",
        snippet: place.hasColon
          ? nil : "\(Snippet.literal(quoted)): \(opening.0)$1\(Snippet.literal(opening.1))",
        replaced: place.token, detail: container.path.isEmpty ? "an environment" : nil,
        rank: rank, filter: place.isQuoted ? quoted : key)
    }
    return CompletionAnswer(items, bytes, caret: caret, limit: limit)
  }
}
