// Which documents are ours, and what they show.

package import JSONRPC
package import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitText

extension Snapshot {
  /// What a list of exchanges or their figures are about; `nil` for any other document.
  package func address(of document: OpenDocument) -> HistoryAddress? {
    switch session.lists.content(document.uri, document.text.bytes) {
    case .history(let address), .statistics(let address): return address
    case .list, .found, .timeline: return nil
    case nil: break
    }
    let names = ["history", ShownDocument.statisticsName]
    guard document.uri.scheme == "postkit", names.contains(document.uri.segments.first ?? "")
    else { return nil }
    // A URI that can't be read has no list either.
    return try? HistoryAddress(document.uri)
  }

  /// What a document of ours shows; `nil` for any other document.
  package func shown(_ uri: DocumentURI) -> ShownDocument? {
    if uri.scheme == "postkit" { return ShownDocument(postkit: uri) }
    return uri.path.flatMap {
      ShownDocument(path: $0, viewDirectory: store.location.viewDirectory)
    }
  }

  /// Whether what stands in a document are requests, so that something may be evaluated there.
  package func holdsRequests(_ uri: DocumentURI) -> Bool {
    shown(uri)?.holdsRequests ?? !(uri.isScript || isOfOtherTool(uri))
  }

  /// Whether a document may be what another tool keeps, by its ending: environments and settings of
  /// ours, which are JSON, too, are none.
  package func isOfOtherTool(_ uri: DocumentURI) -> Bool {
    uri.isOfOtherTool && !isSurrounding(uri)
  }

  /// The URI of a view as a file, for clients that read no content documents; `nil` where it can't
  /// be written.
  package func viewFile(_ text: String, as name: String) async -> String? {
    await session.views.write(text, as: name, in: store.location.viewDirectory)
  }

  /// An open document whose requests an editor asks about; `nil` for one that is only shown.
  package func requests(_ uri: String) throws(RPCError) -> OpenDocument? {
    let document = try document(uri)
    return holdsRequests(document.uri) ? document : nil
  }
}

extension Snapshot {
  /// The id of the stored request that a document shows: a file that was written for viewing, or
  /// the URI by which a request is named; `nil` for any other.
  package func storedRequestID(of uri: DocumentURI) -> String? {
    guard case .storedRequest(let id) = shown(uri) else { return nil }
    return id
  }

  /// A stored request with all around it; `nil` where there is none.
  package func storedRequest(id: String) async -> StoredRequestFile? {
    guard let store = await store.existing() else { return nil }
    do throws(StoreFailure) {
      return try await StoredRequestFile.read(id: id, from: store)
    } catch {
      Log.warning("A stored request can't be read: \(error.message)")
      return nil
    }
  }
}
