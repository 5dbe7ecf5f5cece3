// From the tree of one block to tokens. The syntax has a token for every byte; here each gets a
// meaning, or none: the inside of bodies and scripts is left to the grammars of their languages.

import PostKitEvaluate
import PostKitSyntax

/// Paints one block.
struct TokenPainter {
  let block: ParsedBlock
  let syntax: BlockSyntax
  private(set) var encoder: TokenEncoder
  /// What names mean; `nil` in a document that is only shown.
  let meanings: NameMeanings?
  /// The scope of the block, where it has names of its own.
  let ownScope: Scope?
  /// The names whose meaning is shown.
  private(set) var names: [UInt32] = []
  /// Where the block starts in the file.
  let start: Int

  private let references: SyntaxList<ReferenceSyntax>
  private var nextReference = 0
  private let body: Range<Int>
  /// Where the marker of the tag that is being read starts.
  private var markerStart = 0
  private var nextTag = 0
  /// The definitions that tags make and the lines that run a request, by the places of their names.
  private let taggedNames: [Int: Range<Int>]
  private let calledNames: [Range<Int>]
  private var nextCall = 0
  private var tag: MetadataSyntax?
  var url = URLPart.start
  var header = HeaderKind.other
  /// Whether the body is a form, whose fields are painted.
  let isForm: Bool
  var formPart = FormPart.name
  /// Pieces of a line whose form was read as a whole, such as an assertion, and the first of them
  /// that is not behind.
  var pieces: [TokenPiece] = []
  var nextPiece = 0
  var nextAssertion = 0
  var response = ResponsePart.statusLine
  private var isBlankLine = false

  init(_ block: ParsedBlock, _ encoder: TokenEncoder, _ meanings: NameMeanings?) {
    self.block = block
    syntax = block.syntax
    self.encoder = encoder
    self.meanings = meanings
    ownScope = meanings?.ownScope(of: block)
    start = block.range.lowerBound
    references = syntax.references
    let variables = syntax.variables
    taggedNames =
      syntax.metadata.isEmpty || variables.isEmpty
      ? [:]
      : Dictionary(
        variables.map { ($0.nameRange.lowerBound, $0.nameRange) }, uniquingKeysWith: { $1 })
    calledNames = syntax.directives.compactMap(\.calledName)
    let request = syntax.request
    body = request?.body?.range ?? 0..<0
    isForm = request.map { block.hasFormBody($0) } ?? false
  }

  /// Paints the tokens of the block in order.
  mutating func paint() {
    var at = 0
    let tokens = syntax.tokens
    // An iterator of another module's list asks for each token by way of a table.
    for place in 0..<tokens.count {
      let token = tokens[place]
      let range = at..<at + Int(token.length)
      at = range.upperBound
      paint(token.kind, range)
    }
  }

  private mutating func paint(_ kind: TokenKind, _ range: Range<Int>) {
    switch kind {
    case .scriptText: paintScript(range)
    case .blank, .unexpected, .prose, .referenceText, .referenceClose, .headerColon:
      break
    case .lineEnd: endLine()
    case .comment: if !body.contains(range.lowerBound) { add(range, .comment) }
    case .separatorMarker: add(range, .comment)
    case .separatorTitle: add(range, .comment, .documentation)
    case .metadataMarker: markerStart = range.lowerBound
    case .metadataKey: paintTag(upTo: range.upperBound)
    case .metadataValue: paintTagValue(range)
    case .variableMarker, .variableOperator, .redirectMarker, .scriptMarker: add(range, .operator)
    case .variableName: add(range, .variable, [.declaration, .modification])
    case .variableValue: paintValue(range)
    case .method: add(range, .method, block.isRegisteredMethod(range) ? .defaultLibrary : [])
    case .target: paintTarget(range)
    case .httpVersion, .keyword: add(range, .keyword)
    case .headerName: paintHeaderName(range)
    case .headerValue: paintHeaderValue(range)
    case .headerSpread: paintSpread(range)
    case .bodyText: if isForm { paintForm(range) }
    case .path: paintPath(range)
    case .referenceOpen: paintReference(range)
    case .response: paintResponse(range)
    case .assertion: paintAssertion(range)
    case .curl: paintCurl(range)
    }
    if kind != .blank, kind != .lineEnd { isBlankLine = false }
  }

  /// Adds a token, given by its bytes in the block.
  mutating func add(
    _ range: Range<Int>, _ type: SemanticTokenType, _ modifiers: SemanticTokenModifiers = []
  ) {
    if range.isEmpty { return }
    encoder.add(start + range.lowerBound..<start + range.upperBound, type, modifiers)
  }

  /// The byte at a place of the block.
  func byte(_ place: Int) -> UInt8 { block.bytes[start + place] }

  private mutating func endLine() {
    if isBlankLine, response == .headers { response = .body }
    isBlankLine = true
  }

  // MARK: - Tags

  private mutating func paintTag(upTo end: Int) {
    add(markerStart..<end, .decorator)
    let tags = syntax.metadata
    while nextTag < tags.count, tags[nextTag].key.upperBound < end { nextTag += 1 }
    tag = nextTag < tags.count ? tags[nextTag] : nil
  }

