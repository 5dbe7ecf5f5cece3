// The questions that `postkit/history` and the query of `postkit:/history` can ask.

package import JSONRPC
package import LanguageServerProtocol
import PostKitRunner
package import PostKitStore
import PostKitSupport

extension HistoryQuery {
  /// The most exchanges that one list can have.
  package static let largestLimit = 1_000

  /// Reads the query of a URI: `postkit:/history?search=text&status=4xx&limit=50` (CONTRACTS.md,
  /// section 3). `line` has a whole line, such as that of a saved search.
  ///
  /// Errors: `invalidParams` with the names that there are, or with what a value must be.
  package init(_ uri: DocumentURI) throws(RPCError) {
    self.init(limit: 200)
    for (name, value) in uri.queryItems {
      if name == "limit" {
        guard let number = Int(value), (1...Self.largestLimit).contains(number) else {
          throw Self.wrong("limit", "a number from 1 to \(Self.largestLimit)")
        }
        limit = number
        continue
      }
      guard name == "line" else {
        try filter(name, value, place: "params.uri")
        continue
      }
      let line: HistoryLine
      do throws(HistoryLine.Problem) { line = try HistoryLine(value) } catch {
        throw RPCError(.invalidParams, "params.uri: \(error.message)")
      }
      if !line.words.isEmpty { text = line.words }
      for each in line.filters { try filter(each.name, each.value, place: "params.uri") }
    }
    try refuseContradiction(place: "params.uri")
  }

  /// Reads the parameters of `postkit/history`.
  ///
  /// Errors: `invalidParams` with what a value must be.
  package init(_ params: LSP.PostkitHistoryParams, limit: Int) throws(RPCError) {
    let line = try Self.line(params)
    self = try Self.question(line, limit: limit)
    let words = [text, params.query].compactMap(\.self).filter { !$0.isEmpty }
    text = words.isEmpty ? nil : words.joined(separator: " ")
    let others: [(String, String?)] = [
      ("file", params.uri.map { DocumentURI($0).historyName }),
      ("pinned", params.pinned.map(String.init)),
      ("failedTests", params.failedTests.map(String.init)), ("method", params.method),
      ("name", params.request), ("environment", params.environment),
      ("host", params.host), ("path", params.path), ("status", params.status),
      ("state", params.state?.rawValue), ("since", params.since), ("until", params.until),
      ("minMs", params.minMs.map(String.init)), ("maxMs", params.maxMs.map(String.init)),
      ("minSize", params.minSize.map(String.init)), ("maxSize", params.maxSize.map(String.init)),
      ("label", params.label), ("run", params.run), ("stored", params.stored),
      ("origin", params.origin), ("purpose", params.purpose),
      ("sort", params.sort?.rawValue),
    ]
    for case (let name, let value?) in others {
      if name != "sort", line.filters.contains(where: { $0.name == name }) {
        throw RPCError(
          .invalidParams, "params.line: `\(name)` is given beside the line, too. Leave one out.")
      }
      try filter(name, value, place: "params")
    }
    try refuseContradiction(place: "params")
  }

  /// Reads the line of `postkit/history`; without one it is empty.
  ///
  /// Errors: `invalidParams` with what is wrong in it.
  package static func line(_ params: LSP.PostkitHistoryParams) throws(RPCError) -> HistoryLine {
    do throws(HistoryLine.Problem) { return try HistoryLine(params.line ?? "") } catch {
      throw RPCError(.invalidParams, "params.line: \(error.message)")
    }
  }

  private static func question(_ line: HistoryLine, limit: Int) throws(RPCError) -> HistoryQuery {
    do throws(HistoryLine.Problem) {
      return try HistoryQuery(line, limit: limit, moment: moment)
    } catch {
      throw RPCError(.invalidParams, "params.line: \(error.message)")
    }
  }

  /// A time as people write it.
  package static func moment(_ text: String) -> Int64? {
    Moment.parse(text, now: Clock.wallMilliseconds)
  }

  private func refuseContradiction(place: String) throws(RPCError) {
    if let contradiction { throw RPCError(.invalidParams, "\(place): \(contradiction)") }
  }

  private mutating func filter(
    _ name: String, _ value: String, place: String
  ) throws(RPCError) {
    do throws(NameProblem) {
      try set(name, to: value, moment: HistoryQuery.moment)
    } catch {
      switch error {
      case .expected(let expected):
        throw RPCError(.invalidParams, "\(place): `\(name)` must be \(expected).")
      case .unknown:
        throw RPCError(
          .invalidParams,
          "\(place): the history knows no `\(name)`. It knows "
            + "\(HistoryQuery.names.joined(separator: ", ")), line and limit.")
      }
    }
  }

  private static func wrong(_ name: String, _ wanted: String) -> RPCError {
    RPCError(.invalidParams, "params.uri: `\(name)` must be \(wanted).")
  }
}
