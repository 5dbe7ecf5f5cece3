// An export of the history: what a query asks for, page by page, in one of the forms.

package import PostKitHTTP
package import PostKitStore
package import PostKitSupport

/// The forms of an export.
package enum ExportFormat: String, Sendable, CaseIterable {
  /// HTTP Archive 1.2.
  case har
  /// A JSON object a line.
  case jsonl
  /// A request file.
  case http
  /// A description of what was called, in OpenAPI 3.1.
  case openapi
}

/// Why an export came to no end.
package enum ExportFailure: Error, Sendable {
  case store(StoreFailure)
  case file(FileFailure)
  case cancelled

  /// What happened and what to do.
  package var message: String {
    switch self {
    case .store(let failure): failure.message
    case .file(let failure): "\(failure)"
    case .cancelled: "The export was cancelled; nothing was written."
    }
  }
}

/// Writes exchanges of the history, oldest first; a request file has the newest of each request, a
/// description what all of them have in common.
package struct HistoryExport {
  private let store: Store
  private let format: ExportFormat
  private let description: OpenAPIOptions
  /// The bytes of a body.
  private let readBody: @Sendable (BodyContent) -> [UInt8]
  /// The bytes of a request file; `nil` where it is gone.
  private let readFile: @Sendable (String) -> [UInt8]?

  /// What came of an export.
  package struct Summary: Sendable, Hashable {
    /// The number of exchanges written.
    package var count = 0
    /// What is missing in the result, and what to do about it.
    package var remarks: [String] = []
  }

  /// Makes an export.
  package init(
    of store: Store, as format: ExportFormat, describing description: OpenAPIOptions,
    readBody: @escaping @Sendable (BodyContent) -> [UInt8],
    readFile: @escaping @Sendable (String) -> [UInt8]?
  ) {
    self.store = store
    self.format = format
    self.description = description
    self.readBody = readBody
    self.readFile = readFile
  }

  /// Exchanges read at a time: what one piece of work holds in memory is their bodies.
  private static let pageSize = 50

  /// Hands over the bytes of the export piece by piece; a limit of the query counts from the
  /// newest.
  package func write(
    _ query: HistoryQuery, limit: Int?, to output: ([UInt8]) throws(FileFailure) -> Void
  ) async throws(ExportFailure) -> Summary {
    switch format {
    case .har: return try await write(query, limit, HARWriter(), output) { _ in [] }
    case .jsonl: return try await write(query, limit, JSONLinesWriter(), output) { _ in [] }
    case .http:
      return try await write(query, limit, RequestFileWriter(source: readFile), output) {
        $0.remarks
      }
    case .openapi:
      return try await write(query, limit, OpenAPIExport(description), output) { $0.remarks }
    }
  }

  private func write<Writer: ExchangeWriter>(
    _ query: HistoryQuery, _ limit: Int?, _ writer: Writer,
    _ output: ([UInt8]) throws(FileFailure) -> Void, remarks: (Writer) -> [String]
  ) async throws(ExportFailure) -> Summary {
    var (writer, summary) = (writer, Summary())
    let list = try await list(query, limit)
    try hand(writer.head(), to: output)
    for start in stride(from: 0, to: list.count, by: HistoryExport.pageSize) {
      let ids = list.ids(start..<min(start + HistoryExport.pageSize, list.count))
      let found: [Exchange]
      do throws(StoreFailure) { found = try await store.exchanges(ids: ids) } catch {
        throw .store(error)
      }
      for exchange in found {
        try hand(writer.exchange(exchange, read: readBody), to: output)
        summary.count += 1
      }
    }
    try hand(writer.tail(), to: output)
    summary.remarks = remarks(writer)
    return summary
  }

  private func hand(
    _ bytes: [UInt8], to output: ([UInt8]) throws(FileFailure) -> Void
  ) throws(ExportFailure) {
    if Task.isCancelled { throw .cancelled }
    if bytes.isEmpty { return }
    do throws(FileFailure) { try output(bytes) } catch { throw .file(error) }
  }

  /// The ids of what is written, in the order it is written in.
  private func list(_ query: HistoryQuery, _ limit: Int?) async throws(ExportFailure) -> IDList {
    var list = IDList()
    var requests: [WrittenPlace] = []
    var seen: Set<RequestKey> = []
    var (query, rest) = (query, limit ?? .max)
    while rest > 0 {
      if Task.isCancelled { throw .cancelled }
      query.limit = min(rest, 1_000)
      let page: [ExchangeSummary]
      do throws(StoreFailure) { page = try await store.history(query) } catch {
        throw .store(error)
      }
      for entry in page {
        if format != .http {
          list.append(entry.id)
        } else if seen.insert(RequestKey(entry)).inserted {
          requests.append(WrittenPlace(file: entry.file, line: entry.line, id: entry.id))
        }
      }
      rest -= page.count
      guard page.count == query.limit, let last = page.last else { break }
      query.after = HistoryQuery.Cursor(last)
    }
    switch format {
    case .har, .jsonl: return list.reversed
    // Of many samples the newest count, so that they come first.
    case .openapi: return list
    case .http: break
    }
    for place in requests.sorted() { list.append(place.id) }
    return list
  }
}

/// What makes exchanges those of one request of a file: its name, else its text.
private struct RequestKey: Hashable {
  let file: String
  let name: String?
  let template: String?

  init(_ entry: ExchangeSummary) {
    file = entry.file
    name = entry.requestName
    template = entry.requestName == nil ? entry.template : nil
  }
}

/// Where a request stands; requests are sorted as they were written.
private struct WrittenPlace: Comparable {
  let file: String
  let line: Int
  let id: String

  static func < (left: WrittenPlace, right: WrittenPlace) -> Bool {
    (left.file, left.line, left.id) < (right.file, right.line, right.id)
  }
}

/// Many ids side by side: as strings, a million of them would take three times the memory.
private struct IDList {
  /// The bytes of a UUID in text.
  private static let width = 36
  private var bytes: [UInt8] = []
  private var isReversed = false

  var count: Int { bytes.count / IDList.width }

  mutating func append(_ id: String) { bytes += id.utf8.prefix(IDList.width) }

  /// The same ids from the last to the first.
  var reversed: IDList {
    var result = self
    result.isReversed.toggle()
    return result
  }

  func ids(_ range: Range<Int>) -> [String] {
    range.map { place in
      let start = (isReversed ? count - 1 - place : place) * IDList.width
      return String(decoding: bytes[start..<start + IDList.width], as: UTF8.self)
    }
  }
}
