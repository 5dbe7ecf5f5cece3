// What stands beside and above requests: hovers, lenses, hints, the outline.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitText

/// The handlers of what an editor draws around the text.
enum Hovers {
  /// `textDocument/hover`.
  static func hover(
    _ snapshot: Snapshot, _ params: LSP.HoverParams
  ) async throws(RPCError) -> LSP.Hover? {
    guard let document = try snapshot.requests(params.textDocument.uri) else {
      let document = try snapshot.document(params.textDocument.uri)
      guard snapshot.shown(document.uri) == .collections else { return nil }
      return try await CollectionHover.hover(snapshot, document, line: Int(params.position.line))
    }
    let context = await snapshot.context(of: document)
    let converter = context.converter(snapshot)
    let offset = converter.offset(params.position)
    if snapshot.isSurrounding(document.uri) {
      let environments = snapshot.allEnvironments(around: context)
      let file = await snapshot.environmentDocument(document)
      let found = file?.hover(at: offset, in: environments)
      return found.map { hover($0, converter, snapshot.client.profile) }
    }
    let analysis = await snapshot.analysis(of: context)
    let bodies = await snapshot.lastBodies(around: offset, analysis)
    let answers = await snapshot.lastAnswers(around: offset, analysis)
    let found = analysis.hover(
      at: offset, environments: { snapshot.environments(around: context) },
      lastBody: { bodies[$0.id] }, lastAnswer: { answers[$0.id] })
    return found.map { hover($0, converter, snapshot.client.profile) }
  }

  private static func hover(
    _ hover: Hover, _ converter: PositionConverter, _ profile: ClientProfile
  ) -> LSP.Hover {
    LSP.Hover(
      contents: ToProtocol.markup(hover.markdown, isMarkdown: profile.takesMarkdownInHover),
      range: converter.lsp(hover.range))
  }

  /// The lenses; what the last result says is left to `codeLens/resolve`.
  static func codeLens(
    _ snapshot: Snapshot, _ params: LSP.CodeLensParams
  ) async throws(RPCError) -> [LSP.CodeLens]? {
    guard let document = try snapshot.requestFile(params.textDocument.uri) else { return [] }
    let context = await snapshot.context(of: document)
    guard context.settings[.codeLensEnabled] != false else { return [] }
    let analysis = await snapshot.analysis(of: context)
    let converter = context.converter(snapshot)
    let own = snapshot.initialization
    let uri = document.uri.spelling
    let lenses = analysis.codeLenses(
      copiesAsCurl: context.settings[.codeLensCopyAsCurl] == true)
    try Abandonment.check()
    return lenses.map { lens in
      let range = converter.lsp(lens.range)
      switch lens.action {
      case .send:
        let argument = LSP.PostkitSendArguments(uri: uri, position: range.start)
        return LSP.CodeLens(
          range: range, command: CommandID.send.command(lens.title, own, argument))
      case .sendAll:
        let argument = LSP.PostkitSendAllArguments(uri: uri)
        return LSP.CodeLens(
          range: range, command: CommandID.sendAll.command(lens.title, own, argument))
      case .selectEnvironment:
        return LSP.CodeLens(
          range: range,
          command: CommandID.selectEnvironment.command(
            lens.title, own, LSP.PostkitSelectEnvironmentArguments?.none))
      case .copyAsCurl:
        let argument = LSP.PostkitCopyAsCurlArguments(uri: uri, position: range.start)
        return LSP.CodeLens(
          range: range, command: CommandID.copyAsCurl.command(lens.title, own, argument))
      case .showResponse(let id):
        return LSP.CodeLens(range: range, data: ["uri": .string(uri), "id": .string(id)])
      }
    }
  }

  /// Fills in the last result of a lens.
  static func resolveCodeLens(
    _ snapshot: Snapshot, _ lens: LSP.CodeLens
  ) async throws(RPCError) -> LSP.CodeLens {
    guard let uri = lens.data?["uri"]?.string, let id = lens.data?["id"]?.string else {
      return lens
    }
    let context = await snapshot.context(of: try await snapshot.readableDocument(uri))
    let table = await snapshot.results(file: context.file)
    guard let result = table.results.first(where: { $0.id == id }) else {
      throw RPCError(.contentModified, "The result of this lens is no longer the last one.")
    }
    var resolved = lens
    resolved.command = CommandID.showResponse.command(
      result.summary, snapshot.initialization, LSP.PostkitShowResponseArguments(id: id))
    return resolved
  }

  /// `textDocument/documentSymbol`: a tree where the client draws trees.
  static func documentSymbol(
    _ snapshot: Snapshot, _ params: LSP.DocumentSymbolParams
  ) async throws(RPCError) -> LSP.DocumentSymbolArrayOrSymbolInformationArray? {
    let document = try snapshot.document(params.textDocument.uri)
    let symbols: [DocumentSymbol]
    switch snapshot.shown(document.uri) {
    case nil, .storedRequest:
      if snapshot.isSurrounding(document.uri) { return nil }
      let context = await snapshot.context(of: document)
      symbols = await snapshot.analysis(of: context).symbols()
      try Abandonment.check()
    case .response(_, let view) where !document.isTooLong && view.form != .timings:
      symbols = ShownResponse(document.text.bytes, isBody: view.isBody).symbols()
    default: return nil
    }
    let converter = document.text.converter(snapshot.client.profile.encoding)
    return snapshot.client.profile.hasHierarchicalSymbols
      ? .documentSymbolArray(symbols.map { ToProtocol.symbol($0, converter) })
      : .symbolInformationArray(
        symbols.map { ToProtocol.flatSymbol($0, document.uri, converter) })
  }
}
