// What stands before a request line: comments, metadata, definitions, scripts, directives.

extension BlockParser {
  /// Reads up to and with the request line, or to the block's end.
  mutating func readPrologue() {
    while next < lines.count {
      if readBlankLine() || readPrologueLine(startingWith: bytes[nextContent.lowerBound]) {
        continue
      }
      switch bytes[nextContent.lowerBound] {
      case UInt8(ascii: "H") where readResponse(isWholeBlock: true): return
      case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "$"):
        if readCurl() { return }
      default: break
      }
      return readRequestLine()
    }
  }

  /// Reads the next line, if its first byte and its form allow it before a request.
  private mutating func readPrologueLine(startingWith first: UInt8) -> Bool {
    switch first {
    case Byte.hash: readComment(in: .prologue)
    case Byte.slash: readComment(in: .prologue) || readBlockComment()
    case Byte.at:
      readVariable(isAfterResponse: false) || readBrokenVariable() || readNamespace()
    case Byte.equals: readPreRequestScript()
    case Byte.less, Byte.openBrace: readStrayReference() || readPreRequestScript()
    case Byte.greater, Byte.question: readStrayStructure()
    case UInt8(ascii: "i"), UInt8(ascii: "r"): readDirective()
    case UInt8(ascii: "p"), UInt8(ascii: "g"): readImportedDefinition()
    case UInt8(ascii: "f"): readFragment()
    default: false
    }
  }

  // MARK: - Comments and metadata

  /// Reads a line that begins with `#` or `//`, as metadata if it has the form (PK-36).
  mutating func readComment(in region: BlockRegion) -> Bool {
    let content = nextContent
    guard bytes.isComment(content) else { return false }
    let line = nextLine
    if let parts = metadataParts(content) {
      readMetadata(parts, content, in: region)
    } else {
      emit(.blank, to: content.lowerBound)
      emit(.comment, to: content.upperBound)
    }
    endLine(line)
    return true
  }

  /// The key and the value of a comment that is metadata.
  mutating func metadataParts(_ content: Range<Int>) -> (key: Range<Int>, value: Range<Int>)? {
    let end = content.upperBound
    let marker = bytes[content.lowerBound]
    var at = content.lowerBound
    while at < end, bytes[at] == marker { at += 1 }
    at = bytes.skipBlanks(at, end)
    guard at + 1 < end, bytes[at] == Byte.at, bytes[at + 1].isLetter else { return nil }
    let keyStart = at + 1
    at = keyStart
    while at < end,
      bytes[at].isLetter || bytes[at].isDigit || bytes[at] == Byte.dash
        || isVersionPoint(at, keyStart..<end)
    {
      at += 1
    }
    let key = keyStart..<at
    let afterBlanks = bytes.skipBlanks(at, end)
    if afterBlanks < end, bytes[afterBlanks] == Byte.equals {
      return (key, bytes.trimmed(afterBlanks + 1..<end))
    }
    guard at == end || afterBlanks > at else { return nil }
    return (key, afterBlanks..<end)
  }

  /// The point in the option `http1.1` of curl.
  private mutating func isVersionPoint(_ at: Int, _ key: Range<Int>) -> Bool {
    bytes[at] == UInt8(ascii: ".") && at + 1 < key.upperBound && bytes[at + 1].isDigit
      && (bytes.starts(key, with: "curl-http") || bytes.starts(key, with: "kulala-curl--http"))
  }

  private mutating func readMetadata(
    _ parts: (key: Range<Int>, value: Range<Int>), _ content: Range<Int>, in region: BlockRegion
  ) {
    emit(.blank, to: content.lowerBound)
    emit(.metadataMarker, to: parts.key.lowerBound)
    emit(.metadataKey, to: parts.key.upperBound)
    emit(.blank, to: bytes.skipBlanks(cursor, parts.value.lowerBound))
    // What is left before the value is the equals sign.
    if cursor < parts.value.lowerBound, bytes[cursor] == Byte.equals {
      emit(.variableOperator, to: cursor + 1)
    }
    emitText(.metadataValue, parts.value, mustClose: true)
    let tag = MetadataSyntax(
      line: content, key: parts.key, kind: MetadataTag(bytes, parts.key),
      value: parts.value, region: region)
    traits.formUnion(BlockTraits(tag))
    if tag.kind?.takesExpression == true, mayBeScript(tag.value) { traits.insert(.expressions) }
    tables.metadata.append(tag)
    if tag.kind == .scriptLanguage { scriptLanguage = tag.value }
    if let form = tag.definedForm { addDefinition(form, of: tag) }
  }

  /// Whether a value holds a sign that names and paths don't have.
  private func mayBeScript(_ value: Range<Int>) -> Bool {
    value.contains { "(+=?&|`<>".utf8.contains(bytes[$0]) }
  }

  /// Adds the variable of a tag `# @key NAME value`; the evaluation words what is missing.
  private mutating func addDefinition(_ form: VariableSyntax.Form, of tag: MetadataSyntax) {
    let end = tag.value.upperBound
    let name = tag.value.lowerBound..<bytes.skipWord(tag.value.lowerBound, end)
    let value = bytes.skipBlanks(name.upperBound, end)..<end
    guard !value.isEmpty else { return }
    tables.variables.append(
      VariableSyntax(
        line: tag.line, nameRange: name, isGlobal: false, isLazy: false, value: value,
        isAfterResponse: form != .file, form: form))
  }

  /// httpYac's `@xpath_ns prefix=uri`, kept as metadata.
  private mutating func readNamespace() -> Bool {
    let content = nextContent
    guard bytes.starts(content, with: "@xpath_ns"), content.count > 9,
      bytes[content.lowerBound + 9].isBlank
    else { return false }
    let key = content.lowerBound + 1..<content.lowerBound + 9
    let value = bytes.skipBlanks(key.upperBound, content.upperBound)..<content.upperBound
    let line = nextLine
    readMetadata((key, value), content, in: .prologue)
    endLine(line)
    return true
  }

  /// httpYac's `/*` to `*/`, each on a line of its own or both on one line (PK-6).
  private mutating func readBlockComment() -> Bool {
    let content = nextContent
    guard bytes.starts(content, with: "/*") else { return false }
    if content.count >= 4, endsBlockComment(content) {
      let line = nextLine
      emit(.blank, to: content.lowerBound)
      emit(.comment, to: content.upperBound)
      endLine(line)
      return true
    }
    guard content.count == 2,
      let last = lines[(next + 1)...].firstIndex(where: { line in
        let trimmed = bytes.trimmed(line.content)
        return trimmed.count == 2 && endsBlockComment(trimmed)
      })
    else { return false }
    while next <= last {
      let line = nextLine
      let content = nextContent
      emit(.blank, to: content.lowerBound)
      emit(.comment, to: content.upperBound)
      endLine(line)
    }
    return true
  }

  private mutating func endsBlockComment(_ content: Range<Int>) -> Bool {
    bytes[content.upperBound - 2] == UInt8(ascii: "*")
      && bytes[content.upperBound - 1] == Byte.slash
  }

  // MARK: - Definitions

  /// The parts of `@name = value` (PK-31).
  struct VariableParts {
    var isGlobal: Bool
    var name: Range<Int>
    var mark: Range<Int>
    var value: Range<Int>
  }

  /// Takes a trimmed line apart, or `nil` where it defines nothing.
  @inline(__always)  // Those that don't ask for all parts pay for no more than they ask.
  mutating func variableParts(_ content: Range<Int>) -> VariableParts? {
    guard !content.isEmpty, bytes[content.lowerBound] == Byte.at else { return nil }
    let end = content.upperBound
    var start = content.lowerBound + 1
    let isGlobal = bytes.starts(start..<end, with: "global.")
    if isGlobal { start += 7 }
    var at = start
    while at < end, !bytes[at].isBlank, bytes[at] != Byte.equals, bytes[at] != Byte.colon,
      bytes[at] != Byte.openBrace, bytes[at] != Byte.closeBrace
    {
      at += 1
    }
    guard at > start else { return nil }
    let name = start..<at
    let mark = bytes.skipBlanks(at, end)
    at = mark
    if at < end, bytes[at] == Byte.colon { at += 1 }
    guard at < end, bytes[at] == Byte.equals else {
      // `@name value`: what follows the blanks is the value.
      guard rules.bareDefinitions, mark > name.upperBound, mark < end,
        !bytes.starts(name, with: "xpath_ns")
      else { return nil }
      return VariableParts(
        isGlobal: isGlobal, name: name, mark: mark..<mark, value: bytes.trimmed(mark..<end))
    }
    return VariableParts(
      isGlobal: isGlobal, name: name, mark: mark..<at + 1, value: bytes.trimmed(at + 1..<end))
  }

  /// Whether a trimmed line is a definition.
  mutating func isDefinition(_ content: Range<Int>) -> Bool { variableParts(content) != nil }

  /// Reads a definition, if the next line is one.
  mutating func readVariable(isAfterResponse: Bool) -> Bool {
    let content = nextContent
    guard let parts = variableParts(content) else { return false }
    let line = nextLine
    emit(.blank, to: content.lowerBound)
    emit(.variableMarker, to: content.lowerBound + 1)
    emit(.variableName, to: parts.name.upperBound)
    emit(.blank, to: parts.mark.lowerBound)
    emit(.variableOperator, to: parts.mark.upperBound)
    emitText(.variableValue, parts.value, mustClose: true)
    tables.variables.append(
      VariableSyntax(
        line: content, nameRange: parts.name, isGlobal: parts.isGlobal,
        isLazy: parts.mark.count == 2, value: parts.value, isAfterResponse: isAfterResponse))
    endLine(line)
    return true
  }

  /// A line that begins like a definition but has no operator: no URL begins so.
  private mutating func readBrokenVariable() -> Bool {
    let content = nextContent
    if bytes.starts(content, with: "@xpath_ns") { return false }
    problem(.malformedVariable, content)
    readUnexpectedLine()
    return true
  }

  // MARK: - Structural lines without a request

  /// Handlers, saves and assertions before any request line: kept as what they are.
  private mutating func readStrayStructure() -> Bool {
    guard let structure = structure(at: next, allowing: .epilogue) else { return false }
    read(structure)
    return true
  }

  /// `<> path`; a `{{` block has its own reading here.
  private mutating func readStrayReference() -> Bool {
    bytes.starts(nextContent, with: "<>") && readStrayStructure()
  }
}
