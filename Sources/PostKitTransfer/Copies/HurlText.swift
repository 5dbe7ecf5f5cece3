// A request as an entry of a Hurl file.

import PostKitHTTP

/// Writes requests for Hurl.
enum HurlText {
  /// An entry that sends the request.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("Hurl")
    addRemarks(spec, &remarks)
    var lines = remarks.lines("#")
    lines.append("\(spec.method) \(escaped(spec.url))")
    for field in spec.headers.fields where !field.value.keepsBytes {
      lines.append("\(escaped(field.name)): \(escaped(field.value))".trimmedAtEnd)
    }
    let options = optionLines(spec)
    if !options.isEmpty { lines += ["[Options]"] + options }
    if let body = body(spec) { lines.append(body) }
    return lines.joined(separator: "\n")
  }

  /// A text where `#`, templates and backslashes are what they are; that of a body stands between
  /// backquotes.
  private static func escaped(_ text: String, isBody: Bool = false) -> String {
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.map { index in
      let scalar = scalars[index]
      let isTemplate = scalar == "{" && (index + 1 < scalars.count && scalars[index + 1] == "{"
        || index > 0 && scalars[index - 1] == "{")
      switch scalar {
      case "\\": return "\\\\"
      case "#" where !isBody: return "\\#"
      case "`" where isBody: return "\\`"
      case "\r" where isBody: return "\\r"
      case "\n" where isBody: return "\\n"
      case _ where isTemplate || scalar.value < 32 || scalar.value == 127:
        return "\\u{\(CopyLiteral.hex(scalar.value, 1))}"
      default: return String(scalar)
      }
    }.joined()
  }

  private static func optionLines(_ spec: RequestSpec) -> [String] {
    let (options, usual) = (spec.options, TransferOptions())
    var lines: [String] = []
    if options.followsRedirects {
      lines.append("location: true")
      // Hurl's own limit is 50.
      lines.append("max-redirs: \(options.redirectLimit)")
    }
    if !options.verifiesTLS { lines.append("insecure: true") }
    if CopiedTarget(spec.url).hasDotSegments { lines.append("path-as-is: true") }
    switch options.httpVersion {
    case .automatic: break
    case .http10: lines.append("http1.0: true")
    case .http11: lines.append("http1.1: true")
    case .http2, .http2PriorKnowledge: lines.append("http2: true")
    case .http3: lines.append("http3: true")
    }
    if options.connectTimeoutMilliseconds != usual.connectTimeoutMilliseconds {
      lines.append("connect-timeout: \(options.connectTimeoutMilliseconds)ms")
    }
    if let total = options.totalTimeoutMilliseconds { lines.append("max-time: \(total)ms") }
    let files = [
      ("cacert", options.certificateAuthorityFile), ("cert", options.clientCertificateFile),
      ("key", options.clientKeyFile),
    ]
    for (name, file) in files { if let file { lines.append("\(name): \(escaped(file))") } }
    if let proxy = options.proxy, !proxy.isEmpty { lines.append("proxy: \(escaped(proxy))") }
    switch options.authentication {
    case .digest(let user, let password):
      lines += ["digest: true", "user: \(escaped("\(user):\(password)"))"]
    case .ntlm(let user, let password):
      lines += ["ntlm: true", "user: \(escaped("\(user):\(password)"))"]
    case .negotiate(let user, let password):
      lines += ["negotiate: true", "user: \(escaped("\(user):\(password)"))"]
    case .signature(let key):
      lines += [
        "aws-sigv4: aws:amz:\(escaped(key.region)):\(escaped(key.service))",
        "user: \(escaped("\(key.accessKey):\(key.secret)"))",
      ]
    case nil: break
    }
    return lines
  }

  private static func body(_ spec: RequestSpec) -> String? {
    let contents = spec.contents
    if contents.isEmpty { return nil }
    if contents.count == 1, case .file(let path) = contents[0] {
      return "file,\(path.replacing("\\", with: "\\\\").replacing(";", with: "\\;"));"
    }
    let texts = contents.compactMap { if case .text(let text) = $0 { text } else { nil } }
    if texts.count == contents.count {
      let text = texts.joined()
      guard isPlain(text) else { return "`\(escaped(text, isBody: true))`" }
      return text.utf8.contains(10) ? "```\n\(text)```" : "`\(text)`"
    }
    // What lies in a file can't be put together with anything.
    let bytes = contents.flatMap { content -> [UInt8] in
      switch content {
      case .file: []
      case .text(let text): Array(text.utf8)
      case .bytes(let bytes): bytes
      }
    }
    return "base64,\(Base64.encode(bytes));"
  }

  /// Whether a text can stand between backquotes as it is.
  private static func isPlain(_ text: String) -> Bool {
    !text.contains("{{") && text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "`", "\\", "\r": false
      case "\n", "\t": true
      default: scalar.value >= 32 && scalar.value != 127
      }
    }
  }

  private static func addRemarks(_ spec: RequestSpec, _ remarks: inout CopyRemarks) {
    if let target = spec.requestTarget {
      remarks.add("Hurl can't ask for the target `\(target)`; it asks for that of the URL.")
    }
    remarks.addOwn(["User-Agent", "Accept"], spec)
    for field in spec.headers.fields where field.value.keepsBytes { remarks.addRefused(field) }
    remarks.addOptions(
      spec.options,
      except: [.totalTimeout, .connectTimeout, .insecure, .authority, .clientCertificate, .proxy])
    let contents = spec.contents
    if contents.count > 1, spec.body.contains(where: \.isFile) {
      remarks.add("Hurl can't put a file into a body; what the file has is left out.")
    }
  }
}

extension String {
  /// The text without blanks at its end.
  fileprivate var trimmedAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
