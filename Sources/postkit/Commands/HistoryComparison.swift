// What did this return before: the timeline of a request, and how two of its responses differ.

import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitStore

extension HistoryCommand {
  /// Prints how the response of an exchange differs from that of another, or from the one before.
  func compare(_ id: String, with other: String?) async -> Int32 {
    await invocation.withStore { store throws(StoreFailure) in
      guard let exchange = try await exchange(id, in: store) else { return 2 }
      let older: Exchange?
      if let other {
        older = try await self.exchange(other, in: store)
      } else {
        older = try await store.exchange(before: exchange)
        if older == nil {
          console.complain(
            "the history has no earlier response of this request; name another exchange: "
              + "`postkit history show \(id) --diff OTHER`")
        }
      }
      guard let older else { return 2 }
      // Of two that are named, the one that was sent first is what it was before.
      let isInOrder = (older.startedAt, older.id) <= (exchange.startedAt, exchange.id)
      let difference = ResponseDifference(
        from: isInOrder ? older : exchange, to: isInOrder ? exchange : older,
        read: StoredBody.bytes, digest: StoredBody.digest)
      if arguments.has("--json") {
        console.line(difference.json)
      } else {
        let text = difference.text(time: Moment.local)
        console.write(Array((console.outputIsTerminal ? Display.safe(text) : text).utf8))
      }
      return 0
    }
  }

  /// Prints the exchanges of a request, newest first: the request of an exchange, or the last one
  /// that was sent of a file.
  func timeline(_ id: String?) async throws(Arguments.Problem) -> Int32 {
    let limit = try arguments.integer("--limit", minimum: 1) ?? 50
    let places = ["--file", "--name", "--env"].filter(arguments.has)
    guard (id != nil) == places.isEmpty, id != nil || places.contains("--file") else {
      throw Arguments.Problem(
        message: "`history timeline` needs one id, or `--file FILE [--name NAME] [--env NAME]`")
    }
    let selection = try HistorySelection(arguments)
    return await invocation.withStore { store throws(StoreFailure) in
      let query = try await selection.query(limit: 1, in: store)
      let newest = id == nil ? try await store.history(query).first?.id : id
      guard let newest else {
        console.complain(
          "the history has no such request of \(Display.line(query.file ?? "")); "
            + "`postkit history` lists all")
        return 2
      }
      guard let exchange = try await exchange(newest, in: store) else { return 2 }
      let entries = try await store.timeline(of: RequestIdentity(exchange), limit: limit)
      if arguments.has("--json") {
        console.line(JSONValue.array(entries.map(HistoryJSON.timelineEntry)))
        return 0
      }
      for entry in entries {
        let change = entry.bodyHasChanged.map { $0 ? "body changed" : "same body" } ?? ""
        let columns = HistoryCommand.columns(entry.summary) + (change.isEmpty ? [] : [change])
        console.line(columns.joined(separator: "  "))
      }
      return 0
    }
  }
}
