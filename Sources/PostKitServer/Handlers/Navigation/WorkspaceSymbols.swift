// Anything with a name in the workspace, found by a few letters.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitSyntax

/// The handlers of the workspace's symbols.
enum WorkspaceSymbols {
  /// How many symbols one answer has; who looks for others types more letters.
  private static let limit = 500
  /// How many come in one part where the client takes parts: a list is filled in no time, and the
  /// best are there before the places of the others are known.
  private static let partCount = 100

  /// `workspace/symbol`; places are left to `workspaceSymbol/resolve` where the client asks for
  /// them then.
  static func symbols(
    _ snapshot: Snapshot, _ params: LSP.WorkspaceSymbolParams
  ) async throws(RPCError) -> [LSP.WorkspaceSymbol]? {
    var told: Set<Key> = []
    if let token = params.partialResultToken {
      // What is open is told before thousands of other files are read.
      let open = await open(params.query, snapshot)
      send(open, token, snapshot)
      told = Set(open.map(Key.init))
    }
    let project = await snapshot.project()
    let stored = await snapshot.storedSymbols()
    let symbols = project.symbols(matching: params.query, limit: limit, others: stored)
    try Abandonment.check()
    guard let token = params.partialResultToken else {
      return symbols.map { symbol($0, snapshot) }
    }
    let rest = symbols.filter { !told.contains(Key($0)) }
    for start in stride(from: 0, to: rest.count, by: partCount) {
      try Abandonment.check()
      send(Array(rest[start..<min(start + partCount, rest.count)]), token, snapshot)
    }
    return []
  }

  private static func send(
    _ symbols: [ProjectSymbol], _ token: LSP.ProgressToken, _ snapshot: Snapshot
  ) {
    if symbols.isEmpty { return }
    snapshot.client.progress(token, PartialResult(values: symbols.map { symbol($0, snapshot) }))
  }

  /// The best symbols of the request files that are open.
  private static func open(_ query: String, _ snapshot: Snapshot) async -> [ProjectSymbol] {
    let documents = snapshot.documents.all.filter {
      snapshot.shown($0.uri) == nil && !snapshot.isSurrounding($0.uri) && !$0.isTooLong
        && ParsedDocument.isRequestFile($0.indexKey)
    }
    var names: [FileNames] = []
    for document in documents {
      names.append(await snapshot.context(of: document).names(path: document.indexKey))
    }
    return ProjectIndex(names).symbols(matching: query, limit: partCount)
  }

  /// What makes two symbols one.
  private struct Key: Hashable {
    let path: String
    let name: String
    let offset: Int

    init(_ symbol: ProjectSymbol) {
      (path, name, offset) = (symbol.file.path, symbol.name, symbol.range.lowerBound)
    }
  }

  private static func symbol(
    _ symbol: ProjectSymbol, _ snapshot: Snapshot
  ) -> LSP.WorkspaceSymbol {
    var places = NamePlaces(symbol.file, snapshot)
    // The place of what no file holds is known already.
    let isLazy = snapshot.client.profile.resolvesSymbolLocations && symbol.file.path.hasPrefix("/")
    return LSP.WorkspaceSymbol(
      name: symbol.name, kind: kind(symbol.kind), containerName: symbol.container,
      location: isLazy
        ? .locationUriOnly(LSP.LocationUriOnly(uri: places.uri))
        : .location(places.location(symbol.range)),
      data: isLazy
        ? ["path": .string(symbol.file.path), "offset": .int(symbol.range.lowerBound)] : nil)
  }

  /// Says where a symbol stands now.
  static func resolve(
    _ snapshot: Snapshot, _ symbol: LSP.WorkspaceSymbol
  ) async throws(RPCError) -> LSP.WorkspaceSymbol {
    guard case .locationUriOnly = symbol.location, let path = symbol.data?["path"]?.string,
      let offset = symbol.data?["offset"]?.int
    else { return symbol }
    let project = await snapshot.project()
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
