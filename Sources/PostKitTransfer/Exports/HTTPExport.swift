// Requests as one request file, in which each stands by itself.

import PostKitEvaluate
import PostKitHTTP
import PostKitHTTP
import PostKitSyntax

/// Writes request files.
enum HTTPExport {
  /// The text of the file. Names stay names; secrets that stand literally in the sources are left
  /// out.
  static func text(of sources: [ExportSource], _ notes: ImportNotes) -> (text: String, count: Int) {
    var texts: [String] = []
    for source in sources {
      let document = source.scope.files.files[0].document
      let splitter = RequestSplitter(document, source.scope.dialect)
      for line in splitter.changedLines {
        notes.tell(
          .variableDuplicate,
          "The request can't be taken out of its file unchanged, because names that it uses are "
            + "defined more than once. Compare what both send.",
          at: OriginPlace(file: source.label, line: line), isWarning: true)
      }
      for text in splitter.texts {
        var text = withoutSecrets(text, source, notes)
        // Each begins with a separator of its own.
        if !text.hasPrefix("###") { text = "###\n" + text }
        while text.last?.isNewline == true { text.removeLast() }
        texts.append(text + "\n")
      }
    }
    return (texts.joined(separator: "\n"), texts.count)
  }

  private static func withoutSecrets(
    _ text: String, _ source: ExportSource, _ notes: ImportNotes
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
    document = ParsedDocument(bytes: bytes)
    var result: [UInt8] = []
    for block in document.blocks {
      guard let masked = LiteralCredentials(block).maskedText else {
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
