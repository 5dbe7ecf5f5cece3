// The subcommands, in one table.

import PostKitStore
import PostKitSupport

/// A subcommand: its words, its options and what it does.
struct Command: Sendable {
  let name: String
  /// What follows the name in the usage line.
  let operands: String
  let summary: String
  let options: [Option]
  let run: @Sendable (Invocation) async throws(Arguments.Problem) -> Int32

  /// All subcommands in the order of the help text.
  static let all: [Command] = [
    .lsp, .run, .history, .collections, .cookies, .session, .export, .import, .environment, .check,
    .format, .demo, .doctor, .version,
  ]

  /// The subcommand of that name. The tables of the others are not made: for a short run that would
  /// be a hundredth of its time.
  static func named(_ name: String) -> Command? {
    switch name {
    case Name.lsp: .lsp
    case Name.run: .run
    case Name.history: .history
    case Name.export: .export
    case Name.import: .import
    case Name.collections: .collections
    case Name.cookies: .cookies
    case Name.session: .session
    case Name.environment: .environment
    case Name.check: .check
    case Name.format: .format
    case Name.demo: .demo
    case Name.doctor: .doctor
    case Name.version: .version
    default: nil
    }
  }

  /// The names of the subcommands.
  enum Name {
    static let lsp = "lsp"
    static let run = "run"
    static let history = "history"
    static let export = "export"
    static let `import` = "import"
    static let collections = "collections"
    static let cookies = "cookies"
    static let session = "session"
    static let environment = "env"
    static let check = "check"
    static let format = "format"
    static let demo = "demo"
    static let doctor = "doctor"
    static let version = "version"
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
      let topic = words.dropFirst().first.flatMap(named)
      console.line(topic.map(Help.usage) ?? Help.overview)
      return 0
    }
    let wanted = ["--version", "-v"].contains(name) ? Name.version : name
    guard let command = named(wanted) else {
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
      if [Name.run, Name.collections].contains(wanted) {
        ReportFile.writeAll(words, usage: error.message, console)
      }
      return 2
    }
  }
}

/// One call of a subcommand.
struct Invocation: Sendable {
  let arguments: Arguments
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
}

extension Arguments {
  /// Refuses operands; for commands that take none.
  func refuseOperands() throws(Problem) {
    if let word = positional.first { throw Problem(message: "unexpected argument `\(word)`") }
  }
}

/// Texts about the subcommands.
enum Help {
  /// What `postkit help` prints.
  static var overview: String {
    let list = Command.all.map { "  \(Display.fitted($0.name, 13))\($0.summary)" }
    return """
      PostKit \(Version.number): sends the requests of .http files, from your editor and from here.

      Usage: postkit SUBCOMMAND [options]

      \(list.joined(separator: "\n"))

      `postkit help SUBCOMMAND` shows its options. Begin with `postkit demo`.
      """
  }

  /// The usage line of a subcommand.
  static func usageLine(_ command: Command) -> String {
    let words = ["postkit", command.name, command.operands].filter { !$0.isEmpty }
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
