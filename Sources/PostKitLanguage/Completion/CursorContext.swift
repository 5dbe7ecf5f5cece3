// Where the caret is, decided once from the tree and the line, also in broken text.

package import PostKitSyntax

/// What the caret stands in, with the bytes that a completion would replace: from the start of what
/// is being written to the end of its last word, which may lie behind the caret.
package enum CursorContext: Sendable, Hashable {
  /// Inside `{{`, or `{` where it means that: the text before the caret, and the missing braces.
  case reference(prefix: String, replaced: Range<Int>, braces: ReferenceBraces)
  /// After `# @`.
  case metadataKey(prefix: String, replaced: Range<Int>)
  /// After `# `, where nothing is written yet.
  case comment(replaced: Range<Int>)
  /// In the name of a definition, its `@` included; whether `=` follows.
  case definitionName(replaced: Range<Int>, hasValue: Bool)
  /// Behind `??`: the words before the one at the caret.
  case assertion(words: [String], replaced: Range<Int>)
  /// On an empty line below a request that has no body yet.
  case bodyStart(Int)
  /// Behind a tag's key: the words before the one at the caret.
  case metadataValue(MetadataTag?, words: [String], replaced: Range<Int>)
  /// Behind `run #`.
  case requestName(prefix: String, replaced: Range<Int>)
  /// The same behind the path of the file that has it.
  case requestNameOfFile(path: String, replaced: Range<Int>)
  /// Behind `import`, or behind `run` where a request may be named, too.
  case requestFile(prefix: String, replaced: Range<Int>, isRun: Bool)
  /// In the parentheses behind `run` or `import`: what is named, and the names given there.
  case runArgument(argument: String, given: [String], replaced: Range<Int>)
  /// A path behind `<`, `>` and the like: the folder that is written, and the name in it.
  case path(use: PathUse, folder: String, replaced: Range<Int>)
  /// Where a request begins, or in its method; whether nothing else stands on the line.
  case requestStart(replaced: Range<Int>, isWholeLine: Bool)
  /// In a target: what stands on lines before, then this line's text up to the caret.
  case target(before: String, prefix: String, replaced: Range<Int>)
  case version(prefix: String, replaced: Range<Int>)
  case headerName(prefix: String, replaced: Range<Int>, hasColon: Bool)
  /// Behind a header's colon; of a list, the element at the caret.
  case headerValue(name: String, prefix: String, replaced: Range<Int>, needsBlank: Bool)
  /// In a body, whose text is the range.
  case body(Range<Int>)
  case nothing
}

extension CursorContext {
  /// Finds the context of an offset; offsets inside of a line end belong to the line before it.
  package init(_ document: ParsedDocument, at position: Int) {
    let line = CaretLine(document, at: position)
    guard let block = document.block(at: line.caret) else {
      self = .requestStart(replaced: line.caret..<line.caret, isWholeLine: true)
      return
    }
    if block.syntax.kind == .prose || block.syntax.kind == .response {
      self = .nothing
    } else if let reference = CursorContext.reference(line) {
      self = reference
    } else if let metadata = CursorContext.metadata(line) {
      self = metadata
    } else {
      self = CursorContext.place(document, block, line)
      if takesReferences, let open = line.singleBrace {
        self = CursorContext.reference(line, open: open, from: open + 1, opening: "{")
      }
    }
  }

  /// Whether a brace can hardly be meant for anything but a reference.
  private var takesReferences: Bool {
    if case .target = self { return true }
    if case .headerValue = self { return true }
    return false
  }

