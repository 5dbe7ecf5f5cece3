// Lines of the history as JSON (CONTRACTS.md, section 2).

import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore

/// Makes the JSON of the lists of `postkit history`.
enum HistoryJSON {
  /// A line of the list.
  static func summary(_ entry: ExchangeSummary) -> JSONValue {
    [
      "id": .string(entry.id), "time": .string(Moment.utc(entry.startedAt)),
      "file": .string(entry.file), "name": .optional(entry.requestName),
      "environment": .optional(entry.environment), "method": .string(entry.method),
      "url": .string(entry.url), "state": .string(entry.state.rawValue),
      "status": entry.status.map { .int($0) } ?? .null, "ms": .int(entry.milliseconds),
      "size": .int(entry.size), "error": .optional(entry.failureCode?.rawValue),
      "pinned": .bool(entry.isPinned), "label": .optional(entry.label),
      "note": .optional(entry.note), "origin": .optional(entry.origin?.rawValue),
      "purpose": .string(entry.purpose.rawValue),
    ]
  }

  /// A line of a timeline: that of the list, and whether the body differs from the one before.
  static func timelineEntry(_ entry: TimelineEntry) -> JSONValue {
    guard case .object(let members) = summary(entry.summary) else { return .null }
    let change = entry.bodyHasChanged.map(JSONValue.bool) ?? .null
    return .object(members + [JSONMember("bodyChanged", change)])
  }

  /// A row of figures; of a request with its file.
  static func figures(_ row: HistoryStatistics, by key: StatisticsKey) -> JSONValue {
    let figures: [(String, JSONValue)] = [
      ("by", .string(key.rawValue)), ("value", .optional(row.value)), ("count", .int(row.count)),
      ("failed", .int(row.failed)), ("median", .int(row.median)), ("p95", .int(row.p95)),
      ("max", .int(row.max)), ("requestBytes", .int(row.requestBytes)),
      ("responseBytes", .int(row.responseBytes)), ("last", .string(Moment.utc(row.last))),
    ]
    let file = row.file.map { [("file", JSONValue.string($0))] } ?? []
    return .object((figures + file).map { JSONMember($0, $1) })
  }
}
