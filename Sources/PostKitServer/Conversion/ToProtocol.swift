// From byte ranges and plain structs to the types of the protocol.

import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitText

/// Conversions of what an editor shows.
enum ToProtocol {
  /// A text in the form that the client shows.
  static func markup(_ text: String, isMarkdown: Bool) -> LSP.MarkupContent {
    isMarkdown
      ? LSP.MarkupContent(kind: .markdown, value: text)
      : LSP.MarkupContent(kind: .plainText, value: plain(text))
  }

  /// The documentation of a completion item in the form that the client shows.
  static func documentation(_ text: String, _ profile: ClientProfile) -> LSP.StringOrMarkupContent {
    let markup = markup(text, isMarkdown: profile.takesMarkdownInCompletion)
    return profile.takesMarkupInCompletion ? .markupContent(markup) : .string(markup.value)
  }

  /// A URL as a URI, which has no letters but those of ASCII.
  static func uri(_ url: String) -> String { PercentEncoding.encodeIllegal(url) }

  /// Markdown without its marks, for clients that would show them; what is code stays as it is.
  static func plain(_ markdown: String) -> String {
    // Asked of each item of a completion, and hardly any has a mark.
    let marks = [UInt8(ascii: "`"), UInt8(ascii: "*")]
    guard markdown.utf8.contains(where: marks.contains) else { return markdown }
    var lines: [String] = []
    var fence: Substring?
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      let ticks = line.prefix { $0 == "`" }
      if let open = fence {
        if line == open { fence = nil } else { lines.append(String(line)) }
      } else if ticks.count > 2, !line[ticks.endIndex...].contains("`") {
        fence = ticks
      } else {
        lines.append(plainLine(line))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// A line outside of fences, its code without the ticks around it.
  private static func plainLine(_ line: Substring) -> String {
    var result = ""
    var rest = line
    while let tick = firstTick(in: rest) {
      let marks = rest[tick...].prefix { $0 == "`" }
      let inner = rest[marks.endIndex...]
      guard let close = inner.firstRange(of: marks) else { break }
      result += unmarked(rest[..<tick])
      let code = inner[..<close.lowerBound]
      // Code with ticks in it stands between blanks.
      let isPadded = marks.count > 1 && code.hasPrefix(" ") && code.hasSuffix(" ")
      result += isPadded ? code.dropFirst().dropLast() : code
      rest = inner[close.upperBound...]
    }
    return result + unmarked(rest)
  }

  /// The first backtick that is a mark: none with a backslash before it.
  private static func firstTick(in text: Substring) -> Substring.Index? {
    var isEscaped = false
    return text.indices.first { index in
      if text[index] == "`", !isEscaped { return true }
      isEscaped = text[index] == "\\" && !isEscaped
      return false
    }
  }

  /// A text outside of code without marks; what was written so as to be none is itself.
  private static func unmarked(_ text: Substring) -> String {
    let plain = text.split(separator: "**", omittingEmptySubsequences: false).joined()
    guard plain.contains("\\") else { return plain }
    var result = ""
    var isEscaped = false
    for character in plain {
      if character == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      if isEscaped, !"\\[]<`".contains(character) { result += "\\" }
      result.append(character)
      isEscaped = false
    }
    return result + (isEscaped ? "\\" : "")
  }

  /// A diagnostic, with the page of its code where the client can show that.
  static func diagnostic(
    _ diagnostic: Diagnostic, _ converter: PositionConverter, _ profile: ClientProfile
  ) -> LSP.Diagnostic {
    let severity: LSP.DiagnosticSeverity =
      switch diagnostic.severity {
      case .error: .error
      case .warning: .warning
      case .information: .information
      case .hint: .hint
      }
    return LSP.Diagnostic(
      range: converter.lsp(diagnostic.range), severity: severity,
      code: .string(diagnostic.code.rawValue),
      codeDescription: profile.linksDiagnosticCodes && profile.readsContentDocuments
        ? LSP.CodeDescription(href: page(ofDiagnostic: diagnostic.code)) : nil,
      source: "postkit", message: .string(diagnostic.message), tags: tags(diagnostic, profile),
      relatedInformation: related(diagnostic, profile))
  }

  /// The URI of the page about a code of a diagnostic.
  static func page(ofDiagnostic code: DiagnosticCode) -> String {
    "postkit:/diagnostics/\(code.rawValue).md"
  }

  /// How the client may draw what a diagnostic is about.
  private static func tags(
    _ diagnostic: Diagnostic, _ profile: ClientProfile
  ) -> [LSP.DiagnosticTag]? {
    let tag: LSP.DiagnosticTag? =
      switch diagnostic.code.entry.tag {
      case .unnecessary: .unnecessary
      case .deprecated: .deprecated
      case nil: nil
      }
    return tag.flatMap { profile.diagnosticTags.contains($0) ? [$0] : nil }
  }

  /// The response that a diagnostic tells of, where the client can show and open it.
  private static func related(
    _ diagnostic: Diagnostic, _ profile: ClientProfile
  ) -> [LSP.DiagnosticRelatedInformation]? {
    guard profile.relatesDiagnostics else { return nil }
    if !diagnostic.frames.isEmpty {
      return diagnostic.frames.map { frame in
        let place = LSP.Position(
          line: max(1, frame.line) - 1, character: max(1, frame.column) - 1)
        return LSP.DiagnosticRelatedInformation(
          location: LSP.Location(
            uri: DocumentURI(path: frame.path).spelling,
            range: LSP.Range(start: place, end: place)),
          message: "The script was here.")
      }
    }
    guard profile.readsContentDocuments, let id = diagnostic.exchange
    else { return nil }
    let start = LSP.Position(line: 0, character: 0)
    return [
      LSP.DiagnosticRelatedInformation(
        location: LSP.Location(
          uri: ResponseView.uri(ofWhole: id), range: LSP.Range(start: start, end: start)),
        message: "The response that was checked.")
    ]
  }

  /// The outline as a tree.
  static func symbol(
    _ symbol: DocumentSymbol, _ converter: PositionConverter
  ) -> LSP.DocumentSymbol {
    LSP.DocumentSymbol(
      name: name(symbol), detail: symbol.detail.isEmpty ? nil : symbol.detail.excerpt,
      kind: kind(symbol),
      range: converter.lsp(symbol.range), selectionRange: converter.lsp(symbol.selection),
      children: symbol.children.isEmpty
        ? nil : symbol.children.map { self.symbol($0, converter) })
  }

  /// The outline as a list, for clients without trees.
  static func flatSymbol(
    _ symbol: DocumentSymbol, _ uri: DocumentURI, _ converter: PositionConverter
  ) -> LSP.SymbolInformation {
    LSP.SymbolInformation(
      name: name(symbol), kind: kind(symbol),
      location: LSP.Location(uri: uri.spelling, range: converter.lsp(symbol.range)))
  }

  /// VS Code refuses a whole outline for one empty name.
  private static func name(_ symbol: DocumentSymbol) -> String {
    let isNamed = symbol.name.utf8.contains { (0x21...0x7E).contains($0) }
      || symbol.name.contains { !$0.isWhitespace }
    return isNamed ? symbol.name.excerpt : "request"
  }

  private static func kind(_ symbol: DocumentSymbol) -> LSP.SymbolKind {
    switch symbol.kind {
    case .request: .method
    case .requestLine: .interface
    case .queryParameter, .bodyKey: .key
    case .headers: .struct
    case .header: .property
    case .structuredBody: .object
    case .textBody: .string
    case .fileBody: .file
    case .part: .package
    case .script: .function
    case .test: .event
    case .variable: .variable
    case .tag: .field
    case .file: .module
    }
  }
}
