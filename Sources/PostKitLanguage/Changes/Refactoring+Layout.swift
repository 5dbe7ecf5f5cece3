// The layout of a JSON body. Blanks are sent as they are written, so that it changes only when
// somebody asks for it.

import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

extension Refactoring {
  /// Each member and element of the body on a line of its own.
  var jsonLines: CodeChange? {
    json("Format the JSON body on several lines") { $0.indented(writing: $1) }
  }

  /// The whole body on one line.
  var jsonLine: CodeChange? {
    json("Format the JSON body on one line") { $0.onOneLine(writing: $1) }
  }

  /// The body in another layout; `nil` where it has that layout, or can't be read before its
  /// references are known. What is no blank between the values stays byte for byte.
  private func json(_ title: String, _ write: (JSONTree, [UInt8]) -> [UInt8]) -> CodeChange? {
    guard let body = request.body, touches(body.range), looksLikeJSON(body),
      body.lines.allSatisfy({ $0.kind == .text })
    else { return nil }
    let range = block.absolute(body.range)
    let written = Array(document.bytes[range])
    let neutral = NeutralBody(
      block, body, filler: UInt8(ascii: "1"), dropsComments: false, dropsEndMark: false)
    // What can't be read has a diagnostic of its own.
    guard let tree = try? JSONTree(parsing: neutral.text) else { return nil }
    let lines = write(tree, written).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let root = tree.root.range
    let kept = range.lowerBound + root.lowerBound..<range.lowerBound + root.upperBound
    guard
      let new = String(
        validating: Array(lines.joined(separator: Array(lineEnd.utf8))), as: UTF8.self),
      new != text(kept)
    else { return nil }
    return CodeChange(.rewrite, title, [TextEdit(kept, new)])
  }

  /// Whether the body is JSON by its type, or where that is not told by its first character.
  private func looksLikeJSON(_ body: BodySyntax) -> Bool {
    if let type = mediaType { return type.isJSON }
    guard header("content-type") == nil else { return false }
    let first = block.slice(body.range).first { $0 > 32 }
    return first.map { "{[".utf8.contains($0) } ?? false
  }
}
