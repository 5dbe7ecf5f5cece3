// The lines of a request's head to a request without a body; lenient nowhere (RFC 9112).

package import PostKitHTTP

/// Understands heads.
package enum RequestHead {
  /// The request of a head's lines.
  static func parse(_ lines: [ArraySlice<UInt8>]) throws(RequestProblem) -> LoopbackRequest {
    guard let first = lines.first else { throw RequestProblem("The request line is missing.") }
    var request = try requestLine(first)
    for line in lines.dropFirst() { request.headers.fields.append(try field(line)) }
    let hosts = request.headers.values("Host")
    guard hosts.count == 1 || hosts.isEmpty && request.isVersion10 else {
      throw RequestProblem("A request has one Host header.")
    }
    return request
  }

  /// The characters of a token (RFC 9110, section 5.6.2).
  package static let token = ASCIISet(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  private static func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(RequestProblem) -> LoopbackRequest {
    let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3 else {
      throw RequestProblem("The request line isn't a method, a target and a version.")
    }
    guard !words[0].isEmpty, words[0].allSatisfy(token.contains) else {
      throw RequestProblem("The method is no word of HTTP.")
    }
    let version = String(decoding: words[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      let isHTTP = version.hasPrefix("HTTP/")
      throw RequestProblem("The version isn't HTTP/1.1.", status: isHTTP ? 505 : 400)
    }
    guard words[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw RequestProblem("The target has a character that it must not have.")
    }
    let target = try originForm(String(decoding: words[1], as: UTF8.self))
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return LoopbackRequest(
      method: String(decoding: words[0], as: UTF8.self), path: String(parts[0]),
      query: parts.count > 1 ? String(parts[1]) : nil, isVersion10: version == "HTTP/1.0")
  }

  /// The path and query of a target; that of a proxy request has a scheme and host before them.
  private static func originForm(_ target: String) throws(RequestProblem) -> String {
    if target.hasPrefix("/") || target == "*" { return target }
    let url = URLText(target)
    if let scheme = url[url.scheme], ["http", "https"].contains(scheme.lowercased()) {
      return (url.path.isEmpty ? "/" : "") + target[url.target]
    }
    throw RequestProblem("The target doesn't begin with a slash.")
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(RequestProblem) -> HeaderField {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      throw RequestProblem("A header line has no colon.")
    }
    let name = line[..<colon]
    guard !name.isEmpty, name.allSatisfy(token.contains) else {
      throw RequestProblem("A header name is no word of HTTP, or has a blank after it.")
    }
    let value = line[(colon + 1)...]
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) else {
      throw RequestProblem("A header value has a control character.")
    }
    // Bytes that are no UTF-8 were Latin-1 in older clients.
    let text =
      String(validating: value, as: UTF8.self)
      ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
    return HeaderField(String(decoding: name, as: UTF8.self), text.trimmingASCIIBlanks())
  }
}
