// A source of messages and a sink of frames: a pair of pipes in earnest, memory in tests.

/// What a transport reports, in the order in which it happened.
package enum TransportEvent: Sendable {
  /// A message, and how many bytes it took on the wire.
  case message(IncomingMessage, byteCount: Int)
  /// A message that can't be taken up; the sender is to be told.
  case refused(EnvelopeProblem)
  /// Bytes that were no message were skipped.
  case skipped(byteCount: Int)
  /// The client closed its end.
  case endOfInput
  /// Nothing more can be read, for this reason.
  case inputFailed(String)
  /// Nothing more can be written, for this reason.
  case outputFailed(String)
}

/// A frame to send, and what may happen to it while the client isn't reading (PROMISES.md F13).
package struct OutgoingFrame: Sendable, Hashable {
  /// What may happen to a frame that waits.
  package enum Importance: Sendable, Hashable {
    /// It is sent.
    case required
    /// A later frame with the same key may take its place.
    case replaceable(key: String)
    /// It is dropped where much is waiting.
    case droppable
  }

  package let bytes: [UInt8]
  package let importance: Importance

  /// Makes a frame from bytes that `OutgoingMessage` built.
  package init(_ bytes: [UInt8], _ importance: Importance = .required) {
    self.bytes = bytes
    self.importance = importance
  }
}

/// Carries messages both ways.
package protocol MessageTransport: Sendable {
  /// Starts to report; `deliver` may block, which holds back the reading of more.
  func start(_ deliver: @escaping @Sendable (TransportEvent) -> Void)
  /// Queues a frame; never blocks.
  func send(_ frame: OutgoingFrame)
  /// Who works out answers enters here first.
  var admission: Admission { get }
  /// Returns when what was queued has been sent, or after that time.
  func flush(withinMilliseconds timeout: Int) async
}
