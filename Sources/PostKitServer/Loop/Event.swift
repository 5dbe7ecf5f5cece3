// Everything that can wake the server; a new cause is a new case.

import JSONRPC
import LanguageServerProtocol
import PostKitSession
import PostKitStore

/// What the loop takes up, one after the other.
enum Event: Sendable {
  /// Something came in, or can't come in any more.
  case transport(TransportEvent)
  /// A task is done; the frame answers its request, if it has one.
  case finished(task: Int, frame: [UInt8]?)
  /// A task has something to tell.
  case notice(Notice)
  /// The client had time enough to answer.
  case callTimedOut(id: Int)
  /// The time of a request about a document may be over.
  case answersDue
  /// Diagnostics that are to be pushed are ready.
  case diagnostics(Findings)
  /// The time between two refreshes is over.
  case refreshDue
  /// The time between two drawings of that is over.
  case resultsDue
  /// The time between two questions for diagnostics of scripts is over.
  case scriptsDue
  /// The time between two looks at such documents is over.
  case responsesDue
  /// What a status line is to show is known.
  case status(LSP.PostkitStatusParams)
  /// The store was changed: by recording what was sent here, or otherwise.
  case storeChanged(StoreChange, isOwnRecording: Bool)
  /// The store is watched that was not there when a list was opened.
  case storeWatched
  /// The store is watched from now on: what others choose there is news.
  case storeWatchBegan
  /// The store is no longer watched, or could not be.
  case storeWatchEnded
  /// There may have been nothing to do for a moment.
  case restDue
  /// A message has been worked on that the client wants to know of.
  case traced(Tracing)
  /// The process was asked to end.
  case signal(Int32)
  /// The process that started us is gone.
  case clientDied
  /// Work that was to be ended had its time.
  case deadline
}

/// The sending end of the loop's queue.
struct EventSink: Sendable {
  private let continuation: AsyncStream<Event>.Continuation

  init(_ continuation: AsyncStream<Event>.Continuation) { self.continuation = continuation }

  /// Queues an event; never blocks.
  func post(_ event: Event) { continuation.yield(event) }

  /// Queues a notice; never blocks.
  func post(_ notice: Notice) { post(.notice(notice)) }

  /// Where tasks post their notices.
  var notices: NoticeSink { NoticeSink { post($0) } }
}
