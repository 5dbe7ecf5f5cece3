// `postkit demo`: the main job in one command, without a network.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitTransport

extension Command {
  /// Sends the requests of a sample file to the built-in example server.
  static let demo = Command(
    name: .demo, operands: "[--remove]",
    summary: "Sends a sample file's requests to a built-in server and shows what happened.",
    options: [
      Option(
        names: ["--remove"], value: nil,
        help: "remove the sample file, the sample collection and what demos have sent")
    ]
  ) { invocation throws(Arguments.Problem) in
    try invocation.arguments.refuseOperands()
    let command = DemoCommand(invocation: invocation)
    return await invocation.arguments.has("--remove") ? command.remove() : command.execute()
  }
}

/// One call of `postkit demo`.
struct DemoCommand: Sendable {
  let invocation: Invocation

  /// Where results and complaints go.
  var console: Console { invocation.console }

  /// The sample file.
  static let sample = """
    # A request file. Lines that begin with # are comments, ### begins a new request.

    @host = {{$exampleServer}}
    @user = ada

    ### List the users
    # @name users
    GET {{host}}/users
    Accept: application/json

    ### Log in
    # @name login
    POST {{host}}/login
    Content-Type: application/json

    {
      "user": "{{user}}",
      "password": "lovelace",
      "request": "{{$uuid}}"
    }

    ### Use the token of the response above
    GET {{host}}/protected
    Authorization: Bearer {{login.response.body.$.token}}

    """

  /// Where the sample file is.
  static func path(_ location: StoreLocation) -> String {
    FilePath.join(FilePath.parent(location.configPath), "demo.http")
  }

  /// Writes the sample, sends it, shows what happened, and answers the exit code.
  func execute() async -> Int32 {
    let location = invocation.storeLocation
    let path = DemoCommand.path(location)
    do throws(FileFailure) {
      try FileSystem.makeDirectory(FilePath.parent(path), mode: 0o700)
      try FileSystem.writeAtomically(Array(DemoCommand.sample.utf8), to: path, mode: 0o600)
    } catch {
      console.complain(
        "the sample file can't be written: \(error) Or choose another place with --store DIR.")
      return 5
    }
    let place = Display.line(path)
    console.line("A sample request file is at \(place). PostKit sends its requests to a server")
    console.line("that it starts on this machine; nothing leaves it.")
    let document = ParsedDocument(bytes: Array(DemoCommand.sample.utf8))
    let result = await send(document, path, location)
    await makeCollection(location)
    nextSteps(path)
    return result.exitCode
  }

  private func send(
    _ document: ParsedDocument, _ path: String, _ location: StoreLocation
  ) async -> RunResult {
    let history = HistoryWriter(location, executor: SerialQueueExecutor(), isBatch: false)
    let transport = Transport(
      TransportConfiguration(
        spoolDirectory: location.spoolDirectory, keptBodyBytes: Limits.keptBodyBytes))
    let example = LazyExampleServer()
    let services = RunServices(
      record: { exchange in
        var exchange = exchange
        exchange.runID = DemoCollection.runID
        exchange.origin = .demo
        return await history.record(exchange)
      }, earlier: { _, _ in nil },
      exampleServer: { example.url })
    let input = RunInput(
      workspace: Workspace(file: path), document: document,
      blocks: document.requests.map(\.index), file: path,
      defaults: Settings().requestDefaults)
    let console = console
    let result = await Runner(transport: transport, services: services).run(input) { event in
      if case .finished(let outcome) = event { DemoCommand.show(outcome, console) }
    }
    if let failure = result.failure { console.complain(failure.message) }
    if let remark = await history.finish().remark { console.complain(remark) }
    transport.shutdown()
    example.stop()
    return result
  }

  private static func show(_ outcome: RunOutcome, _ console: Console) {
    console.line("")
    let title = "### " + outcome.title
    console.line(console.styled(title, "1", onError: false))
    console.line("\(Display.line(outcome.method)) \(Display.line(outcome.url))")
    guard let exchange = outcome.masked, let response = exchange.response else {
      console.line("failed: " + Display.safe(outcome.failure?.message ?? "no response"))
      return
    }
    let milliseconds = Double(exchange.timings.total / 100) / 10
    let status = "\(response.status) \(response.reason)"
    console.line(
      "\(console.styled(status, response.status < 400 ? "32" : "33", onError: false))  "
        + "\(DurationText.text(Int(milliseconds)))  \(Display.size(response.decodedSize))")
    let type = response.headers.mediaType
    let bytes = StoredBody.bytes(response.body, limit: Limits.viewBodyBytes)
    let lines = ResponseText.body(bytes, type, total: response.body.count)
      .split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines.prefix(12) { console.line("  " + Display.safe(String(line))) }
    if lines.count > 12 { console.line("  … \(lines.count - 12) more lines") }
  }

  private func nextSteps(_ path: String) {
    let store = invocation.arguments.value("--store").map { " --store \($0)" } ?? ""
    let steps = [
      ("postkit run \(path) --name login\(store)", "send one request of the file"),
      ("postkit history\(store)", "list and search what was sent"),
      (
        "postkit collections send \(DemoCollection.first)\(store)",
        "send a stored request, from any folder"
      ),
      ("vim \(path)", "the same inside Vim, Neovim or VS Code"),
      ("postkit doctor\(store)", "check the installation"),
      ("postkit demo --remove\(store)", "remove all that this demo made"),
    ]
    let width = steps.map(\.0.count).max() ?? 0
    console.line("\nNext:")
    for (command, purpose) in steps {
      console.line("  \(Display.fitted(command, width))  \(purpose)")
    }
  }
}
