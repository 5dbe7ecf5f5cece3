// What can be done where a response is shown: other views of it, paths into it, saving it.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitSupport
import PostKitText

/// The code actions of responses.
enum ResponseActions {
  /// What can be done at a place of a response.
  static func actions(
    _ snapshot: Snapshot, _ document: OpenDocument, _ id: String, _ view: ResponseView,
    _ position: LSP.Position
  ) async -> [LSP.CodeAction] {
    var actions = [HistoryList.resend(snapshot, id)]
    do throws(RPCError) {
      let exchange = try await SendResults.exchange(snapshot, id: id)
      if let path = path(snapshot, document, position, view) {
        actions += pathActions(snapshot, document, exchange, view, position, path)
      }
      actions += viewActions(snapshot, exchange, view, PageHeading(of: document.text.bytes))
      actions += await hiddenValues(snapshot, id, view)
    } catch {
      Log.info("There is nothing to show of \(id): \(error.message)")
    }
    return actions + (await ResponseDiff.actions(snapshot, id))
      + (await HistoryEdits.actions(snapshot, id))
  }

  /// Other views of a response, and its file.
  private static func viewActions(
    _ snapshot: Snapshot, _ exchange: Exchange, _ view: ResponseView, _ page: PageHeading?
  ) -> [LSP.CodeAction] {
    guard let response = exchange.response, response.body.count > 0 else { return [] }
    let own = snapshot.initialization
    let type = response.headers.mediaType
    func show(_ title: String, _ arguments: LSP.PostkitShowResponseArguments) -> LSP.CodeAction {
      Self.show(own, title, arguments)
    }
    let id = exchange.id
    var actions: [LSP.CodeAction] = []
    if let page {
      for (word, number) in [("next", page.number + 1), ("previous", page.number - 1)]
      where number >= 1 && number <= page.total {
        actions.append(
          show(
            "Show the \(word) page (\(number) of \(page.total))",
            .init(id: id, view: .pretty, page: Double(number))))
      }
    } else if let next = ResponseDocuments.nextOffset(exchange, view) {
      actions.append(
        show(
          "Show the bytes from \(next)",
          .init(id: id, view: .raw, offset: Double(next))))
    }
    if view.form != .pretty || view.isSelection {
      actions.append(show("Show the body alone", .init(id: id, view: .pretty)))
    }
    if view.form != .raw {
      actions.append(show("Show the body as it was received", .init(id: id, view: .raw)))
    }
    if view.isBody { actions.append(show("Show the whole response", .init(id: id, view: .all))) }
    if view.form != .timings {
      actions.append(show("Show where the time went", .init(id: id, view: .timings)))
    }
    if view.form != .output, !exchange.output.isEmpty {
      actions.append(show("Show the output", .init(id: id, view: .output)))
    }
    let isMarkup = type?.isMarkup ?? false
    if snapshot.client.profile.postkit?.input == true, isMarkup || type?.isJSON ?? true {
      let title = isMarkup ? "Filter with an XPath…" : "Filter with a JSONPath…"
      actions.append(show(title, .init(id: id, ask: true)))
    }
    let title = "Save the body to a file"
    actions.append(
      CodeActions.action(
        "postkit.save", title,
        CommandID.saveResponse.command(title, own, LSP.PostkitSaveResponseArguments(id: id))))
    return actions
  }

  /// Shows what is hidden in a view of this session's response, or hides it again.
  private static func hiddenValues(
    _ snapshot: Snapshot, _ id: String, _ view: ResponseView
  ) async -> [LSP.CodeAction] {
    guard snapshot.client.profile.readsContentDocuments, ![.timings, .output].contains(view.form),
      !view.isSelection || view.select != nil,
      await snapshot.remembered().revealed(id: id) != nil
    else { return [] }
    var arguments = LSP.PostkitShowResponseArguments(
      id: id, view: LSP.PostkitResponseView(rawValue: view.form.rawValue), select: view.select)
    if view.offset > 0 { arguments.offset = Double(view.offset) }
    if view.page > 1 { arguments.page = Double(view.page) }
    if !view.isRevealed { arguments.reveal = true }
    let title = view.isRevealed ? "Hide the values again" : "Show hidden values"
    return [show(snapshot.initialization, title, arguments)]
  }

