// What a JSON Web Token says that is written in a text (AU-53).

import PostKitAuth
import PostKitEvaluate
import PostKitJSON
import PostKitText

/// Hovers of JSON Web Tokens. Nothing is evaluated, looked up or sent.
package enum WebTokenHover {
  /// The hover of a token that stands at a place of a text; `now` is in milliseconds since 1970.
  package static func hover(
    in bytes: some RandomAccessCollection<UInt8>, at offset: Int, now: Int64
  ) -> Hover? {
    guard let (range, text) = candidate(in: bytes, at: offset) else { return nil }
    do throws(WebTokenProblem) {
      let token = try WebToken(text, limit: WebToken.shownLimit)
      return Hover(range: range, markdown: markdown(token.header, token.claims, now))
    } catch {
      guard case .encrypted(let header) = error else { return nil }
      return Hover(
        range: range,
        markdown: [table("Header", header, now), Markdown.sentence(error.message)]
          .joined(separator: "\n\n"))
    }
  }

  /// The run of letters around a place that may be a token.
  private static func candidate(
    in bytes: some RandomAccessCollection<UInt8>, at offset: Int
  ) -> (range: Range<Int>, text: String)? {
    let count = bytes.count
    guard (0...count).contains(offset) else { return nil }
    func byte(_ place: Int) -> UInt8 { bytes[bytes.index(bytes.startIndex, offsetBy: place)] }
    var start = offset
    var end = offset
    while start > 0, offset - start <= WebToken.shownLimit, isLetter(byte(start - 1)) { start -= 1 }
    while end < count, end - offset <= WebToken.shownLimit, isLetter(byte(end)) { end += 1 }
    guard end - start <= WebToken.shownLimit else { return nil }
    var letters = (start..<end).map(byte)
    let points = letters.count { $0 == point }
    // The point of a sentence may follow.
    if points == 3 || points == 5, letters.last == point {
      letters.removeLast()
    } else if points != 2, points != 4 {
      return nil
    }
    return (start..<start + letters.count, String(decoding: letters, as: UTF8.self))
  }

  private static let point = UInt8(ascii: ".")

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"), point: true
    default: false
    }
  }

  private static func markdown(_ header: JSONTree, _ claims: JSONTree?, _ now: Int64) -> String {
    [
      table("Claim", claims, now) ?? "The payload is not a JSON object.",
      table("Header", header, now), "The signature was not checked.",
    ].joined(separator: "\n\n")
  }

  private static func table(_ title: String, _ tree: JSONTree?, _ now: Int64) -> String? {
    tree.map { table(title, $0, now) }
  }

  private static func table(_ title: String, _ tree: JSONTree, _ now: Int64) -> String {
    let lines = WebTokenLines.lines(tree, now: now) {
      DateFormat.iso8601(CivilDate(milliseconds: $0))
    }
    let rows = lines.map { line in
      let value = Analysis.code(line.value.oneLine)
      return [Markdown.code(line.name.oneLine), line.meaning.map { "\(value) \($0)" } ?? value]
    }
    return Markdown.table([title, "Value"], rows)
  }
}
