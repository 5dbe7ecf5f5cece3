// The bytes of a body: lines, included files, line ends and the rules of each content type.

import PostKitHTTP
import PostKitSyntax

extension BlockLowering {
  /// Puts a body together; files that are sent as they are stay files, to be streamed.
  mutating func body(_ request: RequestSyntax, _ headers: inout HeaderFields) -> [BodyChunk] {
    if headers.first("X-Request-Type")?.lowercased() == "graphql" {
      report(.unsupported("GraphQL bodies are"), block.absolute(request.line))
    }
    guard let body = request.body else { return [] }
    var type = headers.first("Content-Type").flatMap(MediaType.init)
    let text = BodyText(block: block, body: body)
    if type == nil, dialect.infersContentType, text.looksLikeJSON {
      headers.append("Content-Type", "application/json")
      type = MediaType("application/json")
    }
    if type?.isMultipart == true { return multipart(body) }
    if type?.isForm == true { return form(body) }
    let lines = kept(body, type, looksLikeJSON: text.looksLikeJSON)
    var chunks = BodyChunks()
    for (index, line) in lines.enumerated() {
      append(line, type, to: &chunks)
      if index < lines.count - 1 { chunks.append([0x0A]) }
    }
    if type?.isNewlineDelimitedJSON == true, chunks.last != 0x0A { chunks.append([0x0A]) }
    return chunks.chunks
  }

  /// The lines that are sent; comment lines by the content type (PK-5).
  private func kept(
    _ body: BodySyntax, _ type: MediaType?, looksLikeJSON: Bool
  ) -> [BodyLineSyntax] {
    let strips =
      switch dialect.bodyComments {
      case .strip: type?.essence != "text/markdown"
      case .keep: false
      case .byType:
        type.map {
          $0.isJSON || $0.isNewlineDelimitedJSON || $0.isForm || $0.essence == "application/graphql"
        } ?? looksLikeJSON
      }
    guard strips else { return body.lines }
    return withoutComments(body)
  }

  /// The lines but for comments, and but for the blank lines that those leave at the ends.
  private func withoutComments(_ body: BodySyntax) -> [BodyLineSyntax] {
    let lines = body.lines.filter { $0.kind != .comment }
    guard lines.count < body.lines.count else { return lines }
    let isText = { (line: BodyLineSyntax) in
      line.kind != .text || block.slice(line.content).contains { $0 != 32 && $0 != 9 }
    }
    guard let first = lines.firstIndex(where: isText), let last = lines.lastIndex(where: isText)
    else { return [] }
    return Array(lines[first...last])
  }

  /// Every line ends in CRLF, with exactly one after the closing delimiter (PK-19); comment lines,
  /// of which there are none inside of parts, are dropped (PK-5).
  private mutating func multipart(_ body: BodySyntax) -> [BodyChunk] {
    var chunks = BodyChunks()
    for line in dialect.bodyComments == .keep ? body.lines : withoutComments(body) {
      append(line, nil, to: &chunks)
      chunks.append([0x0D, 0x0A])
    }
    return chunks.chunks
  }

  /// Lines are joined and blanks around `&` and `=` cut; then the pairs are encoded (PK-20).
  private mutating func form(_ body: BodySyntax) -> [BodyChunk] {
    let lines = kept(body, MediaType("application/x-www-form-urlencoded"), looksLikeJSON: false)
    if lines.contains(where: { if case .file = $0.kind { true } else { false } }) {
      var chunks = BodyChunks()
      for line in lines { append(line, nil, to: &chunks) }
      return chunks.chunks
    }
    var joined: [UInt8] = []
    for line in lines {
      let content = evaluator.expand(line.content, of: block, place: .body)
      joined += String(decoding: content, as: UTF8.self).trimmingASCIIBlanks().utf8
    }
    let pairs = String(decoding: joined, as: UTF8.self)
      .split(separator: "&", omittingEmptySubsequences: false)
      .map { pair -> String in
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return halves.map { String($0).trimmingASCIIBlanks() }.joined(separator: "=")
      }
    let text = pairs.joined(separator: "&")
    return [.bytes(Array((settings.encodesAutomatically ? FormEncoding.encode(text) : text).utf8))]
  }

