// Recordings of the history.

import PostKitHTTP
import PostKitLoopback
package import PostKitStore
import PostKitSupport

/// Reads the history as recordings. Bodies that memory has no room for go to files, from which they
/// are served.
package struct MockHistory {
  /// Bytes of bodies that are kept in memory.
  private static let keptBytes = 8 << 20
  /// The newest exchanges that are read.
  private static let exchanges = 10_000
  /// Exchanges read at a time.
  private static let pageSize = 50

  private let store: Store
  /// The directory for files of bodies (`SpoolDirectory`).
  private let spool: String

  /// Makes a reader; in the directory `spool` files may be made, which are the process's.
  package init(_ store: Store, spool: String) {
    self.store = store
    self.spool = spool
  }

  /// The exchanges of a question that were answered, the oldest first; with `folder` those of
  /// request files below that absolute path alone.
  package func recordings(
    _ query: HistoryQuery, rank: Int, below folder: String? = nil
  ) async throws(MockFailure) -> [MockRecording] {
    var ids: [String] = []
    var query = query
    query.state = .done
    while ids.count < Self.exchanges {
      query.limit = min(1_000, Self.exchanges - ids.count)
      let page: [ExchangeSummary]
      do throws(StoreFailure) { page = try await store.history(query) } catch {
        throw MockFailure(error.message)
      }
      ids += page.filter { exchange in
        folder.map { FilePath.isInside(exchange.file, directory: $0) } ?? true
      }.map(\.id)
      guard page.count == query.limit, let last = page.last else { break }
      query.after = HistoryQuery.Cursor(last)
    }
    ids.reverse()
    var bodies = MockBodies(limit: Self.keptBytes, spool: spool)
    var result: [MockRecording] = []
    for start in stride(from: 0, to: ids.count, by: Self.pageSize) {
      let page = Array(ids[start..<min(start + Self.pageSize, ids.count)])
      let found: [Exchange]
      do throws(StoreFailure) { found = try await store.exchanges(ids: page) } catch {
        throw MockFailure(error.message)
      }
      for exchange in found {
        if let recording = try recording(exchange, rank, &bodies) { result.append(recording) }
      }
    }
    return result
  }

  private func recording(
    _ exchange: Exchange, _ rank: Int, _ bodies: inout MockBodies
  ) throws(MockFailure) -> MockRecording? {
    guard let response = exchange.response, !response.isTruncated,
      let url = MockURL(exchange.request.url)
    else { return nil }
    var recording = MockRecording(
      source: "history \(exchange.id)", method: exchange.request.method, path: url.path,
      query: url.query, requestHeaders: exchange.request.headers, status: response.status,
      headers: response.headers, body: try bodies.keep(response.body))
    recording.name = exchange.requestName
    recording.rank = rank
    if case .bytes(let bytes) = exchange.request.body, !exchange.request.isTruncated {
      recording.requestBody = bytes
    }
    recording.origin = url.origin
    recording.recordedAt = exchange.startedAt
    recording.isPinned = exchange.isPinned
    recording.isRedacted = exchange.isRedacted
    recording.firstByteMilliseconds = Int(exchange.timings.firstByte / 1_000)
    recording.totalMilliseconds = exchange.timings.totalMilliseconds
    return recording
  }
}

/// Why a mock can't be made, as a sentence.
package struct MockFailure: Error, Sendable, Hashable {
  package let message: String

  /// Makes a failure.
  package init(_ message: String) { self.message = message }
}

/// Bodies in memory as far as there is room, the others in files.
private struct MockBodies {
  let limit: Int
  let spool: String
  private var kept = 0

  init(limit: Int, spool: String) {
    self.limit = limit
    self.spool = spool
  }

  mutating func keep(_ content: BodyContent) throws(MockFailure) -> MockBody {
    switch content {
    case .file(let path, let size): return .file(path: path, range: 0..<size)
    case .bytes(let bytes):
      if kept + bytes.count <= limit {
        kept += bytes.count
        return .bytes(bytes)
      }
      do throws(FileFailure) {
        let written = try SpoolDirectory.withNewPath(in: spool) { path in
          Result { () throws(FileFailure) in
            try FileSystem.writeAtomically(bytes, to: path, mode: 0o600)
            return path
          }
        }
        return .file(path: try written.get(), range: 0..<bytes.count)
      } catch {
        throw MockFailure("\(error)")
      }
    }
  }
}

/// The parts of an absolute URL that recordings are found by.
struct MockURL {
  /// Scheme, host and port.
  let origin: String
  let path: [MockSegment]
  let query: [HeaderField]

  /// Takes an absolute URL apart; `nil` for others.
  init?(_ url: String) {
    let parts = URLText(url)
    guard let origin = parts.origin else { return nil }
    self.origin = origin
    path = MockRecording.segments(ofPath: String(url[parts.path]))
    query = LoopbackRequest.formFields(String(parts[parts.query] ?? ""))
  }
}
