// A request as a program in Python with the library `httpx`.

import PostKitHTTP

/// Writes requests as Python with httpx.
enum HTTPXCode {
  /// A program that sends the request and prints the body of the response. The request is made by
  /// itself, without a client that would add fields of its own.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("httpx")
    remarks.addCommon(spec, authenticates: spec.options.authentication?.isDigest ?? true)
    remarks.addOptions(
      spec.options,
      except: [
        .totalTimeout, .connectTimeout, .insecure, .authority, .clientCertificate, .passphrase,
        .proxy,
      ])
    if spec.options.totalTimeoutMilliseconds != nil {
      remarks.add("httpx limits each wait, not the whole transfer.")
    }
    let target = CopiedTarget(spec.url)
    if target.hasDotSegments || target.hasEmptyQuery || target.has("[]\"<>\\^`{|}")
      || target.hasSmallEscapes || target.hasUnusualEscapes
    {
      remarks.addRewritten(spec.url)
    }
    var code: [String] = []
    if spec.body.contains(where: \.isFile) { code += ["from pathlib import Path", ""] }
    code += ["import httpx", ""] + headerLines(spec)
    let body = PythonCode.bodyExpression(spec)
    if let body { code.append("body = \(body)") }
    var arguments = [
      PythonCode.literal.short(spec.method), PythonCode.literal.short(spec.url), "headers=headers",
    ]
    if body != nil {
      arguments.append("content=" + (spec.headers.areChunked ? "iter([body])" : "body"))
    }
    code.append("request = httpx.Request(\(arguments.joined(separator: ", ")))")
    if spec.method != spec.method.uppercased() {
      code.append("request.method = \(PythonCode.literal.short(spec.method))")
    }
    code.append("with httpx.Client(\(clientArguments(spec.options))) as client:")
    code.append("    response = client.send(request\(authentication(spec.options)))")
    code.append("    print(response.text)")
    return (remarks.lines("#") + code).joined(separator: "\n")
  }

  private static func headerLines(_ spec: RequestSpec) -> [String] {
    var headers = spec.headers
    // What we would take and httpx can remove (PK-88).
    if !headers.contains("Accept-Encoding") { headers.append("Accept-Encoding", "gzip, deflate") }
    let isChunked = headers.areChunked
    let fields = headers.fields.filter {
      !(isChunked && $0.name.equalsIgnoringASCIICase("Transfer-Encoding"))
    }
    return ["headers = ["]
      + fields.map { field in
        // Pairs must be all texts or all bytes.
        let name = "b" + PythonCode.literal.short(field.name)
        let value = PythonCode.value(field.value)
        return "    (\(name), \(value.hasPrefix("b") ? value : "b" + value)),"
      } + ["]"]
  }

  private static func clientArguments(_ options: TransferOptions) -> String {
    let usual = TransferOptions()
    let literal = PythonCode.literal
    var words: [String] = []
    if options.followsRedirects {
      words += ["follow_redirects=True", "max_redirects=\(options.redirectLimit)"]
    }
    let connect = options.connectTimeoutMilliseconds.inSeconds
    if let total = options.totalTimeoutMilliseconds {
      words.append("timeout=\(total.inSeconds)")
    } else if options.connectTimeoutMilliseconds != usual.connectTimeoutMilliseconds {
      words.append("timeout=httpx.Timeout(None, connect=\(connect))")
    } else {
      words.append("timeout=None")
    }
    if !options.verifiesTLS {
      words.append("verify=False")
    } else if let file = options.certificateAuthorityFile {
      words.append("verify=\(literal.short(file))")
    }
    if let certificate = options.clientCertificateFile {
      var files = [certificate]
      if options.clientKeyFile != nil || options.clientKeyPassphrase != nil {
        files.append(options.clientKeyFile ?? certificate)
      }
      if let passphrase = options.clientKeyPassphrase { files.append(passphrase) }
      let names = files.map(literal.short)
      words.append("cert=" + (names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"))
    }
    switch options.proxy {
    case nil: break
    case "": words.append("trust_env=False")
    case let proxy?: words.append("proxy=\(literal.short(proxy))")
    }
    return words.joined(separator: ", ")
  }

  private static func authentication(_ options: TransferOptions) -> String {
    guard case .digest(let user, let password)? = options.authentication else { return "" }
    let literal = PythonCode.literal
    return ", auth=httpx.DigestAuth(\(literal.short(user)), \(literal.short(password)))"
  }
}
