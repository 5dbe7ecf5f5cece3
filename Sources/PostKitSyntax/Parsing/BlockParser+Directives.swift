// `import` and `run` lines, and httpYac's `proto` and `gql` lines before a request.

extension BlockParser {
  /// Reads `import path` or `run path|#name`, with overrides (PK-39). Anything else that begins
  /// with these words is a URL.
  mutating func readDirective() -> Bool {
    let content = nextContent
    let line = nextLine
    guard !content.isEmpty, content.lowerBound == max(line.start, cursor) else { return false }
    let isImport = bytes.starts(content, with: "import")
    guard isImport || bytes.starts(content, with: "run") else { return false }
    let wordEnd = content.lowerBound + (isImport ? 6 : 3)
    guard wordEnd < content.upperBound, bytes[wordEnd].isBlank else { return false }
    let rest = bytes.skipBlanks(wordEnd, content.upperBound)..<content.upperBound
    let list = overrideList(in: rest)
    let written = bytes.trimmed(rest.lowerBound..<(list?.lowerBound ?? rest.upperBound))
    let called = isImport ? nil : calledName(in: written)
    let named = bytes.trimmed(written.lowerBound..<(called?.lowerBound ?? written.upperBound))
    guard let (kind, argument) = directiveArgument(named, isImport: isImport) else {
      return false
    }
    emit(.keyword, to: wordEnd)
    emitText(.path, named, mustClose: true)
    if let called {
      emit(.blank, to: called.lowerBound)
      emitText(.path, called, mustClose: true)
    }
    var overrides: [(name: Range<Int>, value: Range<Int>)] = []
    if let list { overrides = readOverrides(list) }
    let directive = DirectiveSyntax(
      kind: kind, line: content, argument: argument,
      request: called.map { bytes.trimmed($0.lowerBound + 1..<$0.upperBound) },
      overrides: overrides)
    traits.formUnion(BlockTraits(directive))
    extras.directives.append(directive)
    endLine(line)
    return true
  }

  /// `#name` behind a path: the request of that file that is meant. The name may yet have to be
  /// written.
  private mutating func calledName(in written: Range<Int>) -> Range<Int>? {
    var at = written.lowerBound + 1
    while at < written.upperBound {
      let isMark = bytes[at] == Byte.hash && bytes[at - 1].isBlank
      let path = bytes.trimmed(written.lowerBound..<at)
      if isMark, directiveArgument(path, isImport: false)?.0 == .runFile {
        return at..<written.upperBound
      }
      at += 1
    }
    return nil
  }

  private mutating func directiveArgument(
    _ written: Range<Int>, isImport: Bool
  ) -> (DirectiveSyntax.Kind, Range<Int>)? {
    guard !written.isEmpty else { return nil }
    if !isImport, bytes[written.lowerBound] == Byte.hash {
      let name = bytes.trimmed(written.lowerBound + 1..<written.upperBound)
      return name.isEmpty ? nil : (.runRequest, name)
    }
    let path = unquoted(written)
    guard path.count > 5 else { return nil }
    let ending = path.upperBound - 5..<path.upperBound
    guard
      bytes.equalsIgnoringCase(ending, ".http") || bytes.equalsIgnoringCase(ending, ".rest")
    else { return nil }
    return (isImport ? .importFile : .runFile, path)
  }

  /// The range without the quotes around it, if it has a pair.
  mutating func unquoted(_ range: Range<Int>) -> Range<Int> {
    guard range.count >= 2 else { return range }
    let first = bytes[range.lowerBound]
    guard first == Byte.quote || first == UInt8(ascii: "'"), bytes[range.upperBound - 1] == first
    else { return range }
    return range.lowerBound + 1..<range.upperBound - 1
  }

  /// The parentheses at the end of a directive, with what stands in them.
  private mutating func overrideList(in rest: Range<Int>) -> Range<Int>? {
    guard !rest.isEmpty, bytes[rest.upperBound - 1] == UInt8(ascii: ")") else { return nil }
    var at = rest.lowerBound
    while at < rest.upperBound {
      if bytes[at] == UInt8(ascii: "(") {
        let inside = bytes.skipBlanks(at + 1, rest.upperBound)
        if bytes[inside] == Byte.at || inside == rest.upperBound - 1 { return at..<rest.upperBound }
      }
      at += 1
    }
    return nil
  }

