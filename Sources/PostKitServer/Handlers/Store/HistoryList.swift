// The history as a document. All of it are comments: what was recorded has masks in it, so that a
// request is sent again by its id and not by what stands here.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The list of exchanges as text, as a document and as actions.
enum HistoryList {
  /// The list of a query: a line for each exchange, which ends with its id.
  static func text(
    _ snapshot: Snapshot, _ address: HistoryAddress
  ) async throws(RPCError) -> String {
    let query = try address.asked()
    let (entries, notice) = try await HistoryPages.search(snapshot, query)
    return text(entries, query, notice: notice, now: Clock.wallMilliseconds)
  }

  /// The list of exchanges that a query found at a moment; `notice` says that there may be more.
  static func text(
    _ entries: [ExchangeSummary], _ query: HistoryQuery, notice: String?, now: Int64
  ) -> String {
    var lines = notice.map { ["# \($0.oneLine)"] } ?? []
    if entries.isEmpty {
      lines.append(query.hasConditions ? "# No matching requests." : "# Nothing has been sent yet.")
    } else {
      let rows = HistoryRows(entries, isByTime: query.sort == .time)
      lines += ["# \(heading(entries, query, rows.origin))", keys, "#"]
      lines += rows.lines(now: now)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What can be done with a line. Editors that know us say their keys in its place.
  private static let keys =
    "# The code actions of a line open it, send it again and compare it."

  /// What the list has, such as `Latest 200 requests to http://a.test.`
  private static func heading(
    _ entries: [ExchangeSummary], _ query: HistoryQuery, _ origin: String?
  ) -> String {
    let count = entries.count == 1 ? "" : "\(entries.count) "
    let kind = query.hasConditions ? "matching " : ""
    let text =
      "\(query.sort.first) \(count)\(kind)request\(entries.count == 1 ? "" : "s")"
      + (origin.map { " to \($0)" } ?? "") + "."
    guard entries.count == query.limit, query.limit < HistoryQuery.largestLimit else { return text }
    return "\(text) `postkit history --limit \(HistoryQuery.largestLimit)` shows more."
  }

  /// What the request of an exchange returned over time, newest first.
  static func timeline(_ snapshot: Snapshot, id: String) async throws(RPCError) -> String {
    let exchange = try await SendResults.exchange(snapshot, id: id)
    var entries: [TimelineEntry] = []
    if let store = await snapshot.store.existing() {
      entries = try await RPCError.ofStore { () throws(StoreFailure) in
        try await store.timeline(of: RequestIdentity(exchange), limit: timelineLimit)
      }
    }
    guard !entries.isEmpty else {
      return "# This request is not in the history. Send it while the history is switched on.\n"
    }
    return timeline(entries, of: exchange, now: Clock.wallMilliseconds)
  }

  /// The list of what an exchange's request returned over time.
  static func timeline(_ entries: [TimelineEntry], of exchange: Exchange, now: Int64) -> String {
    let rows = HistoryRows(entries.map(\.summary))
    let request = exchange.requestName.map { "`\($0)`" } ?? "this request"
    let place = rows.origin.map { " from \($0)" } ?? ""
    let lines = ["# Earlier responses of \(request)\(place), newest first.".oneLine, keys, "#"]
    let changes = entries.map { $0.bodyHasChanged.map { $0 ? "body changed" : "same body" } }
    return (lines + rows.lines(now: now, remarks: changes)).joined(separator: "\n") + "\n"
  }

  private static let timelineLimit = 200

  /// `postkit.history`: opens the list of a query, or the timeline of a request, and answers its
  /// URI.
  static func show(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    let meant = try ExecuteCommand.decode(argument, or: LSP.PostkitHistoryArguments())
    let content: ShownLists.Content
    let uri: String
    if meant.id != nil || meant.uri != nil {
      guard meant.query == nil else {
        throw RPCError(
          .invalidParams, "params.arguments[0].query: expected either a query or a request.")
      }
      let exchange = try await ExecuteCommand.exchange(
        snapshot, meant.id, meant.uri, meant.position)
      content = .timeline(id: exchange.id)
      uri = "postkit:/timeline/\(exchange.id).http"
    } else {
      let query = meant.query.flatMap { $0.isEmpty ? nil : "?\($0)" }
      uri = "postkit:/history" + (query ?? "")
      content = .history(try HistoryAddress(DocumentURI(uri)))
    }
    let name = ShownDocument.newFile(of: .history)
    return .string(try await open(snapshot, uri, content, fileName: name))
  }

  /// Opens a list, as a file where the client reads no documents of ours; its URI there.
  static func open(
    _ snapshot: Snapshot, _ uri: String, _ content: ShownLists.Content, fileName: String
  ) async throws(RPCError) -> String {
    var uri = uri
    if !snapshot.client.profile.readsContentDocuments {
      let text = try await content.text(snapshot)
      guard let file = await snapshot.viewFile(text, as: fileName) else {
        throw RPCError(.requestFailed, "The list can't be written for viewing.")
      }
      snapshot.session.update { $0.lists.note(DocumentURI(file), content, text) }
      uri = file
    }
    SendResults.open(snapshot, uri, takesFocus: true)
    return uri
  }

  /// What can be done with the exchange on a line of the list, counted from 0.
  static func actions(
    _ snapshot: Snapshot, _ document: OpenDocument, line: Int
  ) async -> [LSP.CodeAction] {
    let address = snapshot.address(of: document)
    let whole = address.map { HistoryListActions.actions(snapshot, $0) } ?? []
    guard let id = document.lastWord(ofLine: line), Identifier.isValid(id) else { return whole }
    let title = "Show the response"
    let show = CodeActions.action(
      "postkit.show", title,
      CommandID.showResponse.command(
        title, snapshot.initialization, LSP.PostkitShowResponseArguments(id: id)))
    return [resend(snapshot, id), show] + (await ResponseDiff.actions(snapshot, id))
      + (await HistoryEdits.actions(snapshot, id)) + whole
  }

  /// Sends the request of an exchange again.
  static func resend(_ snapshot: Snapshot, _ id: String) -> LSP.CodeAction {
    let title = "Send again"
    return CodeActions.action(
      "postkit.send", title,
      CommandID.resend.command(title, snapshot.initialization, LSP.PostkitResendArguments(id: id)))
  }
}

extension OpenDocument {
  /// The last word of each line that has one, with its line, counted from 0, and its place.
  var lastWords: [(line: Int, range: Range<Int>, text: String)] {
    let bytes = text.bytes
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { number, line in
      let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
      guard let last = line.lastIndex(where: { !isBlank($0) }) else { return nil }
      let start = line[..<last].lastIndex(where: isBlank).map { $0 + 1 } ?? line.startIndex
      return (number, start..<last + 1, String(decoding: line[start...last], as: UTF8.self))
    }
  }

  /// The last word of a line, counted from 0; `nil` where there is none.
  func lastWord(ofLine line: Int) -> String? { lastWords.first { $0.line == line }?.text }
}
