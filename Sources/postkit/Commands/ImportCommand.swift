// One call of `postkit import`: which of its two ways is meant, and what is told of the result.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitTransfer

/// One call of `postkit import`.
struct ImportCommand: Sendable {
  private let invocation: Invocation

  private var console: Console { invocation.console }
  private var arguments: Arguments { invocation.arguments }

  /// Takes up a call.
  init(_ invocation: Invocation) { self.invocation = invocation }

  /// The formats of other tools, such as "postman, openapi".
  static var titles: String { OriginImport.formats.joined(separator: ", ") }

  private static var allFormats: [String] {
    [Importers.anyFormat] + OriginImport.formats + Importers.all.map { $0.format }
  }

  /// What can be chosen.
  static var options: [Option] {
    [
      Option(
        names: ["--to"], value: "FOLDER",
        help: "write request files to this folder, without SOURCE those of what it was made of; "
          + "without it, to one named after the collection"),
      Option(names: ["--collection"], value: nil, help: "put a collection into the store instead"),
      Option(
        names: ["--from"], value: "FORMAT",
        help: "the format of the source: \(allFormats.joined(separator: ", "))"),
      Option(names: ["--name"], value: "NAME", help: "the name of the collection"),
      Option(
        names: ["--layout"], value: "WHAT",
        help: "folder, request or file: a file for each folder (default), each request, or all"),
      Option(
        names: ["--env"], value: "NAME", help: "take this environment only; repeatable",
        isRepeatable: true),
      Option(
        names: ["--tag"], value: "TAG", help: "take the operations of this tag only; repeatable",
        isRepeatable: true),
      Option(
        names: ["--types"], value: "LIST",
        help: "take these kinds of a capture's requests, such as xhr,fetch,document"),
      Option(names: ["--base"], value: "URL", help: "the URL that relative servers are joined to"),
      Option(
        names: ["--root"], value: "DIR",
        help: "read files that the source names in this folder; default is the source's own"),
      Option(
        names: ["--fetch"], value: nil,
        help: "fetch a source that is a URL, and what descriptions name by URLs"),
      Option(names: ["--no-private"], value: nil, help: "write no values of secrets"),
      Option(names: ["--examples"], value: nil, help: "take the answers of a capture as examples"),
      Option(names: ["--no-examples"], value: nil, help: "write no recorded answers"),
      Option(
        names: ["--on-conflict"], value: "WHOSE",
        help: "mine (default), theirs or stop, where you and the source have changed the same"),
      Option(names: ["--dry-run"], value: nil, help: "write nothing, and list what would change"),
      Option(
        names: ["--check"], value: nil,
        help: "the same, with exit code 1 where something would change"),
      Option(
        names: ["--force"], value: nil,
        help: "write beside what is in the folder; of a collection of request files, update an "
          + "earlier import (what has gone from the source stays, and is counted)"),
      Option(
        names: ["--report"], value: "KIND=PATH", help: "write what was done and told: json=PATH"),
    ]
  }

  /// Imports and answers the exit code. Whoever waits for a report gets one.
  func execute() async throws(Arguments.Problem) -> Int32 {
    let report = try reportPath()
    do throws(Arguments.Problem) {
      return try await run(report)
    } catch {
      var failed = ImportReport(sources: arguments.positional.map(OriginCredentials.without))
      failed.error = .usage
      _ = write(failed, to: report)
      throw error
    }
  }

  private func run(_ report: String?) async throws(Arguments.Problem) -> Int32 {
    if arguments.has("--to"), arguments.has("--collection") {
      throw Arguments.Problem(message: "`--to` and `--collection` exclude each other")
    }
    var asked = try order(arguments.positional)
    if asked.inputs.isEmpty, let problem = asked.takeSources() {
      throw Arguments.Problem(message: problem)
    }
    let sources = asked.inputs.map(\.name)
    if !arguments.has("--fetch"), let url = sources.first(where: OriginImport.isURL) {
      throw Arguments.Problem(
        message: "\(OriginCredentials.without(url)) is fetched with `--fetch` alone; else save "
          + "it as a file, and name that")
    }
    if arguments.has("--dry-run"), arguments.has("--check") {
      throw Arguments.Problem(message: "`--dry-run` and `--check` exclude each other")
    }
    if try isOfRequestFiles(sources) { return try await importRequestFiles(sources, report) }
    if arguments.has("--fetch"),
      let failure = await DocumentFetcher(invocation).fetch(for: &asked)
    {
      var failed = ImportReport(sources: sources.map(OriginCredentials.without))
      (failed.error, failed.message) = (.unreadable, failure)
      tell(failed)
      return write(failed, to: report)
    }
    let order = asked
    if arguments.has("--collection") { return await importCollection(order, report) }
    // The work that is ended early has a report, too.
    guard let result = await watched({ order.run($0) }) else { return 130 }
    tell(result)
    return write(result, to: report)
  }

  /// Whether request files are meant, which go into the store.
  private func isOfRequestFiles(_ sources: [String]) throws(Arguments.Problem) -> Bool {
    let format = arguments.value("--from") ?? Importers.anyFormat
    guard Self.allFormats.contains(format) else {
      throw Arguments.Problem(
        message: Importers.unsupported(format, known: Self.allFormats))
    }
    let isFile = sources.count == 1 && sources[0] != "-" && !OriginImport.isURL(sources[0])
    let path = isFile ? FileSystem.absolute(sources[0]) : nil
    return OriginImport.meansRequestFiles(
      format: format, at: path, hasTarget: arguments.has("--to"))
  }

