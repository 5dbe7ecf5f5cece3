// A request as a program in Rust with the library `reqwest`.

import PostKitHTTP

/// Writes requests as Rust.
enum RustCode {
  private static let literal = CopyLiteral(
    escape: { "\\u{\(CopyLiteral.hex($0, 1))}" }, longQuote: "\"", longEscapes: [])

  /// A program that sends the request and prints the body of the response.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("reqwest")
    addRemarks(spec, &remarks)
    var code = [
      "// Cargo.toml: reqwest = { version = \"0.11\", features = [\"blocking\"] }",
      "fn main() -> Result<(), Box<dyn std::error::Error>> {",
    ]
    code += bodyLines(spec).map { "    " + $0 }
    code += clientLines(spec.options).map { "    " + $0 }
    code.append("    let response = client")
    let method = "reqwest::Method::from_bytes(b\(literal.short(spec.method)))?"
    code.append("        .request(\(method), \(literal.short(spec.url)))")
    for field in spec.headers.fields where !isChunking(field) {
      code.append("        .header(\(literal.short(field.name)), \(value(field.value)))")
    }
    if !spec.contents.isEmpty {
      code.append(
        spec.headers.areChunked
          ? "        .body(reqwest::blocking::Body::new(std::io::Cursor::new(body)))"
          : "        .body(body)")
    } else if ["POST", "PUT", "PATCH"].contains(spec.method) {
      code.append("        .header(\"Content-Length\", \"0\")")
    }
    code += [
      "        .send()?;",
      "    std::io::Write::write_all(&mut std::io::stdout(), &response.bytes()?)?;",
      "    Ok(())", "}",
    ]
    return (remarks.lines("//") + code).joined(separator: "\n")
  }

  private static func value(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 128 }) { return literal.short(text) }
    return "reqwest::header::HeaderValue::from_bytes(b\"\(CopyLiteral.bytes(text.keptBytes))\")?"
  }

  private static func bodyLines(_ spec: RequestSpec) -> [String] {
    let pieces = spec.contents.map { content in
      switch content {
      case .file(let path): "std::fs::read(\(literal.short(path)))?"
      case .text(let text): "\(literal.short(text)).as_bytes().to_vec()"
      case .bytes(let bytes): "b\"\(CopyLiteral.bytes(bytes))\".to_vec()"
      }
    }
    if pieces.isEmpty { return [] }
    if pieces.count == 1 { return ["let body: Vec<u8> = \(pieces[0]);"] }
    return ["let mut body: Vec<u8> = Vec::new();"] + pieces.map { "body.extend(\($0));" }
  }

  private static func clientLines(_ options: TransferOptions) -> [String] {
    var lines = ["let client = reqwest::blocking::Client::builder()"]
    if !options.followsRedirects {
      lines.append("    .redirect(reqwest::redirect::Policy::none())")
    } else if options.redirectLimit != TransferOptions().redirectLimit {
      lines.append("    .redirect(reqwest::redirect::Policy::limited(\(options.redirectLimit)))")
    }
    if let total = options.totalTimeoutMilliseconds {
      lines.append("    .timeout(std::time::Duration::from_millis(\(total)))")
    } else {
      // Its own limit is 30 s.
      lines.append("    .timeout(None)")
    }
    if options.connectTimeoutMilliseconds != TransferOptions().connectTimeoutMilliseconds {
      let limit = options.connectTimeoutMilliseconds
      lines.append("    .connect_timeout(std::time::Duration::from_millis(\(limit)))")
    }
    if !options.verifiesTLS { lines.append("    .danger_accept_invalid_certs(true)") }
    if let file = options.certificateAuthorityFile {
      let read = "&std::fs::read(\(literal.short(file)))?"
      lines.append("    .add_root_certificate(reqwest::Certificate::from_pem(\(read))?)")
    }
    switch options.proxy {
    case nil: break
    case "": lines.append("    .no_proxy()")
    case let proxy?: lines.append("    .proxy(reqwest::Proxy::all(\(literal.short(proxy)))?)")
    }
    return lines + ["    .build()?;"]
  }

  private static func isChunking(_ field: HeaderField) -> Bool {
    field.name.equalsIgnoringASCIICase("Transfer-Encoding")
  }

  private static func addRemarks(_ spec: RequestSpec, _ remarks: inout CopyRemarks) {
    var others = spec
    if others.options.httpVersion == .http2 { others.options.httpVersion = .automatic }
    remarks.addCommon(others)
    remarks.addOwn(["Accept"], spec)
    remarks.addOptions(
      spec.options, except: [.totalTimeout, .connectTimeout, .insecure, .authority, .proxy])
    if spec.headers.fields.contains(where: { $0.name.contains(where: \.isUppercase) }) {
      remarks.addRenamed("in small letters")
    }
    let target = CopiedTarget(spec.url)
    if target.hasDotSegments || target.has(inQuery: "'") || target.has("\"<>\\^`{|}") {
      remarks.addRewritten(spec.url)
    }
  }
}
