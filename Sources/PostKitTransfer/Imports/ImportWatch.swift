// Who waits for an import: whether it is to end early, and how far it is.

import PostKitSupport

/// What an import asks and tells while it goes on, on the thread that it has.
package struct ImportWatch {
  /// Requests or files between two words of how far it is.
  static let step = 250

  /// Whether it is to end, asked between two steps.
  let isStopped: () -> Bool
  /// Told how far it is, in words for a line that is overwritten.
  let report: (String) -> Void

  /// Makes a watch; without arguments nobody waits.
  package init(
    isStopped: @escaping () -> Bool = { false }, report: @escaping (String) -> Void = { _ in }
  ) {
    (self.isStopped, self.report) = (isStopped, report)
  }

  /// Tells a number of things that are done every now and then: `done` of them after the last one.
  func tell(_ done: Int, after before: Int, of total: Int, _ words: String) {
    if before / Self.step != done / Self.step { report("\(done) of \(total) \(words)") }
  }
}

extension ImportWatch {
  /// Does an import's work on a thread of its own, which a cancelled task ends early. `report` is
  /// told how far it is.
  package static func perform<Value: Sendable>(
    report: @escaping @Sendable (String) -> Void,
    _ work: @escaping @Sendable (ImportWatch) -> Value
  ) async -> Value {
    let isStopped = Monitor(false)
    return await withTaskCancellationHandler {
      await SerialQueueExecutor().perform {
        work(ImportWatch(isStopped: { isStopped.update { $0 } }, report: report))
      }
    } onCancel: {
      isStopped.update { $0 = true }
    }
  }
}
