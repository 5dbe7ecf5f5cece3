// What did this return before: a comparison of two responses as a document.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport

/// Comparisons as text, as documents and as actions.
enum ResponseDiff {
  /// `postkit.diffResponses`: opens the comparison and answers its URI.
  static func diffResponses(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    let meant = try ExecuteCommand.decode(argument, or: LSP.PostkitDiffResponsesArguments())
    let new = try await ExecuteCommand.exchange(snapshot, meant.b, meant.uri, meant.position)
    let old: Exchange
    if let id = meant.a {
      old = try await SendResults.exchange(snapshot, id: id)
    } else {
      guard let previous = try await previous(snapshot, new) else {
        throw RPCError(
          .requestFailed,
          "This request has no earlier response to compare with. Send it again.")
      }
      old = previous
    }
    let uri: String?
    if snapshot.client.profile.readsContentDocuments {
      uri = "postkit:/diff/\(old.id)/\(new.id).diff"
    } else {
      let text = Modelines.disarmed(text(from: old, to: new), isBody: false)
      uri = await snapshot.viewFile(text, as: "\(new.id)-\(old.id).diff")
    }
    guard let uri else {
      throw RPCError(.requestFailed, "The comparison can't be written for viewing.")
    }
    SendResults.open(snapshot, uri, takesFocus: true)
    return .string(uri)
  }

  /// The comparison of the responses of two exchanges as text.
  static func text(
    _ snapshot: Snapshot, from old: String, to new: String
  ) async throws(RPCError) -> String {
    text(
      from: try await SendResults.exchange(snapshot, id: old),
      to: try await SendResults.exchange(snapshot, id: new))
  }

  private static func text(from old: Exchange, to new: Exchange) -> String {
    ResponseDifference(from: old, to: new, read: StoredBody.bytes, digest: StoredBody.digest)
      .text(time: Moment.local)
  }

  /// The newest answered exchange of the same request before this one, of this session or of the
  /// history.
  static func previous(
    _ snapshot: Snapshot, _ exchange: Exchange
  ) async throws(RPCError) -> Exchange? {
    var found = await snapshot.remembered().masked(before: exchange)
    if let store = await snapshot.store.existing() {
      do throws(StoreFailure) {
        if let stored = try await store.exchange(before: exchange),
          found.map({ ($0.startedAt, $0.id) <= (stored.startedAt, stored.id) }) ?? true
        {
          // The store has its body, too.
          found = stored
        }
      } catch {
        throw RPCError(.requestFailed, error.message)
      }
    }
    return found
  }

  /// The id of that exchange, without its body; a history that can't be read has none.
  static func previousID(_ snapshot: Snapshot, _ exchange: Exchange) async -> String? {
    let own = await snapshot.remembered().masked(before: exchange)
    guard let store = await snapshot.store.atHand() else { return own?.id }
    do throws(StoreFailure) {
      let stored = try await store.idOfExchange(before: exchange)
      // Ids are in the order of time.
      return [own?.id, stored].compactMap { $0 }.max()
    } catch {
      Log.warning("The exchange before can't be looked for: \(error.message)")
      return own?.id
    }
  }

  /// What can be done with an exchange where it is shown, and at its request. An action that can't
  /// be offered is no error.
  static func actions(_ snapshot: Snapshot, _ id: String) async -> [LSP.CodeAction] {
    do throws(RPCError) {
      let exchange = try await SendResults.exchange(snapshot, id: id)
      guard let previous = try await previous(snapshot, exchange) else { return [] }
      let title = "Compare with the previous response"
      let earlier = "Show earlier responses"
      let arguments = LSP.PostkitDiffResponsesArguments(a: previous.id, b: exchange.id)
      return [
        CodeActions.action(
          "postkit.compare", title,
          CommandID.diffResponses.command(title, snapshot.initialization, arguments)),
        CodeActions.action(
          "postkit.show", earlier,
          CommandID.history.command(
            earlier, snapshot.initialization, LSP.PostkitHistoryArguments(id: exchange.id))),
      ]
    } catch {
      Log.info("Nothing to compare: \(error.message)")
      return []
    }
  }
}
