// What the requests of a run came to, in the same words in editors and on the command line.

package import PostKitHTTP

/// The numbers of requests by how they ended, each request counted once.
package struct RunTally: Sendable, Hashable {
  /// How one request ended.
  package enum Ending: Sendable, Hashable {
    /// It was answered, with a status below 400, and all its checks passed.
    case ok
    /// It was answered, and at least one of its checks failed.
    case failedChecks
    /// It was answered with a status from 400 on, of which this is the first digit.
    case answered(Int)
    /// There was no answer, or a script failed.
    case failed
    case cancelled
  }

  private var counts: [Ending: Int] = [:]
  /// The requests whose turn never came.
  private let notSent: Int

  /// Counts endings.
  package init(_ endings: [Ending], notSent: Int = 0) {
    for ending in endings { counts[ending, default: 0] += 1 }
    self.notSent = notSent
  }

  /// Counts the outcomes of a run.
  package init(_ outcomes: [RunOutcome], notSent: Int = 0) {
    self.init(outcomes.map(\.ending), notSent: notSent)
  }

  /// Whether every request was sent and went well.
  package var isWell: Bool { notSent == 0 && counts.keys.allSatisfy { $0 == .ok } }

  /// Such as `2 ok, 298 answered 4xx, 1 failed`.
  package var text: String {
    var parts: [String] = []
    func add(_ count: Int?, _ words: String) {
      if let count, count > 0 { parts.append("\(count) \(words)") }
    }
    add(counts[.ok], "ok")
    for digit in 4...9 { add(counts[.answered(digit)], "answered \(digit)xx") }
    add(counts[.failedChecks], "with failed tests")
    add(counts[.failed], "failed")
    add(counts[.cancelled], "cancelled")
    add(notSent, "not sent")
    return parts.isEmpty ? "0 ok" : parts.joined(separator: ", ")
  }
}

extension RunTally.Ending {
  /// The ending of a request with a status, if it was answered, and a number of failed checks;
  /// `hasFailed` where a script did.
  package init(
    _ state: ExchangeState, status: Int?, failedChecks: Int, hasFailed: Bool = false
  ) {
    switch (state, status) {
    case (.cancelled, _): self = .cancelled
    case (.failed, _), (.done, nil): self = .failed
    case (.done, _?) where hasFailed: self = .failed
    case (.done, let status?):
      self = failedChecks > 0 ? .failedChecks : status < 400 ? .ok : .answered(min(status / 100, 9))
    }
  }
}

extension RunOutcome {
  /// How it ended, for people.
  package var ending: RunTally.Ending {
    let tests = masked?.tests ?? []
    let failed = tests.count { !$0.passed }
    return RunTally.Ending(
      state, status: masked?.response?.status, failedChecks: failed, hasFailed: failure != nil)
  }
}
