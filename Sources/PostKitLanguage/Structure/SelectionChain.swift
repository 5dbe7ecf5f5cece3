// What a selection grows to, step by step: the word, the piece, the line, the part, the request,
// the file. It depends on the text alone.

package import PostKitSyntax

/// Finds what a selection at a place can grow to.
package enum SelectionChain {
  /// How often anybody lets a selection grow; brackets may be nested much deeper.
  private static let limit = 50

  /// The ranges that hold an offset, the innermost first; each lies in the next one, and the last
  /// is the file.
  package static func ranges(in document: ParsedDocument, at position: Int) -> [Range<Int>] {
    let offset = max(0, min(position, document.bytes.count))
    var candidates: [Range<Int>] = []
    if let block = document.block(at: offset) {
      let collector = SelectionCollector(block: block, document: document, offset: offset)
      candidates = collector.ranges().filter { !$0.isEmpty && $0.touches(offset) }
    }
    candidates.sort { ($0.count, $0.lowerBound) < ($1.count, $1.lowerBound) }
    var result: [Range<Int>] = []
    let file = 0..<document.bytes.count
    for candidate in candidates where candidate != file && result.count < limit {
      guard let last = result.last else {
        result.append(candidate)
        continue
      }
      let holds =
        candidate.lowerBound <= last.lowerBound
        && last.upperBound <= candidate.upperBound
      if holds, candidate != last { result.append(candidate) }
    }
    return result + [file]
  }
}

/// Collects what may stand at an offset of a block; ranges that don't hold it do no harm.
private struct SelectionCollector {
  let block: ParsedBlock
  let document: ParsedDocument
  let offset: Int

  func ranges() -> [Range<Int>] {
    let syntax = block.syntax
    var result: [Range<Int>] = [
      block.range, trimmed(block.range), trimmed(document.lineRange(at: offset)), word,
    ]
    var parts: [Range<Int>] = syntax.metadata.flatMap { [$0.line, $0.key, $0.value] }
    parts += syntax.variables.flatMap { [$0.line, $0.nameRange, $0.value] }
    parts += syntax.directives.flatMap { directive in
      [directive.line, directive.argument] + [directive.request].compactMap { $0 }
        + directive.overrides.flatMap { [$0.name, $0.value] }
    }
    parts += syntax.scripts.flatMap { [$0.range, $0.text, $0.path].compactMap { $0 } }
    parts += (syntax.saves + syntax.responseReferences).map(\.path)
    parts += syntax.assertions.flatMap { [$0.line, $0.text] }
    parts += [syntax.separator?.title, syntax.inlineResponse].compactMap { $0 }
    if let run = run(of: syntax.variables.map(\.line)) { parts.append(run) }
    for reference in syntax.references where holds(reference.range) {
      parts += [reference.range, reference.inner]
      if case .path(let name, _) = reference.expression {
        let start = reference.inner.lowerBound
        parts.append(start..<min(start + name.utf8.count, reference.inner.upperBound))
      }
    }
    result += parts.map(block.absolute)
    if !syntax.scripts.isEmpty, let place = block.scriptPlace(at: offset) {
      result += place.reading.ranges(around: place.place(offset)).map {
        trimmed(place.absolute($0))
      }
    }
    if let request = syntax.request { result += ranges(of: request) }
    if let (head, body) = block.responseParts {
      result += [head, trimmed(body)]
      if let json = block.json(in: body) { result += ranges(of: json) }
    }
    return result
  }

  private func ranges(of request: RequestSyntax) -> [Range<Int>] {
    var parts = [request.line, request.method, request.version, request.curl].compactMap { $0 }
    var end = request.line.upperBound
    if let first = request.target.first, let last = request.target.last {
      let target = first.lowerBound..<last.upperBound
      parts += [target] + URLPieces(block, request.target).ranges
      end = max(end, last.upperBound)
      parts.append(request.line.lowerBound..<end)
    }
    parts += request.headers.flatMap { [$0.line, $0.name] + $0.value }
    if let first = request.headers.first, let last = request.headers.last {
      parts.append(first.line.lowerBound..<last.line.upperBound)
      end = max(end, last.line.upperBound)
    }
    parts.append(request.line.lowerBound..<end)
    guard let body = request.body else { return parts.map(block.absolute) }
    parts.append(body.range)
    for line in body.lines {
      if case .file(let include) = line.kind { parts.append(include.path) }
    }
    if block.hasFormBody(request) { parts += URLPieces.pairs(block, body.range) }
    var result = parts.map(block.absolute) + block.bodyParts.map(\.range)
    if let json = block.bodyJSON { result += ranges(of: json) }
    return result
  }

  private func ranges(of json: JSONOutline) -> [Range<Int>] {
    json.nodes.flatMap { node -> [Range<Int>] in
      let range = node.range
      guard range.lowerBound <= offset, offset <= range.upperBound else { return [] }
      let hasMarks =
        node.kind == .object || node.kind == .array
        || document.bytes[range.lowerBound] == UInt8(ascii: "\"")
      // What stands between the quotes or the brackets, then with them.
      guard hasMarks, node.isClosed, range.count > 2, node.kind != .member else { return [range] }
      return [trimmed(range.lowerBound + 1..<range.upperBound - 1), range]
    }
  }

  /// The letters and digits around the offset.
  private var word: Range<Int> {
    let line = document.lineRange(at: offset)
    var start = min(offset, line.upperBound)
    var end = start
    while start > line.lowerBound, document.bytes[start - 1].isOfWord { start -= 1 }
    while end < line.upperBound, document.bytes[end].isOfWord { end += 1 }
    return start..<end
  }

