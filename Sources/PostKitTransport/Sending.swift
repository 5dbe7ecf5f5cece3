// One send, from before it begins to its outcome.

import PostKitHTTP
import PostKitSupport
import Synchronization

/// A send that is to begin, is under way or has ended.
package struct Sending: Sendable {
  let transfer: Transfer
  let mailbox: Mailbox

  /// When it began, in milliseconds since 1970-01-01T00:00:00Z; `nil` before.
  package var startedAt: Int64? { transfer.startedAt }

  /// Begins, unless that has happened.
  package func begin() {
    if transfer.claim(), !mailbox.post(.start(transfer)) {
      transfer.end(transfer.refused(closedFailure))
    }
  }

  /// Lets another send begin as soon as this one is answered, before anybody has heard of the
  /// answer. It is left to others to begin where this one fails, is cancelled or redirected.
  package func isFollowed(by next: Sending) {
    if transfer.follow(with: next.transfer) { next.begin() }
  }

  /// Begins, unless that has happened, and waits for the end; to be called once.
  package func outcome() async -> TransferOutcome {
    await withTaskCancellationHandler {
      begin()
      return await withCheckedContinuation { transfer.wait($0) }
    } onCancel: {
      // The mark is for a start that is still in the mailbox or not even there; the command, for a
      // transfer that runs. After the end both mean nothing.
      transfer.cancel()
      _ = mailbox.post(.cancel(transfer))
    }
  }

  private var closedFailure: Failure {
    if case .failure(let failure) = CurlLibrary.shared { return failure }
    return Failure(.cancelled, "PostKit is shutting down and sends nothing more.")
  }
}

/// One send, as the task that waits and the loop both see it.
final class Transfer: Sendable {
  /// Who waits for whom.
  private struct State {
    /// Set at the end, unless somebody waited for it.
    var outcome: TransferOutcome?
    var waiter: CheckedContinuation<TransferOutcome, Never>?
    var successor: Transfer?
    /// Whether it has ended so well that another may follow at once.
    var isAnswered = false
  }

  let spec: RequestSpec
  let jar: CookieJar?
  let saves: SaveOrder?
  let configuration: TransportConfiguration
  /// Whether the bytes of the body are told as they come in.
  let tellsBody: Bool
  /// Whoever reads the body item by item while it comes in.
  let items: ItemStream?
  let onEvent: (@Sendable (TransferEvent) -> Void)?
  private let cancelled = Atomic(false)
  private let began = Atomic(Int64(0))
  private let state = Mutex(State())

  init(
    _ spec: RequestSpec, _ jar: CookieJar?, _ saves: SaveOrder?,
    _ configuration: TransportConfiguration, tellsBody: Bool, items: ItemStream?,
    _ onEvent: (@Sendable (TransferEvent) -> Void)?
  ) {
    self.spec = spec
    self.jar = jar
    self.saves = saves
    self.configuration = configuration
    self.tellsBody = tellsBody
    self.items = items
    self.onEvent = onEvent
  }

  /// When it was begun, in milliseconds since 1970; `nil` before.
  var startedAt: Int64? {
    let time = began.load(ordering: .acquiring)
    return time == 0 ? nil : time
  }

  /// Whether it is the caller who begins it: only the first one does.
  func claim() -> Bool {
    guard began.load(ordering: .relaxed) == 0 else { return false }
    return began.compareExchange(
      expected: 0, desired: Clock.wallMilliseconds, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Whether the task was cancelled.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Marks the transfer, so that it isn't started.
  func cancel() { cancelled.store(true, ordering: .releasing) }

  /// Names the transfer that comes after this one; answers whether it may begin already.
  func follow(with next: Transfer) -> Bool {
    state.withLock { state in
      if !state.isAnswered { state.successor = next }
      return state.isAnswered
    }
  }

  /// The transfer to begin now that this one has ended; `nil` where there is none, or others must
  /// look at the outcome first.
  func successor(after outcome: TransferOutcome) -> Transfer? {
    guard !isCancelled, outcome.state == .done, outcome.saveFailure == nil,
      let status = outcome.response?.status, !(300..<400).contains(status)
    else { return nil }
    let next = state.withLock { state in
      state.isAnswered = true
      return state.successor.take()
    }
    return next.flatMap { $0.claim() ? $0 : nil }
  }

  /// Notes the outcome.
  func end(_ outcome: TransferOutcome) {
    let waiter = state.withLock { state in
      state.successor = nil
      if state.waiter == nil { state.outcome = outcome }
      return state.waiter.take()
    }
    waiter?.resume(returning: outcome)
  }

  /// Resumes a continuation with the outcome, as soon as there is one.
  func wait(_ waiter: CheckedContinuation<TransferOutcome, Never>) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.waiter = waiter }
      return state.outcome.take()
    }
    if let outcome { waiter.resume(returning: outcome) }
  }

  /// The outcome where nothing was sent.
  func refused(_ failure: Failure) -> TransferOutcome {
    TransferOutcome(
      sent: SentRequest(method: spec.method, url: spec.url, headers: spec.headers.shown),
      state: failure.code == .cancelled ? .cancelled : .failed, failure: failure)
  }

  /// The outcome of a transfer that was cancelled before libcurl knew of it.
  var cancelledBeforeStart: TransferOutcome {
    refused(Failure(.cancelled, "The request to \(spec.url) was cancelled before it was sent."))
  }
}
