// A request as a program in Python with the library `requests`.

import PostKitHTTP

/// Writes requests as Python.
enum PythonCode {
  static let literal = CopyLiteral(
    escape: CopyLiteral.python, longQuote: "\"\"\"",
    longEscapes: [("\"\"\"", "\\\"\\\"\\\"")])

  /// A program that sends the request and prints the body of the response. The request is prepared
  /// by itself, without a session that would add fields, cookies and logins of its own.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("requests")
    remarks.addCommon(spec, authenticates: spec.options.authentication?.isDigest ?? true)
    var headers = spec.headers
    // What we would take and requests can remove (PK-88).
    if !headers.contains("Accept-Encoding") { headers.append("Accept-Encoding", "gzip, deflate") }
    let repeats = !headers.repeatedNames.isEmpty
    let omitsAgent = !headers.contains("User-Agent")
    var code = imports(spec, repeats: repeats, omitsAgent: omitsAgent)
    code += headerLines(headers, repeats: repeats, omitsAgent: omitsAgent)
    let body = bodyExpression(spec)
    if let body { code.append("body = \(body)") }
    var arguments = [literal.short(spec.method), literal.short(spec.url)]
    if !repeats { arguments.append("headers=headers") }
    if body != nil { arguments.append(headers.areChunked ? "data=iter([body])" : "data=body") }
    if case .digest(let user, let password)? = spec.options.authentication {
      arguments.append("auth=HTTPDigestAuth(\(literal.short(user)), \(literal.short(password)))")
    }
    code.append("request = requests.Request(\(arguments.joined(separator: ", "))).prepare()")
    code += corrections(spec, repeats: repeats, &remarks)
    code += sending(spec.options, &remarks)
    return (remarks.lines("#") + code).joined(separator: "\n")
  }

  private static func imports(_ spec: RequestSpec, repeats: Bool, omitsAgent: Bool) -> [String] {
    var lines: [String] = []
    if spec.body.contains(where: \.isFile) { lines += ["from pathlib import Path", ""] }
    lines.append("import requests")
    if spec.options.authentication?.isDigest == true {
      lines.append("from requests.auth import HTTPDigestAuth")
    }
    if repeats { lines.append("from urllib3._collections import HTTPHeaderDict") }
    if omitsAgent { lines.append("from urllib3.util import SKIP_HEADER") }
    return lines + [""]
  }

  private static func headerLines(
    _ headers: HeaderFields, repeats: Bool, omitsAgent: Bool
  ) -> [String] {
    var pairs = headers.fields.map { (literal.short($0.name), value($0.value)) }
    if omitsAgent { pairs.append(("\"User-Agent\"", "SKIP_HEADER")) }
    if repeats {
      return ["headers = HTTPHeaderDict()"] + pairs.map { "headers.add(\($0.0), \($0.1))" }
    }
    return ["headers = {"] + pairs.map { "    \($0.0): \($0.1)," } + ["}"]
  }

  /// A field's value: Python would write other characters than ASCII as Latin-1.
  static func value(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 128 } ? literal.short(text) : bytes(text.keptBytes)
  }

  /// The body as an expression; `nil` for none.
  static func bodyExpression(_ spec: RequestSpec) -> String? {
    let chunks = spec.body.filter { $0 != .bytes([]) }
    if chunks.isEmpty { return nil }
    return chunks.map { chunk in
      switch chunk {
      case .file(let path): "Path(\(literal.short(path))).read_bytes()"
      case .bytes(let content): data(content)
      }
    }.joined(separator: " + ")
  }

  /// Bytes as an expression.
  static func data(_ content: [UInt8]) -> String {
    guard let text = String(validating: content, as: UTF8.self) else { return bytes(content) }
    // The quotes at its end would belong to a text that ends with one.
    let written = text.hasSuffix("\"") ? literal.short(text) : literal.text(text)
    return text.utf8.allSatisfy { $0 < 128 } ? "b" + written : written + ".encode()"
  }

  private static func bytes(_ content: [UInt8]) -> String {
    let text = content.map { byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(Unicode.Scalar(byte))
      case 10: "\\n"
      case 32..<127: String(Unicode.Scalar(byte))
      default: "\\x" + CopyLiteral.hex(UInt32(byte), 2)
      }
    }
    return "b\"" + text.joined() + "\""
  }

  /// What `prepare` changes of a request is put back.
  private static func corrections(
    _ spec: RequestSpec, repeats: Bool, _ remarks: inout CopyRemarks
  ) -> [String] {
    var lines: [String] = []
    if repeats {
      lines.append("request.headers = headers")
      if !spec.headers.areChunked {
        lines.append("request.prepare_content_length(\(spec.hasBody ? "body" : "None"))")
      }
    }
    if spec.method != spec.method.uppercased() {
      lines.append("request.method = \(literal.short(spec.method))")
    }
    let target = CopiedTarget(spec.url)
    if target.hasDotSegments || target.hasUnusualEscapes {
      lines.append("request.url = \(literal.short(spec.url))")
    }
    if target.hasEmptyQuery || target.has("[]") || target.hasSmallEscapes
      || target.beginsWithSlashes
    {
      remarks.addRewritten(spec.url)
    }
    return lines
  }

  private static func sending(
    _ options: TransferOptions, _ remarks: inout CopyRemarks
  ) -> [String] {
    var lines = ["session = requests.Session()"]
    var arguments = ["request"]
    let usual = TransferOptions()
    if options.followsRedirects {
      if options.redirectLimit != usual.redirectLimit {
        lines.append("session.max_redirects = \(options.redirectLimit)")
      }
    } else {
      arguments.append("allow_redirects=False")
    }
    if let total = options.totalTimeoutMilliseconds {
      arguments.append("timeout=\(total.inSeconds)")
      remarks.add("requests limits each wait, not the whole transfer.")
    } else if options.connectTimeoutMilliseconds != usual.connectTimeoutMilliseconds {
      arguments.append("timeout=(\(options.connectTimeoutMilliseconds.inSeconds), None)")
    }
    if !options.verifiesTLS {
      arguments.append("verify=False")
    } else if let file = options.certificateAuthorityFile {
      arguments.append("verify=\(literal.short(file))")
    }
    if let certificate = options.clientCertificateFile {
      let names = [certificate, options.clientKeyFile].compactMap { $0.map(literal.short) }
      arguments.append("cert=" + (names.count == 1 ? names[0] : "(\(names[0]), \(names[1]))"))
      if options.clientKeyPassphrase != nil {
        remarks.add("requests can't be told the passphrase of the key; Python asks for it.")
      }
    }
    switch options.proxy {
    case nil: break
    case "": lines.append("session.trust_env = False")
    case let proxy?:
      let name = literal.short(proxy)
      let exceptions = options.proxyExceptions.map { ", \"no_proxy\": \(literal.short($0))" }
      arguments.append("proxies={\"http\": \(name), \"https\": \(name)\(exceptions ?? "")}")
    }
    return lines + ["response = session.send(\(arguments.joined(separator: ", ")))"]
      + ["print(response.text)"]
  }
}

extension BodyChunk {
  /// Whether the bytes are those of a file.
  var isFile: Bool { if case .file = self { true } else { false } }
}
