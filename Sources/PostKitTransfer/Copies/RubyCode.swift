// A request as a program in Ruby with `Net::HTTP`.

import PostKitHTTP

/// Writes requests as Ruby.
enum RubyCode {
  private static let literal = CopyLiteral(
    escape: { "\\u{\(CopyLiteral.hex($0, 1))}" }, longQuote: "\"", longEscapes: [],
    shortEscapes: [("#{", "\\#{"), ("#$", "\\#$"), ("#@", "\\#@")])

  /// Fields that `Net::HTTP` sends unless they are removed.
  private static let own = ["Accept", "Accept-Encoding", "User-Agent"]

  /// A program that sends the request and prints the body of the response.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("Net::HTTP")
    addRemarks(spec, &remarks)
    var code = ["require \"net/http\"", ""]
    code.append("uri = URI(\(literal.short(origin(spec.url))))")
    if let body = body(spec) { code.append("body = \(body)") }
    code += requestLines(spec)
    code += connectionLines(spec.options)
    if spec.options.followsRedirects {
      code += followingLines(spec.options)
    } else {
      code.append("response = http.request(request)")
    }
    code.append("puts response.body")
    return (remarks.lines("#") + code).joined(separator: "\n")
  }

  private static func origin(_ url: String) -> String { URLText(url).origin ?? url }

  /// What stands in the request line: the URL without its origin.
  private static func target(_ spec: RequestSpec) -> String {
    if let target = spec.requestTarget { return target }
    let rest = spec.url[URLText(spec.url).target]
    return rest.hasPrefix("/") ? String(rest) : "/" + rest
  }

  /// Whether the request has a body, be it an empty one, which Ruby gives a type.
  private static func sendsLength(_ spec: RequestSpec) -> Bool {
    !spec.contents.isEmpty || ["POST", "PUT", "PATCH"].contains(spec.method)
  }

  private static func requestLines(_ spec: RequestSpec) -> [String] {
    let hasBody = !spec.contents.isEmpty
    let hasAnswer = spec.method != "HEAD"
    let sendsLength = sendsLength(spec)
    var lines = [
      "request = Net::HTTPGenericRequest.new("
        + "\(literal.short(spec.method)), \(sendsLength), \(hasAnswer), "
        + "\(literal.short(target(spec))))"
    ]
    for name in own where spec.lacks(name) && name != "Accept-Encoding" {
      lines.append("request.delete(\(literal.short(name)))")
    }
    let repeated = Set(spec.headers.repeatedNames.map { $0.lowercased() })
    var seen: Set<String> = []
    for field in spec.headers.fields {
      let name = field.name.lowercased()
      let words = "\(literal.short(field.name)), \(value(field.value))"
      if repeated.contains(name), !seen.insert(name).inserted {
        lines.append("request.add_field(\(words))")
      } else {
        lines.append("request[\(literal.short(field.name))] = \(value(field.value))")
      }
    }
    if hasBody {
      let isChunked = spec.headers.areChunked
      lines.append("request.body\(isChunked ? "_stream = StringIO.new(body)" : " = body")")
    } else if sendsLength {
      lines.append("request.body = \"\"")
    }
    return lines
  }

  private static func value(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 128 } ? literal.short(text) : bytes(text.keptBytes)
  }

  private static func bytes(_ content: [UInt8]) -> String {
    "\"\(CopyLiteral.bytes(content, escaping: "#"))\".b"
  }

  private static func body(_ spec: RequestSpec) -> String? {
    let contents = spec.contents
    if contents.isEmpty { return nil }
    return contents.map { content in
      switch content {
      case .file(let path): "File.binread(\(literal.short(path)))"
      case .bytes(let content): bytes(content)
      // Texts and bytes can't be joined while they differ in encoding.
      case .text(let text): literal.short(text) + ".b"
      }
    }.joined(separator: " + ")
  }

  private static func connectionLines(_ options: TransferOptions) -> [String] {
    var words = ["uri.hostname", "uri.port"]
    switch options.proxy {
    case nil: break
    case "": words.append("nil")
    case let proxy?:
      let url = "URI(\(literal.short(proxy)))"
      words += ["\(url).hostname", "\(url).port", "\(url).user", "\(url).password"]
    }
    var lines = [
      "http = Net::HTTP.new(\(words.joined(separator: ", ")))",
      "http.use_ssl = uri.scheme == \"https\"",
    ]
    if !options.verifiesTLS { lines.append("http.verify_mode = OpenSSL::SSL::VERIFY_NONE") }
    if let file = options.certificateAuthorityFile {
      lines.append("http.ca_file = \(literal.short(file))")
    }
    if let file = options.clientCertificateFile {
      let key = literal.short(options.clientKeyFile ?? file)
      let passphrase = options.clientKeyPassphrase.map { ", " + literal.short($0) } ?? ""
      lines += [
        "http.cert = OpenSSL::X509::Certificate.new(File.read(\(literal.short(file))))",
        "http.key = OpenSSL::PKey.read(File.read(\(key))\(passphrase))",
      ]
    }
    if options.connectTimeoutMilliseconds != TransferOptions().connectTimeoutMilliseconds {
      lines.append("http.open_timeout = \(options.connectTimeoutMilliseconds.inSeconds)")
    }
    return lines
  }

  /// `Net::HTTP` follows nothing by itself.
  private static func followingLines(_ options: TransferOptions) -> [String] {
    [
      "response = http.request(request)",
      "\(options.redirectLimit).times do",
      "  break unless response.is_a?(Net::HTTPRedirection) && response[\"Location\"]",
      "  uri = URI.join(uri, response[\"Location\"])",
      "  response = Net::HTTP.get_response(uri)",
      "end",
    ]
  }

  private static func addRemarks(_ spec: RequestSpec, _ remarks: inout CopyRemarks) {
    var others = spec
    others.requestTarget = nil
    remarks.addCommon(others)
    remarks.addOptions(
      spec.options,
      except: [.connectTimeout, .insecure, .authority, .clientCertificate, .passphrase, .proxy])
    if spec.headers.fields.contains(where: { $0.name.contains(where: \.isUppercase) == false })
      || spec.headers.fields.contains(where: { $0.name != capitalized($0.name) })
    {
      remarks.addRenamed("with capital letters at the beginning of each word")
    }
    if sendsLength(spec) { remarks.addOwn(["Content-Type"], spec) }
    if spec.options.followsRedirects, spec.headers.contains("Authorization") {
      remarks.add("What follows a redirect has no field of the request.")
    }
  }

  private static func capitalized(_ name: String) -> String {
    name.split(separator: "-", omittingEmptySubsequences: false).map { word in
      word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }.joined(separator: "-")
  }
}
