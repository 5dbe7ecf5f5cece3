// Settings of requests in the words of Bruno and OpenCollection, as tags.

/// What a request says of how it is sent; `nil` where it says nothing.
struct BrunoSettings: Sendable, Hashable {
  /// Whether names and values of the query are encoded once more.
  var encodesURL: Bool?
  /// Milliseconds; 0 for no limit.
  var timeout: Int?
  var followsRedirects: Bool?
  var maxRedirects: Int?

  /// The tags that say the same, without `# @`.
  var tags: [String] {
    var tags: [String] = []
    if followsRedirects == false || maxRedirects == 0 {
      tags.append("no-redirect")
    } else if let maxRedirects, maxRedirects > 0 {
      tags.append("curl-max-redirs \(maxRedirects)")
    }
    if encodesURL == false { tags.append("no-auto-encoding") }
    if let timeout, timeout > 0 {
      let isWhole = timeout % 1_000 == 0
      tags.append("timeout \(isWhole ? timeout / 1_000 : timeout) \(isWhole ? "s" : "ms")")
    }
    return tags
  }

  /// Says nothing.
  init() {}

  /// These settings, and where they say nothing those of the folder.
  func inheriting(_ folder: BrunoSettings?) -> BrunoSettings {
    guard let folder else { return self }
    var settings = self
    settings.encodesURL = encodesURL ?? folder.encodesURL
    settings.timeout = timeout ?? folder.timeout
    settings.followsRedirects = followsRedirects ?? folder.followsRedirects
    settings.maxRedirects = maxRedirects ?? folder.maxRedirects
    return settings
  }

  /// Reads fields such as those of a `settings` block; what is no such value is left to be told.
  init(_ fields: BrunoFields) {
    encodesURL = fields.bool("encodeUrl")
    followsRedirects = fields.bool("followRedirects")
    timeout = Self.number("timeout", fields)
    maxRedirects = Self.number("maxRedirects", fields)
    // `inherit` is what a request without the field does, too.
    for name in ["encodeUrl", "followRedirects", "timeout", "maxRedirects"]
    where fields.peek(name) == "inherit" {
      fields.ignore(name)
    }
  }

  private static func number(_ name: String, _ fields: BrunoFields) -> Int? {
    guard let number = fields.peek(name).flatMap(Int.init), number >= 0 else { return nil }
    fields.ignore(name)
    return number
  }
}
