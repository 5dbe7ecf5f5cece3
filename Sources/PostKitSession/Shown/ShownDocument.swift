// What the documents of ours show. Only a stored request is a request: what stands in a response
// was written by whoever answered, and what stands in a list has masks in it.

package import JSONRPC
import PostKitHTTP
import PostKitJSON
import PostKitSupport

/// What a `postkit:` document or a file for viewing shows.
package enum ShownDocument: Sendable, Hashable {
  case storedRequest(id: String)
  /// A response, or a part of it.
  case response(id: String, ResponseView)
  /// A list of exchanges.
  case history
  /// The list of the collections.
  case collections
  /// The list of the cookies.
  case cookies
  /// The list of the session values.
  case session
  /// The list of the saved searches.
  case searches
  /// Figures of the history.
  case statistics
  /// The defaults of a collection or folder.
  case defaults(id: String)
  /// What a service has said of itself.
  case fetched
  /// Anything else; nothing in it is a request either.
  case other

  /// Reads the path of a `postkit:` URI.
  fileprivate init(segments: [String], query: String) {
    switch (segments.first, segments.count) {
    case ("collections", 1): self = .collections
    case ("collections", 2): self = Self.id(segments[1]).map(Self.storedRequest) ?? .other
    case ("response", 2):
      let view = ResponseView(ofWhole: query)
      self =
        Self.id(segments[1]).flatMap { id in view.map { .response(id: id, $0) } } ?? .other
    case ("response", 3):
      let view = ResponseView(name: segments[2], query: query)
      self =
        Self.id(segments[1], before: "").flatMap { id in
          view.map { .response(id: id, $0) }
        } ?? .other
    case ("history", 1): self = .history
    case ("cookies", 1): self = .cookies
    case ("session", 1): self = .session
    case ("searches", 1): self = .searches
    case (Self.statisticsName, 1): self = .statistics
    case (Self.fetchedName, 2): self = .fetched
    case ("timeline", 2): self = Self.id(segments[1]) == nil ? .other : .history
    default: self = .other
    }
  }

  /// Reads the path of a file among the views.
  fileprivate init(view path: String) {
    let parts = path.split(separator: "/").map(String.init)
    switch (parts.first, parts.count) {
    case (Self.requestsFolder, 3) where parts[2].hasSuffix(".http"):
      self = Self.id(parts[1], before: "").map(Self.storedRequest) ?? .other
    case (Self.defaultsFolder, 3) where parts[2].hasSuffix(".http"):
      self = Self.id(parts[1], before: "").map(Self.defaults) ?? .other
    case (ListDocument.collections.fileName, 1): self = .collections
    case (ListDocument.cookies.fileName, 1): self = .cookies
    case (ListDocument.session.fileName, 1): self = .session
    case (ListDocument.searches.fileName, 1): self = .searches
    case (let name?, 1) where Self.id(name, before: Self.historySuffix) != nil: self = .history
    case (let name?, 1) where Self.id(name, before: Self.statisticsSuffix) != nil:
      self = .statistics
    case (let name?, 1):
      self = ResponseView.ofFile(name).map { .response(id: $0.id, $0.view) } ?? .other
    default: self = .other
    }
  }

  /// The directory of stored requests among the views.
  package static let requestsFolder = "requests"

  /// The directory of defaults among the views.
  package static let defaultsFolder = "defaults"

  /// The name of figures in a `postkit:` URI.
  package static let statisticsName = "statistics"

  /// The first part of the path of what services have said, in a `postkit:` URI.
  package static let fetchedName = "service"

  /// The name of a new file for a list of exchanges, or for their figures.
  package static func newFile(of shown: ShownDocument) -> String {
    Identifier.next() + (shown == .statistics ? statisticsSuffix : historySuffix)
  }

  private static let historySuffix = "-history.http"
  private static let statisticsSuffix = "-statistics.http"

  /// The id that a name is, but for its end.
  private static func id(_ name: String, before end: String = ".http") -> String? {
    guard name.hasSuffix(end) else { return nil }
    let id = String(name.dropLast(end.count))
    return Identifier.isValid(id) ? id : nil
  }

  /// Why nothing in a document that is no stored request can be sent.
  package func refusal(_ uri: String) -> RPCError {
    let way: String
    switch self {
    case .history, .response: way = "Use its code action \"Send again\", or the request's own file."
    case .collections, .cookies, .session, .searches, .statistics:
      way = "Use the code actions of a line."
    case .defaults: way = "Send the requests that have these defaults."
    case .other, .storedRequest, .fetched: way = "Use the request's own file."
    }
    return RPCError(
      .invalidParams, "\(uri) is read-only and has no requests to send. \(way)",
      data: ["code": .string(FailureCode.requestNotFound.rawValue)])
  }
}

extension ShownDocument {
  /// What a `postkit:` document shows.
  package init(postkit uri: DocumentURI) { self.init(segments: uri.segments, query: uri.query) }

  /// What a file shows that stands among the views; `nil` for any other file.
  package init?(path: String, viewDirectory: String) {
    let directory = FilePath.normalise(viewDirectory)
    let path = FilePath.normalise(path)
    if let view = Self.part(of: path, in: directory) {
      self.init(view: view)
      return
    }
    // Some editors name a file by its true path, and a link shows what it leads to. What is open
    // may have been removed meanwhile.
    let parent = FileSystem.realPath(FilePath.parent(path))
    guard let directory = FileSystem.realPath(directory),
      let path = FileSystem.realPath(path)
        ?? parent.map({ FilePath.join($0, FilePath.name(path)) }),
      let view = Self.part(of: path, in: directory)
    else { return nil }
    self.init(view: view)
  }

  private static func part(of path: String, in directory: String) -> String? {
    FilePath.isInside(path, directory: directory)
      ? FilePath.relative(path, to: directory) : nil
  }

  /// Whether what stands in it are requests.
  package var holdsRequests: Bool {
    if case .storedRequest = self { true } else { false }
  }
}
