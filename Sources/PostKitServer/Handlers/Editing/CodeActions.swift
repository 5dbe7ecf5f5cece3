// Code actions: the way to send in editors that show neither lenses nor our own keys.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSyntax
import PostKitText

/// The handler of code actions.
enum CodeActions {
  /// The kinds that we offer; a client may ask for one by its beginning.
  static let kinds = [
    "postkit.send", "postkit.send.all", "postkit.evaluate", "postkit.fetch", "postkit.token",
    "postkit.copy",
    "postkit.show",
    "postkit.compare", "postkit.save", "postkit.open", "postkit.mark", "postkit.delete",
    "postkit.cancel", "postkit.import",
    "postkit.list.sort", "postkit.list.statistics", "postkit.list.searches", "postkit.list.save",
    "postkit.list.mark", "postkit.list.delete", "postkit.list.undo", "postkit.favourite",
    "postkit.defaults", "postkit.mock",
    "postkit.environment", "refactor.extract", "refactor.inline", "refactor.rewrite", "quickfix",
    "source.fixAll.postkit",
  ]

  /// `textDocument/codeAction`: sending comes first.
  static func codeAction(
    _ snapshot: Snapshot, _ params: LSP.CodeActionParams
  ) async throws(RPCError) -> LSP.CodeActionArrayOrCommandArray? {
    let document = try snapshot.document(params.textDocument.uri)
    if let actions = try await shownActions(snapshot, document, params) {
      return answer(snapshot, params, actions)
    }
    if snapshot.isSurrounding(document.uri) {
      guard let environments = await snapshot.environmentDocument(document) else {
        return answer(snapshot, params, [])
      }
      let context = await snapshot.context(of: document)
      let offset = context.converter(snapshot).offset(params.range.start)
      let token = snapshot.token(at: offset, environments, context)
      return answer(
        snapshot, params,
        await TokenCommands.actions(snapshot, token, document.uri.spelling, params.range.start)
          + (try await CodeActionEdits.actions(snapshot, document, environments, params)))
    }
    if snapshot.isOfOtherTool(document.uri) {
      return answer(snapshot, params, OriginImports.actions(snapshot, document))
    }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.comparing(await snapshot.analysis(of: context), context)
    let offset = context.converter(snapshot).offset(params.range.start)
    var actions: [LSP.CodeAction] = []
    let block = analysis.request(at: offset)
    if let block {
      actions += self.actions(
        snapshot, RunPlan.title(block).excerpt, document.uri.spelling, params.range.start,
        result: analysis.result(of: block))
      actions += [
        GraphQLAnswers.fetching(
          snapshot, analysis, block, document.uri.spelling, params.range.start)
      ].compactMap { $0 }
    }
    if let owner = block ?? document.parsed.block(at: offset) {
      actions += [
        ExpressionValue.action(
          snapshot, owner, at: offset, document.uri.spelling, params.range.start)
      ].compactMap { $0 }
    }
    actions += await TokenCommands.actions(
      snapshot, snapshot.token(at: offset, analysis, context), document.uri.spelling,
      params.range.start)
    if let id = block.flatMap({ analysis.result(of: $0)?.id }) {
      actions += await ResponseDiff.actions(snapshot, id)
    }
    actions += try await CodeActionEdits.actions(snapshot, document, context, analysis, params)
    actions += await DescribedUpdates.actions(
      snapshot, context, analysis, block, params.range.start)
    actions += fileActions(snapshot, analysis, context) + Mocks.actions(snapshot, context, block)
    return answer(snapshot, params, actions)
  }

  /// What can be done in a document that is only shown; `nil` for one that holds requests.
  private static func shownActions(
    _ snapshot: Snapshot, _ document: OpenDocument, _ params: LSP.CodeActionParams
  ) async throws(RPCError) -> [LSP.CodeAction]? {
    let line = Int(params.range.start.line)
    switch snapshot.shown(document.uri) {
    case nil, .storedRequest: return nil
    case .response(let id, let view):
      return await ResponseActions.actions(snapshot, document, id, view, params.range.start)
    case .history: return await HistoryList.actions(snapshot, document, line: line)
    case .collections:
      return try await CollectionActions.actions(snapshot, document, line: line)
    case .cookies: return try await Cookies.actions(snapshot, document, line: line)
    case .session: return try await SessionValues.actions(snapshot, document, line: line)
    case .statistics: return StatisticsList.actions(snapshot, document, line: line)
    case .searches: return try await SavedSearchList.actions(snapshot, document, line: line)
    case .defaults, .fetched, .other: return []
    }
  }

