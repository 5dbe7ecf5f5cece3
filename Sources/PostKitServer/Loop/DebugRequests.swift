// What tests ask for, so that none of them needs to sleep.

import JSONRPC
import LanguageServerProtocol
import PostKitSession
import PostKitText

/// The handlers of `postkit/debug/…`; they answer only when the client asked for testing.
enum DebugRequests {
  /// The text that the server believes a document to have.
  static func text(
    _ state: inout ServerState, _ params: LSP.PostkitDebugTextParams
  ) throws(RPCError) -> LSP.PostkitDebugTextResult {
    guard state.initialization.testing == true else {
      throw RPCError(.methodNotFound, "This needs initializationOptions.postkit.testing.")
    }
    let document = try state.snapshot.document(params.textDocument.uri)
    return LSP.PostkitDebugTextResult(
      text: document.text.text, version: document.text.version ?? 0,
      languageId: document.languageID)
  }

  /// Answers when everything that was asked for before is done.
  static func synchronize(_ state: inout ServerState, _ id: RequestID) -> Bool {
    state.inFlight.wait(id)
  }
}
