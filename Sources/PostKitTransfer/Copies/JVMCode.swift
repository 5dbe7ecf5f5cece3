// A request as a program in Java or Kotlin with the `HttpClient` of Java 11 and newer.

import PostKitHTTP

/// Writes requests for the Java platform. The two languages differ in a few words alone.
struct JVMCode {
  /// The languages.
  enum Language { case java, kotlin }

  let language: Language

  private var literal: CopyLiteral {
    CopyLiteral(
      escape: CopyLiteral.utf16, longQuote: "\"", longEscapes: [],
      shortEscapes: language == .kotlin ? [("$", "\\$")] : [])
  }

  /// Fields that the client sends for itself, and takes from nobody.
  private static let refused: Set<String> = [
    "connection", "content-length", "expect", "host", "upgrade",
  ]
  /// The most bytes of a constant that a class file can hold, with room for escapes.
  private static let constantBytes = 20_000

  /// A program that sends the request and prints the body of the response.
  func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("HttpClient")
    addRemarks(spec, &remarks)
    var imports = ["java.net.URI", "java.net.http.HttpClient", "java.net.http.HttpRequest",
      "java.net.http.HttpResponse"]
    let body = publisher(spec)
    if let body {
      if body.contains("StandardCharsets") { imports.append("java.nio.charset.StandardCharsets") }
      if body.contains("Base64") { imports.append("java.util.Base64") }
      if body.contains("Path.of") { imports += ["java.nio.file.Files", "java.nio.file.Path"] }
      if body.contains("ByteArrayInputStream") { imports.append("java.io.ByteArrayInputStream") }
      if body.contains("SequenceInputStream") {
        imports += ["java.io.SequenceInputStream", "java.util.Collections", "java.util.List"]
      }
    }
    if spec.options.totalTimeoutMilliseconds != nil
      || spec.options.connectTimeoutMilliseconds != TransferOptions().connectTimeoutMilliseconds
    {
      imports.append("java.time.Duration")
    }
    if proxy(spec.options) != nil { imports.append("java.net.ProxySelector") }
    if proxy(spec.options)?.contains("InetSocketAddress") == true {
      imports.append("java.net.InetSocketAddress")
    }
    let end = language == .java ? ";" : ""
    var code = imports.sorted().map { "import \($0)\(end)" } + [""]
    switch language {
    case .java:
      code += [
        "public class Main {", "  public static void main(String[] arguments) throws Exception {",
      ]
      code += statements(spec, body, end).map { $0.isEmpty ? $0 : "    " + $0 } + ["  }", "}"]
    case .kotlin:
      code.append("fun main() {")
      code += statements(spec, body, end).map { "  " + $0 } + ["}"]
    }
    return (remarks.lines("//") + code).joined(separator: "\n")
  }

  private func statements(_ spec: RequestSpec, _ body: String?, _ end: String) -> [String] {
    let word = language == .java ? "var" : "val"
    var lines = ["\(word) client = HttpClient.newBuilder()"]
    lines += clientCalls(spec.options).map { "    " + $0 } + ["    .build()\(end)"]
    let url = literal.short(spec.url(escaping: Self.refusedOfURLs))
    lines.append("\(word) request = HttpRequest.newBuilder(URI.create(\(url)))")
    for field in spec.headers.fields where sends(field) {
      lines.append("    .header(\(literal.short(field.name)), \(literal.short(field.value)))")
    }
    if let total = spec.options.totalTimeoutMilliseconds {
      lines.append("    .timeout(Duration.ofMillis(\(total)))")
    }
    let publisher = body ?? "HttpRequest.BodyPublishers.noBody()"
    lines.append("    .method(\(literal.short(spec.method)), \(publisher))")
    lines.append("    .build()\(end)")
    lines.append(
      "\(word) response = client.send(request, HttpResponse.BodyHandlers.ofByteArray())\(end)")
    lines.append(
      language == .java ? "System.out.write(response.body());"
        : "System.out.write(response.body(), 0, response.body().size)")
    lines.append("System.out.flush()\(end)")
    return lines
  }

  private func clientCalls(_ options: TransferOptions) -> [String] {
    var calls: [String] = []
    // Else it would ask to change to HTTP/2 where there is no TLS.
    let isNew = [.http2, .http2PriorKnowledge].contains(options.httpVersion)
    calls.append(".version(HttpClient.Version.\(isNew ? "HTTP_2" : "HTTP_1_1"))")
    if options.followsRedirects {
      calls.append(".followRedirects(HttpClient.Redirect.NORMAL)")
    }
    if options.connectTimeoutMilliseconds != TransferOptions().connectTimeoutMilliseconds {
      calls.append(".connectTimeout(Duration.ofMillis(\(options.connectTimeoutMilliseconds)))")
    }
    if let proxy = proxy(options) { calls.append(".proxy(\(proxy))") }
    return calls
  }

  /// A proxy that the client can use: one without TLS and user.
  private func proxy(_ options: TransferOptions) -> String? {
    guard let proxy = options.proxy else { return nil }
    if proxy.isEmpty { return "HttpClient.Builder.NO_PROXY" }
    let url = URLText(proxy)
    guard url[url.scheme] == "http", url.userInfo == nil, let written = url[url.host],
      let port = url[url.port].flatMap({ Int($0) })
    else { return nil }
    let host = literal.short(String(written))
    return "ProxySelector.of(\(language == .java ? "new " : "")InetSocketAddress(\(host), \(port)))"
  }

  private func publisher(_ spec: RequestSpec) -> String? {
    let contents = spec.contents
    if contents.isEmpty { return nil }
    let publishers = "HttpRequest.BodyPublishers"
    if contents.count == 1, !spec.headers.areChunked {
      if case .file(let path) = contents[0] {
        return "\(publishers).ofFile(Path.of(\(literal.short(path))))"
      }
      return "\(publishers).ofByteArray(\(bytes(contents[0])))"
    }
    let new = language == .java ? "new " : ""
    let streams = contents.map { "\(new)ByteArrayInputStream(\(bytes($0)))" }
    let all = streams.count == 1 ? streams[0]
      : "\(new)SequenceInputStream(Collections.enumeration("
        + "\(language == .java ? "List.of" : "listOf")(\(streams.joined(separator: ", ")))))"
    let supplier = language == .java ? "() -> \(supplied(all))" : "{ \(all) }"
    if spec.headers.areChunked { return "\(publishers).ofInputStream(\(supplier))" }
    // A stream says no length; its bytes do.
    return "\(publishers).ofByteArray(\(all).readAllBytes())"
  }

  /// An expression that may fail, within a function that may not.
  private func supplied(_ expression: String) -> String {
    guard expression.contains("Files.") else { return expression }
    return "{ try { return \(expression); } catch (Exception error) "
      + "{ throw new RuntimeException(error); } }"
  }

  private func bytes(_ content: CopyContent) -> String {
    let call = language == .java ? "getBytes" : "toByteArray"
    switch content {
    case .file(let path): return "Files.readAllBytes(Path.of(\(literal.short(path))))"
    case .text(let text): return "\(constant(text)).\(call)(\(charset))"
    case .bytes(let bytes):
      return "Base64.getDecoder().decode(\(constant(Base64.encode(bytes))))"
    }
  }

  private var charset: String {
    language == .java ? "StandardCharsets.UTF_8" : "Charsets.UTF_8"
  }

  /// A literal, in pieces where a class file could not hold it whole.
  private func constant(_ text: String) -> String {
    guard text.utf8.count > Self.constantBytes else { return literal.short(text) }
    var pieces: [String] = []
    var piece = ""
    for scalar in text.unicodeScalars {
      piece.unicodeScalars.append(scalar)
      if piece.utf8.count >= Self.constantBytes {
        pieces.append(literal.short(piece))
        piece = ""
      }
    }
    if !piece.isEmpty { pieces.append(literal.short(piece)) }
    let all = pieces.joined(separator: ",\n        ")
    return language == .java ? "String.join(\"\", \(all))" : "java.lang.String.join(\"\", \(all))"
  }

  private func sends(_ field: HeaderField) -> Bool {
    !Self.refused.contains(field.name.lowercased()) && !isChunking(field)
      && field.value.utf8.allSatisfy { $0 < 128 }
  }

  private func isChunking(_ field: HeaderField) -> Bool {
    field.name.equalsIgnoringASCIICase("Transfer-Encoding")
  }

  /// What `URI` refuses; in a path brackets, too.
  private static let refusedOfURLs = "\"<>\\^`{|}"

  private func addRemarks(_ spec: RequestSpec, _ remarks: inout CopyRemarks) {
    var others = spec
    if others.options.httpVersion == .http2 { others.options.httpVersion = .automatic }
    remarks.addCommon(others)
    remarks.addOwn(["User-Agent"], spec)
    for field in spec.headers.fields where !sends(field) && !isChunking(field) {
      remarks.addRefused(field)
    }
    var known: Set<CopyAbility> = [.totalTimeout, .connectTimeout]
    if proxy(spec.options) != nil { known.insert(.proxy) }
    remarks.addOptions(spec.options, except: known)
    if spec.options.followsRedirects, spec.options.redirectLimit != 5 {
      remarks.add("HttpClient follows 5 redirects; jdk.httpclient.redirects.retrylimit changes it.")
    }
    let target = CopiedTarget(spec.url)
    if target.has(Self.refusedOfURLs) || target.has(inPath: "[]") { remarks.addRewritten(spec.url) }
  }
}
