// What a list shows of an exchange: enough for a line, never a header or a body.

package import PostKitHTTP

/// One line of the history.
package struct ExchangeSummary: Sendable, Hashable {
  /// Its number in the order in which exchanges were recorded.
  package var sequence: Int64
  /// UUID version 7 in small letters.
  package var id: String
  /// When it started, in milliseconds since 1970-01-01T00:00:00Z.
  package var startedAt: Int64
  package var file: String
  /// The line of the request line, counted from 1.
  package var line: Int
  package var requestName: String?
  package var environment: String?
  package var method: String
  package var url: String
  package var state: ExchangeState
  /// The status; `nil` without a response.
  package var status: Int?
  /// The reason phrase; empty where the server sent none, `nil` without a response.
  package var reason: String?
  /// How long it took, in microseconds.
  package var microseconds: Int64
  /// Bytes of the response body after content codings were removed.
  package var size: Int
  /// The word for the failure; `nil` where there was none.
  package var failureCode: FailureCode?
  /// Whether it is kept however old it is.
  package var isPinned: Bool
  package var label: String?
  package var note: String?
  /// The first 5,000 characters of the request as it was written, secrets masked.
  package var template: String
  /// What became of its checks; empty unless they were asked for.
  package var tests: [TestResult] = []
  /// The beginning of the sentence about its failure, secrets masked; empty unless asked for.
  package var failureMessage = ""

  /// Who asked for it; `nil` unless asked for, or where an older PostKit has recorded it.
  package var origin: ExchangeOrigin?
  /// What it was made for; `request` unless asked for.
  package var purpose = ExchangePurpose.request

  /// How long it took, in milliseconds, rounded.
  package var milliseconds: Int { Int((microseconds + 500) / 1_000) }

  /// The columns that `init(_:)` reads, in its order.
  static let selection = """
    id, started_at, file, line, request_name, environment, method, url, state, status, reason, \
    total_microseconds, decoded_size, failure_code, substr(template, 1, 5000), sequence, \
    pinned, label, note
    """

  /// How many columns that are.
  static let columnCount: Int32 = 19

  /// Reads the current row of a statement that begins with `selection`.
  package init(_ row: Statement) {
    id = row.text(0)
    startedAt = row.int64(1)
    file = row.text(2)
    line = row.int(3)
    requestName = row.optionalText(4)
    environment = row.optionalText(5)
    method = row.text(6)
    url = row.text(7)
    // A newer PostKit may know more states; whatever they are, the exchange didn't simply end well.
    state = ExchangeState(rawValue: row.text(8)) ?? .failed
    status = row.optionalInt(9)
    reason = row.optionalText(10)
    microseconds = row.int64(11)
    size = row.int(12)
    failureCode = row.optionalText(13).map(FailureCode.init(rawValue:))
    template = row.text(14)
    sequence = row.int64(15)
    isPinned = row.int(16) != 0
    label = row.optionalText(17)
    note = row.optionalText(18)
  }
}
