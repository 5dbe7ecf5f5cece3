// The Authorization header's short forms (PK-79).

import PostKitHTTP
import PostKitSyntax

/// Reads `Basic user password` and the like: a header that goes over the wire, or credentials of
/// which libcurl makes one.
enum Credentials {
  /// What became of an Authorization value.
  enum Outcome: Hashable {
    case verbatim
    case rewritten(String)
    /// No header, but something for libcurl to do.
    case authentication(Authentication)
    /// A signature; what is not said of it is read from the host.
    case signature(SignatureRequest)
    /// A token, which somebody has to get.
    case token(OAuthHeader)
    case passwordMissing(scheme: String)
    case unsupported(String)
  }

  /// The schemes that have short forms.
  private static let schemes = [
    "basic", "digest", "ntlm", "negotiate", "aws", "oauth2", "openid", "cognito",
  ]

  /// Reads an Authorization value: the template decides where user and password part, the
  /// expanded halves are used.
  static func rewrite(template: String, value: String, expand: (String) -> String) -> Outcome {
    // The scheme that is written most has no short form.
    if template.withBytes({ $0.starts(with: "Bearer ".utf8) }) { return .verbatim }
    let end = template.utf8.firstIndex { $0 == 32 || $0 == 9 } ?? template.endIndex
    let word = template[..<end]
    let scheme = word.lowercased()
    guard schemes.contains(scheme) else { return .verbatim }
    let rest = String(template[end...]).trimmingBlanks
    switch scheme {
    case "aws" where !rest.isEmpty: return signature(rest, word: String(word), expand)
    case "oauth2", "openid": return OAuthHeader(template).map(Outcome.token) ?? .verbatim
    case "cognito" where !rest.isEmpty:
      return .unsupported("This version does not support Cognito logins.")
    case "ntlm" where rest.isEmpty: return .authentication(.ntlm(user: "", password: ""))
    case "negotiate" where rest.isEmpty:
      return .authentication(.negotiate(user: "", password: ""))
    case "aws", "cognito": return .verbatim
    default: break
    }
    guard !rest.isEmpty else { return .verbatim }
    var parts = split(rest)
    if parts == nil, rest.hasPrefix("{{"), rest.hasSuffix("}}"), references(in: rest) == 1 {
      // One reference holds the whole credential: its value decides.
      let expanded = String(value.dropFirst(word.count)).trimmingBlanks
      if isBase64Credential(expanded) || expanded.isEmpty { return .verbatim }
      parts = split(expanded)
      if let parts { return encoded(scheme, parts.user, parts.password) }
      return .passwordMissing(scheme: String(word))
    }
    if isBase64Credential(rest) { return .verbatim }
    if scheme == "digest", rest.contains("="), parts == nil || rest.contains("nonce") {
      return .verbatim
    }
    guard let parts else { return .passwordMissing(scheme: String(word)) }
    return encoded(scheme, expand(parts.user), expand(parts.password))
  }

  private static func encoded(_ scheme: String, _ user: String, _ password: String) -> Outcome {
    switch scheme {
    case "digest": .authentication(.digest(user: user, password: password))
    case "ntlm": .authentication(.ntlm(user: user, password: password))
    case "negotiate": .authentication(.negotiate(user: user, password: password))
    default: .rewritten("Basic " + Base64.encode("\(user):\(password)".keptBytes))
    }
  }

  /// Reads `accessKey secret [token:T] [region:R] [service:S]`, the last three in any order.
  private static func signature(
    _ rest: String, word: String, _ expand: (String) -> String
  ) -> Outcome {
    var words = words(rest)
    // One reference holds the whole credential: its value decides.
    words = words.count == 1 ? Credentials.words(expand(rest)) : words.map(expand)
    var request = SignatureRequest()
    var plain: [String] = []
    var pending: WritableKeyPath<SignatureRequest, String?>?
    for word in words {
      if let field = pending {
        request[keyPath: field] = word
        pending = nil
        continue
      }
      let colon = word.firstIndex(of: ":")
      let name = word[..<(colon ?? word.startIndex)].lowercased()
      guard let colon, let field = SignatureRequest.fields[name] else {
        plain.append(word)
        continue
      }
      let value = String(word[word.index(after: colon)...])
      if value.isEmpty { pending = field } else { request[keyPath: field] = value }
    }
    guard plain.count == 2, pending == nil else { return .passwordMissing(scheme: word) }
    (request.accessKey, request.secret) = (plain[0], plain[1])
    return .signature(request)
  }

