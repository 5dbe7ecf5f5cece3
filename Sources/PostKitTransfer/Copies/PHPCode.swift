// A request as a program in PHP with its cURL extension.

import PostKitHTTP

/// Writes requests as PHP.
enum PHPCode {
  private static let literal = CopyLiteral(
    escape: { "\\u{\(CopyLiteral.hex($0, 1))}" }, longQuote: "\"", longEscapes: [],
    shortEscapes: [("$", "\\$")])

  /// A program that sends the request and prints the body of the response.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("PHP's cURL")
    remarks.addOptions(spec.options, except: Set(known))
    if case .signature? = spec.options.authentication {
      remarks.add("PHP's cURL does not support AWS signatures here; it is left out.")
    }
    var code = ["<?php"] + remarks.lines("//")
    code.append("$request = curl_init(\(quoted(spec.url)));")
    code.append("curl_setopt_array($request, [")
    code += options(spec).map { "    \($0)," }
    code += [
      "]);", "$response = curl_exec($request);", "if ($response === false) {",
      "    fwrite(STDERR, curl_error($request) . \"\\n\");", "    exit(1);", "}",
      "echo $response;",
    ]
    return code.joined(separator: "\n")
  }

  private static let known: [CopyAbility] = [
    .totalTimeout, .connectTimeout, .insecure, .authority, .clientCertificate, .passphrase, .proxy,
    .keptMethod,
  ]

  /// A literal in single quotes where nothing in it needs an escape, else in double quotes.
  private static func quoted(_ text: String) -> String {
    let double = literal.short(text)
    let plain = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("$", with: "\\$")
    guard double == "\"\(plain)\"" else { return double }
    return "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }

  private static func bytes(_ content: [UInt8]) -> String {
    "\"\(CopyLiteral.bytes(content, escaping: "$"))\""
  }

  private static func value(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 128 } ? quoted(text) : bytes(text.keptBytes)
  }

  private static func options(_ spec: RequestSpec) -> [String] {
    var lines = ["CURLOPT_RETURNTRANSFER => true", "CURLOPT_PATH_AS_IS => true"]
    let contents = spec.contents
    let sendsLength = ["POST", "PUT", "PATCH"].contains(spec.method)
    if spec.method == "HEAD" {
      lines.append("CURLOPT_NOBODY => true")
    } else {
      lines.append("CURLOPT_CUSTOMREQUEST => \(quoted(spec.method))")
    }
    if let target = spec.requestTarget {
      lines.append("CURLOPT_REQUEST_TARGET => \(quoted(target))")
    }
    // Every coding that libcurl can remove.
    lines.append("CURLOPT_ENCODING => ''")
    var headers = spec.headers.fields.map { field in
      value(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    // A name alone keeps libcurl's own field from being sent.
    let added = ["Accept"] + (contents.isEmpty && !sendsLength ? [] : ["Content-Type", "Expect"])
    headers += added.filter(spec.lacks).map { "'\($0):'" }
    lines.append("CURLOPT_HTTPHEADER => [\(headers.joined(separator: ", "))]")
    if !contents.isEmpty || sendsLength {
      let body = contents.map { content in
        switch content {
        case .file(let path): "file_get_contents(\(quoted(path)))"
        case .bytes(let content): bytes(content)
        case .text(let text): quoted(text)
        }
      }
      lines.append("CURLOPT_POSTFIELDS => \(body.isEmpty ? "''" : body.joined(separator: " . "))")
    }
    return lines + transferOptions(spec.options)
  }

  private static func transferOptions(_ options: TransferOptions) -> [String] {
    let usual = TransferOptions()
    var lines: [String] = []
    switch options.httpVersion {
    case .automatic: break
    case .http10: lines.append("CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_0")
    case .http11: lines.append("CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1")
    case .http2: lines.append("CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_0")
    case .http2PriorKnowledge:
      lines.append("CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE")
    // libcurl's number; PHP names it from 8.4 on.
    case .http3: lines.append("CURLOPT_HTTP_VERSION => 30")
    }
    if options.followsRedirects {
      lines += [
        "CURLOPT_FOLLOWLOCATION => true", "CURLOPT_MAXREDIRS => \(options.redirectLimit)",
      ]
      if options.keepsMethod { lines.append("CURLOPT_POSTREDIR => 3") }
    }
    if options.connectTimeoutMilliseconds != usual.connectTimeoutMilliseconds {
      lines.append("CURLOPT_CONNECTTIMEOUT_MS => \(options.connectTimeoutMilliseconds)")
    }
    if let total = options.totalTimeoutMilliseconds {
      lines.append("CURLOPT_TIMEOUT_MS => \(total)")
    }
    if !options.verifiesTLS {
      lines += ["CURLOPT_SSL_VERIFYPEER => false", "CURLOPT_SSL_VERIFYHOST => 0"]
    }
    let files = [
      ("CURLOPT_CAINFO", options.certificateAuthorityFile),
      ("CURLOPT_SSLCERT", options.clientCertificateFile),
      ("CURLOPT_SSLKEY", options.clientKeyFile),
      ("CURLOPT_KEYPASSWD", options.clientKeyPassphrase), ("CURLOPT_PROXY", options.proxy),
      ("CURLOPT_NOPROXY", options.proxyExceptions),
    ]
    for (name, text) in files { if let text { lines.append("\(name) => \(quoted(text))") } }
    let credentials: (String, String, String)? = switch options.authentication {
    case .digest(let user, let password): ("CURLAUTH_DIGEST", user, password)
    case .ntlm(let user, let password): ("CURLAUTH_NTLM", user, password)
    case .negotiate(let user, let password): ("CURLAUTH_NEGOTIATE", user, password)
    case .signature, nil: nil
    }
    if let (scheme, user, password) = credentials {
      lines += [
        "CURLOPT_HTTPAUTH => \(scheme)", "CURLOPT_USERPWD => \(quoted("\(user):\(password)"))",
      ]
    }
    return lines
  }
}
