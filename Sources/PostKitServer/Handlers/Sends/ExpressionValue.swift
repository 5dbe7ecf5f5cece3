// `postkit.evaluateExpression`: what the reference at a place comes to, when somebody asks.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSyntax
import PostKitText

/// The handler of the command that evaluates.
enum ExpressionValue {
  /// `postkit.evaluateExpression`: the value, which is shown, too.
  static func evaluate(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    var order: SendOrder
    if let argument {
      let asked = try ExecuteCommand.decode(LSP.PostkitEvaluateExpressionArguments.self, argument)
      order = SendOrder(uri: asked.uri, position: asked.position, environment: asked.environment)
    } else {
      let caret = try ExecuteCommand.caret(snapshot)
      order = SendOrder(uri: caret.uri, position: caret.position)
    }
    let shown = try await snapshot.sendingContext(
      of: try await snapshot.sendable(order.uri), order)
    let converter = shown.document.text.converter(snapshot.client.profile.encoding)
    let offset = order.position.map(converter.offset) ?? 0
    guard let block = shown.document.parsed.block(at: offset),
      let reference = block.syntax.reference(at: offset - block.range.lowerBound)
    else {
      throw RPCError(
        .requestFailed, "There is no reference here. Place the cursor on one, such as `{{name}}`.")
    }
    let context: DocumentContext
    do throws(StoreFailure) { context = try await shown.withSecrets(snapshot) } catch {
      throw RPCError(.requestFailed, error.message)
    }
    let written = block.text(reference.range)
    let input = SendRequests.input(snapshot, context, [block.index], order)
    let runner = SendRequests.runner(snapshot, context)
    Turn.current?.pass()
    switch await runner.evaluate(written, at: block.absolute(reference.range).lowerBound, input) {
    case .success(let value):
      snapshot.client.showMessage(.info, "\(written.excerpt) = \(value.excerpt)")
      return .string(value)
    case .failure(let failure):
      throw RPCError(
        .requestFailed, failure.message, data: ["code": .string(failure.code.rawValue)])
    }
  }

  /// The action that evaluates the reference at a place; `nil` where none is.
  static func action(
    _ snapshot: Snapshot, _ block: ParsedBlock, at offset: Int, _ uri: String,
    _ position: LSP.Position
  ) -> LSP.CodeAction? {
    guard let reference = block.syntax.reference(at: offset - block.range.lowerBound) else {
      return nil
    }
    let title = "Evaluate `\(block.text(reference.range).excerpt(upTo: 60))`"
    return LSP.CodeAction(
      title: title, kind: LSP.CodeActionKind(rawValue: "postkit.evaluate"),
      command: CommandID.evaluateExpression.command(
        title, snapshot.initialization,
        LSP.PostkitEvaluateExpressionArguments(uri: uri, position: position)))
  }
}
