// Links of documents, and where those lead that are worked out late.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitSupport
import PostKitText

/// The handlers of document links.
enum DocumentLinks {
  /// `textDocument/documentLink`: the files that the document names, as far as they are there, and
  /// the URLs in it; what a list lists, and the URLs of an answer.
  static func documentLink(
    _ snapshot: Snapshot, _ params: LSP.DocumentLinkParams
  ) async throws(RPCError) -> [LSP.DocumentLink]? {
    let document = try snapshot.document(params.textDocument.uri)
    if snapshot.isSurrounding(document.uri) { return await links(inSettings: document, snapshot) }
    guard snapshot.holdsRequests(document.uri) else {
      return snapshot.links(inList: document) + links(inAnswer: document, snapshot)
    }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let converter = context.converter(snapshot)
    let links = analysis.documentLinks()
    try Abandonment.check()
    return links.map { link in
      var result = LSP.DocumentLink(range: converter.lsp(link.range))
      switch link.target {
      case .file(let path): result.target = DocumentURI(path: path).spelling
      case .url(let url): result.target = ToProtocol.uri(url)
      case .request: result.data = data(document, result.range.start)
      }
      return result
    }
  }

  /// `documentLink/resolve`: the URL of a request, without secrets.
  static func resolve(
    _ snapshot: Snapshot, _ link: LSP.DocumentLink
  ) async throws(RPCError) -> LSP.DocumentLink {
    guard link.target == nil, let uri = link.data?["uri"]?.string else { return link }
    let document = try snapshot.document(uri)
    guard isCurrent(link, document) else {
      throw RPCError(
        .contentModified, "The text has changed since this link was made. Ask for the links anew.")
    }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let offset = context.converter(snapshot).offset(link.range.start)
    guard let found = analysis.resolvedLink(at: offset) else { return link }
    var result = link
    result.target = found.url.map(ToProtocol.uri)
    if snapshot.client.profile.showsLinkTooltips { result.tooltip = found.tooltip }
    return result
  }

  /// Whether a link was made of this text. Clients may give the members back in another order, as
  /// those do that keep objects in tables without one.
  private static func isCurrent(_ link: LSP.DocumentLink, _ document: OpenDocument) -> Bool {
    let start = link.range.start
    return link.data?["line"]?.int == start.line
      && link.data?["character"]?.int == start.character
      && link.data?["rev"]?.int == document.text.version
  }

  /// What tells a link of one text from those of another.
  private static func data(_ document: OpenDocument, _ position: LSP.Position) -> JSONValue {
    var members = [
      JSONMember("uri", .string(document.uri.spelling)),
      JSONMember("line", .int(position.line)), JSONMember("character", .int(position.character)),
    ]
    if let version = document.text.version { members.append(JSONMember("rev", .int(version))) }
    return .object(members)
  }

  /// The files that settings and environments name, such as certificates.
  private static func links(
    inSettings document: OpenDocument, _ snapshot: Snapshot
  ) async -> [LSP.DocumentLink] {
    let converter = document.text.converter(snapshot.client.profile.encoding)
    return await snapshot.names(of: document).paths
      .filter { FileSystem.exists($0.name) }
      .map { path in
        LSP.DocumentLink(
          range: converter.lsp(path.range), target: DocumentURI(path: path.name).spelling)
      }
  }

  private static func links(
    inAnswer document: OpenDocument, _ snapshot: Snapshot
  ) -> [LSP.DocumentLink] {
    guard case .response = snapshot.shown(document.uri), !document.isTooLong else { return [] }
    let converter = document.text.converter(snapshot.client.profile.encoding)
    var links = TextLinks.urls(in: document.text.bytes).map { range in
      LSP.DocumentLink(
        range: converter.lsp(range), target: ToProtocol.uri(document.text.text(in: range)))
    }
    guard snapshot.client.profile.readsContentDocuments else { return links }
    // The page after this one is named above JSON, or in the last line, which is ours.
    if let next = PageHeading.next(in: document.text.bytes) {
      links.append(
        LSP.DocumentLink(range: converter.lsp(next), target: document.text.text(in: next)))
    } else if let last = document.lastWords.last,
      case .response = ShownDocument(postkit: DocumentURI(last.text))
    {
      links.append(LSP.DocumentLink(range: converter.lsp(last.range), target: last.text))
    }
    return links
  }
}
