// The request line, its continuations, and curl commands (PK-9, PK-10, PK-12, PK-30).

extension BlockParser {
  /// Reads the line that is none of those that may stand before a request.
  mutating func readRequestLine() {
    let line = nextLine
    let content = nextContent
    var rest = content
    let method = methodRange(content)
    if let method {
      emitText(.method, method, mustClose: true)
      rest = bytes.trimmed(method.upperBound..<content.upperBound)
      addUnknownMethodProblem(method)
    }
    record.requestLine = content
    record.method = method
    readTargetPart(rest, isContinuation: method != nil)
    endLine(line)
  }

  private mutating func addUnknownMethodProblem(_ method: Range<Int>) {
    guard bytes[method.lowerBound] != Byte.openBrace else { return }
    if !MethodCatalog.isKnown(bytes, method) {
      problem(.unknownMethod(bytes.string(method)), method)
    }
  }

  /// Makes tokens for a part of the target and the version at its end.
  mutating func readTargetPart(_ part: Range<Int>, isContinuation: Bool) {
    let version = versionRange(part, mayStandAlone: isContinuation)
    let target = bytes.trimmed(part.lowerBound..<(version?.lowerBound ?? part.upperBound))
    emitText(.target, target, mustClose: true)
    if !target.isEmpty { record.target.append(target) }
    guard let version else { return }
    emitText(.httpVersion, version, mustClose: true)
    record.version = version.lowerBound + 5..<version.upperBound
  }

  /// The method at the start of a request line (PK-9).
  private mutating func methodRange(_ content: Range<Int>) -> Range<Int>? {
    let end = content.upperBound
    if bytes.starts(content, with: "{{") {
      guard case .reference(let reference)? = TemplateParser.pieces(bytes, in: content).first,
        reference.range.lowerBound == content.lowerBound, reference.range.upperBound < end,
        bytes[reference.range.upperBound].isBlank
      else { return nil }
      let rest = bytes.skipBlanks(reference.range.upperBound, end)..<end
      return looksLikeTarget(rest) && versionRange(rest, mayStandAlone: true) != rest
        ? reference.range : nil
    }
    let word = content.lowerBound..<bytes.skipWord(content.lowerBound, end)
    if isUpperWord(word) {
      return word.upperBound < end || MethodCatalog.isKnown(bytes, word) ? word : nil
    }
    guard word.upperBound < end, word.count <= 20, bytes[word].allSatisfy({ $0 < 0x80 }),
      MethodCatalog.isKnown(bytes, word)
    else { return nil }
    return looksLikeTarget(bytes.skipBlanks(word.upperBound, end)..<end) ? word : nil
  }

  /// `[A-Z][A-Z0-9_-]*`.
  private mutating func isUpperWord(_ word: Range<Int>) -> Bool {
    guard !word.isEmpty, bytes[word.lowerBound].isUpper else { return false }
    return word.allSatisfy { bytes[$0].isUpperWordCharacter }
  }

  private mutating func looksLikeTarget(_ rest: Range<Int>) -> Bool {
    guard !rest.isEmpty else { return false }
    switch bytes[rest.lowerBound] {
    case Byte.slash, UInt8(ascii: "*"), UInt8(ascii: "["): return true
    default: break
    }
    return bytes.starts(rest, with: "{{") || bytes.starts(rest, with: "localhost")
      || bytes[rest].contains { $0 == Byte.colon || $0 == Byte.dot }
  }

  /// `HTTP/` with digits at the end of a part, after a blank (PK-10).
  private mutating func versionRange(_ part: Range<Int>, mayStandAlone: Bool) -> Range<Int>? {
    var end = part.upperBound
    let note: StaticString = "(Prior Knowledge)"
    let noteStart = end - note.utf8CodeUnitCount
    if noteStart > part.lowerBound, bytes[end - 1] == UInt8(ascii: ")"),
      bytes.equalsIgnoringCase(noteStart..<end, note)
    {
      end = bytes.trimmed(part.lowerBound..<noteStart).upperBound
    }
    let start = bytes.lastWordStart(part.lowerBound..<end)
    // Few words have a slash there; the letters of `http:` would be compared in vain.
    guard start > part.lowerBound || mayStandAlone, end - start > 5,
      bytes[start + 4] == Byte.slash, bytes.equalsIgnoringCase(start..<start + 5, "HTTP/")
    else { return nil }
    let number = start + 5..<end
    let isNumber = bytes[number].allSatisfy { $0.isDigit || $0 == Byte.dot }
      && bytes[number.lowerBound].isDigit
    return isNumber || bytes.starts(number, with: "{{") ? start..<part.upperBound : nil
  }

