// The state that a message sees when its turn has come.

package import JSONRPC
import LanguageServerProtocol
import PostKitSupport

extension Snapshot {
  /// The state when the turn of a message has come; a send has the settings that the editor is
  /// being asked for.
  ///
  /// Throws `requestFailed` for a send when a change before it takes very long: it would mean what
  /// it is not meant to.
  package func inTurn(_ role: MeaningRole) async throws(RPCError) -> Snapshot {
    let wait = await Turn.current?.wait() ?? .due
    switch (role, wait) {
    case (.shows, _): Turn.current?.pass()
    case (.none, _): break
    case (_, .cancelled): throw .cancelled
    case (.sends, .late(let name)):
      throw RPCError(
        .requestFailed,
        "Nothing was sent: `\(name)`, which was asked for before, is not done after "
          + "\(Limits.turnMilliseconds / 1_000) seconds. Send the request again when it is.")
    case (.sends, .due): return await withSettings()
    case (.changes, _): break
    }
    return self
  }

  /// The state with the settings that the editor is being asked for, if it says them in time.
  func withSettings() async -> Snapshot {
    switch await session.settingsArrival(after: settingsAnswers) {
    case .nothing: return self
    case .values(let values):
      var result = self
      result.editorSettings = values.editor
      result.folderSettings = values.folders
      return result
    case .late:
      client.showMessage(
        .warning,
        "The editor sent no settings within \(Limits.settingsMilliseconds) ms, so "
          + "the request was sent without them and without the environment that they name. "
          + "Send it again when the editor is ready, or choose the environment.")
      return self
    }
  }
}
