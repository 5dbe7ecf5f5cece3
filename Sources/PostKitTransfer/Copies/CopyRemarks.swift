// What a target can't do of a request, and says so.

import PostKitHTTP

/// The comments above a copy.
struct CopyRemarks {
  /// The program, as people call it.
  let program: String
  private var texts: [String] = []

  /// Begins without remarks.
  init(_ program: String) { self.program = program }

  /// The remarks as lines of comments.
  func lines(_ mark: String) -> [String] { texts.map { "\(mark) \($0)" } }

  /// Adds a sentence. What the request says can't end the comment.
  mutating func add(_ text: String) {
    let safe = text.unicodeScalars.map { scalar in
      switch scalar.value {
      case 0..<32, 127..<160, 0x2028, 0x2029: " "
      default: String(scalar)
      }
    }
    texts.append(safe.joined().shown)
  }

  /// What programs have in common that speak HTTP/1.1 alone and know only some of the ways to prove
  /// who sends a request.
  mutating func addCommon(_ spec: RequestSpec, authenticates: Bool = false) {
    switch spec.options.httpVersion {
    case .automatic, .http11: break
    case let version:
      add("\(program) speaks HTTP/1.1; the request asks for HTTP/\(version.rawValue).")
    }
    if let target = spec.requestTarget {
      add("\(program) can't ask for the target `\(target)`; it asks for that of the URL.")
    }
    if !authenticates, let scheme = spec.options.authentication?.scheme {
      add("\(program) does not support \(scheme); it is left out.")
    }
  }

  /// Says that fields of one name become one.
  mutating func addJoined(_ headers: HeaderFields) {
    for name in headers.repeatedNames {
      add("\(program) sends one field of a name: the values of `\(name)` are joined.")
    }
  }

  /// Says which fields the program sends although the request has none of the name.
  mutating func addOwn(_ names: [String], _ spec: RequestSpec) {
    let own = names.filter { !spec.headers.contains($0) }.map { "`\($0)`" }
    if !own.isEmpty { add("\(program) adds \(own.joined(separator: ", ")) of its own.") }
  }

  /// Says that a field is left out.
  mutating func addRefused(_ field: HeaderField) {
    add("\(program) can't send the field `\(field.name): \(field.value.shown)`; it is left out.")
  }

  /// Says that the program writes the target in its own way.
  mutating func addRewritten(_ url: String) {
    add("\(program) may write the target of \(url) differently.")
  }
}

extension Authentication {
  /// The name of the scheme, for messages.
  var scheme: String {
    switch self {
    case .digest: "Digest authentication"
    case .ntlm: "NTLM authentication"
    case .negotiate: "Negotiate authentication"
    case .signature: "AWS signatures"
    }
  }
}

extension HeaderFields {
  /// The names of which there are several fields, as they are written first.
  var repeatedNames: [String] {
    fields.indices.filter { index in
      let name = fields[index].name
      return values(name).count > 1
        && !fields[..<index].contains { $0.name.equalsIgnoringASCIICase(name) }
    }.map { fields[$0].name }
  }

  /// The fields with those of one name joined, which means the same (RFC 9110, section 5.3).
  var joined: [HeaderField] {
    var result = HeaderFields()
    for field in fields where !result.contains(field.name) {
      let separator = field.name.equalsIgnoringASCIICase("Cookie") ? "; " : ", "
      result.append(field.name, values(field.name).joined(separator: separator))
    }
    return result.fields
  }

  /// Whether the body is to be sent in pieces, of which each says its length.
  var areChunked: Bool {
    first("Transfer-Encoding").map { $0.equalsIgnoringASCIICase("chunked") } ?? false
  }
}

/// What libraries change of the path and the query of a URL.
struct CopiedTarget {
  private let path: [UInt8]
  private let query: [UInt8]?

  /// Looks at an absolute URL.
  init(_ url: String) {
    let parts = URLText(url)
    path = Array(url[parts.path].utf8)
    query = parts[parts.query].map { Array($0.utf8) }
  }

  /// Whether the path has segments that mean a folder above or the same.
  var hasDotSegments: Bool {
    path.split(separator: UInt8(ascii: "/")).contains { segment in
      [".", ".."].contains(String(decoding: segment, as: UTF8.self).replacing("%2e", with: ".")
        .replacing("%2E", with: "."))
    }
  }

  /// Whether there is a question mark and nothing behind it.
  var hasEmptyQuery: Bool { query?.isEmpty == true }

  /// Whether the path has empty segments at its beginning.
  var beginsWithSlashes: Bool { path.starts(with: "//".utf8) }

  /// Whether the path or the query has one of these.
  func has(_ characters: String) -> Bool { has(inPath: characters) || has(inQuery: characters) }

  /// Whether the path has one of these.
  func has(inPath characters: String) -> Bool { path.contains { characters.utf8.contains($0) } }

  /// Whether the query has one of these.
  func has(inQuery characters: String) -> Bool {
    query?.contains { characters.utf8.contains($0) } ?? false
  }

  /// Whether there are escapes of characters that need none.
  var hasUnusualEscapes: Bool {
    escapes.contains { digits in
      let value = Hex.decode(String(decoding: digits, as: UTF8.self))?.first
      return value.map(ASCIISet.unreserved.contains) ?? false
    }
  }

  /// Whether there are escapes with small letters.
  var hasSmallEscapes: Bool { escapes.contains { $0.contains { $0 >= UInt8(ascii: "a") } } }

  private var escapes: [ArraySlice<UInt8>] {
    let bytes = path + (query ?? [])
    return bytes.indices.filter { PercentEncoding.isEncoded(bytes, at: $0, end: bytes.count) }
      .map { bytes[$0 + 1...$0 + 2] }
  }
}
