// Reports what must never happen: developers notice at once, users keep their work.

import Synchronization

/// How reports of impossible states are treated.
package enum Bug {
  /// Receives reports instead of the trap, for tests of code that survives its own mistakes.
  @TaskLocal package static var recorder: (@Sendable (String) -> Void)?

  /// Runs an operation and collects the bugs it reports, so that a test can look at them.
  package static func recorded<Value>(
    during operation: () throws -> Value
  ) rethrows -> (value: Value, reports: [String]) {
    let reports = Reports()
    let value = try $recorder.withValue({ reports.add($0) }, operation: operation)
    return (value, reports.all)
  }

  /// Collects reports from any thread.
  private final class Reports: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func add(_ report: String) { list.withLock { $0.append(report) } }
  }
}

/// Reports our own mistake: traps in debug builds, logs and goes on in release builds.
package func bug(_ message: String, file: StaticString = #fileID, line: UInt = #line) {
  let report = "\(message) (\(file):\(line))"
  if let recorder = Bug.recorder {
    recorder(report)
    return
  }
  Log.error("this is a bug in PostKit, please report it: \(report)")
  assertionFailure(message)
}
