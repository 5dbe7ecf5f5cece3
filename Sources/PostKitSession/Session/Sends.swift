// The requests that are on their way, so that they can be listed and cancelled by what a user knows
// of them.

package import JSONRPC
package import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
package import PostKitText
import Synchronization

/// The sends of this session that are not over.
package final class Sends: Sendable {
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
    /// The requests that are not done with, by their places.
    var parts: [RequestPlace: SendPart] = [:]
    var cancel: @Sendable () -> Void
  }

  private struct State {
    var next = 0
    var entries: [Int: Entry] = [:]
    /// How many were asked for.
    var arrivals = 0
    /// What was asked for and has not begun.
    var arrived: [Weak] = []
    /// The requests whose turn never came.
    var unsent: [DocumentURI: [UnsentRequest]] = [:]
    var hasEnded = false

    /// Forgets that requests were left behind: they are sent now.
    mutating func takeUp(_ ranges: Set<Range<Int>>, of uri: DocumentURI) {
      guard unsent[uri] != nil else { return }
      unsent[uri]?.removeAll { ranges.contains($0.range) }
      if unsent[uri]?.isEmpty == true { unsent[uri] = nil }
    }
  }

  private struct Weak { weak var send: ArrivedSend? }

  private let state = Mutex(State())

  /// How many there are.
  package var count: Int { state.withLock { $0.entries.count } }

  /// How many sends were asked for. Who cancels means none that is asked for later.
  package var arrivals: Int { state.withLock { $0.arrivals } }

  /// Notes that a send was asked for; until it begins it is found by what is known of it. It is
  /// forgotten with its request.
  package func arrive(_ send: ArrivedSend) {
    state.withLock { state in
      state.arrivals = max(state.arrivals, send.number)
      state.arrived.removeAll { $0.send == nil }
      state.arrived.append(Weak(send: send))
    }
  }

  /// Notes the begin of a send, all of whose `parts` wait; the number names it until `end`. One
  /// that was cancelled before is cancelled now.
  package func begin(
    _ uri: DocumentURI, _ range: Range<Int>, parts: [RequestPlace: Range<Int>],
    progressToken: String? = nil, cancel: @escaping @Sendable () -> Void
  ) -> Int {
    let (number, before) = state.withLock { state in
      defer { state.next += 1 }
      let before = ArrivedSend.current?.begin() ?? .awaited
      if before != .givenUp {
        state.entries[state.next] = Entry(
          uri: uri, range: range, progressToken: progressToken,
          arrivals: ArrivedSend.current?.number ?? state.arrivals,
          parts: parts.mapValues { SendPart(range: $0) }, cancel: cancel)
        state.takeUp(Set(parts.values), of: uri)
      }
      return (state.next, before)
    }
    if before == .cancelled { cancel() }
    return number
  }

  /// Notes that nobody waits for the answer to a message any more.
  package func giveUp(_ request: RequestID) {
    state.withLock { state in
      for arrived in state.arrived.compactMap(\.send) where arrived.request == request {
        arrived.giveUp()
      }
    }
  }

  /// Notes an edit of a document, so that a send is still found at its place.
  package func follow(_ uri: DocumentURI, from old: TextSnapshot, to new: TextSnapshot) {
    state.withLock { state in
      let numbers = state.entries.filter { $0.value.uri == uri }.map(\.key)
      guard !numbers.isEmpty || state.unsent[uri] != nil,
        let edit = TextEdit.minimal(from: old.bytes, to: new.bytes)
      else { return }
      for number in numbers {
        guard var entry = state.entries[number] else { continue }
        entry.range = SendMarks.moved(entry.range, by: edit)
        entry.parts = entry.parts.mapValues { part in
          SendPart(range: SendMarks.moved(part.range, by: edit), began: part.began)
        }
        state.entries[number] = entry
      }
      state.unsent[uri] = state.unsent[uri]?.map { one in
        UnsentRequest(
          range: SendMarks.moved(one.range, by: edit), reason: one.reason, time: one.time)
      }
    }
  }

  /// Forgets what was left behind in a document that is closed.
  package func forgetUnsent(_ uri: DocumentURI) { state.withLock { $0.unsent[uri] = nil } }

  /// What is being sent in a document as it is now, and what was left behind there.
  package func marks(of uri: DocumentURI) -> SendMarks {
    state.withLock { state in
      SendMarks(
        parts: state.entries.values.filter { $0.uri == uri }.flatMap(\.parts.values),
        unsent: state.unsent[uri] ?? [])
    }
  }

  /// Notes requests that wait to be sent for others.
  package func add(_ parts: [RequestPlace: Range<Int>], to number: Int) {
    state.withLock { state in
      guard let uri = state.entries[number]?.uri else { return }
      state.entries[number]?.parts.merge(parts.mapValues { SendPart(range: $0) }) { old, _ in old }
      state.takeUp(Set(parts.values), of: uri)
    }
  }

  /// Notes that a request of a send begins.
  package func begins(_ place: RequestPlace, of number: Int) {
    let now = Clock.monotonicMicroseconds
    state.withLock { $0.entries[number]?.parts[place]?.began = now }
  }

  /// Notes that a request of a send is done with.
  package func isDone(_ place: RequestPlace, of number: Int) {
    state.withLock { _ = $0.entries[number]?.parts.removeValue(forKey: place) }
  }

  /// Notes the id of an exchange of a send.
  package func note(id: String, of number: Int) {
    state.withLock { $0.entries[number]?.ids.append(id) }
  }

  /// Notes the token under which its progress is shown.
  package func note(progressToken: String, of number: Int) {
    state.withLock { $0.entries[number]?.progressToken = progressToken }
  }

  /// Notes the end of a send. Where there is a `reason`, it is that of the requests whose turn
  /// never came.
  package func end(_ number: Int, leaving reason: String? = nil) {
    let now = Clock.wallMilliseconds
    state.withLock { state in
      state.hasEnded = true
      guard let entry = state.entries.removeValue(forKey: number), let reason else { return }
      state.unsent[entry.uri, default: []] += entry.parts.values
        .filter { $0.began == nil }
        .map { UnsentRequest(range: $0.range, reason: reason, time: now) }
    }
  }

  /// Whether a send has ended since this was asked last.
  package func takeEnded() -> Bool {
    state.withLock { state in
      defer { state.hasEnded = false }
      return state.hasEnded
    }
  }

  /// Cancels the send of an exchange; how many that were.
  package func cancel(id: String) -> Int { cancel { $0.ids.contains(id) } }

  /// Cancels the sends of a document, of one place or of all: of the first so many that were asked
  /// for. `isThere` says whether one that has not begun is about that place.
  package func cancel(
    uri: DocumentURI, at offset: Int? = nil, among arrivals: Int = .max,
    _ isThere: (ArrivedSend) -> Bool = { _ in true }
  ) -> Int {
    cancel(orArrived: { $0.number <= arrivals && $0.uri == uri && isThere($0) }) { entry in
      guard entry.arrivals <= arrivals, entry.uri == uri else { return false }
      return offset.map { entry.range.contains($0) || $0 == entry.range.upperBound } ?? true
    }
  }

  /// Cancels the send whose progress is shown under a token.
  package func cancel(progressToken: String) {
    _ = cancel(orArrived: { $0.progressToken == progressToken }) {
      $0.progressToken == progressToken
    }
  }

  /// Cancels every send of the first so many that were asked for.
  package func cancelAll(among arrivals: Int = .max) -> Int {
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
