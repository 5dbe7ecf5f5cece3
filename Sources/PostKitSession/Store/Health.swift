// How the server is, from what went wrong so far: nothing is opened or tried for it.

package import LanguageServerProtocol
import PostKitStore

/// What is wrong with the server's surroundings, for a status line. Each problem goes when its
/// reason goes; `StoreAccess.review()` looks for those of the store.
package struct Health: Sendable, Equatable {
  /// What can be wrong, the worst first.
  package enum Subject: CaseIterable, Sendable {
    /// Libcurl is missing, so that nothing can be sent.
    case library
    /// The store can't be used; requests are sent without being recorded.
    case store
    /// Scripts can't run: their engine is missing, or keeps crashing.
    case scripts

    /// How bad that is.
    var level: LSP.PostkitHealth { self == .library ? .error : .warning }
  }

  private var problems: [Subject: String] = [:]
  /// The store can be used, but something is the matter with it, such as a file that was set aside;
  /// in the order in which it was found.
  private(set) var notices: [StoreNotice] = []

  /// Notes what is wrong with a subject; `nil` when all is well again.
  mutating func note(_ subject: Subject, _ problem: String?) { problems[subject] = problem }

  /// Notes what is the matter with the store, in place of what was so before of the same kind.
  mutating func note(_ notice: StoreNotice) {
    notices.removeAll { $0.kind == notice.kind }
    notices.append(notice)
  }

  /// Takes some notices back: their reason is gone.
  mutating func takeBack(_ notices: [StoreNotice]) {
    self.notices.removeAll(where: notices.contains)
  }

  /// What is wrong with a subject; `nil` where nothing is.
  func problem(of subject: Subject) -> String? { problems[subject] }

  /// Whether anything is wrong.
  var hasProblems: Bool { self != Health() }

  /// The worst problem and its sentence.
  package var current: (level: LSP.PostkitHealth, message: String?) {
    if let worst = Subject.allCases.first(where: { problems[$0] != nil }) {
      return (worst.level, problems[worst])
    }
    return (notices.isEmpty ? .ok : .warning, notices.last?.message)
  }
}
