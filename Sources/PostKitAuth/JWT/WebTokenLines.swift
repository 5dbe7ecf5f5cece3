// What a person reads of a token: its members, and times in words.

package import PostKitJSON

import PostKitHTTP

/// A member of a header or of claims, as a person reads it.
package struct WebTokenLine: Sendable, Hashable {
  package var name: String
  /// The text of a string, otherwise JSON on one line.
  package var value: String
  /// What the value means, such as `2026-11-29T16:07:44Z, expired 3 min ago`.
  package var meaning: String?
}

/// The lines of a token.
package enum WebTokenLines {
  /// How long what nobody reads whole is; the rest of a value is left out.
  private static let valueLimit = 400
  /// Members that are shown of an object.
  private static let memberLimit = 64

  /// The members of a header or of claims. `now` is in milliseconds since 1970, and `date` writes
  /// such a moment.
  package static func lines(
    _ tree: JSONTree, now: Int64, date: (Int64) -> String
  ) -> [WebTokenLine] {
    tree.root.members.prefix(memberLimit).map { key, value in
      let name = key.string ?? ""
      var line = WebTokenLine(name: name, value: text(value))
      if let moment = WebToken.moment(value), isTime(name) {
        let words = WebTokenTime.words(name, at: moment, now: now)
        line.meaning = date(moment) + ", " + words
      }
      return line
    }
  }

  private static func isTime(_ name: String) -> Bool {
    ["exp", "nbf", "iat", "auth_time", "updated_at"].contains(name)
  }

  private static func text(_ value: JSONView) -> String {
    let whole = value.string ?? value.value.text
    guard whole.utf8.count > valueLimit else { return whole }
    return whole.prefix(valueLimit) + "…"
  }
}

/// Times of a token in words.
package enum WebTokenTime {
  /// What a time says: `expired 3 min ago`, `expires in 12 min`, `not valid for 2 h yet`.
  package static func words(_ claim: String, at moment: Int64, now: Int64) -> String {
    let isPast = moment <= now
    let span = span(milliseconds: isPast ? now - moment : moment - now)
    switch (claim, isPast) {
    case ("exp", true): return "expired \(span) ago"
    case ("exp", false): return "expires in \(span)"
    case ("nbf", true): return "valid since \(span)"
    case ("nbf", false): return "not valid for another \(span)"
    case ("iat", true): return "issued \(span) ago"
    case ("iat", false): return "issued in the future, in \(span)"
    case ("auth_time", true): return "signed in \(span) ago"
    case (_, true): return "\(span) ago"
    case (_, false): return "in \(span)"
    }
  }

  /// A length of time in its largest unit, as it is said of a token: `40 s`, `3 min`, `5 h`,
  /// `12 days`, `3 years`.
  package static func span(milliseconds: Int64) -> String {
    let seconds = milliseconds / 1_000
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3_600 { return "\(seconds / 60) min" }
    if seconds < 2 * 86_400 { return "\(seconds / 3_600) h" }
    let days = seconds / 86_400
    return days < 730 ? "\(days) days" : "\(days / 365) years"
  }
}
