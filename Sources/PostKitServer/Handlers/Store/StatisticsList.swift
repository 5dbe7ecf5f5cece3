// Figures of the history as a document. All are comments, as in the lists of ours.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore

/// The document `postkit:/statistics?by=KEY&QUERY`: a line for each row, which ends with the URI of
/// the list of its exchanges.
enum StatisticsList {
  /// The figures as they are now.
  static func text(
    _ snapshot: Snapshot, _ address: HistoryAddress
  ) async throws(RPCError) -> String {
    let query = try await HistoryPages.resolved(snapshot, try address.asked())
    guard let store = await snapshot.store.existing() else { return text([], address) }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      text(try await store.statistics(by: key(of: address), where: query), address)
    }
  }

  /// What the rows are equal in.
  static func key(of address: HistoryAddress) -> StatisticsKey { address.key ?? .request }

  /// The text of some rows.
  static func text(_ rows: [HistoryStatistics], _ address: HistoryAddress) -> String {
    let key = key(of: address)
    let condition = address.unsorted.text
    if rows.isEmpty {
      return condition.isEmpty ? "# Nothing has been sent yet.\n" : "# No matching requests.\n"
    }
    let count = rows.reduce(0) { $0 + $1.count }
    let kind = condition.isEmpty ? "" : "matching "
    let heading = "\(count) \(kind)request\(count == 1 ? "" : "s") by \(key.rawValue)."
    let table = FiguresTable(rows, by: key, size: SizeText.text).lines
    let lines = zip(table.dropFirst(), rows).map { line, row in
      "# \(line)" + (address.list(of: row, by: key).map { "  \($0)" } ?? "")
    }
    return (["# \(heading)", keys, "#"] + table.prefix(1).map { "# \($0)" } + lines)
      .joined(separator: "\n") + "\n"
  }

  /// What can be done with a line. Editors that know us say their keys in its place.
  private static let keys =
    "# The code actions of a line show its requests, and count by something else."

  /// `postkit.statistics`: opens the figures, and answers their URI.
  static func show(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> String {
    let meant = try ExecuteCommand.decode(argument, or: LSP.PostkitStatisticsArguments())
    let question = meant.query.flatMap { $0.isEmpty ? nil : $0 }
    let items = [meant.by.map { "by=\($0.rawValue)" }, question].compactMap(\.self)
    let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
    let uri = "postkit:/\(ShownDocument.statisticsName)\(query)"
    return try await HistoryList.open(
      snapshot, uri, .statistics(try HistoryAddress(DocumentURI(uri))),
      fileName: ShownDocument.newFile(of: .statistics))
  }

  /// What can be done with the row on a line, counted from 0, and with the figures.
  static func actions(
    _ snapshot: Snapshot, _ document: OpenDocument, line: Int
  ) -> [LSP.CodeAction] {
    guard let address = snapshot.address(of: document) else { return [] }
    let own = snapshot.initialization
    var actions: [LSP.CodeAction] = []
    if let word = document.lastWord(ofLine: line), word.hasPrefix("postkit:/history?") {
      let title = "Show its requests"
      let query = String(word.drop { $0 != "?" }.dropFirst())
      actions.append(
        CodeActions.action(
          "postkit.open", title,
          CommandID.history.command(title, own, LSP.PostkitHistoryArguments(query: query))))
    }
    return actions + others(address, own) + [all(address, own)]
  }

  private static func others(
    _ address: HistoryAddress, _ own: LSP.PostkitInitializationOptions
  ) -> [LSP.CodeAction] {
    StatisticsKey.allCases.filter { $0 != key(of: address) }.map { key in
      let title = "Count by \(key.rawValue)"
      let argument = LSP.PostkitStatisticsArguments(
        by: LSP.PostkitStatisticsKey(rawValue: key.rawValue), query: address.figures)
      return CodeActions.action(
        "postkit.list.sort", title, CommandID.statistics.command(title, own, argument))
    }
  }

  private static func all(
    _ address: HistoryAddress, _ own: LSP.PostkitInitializationOptions
  ) -> LSP.CodeAction {
    let title = "Show all these requests"
    return CodeActions.action(
      "postkit.list.statistics", title,
      CommandID.history.command(title, own, LSP.PostkitHistoryArguments(query: address.figures)))
  }
}
