// The commands that write into a document: `postkit.pasteCurl` makes a request of a command line
// that somebody copied, `postkit.toggleLine` switches header and query lines off and on.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitSyntax
import PostKitText
import PostKitTransfer

/// The commands that write into a document.
enum DocumentCommands {
  /// Puts the request that a curl line sends into an open document, at a place or at its end.
  static func pasteCurl(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    guard let argument else {
      throw RPCError(.invalidParams, "params.arguments: expected an object with uri and text.")
    }
    let order = try ExecuteCommand.decode(LSP.PostkitPasteCurlArguments.self, argument)
    let document = try editable(
      snapshot, order.uri, otherwise: "Paste the text and convert it.")
    let request = try copiedRequest(order.text)
    let converter = document.text.converter(snapshot.client.profile.encoding)
    let offset = order.position.map { converter.offset($0) } ?? document.text.bytes.count
    var builder = WorkspaceEditBuilder(snapshot.client.profile)
    builder.add([insertion(of: request, at: offset, document.parsed)], to: document)
    try await apply(
      snapshot, builder, "Paste a curl command",
      otherwise: "Paste the text and use the code action on it.")
    return .bool(true)
  }

  /// The request of a text that somebody copied in a browser or a shell.
  private static func copiedRequest(_ text: String) throws(RPCError) -> String {
    if let request = CurlConversion.request(for: text) { return request }
    do throws(OriginFailure) {
      if let request = try CopiedText.block(for: text) { return request }
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
    throw RPCError(
      .requestFailed,
      "The text is neither a curl command nor a copied `fetch` or `Invoke-WebRequest`. Copy one "
        + "that begins with `curl`.")
  }

  /// Switches header and query lines off, or on again.
  static func toggleLine(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    guard let argument else {
      throw RPCError(.invalidParams, "params.arguments: expected an object with uri and range.")
    }
    let order = try ExecuteCommand.decode(LSP.PostkitToggleLineArguments.self, argument)
    let document = try editable(snapshot, order.uri, otherwise: "Write `# ` before the line.")
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let range = context.converter(snapshot).offsets(order.range)
    guard let change = analysis.switching(in: range) else { return .bool(false) }
    var builder = WorkspaceEditBuilder(snapshot.client.profile)
    builder.add(change.edits, to: document)
    try await apply(
      snapshot, builder, change.title, otherwise: "Write `# ` before the line, or take it away.")
    return .bool(true)
  }

  /// An open document of requests, into which the editor can be asked to write; `otherwise` says
  /// what a person can do where it can't.
  static func editable(
    _ snapshot: Snapshot, _ uri: String, otherwise: String
  ) throws(RPCError) -> OpenDocument {
    guard snapshot.client.profile.appliesEdits else {
      throw RPCError(
        .requestFailed, "This editor takes no edits from a server. \(otherwise)")
    }
    let document = try snapshot.document(uri)
    guard snapshot.holdsRequests(document.uri) else {
      throw RPCError(.invalidParams, "params.arguments[0].uri: \(uri) holds no requests.")
    }
    return document
  }

  /// Has the editor make edits; `otherwise` says what a person can do where it doesn't.
  static func apply(
    _ snapshot: Snapshot, _ builder: WorkspaceEditBuilder, _ label: String, otherwise: String
  ) async throws(RPCError) {
    let params = LSP.ApplyWorkspaceEditParams(label: label, edit: try builder.build())
    let answer: LSP.ApplyWorkspaceEditResult
    do throws(RPCError) {
      answer = try await snapshot.client.request(
        LSP.ApplyWorkspaceEditRequest.self, params, timeoutMilliseconds: nil)
    } catch {
      throw error.asFailure("The editor did not take the edit", otherwise)
    }
    guard answer.applied else {
      throw RPCError(
        .requestFailed, answer.failureReason ?? "The editor did not take the edit.")
    }
  }

  /// The request as a block of its own behind the one that a place lies in, with a title or none.
  static func insertion(
    of request: String, called title: String = "", at offset: Int, _ parsed: ParsedDocument
  ) -> TextEdit {
    let end = parsed.lineEndText
    let block = parsed.block(at: offset)
    var place = block.map { $0.range.upperBound } ?? parsed.bytes.count
    // What is there is left as it is, but for the blank lines that part requests.
    let isEmpty = parsed.bytes[..<place].allSatisfy { [9, 10, 13, 32].contains($0) }
    let isLast = place == parsed.bytes.count
    if isEmpty, isLast { place = parsed.bytes.count }
    let isAtLine = place == 0 || parsed.bytes[place - 1] == 10
    let separator = title.isEmpty ? "###" : "### " + title
    var text = isEmpty ? "" : (isAtLine ? "" : end) + end + separator + end
    if isEmpty, !title.isEmpty { text = separator + end }
    text += request + end
    if !isLast { text += end }
    return TextEdit(place..<place, text)
  }
}
