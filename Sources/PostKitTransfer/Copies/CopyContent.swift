// The pieces of a body as programs write them, and what programs can't be told.

import PostKitHTTP

/// A piece of a body for a program.
enum CopyContent {
  case text(String)
  case bytes([UInt8])
  /// The file at an absolute path.
  case file(String)
}

extension RequestSpec {
  /// The pieces of the body that have something in them.
  var contents: [CopyContent] {
    body.filter { $0 != .bytes([]) }.map { chunk in
      switch chunk {
      case .file(let path): .file(path)
      case .bytes(let bytes):
        String(validating: bytes, as: UTF8.self).map(CopyContent.text) ?? .bytes(bytes)
      }
    }
  }

  /// The URL with those characters of its target as escapes, for libraries that refuse them.
  func url(escaping refused: String) -> String {
    let target = URLText(url).target.lowerBound
    let refused = Set(refused.utf8)
    return url[target...].utf8.reduce(into: String(url[..<target])) { result, byte in
      result += refused.contains(byte)
        ? "%" + CopyLiteral.hex(UInt32(byte), 2).uppercased() : String(Unicode.Scalar(byte))
    }
  }

  /// Whether the library must be told that there are no fields but those of the request.
  func lacks(_ name: String) -> Bool { !headers.contains(name) }
}

/// An option that a program can be told.
enum CopyAbility {
  case totalTimeout, connectTimeout, insecure, authority, clientCertificate, passphrase, proxy
  case keptMethod
}

extension CopyRemarks {
  /// Says which options of a request the program is not told.
  mutating func addOptions(_ options: TransferOptions, except known: Set<CopyAbility>) {
    let usual = TransferOptions()
    if !known.contains(.totalTimeout), let total = options.totalTimeoutMilliseconds {
      add("\(program) has no limit for the whole transfer; the request has \(total.inSeconds) s.")
    }
    if !known.contains(.connectTimeout),
      options.connectTimeoutMilliseconds != usual.connectTimeoutMilliseconds
    {
      let limit = options.connectTimeoutMilliseconds.inSeconds
      add("The copy does not limit the time to connect; the request has \(limit) s.")
    }
    if !known.contains(.insecure), !options.verifiesTLS {
      add("\(program) checks certificates here; the request does not.")
    }
    if !known.contains(.authority), let file = options.certificateAuthorityFile {
      add("The copy trusts the system's certificates; the request those of \(file).")
    }
    if !known.contains(.clientCertificate), let file = options.clientCertificateFile {
      add("The copy has no client certificate; the request has \(file).")
    } else if !known.contains(.passphrase), options.clientKeyPassphrase != nil {
      add("\(program) can't be told the passphrase of the key here.")
    }
    if !known.contains(.proxy), let proxy = options.proxy, !proxy.isEmpty {
      add("The copy uses the proxy of the environment; the request has one of its own.")
    }
    if !known.contains(.keptMethod), options.followsRedirects, options.keepsMethod {
      add("\(program) follows a redirect of a POST with GET; the request keeps its method.")
    }
  }

  /// Says that the program writes the names of fields in its own way.
  mutating func addRenamed(_ how: String) {
    add("\(program) writes the names of fields \(how).")
  }
}

extension CopyLiteral {
  /// Bytes as the inside of a literal that has `\xNN`; line feeds are `\n`.
  static func bytes(_ content: [UInt8], escaping: String = "") -> String {
    content.map { byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(Unicode.Scalar(byte))
      case 10: "\\n"
      case _ where escaping.utf8.contains(byte): "\\" + String(Unicode.Scalar(byte))
      case 32..<127: String(Unicode.Scalar(byte))
      default: "\\x" + CopyLiteral.hex(UInt32(byte), 2)
      }
    }.joined()
  }

  /// A character as the escapes of UTF-16 that JavaScript, Java and Kotlin have.
  static func utf16(_ value: UInt32) -> String {
    guard let scalar = Unicode.Scalar(value) else { return "" }
    return UTF16.encode(scalar)?.map { "\\u" + hex(UInt32($0), 4) }.joined() ?? ""
  }
}