  /// Whether a line begins a request of its own although no separator stands before it (PK-3).
  mutating func looksLikeRequest(_ index: Int) -> Bool {
    let content = content(index)
    guard !content.isEmpty, bytes[content.lowerBound].isUpper else { return false }
    let end = content.upperBound
    var wordEnd = content.lowerBound + 1
    while wordEnd < end, bytes[wordEnd].isUpperWordCharacter { wordEnd += 1 }
    guard wordEnd < end, bytes[wordEnd].isBlank, isColumnZero(index) else { return false }
    let word = content.lowerBound..<wordEnd
    let rest = bytes.skipBlanks(word.upperBound, end)..<end
    guard bytes[rest.lowerBound] == Byte.slash || bytes.starts(rest, with: "{{")
      || isAbsolute(rest)
    else { return false }
    return MethodCatalog.isKnown(bytes, word)
  }

  private mutating func isAbsolute(_ target: Range<Int>) -> Bool {
    var at = target.lowerBound
    let end = target.upperBound
    while at < end, bytes[at].isLetter || bytes[at].isDigit || bytes[at] == UInt8(ascii: "+") {
      at += 1
    }
    return at > target.lowerBound && bytes.starts(at..<end, with: "://")
  }

  /// Whether a new block begins here; `# @forceRegionDelimiter` forbids it.
  mutating func splits(at index: Int) -> Bool {
    rules.implicitSplit != .never && looksLikeRequest(index)
      && firstTag { $0.kind == .forceRegionDelimiter } == nil
  }

  // MARK: - curl

  /// Reads a curl command over all its lines, if the next line begins one.
  mutating func readCurl() -> Bool {
    let content = nextContent
    var start = content.lowerBound
    // The prompt of a shell, copied along.
    if bytes.starts(content, with: "$ ") { start = bytes.skipBlanks(start + 1, content.upperBound) }
    guard content.upperBound - start > 4,
      bytes.equalsIgnoringCase(start..<start + 4, "curl"), bytes[start + 4].isBlank
    else { return false }
    let end = curlEnd(from: start)
    let command = bytes.trimmed(start..<end)
    emit(.blank, to: content.lowerBound)
    emit(.curl, to: start)
    emitText(.curl, command)
    record.requestLine = content
    record.curl = command
    while next < lines.count, lines[next].end < cursor || lines[next].contentEnd < cursor {
      next += 1
    }
    if next < lines.count { endLine(nextLine) }
    return true
  }

  /// The command's end: the first line end that is neither quoted nor escaped, unless the next
  /// line is an option whose backslash was forgotten.
  private mutating func curlEnd(from start: Int) -> Int {
    var quote: UInt8?
    var escapes = true
    var at = start
    let end = bytes.count
    while at < end {
      let byte = bytes[at]
      if byte == Byte.backslash, escapes {
        at += at + 1 < end && bytes[at + 1] == Byte.carriageReturn ? 2 : 1
      } else if let open = quote {
        if byte == open {
          quote = nil
          escapes = true
        }
      } else if byte == Byte.quote || byte == UInt8(ascii: "'") {
        quote = byte
        escapes = byte == Byte.quote || bytes[at - 1] == UInt8(ascii: "$")
      } else if byte == Byte.lineFeed {
        let option = bytes.skipBlanks(at + 1, end)
        let isOption = option + 1 < end && bytes[option] == Byte.dash
          && (bytes[option + 1].isLetter || bytes[option + 1] == Byte.dash)
        if !isOption { return at }
      }
      at += 1
    }
    return end
  }
}

extension UInt8 {
  /// What a word in capitals is made of.
  fileprivate var isUpperWordCharacter: Bool {
    isUpper || isDigit || self == Byte.dash || self == UInt8(ascii: "_")
  }
}
