// How the server is, from what went wrong so far: nothing is opened or tried for it.

import LanguageServerProtocol
import Synchronization

/// What is wrong with the server's surroundings, for a status line.
final class Health: Sendable {
  /// What can be wrong, the worst first.
  enum Subject: CaseIterable, Sendable {
    /// Libcurl is missing, so that nothing can be sent.
    case library
    /// The store can't be used; requests are sent without being recorded.
    case store
    /// The store can be used, but something happened to it, such as a file that was set aside.
    case storeFiles

    /// How bad that is.
    var level: LSP.PostkitHealth { self == .library ? .error : .warning }
  }

  private let problems = Mutex<[Subject: String]>([:])
  private let changed: @Sendable () -> Void

  /// Makes a health without problems; `changed` is called after each change.
  init(changed: @escaping @Sendable () -> Void) { self.changed = changed }

  /// Notes what is wrong with a subject; `nil` when all is well again.
  func note(_ subject: Subject, _ problem: String?) {
    let isNews = problems.withLock { problems in
      defer { problems[subject] = problem }
      return problems[subject] != problem
    }
    if isNews { changed() }
  }

  /// The worst problem and its sentence.
  var current: (level: LSP.PostkitHealth, message: String?) {
    problems.withLock { problems in
      let worst = Subject.allCases.first { problems[$0] != nil }
      return (worst?.level ?? .ok, worst.flatMap { problems[$0] })
    }
  }
}
