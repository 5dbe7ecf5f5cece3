// A program that a test starts, talks to through pipes and ends. `Process` of Foundation is not
// used: started from several threads it crashed now and then.

import Dispatch
import Libc
import PostKitSupport

#if canImport(Testing)
  import Testing
#endif

/// A child process with a pipe for each standard stream.
package final class ChildProcess: Sendable {
  /// The number by which the system knows it; valid until its end was waited for.
  package let identifier: Int32
  private let program: String
  /// The end of the pipe to write its standard input to; closed by whoever writes.
  package let input: Int32
  /// The end of the pipe to read its standard output from; closed by whoever reads.
  package let output: Int32
  /// The end of the pipe to read its standard error from; closed by whoever reads.
  package let error: Int32
  private let home: OwnHome
  private let ended = DispatchSemaphore(value: 0)
  private let state = Monitor<Int32?>(nil)

  /// A program that could not be started.
  package struct NotStarted: Error, CustomStringConvertible {
    /// A sentence for a failed test.
    package let description: String
  }

  /// Starts a program with all signals as they are by default, and in a home of its own where the
  /// environment names that of whoever runs the tests.
  ///
  /// Errors: `NotStarted` with the reason of the system.
  package init(
    _ path: String, _ arguments: [String] = [], directory: String? = nil,
    environment: [String: String] = ProcessEnvironment.all
  ) throws {
    guard let input = Descriptors.pipe(), let output = Descriptors.pipe(),
      let error = Descriptors.pipe()
    else { throw NotStarted(description: "there are no pipes for \(path)") }
    home = try OwnHome()
    let variables = home.replacingPlaces(in: environment).map { "\($0)=\($1)" }
    let streams = [input.reader, output.writer, error.writer]
    var child: pid_t = 0
    // Not every C library shows Swift how to change the folder of a child; a shell does it.
    let words =
      directory.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0, path] } ?? [path]
    let code = ChildProcess.spawn(&child, words + arguments, variables, streams)
    for stream in streams { close(stream) }
    guard code == 0 else {
      for stream in [input.writer, output.reader, error.reader] { close(stream) }
      throw NotStarted(description: "\(path) was not started: error \(code) of the system")
    }
    let identifier = child
    self.identifier = identifier
    program = path
    self.input = input.writer
    self.output = output.reader
    self.error = error.reader
    let (state, ended) = (state, ended)
    SystemThread.start {
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      state.update { $0 = status }
      ended.signal()
    }
  }

  /// How it ended: the exit code, or 128 and the number of the signal that ended it; `nil` where it
  /// has not ended in time. That it has used the home of whoever runs the tests is an issue.
  package func waitForEnd(timeoutSeconds: Double) -> Int32? {
    let status = end(withinSeconds: timeoutSeconds)
    #if canImport(Testing)
      if let usedHome { Issue.record(usedHome) }
    #endif
    return status
  }

  /// Tells what it has made in the home of whoever runs the tests; `nil` for nothing.
  var usedHome: UsedHome? {
    let strays = home.strays
    return strays.isEmpty ? nil : UsedHome(program: program, strays: strays)
  }

  /// How it ended, as `waitForEnd` says it, whatever it has used.
  package func end(withinSeconds timeoutSeconds: Double) -> Int32? {
    guard ended.wait(timeout: .now() + timeoutSeconds) == .success else { return nil }
    ended.signal()
    guard let status = state.update({ $0 }) else { return nil }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// Sends a signal.
  package func send(signal number: Int32) { kill(identifier, number) }

  /// The next bytes of one of the pipes, as soon as there are some; none at its end.
  package static func read(_ reader: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      var length = -1
      repeat {
        length = Libc.read(reader, buffer.baseAddress, buffer.count)
      } while length < 0 && errno == EINTR
      // A read that fails ends like one at the end of the pipe.
      count = max(length, 0)
    }
  }

  private static func spawn(
    _ child: inout pid_t, _ arguments: [String], _ variables: [String], _ streams: [Int32]
  ) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    // The test ignores SIGPIPE, and its threads may block others; a child would inherit that.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let words = arguments.map { strdup($0) } + [nil]
    let settings = variables.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    return posix_spawn(&child, arguments[0], &actions, &attributes, words, settings)
  }
}
