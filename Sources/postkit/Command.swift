// The subcommands, in one table.

import PostKitHTTP
import PostKitStore
import PostKitSupport

/// A subcommand: its words, its options and what it does.
struct Command: Sendable {
  let name: Name
  /// What follows the name in the usage line.
  let operands: String
  let summary: String
  let options: [Option]
  let run: @Sendable (Invocation) async throws(Arguments.Problem) -> Int32

  /// The names of the subcommands, in the order of the help text.
  enum Name: String, CaseIterable {
    case lsp, run, auth, history, collections, cookies, session, copy, export, `import`
    case environment = "env"
    case check, format, types, describe, mock, demo, doctor, version

    /// The subcommand. The tables of the others are not made: for a short run that would be a
    /// hundredth of its time.
    var command: Command {
      switch self {
      case .lsp: .lsp
      case .run: .run
      case .auth: .auth
      case .history: .history
      case .collections: .collections
      case .cookies: .cookies
      case .session: .session
      case .copy: .copy
      case .export: .export
      case .import: .import
      case .environment: .environment
      case .check: .check
      case .format: .format
      case .types: .types
      case .describe: .describe
      case .mock: .mock
      case .demo: .demo
      case .doctor: .doctor
      case .version: .version
      }
    }
  }

  /// The option that every subcommand accepts.
  static let storeOption = Option(
    names: ["--store"], value: "DIR", help: "use DIR for the history instead of the default")

  /// Runs a command line and returns the exit code; `executor` is the one of the calling task.
  static func run(_ words: [String], on executor: SerialQueueExecutor) async -> Int32 {
    let console = Console()
    guard let name = words.first else {
      console.note(Help.overview)
      return 2
    }
    if ["help", "--help", "-h"].contains(name) {
      let topic = words.dropFirst().first.flatMap(Name.init(rawValue:))
      console.line(topic.map { Help.usage($0.command) } ?? Help.overview)
      return 0
    }
    let wanted = ["--version", "-v"].contains(name) ? Name.version : Name(rawValue: name)
    guard let command = wanted?.command else {
      console.complain("unknown subcommand `\(name)`; `postkit help` lists them")
      return 2
    }
    if words.contains("--help") || words.contains("-h") {
      console.line(Help.usage(command))
      return 0
    }
    do throws(Arguments.Problem) {
      let arguments = try Arguments(
        Array(words.dropFirst()), options: command.options + [storeOption])
      // Taken as a path, it would be the current directory.
      guard arguments.value("--store") != "" else {
        throw Arguments.Problem(message: "`--store` needs the path of a directory")
      }
      return console.exitCode(
        try await command.run(
          Invocation(arguments: arguments, console: console, executor: executor)))
    } catch {
      console.complain(error.message)
      console.note(Help.usageLine(command))
      if wanted == .run || wanted == .collections {
        ReportFile.writeAll(words, usage: error.message, console)
      }
      return 2
    }
  }
}

/// One call of a subcommand.
struct Invocation: Sendable {
  var arguments: Arguments
  let console: Console
  /// The thread on which the subcommand runs.
  let executor: SerialQueueExecutor

  /// Where the store is: `--store`, else the environment's answer.
  var storeLocation: StoreLocation {
    if let directory = arguments.value("--store") {
      return StoreLocation(directory: FileSystem.absolute(directory))
    }
    return StoreLocation(environment: { ProcessEnvironment.value($0) })
  }

  /// Opens the store for some work, closes it, and tells what its user should know of it, also
  /// when the work fails. `failing` makes a failure to open it one of the work.
  func withStore<Result, Failure>(
    _ work: (Store) async throws(Failure) -> Result, failing: (StoreFailure) -> Failure
  ) async throws(Failure) -> Result {
    let store: Store
    do throws(StoreFailure) { store = try await Store.open(storeLocation) } catch {
      throw failing(error)
    }
    let result: Swift.Result<Result, Failure>
    do throws(Failure) { result = .success(try await work(store)) } catch {
      result = .failure(error)
    }
    for notice in await store.conclude().notices { console.complain(notice.message) }
    return try result.get()
  }

  /// Opens the store for some work and closes it; answers the exit code.
  func withStore(_ work: (Store) async throws(StoreFailure) -> Int32) async -> Int32 {
    do throws(StoreFailure) {
      return try await withStore(work) { $0 }
    } catch {
      console.complain(error.message(on: .commandLine))
      return switch error {
      case .ambiguousID, .collection: 2
      default: 5
      }
    }
  }
}

/// Texts about the subcommands.
enum Help {
  /// What `postkit help` prints.
  static var overview: String {
    let list = Command.Name.allCases.map { name in
      "  \(Display.fitted(name.rawValue, 13))\(name.command.summary)"
    }
    return """
      PostKit \(Version.number): sends the requests of .http files, from your editor and from here.

      Usage: postkit SUBCOMMAND [options]

      \(list.joined(separator: "\n"))

      `postkit help SUBCOMMAND` shows its options. Begin with `postkit demo`.
      """
  }

  /// The usage line of a subcommand.
  static func usageLine(_ command: Command) -> String {
    let words = ["postkit", command.name.rawValue, command.operands].filter { !$0.isEmpty }
    return "Usage: " + words.joined(separator: " ")
  }

  /// What `postkit help SUBCOMMAND` prints.
  static func usage(_ command: Command) -> String {
    let options = (command.options + [Command.storeOption]).map { option in
      let words = option.names.joined(separator: ", ") + (option.value.map { " " + $0 } ?? "")
      return "  \(Display.fitted(words, max(28, words.count + 2)))\(option.help())"
    }
    return """
      \(usageLine(command))

      \(command.summary)

      Options:
      \(options.joined(separator: "\n"))
      """
  }
}

extension Command {
  /// Prints the version.
  static let version = Command(
    name: .version, operands: "", summary: "Prints the version.", options: []
  ) { invocation throws(Arguments.Problem) in
    try invocation.arguments.refuseOperands()
    invocation.console.line("postkit \(Version.number)")
    return 0
  }
}
