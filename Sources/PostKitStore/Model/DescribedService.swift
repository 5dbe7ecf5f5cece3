// What services have said of themselves as rows for typed queries.

import PostKitHTTP

extension Model {
  /// What a service has said of itself when it was asked to: the schema of a GraphQL service, or an
  /// OpenAPI description.
  package struct DescribedService: WritableRow, Hashable {
    /// What a service says of itself.
    package struct Kind: RawRepresentable, Sendable, Hashable {
      package let rawValue: String

      /// Makes a kind, of a newer PostKit as well.
      package init(rawValue: String) { self.rawValue = rawValue }

      /// The answer to GraphQL's introspection query, by origin and path.
      package static let graphQL = Kind(rawValue: "graphql")
      /// An OpenAPI description, by its URL.
      package static let openAPI = Kind(rawValue: "openapi")

      /// Whose a service at a URL is, without a user and a fragment; `nil` where it is no URL.
      package func key(of url: String) -> String? {
        guard var parts = URLParts(url) else { return nil }
        parts.port = parts.effectivePort
        if parts.path.isEmpty { parts.path = "/" }
        if self == .graphQL { parts.query = nil }
        return parts.url
      }

      /// A URL as sentences have it: a query may be as long as a whole request.
      package func name(of url: String) -> String {
        guard var parts = URLParts(url) else { return url }
        if self == .graphQL { parts.query = nil }
        return parts.url
      }
    }

    package var kind: Kind
    /// Whose it is; see `Kind.key(of:)`.
    package var key: String
    /// The environment that it was asked in; empty for none.
    package var environment: String
    /// When it was fetched, in milliseconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// What it said, byte by byte; empty where only the rest was asked for.
    package var content: [UInt8]

    package static let columns = Columns()
    package static let table = Table(
      "described_service", .session, selection: "kind, key, environment, time, content",
      keys: ["kind", "key", "environment"])

    /// The columns of described services.
    package struct Columns: Sendable {
      package let kind = Column<DescribedService, String>("kind")
      package let key = Column<DescribedService, String>("key")
      package let environment = Column<DescribedService, String>("environment")
      package let time = Column<DescribedService, Int64>("time")
      package let content = Column<DescribedService, [UInt8]>("content")
    }

    package var assignments: [Assignment<DescribedService>] {
      let columns = DescribedService.columns
      return [
        columns.kind.set(to: kind.rawValue), columns.key.set(to: key),
        columns.environment.set(to: environment), columns.time.set(to: time),
        columns.content.set(to: content),
      ]
    }

    /// Makes a row.
    package init(
      _ kind: Kind, key: String, environment: String, time: Int64, content: [UInt8]
    ) {
      (self.kind, self.key, self.environment) = (kind, key, environment)
      (self.time, self.content) = (time, content)
    }

    /// Reads a row.
    package init(_ row: Statement) {
      self.init(
        Kind(rawValue: row.text(0)), key: row.text(1), environment: row.text(2),
        time: row.int64(3), content: row.bytes(4))
    }
  }
}

extension [UInt8]: StoredValue {
  package var sqlValue: SQLValue { .blob(self) }

  /// Reads a column of the current row; empty for null.
  package init(_ row: Statement, column: Int32) { self = row.bytes(column) }
}
