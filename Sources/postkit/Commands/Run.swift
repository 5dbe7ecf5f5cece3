// `postkit run`: sends requests of a file, for people and for CI.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax

extension Command {
  /// Sends requests.
  static let run = Command(
    name: .run,
    operands: "FILE [--env NAME] [--name NAME] [--line N] [--all] [options] "
      + "| --history ID [options] | --collection PATH [options]",
    summary: "Sends requests of a file and prints their responses.",
    options: [
      Option(names: ["--name"], value: "NAME", help: "send the request with this name"),
      Option(names: ["--line"], value: "N", help: "send the request on this line, counted from 1"),
      Option(names: ["--all"], value: nil, help: "send all requests in order"),
      Option(
        names: ["--tag"], value: "NAME", help: "send only requests with this `# @tag`",
        isRepeatable: true),
      Option(
        names: ["--parallel"], value: "N",
        help: "send up to N requests at once, if they don't need each other"),
      Option(names: ["--history"], value: "ID", help: "send the request of this exchange again"),
      Option(
        names: ["--collection"], value: "PATH",
        help: "send all requests of this collection or folder, or this stored request"),
    ] + RunCommand.sendingOptions
  ) { invocation throws(Arguments.Problem) in
    if let id = invocation.arguments.value("--history") {
      let others = ["--name", "--line", "--all", "--tag"].filter(invocation.arguments.has)
      guard invocation.arguments.positional.isEmpty, others.isEmpty else {
        throw Arguments.Problem(
          message: "`--history ID` can't be combined with a file or another choice")
      }
      return await (try RunCommand(invocation, path: id)).resend(id)
    }
    if let collection = invocation.arguments.value("--collection") {
      let others = ["--name", "--line", "--all", "--tag", "--parallel"]
      let hasOthers = others.contains(where: invocation.arguments.has)
      guard invocation.arguments.positional.isEmpty, !hasOthers else {
        throw Arguments.Problem(
          message: "`--collection PATH` can't be combined with a file or another choice")
      }
      return try await CollectionsCommand(invocation).send(collection)
    }
    guard invocation.arguments.positional.count == 1 else {
      throw Arguments.Problem(message: "name one request file")
    }
    let run = try RunCommand(invocation, path: invocation.arguments.positional[0])
    return await run.execute()
  }

  /// Whether the words of a run may choose more than one request; known before they are read.
  static func mayBeBatch(_ words: [String]) -> Bool {
    words.contains { word in
      ["--all", "--tag", "--repeat", "--parallel", "--collection"].contains { word.hasPrefix($0) }
    }
  }
}

/// One call of `postkit run`.
struct RunCommand: Sendable {
  let invocation: Invocation
  let path: String
  let dialect: DialectPreset?
  let reports: [ReportFile]
  let line: Int?
  let parallel: Int
  let repeats: Int
  let seed: Int?
  let overrides: [String: String]
  let inputs: [String: String]

  var console: Console { invocation.console }
  var arguments: Arguments { invocation.arguments }

  /// The options of everything that sends.
  static let sendingOptions = [
    Option(
      names: ["--env", "-e"], value: "NAME", help: "use this environment; the last one counts",
      isRepeatable: true),
    Option(names: ["--repeat"], value: "N", help: "send everything N times"),
    Option(names: ["--input"], value: "KEY=VALUE", help: "answer a prompt", isRepeatable: true),
    Option(
      names: ["--var", "-V"], value: "KEY=VALUE", help: "set a variable that overrides all others",
      isRepeatable: true),
    Option(
      names: ["--dialect"], value: "PRESET",
      help: "read the file as \(DialectPreset.allCases.map(\.rawValue).joined(separator: ", "))"),
    Option(
      names: ["--seed"], value: "N",
      help: "give dynamic variables the same values in each run with the same N"),
    Option(
      names: ["--report"], value: "KIND=PATH", help: "write a report: json, junit or tap",
      isRepeatable: true),
    Option(names: ["--strict"], value: nil, help: "also refuse unresolved references in bodies"),
    Option(
      names: ["--openapi"], value: "FILE",
      help: "test each response against this OpenAPI description, or one kept of a URL"),
    Option(
      names: ["--openapi-strict"], value: nil,
      help: "also refuse operations, bodies and members that it does not describe"),
    Option(names: ["--fail-fast", "--bail"], value: nil, help: "stop at the first failed request"),
    Option(
      names: ["--no-history"], value: nil,
      help: "write nothing to the history and use no stored cookies"),
  ]

  /// Reads the options of a run; `path` is what is sent, as the user named it.
  init(_ invocation: Invocation, path: String) throws(Arguments.Problem) {
    self.invocation = invocation
    let arguments = invocation.arguments
    self.path = path
    if let name = arguments.value("--dialect") {
      guard let preset = DialectPreset(rawValue: name) else {
        throw Arguments.Problem(message: "unknown dialect `\(name)`")
      }
      dialect = preset
    } else {
      dialect = nil
    }
    if arguments.has("--openapi-strict"), arguments.value("--openapi") == nil {
      throw Arguments.Problem(message: "`--openapi-strict` needs `--openapi FILE`")
    }
    line = try arguments.integer("--line", minimum: 1)
    parallel = try arguments.integer("--parallel", minimum: 1) ?? 1
    repeats = try arguments.integer("--repeat", minimum: 1) ?? 1
    seed = try arguments.integer("--seed", minimum: 0)
    overrides = try arguments.pairs("--var")
    inputs = try arguments.pairs("--input")
    var reports: [ReportFile] = []
    for text in arguments.all("--report") { reports.append(try ReportFile(text)) }
    self.reports = reports
  }

