// Anything with a name in the workspace, found by a few letters.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage

/// The handlers of the workspace's symbols.
enum WorkspaceSymbols {
  /// How many symbols one answer has; who looks for others types more letters.
  private static let limit = 500

  /// `workspace/symbol`; places are left to `workspaceSymbol/resolve` where the client asks for
  /// them then.
  static func symbols(
    _ snapshot: Snapshot, _ params: LSP.WorkspaceSymbolParams
  ) async throws(RPCError) -> [LSP.WorkspaceSymbol]? {
    let project = await snapshot.services.index.project(snapshot)
    let symbols = project.symbols(matching: params.query, limit: limit)
    try Abandonment.check()
    let isLazy = snapshot.client.profile.resolvesSymbolLocations
    let found = symbols.map { symbol -> LSP.WorkspaceSymbol in
      var places = NamePlaces(symbol.file, snapshot)
      return LSP.WorkspaceSymbol(
        name: symbol.name, kind: kind(symbol.kind), containerName: symbol.container,
        location: isLazy
          ? .locationUriOnly(LSP.LocationUriOnly(uri: places.uri))
          : .location(places.location(symbol.range)),
        data: isLazy
          ? ["path": .string(symbol.file.path), "offset": .int(symbol.range.lowerBound)] : nil)
    }
    guard let token = params.partialResultToken else { return found }
    if !found.isEmpty { snapshot.client.progress(token, PartialResult(values: found)) }
    return []
  }

  /// Says where a symbol stands now.
  static func resolve(
    _ snapshot: Snapshot, _ symbol: LSP.WorkspaceSymbol
  ) async throws(RPCError) -> LSP.WorkspaceSymbol {
    guard case .locationUriOnly = symbol.location, let path = symbol.data?["path"]?.string,
      let offset = symbol.data?["offset"]?.int
    else { return symbol }
    let project = await snapshot.services.index.project(snapshot)
    let kinds: [ProjectSymbol.Kind] = [.request, .variable, .environmentKey]
    let found = kinds.filter { kind($0) == symbol.kind }.lazy.compactMap {
      project.symbol(symbol.name, $0, in: path, near: offset)
    }.first
    guard let found else {
      throw RPCError(
        .contentModified, "`\(symbol.name)` is no longer in \(path). Search for it again.")
    }
    var places = NamePlaces(found.file, snapshot)
    var resolved = symbol
    resolved.location = .location(places.location(found.range))
    return resolved
  }

  private static func kind(_ kind: ProjectSymbol.Kind) -> LSP.SymbolKind {
    switch kind {
    case .request: .method
    case .variable: .variable
    case .environmentKey: .key
    }
  }
}
