// A YAML text as a JSON tree that remembers where everything stood.

package import PostKitJSON

/// A text in YAML 1.2, read as JSON has it (IO-25 to IO-27).
///
/// Of several documents it is the first. Aliases are written out and merge keys (`<<`) applied, so
/// that whoever reads the tree need not know of them. JSON is read by the reader of JSON, which
/// knows more of it than libyaml does, such as pairs of surrogates.
package struct YAMLText: Sendable {
  /// The text as JSON. Its bytes are not those of the source; see `place(of:)`.
  package let tree: JSONTree
  /// What was read in another way than it is written.
  package let notes: [YAMLNote]
  /// How many notes came beyond those that are kept.
  package let uncountedNotes: Int

  private let places: YAMLNodePlaces
  private let lines: YAMLLines

  /// Reads a text in UTF-8, with or without a byte order mark.
  package init(parsing bytes: [UInt8]) throws(YAMLSyntaxError) {
    try self.init(parsing: bytes, limits: YAMLLimits())
  }

  /// Reads a text within limits; JSON is read as YAML, too, unless `prefersJSON` is set.
  init(
    parsing bytes: [UInt8], limits: YAMLLimits, prefersJSON: Bool = true
  ) throws(YAMLSyntaxError) {
    // Bit 31 of a place is taken.
    guard bytes.count < 1 << 30 else {
      throw YAMLSyntaxError(problem: .tooLong, place: YAMLPlace(offset: 0, line: 0, column: 0))
    }
    lines = YAMLLines(bytes)
    // What is no JSON is read as YAML, whose errors are told.
    if prefersJSON, Self.beginsAsJSON(bytes), let json = try? JSONTree(parsing: bytes) {
      tree = json
      places = .ofTree
      notes = []
      uncountedNotes = 0
      return
    }
    let result: Result<YAMLReading, YAMLProblem> = bytes.withUnsafeBufferPointer { buffer in
      var reading = YAMLReading(buffer, limits: limits)
      do throws(YAMLProblem) {
        try reading.readAll()
        return .success(reading)
      } catch {
        return .failure(error)
      }
    }
    let reading: YAMLReading
    switch result {
    case .success(let value): reading = value
    case .failure(let failure):
      throw YAMLSyntaxError(problem: failure.problem, place: lines.place(failure.offset))
    }
    let lines = self.lines
    var told = reading.notes
    if reading.hasMerges {
      var merging = YAMLMerging(
        raw: reading.builder.tree(), places: reading.places, notes: reading.notes)
      merging.apply()
      (tree, places) = (merging.builder.tree(), .offsets(merging.places))
      told = merging.notes
    } else {
      (tree, places) = (reading.builder.tree(), .offsets(reading.places))
    }
    notes = told.kept.map { YAMLNote(place: lines.place($0.offset), message: $0.message) }
    uncountedNotes = told.uncounted
  }

  /// Where a value or the name of a member of `tree` stands in the source. What comes from an alias
  /// or a merge key stands where it is written.
  package func place(of view: JSONView) -> YAMLPlace {
    switch places {
    case .ofTree: lines.place(view.range.lowerBound)
    case .offsets(let offsets): lines.place(Int(offsets[view.nodeIndex]))
    }
  }

  /// The place of a byte of the source.
  package func place(ofByte offset: Int) -> YAMLPlace { lines.place(offset) }

  /// Whether the first character that is no blank is that of a JSON object or array.
  private static func beginsAsJSON(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes[start...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

/// Where the nodes of a tree stand in the source.
private enum YAMLNodePlaces {
  /// Where they stand in the tree's own text, which is the source.
  case ofTree
  /// A byte of the source for each node.
  case offsets([UInt32])
}

/// A mistake at a byte.
struct YAMLProblem: Error {
  var problem: YAMLSyntaxError.Problem
  var offset: Int
}

/// Notes while a text is read.
struct YAMLNotes {
  private(set) var kept: [(offset: Int, message: String)] = []
  private(set) var uncounted = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Tells something; the sentence is made only where it is kept.
  mutating func tell(_ offset: Int, _ message: @autoclosure () -> String) {
    guard kept.count < limit else {
      uncounted += 1
      return
    }
    kept.append((offset, message()))
  }

  /// A name as a note shows it: at most 80 characters.
  static func shown(_ name: String) -> String {
    name.count > 80 ? name.prefix(79) + "…" : name
  }
}
