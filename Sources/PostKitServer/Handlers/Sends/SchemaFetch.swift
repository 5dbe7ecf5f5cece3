// `postkit.fetchSchema`: asks the service of a request for its GraphQL schema, when somebody wants
// that (IO-39).

import JSONRPC
import LanguageServerProtocol
import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax

/// The handler of the command that fetches a schema.
enum SchemaFetch {
  /// `postkit.fetchSchema`: what came of it in a sentence, which is shown, too.
  static func fetch(
    _ snapshot: Snapshot, _ argument: JSONValue?, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> JSONValue {
    var order: SendOrder
    if let argument {
      let asked = try ExecuteCommand.decode(LSP.PostkitFetchSchemaArguments.self, argument)
      order = SendOrder(uri: asked.uri, position: asked.position, environment: asked.environment)
    } else {
      let caret = try ExecuteCommand.caret(snapshot)
      order = SendOrder(uri: caret.uri, position: caret.position)
    }
    order.workDoneToken = token
    let document = try await snapshot.sendable(order.uri)
    var context = try await snapshot.sendingContext(of: document, order)
    let meant = try SendRequests.block(snapshot, context, order).index
    context = try await MissingEnvironment.chosen(snapshot, context, [meant], &order)
    let block = try SendRequests.block(snapshot, context, order).index
    do throws(StoreFailure) { context = try await context.withSecrets(snapshot) } catch {
      throw RPCError(.requestFailed, error.message)
    }
    Turn.current?.pass()
    var answer = try await ask(snapshot, context, block, GraphQLIntrospection.query, order)
    if case .success(let body) = answer.body, SchemaAnswer.isOlder(body.bytes) {
      answer = try await ask(snapshot, context, block, GraphQLIntrospection.olderQuery, order)
    }
    return try await keep(snapshot, context, block, get(answer.body), answer.result)
  }

  private static func get<Value>(
    _ result: Result<Value, Failure>
  ) throws(RPCError) -> Value {
    do throws(Failure) { return try result.get() } catch {
      throw RPCError(
        .requestFailed, error.message, data: ["code": .string(error.code.rawValue)])
    }
  }

  /// What came of a run, and what its last answer says.
  private struct Answer: Sendable {
    var result: RunResult
    var body: Result<(url: String, bytes: [UInt8]), Failure>
  }

  /// Sends the request of a block with a query; cancelling the command ends it.
  private static func ask(
    _ snapshot: Snapshot, _ context: DocumentContext, _ block: Int, _ query: String,
    _ order: SendOrder
  ) async throws(RPCError) -> Answer {
    let bytes = try get(
      SchemaRequest.text(of: context.document.parsed, block: block, query: query))
    var asked = SendRequests.input(snapshot, context, [block], order)
    asked.document = context.workspace.reading.document(
      bytes, format: context.document.parsed.format)
    asked.purpose = .schema
    asked.tellsQueue = false
    asked.tellsBodies = .none
    let input = asked
    let runner = SendRequests.runner(snapshot, context)
    let client = snapshot.client
    return await ProgressScope.around(
      client, clientToken: order.workDoneToken, title: "Fetching the GraphQL schema",
      onShown: { _ in }
    ) { _ in
      let result = await runner.run(input) { event in
        guard case .warnings(let problems) = event else { return }
        for problem in problems.prefix(Limits.warningsLogged) {
          client.logMessage(.warning, problem.message)
        }
      }
      let body = SchemaAnswer.body(of: result)
      runner.discardBodies(of: result)
      return Answer(result: result, body: body)
    }
  }

  /// Keeps the answer where it is a schema.
  private static func keep(
    _ snapshot: Snapshot, _ context: DocumentContext, _ block: Int,
    _ answer: (url: String, bytes: [UInt8]), _ result: RunResult
  ) async throws(RPCError) -> JSONValue {
    let types: Int
    do throws(GraphQLIntrospectionFailure) {
      types = try GraphQLSchema(introspection: answer.bytes, path: answer.url).typeCount
    } catch {
      return try get(
        .failure(SchemaAnswer.refusal(answer.bytes, of: result, reason: error.explanation)))
    }
    let environment = context.environment ?? ""
    let name = Model.DescribedService.Kind.graphQL.name(of: answer.url)
    let service = Model.DescribedService(
      .graphQL, key: Model.DescribedService.Kind.graphQL.key(of: answer.url) ?? answer.url,
      environment: environment, time: Clock.wallMilliseconds, content: answer.bytes)
    await snapshot.store.write("The schema of \(name) is not kept") {
      store throws(StoreFailure) in
      try store.keep(service)
    }
    snapshot.events.post(.refresh(.everything))
    let place = environment.isEmpty ? "" : " in the environment `\(environment)`"
    let parsed = context.document.parsed
    let sentence = [
      "\(name): \(types) type\(types == 1 ? "" : "s")\(place).",
      SchemaFinder(context.workspace, context.settings)
        .precedence(over: parsed.blocks[block], of: parsed),
    ].compactMap { $0 }.joined(separator: " ")
    snapshot.client.showMessage(.info, sentence)
    return .string(sentence)
  }
}
