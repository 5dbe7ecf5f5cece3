// Filters by the names under which command lines, URIs and messages know them.

import PostKitHTTP

extension HistoryQuery {
  /// Why a filter can't be set.
  package enum NameProblem: Error, Hashable {
    /// There is no filter of this name.
    case unknown
    /// What a value must be.
    case expected(String)
  }

  /// The names, in the order in which they are told.
  package static let names = [
    "search", "host", "path", "method", "status", "state", "file", "name", "environment", "since",
    "until", "minMs", "maxMs", "minSize", "maxSize", "failedTests", "pinned", "label", "run",
    "stored", "origin", "purpose", "sort",
  ]

  /// Sets the filter of a name; `moment` reads a time as people write it.
  package mutating func set(
    _ name: String, to value: String, moment: (String) -> Int64?
  ) throws(NameProblem) {
    switch name {
    case "search": text = value
    case "host": host = value
    case "path": path = value
    case "method": method = value.uppercased()
    case "status": try setStatus(value)
    case "state":
      state = try HistoryQuery.read(
        ExchangeState(rawValue: value), or: "done, failed or cancelled")
    case "file": file = value
    case "name": requestName = value
    case "environment": environment = value
    case "since": since = try HistoryQuery.read(moment(value), or: HistoryQuery.times)
    case "until": until = try HistoryQuery.read(moment(value), or: HistoryQuery.times)
    case "minMs": minMilliseconds = try HistoryQuery.count(value)
    case "maxMs": maxMilliseconds = try HistoryQuery.count(value)
    case "minSize": minSize = try HistoryQuery.count(value)
    case "maxSize": maxSize = try HistoryQuery.count(value)
    case "failedTests": hasFailedTests = try HistoryQuery.read(Bool(value), or: "true or false")
    case "pinned": isPinned = try HistoryQuery.read(Bool(value), or: "true or false")
    case "label": label = value
    case "run": runID = value
    case "stored": storedRequestID = value
    case "origin":
      let origin = ExchangeOrigin(rawValue: value)
      guard ExchangeOrigin.all.contains(origin) else {
        throw .expected("editor, run, mcp or demo")
      }
      self.origin = origin
    case "purpose": purpose = try HistoryQuery.purpose(value)
    case "sort": sort = try HistoryQuery.read(HistorySort(rawValue: value), or: HistorySort.words)
    default: throw .unknown
    }
  }

  private static func purpose(_ value: String) throws(NameProblem) -> HistoryPurpose {
    if value == "all" { return .all }
    let purpose = ExchangePurpose(rawValue: value)
    guard ExchangePurpose.all.contains(purpose) else { throw .expected(HistoryPurpose.words) }
    return .only(purpose)
  }

  private mutating func setStatus(_ value: String) throws(NameProblem) {
    if let number = Int(value), (100...999).contains(number) {
      status = number
    } else if value.count == 3, value.hasSuffix("xx"), let digit = value.first?.wholeNumberValue,
      digit > 0
    {
      statusClass = digit
    } else {
      throw .expected("a status such as 404, or a class such as 4xx")
    }
  }

  private static func count(_ value: String) throws(NameProblem) -> Int {
    try read(Int(value).flatMap { (0...1 << 50).contains($0) ? $0 : nil }, or: "a number")
  }

  private static func read<Value>(
    _ value: Value?, or expected: String
  ) throws(NameProblem) -> Value {
    guard let value else { throw .expected(expected) }
    return value
  }

  private static let times =
    "a date (2026-01-31), a time (2026-01-31T10:00:00Z) or an age (2h, 3d)"
}
