// A request as a program in C# with `HttpClient`.

import PostKitHTTP

/// Writes requests as C#.
enum CSharpCode {
  private static let literal = CopyLiteral(
    escape: { $0 < 0x10000 ? "\\u" + CopyLiteral.hex($0, 4) : "\\U" + CopyLiteral.hex($0, 8) },
    longQuote: "\"", longEscapes: [])

  /// Fields that belong to the content and are refused elsewhere.
  private static let contentNames: Set<String> = [
    "allow", "content-disposition", "content-encoding", "content-language", "content-length",
    "content-location", "content-md5", "content-range", "content-type", "expires", "last-modified",
  ]

  /// A program that sends the request and prints the body of the response.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("HttpClient")
    addRemarks(spec, &remarks)
    var code = [
      "using System;", "using System.IO;", "using System.Net;", "using System.Net.Http;",
      "using System.Text;", "using System.Threading.Tasks;", "", "class Program", "{",
      "    static async Task Main()", "    {",
    ]
    code += statements(spec).map { "        " + $0 }
    code += ["    }", "}"]
    return (remarks.lines("//") + code).joined(separator: "\n")
  }

  private static func statements(_ spec: RequestSpec) -> [String] {
    var lines = ["var handler = new HttpClientHandler { \(handlerWords(spec.options)) };"]
    if !spec.options.verifiesTLS {
      lines.append("handler.ServerCertificateCustomValidationCallback = (a, b, c, d) => true;")
    }
    lines.append("var client = new HttpClient(handler);")
    if let total = spec.options.totalTimeoutMilliseconds {
      lines.append("client.Timeout = TimeSpan.FromMilliseconds(\(total));")
    }
    let words = "new HttpMethod(\(literal.short(spec.method))), \(literal.short(spec.url))"
    lines.append("var request = new HttpRequestMessage(\(words));")
    let needsContent = !spec.contents.isEmpty
      || spec.headers.fields.contains { contentNames.contains($0.name.lowercased()) }
    if needsContent {
      lines += bodyLines(spec)
    }
    for field in spec.headers.fields where sends(field) {
      let isContents = contentNames.contains(field.name.lowercased())
      let owner = isContents ? "request.Content" : "request"
      lines.append(
        "\(owner).Headers.TryAddWithoutValidation(\(literal.short(field.name)), "
          + "\(literal.short(field.value)));")
    }
    if spec.headers.areChunked { lines.append("request.Headers.TransferEncodingChunked = true;") }
    return lines + [
      "var response = await client.SendAsync(request);",
      "Console.Write(await response.Content.ReadAsStringAsync());",
    ]
  }

  private static func handlerWords(_ options: TransferOptions) -> String {
    var words = [
      "AllowAutoRedirect = \(options.followsRedirects)",
      "AutomaticDecompression = DecompressionMethods.GZip | DecompressionMethods.Deflate",
      "UseCookies = false",
    ]
    if options.followsRedirects, options.redirectLimit > 0 {
      words.append("MaxAutomaticRedirections = \(options.redirectLimit)")
    }
    switch options.proxy {
    case nil: break
    case "": words.append("UseProxy = false")
    case let proxy?: words.append("Proxy = new WebProxy(\(literal.short(proxy)))")
    }
    return words.joined(separator: ", ")
  }

  private static func bodyLines(_ spec: RequestSpec) -> [String] {
    let pieces = spec.contents.map { content in
      switch content {
      case .file(let path): "File.ReadAllBytes(\(literal.short(path)))"
      case .text(let text): "Encoding.UTF8.GetBytes(\(literal.short(text)))"
      case .bytes(let bytes): "Convert.FromBase64String(\(literal.short(Base64.encode(bytes))))"
      }
    }
    if pieces.count == 1 { return ["request.Content = new ByteArrayContent(\(pieces[0]));"] }
    if pieces.isEmpty { return ["request.Content = new ByteArrayContent(new byte[0]);"] }
    return ["var body = new MemoryStream();", "byte[] piece;"]
      + pieces.flatMap { ["piece = \($0);", "body.Write(piece, 0, piece.Length);"] }
      + ["request.Content = new ByteArrayContent(body.ToArray());"]
  }

  /// Whether the field is taken: values are ASCII alone.
  private static func sends(_ field: HeaderField) -> Bool {
    !isChunking(field) && field.value.utf8.allSatisfy { $0 < 128 }
  }

  private static func isChunking(_ field: HeaderField) -> Bool {
    field.name.equalsIgnoringASCIICase("Transfer-Encoding")
  }

  private static func addRemarks(_ spec: RequestSpec, _ remarks: inout CopyRemarks) {
    remarks.addCommon(spec)
    remarks.addOptions(spec.options, except: [.totalTimeout, .insecure, .proxy])
    for field in spec.headers.fields where !sends(field) && !isChunking(field) {
      remarks.addRefused(field)
    }
    let target = CopiedTarget(spec.url)
    if target.hasDotSegments || target.has("\"<>\\^`{|}") || target.hasUnusualEscapes {
      remarks.addRewritten(spec.url)
    }
    if spec.hasBody, ["GET", "HEAD"].contains(spec.method) {
      remarks.add("HttpClient of older runtimes refuses a body with \(spec.method).")
    }
  }
}
