// The questions that `postkit/history` and the query of `postkit:/history` can ask.

import JSONRPC
import LanguageServerProtocol
import PostKitRunner
import PostKitStore
import PostKitSupport

extension HistoryQuery {
  /// The most exchanges that one list can have.
  static let largestLimit = 1_000

  /// Reads the query of a URI: `postkit:/history?search=text&status=4xx&limit=50` (contracts.md,
  /// section 3).
  ///
  /// Errors: `invalidParams` with the names that there are, or with what a value must be.
  init(_ uri: DocumentURI) throws(RPCError) {
    self.init(limit: 200)
    for (name, value) in uri.queryItems {
      if name == "limit" {
        guard let number = Int(value), (1...Self.largestLimit).contains(number) else {
          throw Self.wrong("limit", "a number from 1 to \(Self.largestLimit)")
        }
        limit = number
        continue
      }
      try filter(name, value, place: "params.uri")
    }
  }

  /// Reads the parameters of `postkit/history`.
  ///
  /// Errors: `invalidParams` with what a value must be.
  init(_ params: LSP.PostkitHistoryParams, limit: Int) throws(RPCError) {
    self.init(text: params.query, limit: limit)
    file = params.uri.map { DocumentURI($0).historyName }
    isPinned = params.pinned
    hasFailedTests = params.failedTests ?? false
    let others: [(String, String?)] = [
      ("method", params.method), ("name", params.request), ("environment", params.environment),
      ("host", params.host), ("path", params.path), ("status", params.status),
      ("state", params.state?.rawValue), ("since", params.since), ("until", params.until),
      ("minMs", params.minMs.map(String.init)), ("maxMs", params.maxMs.map(String.init)),
      ("minSize", params.minSize.map(String.init)), ("maxSize", params.maxSize.map(String.init)),
      ("label", params.label), ("run", params.run),
    ]
    for (name, value) in others {
      if let value { try filter(name, value, place: "params") }
    }
  }

  private mutating func filter(
    _ name: String, _ value: String, place: String
  ) throws(RPCError) {
    do throws(NameProblem) {
      try set(name, to: value) { Moment.parse($0, now: Clock.wallMilliseconds) }
    } catch {
      switch error {
      case .expected(let expected):
        throw RPCError(.invalidParams, "\(place): `\(name)` must be \(expected).")
      case .unknown:
        throw RPCError(
          .invalidParams,
          "\(place): the history knows no `\(name)`. It knows "
            + "\(HistoryQuery.names.joined(separator: ", ")) and limit.")
      }
    }
  }

  private static func wrong(_ name: String, _ wanted: String) -> RPCError {
    RPCError(.invalidParams, "params.uri: `\(name)` must be \(wanted).")
  }
}
