// Who sits in front of the program when a sign-in needs a person: an editor or a terminal.

/// What a person is shown and asked while somebody signs in.
package protocol SignInHost: Sendable {
  /// Whether pages may be opened by programs of this machine where the client opens none.
  var opensPages: Bool { get }
  /// Whether `show` says what it has to say and ends, so that a question can stand below it.
  var showsAtOnce: Bool { get }
  /// Opens a page by the means of the client, such as `window/showDocument`, and answers whether it
  /// did.
  func open(_ url: String) async -> Bool
  /// Shows that a sign-in waits for a browser, with the address for who has to open it elsewhere;
  /// ends when the person chooses something, or with the task.
  func show(_ notice: SignInNotice) async -> SignInChoice
  /// Whether somebody can be asked to paste an address.
  var canPaste: Bool { get async }
  /// Asks for the address that a browser has ended at; `nil` where nothing was entered.
  func paste(_ title: String) async -> String?
  /// Says what the sign-in waits for, in a sentence; replaces what it said before.
  func progress(_ sentence: String) async
}

extension SignInHost {
  package var opensPages: Bool { true }
  /// Nobody waits for a person by itself.
  package var showsAtOnce: Bool { false }
}

/// What a sign-in shows.
package struct SignInNotice: Sendable, Hashable {
  /// What it is about, and what to do, in plain text.
  package var sentence: String
  /// The page to visit.
  package var url: String
  /// The code to type in, in a sign-in on another device.
  package var code: String?
  /// Whether a page was opened already, so that the notice is there for who can't see it.
  package var isOpened: Bool

  /// Makes a notice.
  package init(sentence: String, url: String, code: String? = nil, isOpened: Bool = false) {
    self.sentence = sentence
    self.url = url
    self.code = code
    self.isOpened = isOpened
  }
}

/// What a person did with a notice.
package enum SignInChoice: Sendable, Hashable {
  /// Asked for the page.
  case open
  /// Put it aside; the sign-in goes on.
  case dismissed
  /// Ended the sign-in.
  case cancel
  /// There is no way to show it.
  case cannotShow
}
