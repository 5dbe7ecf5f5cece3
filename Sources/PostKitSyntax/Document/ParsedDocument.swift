// A whole file as blocks; what did not change is taken over from the parse before.

package import PostKitText

/// A file's text and its blocks, which hold every byte of it once, in order.
package struct ParsedDocument: Sendable {
  /// The file's bytes.
  package let bytes: [UInt8]
  /// How blocks were found.
  package let format: DocumentFormat
  /// How lines were read.
  package let rules: SyntaxRules
  /// The blocks in order; none is empty.
  package let blocks: BlockList
  /// Where the lines of the file start.
  package let lines: LineIndex
  private let collectedNames: Collected<NameIndex>
  private let collectedReads: Collected<ExchangeNames>
  private let collectedScripts: Collected<ScriptVariables>
  private let parts: [Part]

  /// The names of the file; the same object as before where an edit changed none of them. They are
  /// collected when they are first asked for.
  package var names: NameIndex { collectedNames.summary(of: blocks) }

  /// The names by which references read earlier exchanges; the same object as before where an edit
  /// changed none of them. They are collected when they are first asked for.
  package var exchangeNames: ExchangeNames { collectedReads.summary(of: blocks) }

  /// The variables that scripts of the file set; the same object as before where an edit changed
  /// no script. They are collected when they are first asked for.
  package var scriptVariables: ScriptVariables { collectedScripts.summary(of: blocks) }

  /// A segment with the place of its blocks: the unit that is taken over.
  fileprivate struct Part: Sendable {
    var segment: Segment
    @Compact var blocks: Range<Int>
  }

  /// Parses a file as it asks to be read. Segments whose bytes are those of a segment of
  /// `previous`, counted from the front or from the back, are taken over; the result is the same as
  /// without `previous`.
  package init(
    bytes: [UInt8], format: DocumentFormat = .http, lines: LineIndex? = nil,
    reusing previous: ParsedDocument? = nil
  ) {
    let pragma = SyntaxRules.pragma(of: bytes, format: format)
    let rules = pragma.map { SyntaxRules(preset: $0) } ?? SyntaxRules()
    self.init(bytes: bytes, format: format, rules: rules, lines: lines, reusing: previous)
  }

  /// Parses a file by rules, whatever it asks for. Who knows where its lines start says so.
  package init(
    bytes: [UInt8], format: DocumentFormat = .http, rules: SyntaxRules,
    lines known: LineIndex? = nil, reusing previous: ParsedDocument? = nil
  ) {
    let old = previous.flatMap {
      $0.format == format && $0.rules == rules && $0.blocks.isWorthKeeping ? $0 : nil
    }
    let equal = old.map { CommonEnds($0.bytes, bytes) }
    let lines = known ?? LineIndex(bytes)
    var builder = DocumentBuilder(
      rules, isASCII: lines.isASCII, count: bytes.count, storages: old?.blocks.storages ?? [])
    bytes.withUnsafeBufferPointer { buffer in
      LineStarts.find(bytes, lines) { starts in
        let segments: [Segment]
        if format == .http, let old, let equal {
          segments = Segmenter.segments(
            of: ByteView(buffer), starts, old: old.parts.map(\.segment), equal)
        } else {
          segments = Segmenter.segments(of: ByteView(buffer), starts, format: format)
        }
        builder.reserve(segments.count, max(segments.count, old?.blocks.count ?? 0))
        var line = 0
        for (index, segment) in segments.enumerated() {
          let fromEnd = segments.count - index
          if let old, let equal, let part = old.part(index, fromEnd, equalTo: segment, equal) {
            builder.take(old.blocks.places[part.blocks], of: part.segment, as: segment)
          } else {
            let text = ByteView(buffer, segment.range)
            if builder.repeats(segment, text, buffer) { continue }
            builder.parse(segment, text, starts.lines(of: text, in: segment.range, from: &line))
          }
        }
      }
    }
    self.bytes = bytes
    self.format = format
    self.rules = rules
    self.lines = lines
    parts = builder.parts
    let blocks = builder.finish(bytes)
    self.blocks = blocks
    let (front, back) = old?.blocks.trees.equalEnds(with: blocks.trees) ?? (0, 0)
    func keeping(where isSame: (BlockList) -> Bool) -> ParsedDocument? {
      old.flatMap { isSame($0.blocks) ? $0 : nil }
    }
    let named = keeping { $0.hasSameNames(as: blocks, from: front, back: back) }
    collectedNames = named?.collectedNames ?? Collected()
    let reading = keeping {
      $0.exchangeNames(from: front, back: back) == blocks.exchangeNames(from: front, back: back)
    }
    collectedReads = reading?.collectedReads ?? Collected()
    let scripted = keeping { $0.hasSameScripts(as: blocks, from: front, back: back) }
    collectedScripts = scripted?.collectedScripts ?? Collected()
  }

  /// The blocks that can be sent, in order.
  package var requests: [ParsedBlock] { blocks.filter(\.isRequest) }

  /// The block that holds an offset; a separator line belongs to the block it opens, and the
  /// offset at the end of the file to the last block. `nil` only for a file without bytes.
  package func block(at offset: Int) -> ParsedBlock? {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) / 2
      let end = blocks.places[middle].range.upperBound
      if end <= offset { low = middle + 1 } else { high = middle }
    }
    return low < blocks.count ? blocks[low] : blocks.last
  }

  /// The format of a file by its ending: `.md` and `.markdown` are Markdown.
  package static func format(ofPath path: String) -> DocumentFormat {
    let small = path.lowercased()
    return small.hasSuffix(".md") || small.hasSuffix(".markdown") ? .markdown : .http
  }

  /// The part at the same index from the front or from the back, if its bytes are equal.
  private func part(
    _ index: Int, _ fromEnd: Int, equalTo segment: Segment, _ equal: CommonEnds
  ) -> Part? {
    if index < parts.count, parts[index].segment == segment,
      segment.range.upperBound <= equal.prefix
    {
      return parts[index]
    }
    let last = parts.count - fromEnd
    guard last >= 0 else { return nil }
    let part = parts[last]
    let start = segment.range.lowerBound
    let distance = start - part.segment.range.lowerBound
    // The start of the file is read differently, for a byte order mark may stand there.
    let isSame = distance == equal.newCount - equal.oldCount
      && part.segment.range.count == segment.range.count && part.segment.kind == segment.kind
      && (start == 0) == (part.segment.range.lowerBound == 0)
    return isSame && start >= equal.newCount - equal.suffix ? part : nil
  }
}

