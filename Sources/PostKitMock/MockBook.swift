// All recordings that a mock has, found by method and path.

import PostKitHTTP

/// The recordings of a mock. A value: who serves it keeps count of what was served.
package struct MockBook: Sendable {
  /// What a request comes to.
  package enum Choice: Sendable {
    /// Recordings that answer it equally well, in the order in which they were recorded; the last
    /// is the newest.
    case found([Int])
    /// Nothing answers it; the nearest recordings with the reason why each does not.
    case missing([(recording: MockRecording, reason: String)])
  }

  private struct Key: Hashable {
    let method: String
    let path: [String]
  }

  /// The recordings, those of earlier sources first.
  package let recordings: [MockRecording]
  private var literals: [Key: [Int]] = [:]
  /// What was recorded of things with ids, by what is left of their paths without these.
  private var kinds: [Key: [Int]] = [:]
  private var templates: [String: [Int]] = [:]
  /// The names of fields that must be equal (`--match-header`).
  private let matchedHeaders: [String]

  /// How many recordings a refusal names.
  private static let nearestCount = 3

  /// Makes a book.
  package init(_ recordings: [MockRecording], matchingHeaders: [String] = []) {
    self.recordings = recordings
    matchedHeaders = matchingHeaders
    for (index, recording) in recordings.enumerated() {
      var path: [String] = []
      for case .literal(let text) in recording.path { path.append(text) }
      if path.count == recording.path.count {
        literals[Key(method: recording.method, path: path), default: []].append(index)
        if recording.recordedAt != 0, let kind = Self.kind(path) {
          kinds[Key(method: recording.method, path: kind), default: []].append(index)
        }
      } else {
        templates[recording.method, default: []].append(index)
      }
    }
  }

  /// The recordings that answer a request best.
  package func choose(_ request: MockRequest) -> Choice {
    var (candidates, isVery) = fitting(request, method: request.method)
    // An answer to GET is one to HEAD, too (RFC 9110, section 9.3.2).
    if candidates.isEmpty, request.method == "HEAD" {
      (candidates, isVery) = fitting(request, method: "GET")
    }
    let wish = MockWish(request.headers)
    let wanted = candidates.filter { index in
      wish.accepts(recordings[index]) && hasMatchedHeaders(recordings[index], request)
    }
    let body = MockRequestBody(request.body)
    // Earlier sources win, whatever later ones have.
    for rank in Set(wanted.map { recordings[$0].rank }).sorted() {
      let scored = wanted.compactMap { index -> (index: Int, score: MockScore)? in
        let recording = recordings[index]
        guard recording.rank == rank, let score = recording.score(request, body) else { return nil }
        return (index, score)
      }
      guard let best = scored.map(\.score).max() else { continue }
      let found = inOrder(scored.filter { $0.score == best }.map(\.index))
      let newest = found[found.count - 1]
      if takesTurns(best, recordings[newest], isVery) { return .found(found) }
      // That one thing was not found, or was refused, says nothing of another of its kind.
      let good = isVery ? nil : found.last { recordings[$0].status < 400 }
      return .found([good ?? newest])
    }
    return .missing(nearest(request, wish))
  }

  /// Whether recordings of a score answered the very request, so that they follow each other. What
  /// was not recorded is for whoever serves it to choose from.
  private func takesTurns(_ score: MockScore, _ newest: MockRecording, _ isVery: Bool) -> Bool {
    newest.recordedAt == 0
      || isVery && score.query == 3 && (score.body == 3 || newest.requestBody == nil)
  }

  /// Pinned ones alone where there are some, in the order in which they were recorded.
  private func inOrder(_ indexes: [Int]) -> [Int] {
    let pinned = indexes.filter { recordings[$0].isPinned }
    // What is no recording has its order in its file: the first is the one that is meant.
    return (pinned.isEmpty ? indexes : pinned).sorted {
      let (left, right) = (recordings[$0], recordings[$1])
      return left.recordedAt == right.recordedAt ? $0 < $1 : left.recordedAt < right.recordedAt
    }
  }

  /// Those whose path is the very one of the request; where none is, those of the path with most
  /// text: templates, and what was recorded of other things of the kind, as `/orders/17` is for
  /// `/orders/18` (IO-44).
  private func fitting(
    _ request: MockRequest, method: String
  ) -> (recordings: [Int], isVery: Bool) {
    let exact = literals[Key(method: method, path: request.path)] ?? []
    if !exact.isEmpty { return (exact, true) }
    let kind = Self.kind(request.path).map { Key(method: method, path: $0) }
    let others = (templates[method] ?? []) + (kind.flatMap { kinds[$0] } ?? [])
    let found = others.compactMap { index in
      recordings[index].fits(request.path).map { (index: index, literals: $0) }
    }
    let most = found.map(\.literals).max()
    return (found.filter { $0.literals == most }.map(\.index), false)
  }

  /// A path with nothing in the place of its ids; `nil` without one.
  private static func kind(_ path: [String]) -> [String]? {
    let kind = path.map { IdentifierText.isLikely($0) ? "" : $0 }
    return kind == path ? nil : kind
  }

  private func hasMatchedHeaders(_ recording: MockRecording, _ request: MockRequest) -> Bool {
    matchedHeaders.allSatisfy {
      recording.requestHeaders.values($0) == request.headers.values($0)
    }
  }

  // MARK: What does not answer

  private func nearest(
    _ request: MockRequest, _ wish: MockWish
  ) -> [(recording: MockRecording, reason: String)] {
    var seen: Set<String> = []
    let misses = recordings.map { recording -> (MockRecording, MockMiss, Int) in
      (recording, miss(recording, request, wish), distance(recording, request))
    }
    return misses.sorted { ($0.1, $0.2) < ($1.1, $1.2) }
      .filter { seen.insert("\($0.0.method) \($0.0.shownPath) \($0.1)").inserted }
      .prefix(Self.nearestCount).map { ($0.0, $0.1.reason) }
  }

  private func miss(
    _ recording: MockRecording, _ request: MockRequest, _ wish: MockWish
  ) -> MockMiss {
    if recording.fits(request.path) == nil { return .path }
    if recording.method != request.method { return .method }
    if !wish.accepts(recording) { return .example }
    return hasMatchedHeaders(recording, request) ? .query : .header
  }

  /// How many segments of the paths differ, and one more where the method does.
  private func distance(_ recording: MockRecording, _ request: MockRequest) -> Int {
    let differing = zip(recording.path, request.path).count { mine, theirs in
      if case .literal(let text) = mine { text != theirs } else { false }
    }
    let length = abs(recording.path.count - request.path.count)
    return 2 * (differing + length) + (recording.method == request.method ? 0 : 1)
  }
}
