// Status codes: their phrases and classes (RFC 9110, section 15, and the IANA registry).

/// What is known of a status code.
package enum Status {
  /// The first digit of a status code.
  package enum Class: Int, Sendable, Hashable {
    case informational = 1
    case success, redirection, clientError, serverError
  }

  /// The class of a code; `nil` outside 100 to 599.
  package static func `class`(_ code: Int) -> Class? {
    (100...599).contains(code) ? Class(rawValue: code / 100) : nil
  }

  /// The registered reason phrase; `nil` for a code that isn't registered.
  package static func reason(_ code: Int) -> String? { reasons[code] }

  /// Whether a response of this status never has a body (RFC 9110, section 6.4.1).
  package static func hasNoBody(_ code: Int) -> Bool {
    (100..<200).contains(code) || code == 204 || code == 304
  }

  /// All registered codes in order.
  package static var registered: [Int] { reasons.keys.sorted() }

  private static let reasons: [Int: String] = [
    100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
    200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information",
    204: "No Content", 205: "Reset Content", 206: "Partial Content", 207: "Multi-Status",
    208: "Already Reported", 226: "IM Used",
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
    417: "Expectation Failed", 418: "I'm a teapot", 421: "Misdirected Request",
    422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency", 425: "Too Early",
    426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    506: "Variant Also Negotiates", 507: "Insufficient Storage", 508: "Loop Detected",
    510: "Not Extended", 511: "Network Authentication Required",
  ]
}