/// Collects the blocks of a file.
private struct DocumentBuilder: ~Copyable {
  private var parser: BlockParser
  private var places: [BlockPlace] = []
  /// The storages of the document before; what is parsed now gets the next number.
  private let storages: [SyntaxStorage]
  private(set) var parts: [ParsedDocument.Part] = []
  /// How many of them were parsed.
  private var parsedCount = 0

  init(_ rules: SyntaxRules, isASCII: Bool, count: Int, storages: [SyntaxStorage]) {
    parser = BlockParser(rules, isASCII: isASCII, expecting: storages.isEmpty ? count : 0)
    self.storages = storages
  }

  mutating func reserve(_ partCount: Int, _ blockCount: Int) {
    parts.reserveCapacity(partCount)
    places.reserveCapacity(blockCount)
  }

  /// Takes over the blocks of a segment that stands elsewhere now.
  mutating func take(_ old: ArraySlice<BlockPlace>, of place: Segment, as segment: Segment) {
    let first = places.count
    let distance = segment.range.lowerBound - place.range.lowerBound
    for var block in old {
      let start = block.range.lowerBound + distance
      block.range = start..<start + block.range.count
      places.append(block)
    }
    parts.append(ParsedDocument.Part(segment: segment, blocks: first..<places.count))
  }

  /// Takes the blocks of the segment before, if the bytes are the same again.
  mutating func repeats(
    _ segment: Segment, _ text: ByteView, _ buffer: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let last = parts.last, last.segment.range.count == segment.range.count,
      last.segment.kind == segment.kind, last.segment.range.lowerBound > 0,
      text.equals(ByteView(buffer, last.segment.range))
    else { return false }
    take(places[last.blocks], of: last.segment, as: segment)
    return true
  }

  mutating func parse(_ segment: Segment, _ text: ByteView, _ lines: SourceLines) {
    let first = places.count
    var start = segment.range.lowerBound
    parser.begin(text, lines, kind: segment.kind, at: start)
    repeat {
      let (length, slot, traits) = parser.read()
      places.append(
        BlockPlace(
          range: start..<start + length, storage: UInt32(truncatingIfNeeded: storages.count),
          slot: UInt32(truncatingIfNeeded: slot), traits: traits))
      start += length
    } while parser.hasMore
    parts.append(ParsedDocument.Part(segment: segment, blocks: first..<places.count))
    parsedCount += segment.range.count
  }

  /// The list of all blocks.
  mutating func finish(_ bytes: [UInt8]) -> BlockList {
    let storage = SyntaxStorage(parser.takeTables(), textCount: parsedCount)
    return BlockList(bytes, places, storages: storages + [storage])
  }
}