  /// The words between blanks; blanks inside of references part nothing.
  private static func words(_ text: String) -> [String] {
    var result: [String] = []
    var rest = text
    while let halves = split(rest, atColons: false) {
      if !halves.user.isEmpty { result.append(halves.user) }
      rest = halves.password
    }
    return rest.isEmpty ? result : result + [rest]
  }

  /// Splits at the first blank if it stands before the first colon, else at the colon; what is
  /// inside of references does not count.
  private static func split(
    _ text: String, atColons: Bool = true
  ) -> (user: String, password: String)? {
    var depth = 0
    var previous: Character = " "
    for index in text.indices {
      let character = text[index]
      if character == "{", previous == "{" { depth += 1 }
      if character == "}", previous == "}" { depth = max(0, depth - 1) }
      previous = character
      guard depth == 0 else { continue }
      let after = text.index(after: index)
      if character == " " || character == "\t" {
        let password = String(text[after...]).drop { $0 == " " || $0 == "\t" }
        return (String(text[..<index]), String(password))
      }
      if character == ":", atColons {
        return (String(text[..<index]), String(text[after...]))
      }
    }
    return nil
  }

  private static func references(in text: String) -> Int {
    var count = 0
    let bytes = Array(text.utf8)
    for piece in TemplateParser.pieces(bytes, in: 0..<bytes.count) {
      if case .literal = piece { return 0 }
      count += 1
    }
    return count
  }

  private static func isBase64Credential(_ text: String) -> Bool {
    guard !text.contains(" "), !text.contains(":"), let bytes = Base64.decode(text) else {
      return false
    }
    return bytes.contains(UInt8(ascii: ":"))
  }
}

/// What an `Authorization: AWS …` header asks for (PK-80).
struct SignatureRequest: Hashable {
  var accessKey = ""
  var secret = ""
  var token: String?
  var region: String?
  var service: String?

  /// The parts that are known by a name.
  fileprivate static var fields: [String: WritableKeyPath<SignatureRequest, String?>] {
    ["token": \.token, "region": \.region, "service": \.service]
  }

  /// The material of the signature; what was not said is read from the host's name. `nil` where the
  /// host doesn't tell its service.
  func signature(host: String) -> AWSSignature? {
    let (hostRegion, hostService) = SignatureRequest.place(host.lowercased())
    guard let service = service ?? hostService else { return nil }
    return AWSSignature(
      accessKey: accessKey, secret: secret, region: region ?? hostRegion ?? "us-east-1",
      service: service)
  }

  /// What a host such as `id.execute-api.eu-west-1.amazonaws.com` says.
  private static func place(_ host: String) -> (region: String?, service: String?) {
    let suffixes = [".amazonaws.com.cn", ".amazonaws.com", ".api.aws", ".on.aws"]
    guard let suffix = suffixes.first(where: host.hasSuffix) else { return (nil, nil) }
    var labels = host.dropLast(suffix.count).split(separator: ".").map(String.init)
    var region: String?
    if let last = labels.last, labels.count > 1, isRegion(last) {
      region = last
      labels.removeLast()
    }
    guard var service = labels.last else { return (region, nil) }
    // A region may stand before the service, or be tied to it: `eu-west-1.es`, `s3-eu-west-1`.
    if region == nil, labels.count > 1, isRegion(labels[labels.count - 2]) {
      region = labels[labels.count - 2]
    }
    if service.hasPrefix("s3-"), isRegion(String(service.dropFirst(3))) {
      region = String(service.dropFirst(3))
      service = "s3"
    }
    if service == "lambda-url" { service = "lambda" }
    return (region, service)
  }

  /// Whether a label is such as `eu-west-1`.
  private static func isRegion(_ label: String) -> Bool {
    let parts = label.split(separator: "-")
    guard parts.count >= 3, parts[0] != "s3", let last = parts.last else { return false }
    return last.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
