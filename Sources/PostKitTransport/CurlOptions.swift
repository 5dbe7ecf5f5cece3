// A request in libcurl's terms: a table of options, made by a pure function for tests to read.

import CCurl
import PostKitHTTP
import PostKitSupport

/// What libcurl is told of one request, apart from callbacks and the bytes of the body.
struct CurlOptions {
  /// The value of an option.
  enum Value: Hashable {
    case number(Int)
    case text(String)
    /// Copied by libcurl.
    case bytes([UInt8])
    /// The null pointer: neither a value nor libcurl's default.
    case null
  }

  /// How the body goes to libcurl.
  enum Body: Hashable {
    case none
    /// Copied by libcurl, so that head and body can leave in one packet.
    case copied([UInt8])
    /// Asked for piece by piece; `size` is `nil` for chunked.
    case streamed(size: Int?)
  }

  /// Options in the order in which they are set.
  private(set) var settings: [(option: CURLoption, value: Value)] = []
  /// Lines for `CURLOPT_HTTPHEADER` in the order of the request.
  private(set) var headerLines: [String] = []
  /// Lines for `CURLOPT_PROXYHEADER`: they go into a CONNECT, and into a request without TLS.
  private(set) var proxyHeaderLines: [String] = []
  /// The pairs of the author's `Cookie` fields where they are to be merged with those of a jar.
  private(set) var cookies: String?
  private(set) var body = Body.none

  /// Bodies up to this size are copied, as libcurl sends small ones together with the head.
  static let copiedBodyBytes = 1 << 20
  /// How often a server may ask for another sign-in: Digest and NTLM need one or two, but one that
  /// calls every answer stale would be obeyed for ever.
  static let signInRounds = 10
  /// Methods whose requests say `Content-Length: 0` without a body (RFC 9110, section 8.6).
  private static let methodsWithContent: Set<String> = ["POST", "PUT", "PATCH"]

  /// What the options depend on besides the request.
  struct Facts {
    /// Abilities of the library (`CurlVersion.features`).
    var features: Set<String>
    /// Whether the library takes certificates as bytes, too.
    var takesCertificateBytes = true
    /// Whether a cookie jar takes part.
    var hasJar = false
    /// Whether a connection of HTTP/2 without TLS can be used again. libcurl 7.88 fails at its
    /// second request with "Error in the HTTP2 framing layer"; 8.0 repaired that.
    var keepsPriorKnowledge = true
    /// The size of receive buffers in bytes; `nil` for libcurl's default.
    var bufferBytes: Int?
    /// The time in milliseconds since 1970.
    var time: Int64 = 0
    /// The environment variables.
    var environment: (String) -> String? = { _ in nil }
  }

