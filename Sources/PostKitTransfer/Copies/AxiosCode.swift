// A request as a program in JavaScript with the library `axios`, for Node.

import PostKitHTTP

/// Writes requests as JavaScript with axios.
enum AxiosCode {
  private static let literal = JavaScriptCode.literal

  /// Fields that axios sends unless it is told `false`.
  private static let own = ["Accept", "Content-Type", "User-Agent"]

  /// A program that sends the request and prints the body of the response.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("axios")
    addRemarks(spec, &remarks)
    var code = ["const axios = require(\"axios\");"]
    if spec.body.contains(where: \.isFile) {
      code.append("const { readFileSync } = require(\"node:fs\");")
    }
    if !spec.options.verifiesTLS || hasFiles(spec.options) {
      code.append("const { Agent } = require(\"node:https\");")
      if hasFiles(spec.options), !spec.body.contains(where: \.isFile) {
        code.append("const { readFileSync } = require(\"node:fs\");")
      }
    }
    code += ["", "axios({"]
    code += ["  method: \(literal.short(spec.method)),", "  url: \(literal.short(spec.url)),"]
    code += headerLines(spec)
    if let body = body(spec) {
      code += [
        "  data: \(body),", "  transformRequest: [(data) => data],", "  maxBodyLength: Infinity,",
      ]
    }
    code += ["  responseType: \"arraybuffer\",", "  validateStatus: () => true,"]
    code += optionLines(spec.options)
    code += ["}).then((response) => {", "  process.stdout.write(response.data);", "});"]
    return (remarks.lines("//") + code).joined(separator: "\n")
  }

  private static func headerLines(_ spec: RequestSpec) -> [String] {
    let fields = spec.headers.fields.filter {
      !$0.name.equalsIgnoringASCIICase("Transfer-Encoding")
    }
    var seen: Set<String> = []
    var pairs: [(String, String)] = []
    for field in fields where seen.insert(field.name.lowercased()).inserted {
      let values = spec.headers.values(field.name).map(JavaScriptCode.value)
      let value = values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]"
      pairs.append((literal.short(field.name), value))
    }
    pairs += own.filter(spec.lacks).map { (literal.short($0), "false") }
    return ["  headers: {"] + pairs.map { "    \($0.0): \($0.1)," } + ["  },"]
  }

  private static func body(_ spec: RequestSpec) -> String? {
    let pieces = spec.contents.map { content in
      switch content {
      case .file(let path): "readFileSync(\(literal.short(path)))"
      case .text(let text): "Buffer.from(\(literal.text(text)))"
      case .bytes(let bytes): "Buffer.from(\(literal.short(Base64.encode(bytes))), \"base64\")"
      }
    }
    switch pieces.count {
    case 0: return nil
    case 1: return pieces[0]
    default: return "Buffer.concat([\(pieces.joined(separator: ", "))])"
    }
  }

  private static func hasFiles(_ options: TransferOptions) -> Bool {
    options.certificateAuthorityFile != nil || options.clientCertificateFile != nil
  }

  private static func optionLines(_ options: TransferOptions) -> [String] {
    var lines: [String] = []
    if !options.followsRedirects {
      lines.append("  maxRedirects: 0,")
    } else if options.redirectLimit != 5 {
      lines.append("  maxRedirects: \(options.redirectLimit),")
    }
    if let total = options.totalTimeoutMilliseconds { lines.append("  timeout: \(total),") }
    var words: [String] = []
    if !options.verifiesTLS { words.append("rejectUnauthorized: false") }
    let files = [
      ("ca", options.certificateAuthorityFile), ("cert", options.clientCertificateFile),
      ("key", options.clientCertificateFile.map { options.clientKeyFile ?? $0 }),
    ]
    for (name, file) in files {
      if let file { words.append("\(name): readFileSync(\(literal.short(file)))") }
    }
    if let passphrase = options.clientKeyPassphrase {
      words.append("passphrase: \(literal.short(passphrase))")
    }
    if !words.isEmpty {
      lines.append("  httpsAgent: new Agent({ \(words.joined(separator: ", ")) }),")
    }
    if options.proxy == "" { lines.append("  proxy: false,") }
    return lines
  }

  private static func addRemarks(_ spec: RequestSpec, _ remarks: inout CopyRemarks) {
    remarks.addCommon(spec)
    remarks.addOptions(
      spec.options,
      except: [.totalTimeout, .insecure, .authority, .clientCertificate, .passphrase])
    if spec.method != spec.method.uppercased() {
      remarks.add("axios writes the method `\(spec.method)` in capitals.")
    }
    let target = CopiedTarget(spec.url)
    if target.hasDotSegments || target.hasEmptyQuery || target.has(inQuery: "'") {
      remarks.addRewritten(spec.url)
    }
    for field in spec.headers.fields
    where field.name.equalsIgnoringASCIICase("Transfer-Encoding") {
      remarks.addRefused(field)
    }
  }
}