  private static func pathActions(
    _ snapshot: Snapshot, _ document: OpenDocument, _ exchange: Exchange, _ view: ResponseView,
    _ position: LSP.Position, _ path: String
  ) -> [LSP.CodeAction] {
    let own = snapshot.initialization
    let uri = document.uri.spelling
    let copy = "Copy the path `\(path)`".excerpt
    var actions = [
      CodeActions.action(
        "postkit.copy", copy,
        CommandID.copyPath.command(
          copy, own, LSP.PostkitCopyPathArguments(uri: uri, position: position)))
    ]
    if let reference = reference(to: path, in: exchange) {
      let title = "Copy the reference `\(reference)`".excerpt
      actions.append(
        CodeActions.action(
          "postkit.copy", title,
          CommandID.copyPath.command(
            title, own,
            LSP.PostkitCopyPathArguments(uri: uri, position: position, reference: true))))
    }
    if path != "$", path != view.select {
      let title = "Show only `\(path)`".excerpt
      actions.append(show(own, title, .init(id: exchange.id, select: path)))
    }
    return actions
  }

  private static func show(
    _ own: LSP.PostkitInitializationOptions, _ title: String,
    _ arguments: LSP.PostkitShowResponseArguments
  ) -> LSP.CodeAction {
    CodeActions.action("postkit.show", title, CommandID.showResponse.command(title, own, arguments))
  }

  /// How a request file refers to a value of a response; `nil` for a request without a name.
  private static func reference(to path: String, in exchange: Exchange) -> String? {
    guard let name = exchange.requestName, !name.isEmpty,
      name.utf8.allSatisfy({ byte in
        byte | 0x20 >= 97 && byte | 0x20 <= 122 || byte == 95 || byte >= 48 && byte <= 57
      })
    else { return nil }
    return "{{\(name).response.body.\(path)}}"
  }

  /// The path of the value at a place of a response; `nil` where there is none, or where what is
  /// shown is no part whose place is known.
  private static func path(
    _ snapshot: Snapshot, _ document: OpenDocument, _ position: LSP.Position, _ view: ResponseView
  ) -> String? {
    guard !document.isTooLong, ![.headers, .timings, .output].contains(view.form), view.offset == 0
    else {
      return nil
    }
    var start = ""
    if view.isSelection {
      guard let select = view.select, BodySelection.isOneJSONValue(select) else { return nil }
      start = select
    }
    let offset = document.text.converter(snapshot.client.profile.encoding).offset(position)
    let found = ShownResponse(document.text.bytes, isBody: view.isBody).path(at: offset)
    guard let found else { return nil }
    return start.isEmpty ? found : start + found.dropFirst()
  }

  /// `postkit.copyPath`: the path of a value. The protocol has no clipboard: a client that knows us
  /// puts the answer there, any other is shown it.
  static func copyPath(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    guard let argument else {
      throw RPCError(.invalidParams, "params.arguments: expected a place in a response.")
    }
    let meant = try ExecuteCommand.decode(LSP.PostkitCopyPathArguments.self, argument)
    let document = try snapshot.document(meant.uri)
    guard case .response(let id, let view) = snapshot.shown(document.uri),
      let path = path(snapshot, document, meant.position, view)
    else {
      throw RPCError(
        .requestFailed,
        "Line \(meant.position.line + 1) has no JSON value. Place the cursor on a value of "
          + "a response.")
    }
    var text = path
    if meant.reference == true {
      let exchange = try await SendResults.exchange(snapshot, id: id)
      guard let reference = reference(to: path, in: exchange) else {
        throw RPCError(
          .requestFailed,
          "The request has no name for a reference. Give it one with `# @name`.")
      }
      text = reference
    }
    if snapshot.client.profile.postkit == nil { snapshot.client.showMessage(.info, text) }
    return .string(text)
  }
}
