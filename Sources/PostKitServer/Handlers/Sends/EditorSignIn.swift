// What an editor shows of a sign-in: the page, a code, and that the send waits for a person.

import JSONRPC
import LanguageServerProtocol
import PostKitRunner
import PostKitSession
import PostKitSupport
import Synchronization

/// The editor's person in front of a sign-in of one send (AU-34, AU-35, AU-38).
final class EditorSignIn: SignInHost {
  private let snapshot: Snapshot
  private let reporting = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Time that an editor has to open a page, in milliseconds.
  private static let openMilliseconds = 3_000

  /// Makes the host of a send.
  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Says by whom the send's progress is told from now on.
  func report(by report: @escaping @Sendable (String) -> Void) {
    reporting.withLock { $0 = report }
  }

  /// Has the client open a page in the browser of the person, where it can.
  func open(_ url: String) async -> Bool {
    guard snapshot.client.profile.showsDocuments else { return false }
    do throws(RPCError) {
      let answer = try await snapshot.client.request(
        LSP.ShowDocumentRequest.self, LSP.ShowDocumentParams(uri: url, external: true),
        timeoutMilliseconds: EditorSignIn.openMilliseconds)
      return answer.success
    } catch {
      Log.info("The client did not open the page of a sign-in: \(error.message)")
      return false
    }
  }

  /// Shows it with buttons where the page is not open, and with the progress of the send.
  func show(_ notice: SignInNotice) async -> SignInChoice {
    let text = notice.code == nil ? "\(notice.sentence) \(notice.url)" : notice.sentence
    await progress(text)
    // Who sees the page needs no message beside it.
    if notice.isOpened { return .dismissed }
    guard snapshot.client.profile.asksWithButtons else {
      snapshot.client.showMessage(.info, text)
      return .dismissed
    }
    let copied = notice.code ?? notice.url
    let buttons: [(title: String, choice: SignInChoice?)] = [
      ("Open the page", .open), (notice.code == nil ? "Copy the address" : "Copy the code", nil),
      ("Cancel", .cancel),
    ]
    while !Task.isCancelled {
      let params = LSP.ShowMessageRequestParams(
        type: .info, message: text, actions: buttons.map { LSP.MessageActionItem(title: $0.title) })
      let answer: LSP.MessageActionItem?
      do throws(RPCError) {
        // A person who signs in takes the time that the sign-in has.
        answer = try await snapshot.client.request(
          LSP.ShowMessageRequest.self, params, timeoutMilliseconds: nil)
      } catch {
        Log.info("The client did not show a sign-in: \(error.message)")
        if !Task.isCancelled { snapshot.client.showMessage(.info, text) }
        return .dismissed
      }
      guard let button = buttons.first(where: { $0.title == answer?.title }) else {
        return .dismissed
      }
      if let choice = button.choice { return choice }
      await CopyAs.show(snapshot, copied + "\n", fileExtension: "txt")
    }
    return .dismissed
  }

  /// Whether the client has a field for texts.
  var canPaste: Bool {
    get async { snapshot.client.profile.postkit?.input == true }
  }

  /// Asks for an address in a field of the client.
  func paste(_ title: String) async -> String? {
    do throws(RPCError) {
      return try await UserQuestions.text(snapshot.client, title, nil)
    } catch {
      Log.info("The client did not ask for the address of a sign-in: \(error.message)")
      return nil
    }
  }

  /// Says it with the progress of the send.
  func progress(_ sentence: String) async { reporting.withLock { $0 }?(sentence) }
}
