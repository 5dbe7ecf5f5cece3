// What can be folded: blocks, and in them headers, bodies, scripts, runs of comments and of
// definitions; in bodies brackets and parts. It depends on the text alone.

package import PostKitSyntax

/// A range of lines that an editor can fold.
package struct FoldingRange: Sendable, Hashable {
  /// What is folded, where editors have a name for it.
  package enum Kind: Sendable, Hashable { case comment, imports, region }
  /// The bytes; they end with the last line that is not blank.
  package var range: Range<Int>
  package var kind: Kind?
  /// What stands for it when it is folded; empty for brackets.
  package var label: String
  /// How deep it stands: of too many the deepest are left out.
  package var level: Int
  /// Whether it begins and ends with a bracket, which stay to be seen.
  package var hasBrackets = false
}

/// What can be folded in a file, kept block by block, as editors ask after every keystroke.
package struct Folding: Sendable {
  private var document: ParsedDocument?
  /// What can be folded in each block; ranges count from its start.
  private var blocks: [[FoldingRange]] = []

  /// Knows no file yet.
  package init() {}

  /// All that can be folded, in the order of the file, what holds others before them.
  package static func ranges(of document: ParsedDocument) -> [FoldingRange] {
    var folding = Folding()
    return folding.ranges(of: document, isAbandoned: { false }) ?? []
  }

  /// The same, with what is known of blocks that have not changed; `nil` where nobody waits for it
  /// any more, and then what is known stays as it was.
  package mutating func ranges(
    of document: ParsedDocument, isAbandoned: () -> Bool
  ) -> [FoldingRange]? {
    let (front, back) = self.document?.blocks.trees.equalEnds(with: document.blocks.trees) ?? (0, 0)
    var middle: [[FoldingRange]] = []
    for block in document.blocks[front..<document.blocks.count - back] {
      if isAbandoned() { return nil }
      middle.append(Folding.ranges(of: block, document))
    }
    blocks.replaceSubrange(front..<blocks.count - back, with: middle)
    self.document = document
    var result: [FoldingRange] = []
    for (known, block) in zip(blocks, document.blocks) {
      for var fold in known {
        fold.range = block.absolute(fold.range)
        result.append(fold)
      }
    }
    return result
  }

  private static func ranges(of block: ParsedBlock, _ document: ParsedDocument) -> [FoldingRange] {
    guard block.syntax.kind != .prose else { return [] }
    var finder = FoldingFinder(block, document)
    finder.find()
    let start = block.range.lowerBound
    for index in finder.ranges.indices {
      let range = finder.ranges[index].range
      finder.ranges[index].range = range.lowerBound - start..<range.upperBound - start
    }
    return finder.ranges.sorted {
      ($0.range.lowerBound, $1.range.upperBound, $0.level)
        < ($1.range.lowerBound, $0.range.upperBound, $1.level)
    }
  }
}

/// Finds what can be folded in a block.
private struct FoldingFinder {
  let block: ParsedBlock
  let document: ParsedDocument
  var ranges: [FoldingRange] = []

  init(_ block: ParsedBlock, _ document: ParsedDocument) {
    self.block = block
    self.document = document
  }

  mutating func find() {
    findBlock()
    findRuns()
    for script in block.scripts { add(script.range, script.kind.title, 1) }
    findResponse()
    guard let request = block.request else { return }
    if let curl = request.curl { add(curl, "curl", 1) }
    if let first = request.headers.first, let last = request.headers.last {
      add(first.line.lowerBound..<last.line.upperBound, "Headers (\(request.headers.count))", 1)
    }
    guard let body = request.body else { return }
    let json = block.bodyJSON
    let root = json?.nodes.first
    // Brackets around the whole body are enough.
    if root == nil
      || document.line(at: root?.range.lowerBound ?? 0)
        != document.line(at: block.absolute(body.range).lowerBound)
      || root?.isClosed == false
    {
      let type = block.writtenHeader("content-type")
      add(body.range, "Body" + (type.map { " - \($0)" } ?? ""), 1)
    }
    if let json { add(json, level: 2) }
    for part in block.bodyParts {
      addAbsolute(part.range, part.name ?? "Part", .region, 2)
    }
  }

