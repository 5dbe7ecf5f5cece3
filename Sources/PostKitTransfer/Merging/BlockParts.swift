// A request file taken apart into what is merged: its head, its blocks, and the parts of each.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

/// The parts of a block that are merged each by itself, in the order of a manifest (IO-20).
enum BlockPart: String, Sendable, Hashable, CaseIterable {
  /// The request line and the query.
  case line
  case headers
  case body
  /// Scripts that run afterwards, and `??` lines.
  case tail
  /// Comments, tags, definitions and what runs before the request.
  case head
}

/// A value for each part of a block.
struct EachPart<Value> {
  var head: Value
  var line: Value
  var headers: Value
  var body: Value
  var tail: Value

  /// Begins with the same value for all parts.
  init(_ value: Value) { (head, line, headers, body, tail) = (value, value, value, value, value) }

  /// The value of a part.
  subscript(part: BlockPart) -> Value {
    get {
      switch part {
      case .head: head
      case .line: line
      case .headers: headers
      case .body: body
      case .tail: tail
      }
    }
    set {
      switch part {
      case .head: head = newValue
      case .line: line = newValue
      case .headers: headers = newValue
      case .body: body = newValue
      case .tail: tail = newValue
      }
    }
  }
}

extension EachPart: Sendable where Value: Sendable {}
extension EachPart: Equatable where Value: Equatable {}
extension EachPart: Hashable where Value: Hashable {}

/// The text of each part of a block; lines end with LF, and none ends with one.
struct PartTexts: Sendable, Hashable {
  var head = ""
  var line = ""
  var headers = ""
  var body = ""
  var tail = ""

  /// The text of a part.
  subscript(part: BlockPart) -> String {
    get {
      switch part {
      case .head: head
      case .line: line
      case .headers: headers
      case .body: body
      case .tail: tail
      }
    }
    set {
      switch part {
      case .head: head = newValue
      case .line: line = newValue
      case .headers: headers = newValue
      case .body: body = newValue
      case .tail: tail = newValue
      }
    }
  }

  /// Whether all texts have the same bytes.
  static func == (left: PartTexts, right: PartTexts) -> Bool {
    BlockPart.allCases.allSatisfy { left[$0].equalsInBytes(right[$0]) }
  }

  /// The same texts, those of a written block where they are equal: then they are kept once.
  func sharing(_ block: WrittenBlock) -> PartTexts {
    let written = PartTexts(
      head: block.head, line: block.line, headers: block.headers, body: block.body,
      tail: block.tail)
    if self == written { return written }
    var result = self
    for part in BlockPart.allCases where self[part].equalsInBytes(written[part]) {
      result[part] = written[part]
    }
    return result
  }

  /// The method and the target without its query, such as `GET {{host}}/users`.
  var methodAndTarget: String {
    let first = line.prefix { !$0.isNewline }
    return String(RequestLineItems.target(of: first))
  }
}

/// A block of a request file with its parts.
struct BlockParts: Sendable, Hashable {
  /// Its bytes in the file, from its separator to the next one.
  var range: Range<Int>
  /// The separator line without its line end; `nil` for a first block without one.
  var separator: String?
  /// The text behind the hashes; empty where there is none.
  var title: String
  /// Whether it sends something; definitions and comments alone don't.
  var isRequest: Bool
  /// Its parts; of a block without a request all is head.
  var parts: PartTexts

  /// The block laid out anew, as a written one is.
  var text: String {
    let file = WrittenBlock(
      id: "", title: title, head: parts.head, line: parts.line, headers: parts.headers,
      body: parts.body, tail: parts.tail)
    let text = file.text
    let first = text.prefix { $0 != "\n" }
    let rest = text[first.endIndex...].dropFirst()
    guard let separator else { return String(rest) }
    return "\(separator)\n\(rest)"
  }
}

/// A request file with its blocks.
struct FileParts: Sendable, Hashable {
  /// The file as it is, without a byte order mark.
  let bytes: [UInt8]
  /// Whether one stands before them.
  let hasMark: Bool
  /// What stands before the first block.
  var head: Range<Int>
  /// The blocks in order; the text before the first separator is one where it sends something.
  var blocks: [BlockParts] = []
  /// Whether lines end with CRLF.
  var usesCRLF: Bool

