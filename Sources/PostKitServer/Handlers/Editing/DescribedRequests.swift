// `postkit.describe`: a request for an operation of the description around a document (IO-37).

import JSONRPC
import LanguageServerProtocol
import PostKitDescription
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitSyntax
import PostKitText

/// The handler of the command, and the action that calls it.
enum DescribedRequests {
  /// How many operations there are to choose from; with buttons alone fewer can be read.
  private static let shown = 500
  private static let shownAsButtons = 20

  /// Does what an order says; answers whether something was done.
  static func execute(
    _ snapshot: Snapshot, _ argument: JSONValue?, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> JSONValue {
    guard let argument else {
      throw RPCError(.invalidParams, "params.arguments: expected an object with a uri.")
    }
    let order = try ExecuteCommand.decode(LSP.PostkitDescribeArguments.self, argument)
    switch order.task ?? .create {
    case .create: return .bool(try await create(snapshot, order))
    case .update: return .bool(try await DescribedUpdates.update(snapshot, order, token))
    case .show: return .bool(try await DescribedUpdates.show(snapshot, order))
    }
  }

  /// Puts the request for an operation into a document.
  private static func create(
    _ snapshot: Snapshot, _ order: LSP.PostkitDescribeArguments
  ) async throws(RPCError) -> Bool {
    let document = try DocumentCommands.editable(
      snapshot, order.uri, otherwise: "`postkit import` makes requests of a description.")
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.comparing(
      await snapshot.analysis(of: context, withResults: false), context)
    let offset =
      order.position.map { context.converter(snapshot).offset($0) } ?? document.text.bytes.count
    let block = order.position == nil ? nil : document.parsed.block(at: offset)
    let index = try await description(snapshot, context, analysis, block).index
    guard let operation = try await operation(order.operation, of: index, analysis, snapshot) else {
      return false
    }
    guard let request = analysis.newRequest(for: operation, in: index) else {
      throw RPCError(
        .requestFailed,
        "The description of this operation can't stand in a request. Write the request yourself.")
    }
    var builder = WorkspaceEditBuilder(snapshot.client.profile)
    builder.add(
      [
        DocumentCommands.insertion(
          of: request.text, called: request.title, at: offset, document.parsed)
      ], to: document)
    try await DocumentCommands.apply(
      snapshot, builder, "Create a request",
      otherwise: "`postkit import` makes requests of a description.")
    return true
  }

  /// The description that the request of a block means, or the file without one.
  static func description(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis, _ block: ParsedBlock?
  ) async throws(RPCError) -> LoadedDescription {
    let found = await snapshot.descriptions.around(
      context, of: block.map { [$0] } ?? [], within: nil, snapshot.client)
    let own = block.flatMap { analysis.describedRequest(of: $0) }
    let request = own ?? DescribedRequest(method: "", target: "")
    do throws(DescriptionFailure) {
      let tag = context.document.parsed.descriptionTag(of: block)
      if let description = try found.description(for: request, tag: tag) { return description }
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
    throw RPCError(
      .requestFailed,
      "There is no OpenAPI description near this file. Name one with `# @openapi PATH`.")
  }

  /// The operation of a name, or the one that the user picks; `nil` where none was picked.
  private static func operation(
    _ name: String?, of index: DescriptionIndex, _ analysis: Analysis, _ snapshot: Snapshot
  ) async throws(RPCError) -> APIOperation? {
    let operations = index.description.operations
    func called(_ name: String) -> APIOperation? {
      operations.first { $0.id == name || "\($0.method) \($0.path)" == name }
    }
    if let name {
      if let operation = called(name) { return operation }
      throw RPCError(
        .invalidParams, "arguments[0].operation: the description has no operation `\(name)`.")
    }
    guard !operations.isEmpty else {
      throw RPCError(.requestFailed, "The description has no operations.")
    }
    // What the file has no request for comes first.
    var coverage = DescriptionCoverage<Int>(index)
    for block in analysis.document.requests {
      if let request = analysis.describedRequest(of: block) {
        coverage.add(request, shown: "", at: block.index)
      }
    }
    let missing = coverage.missing.map { "\($0.method) \($0.path)" }
    let known = Set(missing)
    let all = operations.map { "\($0.method) \($0.path)" }
    let names = missing + all.filter { !known.contains($0) }
    return try await pick(names, snapshot).flatMap(called)
  }

  private static func pick(
    _ names: [String], _ snapshot: Snapshot
  ) async throws(RPCError) -> String? {
    let question = "Which operation?"
    guard snapshot.client.profile.postkit?.input == true else {
      return try await UserQuestions.pick(
        snapshot.client, question, Array(names.prefix(shownAsButtons)),
        instead: "Give the command the `operation`.")
    }
    let answer = try await snapshot.client.request(
      LSP.PostkitInputRequest.self,
      LSP.PostkitInputParams(
        id: Identifier.next(), title: question, kind: .select, default: nil,
        options: Array(names.prefix(shown))), timeoutMilliseconds: nil)
    return answer?.value
  }
}
