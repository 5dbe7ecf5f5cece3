// A sign-in on the terminal: the address and the code on standard error, a pasted address from
// standard input.

import PostKitEvaluate
import PostKitRunner
import PostKitSupport

/// The terminal's person in front of a sign-in (AU-34, AU-35, AU-38, AU-50).
struct TerminalSignIn: SignInHost {
  private let console: Console
  let opensPages: Bool
  let showsAtOnce = true

  /// Makes a host; without `opensPages` no browser is started (`--no-browser`).
  init(_ console: Console, opensPages: Bool = true) {
    self.console = console
    self.opensPages = opensPages
  }

  /// The host of a command that was not asked to sign in: there is one where both streams are
  /// terminals, and no CI runs the command.
  static func ofRun(_ console: Console) -> TerminalSignIn? {
    let isCI = ProcessEnvironment.value("CI").map { !$0.isEmpty } ?? false
    return TerminalPrompt.canAsk && !isCI ? TerminalSignIn(console) : nil
  }

  /// A terminal opens nothing itself.
  func open(_ url: String) async -> Bool { false }

  /// Says what is to be done, and goes on.
  func show(_ notice: SignInNotice) async -> SignInChoice {
    console.note(notice.sentence)
    if !notice.sentence.contains(notice.url) { console.note(notice.url) }
    return .dismissed
  }

  /// Whether there is a terminal to paste into.
  var canPaste: Bool {
    get async { TerminalPrompt.canAsk }
  }

  /// Asks for an address on the terminal.
  func paste(_ title: String) async -> String? {
    await TerminalPrompt.ask(Prompt(name: "", label: title, isSecret: false))
  }

  /// Says it on standard error.
  func progress(_ sentence: String) async { console.note(sentence) }
}
