// Runs a program to its end for a test, never longer than its time limit.

import Dispatch
import Libc
import PostKitSupport

/// What a program left behind.
package struct SubprocessResult: Sendable {
  /// The exit code; for a program ended by a signal, 128 and the signal's number.
  package let status: Int32
  /// All bytes of standard output.
  package let standardOutput: [UInt8]
  /// All bytes of standard error.
  package let standardError: [UInt8]
  /// Whether the time limit was reached and the program killed.
  package let isTimedOut: Bool

  /// Standard output as text.
  package var output: String { String(decoding: standardOutput, as: UTF8.self) }

  /// Standard error as text.
  package var errorOutput: String { String(decoding: standardError, as: UTF8.self) }
}

/// Runs programs.
package enum Subprocess {
  /// The absolute path of a program in `PATH`; `nil` where there is none.
  package static func find(_ name: String) -> String? {
    if name.contains("/") { return isExecutable(name) ? name : nil }
    let directories = (ProcessEnvironment.value("PATH") ?? "").split(separator: ":")
    return directories.map { FilePath.join(String($0), name) }.first(where: isExecutable)
  }

  /// Runs a program and waits for its end on a thread of our own. `environment` is added to that of
  /// the test; a value of `nil` removes a variable. A program that has used the home of whoever
  /// runs the tests is an error, `UsedHome`.
  package static func run(
    _ program: String, _ arguments: [String] = [], input: [UInt8] = [], directory: String? = nil,
    environment: [String: String?] = [:], timeoutSeconds: Double = 180
  ) async throws -> SubprocessResult {
    guard let path = find(program) else { throw NotFound(program: program) }
    let variables = ProcessEnvironment.all.merging(environment.compactMapValues { $0 }) { $1 }
      .filter { name, _ in environment[name].map { $0 != nil } ?? true }
    return try await SerialQueueExecutor().perform {
      try wait(path, arguments, input, directory, variables, timeoutSeconds)
    }
  }

  /// A program that isn't installed.
  package struct NotFound: Error, CustomStringConvertible {
    /// The program as it was asked for.
    package let program: String
    /// A sentence for a failed test.
    package var description: String { "\(program) was not found" }
  }

  private static func isExecutable(_ path: String) -> Bool {
    FileSystem.isRegularFile(path) && access(path, X_OK) == 0
  }

  private static func wait(
    _ path: String, _ arguments: [String], _ input: [UInt8], _ directory: String?,
    _ environment: [String: String], _ timeoutSeconds: Double
  ) throws -> SubprocessResult {
    signal(SIGPIPE, SIG_IGN)
    let process = try ChildProcess(
      path, arguments, directory: directory, environment: environment)
    let output = Collector(process.output)
    let error = Collector(process.error)
    let writer = process.input
    SystemThread.start {
      // A program that has ended closed its side already.
      _ = input.withUnsafeBytes { StandardStream.writeAll($0, to: writer) }
      close(writer)
    }
    var status = process.end(withinSeconds: timeoutSeconds)
    let isTimedOut = status == nil
    if isTimedOut {
      process.send(signal: SIGKILL)
      status = process.end(withinSeconds: 60)
    }
    if let usedHome = process.usedHome { throw usedHome }
    return SubprocessResult(
      status: status ?? -1, standardOutput: output.finish(), standardError: error.finish(),
      isTimedOut: isTimedOut)
  }

  /// Reads one pipe to its end on a thread of its own.
  private final class Collector: Sendable {
    private let state = Monitor<(bytes: [UInt8], isDone: Bool)>(([], false))

    init(_ reader: Int32) {
      let state = state
      SystemThread.start {
        while case let bytes = ChildProcess.read(reader), !bytes.isEmpty {
          state.update { $0.bytes.append(contentsOf: bytes) }
        }
        close(reader)
        state.update { $0.isDone = true }
      }
    }

    /// What was read; a grandchild that keeps the pipe open is waited for at most five seconds.
    func finish() -> [UInt8] {
      let state = state
      let done = DispatchSemaphore(value: 0)
      SystemThread.start {
        state.wait { $0.isDone ? () : nil }
        done.signal()
      }
      _ = done.wait(timeout: .now() + 5)
      return state.update { $0.bytes }
    }
  }
}
