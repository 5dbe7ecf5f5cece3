// Starts the program again as its script engine.

import Libc
import PostKitSupport

/// How a child is started.
struct ChildStart: Sendable {
  /// The program's path.
  let program: String
  /// Other variables of its environment, for tests.
  let variables: [String: String]

  /// The running program itself, also where its file was replaced.
  static var ownProgram: String {
    #if canImport(Darwin)
      var size = UInt32(PATH_MAX)
      var path = [CChar](repeating: 0, count: Int(size))
      guard _NSGetExecutablePath(&path, &size) == 0 else { return "" }
      return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #else
      "/proc/self/exe"
    #endif
  }

  /// The only variables that a child has: nothing of the user's environment is among them.
  private var environment: [String: String] {
    var result = ["LANG": "C.UTF-8", "JSC_useJIT": "0"]
    result["TZ"] = ProcessEnvironment.value("TZ")
    let library = "POSTKIT_JAVASCRIPT_LIBRARY"
    result[library] = ProcessEnvironment.value(library)
    return result.merging(variables) { $1 }
  }

  /// A child with its three pipes.
  struct Started: Sendable {
    let process: Int32
    /// Ends of pipes: to write to its standard input, to read its output and its error.
    let input: Int32
    let output: Int32
    let error: Int32
  }

  /// Starts a child; the system's reason where that fails. The child ends with the calling thread.
  func start() -> Result<Started, ScriptEngineFailure> {
    guard let input = Descriptors.pipe() else { return Self.failed("there are no pipes") }
    guard let output = Descriptors.pipe() else {
      Self.close([input.reader, input.writer])
      return Self.failed("there are no pipes")
    }
    guard let error = Descriptors.pipe() else {
      Self.close([input.reader, input.writer, output.reader, output.writer])
      return Self.failed("there are no pipes")
    }
    let theirs = [input.reader, output.writer, error.writer]
    let ours = [input.writer, output.reader, error.reader]
    let start = ProgramStart(
      program, ["postkit", "__script-host"], environment: environment, streams: theirs)
    let begun = start.begin()
    Self.close(theirs)
    switch begun {
    case .success(let child):
      for end in ours { _ = Descriptors.setNonBlocking(end) }
      return .success(Started(process: child, input: ours[0], output: ours[1], error: ours[2]))
    case .failure(let failure):
      Self.close(ours)
      return Self.failed(failure.reason)
    }
  }

  private static func close(_ descriptors: [Int32]) {
    for descriptor in descriptors { Libc.close(descriptor) }
  }

  private static func failed(_ reason: String) -> Result<Started, ScriptEngineFailure> {
    .failure(.broken("The script engine can't be started: \(reason)."))
  }
}
