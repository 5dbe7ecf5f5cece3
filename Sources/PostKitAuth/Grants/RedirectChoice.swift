// Where a browser comes back to, by what is configured and in whose words (AU-31).

import PostKitHTTP

/// Whether somebody can listen for a redirect.
enum RedirectChoice: Sendable, Hashable {
  case listen(RedirectPlace)
  /// The redirect URI is none of ours: the address is pasted (AU-34).
  case paste(String)

  /// The choice for a configuration.
  init(_ configuration: AuthConfiguration) {
    let written = configuration.redirectURI ?? ""
    let uri = written.isEmpty ? RedirectChoice.defaultURI(configuration.dialect) : written
    guard var place = RedirectChoice.place(uri) else {
      self = .paste(uri)
      return
    }
    if let port = configuration.listenPort { place.port = port }
    self = .listen(place)
  }

  private static func defaultURI(_ dialect: AuthDialect) -> String {
    switch dialect {
    case .securityAuth, .azure: "http://127.0.0.1:{port}/callback"
    case .header: "http://localhost:3000/callback"
    case .oidc: "http://localhost:7777"
    }
  }

  /// The place of a URI on loopback; `nil` for any other.
  private static func place(_ uri: String) -> RedirectPlace? {
    let text = URLText(uri)
    guard text[text.scheme]?.lowercased() == "http", let host = text[text.host],
      text.userInfo == nil, text.fragment == nil, let addresses = addresses(host.lowercased())
    else { return nil }
    let written = text[text.port] ?? ""
    let path = text.path.isEmpty ? "/" : String(uri[text.path])
    guard let range = text.port, written == "0" || written == "{port}" else {
      // Without a port it is that of HTTP.
      guard let port = written.isEmpty ? 80 : UInt16(written) else { return nil }
      return RedirectPlace(addresses: addresses, port: port, path: path, template: uri)
    }
    let template = uri[..<range.lowerBound] + "{port}" + uri[range.upperBound...]
    return RedirectPlace(addresses: addresses, port: 0, path: path, template: String(template))
  }

  private static func addresses(_ host: String) -> RedirectPlace.Addresses? {
    if host == "localhost" { return .localhost }
    if host == "[::1]" { return .one("::1") }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 4, numbers[0] == "127",
      numbers.allSatisfy({ UInt8($0) != nil && $0.utf8.allSatisfy { (48...57).contains($0) } })
    else { return nil }
    return .one(host)
  }
}
