// What status codes mean, for hovers.

import PostKitHTTP

/// The status codes PostKit can explain.
enum StatusCatalog {
  /// The phrase of a registered code, what its class says, and where it is defined.
  static func described(_ code: Int) -> String? {
    guard let reason = Status.reason(code), let kind = Status.class(code) else { return nil }
    let source = source(of: code).map { "\n\n\($0)" } ?? ""
    return "**\(code) \(reason)**: \(meaning(of: kind))\(source)"
  }

  private static func meaning(of kind: Status.Class) -> String {
    switch kind {
    case .informational: "The server received the request and continues."
    case .success: "The server accepted the request."
    case .redirection: "The client must do more to complete the request."
    case .clientError: "The server refuses the request as it is."
    case .serverError: "The server failed to process a valid request."
    }
  }

  /// The section that defines a code.
  private static func source(of code: Int) -> String? {
    if let other = others[code] { return other }
    let section: Int? =
      switch code {
      case 100...101, 200...206, 300...305, 400...417, 500...505: code % 100 + 1
      case 307...308: code % 100 + 1
      case 421, 422: code % 100 - 1
      case 426: 22
      default: nil
      }
    return section.map { "RFC 9110, section 15.\(code / 100 + 1).\($0)" }
  }

  /// Codes of other documents (the IANA registry).
  private static let others: [Int: String] = [
    102: "RFC 2518, section 10.1", 103: "RFC 8297, section 2", 207: "RFC 4918, section 11.1",
    208: "RFC 5842, section 7.1", 226: "RFC 3229, section 10.4.1",
    418: "RFC 2324, section 2.3.2", 423: "RFC 4918, section 11.3",
    424: "RFC 4918, section 11.4", 425: "RFC 8470, section 5.2", 428: "RFC 6585, section 3",
    429: "RFC 6585, section 4", 431: "RFC 6585, section 5", 451: "RFC 7725, section 3",
    506: "RFC 2295, section 8.1", 507: "RFC 4918, section 11.5", 508: "RFC 5842, section 7.2",
    510: "RFC 2774, section 7", 511: "RFC 6585, section 6",
  ]
}