  private static func reference(_ line: CaretLine) -> CursorContext? {
    guard let open = line.openBraces else { return nil }
    let start = line.skip(from: open + 2) { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: "%") }
    return reference(line, open: open, from: start)
  }

  private static func reference(
    _ line: CaretLine, open: Int, from start: Int, opening: String = ""
  ) -> CursorContext {
    let braces = ReferenceBraces(opening: opening, closing: line.missingBraces(openAt: open))
    // What follows an open `{{` is not known to belong to it, so it stays.
    let end = braces.reachesBehindCaret ? line.wordEnd : line.caret
    return .reference(prefix: line.text(start..<line.caret), replaced: start..<end, braces: braces)
  }

  private static func metadata(_ line: CaretLine) -> CursorContext? {
    var at = line.contentStart
    if line.has("//", at: at) {
      at += 2
    } else if line.has("#", at: at), !line.has("###", at: at) {
      at = line.skip(from: at) { $0 == UInt8(ascii: "#") }
    } else {
      return nil
    }
    at = line.skipBlanks(from: at)
    guard line.has("@", at: at) else {
      if at == line.caret, line.textEnd == line.caret, line.bytes[at - 1] <= 32 {
        return .comment(replaced: at..<at)
      }
      // One or two hashes alone may become a separator or a tag.
      let isAlone = at == line.caret && line.textEnd == line.caret && line.bytes[at - 1] == 35
      guard isAlone, !line.has("###", at: line.contentStart) else { return .nothing }
      return .requestStart(replaced: line.contentStart..<line.caret, isWholeLine: true)
    }
    at += 1
    let isBlankOrEquals = { (byte: UInt8) in byte == 32 || byte == 9 || byte == UInt8(ascii: "=") }
    let keyEnd = line.skip(from: at) { !isBlankOrEquals($0) }
    guard keyEnd < line.caret else {
      return .metadataKey(prefix: line.text(at..<line.caret), replaced: at..<line.wordEnd)
    }
    let tag = MetadataTag(key: line.text(at..<keyEnd))
    let start = line.skip(from: keyEnd, while: isBlankOrEquals)
    let words = line.text(start..<line.caret).split(
      separator: " ", omittingEmptySubsequences: false)
    // Names of requests and files may have blanks in them.
    let isOneText = tag.map { [.requestName, .requestFile].contains($0.entry.form) } ?? false
    let last = isOneText ? start : line.caret - (words.last?.utf8.count ?? 0)
    return .metadataValue(
      tag, words: isOneText ? [] : words.dropLast().map(String.init),
      replaced: last..<line.wordEnd)
  }

  private static func place(
    _ document: ParsedDocument, _ block: ParsedBlock, _ line: CaretLine
  ) -> CursorContext {
    if line.has("###", at: line.contentStart) { return .nothing }
    if let fragment = block.syntax.fragments.first(where: { fragment in
      let range = block.absolute(fragment.range)
      return fragment.path == nil && (range.contains(line.caret) || range.upperBound == line.caret)
    }) {
      return .body(block.absolute(fragment.range))
    }
    if line.has("??", at: line.contentStart) { return assertion(line) }
    let directive = directive(line)
    guard let request = block.syntax.request else {
      return directive ?? path(line, isInRequest: false) ?? definition(line) ?? requestStart(line)
    }
    if request.curl != nil { return .nothing }
    let requestLine = block.absolute(request.line)
    if line.caret < requestLine.lowerBound {
      return directive ?? path(line, isInRequest: false) ?? definition(line) ?? requestStart(line)
    }
    // A line that is not whole yet may be taken for a request line.
    if line.range.lowerBound <= requestLine.lowerBound {
      return directive ?? requestLineContext(line)
    }
    if let path = path(line, isInRequest: true) { return path }
    guard isInHeaders(document, from: requestLine.lowerBound, to: line.range.lowerBound) else {
      return body(block, request, line)
    }
    return header(block, request, line)
  }

  /// The body at the caret; what stands behind it is none.
  private static func body(
    _ block: ParsedBlock, _ request: RequestSyntax, _ line: CaretLine
  ) -> CursorContext {
    let range = request.body.map { block.absolute($0.range) }
    let start = min(range?.lowerBound ?? line.range.lowerBound, line.range.lowerBound)
    let end = max(range?.upperBound ?? line.caret, line.caret)
    let others =
      block.scripts.map(\.range) + block.saves.map(\.markerRange)
      + block.assertions.map(\.line) + (block.syntax.inlineResponse.map { [$0] } ?? [])
    let isBehind = others.map(block.absolute).contains {
      $0.lowerBound >= requestLineEnd(block, request) && $0.lowerBound < line.caret
    }
    if isBehind { return .nothing }
    let isEmpty = request.body == nil || line.bytes[start..<end].allSatisfy { $0 <= 32 }
    if isEmpty, line.textEnd == line.range.lowerBound { return .bodyStart(line.caret) }
    return .body(start..<end)
  }

  /// The name of a definition, from its `@` on.
  private static func definition(_ line: CaretLine) -> CursorContext? {
    let start = line.contentStart
    guard line.has("@", at: start) else { return nil }
    let end = line.skip(from: start + 1, while: \.isWord)
    guard end == line.caret else { return .nothing }
    var next = line.wordEnd
    while next < line.range.upperBound, line.bytes[next] == 32 || line.bytes[next] == 9 {
      next += 1
    }
    let rest = line.bytes[next..<line.range.upperBound]
    return .definitionName(
      replaced: start..<line.wordEnd,
      hasValue: rest.starts(with: "=".utf8) || rest.starts(with: ":=".utf8))
  }

  private static func assertion(_ line: CaretLine) -> CursorContext {
    let start = line.skipBlanks(from: line.contentStart + 2)
    guard start > line.contentStart + 2 else { return .nothing }
    let words = line.text(start..<line.caret).split(
      separator: " ", omittingEmptySubsequences: false)
    let last = words.last?.utf8.count ?? 0
    return .assertion(
      words: words.dropLast().map(String.init).filter { !$0.isEmpty },
      replaced: line.caret - last..<line.wordEnd)
  }

  private static func requestLineEnd(_ block: ParsedBlock, _ request: RequestSyntax) -> Int {
    block.absolute(request.line).upperBound
  }

  /// A path behind a marker at the start of the line: `< a`, `<@latin1 a`, `> a`, `>> a`, `>>! a`.
  private static func path(_ line: CaretLine, isInRequest: Bool) -> CursorContext? {
    let start = line.contentStart
    guard start < line.caret else { return nil }
    var use: PathUse
    var at = start
    if line.has(">>", at: at) {
      use = .save
      at += line.has(">>!", at: at) ? 3 : 2
    } else if line.has(">", at: at) {
      use = .script
      at += 1
    } else if line.has("<", at: at) {
      use = isInRequest ? .body : .script
      at += 1
      if line.has("@", at: at) { at = line.skip(from: at) { $0 != 32 && $0 != 9 } }
    } else {
      return nil
    }
    let pathStart = line.skipBlanks(from: at)
    if at == line.caret, at == line.textEnd, line.bytes[at - 1] != UInt8(ascii: "@") {
      return .path(use: use, folder: "", replaced: at..<at)
    }
    guard pathStart > at, !line.has("{%", at: pathStart) else { return nil }
    let slash = line.last(UInt8(ascii: "/"), from: pathStart)
    let name = slash.map { $0 + 1 } ?? pathStart
    let rest = line.bytes[line.caret..<line.textEnd]
    let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    return .path(use: use, folder: line.text(pathStart..<name), replaced: name..<end)
  }

  /// An `import` or `run` line, whose words in parentheses stay.
  private static func directive(_ line: CaretLine) -> CursorContext? {
    let word = line.words[0]
    let name = line.text(word)
    guard name == "import" || name == "run", word.upperBound < line.caret else { return nil }
    var end = line.caret
    while end < line.range.upperBound, line.bytes[end] != UInt8(ascii: "(") { end += 1 }
    while end > line.caret, line.bytes[end - 1] == 32 || line.bytes[end - 1] == 9 { end -= 1 }
    let start = line.skipBlanks(from: word.upperBound)
    if let open = line.last(UInt8(ascii: "("), from: start) {
      return runArgument(line, start, open)
    }
    if name == "run", line.has("#", at: start) {
      return .requestName(prefix: line.text(start + 1..<line.caret), replaced: start + 1..<end)
    }
    if name == "run", let mark = line.last(UInt8(ascii: "#"), from: start),
      mark > start, line.bytes[mark - 1] == 32 || line.bytes[mark - 1] == 9
    {
      return .requestNameOfFile(path: line.text(start..<mark), replaced: mark + 1..<end)
    }
    return .requestFile(
      prefix: line.text(start..<line.caret), replaced: start..<end, isRun: name == "run")
  }

  /// The overrides of a `run` or `import` line, from the open parenthesis on.
  private static func runArgument(_ line: CaretLine, _ start: Int, _ open: Int) -> CursorContext {
    let comma = line.last(UInt8(ascii: ","), from: open + 1)
    let from = line.skipBlanks(from: (comma ?? open) + 1)
    // A value, or what follows the parentheses, is none of the names.
    let typed = line.text(from..<line.caret)
    guard !typed.contains("="), !typed.contains(")") else { return .nothing }
    var end = start
    for place in start..<open where line.bytes[place] > 32 { end = place + 1 }
    let given = line.text(open + 1..<line.textEnd).split { $0 == "," || $0 == ")" }
    return .runArgument(
      argument: line.text(start..<end),
      given: given.compactMap { pair in
        guard pair.contains("="), let name = pair.split(separator: "=").first else { return nil }
        return String(name.filter { $0 != " " && $0 != "@" })
      }, replaced: from..<line.wordEnd)
  }

  private static func header(
    _ block: ParsedBlock, _ request: RequestSyntax, _ line: CaretLine
  ) -> CursorContext {
    let start = line.contentStart
    if line.has("?", at: start) || line.has("&", at: start) || line.has("/", at: start) {
      let before = request.target.map(block.absolute).filter { $0.upperBound <= start }
      return .target(
        before: before.map { line.text($0) }.joined(), prefix: line.text(start..<line.caret),
        replaced: start..<line.textEnd)
    }
    let colon = line.skip(from: start) { $0 != UInt8(ascii: ":") }
    guard colon < line.caret else {
      return .headerName(
        prefix: line.text(start..<line.caret), replaced: start..<line.wordEnd,
        hasColon: line.hasColonAfterWord)
    }
    let comma = line.last(UInt8(ascii: ","), from: colon + 1)
    let valueStart = line.skipBlanks(from: (comma ?? colon) + 1)
    return .headerValue(
      name: line.text(start..<colon), prefix: line.text(valueStart..<line.caret),
      replaced: valueStart..<line.elementEnd,
      needsBlank: valueStart == line.caret && valueStart == (comma ?? colon) + 1)
  }

  /// A line above the request line, or one that may become it.
  private static func requestStart(_ line: CaretLine) -> CursorContext {
    let start = line.contentStart
    let wordEnd = line.skip(from: start) { $0.isLetter || $0 == 45 || $0 == 95 }
    if line.isBeforeScheme { return requestLineContext(line) }
    if wordEnd == line.caret {
      return .requestStart(
        replaced: start..<line.wordEnd, isWholeLine: line.wordEnd == line.textEnd)
    }
    let first = line.bytes[start]
    if !first.isLetter && first != UInt8(ascii: "{") { return .nothing }
    return requestLineContext(line)
  }

  private static func requestLineContext(_ line: CaretLine) -> CursorContext {
    let words = line.words
    let last = words.last ?? line.caret..<line.caret
    let prefix = line.text(last)
    let first = words.first.map(line.text) ?? ""
    if words.count == 1, line.isBeforeScheme, first.isEmpty {
      // What is missing before a URL is the method.
      return .requestStart(replaced: last, isWholeLine: false)
    }
    let beginsWithTarget =
      first.contains("/") || first.contains(":") || first.contains("{")
      || words.count == 1 && line.isBeforeScheme
    switch words.count - (beginsWithTarget ? 0 : 1) {
    case ...0:
      return .requestStart(
        replaced: last.lowerBound..<line.wordEnd, isWholeLine: line.wordEnd == line.textEnd)
    case 1:
      return .target(before: "", prefix: prefix, replaced: last.lowerBound..<line.blankEnd)
    case 2:
      return .version(prefix: prefix, replaced: last.lowerBound..<line.elementEnd)
    default:
      return .nothing
    }
  }

  /// Whether no blank line stands between the request line and the caret's line, nor is it one.
  private static func isInHeaders(
    _ document: ParsedDocument, from start: Int, to lineStart: Int
  ) -> Bool {
    var line = document.line(at: start) + 1
    let last = document.line(at: lineStart)
    while line < last {
      guard let offset = document.offset(ofLine: line) else { return false }
      let range = document.lineRange(at: offset)
      if document.bytes[range].allSatisfy({ $0 == 32 || $0 == 9 }) { return false }
      line += 1
    }
    return true
  }
}