  /// Sends what was chosen, writes the reports and answers the exit code.
  func execute() async -> Int32 {
    switch chosen() {
    case .success(let (file, blocks)):
      return await send(blocks, of: file, as: file.path, environment: file.settings[.environment])
    case .failure(let failure): return fail(failure)
    }
  }

  /// The file and those of its requests that are meant, of which `oneOnly` wants no more than one.
  func chosen(oneOnly: Bool = false) -> Result<(RequestFile, [Int]), Failure> {
    let shown = ShownDocument(
      path: FileSystem.absolute(path), viewDirectory: invocation.storeLocation.viewDirectory)
    if let shown, !shown.holdsRequests { return .failure(refusal(of: shown)) }
    return RequestFile.read(path, invocation, dialect: dialect).flatMap { file in
      select(file, file.dialect, oneOnly: oneOnly).map { (file, $0) }
    }
  }

  /// What an editor was shown was written by whoever answered, or has masks in it.
  private func refusal(of shown: ShownDocument) -> Failure {
    var way = "Name the request's own file."
    if case .response(let id, _) = shown {
      way = "Send its request again with `postkit run --history \(id)`, or name that one's file."
    }
    return Failure(.requestNotFound, "\(path) is read-only and has no requests to send. \(way)")
  }

  /// Sends blocks of a file, which the history knows by a name. `environment` is used unless
  /// another one is asked for.
  func send(
    _ blocks: [Int], of file: RequestFile, as name: String, environment: String?,
    storedRequestID: String? = nil
  ) async -> Int32 {
    let input = input(
      blocks, of: file, as: name, environment: environment, storedRequestID: storedRequestID)
    return await send([RunPart(input: input, path: path, settings: file.settings)])
  }

  /// Asks on the terminal. The last answer that is no secret is offered and kept.
  static func ask(
    _ prompt: Prompt, _ history: HistoryWriter?, folder: String
  ) async -> PromptAnswer {
    guard TerminalPrompt.canAsk else { return .cannotAsk }
    guard !prompt.isSecret, let history else {
      return await TerminalPrompt.ask(prompt).map { .given($0) } ?? .declined
    }
    var question = prompt
    if let last = await history.lastAnswer(prompt.name, folder: folder) { question.proposal = last }
    let answer = await TerminalPrompt.ask(question)
    guard let answer else { return .declined }
    await history.keep(answer: answer, to: prompt.name, folder: folder)
    return .given(answer)
  }

  /// Chooses the requests to send; the name decides where a line is given, too.
  private func select(
    _ file: RequestFile, _ dialect: Dialect, oneOnly: Bool
  ) -> Result<[Int], Failure> {
    let requests = file.document.batch(sharesBlocks: dialect.sharesBlocks)
    guard !requests.isEmpty else {
      return .failure(
        Failure(
          .requestNotFound, "\(path) has no request. Write one such as `GET https://example.com`."))
    }
    let tags = arguments.all("--tag")
    if !tags.isEmpty { return select(file, tags: tags) }
    if arguments.has("--all") { return .success(requests.map(\.index)) }
    if let name = arguments.value("--name") {
      guard let block = file.document.runnable(named: name) else {
        let names = requests.map { "`\(RunPlan.title($0))`" }.joined(separator: ", ")
        return .failure(
          Failure(.requestNotFound, "Request `\(name)` not found in \(path). It has: \(names)."))
      }
      return .success([block.index])
    }
    if let line {
      guard let block = file.block(atLine: line) else {
        return .failure(
          Failure(.requestNotFound, "\(Display.line(path)):\(line) is not part of a request."))
      }
      return .success([block.index])
    }
    if requests.count == 1 { return .success(requests.map(\.index)) }
    let list = requests.map { block in
      "  --line \(line(of: block, file))  \(Display.line(RunPlan.title(block)))"
    }
    let all = oneOnly ? "" : ", or send them with --all"
    return .failure(
      Failure(
        .usage,
        "\(Display.line(path)) has \(requests.count) requests. Choose one with --name or --line"
          + "\(all):\n" + list.joined(separator: "\n")))
  }

  /// Chooses the requests that have one of the tags, among those that were named otherwise.
  private func select(_ file: RequestFile, tags: [String]) -> Result<[Int], Failure> {
    let named = arguments.value("--name").map { file.document.runnable(named: $0)?.index }
    let onLine = line.map { file.block(atLine: $0)?.index }
    let runnable = file.document.blocks.filter(\.isRunnable)
    let chosen = runnable.filter { block in
      (named ?? onLine ?? block.index) == block.index && !block.tags.isDisjoint(with: tags)
    }
    if !chosen.isEmpty { return .success(chosen.map(\.index)) }
    let known = Set(runnable.flatMap(\.tags)).sorted().joined(separator: ", ")
    let list = known.isEmpty ? "No request has a tag; write `# @tag NAME`." : "Tags are: \(known)."
    return .failure(
      Failure(
        .requestNotFound,
        "\(Display.line(path)) has no such request with the tag "
          + "`\(tags.joined(separator: "`, `"))`. \(list)"))
  }

  private func line(of block: ParsedBlock, _ file: RequestFile) -> Int {
    file.document.line(at: block.range.lowerBound + block.leadingLine.lowerBound) + 1
  }

  /// Ends a run that could not begin; the reports are written all the same.
  func fail(_ failure: Failure) -> Int32 {
    console.complain(failure.message)
    return write(RunResult(outcomes: [], failure: failure))
  }

  /// Writes the reports and answers the exit code.
  func write(_ result: RunResult) -> Int32 {
    if reports.isEmpty { return result.exitCode }
    return ReportFile.writeAll(reports, RunReport(result, path: path), result.exitCode, console)
  }
}
