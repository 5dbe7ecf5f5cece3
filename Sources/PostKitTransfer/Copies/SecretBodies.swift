// Secrets within bodies that programs write as base64, and in the parts of a form.

import PostKitHTTP

extension SecretMarks {
  /// Chunks in which each mark of a text that programs write as base64 is one by itself.
  func setApart(_ body: [BodyChunk]) -> [BodyChunk] {
    body.flatMap { chunk -> [BodyChunk] in
      guard case .bytes(let bytes) = chunk, let text = String(validating: bytes, as: UTF8.self),
        !PowerShellCode.isPlain(text)
      else { return [chunk] }
      var pieces = [text]
      for mark in used {
        pieces = pieces.flatMap { piece -> [String] in
          if piece == mark.word { return [piece] }
          let parts = piece.split(separator: mark.word, omittingEmptySubsequences: false)
          return parts.enumerated().flatMap { place, part in
            (place == 0 ? [] : [mark.word]) + [String(part)]
          }
        }
      }
      return pieces.filter { !$0.isEmpty }.map { .bytes(Array($0.utf8)) }
    }
  }

  /// Whether a copy has marks in base64, where nobody would find them.
  func areHidden(in copy: String) -> Bool {
    guard !used.isEmpty else { return false }
    let allowed = ASCIISet(alphanumericsAnd: "+/=")
    return copy.utf8.split { !allowed.contains($0) }.contains { run in
      guard run.count > prefix.utf8.count, run.count % 4 == 0,
        let bytes = Base64.decode(String(decoding: run, as: UTF8.self))
      else { return false }
      return String(decoding: bytes, as: UTF8.self).contains(prefix)
    }
  }
}

/// The parts of a form with several parts, as it is sent.
enum CopyParts {
  /// Where the contents of parts are in bytes that have whole parts, or begin or end within one.
  static func contents(of bytes: [UInt8], boundary: String) -> [Range<Int>] {
    let delimiter = Array("--\(boundary)".utf8)
    var ranges: [Range<Int>] = []
    var start: Int?
    var line = 0
    while line < bytes.count {
      let end = bytes[line...].firstIndex(of: 10) ?? bytes.count
      if bytes[line..<end].starts(with: delimiter) {
        if let start {
          // The line break before a delimiter is part of that.
          var last = max(start, line - 1)
          if last > start, bytes[last - 1] == 13 { last -= 1 }
          ranges.append(start..<last)
        }
        (start, line) = (nil, end + 1)
        // The head of the part.
        while line < bytes.count {
          let end = bytes[line...].firstIndex(of: 10) ?? bytes.count
          let isBlank = bytes[line..<end].allSatisfy { $0 == 13 }
          line = end + 1
          if isBlank {
            start = min(line, bytes.count)
            break
          }
        }
      } else {
        line = end + 1
      }
    }
    return ranges
  }
}
