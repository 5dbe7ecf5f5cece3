// What an operation was called with that others must not see, as far as its mask tells (IO-29).

import PostKitHTTP
import PostKitJSON

/// A kind of credential of a request.
struct RecordedCredential: Hashable, Comparable {
  /// `query`, `header` or `cookie`; `http` for a scheme of HTTP.
  let place: String
  /// The name there, or the scheme.
  let name: String

  /// In the order of places, then of names.
  static func < (left: RecordedCredential, right: RecordedCredential) -> Bool {
    (left.place, left.name) < (right.place, right.name)
  }

  private static let schemes = ["basic", "bearer", "digest", "negotiate"]

  /// The credentials of a request. Values of `Authorization` and `Cookie` are never kept, so that
  /// the request as it was written tells their kind.
  static func all(of pair: RecordedPair) -> [RecordedCredential] {
    var found: Set<RecordedCredential> = []
    for field in pair.request.headers.fields {
      switch field.name.lowercased() {
      case "authorization": found.insert(authorization(field.value, pair))
      case "cookie":
        let names = cookies(field.value) + cookies(written("cookie", in: pair.template) ?? "")
        for name in names.isEmpty ? ["session"] : names {
          found.insert(RecordedCredential(place: "cookie", name: name))
        }
      case "proxy-authorization": break
      case let name where field.value.contains(SecretMask.text) && !name.hasPrefix(":"):
        if !RecordedHeaders.isUsual(name) {
          found.insert(RecordedCredential(place: "header", name: field.name))
        }
      default: break
      }
    }
    for value in FormFields.pairs(pair.parts.query ?? "") where value.isSecret {
      found.insert(RecordedCredential(place: "query", name: value.name))
    }
    return found.sorted()
  }

  /// The scheme as the member of `securitySchemes` says it.
  var description: JSONValue {
    guard place != "http" else { return ["type": "http", "scheme": .string(name)] }
    return ["type": "apiKey", "in": .string(place), "name": .string(name)]
  }

  /// A name for the scheme.
  var title: String {
    let word = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          let isAllowed = scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789.-_"
            .unicodeScalars.contains(scalar))
          return isAllowed ? scalar : "_"
        }))
    return place == "http" ? word + "Auth" : word
  }

  private static func authorization(_ value: String, _ pair: RecordedPair) -> RecordedCredential {
    let texts = [value, written("authorization", in: pair.template) ?? ""]
    for text in texts {
      let word = text.prefix { $0 != " " }.lowercased()
      if schemes.contains(word) { return RecordedCredential(place: "http", name: word) }
      if word == "oauth2" { return RecordedCredential(place: "http", name: "bearer") }
    }
    return URLText(pair.request.url).userInfo != nil
      ? RecordedCredential(place: "http", name: "basic")
      : RecordedCredential(place: "header", name: "Authorization")
  }

  /// The value of a header as it was written.
  private static func written(_ name: String, in template: String) -> String? {
    for line in template.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
        continue
      }
      return String(line[line.index(after: colon)...]).trimmingASCIIBlanks()
    }
    return nil
  }

  private static func cookies(_ value: String) -> [String] {
    value.split(separator: ";").compactMap { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(halves[0]).trimmingASCIIBlanks()
      return halves.count > 1 && !name.isEmpty && !name.contains("{") && name != SecretMask.text
        ? name : nil
    }
  }
}
