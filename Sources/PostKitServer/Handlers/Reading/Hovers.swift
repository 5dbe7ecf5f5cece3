// What is known of the thing under the mouse or the caret.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitSyntax
import PostKitText

/// The handler of hovers.
enum Hovers {
  /// `textDocument/hover`.
  static func hover(
    _ snapshot: Snapshot, _ params: LSP.HoverParams
  ) async throws(RPCError) -> LSP.Hover? {
    guard let document = try snapshot.requests(params.textDocument.uri) else {
      let document = try snapshot.document(params.textDocument.uri)
      guard snapshot.shown(document.uri) == .collections else {
        let converter = document.text.converter(snapshot.client.profile.encoding)
        return tokenHover(document, converter.offset(params.position)).map {
          hover($0, converter, snapshot.client.profile)
        }
      }
      return try await CollectionHover.hover(snapshot, document, line: Int(params.position.line))
    }
    let context = await snapshot.context(of: document)
    let converter = context.converter(snapshot)
    let offset = converter.offset(params.position)
    if snapshot.isSurrounding(document.uri) {
      let environments = snapshot.allEnvironments(around: context)
      let file = await snapshot.environmentDocument(document)
      if let token = file.flatMap({ snapshot.token(at: offset, $0, context) }) {
        let links = TokenCommands.links(snapshot, document.uri.spelling, params.position)
        return hover(await snapshot.card(of: token, links), converter, snapshot.client.profile)
      }
      let found = tokenHover(document, offset) ?? file?.hover(at: offset, in: environments)
      return found.map { hover($0, converter, snapshot.client.profile) }
    }
    let parsed = context.document.parsed
    // A script reads the response of its own request, which no reference need name.
    let names = Analysis.scriptResponseName(parsed, at: offset).map {
      Set(parsed.exchangeNames.names + [$0])
    }
    let analysis = await snapshot.analysis(of: context, readingResponsesOf: names)
    if let token = snapshot.token(at: offset, analysis, context) {
      let links = TokenCommands.links(snapshot, document.uri.spelling, params.position)
      return hover(await snapshot.card(of: token, links), converter, snapshot.client.profile)
    }
    let bodies = await snapshot.lastBodies(around: offset, analysis)
    let answers = await snapshot.lastAnswers(around: offset, analysis)
    var found = analysis.hover(
      at: offset, environments: { snapshot.environments(around: context) },
      lastBody: { bodies[$0.id] }, lastAnswer: { answers[$0.id] })
    if found == nil {
      let request = await GraphQLAnswers.request(
        snapshot, context, analysis, at: offset, within: Limits.describedReadMilliseconds)
      found = request?.request.hover(at: offset, now: analysis.context.now())
    }
    let whole = await snapshot.describedHover(found, analysis, context, at: offset)
    return whole.map { hover($0, converter, snapshot.client.profile) }
  }

  /// What a JSON Web Token says that stands in a text, such as a response.
  private static func tokenHover(_ document: OpenDocument, _ offset: Int) -> Hover? {
    WebTokenHover.hover(in: document.text.bytes, at: offset, now: Clock.wallMilliseconds)
  }

  private static func hover(
    _ hover: Hover, _ converter: PositionConverter, _ profile: ClientProfile
  ) -> LSP.Hover {
    LSP.Hover(
      contents: ToProtocol.markup(hover.markdown, isMarkdown: profile.takesMarkdownInHover),
      range: converter.lsp(hover.range))
  }
}