  /// The head as a text, without the blank lines around it.
  var headText: String { BlockSplitter.text(bytes[head]) }

  /// Takes a file apart. It is read as the project of nobody reads it: what a tool of its own makes
  /// of a file does not change where blocks begin.
  init(_ file: [UInt8]) {
    let mark = file.byteOrderMarkLength
    let bytes = mark == 0 ? file : Array(file.dropFirst(mark))
    (self.bytes, hasMark) = (bytes, mark > 0)
    let document = FileReading().document(bytes, format: .http)
    let end = bytes.firstIndex(of: 10) ?? 0
    usesCRLF = end > 0 && bytes[end - 1] == 13
    head = 0..<0
    blocks.reserveCapacity(document.blocks.count)
    for block in document.blocks {
      if block.index == 0, block.syntax.separator == nil, !block.isRequest {
        head = block.range
      } else {
        blocks.append(BlockSplitter(block).parts)
      }
    }
  }
}

extension FileParts {
  /// The parts of a file as they were written; `nil` unless it was read back so. `bytes` are its
  /// own.
  init?(_ written: WrittenFile, _ bytes: [UInt8]) {
    guard written.isRead else { return nil }
    (self.bytes, hasMark, usesCRLF) = (bytes, false, false)
    head = 0..<(written.head.isEmpty ? 0 : written.head.utf8.count + 2)
    blocks.reserveCapacity(written.blocks.count)
    var start = head.upperBound
    for block in written.blocks {
      // A blank line parts it from the next one; at the end of the file there is none.
      let end = min(start + block.byteCount + 1, bytes.count)
      blocks.append(
        BlockParts(
          range: start..<end, separator: "### \(block.title)", title: block.title,
          isRequest: true,
          parts: PartTexts(
            head: block.head, line: block.line, headers: block.headers, body: block.body,
            tail: block.tail)))
      start = end
    }
  }

  /// Whether a parsed file has exactly the parts that were written, each at its place.
  static func haveParts(_ document: ParsedDocument, _ written: WrittenFile) -> Bool {
    let first = written.head.isEmpty ? 0 : 1
    // With other line ends, and where characters stand for bytes, places are not those of texts.
    let isPlain = document.bytes.withUnsafeBufferPointer { bytes in
      bytes.place(of: 13) == nil && bytes.place(of: 0xF4) == nil
    }
    guard isPlain, document.blocks.count == written.blocks.count + first,
      document.bytes.byteOrderMarkLength == 0
    else { return false }
    var start = first == 0 ? 0 : written.head.utf8.count + 2
    if first == 1 {
      let head = document.blocks[0]
      guard head.syntax.separator == nil, !head.isRequest, head.range == 0..<start,
        BlockSplitter.text(document.bytes[head.range]) == written.head
      else { return false }
    }
    for (number, block) in written.blocks.enumerated() {
      let read = document.blocks[number + first]
      let end = min(start + block.byteCount + 1, document.bytes.count)
      guard read.range == start..<end, BlockSplitter(read).isSame(as: block) else { return false }
      start = end
    }
    return start == document.bytes.count
  }
}

/// Finds where the parts of a block stand.
struct BlockSplitter {
  private let block: ParsedBlock
  private let bytes: ArraySlice<UInt8>

  init(_ block: ParsedBlock) {
    self.block = block
    bytes = block.bytes[block.range]
  }

  /// The block with its parts.
  var parts: BlockParts {
    let separator = block.syntax.separator
    let places = places
    var result = BlockParts(
      range: block.range, separator: separator.map { _ in line(at: bytes.startIndex) },
      title: separator?.title.map { String(keeping: block.slice($0)) } ?? "",
      isRequest: block.isRequest, parts: PartTexts())
    for part in BlockPart.allCases { result.parts[part] = Self.text(bytes[places[part]]) }
    return result
  }

  /// Whether the block is a request with exactly the parts of one that was written.
  func isSame(as written: WrittenBlock) -> Bool {
    guard block.isRequest, let title = block.syntax.separator?.title,
      block.slice(title).equals(written.title)
    else { return false }
    let places = places
    return Self.trimmed(bytes[places.head]).equals(written.head)
      && Self.trimmed(bytes[places.line]).equals(written.line)
      && Self.trimmed(bytes[places.headers]).equals(written.headers)
      && Self.trimmed(bytes[places.body]).equals(written.body)
      && Self.trimmed(bytes[places.tail]).equals(written.tail)
  }

