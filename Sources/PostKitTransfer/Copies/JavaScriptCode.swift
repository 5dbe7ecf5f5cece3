// A request as a module in JavaScript with `fetch`, for Node and what is made like it.

import PostKitHTTP

/// Writes requests as JavaScript.
enum JavaScriptCode {
  static let literal = CopyLiteral(
    escape: { $0 < 0x10000 ? "\\u" + CopyLiteral.hex($0, 4) : "\\u{\(CopyLiteral.hex($0, 1))}" },
    longQuote: "`", longEscapes: [("`", "\\`"), ("${", "\\${")])

  /// What `fetch` sends for itself, and takes from nobody.
  private static let refused: Set<String> = [
    "connection", "expect", "host", "keep-alive", "transfer-encoding", "upgrade",
  ]

  /// A module that sends the request and prints the body of the response.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("fetch")
    remarks.addCommon(spec)
    remarks.addJoined(spec.headers)
    remarks.addOwn(["User-Agent", "Accept"], spec)
    addOptions(spec.options, &remarks)
    let target = CopiedTarget(spec.url)
    if target.hasDotSegments || target.hasEmptyQuery || target.has(inQuery: "'") {
      remarks.addRewritten(spec.url)
    }
    if ["CONNECT", "TRACE", "TRACK"].contains(spec.method.uppercased()) {
      remarks.add("fetch refuses the method `\(spec.method)`.")
    } else if usual.contains(spec.method.uppercased()), spec.method.contains(where: \.isLowercase) {
      remarks.add("fetch writes the method `\(spec.method)` in capitals.")
    }
    var code: [String] = []
    let sendsBody = !["GET", "HEAD"].contains(spec.method.uppercased())
    if spec.hasBody, !sendsBody {
      remarks.add("fetch refuses a body with \(spec.method); it is left out.")
    } else if spec.body.contains(where: \.isFile) {
      code += ["import { readFile } from \"node:fs/promises\";", ""]
    }
    code.append("const response = await fetch(\(literal.short(spec.url)), {")
    if spec.method != "GET" { code.append("  method: \(literal.short(spec.method)),") }
    code += headerLines(spec, &remarks)
    if spec.hasBody, sendsBody { code.append("  body: \(body(spec)),") }
    if !spec.options.followsRedirects { code.append("  redirect: \"manual\",") }
    if let total = spec.options.totalTimeoutMilliseconds {
      code.append("  signal: AbortSignal.timeout(\(total)),")
    }
    code += ["});", "console.log(await response.text());"]
    return (remarks.lines("//") + code).joined(separator: "\n")
  }

  private static let usual: Set<String> = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]

  private static func headerLines(_ spec: RequestSpec, _ remarks: inout CopyRemarks) -> [String] {
    var pairs: [(String, String)] = []
    for field in spec.headers.fields {
      if refused.contains(field.name.lowercased()) {
        remarks.addRefused(field)
      } else {
        pairs.append((literal.short(field.name), value(field.value)))
      }
    }
    if pairs.isEmpty { return [] }
    if spec.headers.repeatedNames.isEmpty {
      return ["  headers: {"] + pairs.map { "    \($0.0): \($0.1)," } + ["  },"]
    }
    return ["  headers: ["] + pairs.map { "    [\($0.0), \($0.1)]," } + ["  ],"]
  }

  /// A field's value: each character is one byte on the wire.
  static func value(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 128 }) { return literal.short(text) }
    let characters = text.keptBytes.map { byte in
      byte < 128 ? String(literal.short(String(Unicode.Scalar(byte))).dropFirst().dropLast())
        : "\\x" + CopyLiteral.hex(UInt32(byte), 2)
    }
    return "\"" + characters.joined() + "\""
  }

  private static func body(_ spec: RequestSpec) -> String {
    let chunks = spec.body.filter { $0 != .bytes([]) }
    let pieces = chunks.map { chunk in
      switch chunk {
      case .file(let path): "await readFile(\(literal.short(path)))"
      case .bytes(let bytes): data(bytes)
      }
    }
    // A text alone would bring a type of its own.
    let isBare = chunks.count > 1 || !spec.headers.contains("Content-Type")
    let isText = chunks.count == 1 && (pieces[0].hasPrefix("\"") || pieces[0].hasPrefix("`"))
    return chunks.count > 1 || isBare && isText
      ? "new Blob([\(pieces.joined(separator: ", "))])" : pieces[0]
  }

  private static func data(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return literal.text(text) }
    let encoded = literal.short(Base64.encode(bytes))
    return "Uint8Array.from(atob(\(encoded)), (character) => character.charCodeAt(0))"
  }

  private static func addOptions(_ options: TransferOptions, _ remarks: inout CopyRemarks) {
    if !options.verifiesTLS {
      remarks.add("fetch checks certificates: set NODE_TLS_REJECT_UNAUTHORIZED=0 for Node.")
    }
    if let file = options.certificateAuthorityFile {
      remarks.add("fetch takes no authorities: set NODE_EXTRA_CA_CERTS=\(file) for Node.")
    }
    if let file = options.clientCertificateFile {
      remarks.add("fetch has no client certificates; the request has \(file).")
    }
    if let proxy = options.proxy, !proxy.isEmpty {
      remarks.add("fetch has no proxies; the request has one.")
    }
  }
}
