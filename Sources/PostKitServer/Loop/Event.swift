// Everything that can wake the server; a new cause is a new case.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitStore

/// What the loop takes up, one after the other.
enum Event: Sendable {
  /// Something came in, or can't come in any more.
  case transport(TransportEvent)
  /// A task is done; the frame answers its request, if it has one.
  case finished(task: Int, frame: [UInt8]?)
  /// A task wants something from the client.
  case call(ClientCall)
  /// The client had time enough to answer.
  case callTimedOut(id: Int)
  /// The time of a request about a document may be over.
  case answersDue
  /// Diagnostics that are to be pushed are ready.
  case diagnostics(Findings)
  /// Something that answers depend on changed; clients should ask again.
  case refresh(Change)
  /// The time between two refreshes is over.
  case refreshDue
  /// What requests show at their lines while they are sent has changed.
  case resultsMoved
  /// The time between two drawings of that is over.
  case resultsDue
  /// A response begins that goes on for long.
  case streamBegan(id: String)
  /// More of a response has come that a document may show, or it is whole.
  case responseGrew(id: String)
  /// The time between two looks at such documents is over.
  case responsesDue
  /// A status line is to show something else: a send began or ended, another environment was
  /// chosen, or something went wrong.
  case statusChanged
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

/// A request to the client that a task waits for.
struct ClientCall: Sendable {
  let method: String
  let params: (@Sendable (inout JSONWriter) -> Void)?
  /// How long the answer may take, in milliseconds; `nil` where a person answers (PROMISES.md Q12).
  let timeoutMilliseconds: Int?
  let completion: OutgoingRequests.Completion
}

/// The sending end of the loop's queue.
struct EventSink: Sendable {
  private let continuation: AsyncStream<Event>.Continuation

  init(_ continuation: AsyncStream<Event>.Continuation) { self.continuation = continuation }

  /// Queues an event; never blocks.
  func post(_ event: Event) { continuation.yield(event) }
}