  private mutating func readOverrides(
    _ list: Range<Int>
  ) -> [(name: Range<Int>, value: Range<Int>)] {
    var overrides: [(name: Range<Int>, value: Range<Int>)] = []
    let end = list.upperBound - 1
    var at = list.lowerBound + 1
    emit(.blank, to: list.lowerBound)
    emit(.variableMarker, to: at)
    while at < end {
      let item = at..<itemEnd(at, end)
      if let parts = variableParts(bytes.trimmed(item)) {
        emit(.blank, to: parts.name.lowerBound - (parts.isGlobal ? 8 : 1))
        emit(.variableMarker, to: cursor + 1)
        emit(.variableName, to: parts.name.upperBound)
        emit(.blank, to: parts.mark.lowerBound)
        emit(.variableOperator, to: parts.mark.upperBound)
        emitText(.variableValue, parts.value, mustClose: true)
        overrides.append((parts.name, unquoted(parts.value)))
      } else {
        emit(.unexpected, to: bytes.trimmed(item).upperBound)
      }
      emit(.blank, to: item.upperBound)
      at = item.upperBound
      if at < end {
        at += 1
        emit(.variableMarker, to: at)
      }
    }
    emit(.variableMarker, to: list.upperBound)
    return overrides
  }

  /// The next comma outside of quotes, or the end.
  private mutating func itemEnd(_ start: Int, _ end: Int) -> Int {
    var quote: UInt8?
    var at = start
    while at < end {
      let byte = bytes[at]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == Byte.quote || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ",") {
        return at
      }
      at += 1
    }
    return end
  }

  /// `proto < file.proto` and `gql name < file.graphql` before the request.
  mutating func readImportedDefinition() -> Bool {
    let content = nextContent
    guard bytes.starts(content, with: "proto ") || bytes.starts(content, with: "gql ") else {
      return false
    }
    guard let marker = bytes[content].firstIndex(of: Byte.less), marker + 1 < content.upperBound,
      bytes[marker + 1].isBlank, bytes[marker - 1].isBlank
    else { return false }
    let word = bytes.skipWord(content.lowerBound, marker)
    let name = bytes.trimmed(word..<marker)
    guard name.isEmpty || bytes.skipWord(name.lowerBound, marker) == name.upperBound else {
      return false
    }
    let line = nextLine
    emit(.blank, to: content.lowerBound)
    emit(.keyword, to: word)
    emit(.blank, to: name.lowerBound)
    emit(.variableName, to: name.upperBound)
    emit(.blank, to: marker)
    emit(.redirectMarker, to: marker + 1)
    let path = bytes.skipBlanks(marker + 1, content.upperBound)..<content.upperBound
    emitText(.path, path, mustClose: true)
    if !name.isEmpty, !path.isEmpty, bytes.starts(content, with: "gql") {
      extras.fragments.append(FragmentSyntax(name: name, range: content, path: path))
    }
    endLine(line)
    return true
  }

  /// `fragment NAME on Type` before the request, up to the line that closes its last brace, or to
  /// a blank one.
  mutating func readFragment() -> Bool {
    let content = nextContent
    guard bytes.starts(content, with: "fragment") else { return false }
    let word = content.lowerBound + 8
    let start = bytes.skipBlanks(word, content.upperBound)
    let name = start..<bytes.skipWord(start, content.upperBound)
    let rest = bytes.skipBlanks(name.upperBound, content.upperBound)..<content.upperBound
    guard start > word, bytes.starts(rest, with: "on"), rest.count > 2,
      bytes[rest.lowerBound + 2].isBlank
    else { return false }
    emit(.blank, to: content.lowerBound)
    emit(.keyword, to: word)
    emit(.blank, to: name.lowerBound)
    emit(.variableName, to: name.upperBound)
    var end = content.upperBound
    var depth = 0
    var isClosed = false
    while next < lines.count, !isClosed, !nextContent.isEmpty {
      let line = nextLine
      let text = nextContent
      for byte in bytes[text] {
        if byte == Byte.openBrace { depth += 1 }
        if byte == Byte.closeBrace { depth -= 1 }
      }
      isClosed = depth <= 0 && bytes[text].contains(Byte.closeBrace)
      emitText(.bodyText, max(cursor, text.lowerBound)..<text.upperBound)
      end = text.upperBound
      endLine(line)
    }
    extras.fragments.append(FragmentSyntax(name: name, range: content.lowerBound..<end))
    return true
  }
}
