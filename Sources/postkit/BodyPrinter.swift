// A body on standard output: the exact bytes for programs, what a terminal can show for people.

import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSupport

/// Prints response bodies.
struct BodyPrinter: Sendable {
  let console: Console
  /// The command that prints the same body, for telling how to save it.
  let command: String

  /// Prints the body of a response, and says when it is not all that came.
  func show(_ response: Response) {
    show(response.body, contentType: response.headers.first("Content-Type"))
    guard response.isTruncated else { return }
    console.note(
      "PostKit stored only the first \(response.body.count) of \(response.decodedSize) bytes; "
        + "`>> FILE` below the request saves all of them, and `history.maxBodyBytes` sets how many "
        + "it stores")
  }

  /// Prints a body. On a terminal control characters are escaped, and content that is no text is
  /// replaced by its type, its size and how to save it.
  private func show(_ body: BodyContent, contentType: String?) {
    guard console.outputIsTerminal else { return copy(body) }
    guard body.count > 0 else { return }
    let limit = Limits.viewBodyBytes
    let type = contentType.flatMap(MediaType.init)
    let bytes = StoredBody.bytes(body, limit: limit)
    let save = "save it: `\(command) > FILE`"
    guard let text = BodyText.decoded(bytes, type) else {
      let kind = Display.safe(type?.essence ?? "binary content")
      console.note("\(kind), \(Display.size(body.count)), not shown; \(save)")
      return
    }
    console.line(Display.safe(text.last == "\n" ? String(text.dropLast()) : text))
    if body.count > limit {
      console.note("the first \(Display.size(limit)) of \(Display.size(body.count)); \(save)")
    }
  }

  private func copy(_ body: BodyContent) {
    switch body {
    case .bytes(let bytes): console.write(bytes)
    case .file(let path, _):
      do throws(FileFailure) {
        try FileSystem.forEachChunk(path: path) { chunk in console.write(chunk) }
      } catch {
        console.complain("the body could not be printed: \(error)")
      }
    }
  }
}
