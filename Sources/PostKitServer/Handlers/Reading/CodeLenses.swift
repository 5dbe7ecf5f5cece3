// What can be done with a request, and what it returned last, as lines above it.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitText

/// The handlers of code lenses.
enum CodeLenses {
  /// `textDocument/codeLens`; what the last result says is left to `codeLens/resolve`.
  static func codeLens(
    _ snapshot: Snapshot, _ params: LSP.CodeLensParams
  ) async throws(RPCError) -> [LSP.CodeLens]? {
    guard let document = try snapshot.requestFile(params.textDocument.uri) else { return [] }
    let context = await snapshot.context(of: document)
    guard context.settings[.codeLensEnabled] != false else { return [] }
    var analysis = await snapshot.analysis(of: context)
    let showsOperations = context.settings[.codeLensOperation] == true
    if showsOperations { analysis = await snapshot.comparing(analysis, context) }
    let converter = context.converter(snapshot)
    let own = snapshot.initialization
    let uri = document.uri.spelling
    let lenses = analysis.codeLenses(
      copiesAsCurl: context.settings[.codeLensCopyAsCurl] == true,
      showsOperations: showsOperations)
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
      case .showOperation:
        let argument = LSP.PostkitDescribeArguments(
          uri: uri, position: range.start, task: .show)
        return LSP.CodeLens(
          range: range, command: CommandID.describe.command(lens.title, own, argument))
      case .showResponse(let id):
        return LSP.CodeLens(range: range, data: ["uri": .string(uri), "id": .string(id)])
      }
    }
  }

  /// `codeLens/resolve`: fills in the last result of a lens.
  static func resolve(
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
}
