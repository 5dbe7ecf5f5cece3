// What services have said of themselves as documents: the places of what was fetched are there
// (IO-36, IO-41).

import JSONRPC
import PostKitDescription
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// A schema or a description that was fetched, as a document to read.
struct FetchedDocument {
  private let kind: Model.DescribedService.Kind
  private let url: String
  private let environment: String

  /// What was fetched from a URL.
  init(_ kind: Model.DescribedService.Kind, url: String, environment: String) {
    (self.kind, self.url, self.environment) = (kind, url, environment)
  }

  /// Reads a URI such as `postkit:/service/schema.graphql?url=https://a.test/graphql`; `nil` for
  /// any other.
  init?(_ uri: DocumentURI) {
    let parts = uri.segments
    guard uri.scheme == "postkit", parts.count == 2, parts[0] == ShownDocument.fetchedName
    else { return nil }
    switch parts[1] {
    case "schema.graphql": kind = .graphQL
    case "description.yaml": kind = .openAPI
    default: return nil
    }
    let items = uri.queryItems
    url = items.first { $0.name == "url" }?.value ?? ""
    environment = items.first { $0.name == "environment" }?.value ?? ""
  }

  private var name: String { kind == .graphQL ? "schema.graphql" : "description.yaml" }

  /// The URI of the document.
  var uri: String {
    var items = ["url=\(DocumentURI.queryValue(url))"]
    if !environment.isEmpty { items.append("environment=\(DocumentURI.queryValue(environment))") }
    return "postkit:/\(ShownDocument.fetchedName)/\(name)?" + items.joined(separator: "&")
  }

  /// What the store has of it, as definitions or as it was answered, and how many bytes of ours
  /// stand above that.
  ///
  /// Errors: `contentModified` where that is not kept any more.
  private func content(
    _ snapshot: Snapshot
  ) async throws(RPCError) -> (text: String, above: Int, time: Int64) {
    let key = kind.key(of: url) ?? url
    // Why a store can't be read is told by its own messages.
    guard let store = await snapshot.store.existing(),
      let row = try? await store.service(kind, key: key, environment: environment)
    else { throw gone }
    if kind == .openAPI { return (String(decoding: row.content, as: UTF8.self), 0, row.time) }
    // What is kept was read as a schema before; anything else can't be shown.
    guard let definitions = try? GraphQLIntrospection.definitions(row.content) else { throw gone }
    let heading = "# \(url.oneLine), fetched \(Moment.local(row.time))\n\n"
    let text = heading + String(decoding: definitions, as: UTF8.self)
    return (text, heading.utf8.count, row.time)
  }

  private var gone: RPCError {
    RPCError(.contentModified, "What \(url) has said is not kept any more. Fetch it again.")
  }

  /// The text of the document of a URI.
  static func text(
    of uri: DocumentURI, _ snapshot: Snapshot
  ) async throws(RPCError) -> String {
    guard let document = FetchedDocument(uri) else {
      throw RPCError(.invalidParams, "params.uri: there is no document \(uri.spelling).")
    }
    return try await document.content(snapshot).text
  }

  /// The URI by which the client can open it, and what turns offsets of what was fetched into
  /// positions there; `nil` where that is not kept any more.
  func target(
    _ snapshot: Snapshot
  ) async -> (uri: String, converter: PositionConverter, above: Int)? {
    // What is not kept any more has no place, and is told where it is opened.
    guard let (text, above, time) = try? await content(snapshot) else { return nil }
    let encoding = snapshot.client.profile.encoding
    func converter(_ text: String) -> PositionConverter {
      TextSnapshot(uri: uri, version: nil, text: text).converter(encoding)
    }
    if snapshot.client.profile.readsContentDocuments { return (uri, converter(text), above) }
    let isBody = kind == .openAPI
    let shown = Modelines.disarmed(text, isBody: isBody)
    // The same for the same answer, so that it is opened once.
    let digest = SHA256.hexDigest(Array(uri.utf8))
    let bits = (
      UInt64(digest.prefix(3), radix: 16) ?? 0, UInt64(digest.suffix(15), radix: 16) ?? 0
    )
    let id = Identifier.version7(milliseconds: time, random: bits)
    guard let file = await snapshot.viewFile(shown, as: "\(id)-\(name)") else { return nil }
    let inserted = Modelines.bytesAbove(text, isBody: isBody)
    return (file, converter(shown), above + inserted)
  }
}
