// What the addresses and grants of sign-ins are worth, whoever writes them.

import PostKitAuth
import PostKitHTTP
import PostKitText

/// Addresses of sign-ins, as people write them.
enum AuthAddress {
  /// Whether what goes to a server can be read on the way (AU-7).
  static func isOpen(_ url: URLParts) -> Bool { url.scheme == "http" && !url.isLoopback }

  /// The warning about such a server.
  static func cleartext(_ url: URLParts) -> String {
    "The client secret would cross the network to `\(url.host.excerpt)` unencrypted. "
      + "Write `https://`."
  }

  /// Whether PostKit can listen where a redirect comes back to (AU-31). A port in braces is chosen
  /// when somebody signs in.
  static func isListenable(_ uri: String) -> Bool {
    let port = uri.firstRange(of: "{port}")
    let text = port.map { uri[..<$0.lowerBound] + "0" + uri[$0.upperBound...] } ?? uri
    guard let url = URLParts(text) else { return false }
    return url.scheme == "http" && url.isLoopback
  }

  /// What is said of a redirect to another place.
  static let unlistenable =
    "PostKit can't listen at this address, so you paste where the browser ends. Write "
    + "`http://127.0.0.1:PORT/callback` if the provider allows it."
}

extension Grant {
  /// Whether a browser comes back to a redirect URL.
  var usesBrowser: Bool {
    switch self {
    case .authorizationCode, .implicit, .hybrid: true
    case .clientCredentials, .password, .deviceCode, .jwtBearer, .mock: false
    }
  }

  /// Why nobody should use it any more; `nil` for one that is up to date.
  var legacy: String? {
    switch self {
    case .password:
      "The grant Password hands the password of the user to the client, which RFC 9700 forbids. "
        + "Use Authorization Code if the provider has it."
    case .implicit, .hybrid:
      "The grant \(title) puts tokens into the address of a page, which RFC 9700 advises against. "
        + "Use Authorization Code if the provider has it."
    case .clientCredentials, .authorizationCode, .deviceCode, .jwtBearer, .mock: nil
    }
  }
}

extension URLParts {
  /// Whether the host is this machine: what goes there crosses no network.
  var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4
  }
}
