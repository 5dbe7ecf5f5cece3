// The documents of a response: the whole of it, its body indented or as it was received, what a
// path selects of that, its headers, its timings, and what scripts printed.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitSupport

/// Responses as documents.
enum ResponseDocuments {
  /// `postkit.showResponse`: opens what is meant of a response and answers its URI.
  static func show(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    var meant = try ExecuteCommand.decode(argument, or: LSP.PostkitShowResponseArguments())
    let exchange = try await ExecuteCommand.exchange(snapshot, meant.id, meant.uri, meant.position)
    if meant.ask == true { meant.select = try await ask(snapshot, exchange) }
    let view = try view(meant)
    if view.isRevealed {
      guard snapshot.client.profile.readsContentDocuments else { throw neverInFiles }
      _ = try await SendResults.revealed(snapshot, id: exchange.id)
    }
    if view.isBody { _ = try SendResults.response(of: exchange) }
    // What can't be shown is said here; an editor would open a document without a text.
    if view.select != nil { _ = try text(exchange, view) }
    let uri = try await uri(snapshot, exchange, view)
    SendResults.open(snapshot, uri, takesFocus: meant.takeFocus ?? true)
    return .string(uri)
  }

  private static let neverInFiles = RPCError(
    .requestFailed,
    "This editor opens responses as files, and hidden values are never written to one. "
      + "Use an editor that has `workspace/textDocumentContent`.")

  private static func view(
    _ meant: LSP.PostkitShowResponseArguments
  ) throws(RPCError) -> ResponseView {
    let offset = Int(max(0, min(meant.offset ?? 0, 1e15)))
    let page = Int(max(1, min(meant.page ?? 1, 1e9)))
    let isPart = meant.select != nil || offset > 0 || page > 1
    let form: ResponseView.Form =
      switch meant.view {
      case .all, nil: isPart ? (offset > 0 && meant.select == nil ? .raw : .pretty) : .all
      case .pretty: .pretty
      case .raw: .raw
      case .headers: .headers
      case .timings: .timings
      case .output: .output
      }
    var view = ResponseView(form, select: meant.select, offset: offset, page: page)
    view.isRevealed = meant.reveal ?? false
    guard view.isBody || !isPart else {
      throw RPCError(
        .invalidParams,
        "params.arguments[0]: `select`, `offset` and `page` are for a body, not for "
          + "`\(form.rawValue)`.")
    }
    guard page == 1 || form == .pretty && meant.select == nil && offset == 0 else {
      throw RPCError(
        .invalidParams,
        "params.arguments[0]: `page` is for the view `pretty`, without `select` and `offset`.")
    }
    return view
  }

  /// Asks the user for a path into a body.
  private static func ask(
    _ snapshot: Snapshot, _ exchange: Exchange
  ) async throws(RPCError) -> String {
    try UserQuestions.requireText(
      snapshot.client, instead: "Place the cursor on a value of the response and use "
        + "its code actions, or give `postkit.showResponse` a `select`.")
    let type = exchange.response?.headers.mediaType
    let isMarkup = type?.isMarkup ?? false
    let answer = try await UserQuestions.text(
      snapshot.client, isMarkup ? "XPath to show" : "JSONPath to show", isMarkup ? "//" : "$.")
    guard let path = answer, !path.isEmpty else {
      throw RPCError(.requestCancelled, "You entered no path.")
    }
    return path
  }

  /// The URI of a view that this client can open; one of a file that is written now where it reads
  /// no content documents.
  static func uri(
    _ snapshot: Snapshot, _ exchange: Exchange, _ view: ResponseView
  ) async throws(RPCError) -> String {
    if snapshot.client.profile.readsContentDocuments { return view.uri(of: exchange) }
    let text = Modelines.disarmed(try text(exchange, view), isBody: view.isBody)
    guard let uri = await snapshot.viewFile(text, as: view.fileName(of: exchange)) else {
      throw RPCError(
        .requestFailed,
        "The response can't be written for viewing. The log says why; "
          + "`postkit history show \(exchange.id)` shows it in a shell.")
    }
    return uri
  }

  /// The text of a view of the exchange that has an id.
  static func text(
    _ snapshot: Snapshot, id: String, _ view: ResponseView
  ) async throws(RPCError) -> String {
    guard view.isRevealed else {
      return try text(try await SendResults.exchange(snapshot, id: id), view)
    }
    let text = try text(try await SendResults.revealed(snapshot, id: id), view)
    return view.isBody ? text : "# Hidden values are shown. They are never stored.\n" + text
  }

  /// The text of a view.
  static func text(_ exchange: Exchange, _ view: ResponseView) throws(RPCError) -> String {
    switch view.form {
    case .all: SendResults.text(exchange.displayed)
    case .headers: ResponseText.headers(exchange)
    case .timings: ResponseText.timings(exchange)
    case .output: ResponseText.output(exchange)
    case .pretty where view.select == nil: try body(exchange.displayed, view)
    case .pretty, .raw: try body(exchange, view)
    }
  }

  private static func body(
    _ exchange: Exchange, _ view: ResponseView
  ) throws(RPCError) -> String {
    guard let response = exchange.response else { return "" }
    let type = response.headers.mediaType
    if view.form == .pretty, view.select == nil, view.offset == 0, let pages = PagedBody(exchange) {
      return pages.text(of: view.page)
    }
    // Of any other long body the pages are shown as they came: half a value can't be indented.
    let isLong = response.body.count > Limits.viewBodyBytes
    let isPretty = view.form == .pretty && view.select == nil && !isLong && view.offset == 0
    let part = try ExchangePart(
      exchange, .response, isPretty ? .pretty : .raw, select: view.select)
    if isPretty || part.total == 0 {
      return ended(String(decoding: part.lines(offset: 0, length: part.total), as: UTF8.self))
    }
    let offset = min(view.offset, part.total)
    let bytes = part.lines(offset: offset, length: Limits.viewBodyBytes)
    let shown = view.select == nil ? type : MediaType("text/plain; charset=utf-8")
    guard let text = BodyText.decoded(bytes, shown) else {
      return ended(ResponseText.body(bytes, type, total: part.total))
    }
    let next = offset + bytes.count
    guard offset > 0 || next < part.total else { return view.isSelection ? ended(text) : text }
    var note = "# Bytes \(offset) to \(next) of \(part.total)."
    if next < part.total {
      let following = ResponseView(view.form, select: view.select, offset: next)
      note += " The next ones: \(following.uri(of: exchange))"
    }
    return ended(text) + note + "\n"
  }

  private static func ended(_ text: String) -> String {
    text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
  }

  /// Where the text that a view shows of a body ends in it; `nil` where nothing follows.
  static func nextOffset(_ exchange: Exchange, _ view: ResponseView) -> Int? {
    guard let response = exchange.response, [.all, .pretty, .raw].contains(view.form),
      !view.isSelection, response.body.count > view.offset + Limits.viewBodyBytes,
      let part = try? ExchangePart(exchange, .response, .raw)  // only a path can fail
    else { return nil }
    return view.offset + part.lines(offset: view.offset, length: Limits.viewBodyBytes).count
  }
}
