// The records of all blocks that were parsed at once, in one table for each kind of record: with
// tables of its own each block would have six pieces of memory to get, to fill and to give back.

/// What a block says, as it is kept; its other records follow those of the block before it.
struct BlockRecord: Sendable {
  var kind = BlockSyntax.Kind.empty
  /// Whether blanks stand before the separator's hashes.
  var isIndented = false
  /// The hashes of the separator.
  @CompactIfAny var marker: Range<Int>?
  @CompactIfAny var separatorTitle: Range<Int>?
  /// The request line; where there is none, there is no request.
  @CompactIfAny var requestLine: Range<Int>?
  @CompactIfAny var method: Range<Int>?
  var target = RangeList()
  @CompactIfAny var version: Range<Int>?
  @CompactIfAny var curl: Range<Int>?
  @CompactIfAny var body: Range<Int>?
  /// Where the block's name stands.
  @CompactIfAny var name: Range<Int>?
  /// Where the block's title stands, if it is a name.
  @CompactIfAny var title: Range<Int>?
  /// The place of what most blocks don't have.
  var extras: UInt32?
  var ends = RecordCounts()
}

/// How many records of each kind there are.
struct RecordCounts: Sendable {
  var tokens: UInt32 = 0
  var metadata: UInt32 = 0
  var variables: UInt32 = 0
  var headers: UInt32 = 0
  var bodyLines: UInt32 = 0
  var references: UInt32 = 0
  var problems: UInt32 = 0
}

/// The tables, as they are filled.
struct SyntaxTables: Sendable {
  var blocks: [BlockRecord] = []
  var tokens: [SyntaxToken] = []
  var metadata: [MetadataSyntax] = []
  var variables: [VariableSyntax] = []
  var headers: [HeaderSyntax] = []
  var bodyLines: [BodyLineSyntax] = []
  var references: [ReferenceSyntax] = []
  var problems: [SyntaxProblem] = []
  var extras: [BlockExtras] = []

  /// How many records there are now.
  var counts: RecordCounts {
    RecordCounts(
      tokens: UInt32(truncatingIfNeeded: tokens.count),
      metadata: UInt32(truncatingIfNeeded: metadata.count),
      variables: UInt32(truncatingIfNeeded: variables.count),
      headers: UInt32(truncatingIfNeeded: headers.count),
      bodyLines: UInt32(truncatingIfNeeded: bodyLines.count),
      references: UInt32(truncatingIfNeeded: references.count),
      problems: UInt32(truncatingIfNeeded: problems.count))
  }

  /// Makes room for a text of which a part has been read, as if the rest were like it.
  mutating func reserve(read: Int, of count: Int) {
    func expected(_ records: Int) -> Int { records + records * (count - read) / read * 17 / 16 }
    blocks.reserveCapacity(expected(blocks.count))
    tokens.reserveCapacity(expected(tokens.count))
    metadata.reserveCapacity(expected(metadata.count))
    variables.reserveCapacity(expected(variables.count))
    headers.reserveCapacity(expected(headers.count))
    bodyLines.reserveCapacity(expected(bodyLines.count))
    references.reserveCapacity(expected(references.count))
    problems.reserveCapacity(expected(problems.count))
  }
}

/// The tables of one parse, shared by all documents that hold one of its blocks.
final class SyntaxStorage: Sendable {
  /// The records.
  let tables: SyntaxTables
  /// How many bytes of text they were made of.
  let textCount: Int

  /// Keeps tables.
  init(_ tables: consuming SyntaxTables, textCount: Int) {
    self.tables = tables
    self.textCount = textCount
  }

  /// How many records of each kind stand before those of a block.
  func counts(before slot: Int) -> RecordCounts {
    slot > 0 ? tables.blocks[slot - 1].ends : RecordCounts()
  }
}
