// Cookies that the author wrote beside those of a jar: one line, and the author's win by name.

import PostKitHTTP

/// A cookie of a jar as libcurl lists it, in the Netscape form of seven fields with tabs between.
struct CookieLine: Sendable, Hashable {
  /// The whole line.
  let text: String
  private let fields: [Substring]

  /// Reads a line; `nil` for one of another form.
  init?(_ text: String) {
    let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count == 7 else { return nil }
    self.text = text
    self.fields = fields
  }

  /// Writes a cookie as a line; `nil` for one that no line can hold.
  init?(_ cookie: Cookie) {
    let domain = cookie.key.domain
    self.init(
      [
        (cookie.isHTTPOnly ? "#HttpOnly_" : "") + domain,
        cookie.includesSubdomains ? "TRUE" : "FALSE", cookie.key.path,
        cookie.isSecure ? "TRUE" : "FALSE", "\(cookie.expires ?? 0)", cookie.key.name,
        cookie.value,
      ].joined(separator: "\t"))
  }

  /// The cookie of the line.
  var cookie: Cookie {
    let isHTTPOnly = fields[0].hasPrefix("#HttpOnly_")
    let domain = isHTTPOnly ? fields[0].dropFirst("#HttpOnly_".count) : fields[0]
    let expires = Int64(fields[4]) ?? 0
    return Cookie(
      key: Cookie.Key(domain: String(domain), path: String(fields[2]), name: name),
      value: String(fields[6]), expires: expires == 0 ? nil : expires,
      includesSubdomains: fields[1] == "TRUE", isSecure: fields[3] == "TRUE",
      isHTTPOnly: isHTTPOnly)
  }

  /// The cookie's name.
  var name: String { String(fields[5]) }

  /// What makes a cookie another one (RFC 6265, section 5.3).
  var key: [Substring] { [fields[0], fields[2], fields[5]] }

  /// The line that takes the cookie out of a jar: the same cookie, expired long ago.
  var expired: String { (fields[..<4] + ["1"] + fields[5...]).joined(separator: "\t") }

  /// Whether the cookie is for a host (RFC 6265, section 5.1.3).
  func applies(to host: String) -> Bool {
    var domain = fields[0]
    if domain.hasPrefix("#HttpOnly_") { domain = domain.dropFirst("#HttpOnly_".count) }
    if domain.hasPrefix(".") { domain = domain.dropFirst() }
    return host.lowercased() == domain.lowercased()
      || host.lowercased().hasSuffix("." + domain.lowercased())
  }
}

/// What becomes of a jar in a transfer whose author wrote a cookie that the jar has too.
///
/// libcurl would send both. Such a transfer therefore gets a copy of the jar without the cookies of
/// those names, and what the server changes in the copy is carried over to the jar (PK-83).
struct CookieMerge: Sendable, Hashable {
  /// The cookies of the copy.
  let kept: [CookieLine]
  /// The cookies that the author's stand in for.
  let hidden: [CookieLine]

  /// Says what to do; `nil` where no name is in both, so that the jar itself can be used.
  init?(jar: [CookieLine], header: String) {
    let names = CookieMerge.names(header)
    hidden = jar.filter { names.contains($0.name) }
    kept = jar.filter { !names.contains($0.name) }
    if hidden.isEmpty { return nil }
  }

  /// The names of the cookies in a `Cookie` value.
  static func names(_ header: String) -> Set<String> {
    Set(
      header.split(separator: ";").compactMap { pair in
        let name = pair.prefix { $0 != "=" }
        return String(decoding: HeadText.trimmed(name.utf8), as: UTF8.self)
      })
  }

  /// The lines to add to the jar after the transfer. `copy` is what the copy holds then, and
  /// `setCookies` are the values of the response's `Set-Cookie` fields.
  func changes(copy: [CookieLine], setCookies: [String], host: String) -> [String] {
    let known = Set(kept)
    let left = Set(copy.map(\.key))
    let added = copy.filter { !known.contains($0) }.map(\.text)
    let removed = kept.filter { !left.contains($0.key) }.map(\.expired)
    // The copy can't lose a cookie that it never had: one that was set and isn't there was removed.
    let setNames = Set(setCookies.flatMap { CookieMerge.names(String($0.prefix { $0 != ";" })) })
    let copyNames = Set(copy.map(\.name))
    let unhidden = hidden.filter {
      setNames.contains($0.name) && !copyNames.contains($0.name) && $0.applies(to: host)
    }
    return removed + unhidden.map(\.expired) + added
  }
}
