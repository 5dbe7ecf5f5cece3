// Responses that the origin keeps with a request, as files that its block names (IO-9).

import PostKitHTTP
import PostKitSyntax

/// Writes examples beside request files.
enum ExampleFiles {
  /// What says how a body was sent and not what it is.
  private static let transferHeaders: Set<String> = [
    "content-length", "transfer-encoding", "content-encoding",
  ]

  /// The file of an example, and what names it behind `# @example`.
  static func file(
    _ example: OriginExample, number: Int, title: String, _ files: BesideFiles
  ) -> (file: TransferFile, tag: String)? {
    guard (100...999).contains(example.status) else { return nil }
    let bytes = content(example)
    // An answer may have lines in it that begin a request: a file of another ending is none that
    // requests are read from.
    let document = ParsedDocument(bytes: bytes)
    let isPlain = document.blocks.count == 1 && document.blocks[0].syntax.kind == .response
      && !bytes.contains(0)
    let name = LineText.cut(LineText.oneLine(example.name), to: 30)
    let path = files.name(
      "example \(number)", suffix: ".\(name.isEmpty ? String(number) : name).\(example.status)",
      in: "examples/", ending: isPlain ? ".http" : ".response")
    let file = TransferFile(path: files.directory + path, bytes: bytes)
    return (file, "example \(example.status) ./\(path)")
  }

  /// The status line, the headers, a blank line and the body.
  private static func content(_ example: OriginExample) -> [UInt8] {
    let reason = Status.reason(example.status).map { " \($0)" } ?? ""
    var head = "HTTP/1.1 \(example.status)\(reason)\n"
    for pair in example.headers where pair.isOn {
      let name = pair.name.text.lowercased()
      guard !transferHeaders.contains(name), let header = HeaderText(pair, [:]), header.isSendable
      else { continue }
      head += header.line + "\n"
    }
    return Array(head.utf8) + (example.body.isEmpty ? [] : [10] + example.body)
  }
}
