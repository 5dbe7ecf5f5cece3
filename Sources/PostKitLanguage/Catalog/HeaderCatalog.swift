// The request headers that completion offers and hover explains; values where they are a fixed set.

/// A header field that requests use.
package struct HeaderDescription: Sendable, Hashable {
  package let name: String
  /// What it says, in one sentence.
  package let summary: String
  /// Where it is defined.
  package let source: String
  /// Common values, the commonest first.
  package let values: [String]
}

/// The headers PostKit knows.
package enum HeaderCatalog {
  /// All of them, by name.
  package static let all: [HeaderDescription] = content + credentials + conditions + context

  /// The header of that name in any case.
  package static func named(_ name: String) -> HeaderDescription? { byName[name.lowercased()] }

  /// Fields that responses often have, the commonest first.
  static let responseNames = [
    "Content-Type", "Location", "ETag", "Set-Cookie", "Last-Modified", "Cache-Control", "Date",
    "Link", "Retry-After", "WWW-Authenticate", "X-Request-ID", "X-Total-Count",
  ]

  /// Fields whose values are lists, so that one more is no mistake; in small letters.
  static let lists: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "cookie",
    "forwarded", "if-match", "if-none-match", "link", "prefer", "te", "trailer", "via",
    "x-forwarded-for",
  ]

  private static let byName = Dictionary(
    uniqueKeysWithValues: all.map { ($0.name.lowercased(), $0) })

  /// Media types offered for `Content-Type` and `Accept`.
  package static let mediaTypes = [
    "application/json", "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=boundary",
    "text/plain", "text/html", "application/xml", "text/xml", "text/csv", "text/markdown",
    "application/problem+json", "application/ld+json", "application/vnd.api+json",
    "application/x-ndjson", "application/graphql", "application/octet-stream", "application/pdf",
    "application/yaml", "image/png", "image/jpeg", "image/svg+xml", "text/event-stream",
  ]

  private static func header(
    _ name: String, _ summary: String, _ source: String, _ values: [String] = []
  ) -> HeaderDescription {
    HeaderDescription(name: name, summary: summary, source: source, values: values)
  }

  private static let content = [
    header(
      "Accept", "The media types that the client can use, with preferences.",
      "RFC 9110, section 12.5.1", ["*/*"] + mediaTypes),
    header(
      "Accept-Charset", "The charsets that the client can use; servers ignore it today.",
      "RFC 9110, section 12.5.2", ["utf-8", "iso-8859-1"]),
    header(
      "Accept-Encoding", "The content codings that the client can decode.",
      "RFC 9110, section 12.5.3", ["gzip, deflate, br", "gzip", "br", "zstd", "identity"]),
    header(
      "Accept-Language", "The languages that the user prefers.", "RFC 9110, section 12.5.4",
      ["en", "en-US,en;q=0.9", "de", "fr"]),
    header(
      "Content-Disposition", "How to treat a part or a body, and its file name.",
      "RFC 6266", ["form-data; name=\"field\"", "attachment; filename=\"file\""]),
    header(
      "Content-Encoding", "The codings that were applied to the body.",
      "RFC 9110, section 8.4", ["gzip", "br", "deflate", "zstd"]),
    header(
      "Content-Language", "The language of the body's audience.", "RFC 9110, section 8.5",
      ["en", "de"]),
    header(
      "Content-Length", "The length of the body in bytes; PostKit always computes it.",
      "RFC 9110, section 8.6"),
    header("Content-Location", "A URL for what is in the body.", "RFC 9110, section 8.7"),
    header(
      "Content-Range", "Which part of the whole the body is.", "RFC 9110, section 14.4",
      ["bytes 0-1023/2048"]),
    header("Content-Type", "The media type of the body.", "RFC 9110, section 8.3", mediaTypes),
    header("Transfer-Encoding", "How the message is framed.", "RFC 9112, section 6.1", ["chunked"]),
    header("Trailer", "Fields that follow a chunked body.", "RFC 9110, section 6.6.2"),
    header(
      "TE", "Transfer codings that the client can use.", "RFC 9110, section 10.1.4", ["trailers"]),
  ]

  private static let credentials = [
    header(
      "Authorization", "Credentials for the server.", "RFC 9110, section 11.6.2",
      [
        "Bearer {{token}}", "Basic {{user}} {{password}}", "Digest {{user}} {{password}}",
        "AWS {{accessKey}} {{secretKey}} region:us-east-1 service:s3", "NTLM {{user}} {{password}}",
        "Negotiate",
      ]),
    header(
      "Cookie", "Cookies for the server; PostKit adds those of the jar.",
      "RFC 6265, section 5.4"),
    header(
      "Origin", "The origin that a request comes from.", "RFC 6454, section 7",
      ["https://example.com", "null"]),
    header(
      "Proxy-Authorization", "Credentials for the proxy.", "RFC 9110, section 11.7.2",
      ["Basic {{user}} {{password}}"]),
    header("X-API-Key", "A key that many services require.", "common practice", ["{{apiKey}}"]),
    header(
      "X-CSRF-Token", "A token against forged requests.", "common practice", ["{{csrfToken}}"]),
  ]

  private static let conditions = [
    header(
      "Cache-Control", "What caches may do.", "RFC 9111, section 5.2",
      ["no-cache", "no-store", "max-age=0", "only-if-cached", "must-revalidate"]),
    header("If-Match", "Act only where the entity tag matches.", "RFC 9110, section 13.1.1", ["*"]),
    header(
      "If-Modified-Since", "Answer only where it has changed since.", "RFC 9110, section 13.1.3",
      ["{{$datetime rfc1123 -1 d}}"]),
    header(
      "If-None-Match", "Act only where no entity tag matches.", "RFC 9110, section 13.1.2", ["*"]),
    header(
      "If-Range", "Send the range only where nothing has changed.", "RFC 9110, section 13.1.5"),
    header(
      "If-Unmodified-Since", "Act only where it has not changed since.",
      "RFC 9110, section 13.1.4", ["{{$datetime rfc1123}}"]),
    header(
      "Pragma", "An old form of `Cache-Control: no-cache`.", "RFC 9111, section 5.4", ["no-cache"]),
    header("Range", "Only this part of the whole.", "RFC 9110, section 14.2", ["bytes=0-1023"]),
  ]

  private static let context = [
    header(
      "Connection", "Whether the connection stays open.", "RFC 9110, section 7.6.1",
      ["keep-alive", "close", "Upgrade"]),
    header(
      "Date", "When the message was made.", "RFC 9110, section 6.6.1", ["{{$datetime rfc1123}}"]),
    header("DNT", "The user does not want to be tracked.", "common practice", ["1"]),
    header(
      "Expect", "What the server must do before the body is sent.", "RFC 9110, section 10.1.1",
      ["100-continue"]),
    header(
      "Forwarded", "What proxies know of the client.", "RFC 7239",
      ["for=192.0.2.60;proto=https"]),
    header("From", "The mail address of the user.", "RFC 9110, section 10.1.2"),
    header("Host", "The host and port of the target.", "RFC 9110, section 7.2"),
    header("Idempotency-Key", "Makes repeated requests count once.", "IETF draft", ["{{$uuid}}"]),
    header("Link", "Links to other resources.", "RFC 8288"),
    header("Max-Forwards", "How many proxies may pass it on.", "RFC 9110, section 7.6.2", ["10"]),
    header(
      "Prefer", "Preferences for how the server handles the request.", "RFC 7240",
      ["return=minimal", "return=representation", "respond-async", "wait=10"]),
    header("Referer", "The page that the request comes from.", "RFC 9110, section 10.1.3"),
    header("SOAPAction", "The intent of a SOAP request.", "SOAP 1.1, section 6.1.1"),
    header(
      "traceparent", "The place of the request in a trace.", "W3C Trace Context",
      ["00-{{$random.hexadecimal(32)}}-{{$random.hexadecimal(16)}}-01"]),
    header(
      "Upgrade", "Another protocol to switch to.", "RFC 9110, section 7.8", ["websocket", "h2c"]),
    header("Upgrade-Insecure-Requests", "The client prefers https.", "W3C", ["1"]),
    header("User-Agent", "The program that sends the request.", "RFC 9110, section 10.1.5"),
    header("Via", "The proxies on the way.", "RFC 9110, section 7.6.3"),
    header(
      "X-Correlation-ID", "Ties the requests of one operation together.", "common practice",
      ["{{$uuid}}"]),
    header("X-Forwarded-For", "The client's address as proxies saw it.", "common practice"),
    header("X-Forwarded-Host", "The host as the client wrote it.", "common practice"),
    header(
      "X-Forwarded-Proto", "The scheme that the client used.", "common practice",
      ["https", "http"]),
    header(
      "X-HTTP-Method-Override", "The intended method, where only POST passes.",
      "common practice", ["PUT", "PATCH", "DELETE"]),
    header("X-Request-ID", "Names the request in logs.", "common practice", ["{{$uuid}}"]),
    header(
      "X-Requested-With", "Marks a request as sent by a script.", "common practice",
      ["XMLHttpRequest"]),
  ]
}
