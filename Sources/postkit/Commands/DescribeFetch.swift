// `postkit describe graphql` and `postkit describe --fetch`: asks services what they are, and keeps
// what they say (IO-34, IO-39).

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitTransfer
import PostKitYAML

/// One call of `postkit describe` that sends something.
struct SchemaCommand: Sendable {
  private let invocation: Invocation
  private let run: RunCommand

  private var console: Console { invocation.console }

  /// The options of `postkit describe graphql`.
  static let graphQLOptions: Set<String> = ["--name", "--line", "--env", "--input", "--var"]

  /// Takes up a call; `path` is the request file, or the URL of a description.
  init(_ invocation: Invocation, path: String) throws(Arguments.Problem) {
    self.invocation = invocation
    run = try RunCommand(invocation, path: path)
  }

  /// Asks the service of a request for its GraphQL schema.
  func graphQL() async -> Int32 {
    switch run.chosen(oneOnly: true) {
    case .failure(let failure): return run.fail(failure)
    case .success(let (file, blocks)):
      guard let block = blocks.first, blocks.count == 1 else {
        return run.fail(Failure(.usage, "Choose one request with --name or --line."))
      }
      return await ask(
        file, block, GraphQLIntrospection.query, older: GraphQLIntrospection.olderQuery)
    }
  }

  /// Asks with a query, and where the service is an older one with another.
  private func ask(
    _ file: RequestFile, _ block: Int, _ query: String, older: String?
  ) async -> Int32 {
    switch SchemaRequest.text(of: file.document, block: block, query: query) {
    case .failure(let failure): return run.fail(failure)
    case .success(let text):
      let environment = run.arguments.environment ?? file.settings[.environment]
      let input = run.input(
        [block], of: file.with(text), as: file.path, environment: environment,
        storedRequestID: nil)
      let part = RunPart(input: input, path: run.path, settings: file.settings)
      let hint = SchemaFinder(file.workspace, file.settings)
        .precedence(over: file.document.blocks[block], of: file.document)
      let code = await keepSchema(
        environment: environment ?? "", part, hint: hint, mayBeOlder: older != nil)
      if let code { return code }
      return await ask(file, block, older ?? query, older: nil)
    }
  }

  /// Fetches an OpenAPI description, so that `# @openapi URL` has it.
  func openAPI() async -> Int32 {
    let url = run.path
    let isPlain = url.utf8.allSatisfy { $0 > 32 && $0 < 127 } && !url.contains("{{")
    guard isPlain, let parts = URLParts(url), ["http", "https"].contains(parts.scheme) else {
      return run.fail(
        Failure(
          .usage,
          "`\(Display.line(url))` is no URL. Write one such as https://example.com/api.json."))
    }
    if let refusal = OriginImport.fetchRefusal(of: url) {
      let message = OriginImport.failure(of: url, refusal)
      return run.fail(Failure(.usage, Display.line(message)))
    }
    switch await DocumentFetcher(invocation).fetch(url) {
    case .failed(let message):
      return run.fail(Failure(.protocol, Display.line(message)))
    case .bytes(let bytes):
      switch Self.operations(bytes, url) {
      case .failure(let failure): return run.fail(failure)
      case .success(let count):
        return await keep(.openAPI, url, environment: "", bytes, size: count)
      }
    }
  }

  /// How many operations a description has, in words.
  private static func operations(_ bytes: [UInt8], _ url: String) -> Result<String, Failure> {
    let reason: String
    do throws(YAMLSyntaxError) {
      let tree = try YAMLText(parsing: bytes).tree
      let documents = DescriptionDocuments(tree, path: url) { _ in .missing }
      if let description = APIDescription(documents) {
        return .success(count(description.operations.count, "operation"))
      }
      reason = "at its top there is neither `openapi` 3.0, 3.1 or 3.2 nor `swagger` 2.0"
    } catch {
      reason = "\(error)"
    }
    return .failure(Failure(.protocol, "\(shown(url)) is no OpenAPI description: \(reason)."))
  }

  /// A URL as people may see it.
  private static func shown(_ url: String) -> String {
    Display.line(OriginCredentials.without(url))
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  /// Sends the request of a schema, and keeps its answer where it is one, which is told with
  /// `hint`; `nil` where the service has to be asked in other words.
  private func keepSchema(
    environment: String, _ asked: RunPart, hint: String?, mayBeOlder: Bool
  ) async -> Int32? {
    var part = asked
    part.input.purpose = .schema
    var answer = SchemaAnswer.body(of: RunResult(outcomes: []))
    let result = await run.perform([part]) { printer, event in
      // What is answered is kept, and shown by nobody.
      if case .finished(let outcome) = event, outcome.failure == nil { return }
      printer.handle(event)
    } reading: {
      answer = SchemaAnswer.body(of: $0)
    }
    switch answer {
    case .failure(let failure):
      // What kept it from being sent is told already.
      let isTold = result.failure != nil || result.outcomes.last?.failure != nil
      if !isTold { console.complain(failure.message) }
      return failure.code.exitCode
    case .success(let (url, bytes)):
      do throws(GraphQLIntrospectionFailure) {
        let types = try GraphQLSchema(introspection: bytes, path: url).typeCount
        return await keep(
          .graphQL, url, environment: environment, bytes, size: Self.count(types, "type"),
          hint: hint)
      } catch {
        if mayBeOlder, SchemaAnswer.isOlder(bytes) { return nil }
        let failure = SchemaAnswer.refusal(bytes, of: result, reason: error.explanation)
        console.complain(failure.message)
        return failure.code.exitCode
      }
    }
  }

  /// Keeps what a service has said, and tells how much that is.
  private func keep(
    _ kind: Model.DescribedService.Kind, _ url: String, environment: String, _ bytes: [UInt8],
    size: String, hint: String? = nil
  ) async -> Int32 {
    let service = Model.DescribedService(
      kind, key: kind.key(of: url) ?? url, environment: environment,
      time: Clock.wallMilliseconds, content: bytes)
    return await invocation.withStore { store throws(StoreFailure) in
      try await store.keep(service)
      let place = environment.isEmpty ? "" : " in the environment \(Display.line(environment))"
      let end = hint.map { " " + Display.line($0) } ?? ""
      console.line("\(Self.shown(kind.name(of: url))): \(size)\(place), kept for editors.\(end)")
      return 0
    }
  }
}
