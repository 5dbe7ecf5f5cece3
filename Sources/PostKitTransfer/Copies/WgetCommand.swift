// A request as a command with GNU Wget.

import PostKitHTTP

/// Renders requests for `wget`.
enum WgetCommand {
  /// A command for `sh` that sends the request and prints the body of the response.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("wget")
    let body = ShellBody(spec.body)
    var words = ["wget", "--quiet", "--output-document=-", "--content-on-error", "--tries=1"]
    if spec.method != "GET" || spec.hasBody { words.append("--method=\(spec.method)") }
    if spec.method.contains(where: \.isLowercase) {
      remarks.add("wget writes the method `\(spec.method)` in capitals.")
    }
    words += headerWords(spec, &remarks)
    words += optionWords(spec.options, &remarks)
    words += credentialWords(spec.options.authentication)
    remarks.addCommon(spec, authenticates: spec.options.authentication?.isKnownToWget ?? false)
    let target = CopiedTarget(spec.url)
    if target.hasDotSegments || target.hasEmptyQuery || target.has("[]") {
      remarks.addRewritten(spec.url)
    }
    if spec.hasBody, !spec.headers.contains("Content-Type") {
      remarks.add("wget adds `Content-Type: application/x-www-form-urlencoded` of its own.")
    }
    var command: String
    switch body {
    case .none: command = line(words + [spec.url])
    case .text(let text): command = line(words + ["--body-data=\(text)", spec.url])
    case .file(let path): command = line(words + ["--body-file=\(path)", spec.url])
    case .printed:
      // wget must know the length of the body beforehand, so it reads no pipe.
      command = "body=$(mktemp) && \(body.group) > \"$body\" && "
      command += line(words + [spec.url]) + " --body-file=\"$body\"; rm -f \"$body\""
    }
    return (remarks.lines("#") + [command]).joined(separator: "\n")
  }

  private static func line(_ words: [String]) -> String {
    words.map(ShellText.quote).joined(separator: " ")
  }

  private static func headerWords(_ spec: RequestSpec, _ remarks: inout CopyRemarks) -> [String] {
    remarks.addJoined(spec.headers)
    remarks.addOwn(["Accept"], spec)
    var words: [String] = []
    for field in spec.headers.joined {
      if field.name.equalsIgnoringASCIICase("Transfer-Encoding") {
        remarks.addRefused(field)
      } else {
        words.append("--header=\(field.name): \(field.value)")
      }
    }
    if !spec.headers.contains("User-Agent") { words.append("--user-agent=") }
    // We always take the codings that can be removed (PK-88).
    if !spec.headers.contains("Accept-Encoding") { words.append("--compression=auto") }
    return words
  }

  private static func optionWords(
    _ options: TransferOptions, _ remarks: inout CopyRemarks
  ) -> [String] {
    let usual = TransferOptions()
    var words: [String] = []
    words.append("--max-redirect=\(options.followsRedirects ? options.redirectLimit : 0)")
    if options.connectTimeoutMilliseconds != usual.connectTimeoutMilliseconds {
      words.append("--connect-timeout=\(options.connectTimeoutMilliseconds.inSeconds)")
    }
    if let total = options.totalTimeoutMilliseconds {
      words.append("--timeout=\(total.inSeconds)")
      remarks.add("wget limits each wait, not the whole transfer.")
    }
    if !options.verifiesTLS { words.append("--no-check-certificate") }
    if let file = options.certificateAuthorityFile { words.append("--ca-certificate=\(file)") }
    if let file = options.clientCertificateFile { words.append("--certificate=\(file)") }
    if let file = options.clientKeyFile { words.append("--private-key=\(file)") }
    if options.clientKeyPassphrase != nil {
      remarks.add("wget can't be told the passphrase of the key; it asks for it.")
    }
    switch options.proxy {
    case nil: break
    case "": words.append("--no-proxy")
    case let proxy?:
      words += ["-e", "use_proxy=yes", "-e", "http_proxy=\(proxy)", "-e", "https_proxy=\(proxy)"]
    }
    if let exceptions = options.proxyExceptions { words += ["-e", "no_proxy=\(exceptions)"] }
    return words
  }

  private static func credentialWords(_ authentication: Authentication?) -> [String] {
    switch authentication {
    case .digest(let user, let password), .ntlm(let user, let password):
      ["--http-user=\(user)", "--http-password=\(password)"]
    default: []
    }
  }
}

extension Authentication {
  /// Whether wget answers to it when a server asks.
  fileprivate var isKnownToWget: Bool {
    switch self {
    case .digest, .ntlm: true
    default: false
    }
  }
}

extension RequestSpec {
  /// Whether there is a byte or a file to send.
  var hasBody: Bool { body.contains { $0 != .bytes([]) } }
}

extension Int {
  /// Milliseconds as seconds.
  var inSeconds: String {
    let rest = String(self % 1_000 + 1_000).dropFirst()
    return self % 1_000 == 0 ? "\(self / 1_000)" : "\(self / 1_000).\(rest)"
  }
}
