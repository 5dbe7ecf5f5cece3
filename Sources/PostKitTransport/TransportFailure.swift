// The results of libcurl as failures that say what happened, where, and what to do next.

import CCurl
package import PostKitHTTP
import PostKitSupport

/// What is known where a transfer ended badly.
struct TransferEnd {
  /// libcurl's result.
  var code: CURLcode
  /// libcurl's own words about this transfer; may be empty.
  var detail: String
  /// Host and port as in `localhost:8080`.
  var endpoint: String
  var host: String
  var options: TransferOptions
  /// Whether a connection stood.
  var isConnected: Bool
  /// Whether the status line of a final response came.
  var hasStatusLine: Bool
  /// The status of the response where its head came whole.
  var status: Int?
  /// Body bytes that were received.
  var receivedBytes: Int
  /// How long the transfer took, in milliseconds.
  var elapsedMilliseconds: Int

  /// The failure in the words of the contract.
  var failure: Failure {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: unresolved
    case CURLE_COULDNT_RESOLVE_PROXY:
      Failure(
        .connection,
        "The name of the proxy could not be resolved\(said). Check the proxy's URL in the settings "
          + "or in the variables http_proxy and https_proxy.")
    case CURLE_PROXY: proxyRefusal
    case _ where detail.hasPrefix("CONNECT tunnel failed"): proxyRefusal
    case CURLE_INTERFACE_FAILED: noConnection
    case CURLE_COULDNT_CONNECT: noConnection
    case CURLE_OPERATION_TIMEDOUT: isConnected ? totalTimeout : connectTimeout
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: malformed
    case CURLE_SSL_CERTPROBLEM: certificate
    case CURLE_TOO_MANY_REDIRECTS:
      Failure(
        .protocol,
        "\(endpoint) rejected \(CurlOptions.signInRounds) sign-ins, each time because the "
          + "answer was stale. Look at the server's log, or sign in another way.")
    case CURLE_BAD_CONTENT_ENCODING:
      Failure(
        .protocol,
        "Decompressing the body from \(endpoint) failed\(said). Ask for it uncompressed "
          + "with the header Accept-Encoding: identity.")
    case CURLE_URL_MALFORMAT:
      Failure(.syntax, "The URL can't be understood\(said). Correct it and send again.")
    case CURLE_OUT_OF_MEMORY where isConnected && receivedBytes == 0: longLine
    case _ where detail.hasPrefix("Too large response headers"):
      Self.longHead(endpoint, status: status)
    case CURLE_OUT_OF_MEMORY:
      Failure(.internal, "There was not enough memory to send the request to \(endpoint).")
    default: certificateMissing ?? (Self.tlsCodes.contains(code.rawValue) ? tls : broken)
    }
  }

  /// The failure where the response came no further for the time that the request allows.
  static func inactive(_ endpoint: String, milliseconds: Int, status: Int?) -> Failure {
    let what = status == nil ? "No response from" : "The response stopped coming from"
    return Failure(
      .timeout,
      "\(what) \(endpoint) for \(DurationText.text(milliseconds)). Check whether the server hangs, "
        + "or allow more time with `# @timeout`.")
  }

  /// The failure where a server sends header lines without end.
  static func longHead(_ endpoint: String, status: Int?) -> Failure {
    let size = "more than \(Limits.headBytes >> 10) kB of header lines"
    return Failure(
      .protocol,
      status.map {
        "The response of \(endpoint) (status \($0)) was cut off after \(size). "
          + "PostKit kept that part. Check the trailers that the server sends."
      } ?? "\(endpoint) sent \(size), more than PostKit reads. Check what the server puts into its "
        + "headers.")
  }

  /// The failure where the connection ended within the head of a response.
  static func noHead(_ endpoint: String) -> Failure {
    Failure(
      .protocol,
      "\(endpoint) closed the connection before the head of its response was complete. Look at the "
        + "server's log and send again.")
  }

  /// The failure where libcurl could not sign in as it is asked to, and 401 came back: it sends the
  /// request all the same, and the refusal alone would not tell why.
  static func notSignedIn(
    _ endpoint: String, _ authentication: Authentication, _ received: HeaderFields,
    sent: HeaderFields, hasBody: Bool
  ) -> Failure? {
    let challenges = received.values("WWW-Authenticate").map { $0.lowercased() }
    let answer = sent.first("Authorization")
    switch authentication {
    case .digest where answer == nil && challenges.contains { $0.contains("digest ") }:
      return Failure(
        .protocol,
        "\(endpoint) asks for a Digest algorithm that libcurl does not support. "
          + "Let the server offer the algorithm MD5 or SHA-256, or sign in another way.")
    case .digest where hasBody && answer?.contains("qop=auth-int") == true:
      return Failure(
        .protocol,
        "\(endpoint) rejected the sign-in: it requires qop=auth-int, which "
          + "libcurl does not support. Check the password, and let the server offer qop=auth.")
    case .negotiate where answer == nil && challenges.contains { $0.contains("negotiate") }:
      return Failure(
        .protocol,
        "\(endpoint) requires a Kerberos ticket (Negotiate), and this machine has none. "
          + "Get one with `kinit USER@REALM` and send again; a password in "
          + "the header can't replace it.")
    case .ntlm(user: "", _) where challenges.contains { $0.contains("ntlm") }:
      return Failure(
        .protocol,
        "\(endpoint) rejected the login, because libcurl does not know its password. "
          + "Write it: `Authorization: NTLM USER PASSWORD`.")
    default: return nil
    }
  }

  private var unresolved: Failure {
    Failure(
      .connection,
      "The host name \(host) could not be resolved\(said). Check its spelling and your network.")
  }

  /// The proxy that could not be reached, where libcurl's words are about one.
  private var unreachableProxy: String? {
    let written = options.proxy.map { [$0] }
      ?? [true, false].compactMap { isSecure in
        CurlOptions.proxy(forTLS: isSecure, ProcessEnvironment.value)?.text
      }
    let names = written.compactMap { ProxyURL($0).flatMap { URLParts($0.url) } }.map { parts in
      (parts.host, parts.port ?? TransferEnd.usualProxyPort)
    }
    let found = names.first { detail.contains(" connect to \($0) port \($1) ") }
    return found.map { "\($0):\($1)" }
  }

  /// The port that libcurl takes where the URL of a proxy has none.
  private static let usualProxyPort = 1_080

  private var noConnection: Failure {
    if let proxy = unreachableProxy {
      return Failure(
        .connection,
        "No connection to the proxy \(proxy) for \(endpoint)\(said). Check that "
          + "the proxy runs and listens on that port, or bypass it with `# @no-proxy`.")
    }
    return Failure(
      .connection,
      "No connection to \(endpoint)\(said). Check that the server runs and listens on that port.")
  }

  private var proxyRefusal: Failure {
    Failure(
      .connection,
      "The proxy made no connection to \(endpoint)\(said). Check the proxy's URL, user and "
        + "password, or bypass it with `# @no-proxy`.")
  }

  private var connectTimeout: Failure {
    let limit = options.connectTimeoutMilliseconds
    let total = options.totalTimeoutMilliseconds ?? 0
    let milliseconds = total > 0 ? min(total, limit) : limit
    return Failure(
      .timeout,
      "No connection to \(endpoint) within \(DurationText.text(milliseconds))\(said). Check the "
        + "host, the port and any firewall, or allow more time with `# @connection-timeout`.")
  }

  private var totalTimeout: Failure {
    let limit = options.totalTimeoutMilliseconds ?? elapsedMilliseconds
    return Failure(
      .timeout,
      "\(endpoint) did not complete the response within \(DurationText.text(limit))\(said). Allow "
        + "more time with `# @timeout`.")
  }

  private var certificate: Failure {
    let file = options.clientCertificateFile ?? ""
    let key = options.clientKeyFile.map { " with the key \($0)" } ?? ""
    return Failure(
      .tls,
      "The client certificate \(file)\(key) can't be used for \(endpoint)\(said). Check that it is "
        + "PEM, DER or PKCS#12, that the key belongs to it, and that the passphrase is right.")
  }

  /// Where a server wants a certificate, TLS 1.3 tells only after the request was sent.
  private var certificateMissing: Failure? {
    guard options.clientCertificateFile == nil, detail.contains("certificate required") else {
      return nil
    }
    return Failure(
      .tls,
      "\(endpoint) requires a client certificate\(said). Name one for this host in the setting "
        + "tls.certificates, or in `SSLConfiguration` of an environment.")
  }

  private var tls: Failure {
    Failure(
      .tls,
      "No secure connection to \(endpoint)\(said). Name your authority's certificate with the "
        + "setting tls.caFile, or write `# @insecure` above the request if you trust the server.")
  }

  private var malformed: Failure {
    Failure(
      .protocol,
      "\(endpoint) answered with something that is not HTTP\(said). Check the port and whether the "
        + "server speaks http or https.")
  }

  /// Libcurl's buffer for a line of a head is bounded, and says so as if memory had run out.
  private var longLine: Failure {
    Failure(
      .protocol,
      "\(endpoint) sent a header line longer than 100 kB, more than PostKit reads. Check what "
        + "the server puts into its headers.")
  }

  private var broken: Failure {
    if let status {
      return Failure(
        .protocol,
        "The response of \(endpoint) (status \(status)) broke off after \(receivedBytes) bytes of "
          + "its body\(said). PostKit kept that part; look at the server's log and send again.")
    }
    if code == CURLE_HTTP2 || code == CURLE_HTTP2_STREAM || code == CURLE_HTTP3 {
      return Failure(
        .protocol,
        "\(endpoint) violated the protocol\(said). Try HTTP/1.1 in the request line.")
    }
    if hasStatusLine {
      return Failure(
        .protocol,
        "The head of the response of \(endpoint) broke off or can't be read\(said). Look at the "
          + "server's log and at the headers that it sends.")
    }
    return Failure(
      .connection,
      "\(endpoint) closed the connection before it sent a status line\(said). Look at the server's "
        + "log, and check the port and whether it expects http or https.")
  }

  /// libcurl's words in brackets.
  private var said: String {
    let text = detail.isEmpty ? String(cString: postkit_curl_error_text(code)) : detail
    return text.isEmpty ? "" : " (\(text))"
  }

  private static let tlsCodes = Set(
    [
      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED,
    ].map(\.rawValue))
}

extension Failure {
  /// What is advised for requests in files, and what does the same where there is no file to write
  /// a tag in.
  private static let tagAdvice = [
    ("with `# @timeout`", "with the setting timeout"),
    (", or allow more time with `# @connection-timeout`", ""),
    (", or write `# @insecure` above the request if you trust the server", ""),
    ("bypass it with `# @no-proxy`", "name the host in the variable no_proxy"),
  ]

  /// The same failure of what is sent from no file.
  package var withoutTags: Failure {
    Failure(
      code,
      Self.tagAdvice.reduce(message) { text, advice in text.replacing(advice.0, with: advice.1) })
  }
}