  /// Does work away from this thread that Ctrl-C ends, with a line that says how far it is.
  private func watched<Value: Sendable>(
    _ work: @escaping @Sendable (ImportWatch) -> Value
  ) async -> Value? {
    let stop = StopSignal()
    Interrupts.watch { stop.stop() }
    let line = ProgressLine(console)
    defer { line.clear() }
    return await stop.ending {
      await ImportWatch.perform(report: { line.show("Import: \(Display.line($0))") }, work)
    }
  }

  private func importRequestFiles(
    _ sources: [String], _ report: String?
  ) async throws(Arguments.Problem) -> Int32 {
    guard sources.count == 1 else {
      throw Arguments.Problem(message: "name one folder or request file")
    }
    try arguments.allow(
      ["--collection", "--from", "--name", "--force", "--report"],
      in: "import of \(Importers.titles)")
    let (command, path) = (CollectionsCommand(invocation), sources[0])
    let stop = StopSignal()
    Interrupts.watch { stop.stop() }
    var result = ImportReport(sources: sources.map(OriginCredentials.without))
    result.format = Importers.all[0].format
    let done = await stop.ending { await command.importFolder(path) }
    if let summary = done?.summary {
      result.name = summary.name
      result.requests = summary.requests + summary.kept
    }
    let code = done?.code ?? 130
    if code != 0 { result.error = code == 130 ? .cancelled : code == 5 ? .store : .unreadable }
    let written = write(result, to: report)
    return code == 0 ? written : code
  }

  /// What was asked for.
  private func order(_ sources: [String]) throws(Arguments.Problem) -> OriginImport {
    var inputs: [OriginImport.Input] = []
    for source in sources {
      if source == "-" {
        do throws(FileFailure) {
          let bytes = try FileSystem.readStandardInput(limit: Limits.importFileBytes)
          inputs.append(.text(bytes, called: "-"))
        } catch {
          throw Arguments.Problem(message: "\(error)")
        }
      } else {
        // What is a URL is fetched before it is read.
        let path = OriginImport.isURL(source) ? source : FileSystem.absolute(source)
        inputs.append(.path(path, called: source))
      }
    }
    var order = OriginImport(inputs, in: FileSystem.currentDirectory)
    order.format = arguments.value("--from").flatMap(OriginFormat.init(rawValue:))
    order.target = arguments.value("--to")
    order.layout = try word("--layout", WritingLayout.init(rawValue:), "folder, request or file")
    order.rule = try word("--on-conflict", ConflictRule.init(rawValue:), "mine, theirs or stop")
      ?? .mine
    order.writing.name = arguments.value("--name")
    order.writing.environments = Set(arguments.all("--env"))
    order.writing.writesSecrets = !arguments.has("--no-private")
    order.options.tags = Set(arguments.all("--tag"))
    let types = (arguments.value("--types") ?? "").split(separator: ",").map(String.init)
    order.options.types = Set(types)
    order.options.baseURL = arguments.value("--base")
    if arguments.has("--examples") { order.options.takesExamples = true }
    if arguments.has("--no-examples") {
      order.writing.writesExamples = false
      order.options.takesExamples = false
    }
    order.root = arguments.value("--root")
    order.isForced = arguments.has("--force")
    if arguments.has("--dry-run") { order.mode = .dryRun }
    if arguments.has("--check") { order.mode = .check }
    if order.target == "" { throw Arguments.Problem(message: "`--to` needs the path of a folder") }
    return order
  }

  private func word<Value>(
    _ option: String, _ read: (String) -> Value?, _ known: String
  ) throws(Arguments.Problem) -> Value? {
    guard let text = arguments.value(option) else { return nil }
    guard let value = read(text) else {
      throw Arguments.Problem(message: "`\(option) \(text)`: write \(known)")
    }
    return value
  }

  /// Puts what a source has into the store. Where nothing is to be written none is made.
  private func importCollection(_ order: OriginImport, _ report: String?) async -> Int32 {
    let command = CollectionsCommand(invocation)
    let stop = StopSignal()
    Interrupts.watch { stop.stop() }
    guard let outcome = await stop.ending({ await command.importOrigin(order) }) else { return 130 }
    for warning in outcome.warnings { console.complain(Display.safe(warning)) }
    tell(outcome.report)
    return write(outcome.report, to: report)
  }

  // MARK: - What is told

  /// Notes that are told one by one.
  private static let toldNotes = 20

  private func tell(_ result: ImportReport) {
    tellNotes(result)
    if result.isDry { for file in result.changedFiles { console.line(Display.line(file)) } }
    if let message = result.message {
      console.complain(Display.line(message))
    } else {
      console.line(Display.line(result.sentence))
    }
  }

  private func tellNotes(_ result: ImportReport) {
    for note in result.notes.prefix(Self.toldNotes) {
      console.note(Display.line(ImportReport.line(note)))
    }
    let rest = result.notes.count + result.uncountedNotes - Self.toldNotes
    if rest > 0 { console.note("… and \(rest) more; --report json=PATH has them.") }
  }

  private func reportPath() throws(Arguments.Problem) -> String? {
    guard let text = arguments.value("--report") else { return nil }
    guard text.hasPrefix("json="), text.count > 5 else {
      throw Arguments.Problem(message: "`--report \(text)`: write json=PATH")
    }
    return String(text.dropFirst(5))
  }

  /// Writes the report where one is wanted, and answers the exit code.
  private func write(_ result: ImportReport, to path: String?) -> Int32 {
    guard let path else { return result.exitCode }
    do throws(FileFailure) {
      try FileSystem.write(result.bytes, to: FileSystem.absolute(path))
    } catch {
      console.complain("the report was not written: \(error)")
      return result.exitCode == 130 ? 130 : 5
    }
    return result.exitCode
  }
}
