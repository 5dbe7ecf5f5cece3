// What one request returned over time.

package import PostKitHTTP

/// One exchange of a request among the others.
package struct TimelineEntry: Sendable, Hashable {
  package var summary: ExchangeSummary
  /// Whether the body differs from that of the response before; `nil` without either of them.
  package var bodyHasChanged: Bool?
}

extension Store {
  /// The exchanges of a request, newest first.
  package func timeline(
    of request: RequestIdentity, limit: Int
  ) throws(StoreFailure) -> [TimelineEntry] {
    commitQueue()
    let place = Store.place(request)
    let order = "ORDER BY started_at DESC, id DESC"
    // One more, which the oldest that is told is compared with.
    let values = place.values + [.int(Int64(limit) + 1)]
    return try history().read("read the timeline of a request") {
      connection throws(SQLiteError) in
      let summaries = try connection.rows(
        """
        SELECT \(ExchangeSummary.selection) FROM exchange WHERE \(place.condition) \(order) LIMIT ?
        """,
        values
      ) { ExchangeSummary($0) }
      // A body at a time is held, and none leaves.
      var later: (id: String, body: BodyMark)?
      var changes: [String: Bool] = [:]
      _ = try connection.rows(
        """
        SELECT id, response_body_hash, response_body FROM exchange
        WHERE \(place.condition) AND status IS NOT NULL \(order) LIMIT ?
        """, values
      ) { row in
        let body = BodyMark(hash: row.optionalText(1), bytes: row.bytes(2))
        if let later { changes[later.id] = later.body != body }
        later = (row.text(0), body)
      }
      return summaries.prefix(limit).map {
        TimelineEntry(summary: $0, bodyHasChanged: changes[$0.id])
      }
    }
  }

  /// The newest answered exchange of the same request before this one.
  package func exchange(before exchange: Exchange) throws(StoreFailure) -> Exchange? {
    try latestExchange(
      of: RequestIdentity(exchange), before: (exchange.startedAt, exchange.id))
  }

  /// The id of that exchange, as far as the file has it: what waits to be written is of this
  /// session, and whoever sent it knows it.
  package func idOfExchange(before exchange: Exchange) throws(StoreFailure) -> String? {
    let place = Store.place(RequestIdentity(exchange))
    let values = place.values + [.int(exchange.startedAt), .text(exchange.id)]
    return try history().read("look for the exchange before") {
      connection throws(SQLiteError) in
      try connection.rows(
        """
        SELECT id FROM exchange WHERE \(place.condition) AND status IS NOT NULL
        AND (started_at, id) < (?, ?) ORDER BY started_at DESC, id DESC LIMIT 1
        """, values
      ) { $0.text(0) }.first
    }
  }

  /// The newest answered exchange of a request, or the newest before a moment and an id.
  package func latestExchange(
    of request: RequestIdentity, before end: (startedAt: Int64, id: String)? = nil
  ) throws(StoreFailure) -> Exchange? {
    commitQueue()
    let place = Store.place(request)
    var condition = place.condition + " AND status IS NOT NULL"
    var values = place.values
    if let end {
      condition += " AND (started_at, id) < (?, ?)"
      values += [.int(end.startedAt), .text(end.id)]
    }
    return try exchanges(
      where: condition + " ORDER BY started_at DESC, id DESC LIMIT 1", values
    ).first
  }

  /// What tells whether two bodies are the same; the hash alone for those that are files.
  private struct BodyMark: Hashable {
    let hash: String?
    let bytes: [UInt8]
  }

  /// The condition for the exchanges of a request, each of its forms with an index of its own.
  static func place(_ request: RequestIdentity) -> (condition: String, values: [SQLValue]) {
    if let name = request.name {
      return (
        "file = ? AND request_name = ? AND environment IS ?",
        [.text(request.file), .text(name), .optional(request.environment)]
      )
    }
    return (
      "file = ? AND request_name IS NULL AND line = ? AND environment IS ?",
      [.text(request.file), .int(Int64(request.line)), .optional(request.environment)]
    )
  }

  /// The exchanges of ids in the order of these, with their bodies; one that is gone is left out.
  package func exchanges(ids: [String]) throws(StoreFailure) -> [Exchange] {
    commitQueue()
    let found = try exchanges(
      where: "id IN (SELECT value FROM json_each(?))", [.text(StoredJSON.text(ids))])
    let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return ids.compactMap { byID[$0] }
  }
}
