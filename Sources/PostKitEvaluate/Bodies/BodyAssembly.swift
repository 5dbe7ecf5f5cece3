// The bytes of a body: lines, included files, line ends and the rules of each content type.

import PostKitHTTP
import PostKitSyntax

extension BlockLowering {
  /// Puts a body together; files that are sent as they are stay files, to be streamed.
  mutating func body(_ request: RequestSyntax, _ headers: inout HeaderFields) -> [BodyChunk] {
    guard let body = request.body else { return [] }
    let text = BodyFirstLook(block: block, body: body)
    var written = headers.first("Content-Type")
    if written == nil, dialect.infersContentType, text.looksLikeJSON {
      headers.append("Content-Type", "application/json")
      written = "application/json"
    }
    let type = written.flatMap(MediaType.init)
    if let type, type.isMultipart { return multipart(body, type, &headers) }
    if type?.isForm == true { return form(body) }
    let lines = kept(body, type, looksLikeJSON: type == nil && text.looksLikeJSON)
    var chunks = BodyChunks()
    chunks.bytes.reserveCapacity(body.range.count)
    for (index, line) in lines.enumerated() {
      append(line, type, to: &chunks)
      if index < lines.count - 1 { chunks.bytes += lineEnd(of: line) }
    }
    if type?.isNewlineDelimitedJSON == true, !endsInLineFeed(chunks) { chunks.bytes.append(0x0A) }
    return chunks.chunks
  }

  /// Line ends are LF, whatever the file has, unless a knob says otherwise.
  private func lineEnd(of line: BodyLineSyntax) -> [UInt8] {
    switch dialect.bodyLineEnding {
    case .lineFeed: [0x0A]
    case .carriageReturnLineFeed: [0x0D, 0x0A]
    case .asWritten: Array(block.slice(line.lineEnd))
    }
  }

  /// Whether the last record is ended (PK-22), be it in a file.
  private func endsInLineFeed(_ chunks: BodyChunks) -> Bool {
    switch chunks.chunks.last {
    case .bytes(let bytes)?: return bytes.last == 0x0A
    case .file(let path)?:
      if case .bytes(let bytes) = evaluator.context.readFile(path) { return bytes.last == 0x0A }
      return false
    case nil: return true
    }
  }

  /// The lines that are sent; comment lines by the content type (PK-5).
  func kept(
    _ body: BodySyntax, _ type: MediaType?, looksLikeJSON: Bool
  ) -> SyntaxList<BodyLineSyntax> {
    let strips =
      switch dialect.bodyComments {
      case .strip: type?.essence != "text/markdown"
      case .keep: false
      case .byType:
        type.map {
          $0.isJSON || $0.isNewlineDelimitedJSON || $0.isForm || $0.essence == "application/graphql"
        } ?? looksLikeJSON
      }
    return strips ? withoutComments(body) : withoutEndMark(body.lines)
  }

  /// The lines without httpYac's `<--->`, which ends a body that ends in blank lines.
  private func withoutEndMark(_ lines: SyntaxList<BodyLineSyntax>) -> SyntaxList<BodyLineSyntax> {
    guard let last = lines.last, dialect.preset == .httpyac,
      block.slice(last.content).elementsEqual("<--->".utf8)
    else { return lines }
    return SyntaxList(lines.dropLast())
  }

  /// The lines but for comments, and but for the blank lines that those leave at the ends.
  private func withoutComments(_ body: BodySyntax) -> SyntaxList<BodyLineSyntax> {
    let marked = withoutEndMark(body.lines)
    guard marked.contains(where: \.isComment) else { return marked }
    let lines = SyntaxList(marked.filter { !$0.isComment })
    guard marked.count == body.lines.count else { return lines }
    let isText = { (line: BodyLineSyntax) in
      line.kind != .text || block.slice(line.content).contains { $0 != 32 && $0 != 9 }
    }
    guard let first = lines.firstIndex(where: isText), let last = lines.lastIndex(where: isText)
    else { return [] }
    return SyntaxList(lines[first...last])
  }

  /// Every line ends in CRLF, with exactly one after the closing delimiter (PK-19); comment lines,
  /// of which there are none inside of parts, are dropped (PK-5).
  private mutating func multipart(
    _ body: BodySyntax, _ type: MediaType, _ headers: inout HeaderFields
  ) -> [BodyChunk] {
    let lines = dialect.bodyComments == .keep ? body.lines : withoutComments(body)
    let outline = MultipartOutline(lines.map { line in
      line.isText ? Array(block.slice(line.content)) : nil
    })
    if type.parameter("boundary") == nil, let found = outline.firstDelimiter,
      let index = headers.fields.firstIndex(where: {
        $0.name.equalsIgnoringASCIICase("Content-Type")
      })
    {
      let name = evaluator.expand(
        text: found, reportedAt: block.absolute(body.range), place: .body,
        offset: block.absolute(body.range).lowerBound)
      headers.fields[index].value += "; boundary=" + MultipartOutline.parameter(name)
    }
    if let (mistake, line) = outline.mistake(boundary: type.parameter("boundary")) {
      report(.multipartBoundary(mistake), block.absolute(lines[line].content), .warning)
    }
    var chunks = BodyChunks()
    for line in lines {
      append(line, nil, to: &chunks)
      chunks.bytes += [0x0D, 0x0A]
    }
    return chunks.chunks
  }