  /// The lines around the offset that follow one another.
  private func run(of lines: [Range<Int>]) -> Range<Int>? {
    var first: Range<Int>?
    var last: Range<Int>?
    for line in lines {
      let number = document.line(at: block.absolute(line).lowerBound)
      if let before = last, document.line(at: block.absolute(before).upperBound) + 1 == number {
        last = line
      } else {
        if let first, let last, holds(first.lowerBound..<last.upperBound) { break }
        (first, last) = (line, line)
      }
    }
    guard let first, let last else { return nil }
    return first.lowerBound..<last.upperBound
  }

  private func holds(_ range: Range<Int>) -> Bool { block.absolute(range).touches(offset) }

  /// The range without white space at its ends; itself where nothing else is in it.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while end > start, document.bytes[end - 1] <= 32 { end -= 1 }
    while start < end, document.bytes[start] <= 32 { start += 1 }
    return start == end ? range : start..<end
  }
}

/// The pieces of a target: path, query, its pairs, their names and values.
struct URLPieces {
  private(set) var ranges: [Range<Int>] = []
  /// The names and values of the query, in order.
  private(set) var query: [(name: Range<Int>, value: Range<Int>)] = []

  /// Reads a target; what stands between its pieces counts as blanks.
  init(_ block: ParsedBlock, _ pieces: RangeList) {
    guard let first = pieces.first, let last = pieces.last else { return }
    let target = first.lowerBound..<last.upperBound
    let gaps = zip(pieces, pieces.dropFirst()).map { $0.upperBound..<$1.lowerBound }
    let marks = Marks(block, target, gaps: gaps)
    let end = marks.first(UInt8(ascii: "#"), in: target) ?? target.upperBound
    let head = target.lowerBound..<end
    let question = marks.first(UInt8(ascii: "?"), in: head)
    let beforeQuery = target.lowerBound..<(question ?? end)
    if let path = URLPieces.pathStart(marks, beforeQuery) {
      ranges += [path..<beforeQuery.upperBound, target.lowerBound..<path]
    }
    if end < target.upperBound { ranges.append(end + 1..<target.upperBound) }
    ranges.append(head)
    guard let question else { return }
    ranges += [beforeQuery, question + 1..<end]
    for pair in marks.split(question + 1..<end, at: UInt8(ascii: "&")) {
      let pair = marks.trimmed(pair)
      if pair.isEmpty { continue }
      let equals = marks.first(UInt8(ascii: "="), in: pair)
      let name = pair.lowerBound..<(equals ?? pair.upperBound)
      let value = min((equals ?? pair.upperBound) + 1, pair.upperBound)..<pair.upperBound
      query.append((name, value))
      ranges += [pair, name, value]
    }
  }

  /// The pairs of a form, their names and values.
  static func pairs(_ block: ParsedBlock, _ range: Range<Int>) -> [Range<Int>] {
    let marks = Marks(block, range)
    return marks.split(range, at: UInt8(ascii: "&")).flatMap { pair -> [Range<Int>] in
      let pair = marks.trimmed(pair)
      guard let equals = marks.first(UInt8(ascii: "="), in: pair) else { return [pair] }
      return [pair, pair.lowerBound..<equals, equals + 1..<pair.upperBound]
    }
  }

  /// Where the path begins: behind the host, if there is a scheme.
  private static func pathStart(_ marks: Marks, _ range: Range<Int>) -> Int? {
    let slash = UInt8(ascii: "/")
    guard let first = marks.first(slash, in: range) else { return nil }
    let isScheme =
      first > range.lowerBound && first + 1 < range.upperBound
      && marks.byte(first - 1) == UInt8(ascii: ":") && marks.byte(first + 1) == slash
    return isScheme ? marks.first(slash, in: first + 2..<range.upperBound) : first
  }

  /// Looks for marks outside of references.
  private struct Marks {
    /// The bytes of a range, with zeros where references stand and blanks where gaps are.
    private var bytes: [UInt8]
    private let start: Int

    init(_ block: ParsedBlock, _ range: Range<Int>, gaps: [Range<Int>] = []) {
      bytes = Array(block.slice(range))
      start = range.lowerBound
      for reference in block.references where reference.range.overlaps(range) {
        fill(reference.range.clamped(to: range), with: 0)
      }
      for gap in gaps { fill(gap, with: 32) }
    }

    private mutating func fill(_ range: Range<Int>, with byte: UInt8) {
      for place in range { bytes[place - start] = byte }
    }

    func byte(_ place: Int) -> UInt8 { bytes[place - start] }

    func first(_ mark: UInt8, in range: Range<Int>) -> Int? { range.first { byte($0) == mark } }

    func split(_ range: Range<Int>, at mark: UInt8) -> [Range<Int>] {
      var result: [Range<Int>] = []
      var start = range.lowerBound
      while let next = first(mark, in: start..<range.upperBound) {
        result.append(start..<next)
        start = next + 1
      }
      return result + [start..<range.upperBound]
    }

    func trimmed(_ range: Range<Int>) -> Range<Int> {
      var (start, end) = (range.lowerBound, range.upperBound)
      while start < end, isBlank(start) { start += 1 }
      while end > start, isBlank(end - 1) { end -= 1 }
      return start..<end
    }

    private func isBlank(_ place: Int) -> Bool { (9...32).contains(byte(place)) }
  }
}

extension UInt8 {
  /// Whether it belongs to a word that a double click would select.
  fileprivate var isOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }
}
