// Multipart bodies as text (IO-12).

import PostKitHTTP

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
    var texts = parts.flatMap(\.headers)
    for part in parts {
      if case .text(let text) = part.content { texts.append(text) }
    }
    let isFree = !Self.contain(texts, contained, "postkit-import")
    boundary = isFree ? "postkit-import" : Self.boundary(notIn: texts, contained)
    for part in parts {
      lines.append("--\(boundary)")
      lines += part.headers
      lines.append("")
      switch part.content {
      case .text(let text) where !text.has("\n"): lines.append(text)
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
  static func mayHoldBoundary(_ bytes: [UInt8]) -> Bool { contain([], [bytes], "postkit-import") }

  private static func boundary(notIn texts: [String], _ contained: [[UInt8]]) -> String {
    var number = 2
    while contain(texts, contained, "postkit-import-\(number)") { number += 1 }
    return "postkit-import-\(number)"
  }

  private static func contain(
    _ texts: [String], _ contained: [[UInt8]], _ wanted: String
  ) -> Bool {
    wanted.withBytes { wanted in
      texts.contains { $0.withBytes { $0.place(of: wanted) != nil } }
        || contained.contains { $0.withUnsafeBufferPointer { $0.place(of: wanted) != nil } }
    }
  }

  /// The header lines of a part. Quotes and line ends in names are written as browsers do.
  static func headers(
    of part: OriginPart, fileName: String?, _ renamed: [String: String]
  ) -> [String] {
    func quoted(_ text: String) -> String {
      let needsEscapes = text.has("\"") || text.has("\r") || text.has("\n")
      let escaped = !needsEscapes ? text
        : text.replacing("\"", with: "%22").replacing("\r", with: "%0D")
          .replacing("\n", with: "%0A")
      return "\"\(LineText.oneLine(escaped))\""
    }
    var lines: [String] = []
    let own = part.headers.filter(\.isOn)
    func has(_ name: String) -> Bool { own.contains { $0.name.text.equalsIgnoringASCIICase(name) } }
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
