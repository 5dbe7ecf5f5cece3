// A request as a line for the shell, to be pasted into bug reports and terminals.

/// Renders requests for `curl`.
package enum CurlCommand {
  /// A command for `sh` that sends the same request: header fields that curl would add by itself
  /// and the request doesn't have are suppressed. Bodies of several pieces or of binary bytes are
  /// piped.
  package static func line(for spec: RequestSpec) -> String {
    var body = Body(spec.body)
    // These methods say the length also of an empty body (RFC 9110, section 8.6).
    if body.words.isEmpty, ["POST", "PUT", "PATCH"].contains(spec.method) {
      body.words = ["--data-raw", ""]
    }
    var words = ["curl"]
    words += requestWords(spec, hasBody: !body.words.isEmpty)
    words += headerWords(spec, hasBody: !body.words.isEmpty)
    words += optionWords(spec.options)
    words += credentialWords(spec.options.authentication)
    words += body.words
    if spec.url.hasPrefix("-") { words.append("--url") }
    words.append(spec.url)
    return body.pipe + words.map(quote).joined(separator: " ")
  }

  /// A word that the shell reads as exactly this text.
  package static func quote(_ word: String) -> String {
    if word.keepsBytes { return printed(word.keptBytes) }
    let isPlain = !word.isEmpty && word.utf8.allSatisfy(plain.contains)
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// A word of bytes that are no UTF-8, which no quotes could hold in a text. The shell takes line
  /// feeds away from the end of what a command prints.
  private static func printed(_ bytes: [UInt8]) -> String {
    let lineFeeds = bytes.reversed().prefix { $0 == 10 }.count
    let text = bytes.dropLast(lineFeeds).map { byte in
      legible.contains(byte) ? String(Unicode.Scalar(byte)) : octal([byte])
    }
    let end = lineFeeds > 0 ? "'" + String(repeating: "\n", count: lineFeeds) + "'" : ""
    return "\"$(printf '\(text.joined())')\"" + end
  }

  private static func octal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  // What stands for itself in a format of `printf`.
  private static let legible = ASCIISet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:@,+ =;&?()[]{}<>~*")

  // No `~`, `{`, `=` at the start and the like: better one quote too many.
  private static let plain = ASCIISet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:@,+%")

  private static func requestWords(_ spec: RequestSpec, hasBody: Bool) -> [String] {
    var words: [String] = []
    switch (spec.method, hasBody) {
    case ("GET", false), ("POST", true): break
    case ("HEAD", false): words.append("--head")
    default: words += ["--request", spec.method]
    }
    if let target = spec.requestTarget { words += ["--request-target", target] }
    // Brackets and braces are patterns to curl, and it removes dot segments, unless told not to.
    if spec.url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("--globoff") }
    let path = spec.url.prefix { $0 != "?" && $0 != "#" }
    if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
      words.append("--path-as-is")
    }
    return words
  }

  private static func headerWords(_ spec: RequestSpec, hasBody: Bool) -> [String] {
    var words: [String] = []
    let hasProxy = spec.options.proxy.flatMap(ProxyURL.init)?.speaksHTTP == true
    for field in spec.headers.fields {
      // `Name:` would remove the field; `Name;` sends it without a value.
      let text = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      let isProxys = hasProxy && field.name.equalsIgnoringASCIICase("Proxy-Authorization")
      words += [isProxys ? "--proxy-header" : "--header", text]
    }
    let added = ["User-Agent", "Accept"] + (hasBody ? ["Content-Type", "Expect"] : [])
    for name in added where !spec.headers.contains(name) { words += ["--header", "\(name):"] }
    // We always take every coding that libcurl can remove (PK-88).
    return words + ["--compressed"]
  }

  private static func optionWords(_ options: TransferOptions) -> [String] {
    let usual = TransferOptions()
    var words: [String] = []
    switch options.httpVersion {
    case .automatic: break
    case .http10: words.append("--http1.0")
    case .http11: words.append("--http1.1")
    case .http2: words.append("--http2")
    case .http2PriorKnowledge: words.append("--http2-prior-knowledge")
    case .http3: words.append("--http3")
    }
    if options.followsRedirects {
      words.append("--location")
      if options.redirectLimit != usual.redirectLimit {
        words += ["--max-redirs", String(options.redirectLimit)]
      }
      if options.keepsMethod { words += ["--post301", "--post302"] }
    }
    if options.connectTimeoutMilliseconds != usual.connectTimeoutMilliseconds {
      words += ["--connect-timeout", seconds(options.connectTimeoutMilliseconds)]
    }
    if let total = options.totalTimeoutMilliseconds { words += ["--max-time", seconds(total)] }
    if !options.verifiesTLS { words.append("--insecure") }
    if let file = options.certificateAuthorityFile { words += ["--cacert", file] }
    if let file = options.clientCertificateFile {
      words += ["--cert", file.escapingColons]
      // curl looks at no byte of the file; PEM is what it expects.
      if [".p12", ".pfx"].contains(where: file.lowercased().hasSuffix) {
        words += ["--cert-type", "P12"]
      }
    }
    if let file = options.clientKeyFile { words += ["--key", file] }
    if let passphrase = options.clientKeyPassphrase { words += ["--pass", passphrase] }
    if let proxy = options.proxy { words += ["--proxy", proxy] }
    if let exceptions = options.proxyExceptions { words += ["--noproxy", exceptions] }
    return words
  }

  private static func credentialWords(_ authentication: Authentication?) -> [String] {
    switch authentication {
    case .digest(let user, let password): ["--digest", "--user", "\(user):\(password)"]
    case .ntlm(let user, let password): ["--ntlm", "--user", "\(user):\(password)"]
    case .negotiate(let user, let password): ["--negotiate", "--user", "\(user):\(password)"]
    case .signature(let key):
      [
        "--aws-sigv4", "aws:amz:\(key.region):\(key.service)", "--user",
        "\(key.accessKey):\(key.secret)",
      ]
    case nil: []
    }
  }

  private static func seconds(_ milliseconds: Int) -> String {
    let rest = String(milliseconds % 1_000 + 1_000).dropFirst()
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)" : "\(milliseconds / 1_000).\(rest)"
  }

  /// How curl gets the body.
  private struct Body {
    /// What stands before `curl`, with the pipe sign; empty without a pipe.
    var pipe = ""
    var words: [String] = []

    init(_ chunks: [BodyChunk]) {
      let chunks = chunks.filter { $0 != .bytes([]) }
      if chunks.isEmpty { return }
      if chunks.count == 1 {
        switch chunks[0] {
        case .file(let path):
          words = ["--data-binary", "@" + path]
          return
        case .bytes(let bytes):
          if let text = Body.text(bytes) {
            words = ["--data-raw", text]
            return
          }
        }
      }
      // curl joins several `--data` with `&`, and no argument can hold a zero byte.
      let commands = chunks.map { chunk in
        switch chunk {
        case .file(let path): "cat \(quote(path))"
        case .bytes(let bytes):
          Body.text(bytes).map { "printf %s \(quote($0))" } ?? "printf '\(octal(bytes))'"
        }
      }
      let isOne = commands.count == 1
      pipe = isOne ? commands[0] + " | " : "{ " + commands.joined(separator: "; ") + "; } | "
      words = ["--data-binary", "@-"]
    }

    private static func text(_ bytes: [UInt8]) -> String? {
      bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
  }
}

extension String {
  /// A path for `--cert`, where a colon would begin the passphrase.
  fileprivate var escapingColons: String {
    replacing("\\", with: "\\\\").replacing(":", with: "\\:")
  }
}
