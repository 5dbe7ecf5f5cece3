// The questions that the query of `postkit:/history` can ask.

import JSONRPC
import PostKitHTTP
import PostKitStore

extension HistoryQuery {
  /// Reads the query of a URI: `postkit:/history?search=text&status=4xx&limit=50` (contracts.md,
  /// section 3).
  ///
  /// Errors: `invalidParams` with the names that there are, or with what a value must be.
  init(_ uri: DocumentURI) throws(RPCError) {
    self.init(limit: 200)
    for (name, value) in uri.queryItems {
      switch name {
      case "search": text = value
      case "file": file = value
      case "name": requestName = value
      case "environment": environment = value
      case "method": method = value.uppercased()
      case "host": host = value
      case "status": try setStatus(value)
      case "state":
        guard let named = ExchangeState(rawValue: value) else {
          throw Self.wrong("state", "done, failed or cancelled")
        }
        state = named
      case "limit":
        guard let number = Int(value), (1...1_000).contains(number) else {
          throw Self.wrong("limit", "a number from 1 to 1000")
        }
        limit = number
      default:
        throw RPCError(
          .invalidParams,
          "params.uri: the history knows no `\(name)`. It knows search, file, name, environment, "
            + "method, host, status, state and limit.")
      }
    }
  }

  private mutating func setStatus(_ value: String) throws(RPCError) {
    if let number = Int(value), (100...999).contains(number) {
      status = number
    } else if value.count == 3, value.hasSuffix("xx"), let digit = value.first?.wholeNumberValue,
      digit > 0
    {
      statusClass = digit
    } else {
      throw Self.wrong("status", "a status such as 404, or a class such as 4xx")
    }
  }

  private static func wrong(_ name: String, _ wanted: String) -> RPCError {
    RPCError(.invalidParams, "params.uri: `\(name)` must be \(wanted).")
  }
}
