// A file of several requests taken apart, so that each says by itself what it said in the file.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

/// Takes the requests out of a file.
struct RequestSplitter {
  private let document: ParsedDocument
  private let needs: RequestNeeds
  private let lineEnd: String
  /// The bytes of the file that are in a request.
  private var used: [Range<Int>] = []

  /// The requests in the order of the file; each has, besides its own lines, what it needs of the
  /// others.
  private(set) var texts: [String] = []
  /// The lines of the requests whose texts could not be given the same meaning.
  private(set) var changedLines: [Int] = []
  /// The numbers of the lines that stand between the requests and are kept as comments of the
  /// first.
  private(set) var leftLines: [Int] = []

  /// Takes the requests out of a file that is read in a dialect.
  init(_ document: ParsedDocument, _ dialect: Dialect) {
    self.document = document
    needs = RequestNeeds(document, dialect)
    let end = document.bytes.firstIndex(of: 10) ?? 0
    lineEnd = end > 0 && document.bytes[end - 1] == 13 ? "\r\n" : "\n"
    let shared = needs.sharedBlocks
    // A place for headers has nothing to send; all others have it.
    let places = Set(shared.filter { $0.isPlaceholder || !$0.isRunnable }.map(\.index))
    let requests = document.blocks.filter { $0.isRunnable && !places.contains($0.index) }
    let check = MeaningCheck(needs)
    for block in requests {
      let text = text(of: block, shared)
      texts.append(text)
      if !check.isSame(block, as: text) {
        changedLines.append(document.line(at: block.absolute(block.leadingLine).lowerBound) + 1)
      }
    }
    keepRest(besides: requests.map(\.index))
  }

  /// The text of a request: shared blocks, its own, and those that it needs.
  private mutating func text(of block: ParsedBlock, _ shared: [ParsedBlock]) -> String {
    let isShared = shared.contains { $0.index == block.index }
    let own = (isShared ? [] : shared) + [block]
    let parts = own + needs.companions(of: own)
    let wanted = parts.map { needs.definitions(for: $0) }
    let all = Set(wanted.joined())
    let above = Set(
      zip(parts, wanted).flatMap { part, names in names.filter { $0.block != part.index } }
    ).filter { needs.isForAll($0, about: block) }
    var placed = above
    var result = preface(above)
    for (place, part) in parts.enumerated() {
      // Where nothing is looked up further down, what comes later does not count.
      let known = (needs.looksAhead ? parts[...] : parts[..<place]).map(\.index)
      let definitions = all.filter { definition in
        if definition.block == part.index { return false }
        if part.index == block.index, above.contains(definition) { return false }
        if needs.isRedefined(definition) {
          return wanted[place].contains(definition) || needs.overrules(definition, in: part)
        }
        return wanted[place].contains(definition) && !known.contains(definition.block)
          && placed.insert(definition).inserted
      }
      let ranges = definitions.map(needs.line(of:)).sorted { $0.lowerBound < $1.lowerBound }
      let lines = part.index == block.index ? needs.lines(for: part) : []
      add(part, lines + ranges, isLast: needs.isLastWord(ranges, in: part), to: &result)
    }
    return String(keeping: result)
  }

  /// A block without a request for definitions that must be in one.
  private mutating func preface(_ definitions: Set<NameIndex.Definition>) -> [UInt8] {
    let lines = definitions.map(needs.line(of:)).sorted { $0.lowerBound < $1.lowerBound }
    used += lines
    return lines.flatMap { document.bytes[$0] + Array(lineEnd.utf8) }
  }

  /// Adds a block to a text with lines of others: behind its separator, or as the last ones before
  /// its request.
  private mutating func add(
    _ block: ParsedBlock, _ lines: [Range<Int>], isLast: Bool, to result: inout [UInt8]
  ) {
    used += lines + [block.range]
    let end = Array(lineEnd.utf8)
    if !result.isEmpty {
      if result.last != 10 { result += end }
      if !result.reversed().starts(with: (end + end).reversed()) { result += end }
      if block.syntax.separator == nil { result += Array("###".utf8) + end }
    }
    let added = lines.flatMap { document.bytes[$0] + end }
    let bytes = RequestSplitter.bytes(of: block, in: document)
    result += RequestSplitter.text(
      bytes, with: added, at: isLast ? block.request?.line.lowerBound : nil, end)
  }

  /// The bytes of a block; a byte order mark means that at the beginning of a file only.
  private static func bytes(of block: ParsedBlock, in document: ParsedDocument) -> [UInt8] {
    let bytes = Array(document.bytes[block.range])
    return Array(bytes.dropFirst(bytes.byteOrderMarkLength))
  }

