// Who feeds whom: the requests that a request reads or runs, and those that read or run it.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitText

/// The handlers of the call hierarchy of requests.
enum CallHierarchy {
  /// `textDocument/prepareCallHierarchy`: the request named at the caret, or the one around.
  static func prepare(
    _ snapshot: Snapshot, _ params: LSP.CallHierarchyPrepareParams
  ) async throws(RPCError) -> [LSP.CallHierarchyItem]? {
    guard let document = try snapshot.requestFile(params.textDocument.uri) else { return nil }
    let project = await snapshot.project()
    let converter = document.text.converter(snapshot.client.profile.encoding)
    let found = project.callables(
      in: document.indexKey, at: converter.offset(params.position))
    return found.isEmpty ? nil : found.map { item($0, snapshot) }
  }

  /// `callHierarchy/incomingCalls`: who reads the answer of the request, or runs it.
  static func incoming(
    _ snapshot: Snapshot, _ params: LSP.CallHierarchyIncomingCallsParams
  ) async throws(RPCError) -> [LSP.CallHierarchyIncomingCall]? {
    let project = await snapshot.project()
    let place = try place(params.item, project)
    return project.calls(to: place).map { call in
      var places = NamePlaces(call.from.file, snapshot)
      return LSP.CallHierarchyIncomingCall(
        from: item(call.from, snapshot), fromRanges: call.ranges.map { places.range($0) })
    }
  }

  /// `callHierarchy/outgoingCalls`: whose answers the request reads, and whom it runs.
  static func outgoing(
    _ snapshot: Snapshot, _ params: LSP.CallHierarchyOutgoingCallsParams
  ) async throws(RPCError) -> [LSP.CallHierarchyOutgoingCall]? {
    let project = await snapshot.project()
    let place = try place(params.item, project)
    guard let file = project.files[place.path] else { return [] }
    var places = NamePlaces(file, snapshot)
    return project.calls(from: place).map { call in
      LSP.CallHierarchyOutgoingCall(
        to: item(call.to, snapshot), fromRanges: call.ranges.map { places.range($0) })
    }
  }

  private static func item(
    _ found: CallableRequest, _ snapshot: Snapshot
  ) -> LSP.CallHierarchyItem {
    var places = NamePlaces(found.file, snapshot)
    return LSP.CallHierarchyItem(
      name: found.request.caption.excerpt, kind: .method,
      detail: found.request.caption == found.request.target ? nil : found.request.target.excerpt,
      uri: places.uri, range: places.range(found.range),
      selectionRange: places.range(found.selection),
      data: ["path": .string(found.place.path), "block": .int(found.place.block)])
  }

  /// The block of an item, as long as it is the same request.
  private static func place(
    _ item: LSP.CallHierarchyItem, _ project: ProjectIndex
  ) throws(RPCError) -> ProjectIndex.Place {
    if let path = item.data?["path"]?.string, let block = item.data?["block"]?.int {
      let place = ProjectIndex.Place(path: path, block: block)
      if project.callable(place)?.request.caption.excerpt == item.name { return place }
    }
    throw RPCError(
      .contentModified,
      "`\(item.name)` has moved. Ask for its calls again from its file.")
  }
}
