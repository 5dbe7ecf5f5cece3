// An answer as it stands in a file.

package import PostKitHTTP

/// An answer in a file: status line, headers, a blank line, the body. Comments may stand at its
/// head.
package struct AnswerText {
  package let status: Int
  package let headers: HeaderFields
  package let body: [UInt8]

  /// Reads an answer; `nil` for what has no status line.
  package init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    func line() -> String? {
      guard !rest.isEmpty else { return nil }
      let end = rest.firstIndex(of: 10) ?? rest.endIndex
      var text = rest[..<end]
      rest = rest[min(end + 1, rest.endIndex)...]
      if text.last == 13 { text = text.dropLast() }
      return String(decoding: text, as: UTF8.self)
    }
    var first = line()
    while let text = first, text.isEmpty || text.hasPrefix("#") { first = line() }
    guard let first, first.hasPrefix("HTTP/"),
      let status = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
      (100...999).contains(status)
    else { return nil }
    self.status = status
    var headers = HeaderFields()
    while let text = line(), !text.isEmpty {
      guard let colon = text.firstIndex(of: ":") else { continue }
      headers.append(
        String(text[..<colon]), String(text[text.index(after: colon)...]).trimmingASCIIBlanks())
    }
    self.headers = headers
    body = Array(rest)
  }

  /// What an example is called by its file: `TITLE.NAME.404.http` is `NAME`.
  package static func name(ofFile path: String) -> String {
    let parts = path.split(separator: "/").last?.split(separator: ".") ?? []
    return parts.count > 2 ? String(parts[parts.count - 3]) : parts.first.map(String.init) ?? path
  }
}
