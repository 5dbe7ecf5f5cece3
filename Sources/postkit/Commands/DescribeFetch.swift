// `postkit describe graphql` and `postkit describe --fetch`: asks services what they are, and keeps
// what they say (IO-34, IO-39).

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax
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
      var isOlder = false
      let hint = SchemaFinder(file.workspace, file.settings)
        .precedence(over: file.document.blocks[block], of: file.document)
      let code = await keep(
        .graphQL, environment: environment ?? "", part, hint: hint
      ) { bytes, url, result in
        do throws(GraphQLIntrospectionFailure) {
          let schema = try GraphQLSchema(introspection: bytes, path: url)
          return .success(Self.count(schema.typeCount, "type"))
        } catch {
          isOlder = older != nil && SchemaAnswer.isOlder(bytes)
          if isOlder { return .failure(nil) }
          return .failure(SchemaAnswer.refusal(bytes, of: result, reason: error.explanation))
        }
      }
      guard isOlder, let older else { return code }
      return await ask(file, block, older, older: nil)
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
    let text = Array("GET \(url)\nAccept: application/json, application/yaml, */*\n".utf8)
    let file = RequestFile(
      text, at: FileSystem.absolute("describe.http"), invocation, dialect: nil)
    let input = run.input(
      [0], of: file, as: url, environment: nil, storedRequestID: nil)
    let part = RunPart(input: input, path: url, settings: file.settings)
    return await keep(.openAPI, environment: "", part) { bytes, url, result in
      let shown = Self.shown(url)
      if let response = result.outcomes.last?.masked?.response,
        !(200...299).contains(response.status)
      {
        let status = [String(response.status), response.reason].joined(separator: " ")
          .trimmingASCIIBlanks()
        return .failure(
          Failure(
            .protocol, "\(shown) answers \(Display.line(status)). Check the URL."))
      }
      let reason: String
      do throws(YAMLSyntaxError) {
        let tree = try YAMLText(parsing: bytes).tree
        let documents = DescriptionDocuments(tree, path: url) { _ in .missing }
        if let description = APIDescription(documents) {
          return .success(Self.count(description.operations.count, "operation"))
        }
        reason = "at its top there is neither `openapi` 3.0, 3.1 or 3.2 nor `swagger` 2.0"
      } catch {
        reason = "\(error)"
      }
      return .failure(
        Failure(.protocol, "\(shown) is no OpenAPI description: \(reason)."))
    }
  }

  /// A URL as people may see it.
  private static func shown(_ url: String) -> String {
    Display.line(SecretMask(secrets: []).maskURL(url).text)
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  /// What a check of an answer has found: how much of what was asked for there is, or why there is
  /// none of it; `nil` where that is not to be told.
  private enum Finding {
    case success(String)
    case failure(Failure?)
  }

  /// Sends a request, and keeps its answer where `check` finds that it is what was asked for, which
  /// is told with `hint`.
  private func keep(
    _ kind: Model.DescribedService.Kind, environment: String, _ asked: RunPart,
    hint: String? = nil, check: ([UInt8], String, RunResult) -> Finding
  ) async -> Int32 {
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
      let key = kind.key(of: kind == .openAPI ? run.path : url)
      switch check(bytes, url, result) {
      case .failure(let failure):
        if let failure { console.complain(failure.message) }
        return failure?.code.exitCode ?? FailureCode.protocol.exitCode
      case .success(let size):
        let service = Model.DescribedService(
          kind, key: key ?? url, environment: environment, time: Clock.wallMilliseconds,
          content: bytes)
        return await invocation.withStore { store throws(StoreFailure) in
          try await store.keep(service)
          let place = environment.isEmpty ? "" : " in the environment \(Display.line(environment))"
          let end = hint.map { " " + Display.line($0) } ?? ""
          let name = Self.shown(kind.name(of: url))
          console.line("\(name): \(size)\(place), kept for editors.\(end)")
          return 0
        }
      }
    }
  }
}
