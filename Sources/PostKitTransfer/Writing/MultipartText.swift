// Multipart bodies as text (IO-12).

/// A multipart body in lines.
struct MultipartText {
  /// The lines of the body.
  private(set) var lines: [String] = []
  /// How many of them name a file.
  private(set) var fileCount = 0
  /// What parts the parts.
  let boundary: String

  /// Parts with their contents as they are written.
  struct Part {
    /// What a part's lines are.
    enum Content {
      case text(String)
      /// A line that names a file.
      case file(String)
    }
    var headers: [String]
    var content: Content
  }

  /// Writes parts with a boundary that none of them contains; `contained` are the bytes of files.
  init(_ parts: [Part], contained: [[UInt8]]) {
    let wanted = Array("postkit-import".utf8)
    var texts = parts.flatMap(\.headers)
    for part in parts {
      if case .text(let text) = part.content { texts.append(text) }
    }
    let taken = texts.map { Array($0.utf8) } + contained
    let isFree = !taken.contains { Self.contains($0, wanted) }
    boundary = isFree ? "postkit-import" : Self.boundary(notIn: taken)
    for part in parts {
      lines.append("--\(boundary)")
      lines += part.headers
      lines.append("")
      switch part.content {
      case .text(let text):
        lines += text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" }
          .map(String.init)
      case .file(let line):
        lines.append(line)
        fileCount += 1
      }
    }
    lines.append("--\(boundary)--")
  }

  /// Whether a file may have the boundary in it, so that it must be looked at again.
  static func mayHoldBoundary(_ bytes: [UInt8]) -> Bool {
    contains(bytes, Array("postkit-import".utf8))
  }

  private static func boundary(notIn texts: [[UInt8]]) -> String {
    var number = 2
    while texts.contains(where: { contains($0, Array("postkit-import-\(number)".utf8)) }) {
      number += 1
    }
    return "postkit-import-\(number)"
  }

  private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard bytes.count >= wanted.count else { return false }
    var at = 0
    while let found = bytes[at...].firstIndex(of: wanted[0]) {
      if bytes[found...].starts(with: wanted) { return true }
      at = found + 1
    }
    return false
  }

  /// The header lines of a part. Quotes and line ends in names are written as browsers do.
  static func headers(
    of part: OriginPart, fileName: String?, _ renamed: [String: String]
  ) -> [String] {
    func quoted(_ text: String) -> String {
      let escaped = text.replacing("\"", with: "%22").replacing("\r", with: "%0D")
        .replacing("\n", with: "%0A")
      return "\"\(LineText.oneLine(escaped))\""
    }
    var lines: [String] = []
    let own = part.headers.filter(\.isOn)
    func has(_ name: String) -> Bool { own.contains { $0.name.text.lowercased() == name } }
    if !has("content-disposition") {
      let name = part.name.isLiteral
        ? HeaderText.literal(part.name.text) : TemplateNames.renaming(part.name.text, renamed)
      var line = "Content-Disposition: form-data; name=\(quoted(name))"
      if let fileName { line += "; filename=\(quoted(fileName))" }
      lines.append(line)
    }
    if let type = part.contentType, !type.isEmpty, !has("content-type") {
      lines.append("Content-Type: \(LineText.oneLine(TemplateNames.renaming(type, renamed)))")
    }
    for header in own {
      guard let text = HeaderText(header, renamed), text.isSendable else { continue }
      lines.append(text.line)
    }
    return lines
  }
}
