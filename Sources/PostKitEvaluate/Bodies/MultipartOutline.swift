// The form of a multipart body: its delimiters and what is wrong with them (PK-19).

import PostKitHTTP

/// The lines of a multipart body, looked at for their delimiters.
struct MultipartOutline {
  /// The bytes of each line; `nil` where a file is included.
  private let lines: [[UInt8]?]

  init(_ lines: [[UInt8]?]) {
    self.lines = lines.map { $0.map(MultipartOutline.trimmed) }
  }

  /// The boundary that the first line names: `--token`.
  var firstDelimiter: String? {
    guard let first = lines.first(where: { $0 != [] }), let line = first,
      line.starts(with: MultipartOutline.dashes), line.count > 2
    else { return nil }
    return String(keeping: line.dropFirst(2))
  }

  /// A boundary as the value of a parameter: in quotes unless it is a token.
  static func parameter(_ boundary: String) -> String {
    HeaderName.isToken(boundary) ? boundary : "\"\(boundary)\""
  }

  /// What keeps a server from reading the body, and the line to say it at; `boundary` is that of
  /// the header.
  func mistake(boundary: String?) -> (sentence: String, line: Int)? {
    guard !lines.isEmpty else { return nil }
    // Where the whole body is a file, that has the boundaries.
    if lines.contains(nil), lines.allSatisfy({ $0?.isEmpty ?? true }) { return nil }
    guard let name = boundary ?? firstDelimiter, !name.contains("{{") else {
      return boundary == nil
        ? ("Neither the `Content-Type` nor the body has a boundary. Write "
          + "`multipart/form-data; boundary=part` and `--part` before each part.", 0) : nil
    }
    // A boundary that is made of references can't be told from the text.
    let hasReference = lines.contains { line in
      guard let line, line.starts(with: MultipartOutline.dashes) else { return false }
      return String(decoding: line, as: UTF8.self).contains("{{")
    }
    if hasReference { return nil }
    let delimiter = MultipartOutline.dashes + name.keptBytes
    guard let first = lines.firstIndex(of: delimiter) else {
      return ("The body does not contain the boundary `\(name.shown)` of the header. "
          + "Begin each part with "
        + "the line `--\(name.shown)`.", 0)
    }
    guard let last = lines.lastIndex(of: delimiter + MultipartOutline.dashes), last > first else {
      return ("The multipart body is not closed. Add the line `--\(name.shown)--` after the last "
        + "part.",
        lines.count - 1)
    }
    return unseparatedPart(delimiter, first..<last)
  }

  /// A part whose headers are followed by no blank line.
  private func unseparatedPart(
    _ delimiter: [UInt8], _ range: Range<Int>
  ) -> (sentence: String, line: Int)? {
    for start in range where lines[start] == delimiter {
      var at = start + 1
      while at < range.upperBound, let line = lines[at], !line.isEmpty, line != delimiter {
        at += 1
      }
      if lines[at] == [] { continue }
      return ("A blank line is missing between the headers and the content of this part.",
        start)
    }
    return nil
  }

  private static let dashes: [UInt8] = [45, 45]

  private static func trimmed(_ line: [UInt8]) -> [UInt8] {
    String(keeping: line).trimmingASCIIBlanks().keptBytes
  }
}
