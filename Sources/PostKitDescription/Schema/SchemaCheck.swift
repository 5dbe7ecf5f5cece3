// Whether a value fits a schema, and where it does not (JSON Schema of draft 4 and 2020-12).

package import PostKitJSON

/// A place where a value does not fit its schema.
package struct SchemaDeviation: Sendable, Hashable {
  /// The place in the value as a JSON Pointer (RFC 6901); empty for the value itself.
  package let pointer: String
  /// The bytes of that place in the value's source.
  package let range: Range<Int>
  /// The keyword of the schema that refuses the value, such as `required`.
  package let keyword: String
  /// What was expected and what came, as a clause. Texts of the value are not in it, because they
  /// may be secrets.
  package let message: String
}

/// Checks values against the schemas of a description. It remembers what it has read of schemas, so
/// that one check serves many values.
package struct SchemaCheck: Sendable {
  /// Deviations of one value that are told.
  package static let deviationLimit = 100
  /// Steps of one check of an answer; branches within branches could take forever.
  package static let stepLimit = 20_000_000
  /// Steps of one check while somebody types.
  package static let typingStepLimit = 200_000

  private var rules: SchemaRules
  private let stepLimit: Int
  /// Whether members that no schema describes are told, too, where schemas describe members.
  package var isStrict = false
  /// Whether the last check ended before it had seen everything.
  package private(set) var isCut = false
  /// The references to nothing that the last value was to fit.
  package private(set) var unresolved: [ReferenceFailure] = []

  /// Makes a check for the schemas of a description.
  package init(
    _ documents: DescriptionDocuments, _ dialect: SchemaDialect,
    direction: SchemaDirection = .any, stepLimit: Int = Self.stepLimit
  ) {
    rules = SchemaRules(documents, dialect, direction)
    self.stepLimit = stepLimit
  }

  /// What schemas say that is not checked: keywords, patterns that can't run in bounded time, and
  /// references that lead to nothing.
  package var unchecked: [String] { rules.unchecked.sorted() }

  /// The places where a value does not fit a schema; none where it fits, and none where the check
  /// was cut, since what it has not seen may decide.
  package mutating func deviations(
    of value: JSONView, from schema: DescribedValue
  ) -> [SchemaDeviation] {
    let number = rules.compile(schema)
    let tree = value.wholeTree
    return tree.nodes.withUnsafeBufferPointer { nodes in
      tree.bytes.withUnsafeBufferPointer { bytes in
        rules.rules.withUnsafeBufferPointer { all in
          rules.names.withUnsafeBufferPointer { names in
            rules.texts.withUnsafeBufferPointer { texts in
              var run = SchemaRun(
                rules: all, names: SchemaNames(names: names, texts: texts), nodes: nodes,
                bytes: bytes, tree: tree, root: value.nodeIndex, isStrict: isStrict,
                stepLimit: stepLimit)
              run.check(number)
              isCut = run.isCut
              unresolved = run.unresolved.sorted().map { rules.failures[$0] }
              return isCut ? [] : run.deviations
            }
          }
        }
      }
    }
  }
}

/// The names that rules mention, where they lie.
struct SchemaNames {
  let names: UnsafeBufferPointer<SchemaName>
  let texts: UnsafeBufferPointer<UInt8>

  /// The name of a range that has these bytes; the one at `guess` is looked at first. Halves are
  /// cut off, because no schema can make that slow, as it could fill the slots of a table.
  func find(
    _ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>, guess: Int = -1
  ) -> Int? {
    if range.contains(guess), order(names[guess], bytes) == 0 { return guess }
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      switch order(names[middle], bytes) {
      case 0: return middle
      case ..<0: low = middle + 1
      default: high = middle
      }
    }
    return nil
  }

  /// Below zero where the name stands before the bytes.
  private func order(_ name: SchemaName, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if name.count != bytes.count { return name.count - bytes.count }
    for at in 0..<name.count {
      let (left, right) = (texts[name.start + at], bytes[at])
      if left != right { return Int(left) - Int(right) }
    }
    return 0
  }
}