  /// Lines are joined and blanks around `&` and `=` cut; then the pairs are encoded (PK-20). Files
  /// between the lines are sent as they are.
  private mutating func form(_ body: BodySyntax) -> [BodyChunk] {
    let encoding = settings.encodesAutomatically ? dialect.formEncoding : .never
    var chunks = BodyChunks()
    var text = ""
    for line in kept(body, BodyFirstLook.form, looksLikeJSON: false) {
      if line.isText {
        text += evaluator.text(line.content, of: block, place: .body).trimmingASCIIBlanks()
      } else {
        chunks.bytes.append(restoring: encoding.encode(text))
        text = ""
        append(line, BodyFirstLook.form, to: &chunks)
      }
    }
    chunks.bytes.append(restoring: encoding.encode(text))
    return chunks.chunks
  }

  /// Adds a line, or the file that it names.
  mutating func append(_ line: BodyLineSyntax, _ type: MediaType?, to chunks: inout BodyChunks) {
    guard case .file(let include) = line.kind else {
      return evaluator.append(line.content, of: block, place: .body, to: &chunks.bytes)
    }
    let written = evaluator.text(include.path, of: block, place: .path).shown.withoutPathEscapes
    let range = block.absolute(include.path)
    guard let path = evaluator.context.resolvePath(written) else {
      if type?.essence.hasPrefix("text/") == true, !written.looksLikePath {
        // A comparison such as `< 5` in a text is text (PK-18, PK-99).
        evaluator.append(line.content, of: block, place: .body, to: &chunks.bytes)
      } else {
        report(.fileNotFound(path: written), range)
      }
      return
    }
    if include.isResolved(path, in: dialect, isAsked: settings.substitutesInFiles) {
      chunks.bytes += substituted(path, include)
    } else {
      append(file: path, at: range, to: &chunks)
    }
  }

  /// Adds a file that is sent as it is: as an editor has it that has not saved it, else as it will
  /// be on the disk.
  mutating func append(file path: String, at range: Range<Int>, to chunks: inout BodyChunks) {
    if let bytes = evaluator.context.unsavedBytes(path) {
      chunks.bytes += bytes
    } else if isUsable(path, at: range) {
      chunks.append(path: path)
    }
  }

  /// The text of a file with its references resolved; it is sent as UTF-8 (PK-98).
  private mutating func substituted(_ path: String, _ include: RedirectSyntax) -> [UInt8] {
    let range = block.absolute(include.path)
    var bytes = fileBytes(path, range)
    if let name = include.encoding, dialect.preset != .restnvim {
      guard let encoding = CharacterEncoding(block.text(name)) else {
        report(.unknownEncoding(block.text(name)), block.absolute(name))
        return []
      }
      bytes = Array(encoding.decode(bytes).utf8)
    }
    return evaluator.within(path) {
      $0.expand(
        bytes, in: 0..<bytes.count, reportedAt: range, place: .body, offset: range.lowerBound)
    }
  }

  /// The bytes of a file that a range names.
  mutating func fileBytes(_ path: String, _ range: Range<Int>) -> [UInt8] {
    switch evaluator.context.readFile(path) {
    case .bytes(let bytes): return bytes
    case .missing:
      report(.fileNotFound(path: path), range)
    case .unreadable(let explanation):
      report(.fileUnreadable(path: path, explanation: explanation), range)
    case .outside(let explanation):
      report(.fileOutside(path: path, explanation: explanation), range)
    }
    return []
  }
}

/// Chunks that grow: bytes next to bytes become one.
struct BodyChunks {
  private var finished: [BodyChunk] = []
  /// The bytes since the last file; what is added to them is added to the body.
  var bytes: [UInt8] = []

  /// What has been put together.
  var chunks: [BodyChunk] { bytes.isEmpty ? finished : finished + [.bytes(bytes)] }

  /// Adds a file that is sent as it is.
  mutating func append(path: String) {
    finished = chunks + [.file(path: path)]
    bytes = []
  }
}

/// A first look at a body.
struct BodyFirstLook {
  /// The block of the body.
  let block: ParsedBlock
  /// The body.
  let body: BodySyntax

  /// The type of a form.
  static let form = MediaType("application/x-www-form-urlencoded")

  /// Whether the first line that is no comment begins with `{` or `[`.
  var looksLikeJSON: Bool {
    for line in body.lines where line.kind == .text {
      for byte in block.slice(line.content) where byte != 32 && byte != 9 {
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
      }
    }
    if case .file(let include)? = body.lines.first?.kind, body.lines.count == 1 {
      return block.text(include.path).lowercased().hasSuffix(".json")
    }
    return false
  }
}

extension BodyLineSyntax {
  /// Whether the line is no file to be included.
  var isText: Bool { if case .file = kind { false } else { true } }

  /// Whether the line is a comment.
  fileprivate var isComment: Bool { if case .comment = kind { true } else { false } }
}

extension String {
  /// The path with a backslash before a blank removed (PK-17).
  var withoutPathEscapes: String {
    utf8.contains(UInt8(ascii: "\\"))
      ? split(separator: "\\ ", omittingEmptySubsequences: false).joined(separator: " ") : self
  }

  /// Whether the text has a folder or an extension in it (PK-99).
  fileprivate var looksLikePath: Bool {
    contains("/") || contains("\\") || (lastIndex(of: ".").map { $0 > startIndex } ?? false)
  }
}
