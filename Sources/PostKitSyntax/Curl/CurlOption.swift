// The options of curl: which take a value, which have a short name, and which we act on (PK-30).

/// An option of curl by its long name.
package struct CurlOption: Sendable, Hashable {
  /// What an option does to a request.
  package enum Effect: Sendable, Hashable {
    /// It says something about the request.
    case request
    /// It only changes what curl shows.
    case display
    /// It has no counterpart; leaving it out may matter.
    case none
  }
  package let name: String
  package let takesValue: Bool
  package let effect: Effect

  /// The option of a long name, whole or an unambiguous beginning, as curl takes them.
  package static func named(_ name: String) -> CurlOption? {
    if let exact = all[name] { return exact }
    let matches = all.values.filter { $0.name.hasPrefix(name) }
    return matches.count == 1 ? matches[0] : nil
  }

  /// The option where nothing is done about it.
  var withoutEffect: CurlOption { CurlOption(name: name, takesValue: takesValue, effect: .none) }

  /// The option of a letter.
  package static func letter(_ letter: Character) -> CurlOption? {
    letters[letter].flatMap { all[$0] }
  }

  private static let all: [String: CurlOption] = {
    var all: [String: CurlOption] = [:]
    func add(_ names: String, takesValue: Bool, _ effect: Effect) {
      for name in names.split(whereSeparator: \.isWhitespace).map(String.init) {
        all[name] = CurlOption(name: name, takesValue: takesValue, effect: effect)
      }
    }
    add(valuesOfRequests, takesValue: true, .request)
    add(switchesOfRequests, takesValue: false, .request)
    add(displays, takesValue: false, .display)
    add(otherValues, takesValue: true, .none)
    add(otherSwitches, takesValue: false, .none)
    return all
  }()

  private static let valuesOfRequests = """
    request header data data-ascii data-binary data-raw data-urlencode json form form-string url
    url-query user oauth2-bearer user-agent referer cookie proxy noproxy max-time connect-timeout
    max-redirs cert key pass cacert output upload-file request-target range socks4 socks4a socks5
    socks5-hostname cert-type key-type
    """
  private static let switchesOfRequests = """
    get head location location-trusted insecure http1.0 http1.1 http2 http2-prior-knowledge http3
    http3-only compressed path-as-is globoff basic digest ntlm negotiate anyauth
    post301 post302
    """
  private static let displays = """
    silent show-error verbose include progress-bar progress-meter buffer styled-output
    """
  private static let otherValues = """
    abstract-unix-socket alt-svc aws-sigv4 capath ciphers config connect-to continue-at
    cookie-jar create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr dns-ipv6-addr
    dns-servers doh-url dump-header egd-file engine etag-compare etag-save expect100-timeout
    form-escape ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode
    happy-eyeballs-timeout-ms haproxy-clientip hostpubmd5 hostpubsha256 hsts interface ipfs-gateway
    keepalive-cnt keepalive-time krb libcurl limit-rate local-port login-options mail-auth
    mail-from mail-rcpt max-filesize netrc-file output-dir parallel-max pinnedpubkey preproxy proto
    proto-default proto-redir proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers
    proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey
    proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser
    proxy-user proxy1.0 pubkey quote random-file rate resolve retry retry-delay retry-max-time
    sasl-authzid service-name socks5-gssapi-service speed-limit speed-time stderr telnet-option
    tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii
    trace-config unix-socket variable write-out
    """
  private static let otherSwitches = """
    alpn append ca-native cert-status compressed-ssh crlf create-dirs disable disable-eprt
    disable-epsv disallow-username-in-url doh-cert-status doh-insecure eprt epsv fail fail-early
    fail-with-body false-start ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc
    ftp-ssl-control haproxy-protocol help http0.9 ignore-content-length ipv4 ipv6
    junk-session-cookies keepalive list-only mail-rcpt-allowfails manual metalink netrc
    netrc-optional next npn parallel parallel-immediate post303 proxy-anyauth
    proxy-basic proxy-ca-native proxy-digest proxy-http2 proxy-insecure proxy-negotiate proxy-ntlm
    proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxytunnel raw remote-header-name remote-name
    remote-name-all remote-time remove-on-error retry-all-errors retry-connrefused sasl-ir sessionid
    socks5-basic socks5-gssapi socks5-gssapi-nec ssl ssl-allow-beast ssl-auto-client-cert
    ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2 sslv3 suppress-connect-headers tcp-fastopen
    tcp-nodelay tftp-no-options tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids
    trace-time use-ascii version xattr
    """

  private static let letters: [Character: String] = [
    "0": "http1.0", "1": "tlsv1", "2": "sslv2", "3": "sslv3", "4": "ipv4", "6": "ipv6",
    "a": "append", "A": "user-agent", "b": "cookie", "B": "use-ascii", "c": "cookie-jar",
    "C": "continue-at", "d": "data", "D": "dump-header", "e": "referer", "E": "cert", "f": "fail",
    "F": "form", "g": "globoff", "G": "get", "h": "help", "H": "header", "i": "include",
    "I": "head", "j": "junk-session-cookies", "J": "remote-header-name", "k": "insecure",
    "K": "config", "l": "list-only", "L": "location", "m": "max-time", "M": "manual", "n": "netrc",
    "N": "buffer", "o": "output", "O": "remote-name", "p": "proxytunnel", "P": "ftp-port",
    "q": "disable", "Q": "quote", "r": "range", "R": "remote-time", "s": "silent",
    "S": "show-error", "t": "telnet-option", "T": "upload-file", "u": "user", "U": "proxy-user",
    "v": "verbose", "V": "version", "w": "write-out", "x": "proxy", "X": "request",
    "y": "speed-time", "Y": "speed-limit", "z": "time-cond", "Z": "parallel", ":": "next",
    "#": "progress-bar",
  ]
}
