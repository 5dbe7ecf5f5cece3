// Requests as one request file, in which each stands by itself.

import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitSyntax

/// Writes request files.
enum HTTPExport {
  /// The text of the file. Names stay names; secrets that stand literally in the sources are left
  /// out, with names for them where a request needs them.
  static func text(of sources: [ExportSource], _ notes: ImportNotes) -> (text: String, count: Int) {
    var texts: [String] = []
    var count = 0
    var secrets = HTTPSecrets(sources)
    for source in sources {
      let document = withMovedPaths(source.scope.files.files[0].document, source)
      var written = WrittenRequests()
      let splitter = RequestSplitter(document, source.scope.dialect)
      for line in splitter.changedLines {
        notes.tell(
          .variableDuplicate,
          "The request can't be taken out of its file unchanged, because names that it uses are "
            + "defined more than once. Compare what both send.",
          at: OriginPlace(file: source.label, line: line), isWarning: true)
      }
      count += splitter.texts.count
      for text in splitter.texts {
        let parsed = ParsedDocument(bytes: text.keptBytes, rules: document.rules)
        guard let new = written.add(parsed, source.scope.dialect) else { continue }
        var text = withoutSecrets(new, &secrets, source, notes)
        // Each begins with a separator of its own.
        if !text.hasPrefix("###") { text = "###\n" + text }
        while text.last?.isNewline == true { text.removeLast() }
        texts.append(text + "\n")
      }
    }
    return (texts.joined(separator: "\n"), count)
  }

  /// A document whose relative paths lead from the export to the same files.
  private static func withMovedPaths(
    _ document: ParsedDocument, _ source: ExportSource
  ) -> ParsedDocument {
    guard FilePath.isAbsolute(source.path) else { return document }
    var bytes = document.bytes
    // From the end, so that places before it stay what they are.
    for block in document.blocks.reversed() {
      for range in block.pathRanges.sorted(by: { $0.lowerBound > $1.lowerBound }) {
        let place = block.absolute(range)
        let written = block.text(range)
        guard let moved = moved(written, source) else { continue }
        let isQuoted = place.lowerBound > 0 && bytes[place.lowerBound - 1] == UInt8(ascii: "\"")
        let keepsBlanks = isQuoted || written.contains(" ") && !written.contains("\\ ")
        let text = keepsBlanks ? moved : moved.replacing(" ", with: "\\ ")
        bytes.replaceSubrange(place, with: text.keptBytes)
      }
    }
    return bytes == document.bytes
      ? document : ParsedDocument(bytes: bytes, rules: document.rules)
  }

  /// A path as it is seen from the export; `nil` for one that stays as it is.
  private static func moved(_ written: String, _ source: ExportSource) -> String? {
    let path = written.replacing("\\ ", with: " ")
    if path.isEmpty || FilePath.isAbsolute(path) || path.hasPrefix("~") || path.contains("{{") {
      return nil
    }
    let beside = FilePath.join(FilePath.parent(source.path), path)
    let file = source.context.resolvePath(path) ?? beside
    let moved = source.relativePath(FilePath.normalise(file))
    if moved == FilePath.normalise(path) { return nil }
    return path.hasPrefix("./") && !moved.hasPrefix(".") ? "./" + moved : moved
  }

  private static func withoutSecrets(
    _ text: String, _ secrets: inout HTTPSecrets, _ source: ExportSource, _ notes: ImportNotes
  ) -> String {
    let place = OriginPlace(file: source.label, line: 1)
    var document = ParsedDocument(bytes: text.keptBytes)
    var bytes = document.bytes
    // From the end, so that places before it stay what they are.
    for block in document.blocks.reversed() {
      for variable in block.variables.reversed() where variable.form == .text {
        let name = block.name(of: variable)
        let value = block.absolute(variable.value)
        let pieces = TemplateParser.pieces(block.bytes, in: value)
        let hasLiteral = pieces.contains { if case .literal = $0 { true } else { false } }
        guard hasLiteral, VariableDefinition.nameIsSecret(name) else { continue }
        var line = block.absolute(variable.line)
        if line.upperBound < bytes.count, bytes[line.upperBound] == 13 {
          line = line.lowerBound..<line.upperBound + 1
        }
        if line.upperBound < bytes.count { line = line.lowerBound..<line.upperBound + 1 }
        bytes.removeSubrange(line)
        notes.tell(.secretMoved, "The secret `\(name)` is left out.", at: place)
      }
    }
    var named = ""
    for block in ParsedDocument(bytes: bytes).blocks {
      let (text, names) = secrets.replace(in: block)
      named += text
      for name in names {
        notes.tell(
          .secretMoved, "The secret in the request is left out; `\(name)` stands for it.",
          at: place)
      }
    }
    document = ParsedDocument(bytes: named.keptBytes)
    var result: [UInt8] = []
    for block in document.blocks {
      guard let masked = LiteralCredentials(block, keepingOpenWords: true).maskedText else {
        result += block.bytes[block.range]
        continue
      }
      notes.tell(
        .secretMoved, "A secret of a request is left out; `{{masked}}` stands for it.", at: place)
      result += masked.replacing(SecretMask.text, with: "{{masked}}").keptBytes
    }
    return withoutPasswords(String(keeping: result), document, notes, at: place)
  }

  /// A text without the passwords of proxies.
  private static func withoutPasswords(
    _ text: String, _ document: ParsedDocument, _ notes: ImportNotes, at place: OriginPlace
  ) -> String {
    var text = text
    for block in document.blocks {
      for tag in block.metadata where tag.kind == .proxy {
        for password in ProxyURL(block.text(tag.value))?.passwords ?? []
        where !password.isEmpty && !password.contains("{{") {
          text = text.replacing(":\(password)@", with: ":{{proxyPassword}}@")
          notes.tell(
            .secretMoved,
            "The password of a proxy is left out; `{{proxyPassword}}` stands for it.", at: place)
        }
      }
    }
    return text
  }
}

/// The requests of one file that an export has: texts of the others have them, too, where they need
/// them.
private struct WrittenRequests {
  private var known: Set<[UInt8]> = []
  /// Those that were written for the sake of others, before their own turn.
  private var early: [[UInt8]: Int] = [:]

  /// The text of a request without what is written; `nil` where nothing is left to write.
  mutating func add(_ document: ParsedDocument, _ dialect: Dialect) -> String? {
    let main = document.mainRequest(sharesBlocks: dialect.sharesBlocks)
    if let main, let count = early[key(of: main)], count > 0 {
      early[key(of: main)] = count - 1
      return nil
    }
    var result: [UInt8] = []
    for block in document.blocks {
      if block.isRunnable {
        let key = key(of: block)
        let isMain = block.index == main?.index
        if !known.insert(key).inserted, !isMain { continue }
        if !isMain { early[key, default: 0] += 1 }
      }
      result += block.bytes[block.range]
    }
    return String(keeping: result)
  }

  /// What a request is known by: its name and its lines. What stands before them differs with what
  /// else is in the text.
  private func key(of block: ParsedBlock) -> [UInt8] {
    let start = block.isRequest ? block.requestLine.lowerBound : block.range.lowerBound
    let lines = block.bytes[start..<max(start, block.range.upperBound)]
    let end = lines.lastIndex { $0 != 10 && $0 != 13 && $0 != 32 && $0 != 9 } ?? start - 1
    return Array((block.title ?? block.name ?? "").utf8) + [0] + lines[..<(end + 1)]
  }
}
