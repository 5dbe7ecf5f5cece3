// The life of one transfer as a pure state machine: callbacks go in, events come out.

import PostKitHTTP
import PostKitSupport

/// Where a transfer is and what is known of it.
///
///     idle ──start──▶ connecting ──connected──▶ sending ──request head──▶ waiting
///                         │                                                │ ▲
///                         │ (libcurl before 7.80 says nothing of           │ │ blank line of an
///                         │  connections: the request head counts)    status │ interim head
///                         └───────────request head─────────▶ waiting    line │
///                                                                          ▼ │
///                    receiving ◀──blank line of the final head──────── readingHead
///                     │     │ ▲                                            ▲
///                     │     └─┘ body bytes, trailers                       │
///                     └──status line: libcurl repeated the request─────────┘
///
/// `finish` leads from every state to `finished`, which nothing leaves. A request head in `waiting`
/// or later replaces the one before: libcurl repeats a request when a kept connection had died.
/// Only that begins another response after a final head: a trailer may look like a status line.
/// Trailers are kept after the fields of the head, in the order in which they came. Interim heads,
/// the head and the trailers of a response share one limit.
struct TransferState: Sendable, Hashable {
  /// A place in the diagram.
  enum Phase: Int, Sendable, Hashable {
    case idle, connecting, sending, waiting, readingHead, receiving, finished
  }

  /// How often progress is told, in microseconds.
  static let progressIntervalMicroseconds: Int64 = 100_000

  private(set) var phase = Phase.idle
  /// The bytes of the last request head.
  private(set) var requestHead: [UInt8] = []
  /// The final head, else the interim one that is being read.
  private(set) var head: ResponseHead?
  /// Body bytes of the final response, decoded.
  private(set) var receivedBytes = 0
  private(set) var remoteAddress = ""

  /// Whether `head` is final and complete.
  private(set) var hasFinalHead = false
  /// Bytes of the heads and the trailers since the request was sent last.
  private(set) var headBytes = 0

  private var hasToldSentHead = false
  private var hasToldHead = false
  /// Whether the request went out again after the final head, as after 401.
  private var isSentAgain = false
  private var lastProgress: Int64 = .min

  /// Whether a connection stands.
  var isConnected: Bool { phase.rawValue > Phase.connecting.rawValue }

  /// The transfer was given to libcurl.
  mutating func start() -> TransferEvent? {
    guard phase == .idle else { return nil }
    phase = .connecting
    return .started
  }

  /// A connection stands.
  mutating func connect(remoteAddress address: String) -> TransferEvent? {
    guard phase != .finished, phase != .idle else { return nil }
    let isFirst = remoteAddress.isEmpty && phase == .connecting
    remoteAddress = address
    if phase == .connecting { phase = .sending }
    return isFirst ? .connected(remoteAddress: address) : nil
  }

  /// Bytes of a request head went out; a head may come in several pieces.
  mutating func sendHead(_ bytes: some Collection<UInt8>) -> TransferEvent? {
    guard phase != .finished, phase != .idle else { return nil }
    if isRequestHeadComplete {
      requestHead.removeAll(keepingCapacity: true)
      headBytes = 0
    }
    isSentAgain = hasFinalHead
    requestHead.append(contentsOf: bytes)
    guard isRequestHeadComplete else { return nil }
    if phase.rawValue < Phase.waiting.rawValue { phase = .waiting }
    if hasToldSentHead { return nil }
    hasToldSentHead = true
    return .sentHead(requestHead)
  }

  /// What a header line did.
  enum HeadResult: Sendable, Hashable {
    case nothing
    /// A response began where another one was: what was received of that one is void.
    case restarted
    /// The head and the trailers have more bytes than are taken; the line was left out.
    case tooLong
    case event(TransferEvent)
  }

  /// A line of a response head or of the trailers, with its line end.
  mutating func receiveLine(_ line: some Collection<UInt8>) -> HeadResult {
    guard phase != .finished, phase != .idle else { return .nothing }
    guard headBytes + line.count <= Limits.headBytes else { return .tooLong }
    headBytes += line.count
    if !hasFinalHead || isSentAgain, let next = ResponseHead(statusLine: line) {
      return begin(next)
    }
    let isBlank = line.allSatisfy { $0 == 13 || $0 == 10 }
    if !isBlank {
      head?.headers.append(line: line)
      return .nothing
    }
    guard phase == .readingHead, let head else { return .nothing }
    if head.isInterim {
      phase = .waiting
      return .nothing
    }
    phase = .receiving
    hasFinalHead = true
    if hasToldHead { return .nothing }
    hasToldHead = true
    return .event(.receivedHead(status: head.status, headers: head.headers))
  }

  /// Body bytes came in, at a time in microseconds.
  mutating func receiveBody(count: Int, at time: Int64) -> TransferEvent? {
    guard phase == .receiving else { return nil }
    receivedBytes += count
    // The difference would overflow before the first report.
    let isDue = lastProgress == .min || time - lastProgress >= Self.progressIntervalMicroseconds
    guard isDue else { return nil }
    lastProgress = time
    return .progress(received: receivedBytes, total: head?.announcedSize)
  }

  /// The end, for whatever reason.
  mutating func finish() -> TransferEvent? {
    guard phase != .finished else { return nil }
    // An interim head was superseded by nothing: only 101 may end a transfer (RFC 9110, 15.2.2).
    if !hasFinalHead, head?.status != 101 { head = nil }
    phase = .finished
    return .finished
  }

  private mutating func begin(_ next: ResponseHead) -> HeadResult {
    let isRepeated = hasFinalHead
    (hasFinalHead, isSentAgain) = (false, false)
    head = next
    phase = .readingHead
    receivedBytes = 0
    return isRepeated ? .restarted : .nothing
  }

  private var isRequestHeadComplete: Bool { requestHead.suffix(4).elementsEqual([13, 10, 13, 10]) }
}
