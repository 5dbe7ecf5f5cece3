// A request as a line for the shell, to be pasted into bug reports and terminals.

package import PostKitHTTP

/// Renders requests for `curl`.
package enum CurlCommand {
  /// A command for `sh` that sends the same request: header fields that curl would add by itself
  /// and the request doesn't have are suppressed. Bodies of several pieces or of binary bytes are
  /// piped.
  package static func line(for spec: RequestSpec) -> String {
    let body = ShellBody(spec.body)
    var data: [String] = []
    switch body {
    case .none:
      // These methods say the length also of an empty body (RFC 9110, section 8.6).
      if ["POST", "PUT", "PATCH"].contains(spec.method) { data = ["--data-raw", ""] }
    case .text(let text): data = ["--data-raw", text]
    case .file(let path): data = ["--data-binary", "@" + path]
    case .printed: data = ["--data-binary", "@-"]
    }
    var words = ["curl"]
    words += requestWords(spec, hasBody: !data.isEmpty)
    words += headerWords(spec, hasBody: !data.isEmpty)
    words += optionWords(spec.options)
    words += credentialWords(spec.options.authentication)
    words += data
    if spec.url.hasPrefix("-") { words.append("--url") }
    words.append(spec.url)
    return body.pipe + words.map(ShellText.quote).joined(separator: " ")
  }

  private static func requestWords(_ spec: RequestSpec, hasBody: Bool) -> [String] {
    var words: [String] = []
    switch (spec.method, hasBody) {
    case ("GET", false), ("POST", true): break
    case ("HEAD", false): words.append("--head")
    default: words += ["--request", spec.method]
    }
    if let target = spec.requestTarget { words += ["--request-target", target] }
    // Brackets and braces are patterns to curl, and it removes dot segments, unless told not to. A
    // value that a script puts in the place of U+0001 may have them.
    if spec.url.utf8.contains(where: { "[]{}\u{1}".utf8.contains($0) }) {
      words.append("--globoff")
    }
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
      words += ["--connect-timeout", options.connectTimeoutMilliseconds.inSeconds]
    }
    if let total = options.totalTimeoutMilliseconds { words += ["--max-time", total.inSeconds] }
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
}

extension String {
  /// A path for `--cert`, where a colon would begin the passphrase.
  fileprivate var escapingColons: String {
    replacing("\\", with: "\\\\").replacing(":", with: "\\:")
  }
}
