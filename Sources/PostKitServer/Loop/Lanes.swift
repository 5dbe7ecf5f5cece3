// Threads of their own for what takes long, so that a huge document holds up nobody who asks about
// another one (PROMISES.md R5, Q8).

import PostKitSession
import PostKitSupport
import PostKitText

/// The threads on which requests about large documents are worked on: one for diagnostics, which
/// somebody who types waits for, one for what else is about all of a document, and one for what is
/// about a place in it. Requests wait for each other there, and more of them end in time than if
/// all went on at once. What acts has threads of low urgency: who types waits for no send. All
/// other requests have urgent threads for themselves, of which there are no more than cores.
struct Lanes: Sendable {
  private let diagnostics = SerialQueueExecutor(isUrgent: true)
  private let wholes = SerialQueueExecutor()
  private let places = SerialQueueExecutor(isUrgent: true)

  /// The thread for a request about a document of so many bytes; `nil` for those of all
  /// other requests.
  func lane(for schedule: Schedule, bytes: Int) -> SerialQueueExecutor? {
    let most = schedule.isOfWhole ? Limits.pooledWholeBytes : Limits.pooledDocumentBytes
    if bytes <= most { return nil }
    switch schedule {
    case .diagnostics: return diagnostics
    case .wholeDocument: return wholes
    case .position: return places
    case .shared, .action, .command: return nil
    }
  }
}

extension ServerState {
  /// The thread for a request about a document; `nil` for one of those of all others.
  func lane(for schedule: Schedule, _ uri: DocumentURI) -> SerialQueueExecutor? {
    lanes.lane(for: schedule, bytes: documents[uri]?.text.bytes.count ?? 0)
  }
}
