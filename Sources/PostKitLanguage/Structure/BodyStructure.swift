// What the body of a request or of an in-line response is made of: JSON, or the parts of a
// multipart body.

import PostKitSyntax

/// A part of a multipart body.
struct BodyPart: Sendable, Hashable {
  /// From its delimiter to the line before the next one.
  var range: Range<Int>
  /// The name of the field; `nil` where none is written.
  var name: String?
}

extension ParsedBlock {
  /// The first value of a header, as written; `nil` where there is none.
  func writtenHeader(_ name: String) -> String? {
    request?.headers.first {
      !$0.value.isEmpty && $0.name.count == name.utf8.count && text($0.name).lowercased() == name
    }?.value.map(text).joined(separator: " ")
  }

  /// The JSON of the body; `nil` where it is none.
  var bodyJSON: JSONOutline? {
    guard let body = request?.body else { return nil }
    let type = writtenHeader("content-type")?.lowercased()
    guard type.map({ $0.contains("json") }) ?? true else { return nil }
    return json(in: absolute(body.range))
  }

  /// A range of the file as JSON, if it begins like an object or an array.
  func json(in range: Range<Int>) -> JSONOutline? {
    guard let first = range.first(where: { bytes[$0] > 32 }),
      bytes[first] == UInt8(ascii: "{") || bytes[first] == UInt8(ascii: "[")
    else { return nil }
    // A reference at the start is no object.
    if bytes[first..<range.upperBound].starts(with: "{{".utf8) { return nil }
    return JSONOutline(bytes, range, references: references.map { absolute($0.range) })
  }

  /// The parts of a multipart body.
  var bodyParts: [BodyPart] {
    guard let body = request?.body,
      writtenHeader("content-type")?.lowercased().hasPrefix("multipart/") == true,
      let first = body.lines.first(where: { !$0.content.isEmpty })
    else { return [] }
    let delimiter = slice(first.content).withoutBlanks
    guard delimiter.starts(with: "--".utf8), delimiter.count > 2 else { return [] }
    var parts: [BodyPart] = []
    var start: Int?
    var name: String?
    var end = 0
    for line in body.lines {
      let text = slice(line.content).withoutBlanks
      if text.starts(with: delimiter), text.count == delimiter.count || text.last == 45 {
        if let start { parts.append(BodyPart(range: absolute(start..<end), name: name)) }
        let isLast = text.count > delimiter.count
        (start, name) = (isLast ? nil : line.content.lowerBound, nil)
      } else if name == nil, start != nil {
        name = BodyPart.fieldName(text)
      }
      end = line.content.upperBound
    }
    if let start { parts.append(BodyPart(range: absolute(start..<end), name: name)) }
    return parts
  }

  /// The head and the body of an in-line response: its status line and headers, and what follows
  /// the blank line.
  var responseParts: (head: Range<Int>, body: Range<Int>)? {
    guard let range = syntax.inlineResponse.map(absolute) else { return nil }
    var at = range.lowerBound
    var isBlank = false
    while at < range.upperBound {
      if bytes[at] == 10 {
        if isBlank { break }
        isBlank = true
      } else if bytes[at] != 13 {
        isBlank = false
      }
      at += 1
    }
    return (range.lowerBound..<at, min(at + 1, range.upperBound)..<range.upperBound)
  }
}

extension BodyPart {
  /// The name in a `Content-Disposition` line.
  fileprivate static func fieldName(_ line: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: line, as: UTF8.self)
    guard text.lowercased().hasPrefix("content-disposition:") else { return nil }
    for parameter in text.split(separator: ";").dropFirst() {
      let halves = parameter.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, halves[0].trimmed.lowercased() == "name" else { continue }
      return String(halves[1].trimmed.drop { $0 == "\"" }.prefix { $0 != "\"" })
    }
    return nil
  }
}

extension Substring {
  /// The text without blanks at its ends.
  fileprivate var trimmed: Substring {
    var rest = drop { $0 == " " || $0 == "\t" }
    while rest.last == " " || rest.last == "\t" { rest.removeLast() }
    return rest
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without blanks at their ends.
  fileprivate var withoutBlanks: ArraySlice<UInt8> {
    var rest = drop { $0 == 32 || $0 == 9 || $0 == 13 }
    while let last = rest.last, last == 32 || last == 9 || last == 13 { rest.removeLast() }
    return rest
  }
}
