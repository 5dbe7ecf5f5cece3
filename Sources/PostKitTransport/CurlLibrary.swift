// Opens libcurl once per process, on first need, and says what it can do.

import CCurl
import PostKitHTTP
import PostKitSupport

/// What the libcurl of this machine is.
package struct CurlVersion: Sendable, Hashable {
  /// Such as `7.88.1`.
  package let version: String
  /// The TLS library with its version; empty where there is none.
  package let tlsLibrary: String
  /// The abilities by name, sorted, such as `HTTP2`.
  package let features: [String]
  /// The URL schemes, sorted.
  package let protocols: [String]
  /// The name under which the library was found.
  package let libraryName: String

  /// Whether certificates can be handed over as bytes, which libcurl takes since 7.77 where OpenSSL
  /// or a library like it reads them; others would send without them.
  var takesCertificateBytes: Bool {
    let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
    let libraries = ["OpenSSL", "LibreSSL", "BoringSSL", "AWS-LC", "quictls"]
    return !numbers.lexicographicallyPrecedes([7, 77])
      && libraries.contains(where: tlsLibrary.contains)
  }
}

/// The opened library.
struct CurlLibrary: Sendable {
  let version: CurlVersion

  /// The library of this process, or why there is none. The first use takes about 4 ms; others
  /// sleep meanwhile, where a lazy variable would let them spin, and on a busy machine that is time
  /// taken from the opening itself.
  static var shared: Result<CurlLibrary, Failure> {
    openOnce()
    return opening.wait { $0.result }
  }

  /// Calls `body` as soon as `shared` need not wait, perhaps at once; where nobody has begun to
  /// open the library, it is opened here.
  static func whenOpened(_ body: @escaping @Sendable () -> Void) {
    openOnce()
    let isOpened = opening.update { opening in
      if opening.result == nil { opening.waiting.append(body) }
      return opening.result != nil
    }
    if isOpened { body() }
  }

  /// Lets the next use open the library again where there was none: somebody may have installed it.
  static func forgetFailure() {
    opening.update { opening in
      if case .failure = opening.result { (opening.hasBegun, opening.result) = (false, nil) }
    }
  }

  private static func openOnce() {
    let isFirst = opening.update { opening in
      defer { opening.hasBegun = true }
      return !opening.hasBegun
    }
    guard isFirst else { return }
    let result = open(names)
    let waiting = opening.update { opening in
      opening.result = result
      defer { opening.waiting = [] }
      return opening.waiting
    }
    for body in waiting { body() }
  }

  private struct Opening {
    var hasBegun = false
    var result: Result<CurlLibrary, Failure>?
    var waiting: [@Sendable () -> Void] = []
  }

  private static let opening = Monitor(Opening())

  /// The names to try, the usual one first. Debian's GnuTLS build is there where only git is.
  static var names: [String] {
    #if canImport(Darwin)
      ["/usr/lib/libcurl.4.dylib", "libcurl.4.dylib", "libcurl.dylib"]
    #else
      ["libcurl.so.4", "libcurl-gnutls.so.4"]
    #endif
  }

  /// Opens the first library that there is. Only the first success of a process may be used.
  static func open(_ names: [String]) -> Result<CurlLibrary, Failure> {
    var reasons: [String] = []
    for name in names {
      var message = [CChar](repeating: 0, count: 512)
      if postkit_curl_open(name, &message, message.count) {
        return start(name)
      }
      let end = message.firstIndex(of: 0) ?? message.endIndex
      reasons.append(String(decoding: message[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return .failure(
      Failure(
        .internal,
        "libcurl, which sends the requests, can't be opened (\(reasons.joined(separator: "; "))). "
          + "Install it, on Debian and Ubuntu with `apt install libcurl4`, and try again."))
  }

  private static func start(_ name: String) -> Result<CurlLibrary, Failure> {
    let code = postkit_curl_global_init()
    guard code == CURLE_OK else {
      return .failure(
        Failure(
          .internal,
          "libcurl could not be started: \(String(cString: postkit_curl_error_text(code))). "
            + "Reinstall the package libcurl4 and try again."))
    }
    return .success(CurlLibrary(version: describe(postkit_curl_version().pointee, name)))
  }

  private static func describe(_ info: curl_version_info_data, _ name: String) -> CurlVersion {
    var protocols: [String] = []
    var entry = info.protocols
    while let text = entry?.pointee {
      protocols.append(String(cString: text))
      entry = entry?.advanced(by: 1)
    }
    return CurlVersion(
      version: info.version.map { String(cString: $0) } ?? "",
      tlsLibrary: info.ssl_version.map { String(cString: $0) } ?? "",
      features: featureBits.compactMap { info.features & $0.bit != 0 ? $0.name : nil }.sorted(),
      protocols: protocols.sorted(), libraryName: name)
  }

  private static let featureBits: [(bit: Int32, name: String)] = [
    (CURL_VERSION_IPV6, "IPv6"), (CURL_VERSION_SSL, "SSL"), (CURL_VERSION_LIBZ, "libz"),
    (CURL_VERSION_NTLM, "NTLM"), (CURL_VERSION_ASYNCHDNS, "AsynchDNS"),
    (CURL_VERSION_SPNEGO, "SPNEGO"), (CURL_VERSION_IDN, "IDN"), (CURL_VERSION_HTTP2, "HTTP2"),
    (CURL_VERSION_HTTP3, "HTTP3"), (CURL_VERSION_BROTLI, "brotli"), (CURL_VERSION_ZSTD, "zstd"),
    (CURL_VERSION_PSL, "PSL"), (CURL_VERSION_UNIX_SOCKETS, "UnixSockets"),
    (CURL_VERSION_HTTPS_PROXY, "HTTPS-proxy"), (CURL_VERSION_HSTS, "HSTS"),
    (CURL_VERSION_ALTSVC, "alt-svc"), (CURL_VERSION_THREADSAFE, "threadsafe"),
  ]
}
