// The defaults of collections and folders as messages have them.

import JSONRPC
import LanguageServerProtocol
import PostKitRunner
import PostKitStore

extension StoredDefaults {
  /// Reads what a client gives; throws `invalidParams` for what can't be sent.
  init(_ message: LSP.PostkitDefaults) throws(RPCError) {
    self.init(
      headers: try StoredDefaults.entries(message.headers),
      auth: message.auth?.isEmpty == true ? nil : message.auth,
      variables: try StoredDefaults.entries(message.variables))
    if let mistake { throw RPCError(.invalidParams, "defaults: \(mistake)") }
  }

  private static func entries(_ pairs: [[String]]?) throws(RPCError) -> [Entry] {
    var entries: [Entry] = []
    for pair in pairs ?? [] {
      guard pair.count == 2 else {
        throw RPCError(.invalidParams, "defaults: expected pairs of name and value.")
      }
      entries.append(Entry(pair[0], pair[1]))
    }
    return entries
  }
}

extension LSP.PostkitDefaults {
  /// Writes defaults for a client.
  init(_ defaults: StoredDefaults) {
    func pairs(_ entries: [StoredDefaults.Entry]) -> [[String]]? {
      entries.isEmpty ? nil : entries.map { [$0.name, $0.value] }
    }
    self.init(
      headers: pairs(defaults.headers), auth: defaults.auth, variables: pairs(defaults.variables))
  }
}
