// The requests that are on their way, so that they can be listed and cancelled by what a user knows
// of them.

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
    var cancel: @Sendable () -> Void
  }

  private struct State {
    var next = 0
    var entries: [Int: Entry] = [:]
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// How many there are.
  var count: Int { state.withLock { $0.entries.count } }

  /// Notes the begin of a send; the number names it until `end`.
  func begin(
    _ uri: DocumentURI, _ range: Range<Int>, cancel: @escaping @Sendable () -> Void
  ) -> Int {
    state.withLock { state in
      defer { state.next += 1 }
      state.entries[state.next] = Entry(uri: uri, range: range, cancel: cancel)
      return state.next
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

  /// Cancels the sends of a document, of one place or of all.
  func cancel(uri: DocumentURI, at offset: Int?) -> Int {
    cancel { entry in
      guard entry.uri == uri else { return false }
      return offset.map { entry.range.contains($0) || $0 == entry.range.upperBound } ?? true
    }
  }

  /// Cancels the send whose progress is shown under a token.
  func cancel(progressToken: String) { _ = cancel { $0.progressToken == progressToken } }

  /// Cancels every send.
  func cancelAll() -> Int { cancel { _ in true } }

  private func cancel(where isMeant: (Entry) -> Bool) -> Int {
    let cancels = state.withLock { $0.entries.values.filter(isMeant).map(\.cancel) }
    for cancel in cancels { cancel() }
    return cancels.count
  }
}
