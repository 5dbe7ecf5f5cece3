// Scripts: found, kept and coloured here, run elsewhere (PK-25, PK-28).

extension BlockParser {
  /// Reads `< {% … %}`, `={% … %}`, `< file` or a `{{` block before a request line.
  mutating func readPreRequestScript() -> Bool {
    let content = nextContent
    guard !content.isEmpty else { return false }
    switch bytes[content.lowerBound] {
    case Byte.less, Byte.equals:
      let open = bytes.skipBlanks(content.lowerBound + 1, content.upperBound)
      if bytes.starts(open..<content.upperBound, with: "{%") {
        let isImport = bytes[content.lowerBound] == Byte.equals
        readScript(isImport ? .imports : .preRequest, marker: content.lowerBound, open: open)
        return true
      }
      guard bytes[content.lowerBound] == Byte.less, open > content.lowerBound + 1,
        open < content.upperBound
      else { return false }
      readScriptFile(.preRequest, content, path: open..<content.upperBound)
      return true
    case Byte.openBrace:
      guard isScriptBlockStart(content) else { return false }
      readScriptBlock()
      return true
    default: return false
    }
  }

  /// Reads a script between `{%` and `%}`. The first line that ends in `%}` ends it; failing that
  /// the first `%}` at all, or the block's end.
  mutating func readScript(_ kind: ScriptSyntax.Kind, marker: Int, open: Int) {
    let first = next
    emit(.blank, to: marker)
    emit(.redirectMarker, to: marker + 1)
    emit(.blank, to: open)
    emit(.scriptMarker, to: open + 2)
    guard let close = scriptClose(from: open + 2) else {
      let end = lines.last.map { bytes.trimmed(open + 2..<$0.contentEnd).upperBound } ?? open + 2
      problem(.unterminatedScript, marker..<open + 2)
      endScript(kind, from: marker, text: open + 2..<max(end, open + 2), markerLength: 0)
      while next < lines.count { endLine(nextLine) }
      return
    }
    while lines[next].end <= close { next += 1 }
    endScript(kind, from: marker, text: open + 2..<close, markerLength: 2)
    let line = nextLine
    let rest = bytes.trimmed(cursor..<line.contentEnd)
    if !rest.isEmpty { problem(.textAfterHandler, rest) }
    emit(.blank, to: rest.lowerBound)
    emit(.unexpected, to: rest.upperBound)
    endLine(line)
    assert(next > first)
  }

  private mutating func endScript(
    _ kind: ScriptSyntax.Kind, from start: Int, text: Range<Int>, markerLength: Int
  ) {
    emit(.scriptText, to: text.upperBound)
    emit(.scriptMarker, to: text.upperBound + markerLength)
    let head = scriptHead(kind, start, text)
    // The lines of the text are read with it.
    while next < lines.count, lines[next].end <= cursor, next + 1 < lines.count { next += 1 }
    traits.formUnion(kind == .imports ? [.scripts, .scriptImports] : .scripts)
    var script = ScriptSyntax(
      kind: kind, range: start..<text.upperBound + markerLength, text: text, path: nil)
    (script.event, script.isForAll) = (head.event, head.isForAll)
    script.isAfterRequest = record.requestLine != nil
    script.language = kind == .block ? nil : language(text)
    script.tag = scriptLanguage
    extras.scripts.append(script)
  }

  /// The word of `lang=word` at the start of a text.
  private mutating func language(_ text: Range<Int>) -> Range<Int>? {
    let start = bytes.skipBlanks(text.lowerBound, text.upperBound)
    guard bytes.starts(start..<text.upperBound, with: "lang=") else { return nil }
    var end = start + 5
    while end < text.upperBound, bytes[end].isWord || bytes[end] == Byte.dash { end += 1 }
    return start + 5..<end
  }

