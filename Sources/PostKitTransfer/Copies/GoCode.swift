// A request as a program in Go with `net/http`.

import PostKitHTTP

/// Writes requests as Go.
enum GoCode {
  private static let literal = CopyLiteral(
    escape: { $0 < 0x10000 ? "\\u" + CopyLiteral.hex($0, 4) : "\\U" + CopyLiteral.hex($0, 8) },
    longQuote: "\"", longEscapes: [])

  /// A program that sends the request and prints the body of the response.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("net/http")
    addRemarks(spec, &remarks)
    var packages: Set<String> = ["io", "net/http", "os"]
    let body = bodyLines(spec, &packages)
    let client = clientLines(spec.options, &packages)
    var code = ["package main", "", "import ("]
    code += packages.sorted().map { "\t\(literal.short($0))" }
    code += [")", "", "func main() {"] + body.lines.map { "\t" + $0 }
    code += [
      "\trequest, err := http.NewRequest(\(literal.short(spec.method)), "
        + "\(literal.short(spec.url)), \(body.name))",
      "\tif err != nil {", "\t\tpanic(err)", "\t}",
    ]
    code += headerLines(spec).map { "\t" + $0 } + client.map { "\t" + $0 }
    code += [
      "\tresponse, err := client.Do(request)",
      "\tif err != nil {", "\t\tpanic(err)", "\t}",
      "\tdefer response.Body.Close()",
      "\tio.Copy(os.Stdout, response.Body)",
      "}",
    ]
    return (remarks.lines("//") + code).joined(separator: "\n")
  }

  private static func bodyLines(
    _ spec: RequestSpec, _ packages: inout Set<String>
  ) -> (lines: [String], name: String) {
    let contents = spec.contents
    if contents.isEmpty { return ([], "nil") }
    packages.insert("bytes")
    var lines = contents.count > 1 ? ["var body []byte"] : []
    for content in contents {
      switch content {
      case .file(let path):
        let opening = "\(contents.count > 1 ? "content" : "body"), err := "
          + "os.ReadFile(\(literal.short(path)))"
        lines += contents.count > 1
          ? ["{", "\t\(opening)", "\tif err != nil {", "\t\tpanic(err)", "\t}",
            "\tbody = append(body, content...)", "}"]
          : [opening, "if err != nil {", "\tpanic(err)", "}"]
      case .text(let text):
        lines.append(joined(literal.short(text), isOne: contents.count == 1))
      case .bytes(let bytes):
        lines.append(joined("\"\(CopyLiteral.bytes(bytes))\"", isOne: contents.count == 1))
      }
    }
    return (lines, "bytes.NewReader(body)")
  }

  private static func joined(_ literal: String, isOne: Bool) -> String {
    isOne ? "body := []byte(\(literal))" : "body = append(body, \(literal)...)"
  }

  /// Fields under their names as they are written: `Set` would write them in its own way.
  private static func headerLines(_ spec: RequestSpec) -> [String] {
    var lines: [String] = []
    for field in spec.headers.fields {
      if field.name.equalsIgnoringASCIICase("Host") {
        lines.append("request.Host = \(value(field.value))")
      } else if !field.name.equalsIgnoringASCIICase("Transfer-Encoding") {
        let name = literal.short(field.name)
        lines.append("request.Header[\(name)] = append(request.Header[\(name)], "
          + "\(value(field.value)))")
      }
    }
    if spec.headers.repeatedNames.isEmpty {
      lines = lines.map(simplified)
    }
    // A field without a value keeps Go's own from being sent.
    if spec.lacks("User-Agent") { lines.append("request.Header[\"User-Agent\"] = []string{\"\"}") }
    if spec.headers.areChunked {
      lines += ["request.ContentLength = -1", "request.TransferEncoding = []string{\"chunked\"}"]
    }
    return lines
  }

  /// `request.Header["A"] = []string{"v"}` in place of `append`, where no name comes again.
  private static func simplified(_ line: String) -> String {
    guard let call = line.firstRange(of: " = append("),
      let comma = line[call.upperBound...].firstRange(of: "], ")
    else { return line }
    return line[..<call.lowerBound] + " = []string{"
      + line[comma.upperBound...].dropLast() + "}"
  }

  private static func value(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 128 }
      ? literal.short(text) : "\"\(CopyLiteral.bytes(text.keptBytes))\""
  }

  private static func clientLines(
    _ options: TransferOptions, _ packages: inout Set<String>
  ) -> [String] {
    var lines: [String] = []
    var fields: [String] = []
    let transport = transportLines(options, &packages)
    if !transport.isEmpty {
      lines += transport
      fields.append("Transport: transport")
    }
    if !options.followsRedirects {
      fields.append("CheckRedirect: func(*http.Request, []*http.Request) error "
        + "{ return http.ErrUseLastResponse }")
    } else if options.redirectLimit != TransferOptions().redirectLimit {
      packages.insert("errors")
      fields.append("CheckRedirect: func(_ *http.Request, via []*http.Request) error "
        + "{ if len(via) > \(options.redirectLimit) "
        + "{ return errors.New(\"too many redirects\") }; return nil }")
    }
    if let total = options.totalTimeoutMilliseconds {
      packages.insert("time")
      fields.append("Timeout: \(total) * time.Millisecond")
    }
    return lines + ["client := &http.Client{\(fields.joined(separator: ", "))}"]
  }

  private static func transportLines(
    _ options: TransferOptions, _ packages: inout Set<String>
  ) -> [String] {
    var lines: [String] = []
    var tls: [String] = []
    if !options.verifiesTLS { tls.append("InsecureSkipVerify: true") }
    if let file = options.certificateAuthorityFile {
      packages.insert("crypto/x509")
      lines += [
        "authorities, err := os.ReadFile(\(literal.short(file)))",
        "if err != nil {", "\tpanic(err)", "}",
        "pool := x509.NewCertPool()", "pool.AppendCertsFromPEM(authorities)",
      ]
      tls.append("RootCAs: pool")
    }
    if let file = options.clientCertificateFile {
      let key = literal.short(options.clientKeyFile ?? file)
      lines += [
        "certificate, err := tls.LoadX509KeyPair(\(literal.short(file)), \(key))",
        "if err != nil {", "\tpanic(err)", "}",
      ]
      tls.append("Certificates: []tls.Certificate{certificate}")
    }
    if tls.isEmpty && options.proxy == nil { return [] }
    lines.append("transport := http.DefaultTransport.(*http.Transport).Clone()")
    if !tls.isEmpty {
      packages.insert("crypto/tls")
      lines.append("transport.TLSClientConfig = &tls.Config{\(tls.joined(separator: ", "))}")
    }
    switch options.proxy {
    case nil: break
    case "": lines.append("transport.Proxy = nil")
    case let proxy?:
      packages.insert("net/url")
      lines += [
        "proxy, err := url.Parse(\(literal.short(proxy)))",
        "if err != nil {", "\tpanic(err)", "}", "transport.Proxy = http.ProxyURL(proxy)",
      ]
    }
    return lines
  }

  private static func addRemarks(_ spec: RequestSpec, _ remarks: inout CopyRemarks) {
    remarks.addCommon(spec)
    remarks.addOptions(
      spec.options, except: [.totalTimeout, .insecure, .authority, .clientCertificate, .proxy])
    if CopiedTarget(spec.url).has(inPath: "|^`\"<>{}\\") { remarks.addRewritten(spec.url) }
  }
}
