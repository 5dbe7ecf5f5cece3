// The lines that say which request was sent and how it was answered, so that what scripts print
// stands below those of their request.

import PostKitEvaluate
import PostKitRunner
import PostKitSupport
import PostKitSyntax
import Synchronization

/// What has been printed of the requests of a run.
final class RunHeads: Sendable {
  private struct State {
    /// The requests that are under way, with their titles.
    var sending: [RequestPlace: (id: String, title: String)] = [:]
    /// Whose title was printed last.
    var latest: (id: String, title: String)?
    /// The requests whose answer has been told of.
    var answered: Set<String> = []

    /// The title, unless it was printed last of all.
    mutating func title(_ title: String, of id: String) -> String? {
      if let latest, latest == (id, title) { return nil }
      latest = (id, title)
      return title
    }
  }

  private let state = Mutex(State())

  /// The title of a request.
  static func title(_ method: String, _ url: String) -> String {
    "\(Display.line(method)) \(Display.line(url))"
  }

  /// Notes that a request is about to be sent.
  func begin(_ place: RequestPlace, _ id: String, title: String) {
    state.withLock { $0.sending[place] = (id, title) }
  }

  /// The title below which the scripts of a request print, where it is still to be printed; `nil`
  /// also where the request isn't sent yet.
  func title(over place: RequestPlace) -> String? {
    state.withLock { state in
      state.sending[place].flatMap { state.title($0.title, of: $0.id) }
    }
  }

  /// Notes that a request is answered; gives its title where it is still to be printed.
  func answer(_ place: RequestPlace, _ id: String, title: String) -> String? {
    state.withLock { state in
      state.sending[place] = (id, title)
      state.answered.insert(id)
      return state.title(title, of: id)
    }
  }

  /// Forgets a request that is done with; tells whether its answer has been told of.
  func end(_ place: RequestPlace, _ id: String) -> Bool {
    state.withLock { state in
      state.sending[place] = nil
      return state.answered.remove(id) != nil
    }
  }

  /// The title of a request that is done with, where it is still to be printed.
  func title(_ title: String, of id: String) -> String? {
    state.withLock { $0.title(title, of: id) }
  }
}
