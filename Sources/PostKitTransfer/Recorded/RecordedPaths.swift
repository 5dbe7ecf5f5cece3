// Which paths are of one operation: ids are parameters, and so are many words that are answered
// alike (IO-29).

import PostKitDescription
import PostKitHTTP

/// Operations by method and path. It belongs to the one who describes.
final class RecordedPaths {
  /// Words at one place that are answered alike before they are a parameter.
  private static let wordCount = 8
  /// Operations that come new before it is looked for those that are one.
  private static let joinCount = 1_000

  private var operations: [String: RecordedOperation] = [:]
  /// Kinds of paths that have become one, which others join.
  private var joined: Set<String> = []
  private let limits: RecordedLimits
  /// The number of pairs that were left out because there are too many operations.
  private(set) var skipped = 0
  /// The number of operations at which it is next looked for those that are one.
  private var nextJoin = RecordedPaths.joinCount

  /// Begins without an operation.
  init(_ limits: RecordedLimits) { self.limits = limits }

  /// Takes in a pair.
  func add(_ pair: RecordedPair, keepsExamples: Bool, read: (BodyContent) -> [UInt8]) {
    let path = pair.parts.path.isEmpty ? "/" : pair.parts.path
    let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map(String.init)
    let steps = words.map { Self.isParameter($0) ? nil : $0 }
    let key = RecordedOperation.key(pair.request.method, steps)
    if operations[key] == nil {
      if operations.count >= nextJoin {
        join()
        nextJoin = operations.count + Self.joinCount
      }
      guard operations.count < RecordedLimits.operations else {
        skipped += 1
        return
      }
    }
    let operation =
      operations[key] ?? RecordedOperation(method: pair.request.method, steps: steps)
    operations[key] = operation
    for (step, word) in words.enumerated() where steps[step] == nil {
      operation.addValue(word, at: step, limits)
    }
    operation.add(pair, limits, keepsExamples: keepsExamples, read: read)
  }

  private static func isParameter(_ word: String) -> Bool {
    IdentifierText.isLikely(word) || word.contains(SecretMask.text)
      || word.utf8.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
  }

  /// The operations by path and method, in order.
  func finished() -> [RecordedOperation] {
    join()
    let methods = APIDescription.methods
    return operations.values.sorted { left, right in
      let (one, other) = (left.steps, right.steps)
      if one != other { return one.sortKey.lexicographicallyPrecedes(other.sortKey) }
      let places = [left, right].map { methods.firstIndex(of: $0.method.lowercased()) ?? 0 }
      return places[0] < places[1]
    }
  }

  // MARK: - Words that are parameters

  /// Makes words that are answered alike parameters, from the left to the right.
  private func join() {
    let depth = operations.values.map(\.steps.count).max() ?? 0
    for step in 0..<depth {
      let words = words(at: step)
      if words.isEmpty { continue }
      var result: [String: RecordedOperation] = [:]
      for (_, operation) in operations.sorted(by: { $0.key < $1.key }) {
        if operation.steps.count > step, let word = operation.steps[step],
          words[Self.prefix(operation, step)]?.contains(word) == true
        {
          operation.steps[step] = nil
          operation.addValue(word, at: step, limits)
        }
        if let known = result[operation.key] {
          known.merge(operation)
        } else {
          result[operation.key] = operation
        }
      }
      operations = result
    }
  }

  /// The words that are parameters at a step, by what stands before them.
  private func words(at step: Int) -> [String: Set<String>] {
    var groups: [String: Set<String>] = [:]
    var prefixes: [String: String] = [:]
    var collections: Set<String> = []
    for operation in operations.values where operation.steps.count > step {
      guard let word = operation.steps[step], !word.isEmpty else { continue }
      let prefix = Self.prefix(operation, step)
      // A word with an id behind it names a kind of thing.
      if operation.steps.count > step + 1, operation.steps[step + 1] == nil {
        collections.insert(prefix + word)
      }
      guard let signature = operation.signature else { continue }
      let rest = operation.steps[(step + 1)...].map { $0 ?? "{}" }.joined(separator: "/")
      let group = "\(prefix)\n\(rest)\n\(operation.method)\n\(signature)"
      groups[group, default: []].insert(word)
      prefixes[group] = prefix
    }
    var result: [String: Set<String>] = [:]
    for (group, found) in groups {
      guard let prefix = prefixes[group] else { continue }
      let words = found.filter { !collections.contains(prefix + $0) }
      guard words.count >= Self.wordCount || joined.contains(group) else { continue }
      joined.insert(group)
      result[prefix, default: []].formUnion(words)
    }
    return result
  }

  private static func prefix(_ operation: RecordedOperation, _ step: Int) -> String {
    operation.steps[..<step].map { ($0 ?? "{}") + "/" }.joined()
  }
}

extension [String?] {
  /// The steps as they are sorted.
  fileprivate var sortKey: [String] { map { $0 ?? "{" } }

  /// The names of the steps that are parameters: `{orderId}` behind `orders`, else `{id}`, each
  /// once.
  var parameterNames: [Int: String] {
    var (names, taken): ([Int: String], Set<String>) = ([:], [])
    for (step, word) in enumerated() where word == nil {
      var base = "id"
      if step > 0, let before = self[step - 1] {
        let name = ComponentName.name(for: before)
        base = name.prefix(1).lowercased() + name.dropFirst() + "Id"
      }
      var (name, number) = (base, 2)
      while !taken.insert(name).inserted {
        name = "\(base)\(number)"
        number += 1
      }
      names[step] = name
    }
    return names
  }
}
