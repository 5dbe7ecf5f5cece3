// The requests that are on their way, so that they can be listed and cancelled by what a user knows
// of them.

package import JSONRPC
package import PostKitEvaluate
import PostKitSupport
package import PostKitText

/// The sends of this session that are not over.
package struct Sends: Sendable {
  /// One send.
  fileprivate struct Entry {
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

  /// How far a send is that was asked for.
  private enum Progress { case awaited, cancelled, begun }

  private var next = 0
  private var entries: [Int: Entry] = [:]
  /// How many sends were asked for. Who cancels means none that is asked for later.
  package private(set) var arrivals = 0
  /// What was asked for, by their numbers, until nobody waits for it any more.
  private var arrived: [Int: (send: ArrivedSend, progress: Progress)] = [:]
  /// The requests whose turn never came.
  private var unsent: [DocumentURI: [UnsentRequest]] = [:]
  private var hasEnded = false

  /// How many there are.
  package var count: Int { entries.count }

  /// What was asked for and has not begun.
  fileprivate var awaited: [ArrivedSend] {
    arrived.values.filter { $0.progress == .awaited }.map(\.send)
  }

  /// Forgets that requests were left behind: they are sent now.
  private mutating func takeUp(_ parts: some Sequence<Range<Int>>, of uri: DocumentURI) {
    guard unsent[uri] != nil else { return }
    let ranges = Set(parts)
    unsent[uri]?.removeAll { ranges.contains($0.range) }
    if unsent[uri]?.isEmpty == true { unsent[uri] = nil }
  }

  /// Notes that a send was asked for; until it begins it is found by what is known of it.
  package mutating func arrive(_ send: ArrivedSend) {
    arrivals = max(arrivals, send.number)
    arrived[send.number] = (send, .awaited)
  }

  /// Notes that nobody waits for a send any more.
  package mutating func giveUp(_ send: ArrivedSend) { arrived[send.number] = nil }

  /// Notes that nobody waits for the answer to a message any more.
  package mutating func giveUp(_ request: RequestID) {
    arrived = arrived.filter { $0.value.send.request != request }
  }

  /// Begins a send; whether it was cancelled before.
  fileprivate mutating func begin(
    _ uri: DocumentURI, _ range: Range<Int>, parts: [RequestPlace: Range<Int>],
    progressToken: String?, cancel: @escaping @Sendable () -> Void
  ) -> (number: Int, isCancelled: Bool) {
    defer { next += 1 }
    let current = ArrivedSend.current?.number
    let before = current.map { arrived[$0]?.progress } ?? .awaited
    // Nobody waits for one that is not known any more.
    guard let before else { return (next, false) }
    if let current { arrived[current]?.progress = .begun }
    entries[next] = Entry(
      uri: uri, range: range, progressToken: progressToken, arrivals: current ?? arrivals,
      parts: parts.mapValues { SendPart(range: $0) }, cancel: cancel)
    takeUp(parts.values, of: uri)
    return (next, before == .cancelled)
  }

  /// Notes an edit of a document, so that a send is still found at its place.
  package mutating func follow(
    _ uri: DocumentURI, from old: TextSnapshot, to new: TextSnapshot
  ) {
    let numbers = entries.filter { $0.value.uri == uri }.map(\.key)
    guard !numbers.isEmpty || unsent[uri] != nil,
      let edit = TextEdit.minimal(from: old.bytes, to: new.bytes)
    else { return }
    for number in numbers {
      guard var entry = entries[number] else { continue }
      entry.range = SendMarks.moved(entry.range, by: edit)
      entry.parts = entry.parts.mapValues { part in
        SendPart(range: SendMarks.moved(part.range, by: edit), began: part.began)
      }
      entries[number] = entry
    }
    unsent[uri] = unsent[uri]?.map { one in
      UnsentRequest(
        range: SendMarks.moved(one.range, by: edit), reason: one.reason, time: one.time)
    }
  }

  /// Forgets what was left behind in a document that is closed.
  package mutating func forgetUnsent(_ uri: DocumentURI) { unsent[uri] = nil }

  /// What is being sent in a document as it is now, and what was left behind there.
  package func marks(of uri: DocumentURI) -> SendMarks {
    SendMarks(
      parts: entries.values.filter { $0.uri == uri }.flatMap(\.parts.values),
      unsent: unsent[uri] ?? [])
  }

  /// Notes requests that wait to be sent for others.
  package mutating func add(_ parts: [RequestPlace: Range<Int>], to number: Int) {
    guard let uri = entries[number]?.uri else { return }
    entries[number]?.parts.merge(parts.mapValues { SendPart(range: $0) }) { old, _ in old }
    takeUp(parts.values, of: uri)
  }

  /// Notes that a request of a send begins.
  package mutating func begins(_ place: RequestPlace, of number: Int) {
    entries[number]?.parts[place]?.began = Clock.monotonicMicroseconds
  }

  /// Notes that a request of a send is done with.
  package mutating func isDone(_ place: RequestPlace, of number: Int) {
    entries[number]?.parts.removeValue(forKey: place)
  }

  /// Notes the id of an exchange of a send.
  package mutating func note(id: String, of number: Int) { entries[number]?.ids.append(id) }

  /// Notes the token under which its progress is shown.
  package mutating func note(progressToken: String, of number: Int) {
    entries[number]?.progressToken = progressToken
  }

  /// Notes the end of a send. Where there is a `reason`, it is that of the requests whose turn
  /// never came.
  package mutating func end(_ number: Int, leaving reason: String? = nil) {
    hasEnded = true
    guard let entry = entries.removeValue(forKey: number), let reason else { return }
    let now = Clock.wallMilliseconds
    unsent[entry.uri, default: []] += entry.parts.values
      .filter { $0.began == nil }
      .map { UnsentRequest(range: $0.range, reason: reason, time: now) }
  }

  /// Whether a send has ended since this was asked last.
  package mutating func takeEnded() -> Bool {
    defer { hasEnded = false }
    return hasEnded
  }

  /// Notes that sends are cancelled before they begin; how many those are, and what cancels those
  /// that have begun.
  fileprivate mutating func cancel(
    _ numbers: [Int], where isMeant: (Entry) -> Bool
  ) -> (count: Int, cancels: [@Sendable () -> Void]) {
    var count = 0
    for number in numbers where arrived[number]?.progress == .awaited {
      arrived[number]?.progress = .cancelled
      count += 1
    }
    return (count, entries.values.filter(isMeant).map(\.cancel))
  }
}

extension SessionState {
  /// Notes the begin of a send, all of whose `parts` wait; the number names it until its end. One
  /// that was cancelled before is cancelled now.
  package func beginSend(
    _ uri: DocumentURI, _ range: Range<Int>, parts: [RequestPlace: Range<Int>],
    progressToken: String? = nil, cancel: @escaping @Sendable () -> Void
  ) -> Int {
    let (number, isCancelled) = update {
      $0.sends.begin(uri, range, parts: parts, progressToken: progressToken, cancel: cancel)
    }
    if isCancelled { cancel() }
    return number
  }

  /// Cancels the send of an exchange; how many that were.
  package func cancelSend(id: String) -> Int { cancel { $0.ids.contains(id) } }

  /// Cancels the sends of a document, of one place or of all: of the first so many that were asked
  /// for. `isThere` says whether one that has not begun is about that place.
  package func cancelSends(
    of uri: DocumentURI, at offset: Int? = nil, among arrivals: Int = .max,
    _ isThere: (ArrivedSend) -> Bool = { _ in true }
  ) -> Int {
    cancel(orArrived: { $0.number <= arrivals && $0.uri == uri && isThere($0) }) { entry in
      guard entry.arrivals <= arrivals, entry.uri == uri else { return false }
      return offset.map { entry.range.contains($0) || $0 == entry.range.upperBound } ?? true
    }
  }

  /// Cancels the send whose progress is shown under a token.
  package func cancelSend(progressToken: String) {
    _ = cancel(orArrived: { $0.progressToken == progressToken }) {
      $0.progressToken == progressToken
    }
  }

  /// Cancels every send of the first so many that were asked for.
  package func cancelSends(among arrivals: Int = .max) -> Int {
    cancel(orArrived: { $0.number <= arrivals }) { $0.arrivals <= arrivals }
  }

  private func cancel(
    orArrived isAwaited: (ArrivedSend) -> Bool = { _ in false },
    where isMeant: (Sends.Entry) -> Bool
  ) -> Int {
    // One that begins meanwhile is among those that have begun.
    let arrived = self.sends.awaited.filter(isAwaited).map(\.number)
    let (count, cancels) = update { $0.sends.cancel(arrived, where: isMeant) }
    for cancel in cancels { cancel() }
    return cancels.count + count
  }
}