  private mutating func paintTagValue(_ range: Range<Int>) {
    guard let tag, tag.value.lowerBound <= range.lowerBound else { return add(range, .operator) }
    switch tag.kind {
    case .name: add(range, .label, .declaration)
    case .ref, .forceRef, .responseRef: paintRequestName(range)
    case .prompt, .secret:
      let word = wordEnd(range)
      let isSecret = tag.kind == .secret
      add(range.lowerBound..<word, .variable, isSecret ? [.declaration, .secret] : .declaration)
      add(skipBlanks(word, range.upperBound)..<range.upperBound, .string)
    default:
      if let name = taggedNames[range.lowerBound] {
        let end = min(name.upperBound, range.upperBound)
        add(range.lowerBound..<end, .variable, [.declaration, .modification])
        add(skipBlanks(end, range.upperBound)..<range.upperBound, .string)
      } else {
        paintValue(range)
      }
    }
  }

  private mutating func paintRequestName(_ range: Range<Int>) {
    let name = block.text(range)
    names.append(NameNumber.number(name))
    let isKnown = meanings?.isRequest(name) ?? true
    add(range, .label, isKnown ? [] : .unresolved)
  }

  private mutating func paintPath(_ range: Range<Int>) {
    while nextCall < calledNames.count, calledNames[nextCall].upperBound <= range.lowerBound {
      nextCall += 1
    }
    guard byte(range.lowerBound) == UInt8(ascii: "#"), nextCall < calledNames.count,
      calledNames[nextCall].overlaps(range)
    else { return add(range, .string) }
    add(range.lowerBound..<range.lowerBound + 1, .operator)
    paintRequestName(calledNames[nextCall].clamped(to: range))
  }

  // MARK: - References

  private mutating func paintReference(_ open: Range<Int>) {
    while nextReference < references.count,
      references[nextReference].range.lowerBound < open.lowerBound
    {
      nextReference += 1
    }
    add(open, .operator)
    url.passReference()
    guard nextReference < references.count,
      references[nextReference].range.lowerBound == open.lowerBound
    else { return }
    let reference = references[nextReference]
    let inner = reference.inner
    if reference.isPercentEncoded { add(percent(before: inner.lowerBound), .operator) }
    paint(reference.expression, inner)
    add(reference.range.upperBound - 2..<reference.range.upperBound, .operator)
  }

  private func percent(before place: Int) -> Range<Int> {
    var at = place
    while at > 0, byte(at - 1) != UInt8(ascii: "%") { at -= 1 }
    return max(0, at - 1)..<at
  }

  private mutating func paint(_ expression: ReferenceExpression, _ inner: Range<Int>) {
    let offset = start + inner.lowerBound
    switch expression {
    case .empty: break
    case .script: paintScript(ScriptPlace(expression: block.absolute(inner), in: block.bytes))
    case .dynamic(let name, let arguments):
      let meaning =
        meanings?.dynamic(name, arguments, at: offset, own: ownScope)
        ?? NameMeaning(type: .function, modifiers: .defaultLibrary)
      let end = min(inner.upperBound, inner.lowerBound + 1 + name.utf8.count)
      if name.hasPrefix("global.") {
        let path = name.dropFirst("global.".count)
        note(path)
        note(path.prefix { $0 != "." && $0 != "[" })
      }
      add(inner.lowerBound..<end, meaning.type, meaning.modifiers)
      paintArguments(end..<inner.upperBound)
    case .path(let name, let rest):
      note(name)
      if !rest.isEmpty { note(name + rest) }
      if name.hasSuffix("Response") { note(name.dropLast("Response".count)) }
      let meaning =
        meanings?.meaning(name, rest, at: offset, own: ownScope)
        ?? NameMeaning(type: .variable)
      let end = meaning.takesRest ? inner.upperBound : inner.lowerBound + name.utf8.count
      add(inner.lowerBound..<min(end, inner.upperBound), meaning.type, meaning.modifiers)
      let isDotted = end < inner.upperBound && byte(end) == UInt8(ascii: ".")
      if end < inner.upperBound { add(end + (isDotted ? 1 : 0)..<inner.upperBound, .property) }
    }
  }

  /// Notes a name whose meaning is shown.
  mutating func note(_ name: some StringProtocol) { names.append(NameNumber.number(name)) }

  /// Words behind a dynamic variable; punctuation stays as it is.
  private mutating func paintArguments(_ range: Range<Int>) {
    var at = range.lowerBound
    while at < range.upperBound {
      guard byte(at).isOfArgument else {
        at += 1
        continue
      }
      let first = at
      while at < range.upperBound, byte(at).isOfArgument { at += 1 }
      add(first..<at, isNumber(first..<at) ? .number : .string)
    }
  }
}

extension UInt8 {
  /// Whether it belongs to a word among the arguments of a dynamic variable.
  fileprivate var isOfArgument: Bool {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","):
      false
    default: true
    }
  }
}
