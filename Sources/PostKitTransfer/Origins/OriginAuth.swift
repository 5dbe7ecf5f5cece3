// How a request of another tool says who sends it.

/// Who sends a request, as the origin says it (IO-18).
indirect enum OriginAuth: Sendable, Hashable {
  /// What the nearest folder says.
  case inherited
  /// Nothing, whatever the folders say.
  case none
  case basic(user: String, password: String)
  /// The word before the token is `Bearer` but where the origin has another; empty for none.
  case bearer(token: String, prefix: String)
  case apiKey(name: String, value: String, location: OriginKeyLocation)
  case digest(user: String, password: String)
  case ntlm(user: String, password: String, domain: String?)
  case aws(OriginAWS)
  case oauth2(OriginOAuth2)
  /// One that can't be had here: its name and fields become comments, with a note.
  case other(name: String, fields: [OriginVariable])
}

/// Where an API key is sent.
enum OriginKeyLocation: Sendable, Hashable {
  case header, query, cookie
}

/// What signs a request as Amazon has it.
struct OriginAWS: Sendable, Hashable {
  var accessKey = ""
  var secretKey = ""
  var token = ""
  var region = ""
  var service = ""
}

/// An OAuth 2 client as a member of `Security.Auth`.
struct OriginOAuth2: Sendable, Hashable {
  /// The name that is used in `$auth.token("ID")`, where the origin has one.
  var name: String?
  /// A member of `Security.Auth` and its value, in order, such as `Grant Type`.
  var fields: [OriginVariable] = []
  /// The fields whose values are secrets, such as `Client Secret` and `Password`.
  var secretFields: Set<String> = ["Client Secret", "Password"]
  /// Where the token is sent; `nil` in `Authorization` for the query's `access_token`.
  var location = OriginKeyLocation.header
  /// The word before the token in the header.
  var prefix = "Bearer"

  /// What stands in a template for the token of a client.
  static func token(of name: String) -> String { "$auth.token(\"\(name)\")" }
}