  /// What the first line of a `{{` block says, whose text begins at a place.
  private mutating func scriptHead(
    _ kind: ScriptSyntax.Kind, _ start: Int, _ text: Range<Int>
  ) -> (event: ScriptSyntax.Event?, isForAll: Bool) {
    guard kind == .block else { return (nil, false) }
    let marker = bytes.trimmed(start + 2..<text.lowerBound)
    var (at, isForAll) = (marker.lowerBound, false)
    if bytes.starts(marker, with: "@js") { at = bytes.skipBlanks(at + 3, marker.upperBound) }
    if at < marker.upperBound {
      isForAll = bytes[at] == UInt8(ascii: "+")
      if isForAll || bytes[at] == Byte.at { at += 1 }
    }
    let word = at..<marker.upperBound
    return (ScriptSyntax.Event(folding: bytes.string(word)), isForAll)
  }

  private mutating func scriptClose(from start: Int) -> Int? {
    for index in isBeyondScriptMarkers ? lines.count..<lines.count : next..<lines.count {
      let end = bytes.trimmed(max(start, lines[index].start)..<max(start, lines[index].contentEnd))
      if end.count >= 2, bytes[end.upperBound - 2] == Byte.percent,
        bytes[end.upperBound - 1] == Byte.closeBrace
      {
        return end.upperBound - 2
      }
    }
    isBeyondScriptMarkers = true
    return bytes.firstPair(Byte.percent, Byte.closeBrace, in: start..<bytes.count)
  }

  /// Reads a script that is a file: `< file` before, `> file` after a request.
  mutating func readScriptFile(_ kind: ScriptSyntax.Kind, _ content: Range<Int>, path: Range<Int>) {
    let line = nextLine
    emit(.blank, to: content.lowerBound)
    emit(.redirectMarker, to: content.lowerBound + 1)
    emitText(.path, path, mustClose: true)
    traits.insert(.scripts)
    var script = ScriptSyntax(kind: kind, range: content, text: nil, path: unquoted(path))
    script.isAfterRequest = record.requestLine != nil
    script.tag = scriptLanguage
    extras.scripts.append(script)
    endLine(line)
  }

  // MARK: - httpYac's blocks

  /// Whether a trimmed line is `{{`, with `@js`, `+`, `@` and an event word at most.
  mutating func isScriptBlockStart(_ content: Range<Int>) -> Bool {
    guard bytes.starts(content, with: "{{") else { return false }
    var at = content.lowerBound + 2
    let end = content.upperBound
    if bytes.starts(at..<end, with: "@js") {
      let after = at + 3
      if after == end { return true }
      if bytes[after].isBlank { at = bytes.skipBlanks(after, end) }
    }
    let isPlain = at == end
    let hasMarker = at < end && (bytes[at] == UInt8(ascii: "+") || bytes[at] == Byte.at)
    if hasMarker { at += 1 }
    let word = at..<end
    if isPlain || word.isEmpty { return true }
    return ScriptSyntax.Event(folding: bytes.string(word)) != nil
  }

  /// Reads such a block up to a line that is exactly `}}`; without one, all the rest.
  mutating func readScriptBlock() {
    let start = nextContent
    emit(.blank, to: start.lowerBound)
    emit(.scriptMarker, to: start.upperBound)
    let textStart = start.upperBound
    var last = next + 1
    while last < lines.count, !isScriptBlockEnd(last) { last += 1 }
    guard last < lines.count else {
      problem(.unterminatedScript, start.lowerBound..<start.lowerBound + 2)
      let end = lines.last.map { bytes.trimmed(textStart..<$0.contentEnd).upperBound } ?? textStart
      endScript(.block, from: start.lowerBound, text: textStart..<end, markerLength: 0)
      while next < lines.count { endLine(nextLine) }
      return
    }
    let close = content(last)
    next = last
    endScript(.block, from: start.lowerBound, text: textStart..<close.lowerBound, markerLength: 2)
    next = last
    endLine(lines[last])
  }

  private mutating func isScriptBlockEnd(_ index: Int) -> Bool {
    let content = bytes.trimmed(lines[index].content)
    return content.count == 2 && bytes.starts(content, with: "}}")
  }
}
