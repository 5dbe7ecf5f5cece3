// Shows a code that is typed in on another device, as long as a plan polls (AU-38).

import PostKitAuth
import PostKitHTTP
import PostKitSupport
import Synchronization

/// The code of a sign-in on another device, in front of a person.
final class DeviceStep: Sendable {
  private struct State {
    var isDeclined = false
    var waiting: First<GrantEvent>?
  }

  private let code: DeviceCode
  private let host: any SignInHost
  private let state = Mutex(State())
  private let opened = First<Void>()

  /// Makes the step of a code.
  init(_ code: DeviceCode, _ host: any SignInHost) {
    self.code = code
    self.host = host
  }

  /// Shows the code until the person is done with it, or the task is cancelled.
  func show() async {
    let page = code.completeURL ?? code.verificationURL
    let sentence = "To sign in, enter the code \(code.userCode) at \(code.verificationURL)."
    var notice = SignInNotice(sentence: sentence, url: page, code: code.userCode)
    while !Task.isCancelled {
      let choice = await host.show(notice)
      if choice == .open {
        notice.isOpened = await SystemBrowser.open(page, by: host)
        opened.give(())
        continue
      }
      if choice == .cancel { decline() }
      break
    }
    // Who has put the code aside has seen it.
    opened.give(())
  }

  /// Waits until polling may begin: at once, or when the page was opened.
  func shown() async -> GrantEvent {
    guard code.waitsForBrowser else { return .shown }
    let opened = opened
    await withTaskCancellationHandler {
      await opened.value
    } onCancel: {
      opened.give(())
    }
    return state.withLock { $0.isDeclined } ? .declined : .shown
  }

  /// Waits for some time, unless the person ends the sign-in.
  func wait(milliseconds: Int) async -> GrantEvent {
    let end = First<GrantEvent>()
    let isDeclined = state.withLock { state in
      state.waiting = end
      return state.isDeclined
    }
    if isDeclined { return .declined }
    return await DeviceStep.wait(milliseconds: milliseconds, end)
  }

  /// Waits for some time, or until `end` is given something.
  static func wait(
    milliseconds: Int, _ end: First<GrantEvent> = First()
  ) async -> GrantEvent {
    let timer = Alarm.shared.schedule(afterMicroseconds: Int64(milliseconds) * 1_000) {
      end.give(.waited)
    }
    defer { Alarm.shared.cancel(timer) }
    return await withTaskCancellationHandler {
      await end.value
    } onCancel: {
      end.give(.declined)
    }
  }

  private func decline() {
    let waiting = state.withLock { state in
      state.isDeclined = true
      return state.waiting
    }
    waiting?.give(.declined)
  }
}
