// A request as a command with HTTPie.

import PostKitHTTP

/// Renders requests for `http`.
enum HTTPieCommand {
  /// A command for `sh` that sends the request. A body that is no text is read from the input.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("HTTPie")
    remarks.addCommon(spec, authenticates: spec.options.authentication?.isDigest ?? true)
    let body = ShellBody(spec.body)
    var words = ["http"]
    var data: [String] = []
    var end = ""
    switch body {
    case .none: words.append("--ignore-stdin")
    case .text(let text):
      words.append("--ignore-stdin")
      data = ["--raw=\(text)"]
    case .file(let path): end = " < \(ShellText.quote(path))"
    case .printed: break
    }
    if spec.headers.areChunked { words.append("--chunked") }
    words += optionWords(spec.options, &remarks)
    words += data
    words += targetWords(spec, &remarks)
    words += headerWords(spec, &remarks)
    let command = body.pipe + words.map(ShellText.quote).joined(separator: " ") + end
    return (remarks.lines("#") + [command]).joined(separator: "\n")
  }

  private static func targetWords(_ spec: RequestSpec, _ remarks: inout CopyRemarks) -> [String] {
    var words: [String] = []
    let target = CopiedTarget(spec.url)
    if target.hasDotSegments { words.append("--path-as-is") }
    if target.hasEmptyQuery || target.hasUnusualEscapes || target.hasSmallEscapes
      || target.has("[]") || target.beginsWithSlashes
    {
      remarks.addRewritten(spec.url)
    }
    if !spec.method.utf8.allSatisfy({ $0 | 32 >= 97 && $0 | 32 <= 122 }) {
      remarks.add("HTTPie does not read `\(spec.method)` as a method.")
    } else if spec.method.contains(where: \.isLowercase) {
      remarks.add("HTTPie writes the method `\(spec.method)` in capitals.")
    }
    return words + [spec.method, spec.url]
  }

  private static func headerWords(_ spec: RequestSpec, _ remarks: inout CopyRemarks) -> [String] {
    var words: [String] = []
    for field in spec.headers.fields {
      if field.value.keepsBytes {
        remarks.add("HTTPie sends UTF-8 only; `\(field.name): \(field.value.shown)` is left out.")
        continue
      }
      if losesBackslash(field.value) {
        remarks.add("HTTPie removes a backslash from the header `\(field.name)`.")
      }
      words.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    // `Name:` takes a field away that HTTPie would add.
    let added = ["User-Agent", "Accept"] + (spec.hasBody ? ["Content-Type"] : [])
    return words + added.filter { !spec.headers.contains($0) }.map { "\($0):" }
  }

  /// Whether HTTPie reads a backslash as the escape of what follows. Two of them are two.
  private static func losesBackslash(_ value: String) -> Bool {
    var isEscape = false
    for byte in value.utf8 {
      if isEscape, ":;=@".utf8.contains(byte) { return true }
      isEscape = byte == UInt8(ascii: "\\") && !isEscape
    }
    return false
  }

  private static func optionWords(
    _ options: TransferOptions, _ remarks: inout CopyRemarks
  ) -> [String] {
    let usual = TransferOptions()
    var words: [String] = []
    if options.followsRedirects {
      words += ["--follow", "--max-redirects=\(options.redirectLimit)"]
    }
    if let total = options.totalTimeoutMilliseconds {
      words.append("--timeout=\(total.inSeconds)")
      remarks.add("HTTPie limits each wait, not the whole transfer.")
    } else if options.connectTimeoutMilliseconds != usual.connectTimeoutMilliseconds {
      words.append("--timeout=\(options.connectTimeoutMilliseconds.inSeconds)")
      remarks.add("HTTPie has one limit for all waits, not one for the connection.")
    }
    if !options.verifiesTLS {
      words.append("--verify=no")
    } else if let file = options.certificateAuthorityFile {
      words.append("--verify=\(file)")
    }
    if let file = options.clientCertificateFile { words.append("--cert=\(file)") }
    if let file = options.clientKeyFile { words.append("--cert-key=\(file)") }
    if let passphrase = options.clientKeyPassphrase {
      words.append("--cert-key-pass=\(passphrase)")
    }
    switch options.proxy {
    case nil: break
    case "":
      remarks.add("HTTPie uses the proxy of the environment, whatever the request says.")
    case let proxy?: words += ["--proxy=http:\(proxy)", "--proxy=https:\(proxy)"]
    }
    if let exceptions = options.proxyExceptions {
      remarks.add("HTTPie reads what needs no proxy from NO_PROXY alone: `\(exceptions)`.")
    }
    if case .digest(let user, let password)? = options.authentication {
      words += ["--auth-type=digest", "--auth=\(user):\(password)"]
    }
    return words
  }
}

extension Authentication {
  /// Whether it is the scheme that Python's libraries know, too.
  var isDigest: Bool { if case .digest = self { true } else { false } }
}
