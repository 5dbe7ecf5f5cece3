// The questions that the query of `postkit:/collections` can ask.

package import JSONRPC
import PostKitHTTP
package import PostKitStore

/// A list of stored requests that are looked for, as the query of its URI says it.
package struct RequestListing: Sendable, Hashable {
  package private(set) var query = RequestQuery(limit: defaultLimit)
  /// The path or the id of the collection or folder in which is looked; `nil` for all.
  package private(set) var place: String?

  /// The pairs of the query, with values escaped, in their order.
  package private(set) var written: [String] = []

  private static let defaultLimit = 200
  /// The most requests that one list can have.
  private static let largestLimit = 1_000
  private static let names = [
    "search", "method", "header", "param", "tag", "in", "favourite", "sort", "limit",
  ]

  private static let truths = ["yes": true, "true": true, "no": false, "false": false]

  /// Reads a URI such as `postkit:/collections?search=users&method=POST&sort=recent`; `nil` for the
  /// list of all that there is, without a query.
  ///
  /// Errors: `invalidParams` with the names that there are, or with what a value must be.
  package init?(_ uri: DocumentURI) throws(RPCError) {
    let items = uri.queryItems
    if items.isEmpty { return nil }
    for (name, value) in items { try set(name, to: value) }
    written = items.map { "\($0.name)=\(DocumentURI.queryValue($0.value))" }
  }

  private mutating func set(_ name: String, to value: String) throws(RPCError) {
    switch name {
    case "search": query.text = value
    case "method": query.method = value
    case "header": query.header = try Self.field(name, value)
    case "param": query.parameter = try Self.field(name, value)
    case "tag": query.tag = value
    case "in": place = value
    case "favourite":
      guard let isFavourite = Self.truths[value] else { throw Self.wrong(name, "yes or no") }
      query.isFavourite = isFavourite
    case "sort":
      guard let sort = RequestQuery.Sort(rawValue: value) else {
        throw Self.wrong(name, RequestQuery.Sort.allCases.map(\.rawValue).listed("or"))
      }
      query.sort = sort
    case "limit":
      guard let limit = Int(value), (1...Self.largestLimit).contains(limit) else {
        throw Self.wrong(name, "a number from 1 to \(Self.largestLimit)")
      }
      query.limit = limit
    default:
      throw RPCError(
        .invalidParams,
        "params.uri: stored requests have no `\(name)`. They have "
          + "\(Self.names.listed("and")).")
    }
  }

  /// The name and the value of `NAME[=VALUE]`.
  private static func field(
    _ name: String, _ text: String
  ) throws(RPCError) -> RequestQuery.Field {
    guard let field = RequestQuery.Field(text: text) else {
      throw wrong(name, "NAME or NAME=VALUE")
    }
    return field
  }

  private static func wrong(_ name: String, _ wanted: String) -> RPCError {
    RPCError(.invalidParams, "params.uri: `\(name)` must be \(wanted).")
  }
}