  private mutating func append(
    _ line: BodyLineSyntax, _ type: MediaType?, to chunks: inout BodyChunks
  ) {
    guard case .file(let include) = line.kind else {
      chunks.append(evaluator.expand(line.content, of: block, place: .body))
      return
    }
    let written = String(
      decoding: evaluator.expand(include.path, of: block, place: .path), as: UTF8.self
    ).withoutPathEscapes
    let range = block.absolute(include.path)
    guard let path = evaluator.context.resolvePath(written) else {
      if type?.essence.hasPrefix("text/") == true, !written.looksLikePath {
        // A comparison such as `< 5` in a text is text (PK-18, PK-99).
        chunks.append(evaluator.expand(line.content, of: block, place: .body))
      } else {
        report(.fileNotFound(path: written), range)
      }
      return
    }
    if substitutes(include) {
      chunks.append(substituted(path, range))
    } else {
      chunks.append(path: path)
    }
  }

  private func substitutes(_ include: RedirectSyntax) -> Bool {
    let isPlain = include.marker == .includeRaw
    if isPlain { return settings.substitutesInFiles || dialect.fileBody == .substitutePlain }
    // In rest.nvim `<@` is the raw form.
    return dialect.preset != .restnvim
  }

  /// The text of a file with its references resolved; it is sent as UTF-8 (PK-98).
  private mutating func substituted(_ path: String, _ range: Range<Int>) -> [UInt8] {
    switch evaluator.context.readFile(path) {
    case .bytes(let bytes):
      return evaluator.expand(
        bytes, in: 0..<bytes.count, reportedAt: range, place: .body, offset: range.lowerBound)
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

/// The encoding of forms as JetBrains writes them (PK-20).
enum FormEncoding {
  /// `%%`, `%&`, `%=` and `%+` stand for the second character; other illegal bytes are encoded,
  /// valid `%XX` stay, a blank becomes `%20` and `+` is kept.
  static func encode(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "%"), at + 1 < bytes.count, "%&=+".utf8.contains(bytes[at + 1]) {
        output.append(UInt8(ascii: "%"))
        output += Hex.encode([bytes[at + 1]]).uppercased().utf8
        at += 2
      } else {
        output.append(bytes[at])
        at += 1
      }
    }
    return PercentEncoding.encodeIllegal(String(decoding: output, as: UTF8.self))
  }
}

/// Chunks that grow: bytes next to bytes become one.
private struct BodyChunks {
  private(set) var chunks: [BodyChunk] = []

  /// The last byte, where it is at hand.
  var last: UInt8? {
    if case .bytes(let bytes)? = chunks.last { bytes.last } else { nil }
  }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if case .bytes(var previous)? = chunks.last {
      chunks.removeLast()
      previous += bytes
      chunks.append(.bytes(previous))
    } else {
      chunks.append(.bytes(bytes))
    }
  }

  mutating func append(path: String) { chunks.append(.file(path: path)) }
}

/// A first look at a body.
private struct BodyText {
  let block: ParsedBlock
  let body: BodySyntax

  /// Whether the first line that is no comment begins with `{` or `[`.
  var looksLikeJSON: Bool {
    for line in body.lines where line.kind == .text {
      for byte in block.slice(line.content) where byte != 32 && byte != 9 {
        return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
      }
    }
    return false
  }
}

extension String {
  /// The path with a backslash before a blank removed (PK-17).
  fileprivate var withoutPathEscapes: String {
    contains("\\ ")
      ? split(separator: "\\ ", omittingEmptySubsequences: false).joined(separator: " ") : self
  }

  /// Whether the text has a folder or an extension in it (PK-99).
  fileprivate var looksLikePath: Bool {
    contains("/") || contains("\\") || (lastIndex(of: ".").map { $0 > startIndex } ?? false)
  }
}