  /// The actions of the kinds that were asked for, in a form that the client takes.
  private static func answer(
    _ snapshot: Snapshot, _ params: LSP.CodeActionParams, _ all: [LSP.CodeAction]
  ) -> LSP.CodeActionArrayOrCommandArray {
    var actions = all
    if let only = params.context.only {
      actions.removeAll { action in
        let kind = action.kind?.rawValue ?? ""
        return !only.contains { $0.rawValue.isEmpty || kind == $0.rawValue
          || kind.hasPrefix($0.rawValue + ".") }
      }
    }
    // What a client can't have carried out is of no use in its menu.
    if !snapshot.client.profile.executesCommands {
      if actions.contains(where: { $0.kind?.rawValue == "postkit.send" }) {
        snapshot.tellOnce(cannotSend)
      }
      actions.removeAll { $0.command != nil }
    }
    return snapshot.client.profile.takesCodeActionLiterals
      ? .codeActionArray(actions) : .commandArray(actions.compactMap(\.command))
  }

  /// Said once to who looks for an action to send with, and can be offered none.
  private static let cannotSend =
    "This editor does not declare that it runs commands (`workspace.executeCommand`), so "
    + "it shows no actions to send with. If it does, set `executeCommands` of "
    + "`initializationOptions.postkit` to `true`; else send with `postkit run FILE --line LINE`."

  /// What can be done with one request.
  private static func actions(
    _ snapshot: Snapshot, _ title: String, _ uri: String, _ position: LSP.Position,
    result: LastResult?
  ) -> [LSP.CodeAction] {
    let own = snapshot.initialization
    var actions = [
      action(
        "postkit.send", "Send `\(title)`",
        CommandID.send.command(
          "Send `\(title)`", own, LSP.PostkitSendArguments(uri: uri, position: position))),
      action(
        "postkit.copy", "Copy `\(title)` as curl",
        CommandID.copyAsCurl.command(
          "Copy `\(title)` as curl", own,
          LSP.PostkitCopyAsCurlArguments(uri: uri, position: position))),
    ]
    if snapshot.storedRequestID(of: DocumentURI(uri)) == nil {
      actions.append(
        action(
          "postkit.save", "Save `\(title)` to a collection",
          CommandID.collectionEdit.command(
            "Save `\(title)` to a collection", own,
            LSP.PostkitEditOperation(op: .saveRequest, uri: uri, position: position))))
    }
    if let result {
      let text = "Show the last response: \(result.summary)"
      actions.append(
        action(
          "postkit.show", text,
          CommandID.showResponse.command(
            text, own, LSP.PostkitShowResponseArguments(id: result.id))))
    }
    if snapshot.session.sends.count > 0 {
      let text = "Cancel the running requests"
      actions.append(
        action(
          "postkit.cancel", text,
          CommandID.cancel.command(text, own, LSP.PostkitCancelArguments(uri: uri))))
    }
    return actions
  }

  /// What can be done with the file.
  private static func fileActions(
    _ snapshot: Snapshot, _ analysis: Analysis, _ context: DocumentContext
  ) -> [LSP.CodeAction] {
    let own = snapshot.initialization
    let uri = context.document.uri.spelling
    var actions: [LSP.CodeAction] = []
    let count = analysis.document.requests.count
    if count > 1 {
      let text = "Send all \(count) requests"
      actions.append(
        action(
          "postkit.send.all", text,
          CommandID.sendAll.command(text, own, LSP.PostkitSendAllArguments(uri: uri))))
    }
    for name in analysis.scope.environments.names where name != context.environment {
      let text = "Use the environment `\(name)`"
      if let command = Environments.command(text, name, snapshot, context) {
        actions.append(action("postkit.environment", text, command))
      }
    }
    // A client that knows us has commands for these; in any other nobody would find them.
    if snapshot.client.profile.postkit == nil {
      actions += [
        action(
          "postkit.show", "Show the history",
          CommandID.history.command("Show the history", own, LSP.PostkitHistoryArguments())),
        action(
          "postkit.open", "Show the collections",
          CommandID.collections.command(
            "Show the collections", own, LSP.PostkitCollectionsArguments())),
      ]
    }
    return actions
  }

  /// An action that is a command.
  static func action(
    _ kind: String, _ title: String, _ command: LSP.Command
  ) -> LSP.CodeAction {
    LSP.CodeAction(title: title, kind: LSP.CodeActionKind(rawValue: kind), command: command)
  }
}
