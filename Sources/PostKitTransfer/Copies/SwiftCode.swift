// A request as a program in Swift with `URLSession`.

import PostKitHTTP

/// Writes requests as Swift.
enum SwiftCode {
  private static let literal = CopyLiteral(
    escape: { "\\u{\(CopyLiteral.hex($0, 1))}" }, longQuote: "\"\"\"",
    longEscapes: [("\"\"\"", "\\\"\\\"\\\"")])

  /// A program that sends the request and prints the body of the response.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("URLSession")
    addRemarks(spec, &remarks)
    var code = [
      "import Foundation", "#if canImport(FoundationNetworking)", "import FoundationNetworking",
      "#endif", "",
    ]
    if !spec.options.followsRedirects { code += keepingRedirects + [""] }
    let url = literal.short(spec.url(escaping: refusedOfURLs))
    code.append("var request = URLRequest(url: URL(string: \(url))!)")
    code.append("request.httpMethod = \(literal.short(spec.method))")
    for field in spec.headers.joined {
      if field.value.keepsBytes || field.name.equalsIgnoringASCIICase("Transfer-Encoding") {
        remarks.addRefused(field)
        continue
      }
      let words = "\(literal.short(field.value)), forHTTPHeaderField: \(literal.short(field.name))"
      code.append("request.setValue(\(words))")
    }
    if let body = body(spec) { code.append("request.httpBody = \(body)") }
    code.append("let configuration = URLSessionConfiguration.ephemeral")
    if let total = spec.options.totalTimeoutMilliseconds {
      code.append("configuration.timeoutIntervalForResource = \(total.inSeconds)")
    }
    let delegate = spec.options.followsRedirects
      ? "" : ", delegate: KeepingRedirects(), delegateQueue: nil"
    code += [
      "let session = URLSession(configuration: configuration\(delegate))",
      "let (data, _) = try await session.data(for: request)",
      "print(String(decoding: data, as: UTF8.self))",
    ]
    return (remarks.lines("//") + code).joined(separator: "\n")
  }

  /// What makes `URL` write the whole URL in its own way.
  private static let refusedOfURLs = "\"<>[]\\^`{|}"

  private static let keepingRedirects = [
    "final class KeepingRedirects: NSObject, URLSessionTaskDelegate {",
    "  func urlSession(",
    "    _ session: URLSession, task: URLSessionTask,",
    "    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,",
    "    completionHandler: @escaping @Sendable (URLRequest?) -> Void",
    "  ) {",
    "    completionHandler(nil)",
    "  }",
    "}",
  ]

  private static func body(_ spec: RequestSpec) -> String? {
    let chunks = spec.body.filter { $0 != .bytes([]) }
    if chunks.isEmpty { return nil }
    let pieces = chunks.map { chunk in
      switch chunk {
      case .file(let path):
        return "Data(contentsOf: URL(fileURLWithPath: \(literal.short(path))))"
      case .bytes(let bytes):
        guard let text = String(validating: bytes, as: UTF8.self) else {
          return "Data(base64Encoded: \(literal.short(Base64.encode(bytes))))!"
        }
        let isLong = text.utf8.dropLast().contains(10)
        return "Data(\(isLong ? lines(text) : literal.short(text)).utf8)"
      }
    }
    return (chunks.contains(where: \.isFile) ? "try " : "") + pieces.joined(separator: " + ")
  }

  /// A literal of several lines: the line feeds behind its first and before its last quotes are no
  /// part of it.
  private static func lines(_ text: String) -> String {
    let quotes = literal.longQuote
    let content = literal.long(text).dropFirst(quotes.count).dropLast(quotes.count)
    return "\(quotes)\n\(content)\n\(quotes)"
  }

  private static func addRemarks(_ spec: RequestSpec, _ remarks: inout CopyRemarks) {
    let options = spec.options
    if options.httpVersion != .automatic {
      let version = options.httpVersion.rawValue
      remarks.add("URLSession chooses the version; the request asks for HTTP/\(version).")
    }
    var others = spec
    others.options.httpVersion = .automatic
    remarks.addCommon(others)
    remarks.addJoined(spec.headers)
    remarks.addOwn(["User-Agent", "Accept", "Accept-Language"], spec)
    if spec.hasBody, !spec.headers.contains("Content-Type") {
      remarks.add("URLSession adds a `Content-Type` of its own.")
    }
    if spec.hasBody, spec.method == "GET" {
      remarks.add("Apple's URLSession refuses a body with GET.")
    }
    let target = CopiedTarget(spec.url)
    if target.hasDotSegments || target.has(refusedOfURLs) { remarks.addRewritten(spec.url) }
    if !options.verifiesTLS || options.certificateAuthorityFile != nil {
      remarks.add("URLSession trusts the system's certificates, unless a delegate decides.")
    }
    if options.clientCertificateFile != nil {
      remarks.add("URLSession asks a delegate for client certificates; the request has one.")
    }
    if let proxy = options.proxy, !proxy.isEmpty {
      remarks.add("URLSession uses the system's proxy; the request has one of its own.")
    }
  }
}
