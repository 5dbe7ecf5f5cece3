// The mock of the session: started and ended by a command, named by `{{$mock}}` (IO-42).

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLoopback
import PostKitMock
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitText

/// The command `postkit.mock` and the actions that call it.
enum Mocks {
  /// `postkit.mock`: starts the mock of a document's folder, or ends the one that runs; answers its
  /// URL.
  static func execute(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    let order = try ExecuteCommand.decode(argument, or: LSP.PostkitMockArguments())
    if order.stop == true {
      let text = snapshot.session.mock.stop() ? "The mock has ended." : "No mock runs."
      told(snapshot, text)
      return .string(text)
    }
    let uri: String
    if let named = order.uri { uri = named } else { uri = try ExecuteCommand.caret(snapshot).uri }
    return .string(try await start(snapshot, DocumentURI(uri)))
  }

  private static func start(
    _ snapshot: Snapshot, _ uri: DocumentURI
  ) async throws(RPCError) -> String {
    let folder = snapshot.folder(of: uri) ?? uri.path.map(FilePath.parent)
    guard let folder else {
      throw RPCError(
        .requestFailed, "\(uri.spelling) is in no folder whose examples could be served.")
    }
    // In a folder that is not trusted, settings that a link leads to elsewhere are left alone.
    let refusal = await snapshot.readableWorkspace(of: uri).outsideRefusal
    do throws(MockFailure) {
      var recordings = try examples(snapshot, folder, refusal)
      if let store = await snapshot.store.existing() {
        let history = MockHistory(store, spool: snapshot.store.location.spoolDirectory)
        // Pages of any origin may ask the mock, which has no business with other folders.
        recordings += try await history.recordings(
          HistoryQuery(limit: 1_000), rank: 1, below: folder)
      }
      let server = try server(recordings)
      snapshot.session.mock.take(server, folder: folder, answers: recordings.count)
      told(
        snapshot,
        "The mock of \(FilePath.name(folder)) answers at \(server.url), `{{$mock}}` in requests, "
          + (recordings.count == 1 ? "with 1 answer." : "with \(recordings.count) answers."))
      return server.url
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
  }

  private static func server(_ recordings: [MockRecording]) throws(MockFailure) -> MockServer {
    do throws(LoopbackFailure) { return try MockServer(MockBook(recordings)) } catch {
      throw MockFailure("The mock can't be started: \(error).")
    }
  }

  private static func examples(
    _ snapshot: Snapshot, _ folder: String, _ refusal: String?
  ) throws(MockFailure) -> [MockRecording] {
    let found = try MockFiles.examples(folder, rank: 0) { bytes, place in
      var workspace = snapshot.workspace(of: DocumentURI(path: place))
      workspace.outsideRefusal = refusal
      let settings = snapshot.settings(of: workspace, tellsRefusal: false).settings
      return settings.reading(chosen: nil)
        .document(bytes, format: ParsedDocument.format(ofPath: place))
    }
    for remark in found.remarks { snapshot.tellOnce(remark) }
    return found.recordings
  }

  /// Says what became of the mock, and has shown anew what depends on it.
  private static func told(_ snapshot: Snapshot, _ text: String) {
    snapshot.client.showMessage(.info, text)
    snapshot.events.post(.refresh(.everything))
  }

  /// What can be done with the mock where a request, or the head of its file, names it or an
  /// example.
  static func actions(
    _ snapshot: Snapshot, _ context: DocumentContext, _ block: ParsedBlock?
  ) -> [LSP.CodeAction] {
    let own = snapshot.initialization
    if let running = snapshot.session.mock.running {
      let text = "Stop the mock at \(running.url)"
      return [
        CodeActions.action(
          "postkit.mock", text,
          CommandID.mock.command(text, own, LSP.PostkitMockArguments(stop: true)))
      ]
    }
    let blocks = [context.document.parsed.blocks.first, block].compactMap { $0 }
    let isMeant = blocks.contains { block in
      block.bytes[...].holds("$mock") || block.bytes[...].holds("@example")
    }
    guard isMeant else { return [] }
    let text = "Start the mock of this folder"
    return [
      CodeActions.action(
        "postkit.mock", text,
        CommandID.mock.command(
          text, own, LSP.PostkitMockArguments(uri: context.document.uri.spelling)))
    ]
  }
}