  /// A block with lines put at an offset, else behind its separator.
  private static func text(
    _ block: [UInt8], with lines: [UInt8], at offset: Int? = nil, _ lineEnd: [UInt8]
  ) -> [UInt8] {
    if lines.isEmpty { return block }
    if let offset { return block[..<offset] + lines + block[offset...] }
    guard block.drop(while: { $0 == 32 || $0 == 9 }).starts(with: Array("###".utf8)) else {
      return lines + block
    }
    guard let end = block.firstIndex(of: 10) else { return block + lineEnd + lines }
    return block[...end] + lines + block[(end + 1)...]
  }

  // MARK: - What belongs to no request

  /// Keeps the other lines of blocks without a request as comments of the first one.
  private mutating func keepRest(besides requests: [Int]) {
    let requests = Set(requests)
    var comments: [UInt8] = []
    for block in document.blocks where !requests.contains(block.index) {
      let used = used.filter { $0.overlaps(block.range) }
      let pragmas = block.metadata.filter { $0.kind == .dialect }
        .map { block.absolute($0.line).lowerBound }
      var at = block.range.lowerBound
      while at < block.range.upperBound {
        let end = document.bytes[at..<block.range.upperBound].firstIndex(of: 10)
          ?? block.range.upperBound
        let start = at
        at = end + 1
        let line = document.bytes[start..<end]
        let isUsed = used.contains { $0.overlaps(start..<at) }
        // How the file is read is kept beside each request.
        if isUsed || pragmas.contains(where: { (start..<at).contains($0) })
          || line.allSatisfy({ [32, 9, 13, UInt8(ascii: "#")].contains($0) })
        { continue }
        leftLines.append(document.line(at: start) + 1)
        comments += RequestSplitter.comment(line.last == 13 ? line.dropLast() : line)
          + Array(lineEnd.utf8)
      }
    }
    guard !comments.isEmpty, let first = texts.first else { return }
    texts[0] = String(
      keeping: RequestSplitter.text(first.keptBytes, with: comments, Array(lineEnd.utf8)))
  }

  /// A line as a comment that means nothing: `# @x = 1` would be a tag.
  private static func comment(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let line = line.dropFirst(line.byteOrderMarkLength)
    let hash = UInt8(ascii: "#")
    let isTag = line.drop { [hash, 32, 9].contains($0) }.first == UInt8(ascii: "@")
    // Three hashes would begin another request.
    let isSeparator = line.starts(with: [hash, hash, hash])
    if line.first == hash, !isTag, !isSeparator { return Array(line) }
    return Array("# kept: ".utf8) + line
  }
}

/// Compares a request in its file with the text that it is stored with: both are built, in a world
/// in which nothing changes.
struct MeaningCheck {
  private let document: ParsedDocument
  private let dialect: Dialect
  private let context: EvaluationContext

  /// Compares with the requests of a file.
  init(_ needs: RequestNeeds) {
    document = needs.document
    dialect = needs.dialect
    // Any name of the file may be used in others that are read into bodies.
    let names = document.names.definitions.keys.sorted().map { "{{\($0)}}" }.joined(separator: " ")
    context = EvaluationContext(
      now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 7 }, processEnvironment: { _ in nil },
      readFile: { _ in .bytes(Array(names.utf8)) }, resolvePath: { $0 }, exampleServer: { nil },
      exchange: { _ in nil })
  }

  /// Whether a block of the file is built as the main request of a text is.
  func isSame(_ block: ParsedBlock, as text: String) -> Bool {
    let copy = ParsedDocument(bytes: text.keptBytes, rules: document.rules)
    guard let main = copy.mainRequest(sharesBlocks: dialect.sharesBlocks) else { return false }
    return built(block, document) == built(main, copy)
  }

  /// What is sent, and which names have no value yet; `nil` where nothing can be sent.
  private func built(_ block: ParsedBlock, _ document: ParsedDocument) -> Built? {
    guard block.isRequest else { return nil }
    let scope = Scope(
      document: document, environments: EnvironmentSet(sources: [], active: nil), dialect: dialect)
    let lowered = Lowering.lower(
      block, evaluator: Evaluator(context: context, scope: scope),
      defaults: RequestDefaults(userAgent: ""))
    return lowered.spec.map { Built(spec: $0, problems: lowered.problems.map(\.code)) }
  }

  private struct Built: Equatable {
    var spec: RequestSpec
    var problems: [FailureCode]
  }
}