  /// Where the parts stand, with the blank lines around them.
  private var places: EachPart<Range<Int>> {
    let start = block.syntax.separator == nil ? bytes.startIndex : nextLine(bytes.startIndex)
    let none = bytes.endIndex..<bytes.endIndex
    var result = EachPart(none)
    guard let request = block.request else {
      result.head = start..<bytes.endIndex
      return result
    }
    let from = lineStart(block.absolute(request.curl ?? request.line).lowerBound)
    result.head = min(start, from)..<from
    var at = endOfTarget(request)
    result.line = from..<at
    let limit = tailStart(behind: at, request)
    let headers = at
    while at < limit, !isBlank(at) { at = nextLine(at) }
    at = min(at, limit)
    result.headers = headers..<at
    if let body = request.body, request.curl == nil {
      let range = block.absolute(body.range)
      let end = nextLine(max(range.upperBound - 1, range.lowerBound))
      result.body = max(at, lineStart(range.lowerBound))..<end
      at = max(at, end)
    }
    result.tail = at..<bytes.endIndex
    return result
  }

  /// Behind the last line of the query, those that are switched off included.
  private func endOfTarget(_ request: RequestSyntax) -> Int {
    if let curl = request.curl { return nextLine(block.absolute(curl).upperBound - 1) }
    let target = request.target.map(\.upperBound).max() ?? 0
    let end = max(request.line.upperBound, target, request.version?.upperBound ?? 0)
    var at = nextLine(block.absolute(0..<end).upperBound - 1)
    while at < bytes.endIndex, RequestLineItems.isSwitchedOffQuery(line(at: at)) {
      at = nextLine(at)
    }
    return at
  }

  /// Where the headers must have ended: at the body, or at what runs afterwards.
  private func tailStart(behind at: Int, _ request: RequestSyntax) -> Int {
    var places = [request.body?.range.lowerBound, block.syntax.inlineResponse?.lowerBound]
    places += block.assertions.map(\.line.lowerBound)
    places += (block.saves + block.syntax.responseReferences).map(\.markerRange.lowerBound)
    places += block.scripts.map(\.range.lowerBound)
    let found = places.compactMap { $0.map { lineStart($0 + block.range.lowerBound) } }
    return found.filter { $0 >= at }.min() ?? bytes.endIndex
  }

  private func lineStart(_ place: Int) -> Int {
    guard place > bytes.startIndex else { return bytes.startIndex }
    return bytes[..<place].lastIndex(of: 10).map { $0 + 1 } ?? bytes.startIndex
  }

  private func nextLine(_ place: Int) -> Int {
    guard place >= bytes.startIndex, place < bytes.endIndex else { return bytes.endIndex }
    return bytes[place...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.endIndex
  }

  private func line(at place: Int) -> String {
    var line = bytes[place..<nextLine(place)]
    while let last = line.last, last == 10 || last == 13 { line.removeLast() }
    return String(keeping: line)
  }

  private func isBlank(_ place: Int) -> Bool {
    bytes[place..<nextLine(place)].allSatisfy { $0 == 10 || $0 == 13 || $0 == 32 || $0 == 9 }
  }

  /// Bytes as a text with LF, without the blank lines around it.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let bytes = trimmed(bytes)
    return bytes.contains(13)
      ? String(keeping: Array(bytes).withPlainLineEnds) : String(keeping: bytes)
  }

  /// Bytes without the blank lines around them.
  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var (start, end) = (bytes.startIndex, bytes.endIndex)
    for place in bytes.indices {
      if bytes[place] == 10 {
        start = place + 1
      } else if bytes[place] != 13, bytes[place] != 32, bytes[place] != 9 {
        break
      }
    }
    while end > start, bytes[end - 1] == 10 || bytes[end - 1] == 13 { end -= 1 }
    let rest = bytes[start..<end]
    return rest.allSatisfy { $0 == 32 || $0 == 9 } ? [] : rest
  }
}
