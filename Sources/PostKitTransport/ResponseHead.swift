// Heads as libcurl hands them over: line by line, in the bytes of the wire.

import PostKitHTTP

/// The head of a response while its lines come in.
struct ResponseHead: Sendable, Hashable {
  /// Such as `HTTP/1.1` or `HTTP/2`.
  var version = ""
  var status = 0
  var reason = ""
  var headers = HeaderFields()

  /// Whether another head follows (RFC 9110, section 15.2).
  var isInterim: Bool { (100..<200).contains(status) }

  /// Reads a status line; `nil` for a line that isn't one. The reason phrase may be missing.
  init?(statusLine line: some Collection<UInt8>) {
    guard line.starts(with: "HTTP/".utf8) else { return nil }
    let blank = UInt8(ascii: " ")
    let text = HeadText.trimmed(line)
    guard let end = text.firstIndex(of: blank) else { return nil }
    let rest = text[text.index(after: end)...]
    let code = rest.prefix { $0 != blank }
    guard code.count == 3, let status = Int(HeadText.string(code)) else { return nil }
    self.version = HeadText.string(text[..<end])
    self.status = status
    self.reason = HeadText.string(rest[code.endIndex...].dropFirst())
  }

  /// The size that the body will have once decoded, as far as the head says.
  var announcedSize: Int? {
    guard !headers.contains("Content-Encoding") else { return nil }
    return headers.first("Content-Length").flatMap { Int($0) }
  }
}

extension HeaderFields {
  /// Adds a header line; a line that begins with a blank goes on with the value before it
  /// (obs-fold, RFC 9112, section 5.2). Lines that are no header lines are passed over.
  mutating func append(line: some Collection<UInt8>) {
    guard let first = line.first else { return }
    if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      guard let last = fields.indices.last else { return }
      fields[last].value += " " + HeadText.string(HeadText.trimmed(line))
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    append(
      HeadText.string(HeadText.trimmed(line[..<colon])),
      HeadText.string(HeadText.trimmed(line[line.index(after: colon)...])))
  }

  /// Reads a whole request head, request line included.
  package init(requestHead head: [UInt8]) {
    self.init()
    guard var end = head.firstIndex(of: UInt8(ascii: "\n")) else { return }
    while end + 1 < head.count {
      let start = end + 1
      end = head[start...].firstIndex(of: UInt8(ascii: "\n")) ?? head.count
      append(line: head[start..<end])
    }
  }
}

/// Bytes of a head as text.
enum HeadText {
  /// The bytes as UTF-8, else each as the character of that number (RFC 9110, section 5.5).
  static func string(_ bytes: some Collection<UInt8>) -> String {
    // Nearly all are ASCII, which need not be validated in the general way.
    let ascii = bytes.withContiguousStorageIfAvailable { buffer in
      buffer.allSatisfy { $0 < 128 } ? String(decoding: buffer, as: UTF8.self) : nil
    }
    if case let text?? = ascii { return text }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The bytes without blanks, tabs and line ends around them.
  static func trimmed<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
    guard let start = bytes.firstIndex(where: { !isBlank($0) }) else { return bytes.prefix(0) }
    var end = start
    var index = start
    while index != bytes.endIndex {
      let next = bytes.index(after: index)
      if !isBlank(bytes[index]) { end = next }
      index = next
    }
    return bytes[start..<end]
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 9 || byte == 13 || byte == 10
  }
}
