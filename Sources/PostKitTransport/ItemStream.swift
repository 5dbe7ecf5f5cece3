// The items of a response's body while it comes in, for a reader that may be slower than the
// network (SC-31).

package import PostKitHTTP
import Synchronization

/// The lines or events of one response's body as they come in: the body of the first response of
/// a chain of hops that the reader wants. Where the reader is slow, the transfer pauses.
package final class ItemStream: Sendable {
  /// What comes in.
  package enum Event: Sendable, Hashable {
    case head(Head)
    case item(String)
  }

  /// The head of the response.
  package struct Head: Sendable, Hashable {
    package var version: String
    package var status: Int
    package var reason: String
    package var headers: HeaderFields
  }

  private struct State {
    var splitter: ItemSplitter?
    var events: [Event] = []
    /// How many of the events have been taken.
    var taken = 0
    var waiter: CheckedContinuation<Event?, Never>?
    /// The transfer that the items come from, while it runs.
    var source: (transfer: Transfer, mailbox: Mailbox)?
    var isPaused = false
    /// Whether nothing more comes.
    var isEnded = false
    /// Whether the reader wants nothing more.
    var isIgnored = false

    var waiting: Int { events.count - taken }
  }

  /// Items that may wait for the reader before the transfer pauses.
  static let mostWaiting = 64

  private let form: @Sendable (Int, HeaderFields) -> ItemForm?
  private let state = Mutex(State())

  /// Makes a stream of nothing yet. `form` says by status and headers how a body is taken apart;
  /// `nil` for a response that the reader does not want piece by piece.
  package init(_ form: @escaping @Sendable (Int, HeaderFields) -> ItemForm?) { self.form = form }

  // MARK: - The reader

  /// The next event, in order; `nil` at the end.
  package func next() async -> Event? {
    await withCheckedContinuation { continuation in
      let (event, isOver, paused) = state.withLock { state -> (Event?, Bool, Source?) in
        if state.taken < state.events.count {
          let event = state.events[state.taken]
          state.taken += 1
          if state.taken == state.events.count { (state.events, state.taken) = ([], 0) }
          return (event, false, ItemStream.resumed(&state))
        }
        if state.isEnded || state.isIgnored { return (nil, true, nil) }
        state.waiter = continuation
        return (nil, false, nil)
      }
      paused.map { _ = $0.mailbox.post(.resume($0.transfer)) }
      if event != nil || isOver { continuation.resume(returning: event) }
    }
  }

  /// Ends the response well, although more may come.
  package func close() {
    let source = state.withLock { state in
      state.isIgnored = true
      return state.source
    }
    source.map { _ = $0.mailbox.post(.close($0.transfer)) }
  }

  /// Wants no more items; the response goes on.
  package func ignore() {
    let paused = state.withLock { state -> Source? in
      state.isIgnored = true
      (state.events, state.taken) = ([], 0)
      return ItemStream.resumed(&state)
    }
    paused.map { _ = $0.mailbox.post(.resume($0.transfer)) }
  }

  /// Says that no response comes any more.
  package func finish() {
    let waiter = state.withLock { state in
      state.isEnded = true
      state.source = nil
      return state.waiter.take()
    }
    waiter?.resume(returning: nil)
  }

  private typealias Source = (transfer: Transfer, mailbox: Mailbox)

  /// The paused transfer that can go on.
  private static func resumed(_ state: inout State) -> Source? {
    guard state.isPaused, state.waiting <= mostWaiting / 2 else { return nil }
    state.isPaused = false
    return state.source
  }

  // MARK: - The loop

  /// A final head came in; whether its body is wanted.
  func begin(_ head: ResponseHead, of transfer: Transfer, _ mailbox: Mailbox) -> Bool {
    guard let form = form(head.status, head.headers) else { return false }
    let isWanted = state.withLock { state in
      guard state.splitter == nil, !state.isIgnored else { return false }
      state.splitter = ItemSplitter(form)
      state.source = (transfer, mailbox)
      return true
    }
    if isWanted {
      give([
        .head(
          Head(
            version: head.version, status: head.status, reason: head.reason,
            headers: head.headers))
      ])
    }
    return isWanted
  }

  /// Whether the body has to wait; the loop is told when it need not any longer.
  func mustWait() -> Bool {
    state.withLock { state in
      state.isPaused = state.waiting > ItemStream.mostWaiting && !state.isIgnored
      return state.isPaused
    }
  }

  /// Bytes of the body came in.
  func receive(_ bytes: UnsafeRawBufferPointer) {
    let items = state.withLock { state in
      state.isIgnored ? [] : state.splitter?.items(in: bytes) ?? []
    }
    give(items.map(Event.item))
  }

  /// The body has ended.
  func end() {
    let rest = state.withLock { state -> [String] in
      state.source = nil
      return state.isIgnored ? [] : state.splitter?.rest() ?? []
    }
    give(rest.map(Event.item))
    finish()
  }

  private func give(_ events: [Event]) {
    if events.isEmpty { return }
    let (waiter, event) = state.withLock { state in
      state.events += events
      guard let waiter = state.waiter.take() else {
        return (nil as CheckedContinuation<Event?, Never>?, nil as Event?)
      }
      let event = state.events[state.taken]
      state.taken += 1
      return (waiter, event)
    }
    waiter?.resume(returning: event)
  }
}

/// How a body is taken apart.
package enum ItemForm: Sendable, Hashable {
  /// Line by line.
  case lines
  /// The data of each event of `text/event-stream`.
  case events
}

/// Takes a body apart as it comes in.
struct ItemSplitter: Sendable {
  private let form: ItemForm
  private var line: [UInt8] = []
  private var data: [String] = []
  /// Whether the last byte was a carriage return, whose line feed may follow.
  private var followsReturn = false

  /// Bytes of an item that nothing ends.
  private static let mostBytes = 8 << 20

  /// Makes a splitter of nothing yet.
  init(_ form: ItemForm) { self.form = form }

  /// The items that bytes complete.
  mutating func items(in bytes: some Sequence<UInt8>) -> [String] {
    var found: [String] = []
    for byte in bytes {
      let isSecondHalf = byte == 0x0A && followsReturn
      followsReturn = byte == 0x0D
      if isSecondHalf { continue }
      if byte != 0x0A, byte != 0x0D {
        line.append(byte)
        if line.count < ItemSplitter.mostBytes { continue }
      }
      endLine(&found)
    }
    return found
  }

  /// What is left at the end of the body. An event that no empty line ends counts, too.
  mutating func rest() -> [String] {
    var found: [String] = []
    if !line.isEmpty { endLine(&found) }
    if form == .events, !data.isEmpty {
      found.append(data.joined(separator: "\n"))
      data = []
    }
    return found
  }

  private mutating func endLine(_ found: inout [String]) {
    let text = String(decoding: line, as: UTF8.self)
    line.removeAll(keepingCapacity: true)
    switch form {
    case .lines: found.append(text)
    case .events:
      if text.isEmpty {
        if !data.isEmpty { found.append(data.joined(separator: "\n")) }
        data = []
      } else if text == "data" {
        data.append("")
      } else if text.hasPrefix("data:") {
        let value = text.dropFirst(5)
        data.append(String(value.first == " " ? value.dropFirst() : value))
      }
    }
  }
}
