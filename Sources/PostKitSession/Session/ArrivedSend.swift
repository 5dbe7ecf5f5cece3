// A send between its message and its begin: its document is being read, or somebody asked.

package import JSONRPC
package import LanguageServerProtocol
package import PostKitJSON
import PostKitSyntax
package import PostKitText

/// A send that was asked for. A client that cancels it at once knows no more of it than what it
/// asked for itself, and is understood before anything has begun.
package struct ArrivedSend: Sendable {
  /// The one that the current task was asked for.
  @TaskLocal package static var current: ArrivedSend?

  /// The id of its message.
  let request: RequestID
  /// The document; `nil` where none is named.
  let uri: DocumentURI?
  /// Where in it.
  let position: LSP.Position?
  /// The requests of which lines are meant.
  let range: LSP.Range?
  /// The name of the request.
  let name: String?
  /// The token under which the client wants to see its progress.
  let progressToken: String?
  /// The how manieth send of the session it is.
  package let number: Int

  /// Reads what a message asks for; `nil` for one that sends nothing. `caret` is the place that a
  /// command without an argument means.
  package init?(
    _ request: RequestID, _ method: String, _ params: JSONView?,
    _ initialization: LSP.PostkitInitializationOptions, caret: Caret?, number: Int
  ) {
    (self.request, self.number) = (request, number)
    // What can't be read is refused by the handler; here it is unknown, and that is all.
    progressToken = params?["workDoneToken"].flatMap { try? LSP.ProgressToken(decoding: $0) }
      .map { "\($0)" }
    if method == LSP.PostkitSendRequest.method {
      uri = (params?["textDocument"]?["uri"]?.string).map { DocumentURI($0) }
      position = params?["position"].flatMap { try? LSP.Position(decoding: $0) }  // as above
      name = params?["name"]?.string
      range = nil
      return
    }
    guard method == LSP.ExecuteCommandRequest.method,
      let id = params?["command"]?.string.flatMap({ CommandID(name: $0, initialization) }),
      [.send, .sendAll, .resend].contains(id)
    else { return nil }
    let argument = params?["arguments"]?.elements.first
    let meant = id == .resend || argument?.kind == .object ? nil : caret
    uri = (argument?["uri"]?.string ?? meant?.uri).map { DocumentURI($0) }
    let place = argument?["position"].flatMap { try? LSP.Position(decoding: $0) }  // as above
    position = id == .send ? place ?? meant?.position : nil
    range = argument?["range"].flatMap { try? LSP.Range(decoding: $0) }  // as above
    name = argument?["name"]?.string
  }

  /// Whether it is about an offset of its document.
  package func covers(
    _ offset: Int, of document: OpenDocument, _ encoding: PositionEncoding
  ) -> Bool {
    let converter = document.text.converter(encoding)
    if let meant = range.map({ converter.offsets($0) }) {
      // Requests are sent whole where the lines touch them.
      return document.parsed.block(at: offset).map {
        $0.range.lowerBound <= meant.upperBound && meant.lowerBound < $0.range.upperBound
      } ?? false
    }
    let block =
      name.map { document.parsed.runnable(named: $0) }
      ?? position.map { document.parsed.block(at: converter.offset($0)) }
    guard let block else { return true }
    guard let range = block?.range else { return false }
    return range.contains(offset) || offset == range.upperBound
  }
}