  /// Says what libcurl has to be told, or why the request can't be sent.
  init(_ spec: RequestSpec, body source: BodySource?, facts: Facts) throws(Failure) {
    try Self.check(spec)
    set(CURLOPT_URL, .text(spec.url))
    if let target = spec.requestTarget { set(CURLOPT_REQUEST_TARGET, .text(target)) }
    set(CURLOPT_PATH_AS_IS, .number(1))
    set(CURLOPT_FOLLOWLOCATION, .number(0))
    // What libcurl counts here, as redirects are not its business, is how often it signs in anew.
    set(CURLOPT_MAXREDIRS, .number(Self.signInRounds))
    set(CURLOPT_NOSIGNAL, .number(1))
    // A cancelled name lookup must not be waited for (since 7.87; older ones wait).
    set(CURLOPT_QUICK_EXIT, .number(1))
    // Empty: every coding that libcurl can remove. An Accept-Encoding of the author goes out
    // instead of libcurl's list, and the body is decoded all the same (PK-88).
    set(CURLOPT_ACCEPT_ENCODING, .text(""))
    if let size = facts.bufferBytes { set(CURLOPT_BUFFERSIZE, .number(size)) }
    setMethodAndBody(spec, source)
    addHeaders(spec, hasJar: facts.hasJar)
    try setVersion(spec.options.httpVersion, features: facts.features)
    if spec.options.httpVersion == .http2PriorKnowledge, !facts.keepsPriorKnowledge {
      set(CURLOPT_FRESH_CONNECT, .number(1))
      set(CURLOPT_FORBID_REUSE, .number(1))
    }
    try setAuthentication(spec.options.authentication, features: facts.features)
    if case .signature(let signature) = spec.options.authentication {
      let digest = try source?.hexDigest() ?? SHA256.hexDigest([])
      for field in signature.fields(for: spec, bodyDigest: digest, at: facts.time) {
        headerLines.append("\(field.name): \(field.value)")
      }
    }
    try setTLS(spec, facts)
    setTimeouts(spec.options)
    try setProxy(spec, facts.environment)
    // Heads of a proxy's answer to CONNECT are not the server's.
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, .number(1))
  }

  /// Adds an option.
  private mutating func set(_ option: CURLoption, _ value: Value) {
    settings.append((option, value))
  }

  /// Adds a file by the option for its path or, where the value is its bytes, by that for those.
  private mutating func set(_ path: CURLoption, _ bytes: CURLoption, _ value: Value) {
    if case .bytes = value { set(bytes, value) } else { set(path, value) }
  }

  private mutating func setMethodAndBody(_ spec: RequestSpec, _ source: BodySource?) {
    let size = source?.size ?? 0
    // libcurl sends no body with its own HEAD; for the rare one that has a body see ActiveTransfer.
    if spec.method == "HEAD", size == 0 { set(CURLOPT_NOBODY, .number(1)) }
    if size > 0 || Self.methodsWithContent.contains(spec.method) {
      set(CURLOPT_POST, .number(1))
      let isChunked = spec.headers.values("Transfer-Encoding").contains {
        $0.lowercased().contains("chunked")
      }
      if isChunked {
        body = .streamed(size: nil)
      } else if let bytes = source.map({ $0.bytes(limit: Self.copiedBodyBytes) }) ?? [] {
        body = .copied(bytes)
      } else {
        body = .streamed(size: size)
      }
    }
    // libcurl's own word for the method is GET, HEAD or POST from here on.
    if spec.method != "GET" || body != .none { set(CURLOPT_CUSTOMREQUEST, .text(spec.method)) }
  }

  private mutating func addHeaders(_ spec: RequestSpec, hasJar: Bool) {
    var pairs: [String] = []
    for field in spec.headers.fields {
      if field.name.equalsIgnoringASCIICase("Content-Length") { continue }
      if hasJar, field.name.equalsIgnoringASCIICase("Cookie") {
        if !field.value.isEmpty { pairs.append(field.value) }
      } else {
        // A semicolon is how libcurl is asked for a field without a value (PK-14).
        headerLines.append(field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
      }
    }
    if !pairs.isEmpty { cookies = pairs.joined(separator: "; ") }
    // A name without a value takes away what libcurl would add by itself.
    if !spec.headers.contains("Accept") { headerLines.append("Accept:") }
    guard body != .none else { return }
    if !spec.headers.contains("Content-Type") { headerLines.append("Content-Type:") }
    if !spec.headers.contains("Expect") { headerLines.append("Expect:") }
  }

  /// Keeps the author's credentials for the proxy from the server at the end of a tunnel.
  private mutating func separateProxyHeaders() {
    let isProxys = { (line: String) in
      let name = String(line.prefix { $0 != ":" && $0 != ";" })
      return name.equalsIgnoringASCIICase("Proxy-Authorization")
    }
    proxyHeaderLines = headerLines.filter(isProxys)
    headerLines.removeAll(where: isProxys)
  }

  private mutating func setVersion(_ version: HTTPVersion, features: Set<String>) throws(Failure) {
    let hasHTTP2 = features.contains("HTTP2")
    let number: Int
    switch version {
    case .automatic: number = hasHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
    case .http10: number = CURL_HTTP_VERSION_1_0
    case .http11: number = CURL_HTTP_VERSION_1_1
    case .http2: number = CURL_HTTP_VERSION_2_0
    case .http2PriorKnowledge: number = CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
    case .http3: number = CURL_HTTP_VERSION_3
    }
    let needed =
      switch version {
      case .http2, .http2PriorKnowledge: "HTTP2"
      case .http3: "HTTP3"
      default: ""
      }
    guard needed.isEmpty || features.contains(needed) else {
      throw Failure(
        .protocol,
        "The libcurl on this machine does not support HTTP/\(version == .http3 ? "3" : "2"). Write "
          + "\(version == .http3 && hasHTTP2 ? "HTTP/2" : "HTTP/1.1") in the request line, or "
          + "install a libcurl that does.")
    }
    set(CURLOPT_HTTP_VERSION, .number(number))
  }

  private mutating func setAuthentication(
    _ authentication: Authentication?, features: Set<String>
  ) throws(Failure) {
    let (user, password): (String, String)
    switch authentication {
    case nil, .signature: return
    case .digest(let name, let word):
      (user, password) = (name, word)
      set(CURLOPT_HTTPAUTH, .number(Self.digest))
    case .ntlm(let name, let word):
      try Self.require("NTLM", "NTLM", features)
      (user, password) = (try Self.widened(name, "user"), try Self.widened(word, "password"))
      set(CURLOPT_HTTPAUTH, .number(Self.ntlm))
    case .negotiate(let name, let word):
      try Self.require("SPNEGO", "Negotiate", features)
      (user, password) = (name, word)
      set(CURLOPT_HTTPAUTH, .number(Self.negotiate))
    }
    set(CURLOPT_USERNAME, .text(user))
    set(CURLOPT_PASSWORD, .text(password))
  }

  /// What libcurl is given of a text that NTLM has in UTF-16: it sets a zero byte behind each byte,
  /// so that Latin-1 comes out right and UTF-8 would not.
  private static func widened(_ text: String, _ what: String) throws(Failure) -> String {
    if text.keepsBytes { return text }
    guard text.unicodeScalars.allSatisfy({ $0.value < 0x100 }) else {
      throw Failure(
        .protocol,
        "libcurl can't send this NTLM \(what): it has characters outside Latin-1. "
          + "Use an account without them, or another way to sign in.")
    }
    return String(keeping: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  /// The bits of CURLOPT_HTTPAUTH, whose macros Swift can't read.
  private static let (digest, negotiate, ntlm) = (1 << 1, 1 << 2, 1 << 3)

  private static func require(
    _ feature: String, _ scheme: String, _ features: Set<String>
  ) throws(Failure) {
    if features.contains(feature) { return }
    throw Failure(
      .protocol,
      "The libcurl on this machine does not support \(scheme). Install one that does, or send the "
        + "credentials in another way.")
  }

  private mutating func setTLS(_ spec: RequestSpec, _ facts: Facts) throws(Failure) {
    let options = spec.options
    if !options.verifiesTLS {
      for option in [
        CURLOPT_SSL_VERIFYPEER, CURLOPT_SSL_VERIFYHOST, CURLOPT_PROXY_SSL_VERIFYPEER,
        CURLOPT_PROXY_SSL_VERIFYHOST,
      ] { set(option, .number(0)) }
    }
    // With a directory set libcurl reads all authorities anew for each connection: 17 ms, not 1.2.
    set(CURLOPT_CAPATH, .null)
    set(CURLOPT_PROXY_CAPATH, .null)
    if let file = options.certificateAuthorityFile {
      try setAuthorities(file, options.fileBoundary, facts)
    }
    if Endpoint(url: spec.url)?.scheme == "https" { try setClientCertificate(options, facts) }
  }

  private mutating func setAuthorities(
    _ path: String, _ boundary: FileBoundary?, _ facts: Facts
  ) throws(Failure) {
    var value = Value.text(path)
    if let boundary, !boundary.hasFreeAuthority {
      do throws(FileFailure) {
        value = try CertificateFile(
          path, within: boundary, takesBytes: facts.takesCertificateBytes).value
      } catch {
        throw CurlOptions.unreadableAuthorities(error)
      }
    }
    set(CURLOPT_CAINFO, CURLOPT_CAINFO_BLOB, value)
    set(CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAINFO_BLOB, value)
  }

  /// Says why the authorities can't be read.
  static func unreadableAuthorities(_ failure: FileFailure) -> Failure {
    Failure(.tls, "The certificates of authorities can't be read: \(failure)")
  }

  private mutating func setClientCertificate(
    _ options: TransferOptions, _ facts: Facts
  ) throws(Failure) {
    guard let path = options.clientCertificateFile else { return }
    do throws(FileFailure) {
      let (boundary, takesBytes) = (options.fileBoundary, facts.takesCertificateBytes)
      let certificate = try CertificateFile(path, within: boundary, takesBytes: takesBytes)
      set(CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB, certificate.value)
      set(CURLOPT_SSLCERTTYPE, .text(certificate.form.rawValue))
      if let path = options.clientKeyFile {
        let key = try CertificateFile(path, within: boundary, takesBytes: takesBytes)
        set(CURLOPT_SSLKEY, CURLOPT_SSLKEY_BLOB, key.value)
        set(CURLOPT_SSLKEYTYPE, .text(key.form.rawValue))
      }
    } catch {
      throw Failure(
        .fileNotFound,
        "The client certificate can't be read: \(error) Correct its path, or send without one "
          + "with `# @no-client-cert`.")
    }
    // Without a passphrase the library would ask for one on the terminal.
    set(CURLOPT_KEYPASSWD, .text(options.clientKeyPassphrase ?? ""))
  }

  /// Sets the proxy of the request, else that of the environment, else none: libcurl is not left to
  /// look for one, as it does not know `HTTP_PROXY` in capitals.
  private mutating func setProxy(
    _ spec: RequestSpec, _ environment: (String) -> String?
  ) throws(Failure) {
    let isSecure = Endpoint(url: spec.url)?.scheme == "https"
    let found = spec.options.proxy.map { ("", $0) }
    let (variable, text) = found ?? CurlOptions.proxy(forTLS: isSecure, environment) ?? ("", "")
    guard !text.isEmpty else { return set(CURLOPT_PROXY, .text("")) }
    guard let proxy = ProxyURL(text) else {
      let place = variable.isEmpty ? "" : "In the environment variable \(variable): "
      throw Failure(.usage, place + ProxyURL.mistake(text))
    }
    set(CURLOPT_PROXY, .text(proxy.url))
    if proxy.speaksHTTP { separateProxyHeaders() }
    if let exceptions = spec.options.proxyExceptions { set(CURLOPT_NOPROXY, .text(exceptions)) }
  }

  /// The variable that names the proxy, and its value. `HTTP_PROXY` may come from a header of the
  /// same name where a web server has started the program by CGI, which is told by its method.
  static func proxy(
    forTLS isSecure: Bool, _ environment: (String) -> String?
  ) -> (variable: String, text: String)? {
    let isCGI = environment("REQUEST_METHOD") != nil
    let plain = isCGI ? ["http_proxy"] : ["http_proxy", "HTTP_PROXY"]
    let own = isSecure ? ["https_proxy", "HTTPS_PROXY"] : plain
    for name in own + ["all_proxy", "ALL_PROXY"] {
      if let value = environment(name), !value.isEmpty { return (name, value) }
    }
    return nil
  }

  /// The limits of the whole and of silence are the loop's: they depend on what comes in.
  private mutating func setTimeouts(_ options: TransferOptions) {
    // 0 would mean libcurl's default of 300 s.
    let connect = options.connectTimeoutMilliseconds
    set(CURLOPT_CONNECTTIMEOUT_MS, .number(connect > 0 ? connect : Int(Int32.max)))
  }

  /// Refuses what would make another request of it than the one that is shown.
  private static func check(_ spec: RequestSpec) throws(Failure) {
    guard Endpoint(url: spec.url) != nil else {
      throw Failure(
        .syntax,
        "\(spec.url) can't be sent: the URL must begin with http:// or https:// and name a host; "
          + "correct it.")
    }
    try check(spec.method, "the method")
    try check(spec.url, "the URL")
    if let target = spec.requestTarget { try check(target, "the target") }
    for field in spec.headers.fields {
      try check(field.name, "a header name")
      try check(field.value, "the header \(field.name)")
    }
    guard !spec.method.isEmpty, !spec.headers.fields.contains(where: { $0.name.isEmpty }) else {
      throw Failure(
        .syntax, "The request can't be sent: its method or a header name is empty; write one.")
    }
  }

  private static func check(_ text: String, _ what: @autoclosure () -> String) throws(Failure) {
    if !text.breaksLine { return }
    throw Failure(
      .syntax,
      "The request can't be sent: \(what()) contains a line break or a zero byte. Remove it "
        + "from the value.")
  }
}
