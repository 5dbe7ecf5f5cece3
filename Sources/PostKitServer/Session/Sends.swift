// The requests that are on their way, so that they can be listed and cancelled by what a user knows
// of them.

import JSONRPC
import PostKitHTTP
import PostKitText
import Synchronization

/// The sends of this session that are not over.
final class Sends: Sendable {
  /// One send.
  private struct Entry {
    var uri: DocumentURI
    /// The bytes of what is sent in the document as it is now.
    var range: Range<Int>
    /// The ids of its exchanges so far; the last is under way.
    var ids: [String] = []
    var progressToken: String?
    /// How many sends had been asked for with it.
    var arrivals: Int
    var cancel: @Sendable () -> Void
  }

  private struct State {
    var next = 0
    var entries: [Int: Entry] = [:]
    /// How many were asked for.
    var arrivals = 0
    /// What was asked for and has not begun.
    var arrived: [Weak] = []
    var hasEnded = false
  }

  private struct Weak { weak var send: ArrivedSend? }

  private let state = Mutex(State())

  /// How many there are.
  var count: Int { state.withLock { $0.entries.count } }

  /// How many sends were asked for. Who cancels means none that is asked for later.
  var arrivals: Int { state.withLock { $0.arrivals } }

  /// Notes that a send was asked for; until it begins it is found by what is known of it. It is
  /// forgotten with its request.
  func arrive(_ send: ArrivedSend) {
    state.withLock { state in
      state.arrivals = max(state.arrivals, send.number)
      state.arrived.removeAll { $0.send == nil }
      state.arrived.append(Weak(send: send))
    }
  }

  /// Notes the begin of a send; the number names it until `end`. One that was cancelled before is
  /// cancelled now.
  func begin(
    _ uri: DocumentURI, _ range: Range<Int>, progressToken: String? = nil,
    cancel: @escaping @Sendable () -> Void
  ) -> Int {
    let (number, before) = state.withLock { state in
      defer { state.next += 1 }
      let before = ArrivedSend.current?.begin() ?? .awaited
      if before != .givenUp {
        state.entries[state.next] = Entry(
          uri: uri, range: range, progressToken: progressToken,
          arrivals: ArrivedSend.current?.number ?? state.arrivals, cancel: cancel)
      }
      return (state.next, before)
    }
    if before == .cancelled { cancel() }
    return number
  }

  /// Notes that nobody waits for the answer to a message any more.
  func giveUp(_ request: RequestID) {
    state.withLock { state in
      for arrived in state.arrived.compactMap(\.send) where arrived.request == request {
        arrived.giveUp()
      }
    }
  }

  /// Notes an edit of a document, so that a send is still found at its place.
  func follow(_ uri: DocumentURI, from old: TextSnapshot, to new: TextSnapshot) {
    state.withLock { state in
      let numbers = state.entries.filter { $0.value.uri == uri }.map(\.key)
      guard !numbers.isEmpty, let edit = TextEdit.minimal(from: old.bytes, to: new.bytes) else {
        return
      }
      for number in numbers {
        guard let range = state.entries[number]?.range else { continue }
        let start = edit.moved(range.lowerBound)
        state.entries[number]?.range = start..<max(start, edit.moved(range.upperBound))
      }
    }
  }

  /// Where in a document as it is now something is being sent.
  func ranges(of uri: DocumentURI) -> [Range<Int>] {
    state.withLock { $0.entries.values.filter { $0.uri == uri }.map(\.range) }
  }

  /// Notes the id of an exchange of a send.
  func note(id: String, of number: Int) {
    state.withLock { $0.entries[number]?.ids.append(id) }
  }

  /// Notes the token under which its progress is shown.
  func note(progressToken: String, of number: Int) {
    state.withLock { $0.entries[number]?.progressToken = progressToken }
  }

  /// Notes the end of a send.
  func end(_ number: Int) {
    state.withLock { state in
      state.entries[number] = nil
      state.hasEnded = true
    }
  }

  /// Whether a send has ended since this was asked last.
  func takeEnded() -> Bool {
    state.withLock { state in
      defer { state.hasEnded = false }
      return state.hasEnded
    }
  }

  /// Cancels the send of an exchange; how many that were.
  func cancel(id: String) -> Int { cancel { $0.ids.contains(id) } }

  /// Cancels the sends of a document, of one place or of all: of the first so many that were asked
  /// for. `isThere` says whether one that has not begun is about that place.
  func cancel(
    uri: DocumentURI, at offset: Int? = nil, among arrivals: Int = .max,
    _ isThere: (ArrivedSend) -> Bool = { _ in true }
  ) -> Int {
    cancel(orArrived: { $0.number <= arrivals && $0.uri == uri && isThere($0) }) { entry in
      guard entry.arrivals <= arrivals, entry.uri == uri else { return false }
      return offset.map { entry.range.contains($0) || $0 == entry.range.upperBound } ?? true
    }
  }

  /// Cancels the send whose progress is shown under a token.
  func cancel(progressToken: String) {
    _ = cancel(orArrived: { $0.progressToken == progressToken }) {
      $0.progressToken == progressToken
    }
  }

  /// Cancels every send of the first so many that were asked for.
  func cancelAll(among arrivals: Int = .max) -> Int {
    cancel(orArrived: { $0.number <= arrivals }) { $0.arrivals <= arrivals }
  }

  private func cancel(
    orArrived isAwaited: (ArrivedSend) -> Bool = { _ in false }, where isMeant: (Entry) -> Bool
  ) -> Int {
    let (cancels, awaited) = state.withLock { state in
      let arrived = state.arrived.compactMap(\.send).filter(isAwaited)
      return (
        state.entries.values.filter(isMeant).map(\.cancel), arrived.count { $0.cancel() }
      )
    }
    for cancel in cancels { cancel() }
    return cancels.count + awaited
  }
}
