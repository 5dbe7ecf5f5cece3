// Has a page visited, and waits for what comes back: a redirect, a pasted address or neither.

import PostKitAuth
import PostKitHTTP
import PostKitSupport

/// One visit of a browser (AU-34 to AU-36).
struct BrowserStep: Sendable {
  let visit: BrowserVisit
  let listener: RedirectListener?
  let host: any SignInHost
  /// The seconds that the person has; 0 for as long as it takes.
  let seconds: Int
  /// What to run where nobody can paste here.
  let loginCommand: String

  /// Waits until something ends the visit. All that is shown or asked ends with it.
  func run() async -> Result<GrantEvent, AuthFailure> {
    guard SystemBrowser.isPage(visit.url) else {
      return .failure(
        AuthFailure(.authIncomplete, "\(visit.url) is no address of a page to sign in at."))
    }
    let canPaste = await host.canPaste
    if listener == nil, !canPaste {
      return .failure(
        AuthFailure(
          .authPasteNeeded,
          "The sign-in ends at \(visit.redirectURI), where PostKit can't listen, and nobody can "
            + "paste an address here. Run `\(loginCommand)` in a terminal."))
    }
    let end = First<GrantEvent>()
    listener?.expect(visit) { end.give(.redirected($0)) }
    let limit = seconds > 0
      ? Alarm.shared.schedule(afterMicroseconds: Int64(seconds) * 1_000_000) { [seconds] in
        end.give(.timedOut(seconds: seconds))
      } : nil
    defer { if let limit { Alarm.shared.cancel(limit) } }
    let event = await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self, returning: GrantEvent.self) { group in
        group.addTask { await show(canPaste: canPaste, end) }
        let event = await end.value
        group.cancelAll()
        return event
      }
    } onCancel: {
      end.give(.declined)
    }
    return .success(event)
  }

  private func show(canPaste: Bool, _ end: First<GrantEvent>) async {
    let isOpened = await open()
    if Task.isCancelled { return }
    let tunnel = listener.flatMap { SystemBrowser.tunnel(port: $0.port) }
    let place = URLText(visit.url)
    let name = place[place.hostAndPort].map { String($0) } ?? visit.url
    let limit = seconds > 0 ? " within \(DurationText.text(seconds: seconds))" : ""
    var notice = SignInNotice(
      sentence: "Sign in at \(name) with a browser\(limit)." + (tunnel.map { " \($0)" } ?? ""),
      url: visit.url, isOpened: isOpened)
    // What a terminal says has to stand before what it asks.
    let isShown = host.showsAtOnce
    if isShown { _ = await host.show(notice) }
    await withTaskGroup(of: Void.self) { group in
      // Where the browser may run elsewhere, its redirect may never come.
      if canPaste, listener == nil || tunnel != nil || !isOpened {
        group.addTask { await paste(end) }
      }
      while !isShown, !Task.isCancelled {
        switch await host.show(notice) {
        case .open: notice.isOpened = await open()
        case .cancel:
          end.give(.declined)
          return
        case .dismissed, .cannotShow: return
        }
      }
    }
  }

  private func open() async -> Bool { await SystemBrowser.open(visit.url, by: host) }

  /// Who pastes nothing has ended the sign-in where nothing else can end it.
  private func paste(_ end: First<GrantEvent>) async {
    let title = "Sign-in: paste the address that the browser ends at"
    let pasted = await host.paste(title) ?? ""
    // An address that was wrapped on its way has blanks and line ends in it, which no address has.
    let text = pasted.filter { !$0.isWhitespace }
    if Task.isCancelled { return }
    if !text.isEmpty {
      end.give(.pasted(text))
    } else if listener == nil {
      end.give(.declined)
    }
  }
}
