// A transfer while it runs: what the callbacks need, and the outcome that is made of it.

import CCurl
import PostKitHTTP
import PostKitSupport

/// The state of one running transfer. It belongs to the loop's thread.
final class ActiveTransfer {
  /// The task that waits.
  let transfer: Transfer
  /// The handle that carries it.
  let handle: EasyHandle
  /// What becomes of the jar where the transfer uses a copy of it.
  var cookieMerge: CookieMerge?
  private(set) var state = TransferState()
  /// When the exchange came nearer to its end last, in microseconds of the monotonic clock: by what
  /// was sent, by the final head or by bytes of the body. A server can go on for ever with
  /// the rest, such as interim heads, extensions of chunks, and trailers.
  private(set) var lastActivity: Int64
  private let source: BodySource?
  private let sink: BodySink
  private let copy: BodyCopy?
  private let startedAt: Int64
  /// Whether the response ends with its head although libcurl doesn't know: it takes a HEAD that
  /// has a body for a POST, and would wait for the bytes that the head announces.
  private let endsWithHead: Bool
  /// Whether the head and the trailers have more bytes than are taken.
  private var hasTooLongHead = false
  private let mailbox: Mailbox
  /// Whether the body is read item by item while it comes in.
  private var isRead = false
  /// Whether the reader is behind, so that the body waits.
  private var isPaused = false

  /// Makes the record of a transfer; `source` is `nil` where the request has no body.
  init(
    _ transfer: Transfer, _ handle: EasyHandle, _ source: BodySource?, _ sink: BodySink,
    _ mailbox: Mailbox
  ) {
    self.mailbox = mailbox
    self.transfer = transfer
    self.handle = handle
    self.source = source
    self.sink = sink
    copy = transfer.saves.map { BodyCopy($0) }
    endsWithHead = transfer.spec.method == "HEAD" && source.map { $0.size > 0 } ?? false
    startedAt = Clock.monotonicMicroseconds
    lastActivity = startedAt
  }

  /// The types of responses that are streams: they may take as long as they like (PK-92).
  private static let streams: Set<String> = [
    "text/event-stream", "application/x-ndjson", "application/ndjson", "application/stream+json",
  ]
  /// Whether the response is a stream; `nil` before its head is whole.
  private var isStream: Bool?

  /// Why a limit of time ends the transfer at a moment of the monotonic clock, in microseconds, or
  /// else when to look again; `nil` where there is no limit.
  ///
  /// A total time holds for everything but streams, for which it limits the silence (PK-87).
  func limit(at now: Int64) -> (reason: Reason?, next: Int64)? {
    let options = transfer.spec.options
    if isStream == nil, state.hasFinalHead { isStream = looksLikeStream }
    var next = Int64.max
    let total = Int64(options.totalTimeoutMilliseconds ?? 0) * 1_000
    if total > 0, isStream != true {
      if now >= startedAt + total { return (.tooLong, now) }
      next = startedAt + total
    }
    let silence = silenceMicroseconds
    if silence > 0, !isPaused {
      // Without a connection other limits hold; this one can't be reached before it has passed.
      let deadline = (state.isConnected ? lastActivity : now) + silence
      if now >= deadline { return (.inactive, now) }
      next = min(next, deadline)
    }
    return next == .max ? nil : (nil, next)
  }

  private var looksLikeStream: Bool {
    if isRead { return true }
    let type = state.head?.headers.mediaType
    return type.map { ActiveTransfer.streams.contains($0.essence) } ?? false
  }

  /// How long nothing may come, in microseconds; 0 for any time.
  private var silenceMicroseconds: Int64 {
    let options = transfer.spec.options
    var milliseconds = options.inactivityTimeoutMilliseconds
    if isStream == true {
      milliseconds = options.keepsStream ? 0 : options.totalTimeoutMilliseconds ?? milliseconds
    }
    return Int64(milliseconds) * 1_000
  }

  // MARK: Callbacks

  /// The transfer was added to the multi handle.
  func started() { tell(state.start()) }

  /// A connection stands.
  func connected(_ address: String) {
    touch()
    tell(state.connect(remoteAddress: address))
  }

  /// Bytes of the request head went out.
  func sentHead(_ bytes: UnsafeRawBufferPointer) {
    touch()
    tell(state.sendHead(bytes))
  }

  /// A line of a head or of the trailers came in; `false` where nothing more is wanted.
  func receivedLine(_ line: UnsafeRawBufferPointer) -> Bool {
    let hadFinalHead = state.hasFinalHead
    switch state.receiveLine(line) {
    case .nothing: break
    case .restarted:
      sink.reset()
      copy?.reset()
    case .tooLong:
      hasTooLongHead = true
      return false
    case .event(let event):
      if let size = state.head?.announcedSize { sink.expect(size) }
      tell(event)
    }
    if state.hasFinalHead, !hadFinalHead {
      touch()
      if let items = transfer.items, let head = state.head {
        isRead = items.begin(head, of: transfer, mailbox)
      }
    }
    return !(endsWithHead && state.hasFinalHead)
  }

  /// What becomes of bytes of the body.
  enum Receipt {
    case taken
    /// They are to be given once more when the reader has caught up.
    case later
    /// They can't be kept.
    case refused
  }

  /// Body bytes came in.
  func receivedBody(_ bytes: UnsafeRawBufferPointer) -> Receipt {
    if isRead, let items = transfer.items {
      if items.mustWait() {
        isPaused = true
        return .later
      }
      items.receive(bytes)
    }
    touch()
    tell(state.receiveBody(count: bytes.count, at: lastActivity))
    if transfer.tellsBody, state.receivedBytes <= Limits.toldBodyBytes {
      tell(.body(Array(bytes)))
    }
    if let head = state.head { copy?.write(bytes, after: head) }
    return sink.write(bytes) ? .taken : .refused
  }

