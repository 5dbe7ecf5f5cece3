// How the server is, from what went wrong so far: nothing is opened or tried for it.

package import LanguageServerProtocol
import PostKitStore
import Synchronization

/// What is wrong with the server's surroundings, for a status line. Each problem goes when its
/// reason goes; `StoreAccess.review()` looks for those of the store.
package final class Health: Sendable {
  /// What can be wrong, the worst first.
  package enum Subject: CaseIterable, Sendable {
    /// Libcurl is missing, so that nothing can be sent.
    case library
    /// The store can't be used; requests are sent without being recorded.
    case store

    /// How bad that is.
    var level: LSP.PostkitHealth { self == .library ? .error : .warning }
  }

  private struct Problems: Equatable {
    var bySubject: [Subject: String] = [:]
    /// The store can be used, but something is the matter with it, such as a file that was set
    /// aside; in the order in which it was found.
    var notices: [StoreNotice] = []
  }

  private let problems = Mutex(Problems())
  private let changed: @Sendable () -> Void

  /// Makes a health without problems; `changed` is called after each change.
  init(changed: @escaping @Sendable () -> Void) { self.changed = changed }

  /// Notes what is wrong with a subject; `nil` when all is well again.
  package func note(_ subject: Subject, _ problem: String?) {
    change { $0.bySubject[subject] = problem }
  }

  /// Notes what is the matter with the store, in place of what was so before of the same kind.
  func note(_ notice: StoreNotice) {
    change { problems in
      problems.notices.removeAll { $0.kind == notice.kind }
      problems.notices.append(notice)
    }
  }

  /// Takes some notices back: their reason is gone.
  func takeBack(_ notices: [StoreNotice]) {
    change { problems in problems.notices.removeAll(where: notices.contains) }
  }

  /// What is wrong with a subject; `nil` where nothing is.
  func problem(of subject: Subject) -> String? { problems.withLock { $0.bySubject[subject] } }

  /// What is the matter with the store.
  var notices: [StoreNotice] { problems.withLock { $0.notices } }

  /// Whether anything is wrong.
  var hasProblems: Bool { problems.withLock { $0 != Problems() } }

  /// The worst problem and its sentence.
  package var current: (level: LSP.PostkitHealth, message: String?) {
    problems.withLock { problems in
      if let worst = Subject.allCases.first(where: { problems.bySubject[$0] != nil }) {
        return (worst.level, problems.bySubject[worst])
      }
      return (problems.notices.isEmpty ? .ok : .warning, problems.notices.last?.message)
    }
  }

  private func change(_ body: (inout Problems) -> Void) {
    let isNews = problems.withLock { problems in
      let before = problems
      body(&problems)
      return problems != before
    }
    if isNews { changed() }
  }
}