  /// The block from its separator or its request line on.
  private mutating func findBlock() {
    let first = block.syntax.separator?.marker.lowerBound ?? block.request?.line.lowerBound
    guard let first, block.syntax.kind != .empty else { return }
    let start = block.range.lowerBound + first
    var label = block.isRequest ? block.methodAndPlace : block.title ?? ""
    if block.isRequest, let name = block.name { label += " - \(name)" }
    addAbsolute(start..<block.range.upperBound, label, .region, 0)
  }

  /// Runs of lines of one sort.
  private mutating func findRuns() {
    var comments: [Range<Int>] = []
    let body = block.request?.body?.range ?? 0..<0
    var at = 0
    for token in block.syntax.tokens {
      let range = at..<at + Int(token.length)
      at = range.upperBound
      if token.kind == .comment, !body.contains(range.lowerBound) { comments.append(range) }
    }
    addRuns(comments, .comment) { _ in "# …" }
    let definitions = block.variables.filter { block.slice($0.line).first == UInt8(ascii: "@") }
    addRuns(definitions.map(\.line), .region) { "Variables (\($0))" }
    let imports = block.directives.filter { $0.kind == .importFile }
    addRuns(imports.map(\.line), .imports) { "Imports (\($0))" }
  }

  private mutating func addRuns(
    _ lines: [Range<Int>], _ kind: FoldingRange.Kind, _ label: (Int) -> String
  ) {
    var rest = lines.map(block.absolute)[...]
    while var last = rest.popFirst() {
      let start = last.lowerBound
      var count = 1
      while let next = rest.first,
        document.line(at: next.lowerBound) == document.line(at: last.upperBound) + 1
      {
        last = next
        count += 1
        rest.removeFirst()
      }
      addAbsolute(start..<last.upperBound, label(count), kind, 1)
    }
  }

  /// The head and the body of an in-line response.
  private mutating func findResponse() {
    guard let (head, body) = block.responseParts else { return }
    // The status line stays to be seen.
    let line = document.lineRange(at: head.lowerBound)
    addAbsolute(
      head, String(decoding: document.bytes[line.clamped(to: head)], as: UTF8.self), .region, 1)
    if let json = block.json(in: body) { add(json, level: 1) }
  }

  /// The brackets of a text.
  private mutating func add(_ json: JSONOutline, level: Int) {
    var depths: [Int] = []
    for node in json.nodes {
      let above = node.parent.map { depths[$0] } ?? level - 1
      let isBracket = node.kind == .object || node.kind == .array
      depths.append(isBracket ? above + 1 : above)
      guard isBracket, node.isClosed else { continue }
      addAbsolute(node.range, "", nil, above + 1, hasBrackets: true)
    }
  }

  private mutating func add(_ range: Range<Int>, _ label: String, _ level: Int) {
    addAbsolute(block.absolute(range), label, .region, level)
  }

  /// Adds a range without the white space at its end, if it has more than one line.
  private mutating func addAbsolute(
    _ range: Range<Int>, _ label: String, _ kind: FoldingRange.Kind?, _ level: Int,
    hasBrackets: Bool = false
  ) {
    var end = range.upperBound
    while end > range.lowerBound, [9, 10, 13, 32].contains(document.bytes[end - 1]) { end -= 1 }
    guard document.line(at: range.lowerBound) < document.line(at: end) else { return }
    ranges.append(
      FoldingRange(
        range: range.lowerBound..<end, kind: kind, label: label, level: level,
        hasBrackets: hasBrackets))
  }
}

extension ScriptSyntax.Kind {
  /// What a script is called.
  var title: String {
    switch self {
    case .preRequest: "Pre-request script"
    case .responseHandler: "Response handler"
    case .block: "Script"
    case .imports: "Imports"
    }
  }
}
