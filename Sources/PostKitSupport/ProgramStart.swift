// Starts other programs, by their arguments and never by a shell.

import Libc

/// How a program is started: with streams of the caller's, and with none of the signals that this
/// process ignores or blocks.
package struct ProgramStart: Sendable {
  /// Why a program did not start.
  package struct Failed: Error {
    /// The system's words.
    package let reason: String
  }

  private let path: String
  private let words: [String]
  private let environment: [String: String]
  private let streams: [Int32]
  private let isApart: Bool

  /// Makes an order; `words` begins with the program's name. A program that is apart has a process
  /// group of its own, so that Ctrl-C means this program alone.
  package init(
    _ path: String, _ words: [String], environment: [String: String], streams: [Int32],
    isApart: Bool = false
  ) {
    self.path = path
    self.words = words
    self.environment = environment
    self.streams = streams
    self.isApart = isApart
  }

  /// Starts it, and gives its process, whose end is the caller's to wait for.
  package func begin() -> Result<Int32, Failed> {
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
    // What this program ignores or blocks, a child would ignore or block as well.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
    if isApart {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int16(POSIX_SPAWN_SETPGROUP)
    }
    posix_spawnattr_setflags(&attributes, flags)
    let arguments = words.map { strdup($0) } + [nil]
    let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + settings { free(text) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, &attributes, arguments, settings)
    if code == 0 { return .success(child) }
    return .failure(Failed(reason: strerror(code).map { String(cString: $0) } ?? "error \(code)"))
  }

  /// Starts a program that goes on by itself: nothing reads what it prints, and nobody waits for
  /// it. Answers whether it was started.
  package static func detached(_ path: String, _ arguments: [String]) -> Bool {
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { return false }
    defer { close(nothing) }
    let start = ProgramStart(
      path, [path] + arguments, environment: ProcessEnvironment.all,
      streams: [nothing, nothing, nothing], isApart: true)
    guard case .success(let child) = start.begin() else { return false }
    // Without anybody who takes its end, it would stay in the list of processes.
    SystemThread.start {
      while waitpid(child, nil, 0) < 0 && errno == EINTR {}
    }
    return true
  }

  /// The path of a program in the absolute folders of `PATH`; `nil` where there is none.
  package static func find(_ name: String) -> String? {
    for folder in (ProcessEnvironment.value("PATH") ?? "").split(separator: ":")
    where folder.hasPrefix("/") {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0 { return path }
    }
    return nil
  }
}