  /// The reader has caught up.
  func resume() {
    guard isPaused else { return }
    isPaused = false
    touch()
    _ = postkit_curl_easy_resume(handle.curl)
  }

  /// Nothing more comes of the body.
  func endItems() { if isRead { transfer.items?.end() } }

  /// libcurl wants bytes of the request's body; `nil` ends the transfer.
  func supplyBody(_ room: UnsafeMutableRawBufferPointer) -> Int? {
    touch()
    return source.map { $0.read(into: room) } ?? 0
  }

  /// libcurl wants to send the body once more from a place.
  func seekBody(to offset: Int) -> Bool { source?.seek(to: offset) ?? (offset == 0) }

  /// The exchange came nearer to its end.
  func touch() { lastActivity = Clock.monotonicMicroseconds }

  private func tell(_ event: TransferEvent?) { if let event { transfer.onEvent?(event) } }

  // MARK: The end

  /// Why a transfer ended.
  enum Reason {
    case done(CURLcode)
    case cancelled
    /// The reader of the body has seen enough.
    case closed
    case inactive
    /// The time for the whole transfer is over.
    case tooLong

    /// Whether it isn't libcurl that ended it.
    var isOurs: Bool { if case .done = self { false } else { true } }
  }

  /// Makes the outcome; the handle must still know of the transfer.
  func finish(_ reason: Reason) -> TransferOutcome {
    let isFinal = state.hasFinalHead
    let hasStatusLine = state.head.map { !$0.isInterim } ?? false
    // A head that did not come whole is dropped.
    let last = state.finish()
    let content = sink.finish()
    let failure = failure(reason, isFinal: isFinal, hasStatusLine: hasStatusLine)
    let spec = transfer.spec
    var outcome = TransferOutcome(
      sent: SentRequest(
        method: spec.method, url: spec.url,
        headers: state.requestHead.isEmpty
          ? spec.headers.shown : HeaderFields(requestHead: state.requestHead),
        body: source?.sentBody ?? .empty, bodySize: handle.uploadedBytes),
      response: state.head.map { response($0, content) },
      timings: timings(isOurs: failure != nil || reason.isOurs),
      remoteAddress: state.remoteAddress.isEmpty ? handle.remoteAddress : state.remoteAddress,
      state: failure.map { $0.code == .cancelled ? .cancelled : .failed } ?? .done,
      failure: failure)
    if let copy {
      outcome.savedTo = copy.finish(isFinal ? state.head : nil, isComplete: failure == nil)
      outcome.saveFailure = copy.failure
    }
    tell(last)
    return outcome
  }

  /// Where the time went. libcurl does not tell the total time of what it didn't end itself.
  private func timings(isOurs: Bool) -> Timings {
    var timings = handle.timings
    if isOurs { timings.total = max(timings.total, Clock.monotonicMicroseconds - startedAt) }
    return timings
  }

  private func response(_ head: ResponseHead, _ content: BodyContent) -> Response {
    Response(
      httpVersion: head.version, status: head.status, reason: head.reason, headers: head.headers,
      body: content, wireSize: handle.downloadedBytes, decodedSize: sink.receivedBytes,
      isTruncated: sink.isTruncated)
  }

  private func failure(_ reason: Reason, isFinal: Bool, hasStatusLine: Bool) -> Failure? {
    if case .done(CURLE_OK) = reason, let head = state.head { return refusal(head) }
    let name = Endpoint(url: transfer.spec.url)?.name ?? transfer.spec.url
    switch reason {
    case .cancelled: return Failure(.cancelled, "The request to \(name) was cancelled.")
    case .closed: return nil
    case .inactive:
      return TransferEnd.inactive(
        name, milliseconds: Int(silenceMicroseconds / 1_000),
        status: isFinal ? state.head?.status : nil)
    case .tooLong:
      return end(CURLE_OPERATION_TIMEDOUT, isFinal: isFinal, hasStatusLine: hasStatusLine).failure
    case .done where endsWithHead && isFinal: return nil
    // libcurl is content with a connection that ends within a head.
    case .done(CURLE_OK): return TransferEnd.noHead(name)
    case .done where hasTooLongHead:
      return TransferEnd.longHead(name, status: isFinal ? state.head?.status : nil)
    case .done(let code):
      if let own = source?.failure ?? sink.failure { return own }
      return end(code, isFinal: isFinal, hasStatusLine: hasStatusLine).failure
    }
  }

  /// Why a request that came back with 401 could not be signed in; `nil` for all others.
  private func refusal(_ head: ResponseHead) -> Failure? {
    let spec = transfer.spec
    guard head.status == 401, let authentication = spec.options.authentication else { return nil }
    return TransferEnd.notSignedIn(
      Endpoint(url: spec.url)?.name ?? spec.url, authentication, head.headers,
      sent: HeaderFields(requestHead: state.requestHead), hasBody: (source?.size ?? 0) > 0)
  }

  private func end(_ code: CURLcode, isFinal: Bool, hasStatusLine: Bool) -> TransferEnd {
    let endpoint = Endpoint(url: transfer.spec.url)
    let name = endpoint?.name ?? transfer.spec.url
    return TransferEnd(
      code: code, detail: handle.errorDetail, endpoint: name, host: endpoint?.host ?? name,
      options: transfer.spec.options, isConnected: !state.requestHead.isEmpty,
      hasStatusLine: hasStatusLine,
      status: isFinal ? state.head?.status : nil, receivedBytes: sink.receivedBytes,
      elapsedMilliseconds: Int((Clock.monotonicMicroseconds - startedAt) / 1_000))
  }
}
