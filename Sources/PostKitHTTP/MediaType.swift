// Media types as far as PostKit acts on them (RFC 9110, section 8.3.1).

/// A parsed `Content-Type` value.
package struct MediaType: Sendable, Hashable {
  /// The type and subtype in small letters, such as `application/json`.
  package let essence: String
  /// The parameters in order; names in small letters, values without quotes.
  package let parameters: [HeaderField]

  /// Parses a header value; `nil` when there is no `type/subtype` at its start.
  package init?(_ value: String) {
    if MediaType.isEssence(value) {
      essence = value
      parameters = []
      return
    }
    let pieces = MediaType.splitOutsideQuotes(value)
    guard let first = pieces.first else { return nil }
    let essence = first.trimmingASCIIBlanks().lowercased()
    let halves = essence.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty else { return nil }
    self.essence = essence
    self.parameters = pieces.dropFirst().compactMap { piece in
      guard let equals = piece.firstIndex(of: "=") else { return nil }
      let name = piece[..<equals].description.trimmingASCIIBlanks().lowercased()
      var text = piece[piece.index(after: equals)...].description.trimmingASCIIBlanks()
      if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
        text = String(text.dropFirst().dropLast())
      }
      return HeaderField(name, text)
    }
  }

  /// The value of a parameter, named in small letters.
  package func parameter(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// Whether the content is JSON (`application/json`, `text/json` or a `+json` suffix).
  package var isJSON: Bool {
    essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
  }

  /// Whether the content is newline-delimited JSON (PK-22).
  package var isNewlineDelimitedJSON: Bool {
    MediaType.newlineDelimited.contains(essence) || essence.hasSuffix("+jsonl")
  }
  private static let newlineDelimited = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
  ]

  /// Whether the content is XML (`application/xml`, `text/xml` or a `+xml` suffix).
  package var isXML: Bool {
    essence == "application/xml" || essence == "text/xml" || essence.hasSuffix("+xml")
  }

  /// Whether the content is HTML (`text/html`).
  package var isHTML: Bool { essence == "text/html" }

  /// Whether a path without a sign of its own is XPath in the content: in XML and HTML.
  package var isMarkup: Bool { isXML || isHTML }

  /// Whether the content is a form (`application/x-www-form-urlencoded`).
  package var isForm: Bool { essence == "application/x-www-form-urlencoded" }

  /// Whether the content is made of parts (`multipart/…`).
  package var isMultipart: Bool { essence.hasPrefix("multipart/") }

  /// Whether a person can read the content as text.
  package var isText: Bool {
    essence.hasPrefix("text/") || isJSON || isXML || isNewlineDelimitedJSON || isForm
      || [
        "application/javascript", "application/graphql", "application/yaml", "application/x-yaml",
        "application/toml", "application/x-sh", "application/sql", "message/http",
      ].contains(essence)
  }

  /// The file name extension by which editors choose a grammar, without the dot.
  package var fileExtension: String {
    if isJSON { return "json" }
    if isNewlineDelimitedJSON { return "jsonl" }
    if essence == "text/html" || essence == "application/xhtml+xml" { return "html" }
    if essence == "image/svg+xml" { return "svg" }
    if isXML { return "xml" }
    let known = [
      "text/css": "css", "text/csv": "csv", "text/markdown": "md", "text/javascript": "js",
      "application/javascript": "js", "application/graphql": "graphql", "application/yaml": "yaml",
      "application/x-yaml": "yaml", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif",
      "image/webp": "webp", "application/pdf": "pdf", "application/zip": "zip",
      "application/gzip": "gz",
    ]
    return known[essence] ?? (isText ? "txt" : "bin")
  }

  /// Whether a value is a type and a subtype in small letters and nothing else, as nearly all are:
  /// then there is nothing to take apart. `false` says nothing.
  private static func isEssence(_ value: String) -> Bool {
    value.withBytes { bytes in
      var slashes = 0
      for byte in bytes {
        switch byte {
        case UInt8(ascii: "/"): slashes += 1
        case 48...57, 97...122, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): break
        default: return false
        }
      }
      return slashes == 1 && bytes.first != UInt8(ascii: "/") && bytes.last != UInt8(ascii: "/")
    }
  }

  private static func splitOutsideQuotes(_ value: String) -> [String] {
    var pieces: [String] = []
    var piece: [UInt8] = []
    var quoted = false
    var escaped = false
    for byte in value.utf8 {
      if escaped {
        escaped = false
      } else if quoted && byte == UInt8(ascii: "\\") {
        escaped = true
        continue
      } else if byte == UInt8(ascii: "\"") {
        quoted.toggle()
      } else if byte == UInt8(ascii: ";") && !quoted {
        pieces.append(String(decoding: piece, as: UTF8.self))
        piece.removeAll(keepingCapacity: true)
        continue
      }
      piece.append(byte)
    }
    return pieces + [String(decoding: piece, as: UTF8.self)]
  }
}

extension String {
  /// The text without the blanks and tabs at both ends.
  package func trimmingASCIIBlanks() -> String {
    let isBlank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 }
    // Most have none.
    if let first = utf8.first, let last = utf8.last, !isBlank(first), !isBlank(last) { return self }
    guard let start = utf8.firstIndex(where: { !isBlank($0) }) else { return "" }
    let end = utf8.lastIndex { !isBlank($0) } ?? start
    return String(self[start...end])
  }
}

extension HeaderFields {
  /// What the first `Content-Type` says; `nil` where there is none, or one that can't be read.
  package var mediaType: MediaType? { first("Content-Type").flatMap(MediaType.init) }
}
