// Counts of names: of what can be looked up in a file of the index, so that an edit changes a few
// counts, and of texts of which a user means most likely the one that is there most often.

/// How often each name is in a file.
struct NameTally: Sendable {
  /// Every name, those of references with what follows them, too, and the folded names of requests.
  private(set) var keys: [String: Int] = [:]
  /// The variables that are defined, but for keys inside of objects.
  private(set) var definitions: [String: Int] = [:]
  /// Those of them that are globals.
  private(set) var globals: [String: Int] = [:]
  /// Those of them that hold for the whole file.
  private(set) var own: [String: Int] = [:]
  /// How many blocks ask for the references in files to be resolved.
  private(set) var substituting = 0

  /// Counts the names of blocks.
  init(_ blocks: [BlockNames] = []) {
    for block in blocks { add(block, 1) }
  }

  /// Adds the names of a block, or takes them out with a count of -1.
  mutating func add(_ block: BlockNames, _ count: Int) {
    if block.substitutes { substituting += count }
    for occurrence in block.occurrences {
      NameTally.add(occurrence.name, count, to: &keys)
      if occurrence.role == .reference, !occurrence.rest.isEmpty {
        NameTally.add(occurrence.name + occurrence.rest, count, to: &keys)
      }
      for name in occurrence.requestNames {
        NameTally.add(FileNames.requestKey(name), count, to: &keys)
      }
      guard occurrence.isDefinition, occurrence.isOfVariable, occurrence.path.isEmpty else {
        continue
      }
      NameTally.add(occurrence.name, count, to: &definitions)
      if occurrence.role == .globalVariable || occurrence.role == .scriptGlobal {
        NameTally.add(occurrence.name, count, to: &globals)
      }
      if occurrence.role == .fileVariable { NameTally.add(occurrence.name, count, to: &own) }
    }
  }

  private static func add(_ name: String, _ count: Int, to counts: inout [String: Int]) {
    let sum = counts[name, default: 0] + count
    counts[name] = sum == 0 ? nil : sum
  }
}

/// Counts texts; what was seen more often comes first, then what was seen earlier.
struct SeenTexts {
  private var counts: [String: Int] = [:]
  private var order: [String] = []

  /// Counts a text.
  mutating func add(_ text: String) {
    if counts[text] == nil { order.append(text) }
    counts[text, default: 0] += 1
  }

  /// The texts, the most frequent first.
  var sorted: [String] {
    order.enumerated().sorted {
      (-(counts[$0.element] ?? 0), $0.offset) < (-(counts[$1.element] ?? 0), $1.offset)
    }.map(\.element)
  }
}
