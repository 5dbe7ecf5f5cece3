// The open documents; what is in an editor's buffer wins over the disk (PROMISES.md D9).

package import LanguageServerProtocol
package import PostKitEvaluate
import PostKitLanguage
package import PostKitRunner
import PostKitSupport
package import PostKitSyntax
package import PostKitText

/// A document that the client has open.
package struct OpenDocument: Sendable {
  package let uri: DocumentURI
  package let languageID: String
  /// The text with its version.
  package let text: TextSnapshot
  /// Another number for each text of the session; versions begin anew when a document is opened.
  package let revision: Int
  /// The blocks of the text; none where it is too long to be looked into (D11), nor in an
  /// environment file.
  package let parsed: ParsedDocument
  /// What kind of environment file it is; `nil` for any other.
  package let environmentKind: EnvironmentSource.Kind?

  /// Parses a text; blocks that are those of `previous` are taken over.
  package init(
    uri: DocumentURI, languageID: String, text: TextSnapshot, revision: Int = 0,
    previous: ParsedDocument?
  ) {
    self.uri = uri
    self.revision = revision
    self.languageID = languageID
    self.text = text
    let isMarkdown = languageID == "markdown"
    environmentKind = uri.path.flatMap { EnvironmentSource.Kind(path: $0) }
    // No requests stand in settings, scripts and data, whatever they look like.
    let isOther = environmentKind != nil || uri.isScript || uri.isOfOtherTool
    let isUnread = text.bytes.count > Limits.analysedDocumentBytes || isOther
    parsed = ParsedDocument(
      bytes: isUnread ? [] : text.bytes,
      format: isMarkdown ? .markdown : ParsedDocument.format(ofPath: uri.path ?? ""),
      lines: isUnread ? nil : text.lines, reusing: previous)
  }

  private init(_ document: OpenDocument, _ parsed: ParsedDocument) {
    uri = document.uri
    languageID = document.languageID
    text = document.text
    revision = document.revision
    environmentKind = document.environmentKind
    self.parsed = parsed
  }

  /// The same text with its blocks read by other rules.
  func parsed(as parsed: ParsedDocument) -> OpenDocument { OpenDocument(self, parsed) }

  /// Whether the text is too long to be looked into.
  package var isTooLong: Bool { text.bytes.count > Limits.analysedDocumentBytes }
}

/// All open documents.
package struct Documents: Sendable {
  private var open: [DocumentURI: OpenDocument] = [:]
  /// How many texts there were.
  private var count = 0

  /// No document is open.
  package init() {}

  /// The documents in order of their URIs.
  package var all: [OpenDocument] {
    open.values.sorted { $0.uri.spelling < $1.uri.spelling }
  }

  /// The text of the open documents that are files, by path.
  package var files: [String: [UInt8]] { texts.mapValues(\.bytes) }

  /// The same with what tells each text from others.
  package var texts: [String: OpenText] {
    var texts: [String: OpenText] = [:]
    for document in open.values {
      guard let path = document.uri.path else { continue }
      texts[FilePath.normalise(path)] = OpenText(document.text.bytes, revision: document.revision)
    }
    return texts
  }

  /// Whether none is open.
  package var isEmpty: Bool { open.isEmpty }

  /// The open document of that URI.
  package subscript(uri: DocumentURI) -> OpenDocument? { open[uri] }

  /// Opens a document, or replaces it where it was open (PROMISES.md D8).
  package mutating func open(_ item: LSP.TextDocumentItem) {
    let uri = DocumentURI(item.uri)
    let text = TextSnapshot(uri: item.uri, version: item.version, text: item.text)
    // A dictionary keeps its first key, so the old spelling must go.
    open[uri] = nil
    count += 1
    open[uri] = OpenDocument(
      uri: uri, languageID: item.languageId, text: text, revision: count, previous: nil)
  }

  /// Applies the changes of one event; `false` for a document that isn't open.
  package mutating func change(
    _ params: LSP.DidChangeTextDocumentParams, encoding: PositionEncoding
  ) -> Bool {
    guard let document = open[DocumentURI(params.textDocument.uri)] else { return false }
    let changes = params.contentChanges.map { change -> TextChange in
      switch change {
      case .textDocumentContentChangePartial(let part):
        .ranged(
          from: TextPosition(part.range.start), to: TextPosition(part.range.end), text: part.text)
      case .textDocumentContentChangeWholeDocument(let whole):
        .full(whole.text)
      }
    }
    let text = document.text.applying(
      changes, encoding: encoding, version: params.textDocument.version)
    count += 1
    open[document.uri] = OpenDocument(
      uri: document.uri, languageID: document.languageID, text: text, revision: count,
      previous: document.parsed)
    return true
  }

  /// Closes a document; `false` for one that isn't open.
  package mutating func close(_ uri: DocumentURI) -> Bool { open.removeValue(forKey: uri) != nil }
}
