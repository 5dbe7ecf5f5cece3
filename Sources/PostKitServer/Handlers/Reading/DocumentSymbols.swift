// The outline of a document.

import JSONRPC
import LanguageServerProtocol
import PostKitLanguage
import PostKitSession
import PostKitText

/// The handler of document symbols.
enum DocumentSymbols {
  /// `textDocument/documentSymbol`: a tree where the client draws trees.
  static func documentSymbol(
    _ snapshot: Snapshot, _ params: LSP.DocumentSymbolParams
  ) async throws(RPCError) -> LSP.DocumentSymbolArrayOrSymbolInformationArray? {
    let document = try snapshot.document(params.textDocument.uri)
    let symbols: [DocumentSymbol]
    switch snapshot.shown(document.uri) {
    case nil, .storedRequest:
      if snapshot.isSurrounding(document.uri) { return nil }
      let context = await snapshot.context(of: document)
      symbols = await snapshot.analysis(of: context).symbols()
      try Abandonment.check()
    case .response(_, let view)
    where !document.isTooLong && ![.timings, .output].contains(view.form):
      symbols = ShownResponse(document.text.bytes, isBody: view.isBody).symbols()
    default: return nil
    }
    let converter = document.text.converter(snapshot.client.profile.encoding)
    return snapshot.client.profile.hasHierarchicalSymbols
      ? .documentSymbolArray(symbols.map { ToProtocol.symbol($0, converter) })
      : .symbolInformationArray(
        symbols.map { ToProtocol.flatSymbol($0, document.uri, converter) })
  }
}
