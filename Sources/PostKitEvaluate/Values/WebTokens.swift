// What `@jwt` does: the payloads of JSON Web Tokens, beside the tokens.

import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// Decodes JSON Web Tokens (RFC 7519); nothing is verified.
enum WebTokens {
  /// A JSON object with a member `NAME_parsed` for each of its members that is a token; `nil` where
  /// it has none. Without names all members are looked at.
  static func adding(_ names: [String], to text: [UInt8]) -> [UInt8]? {
    // A body that is no JSON has no tokens.
    guard let tree = try? JSONTree(parsing: text), case .object(let members) = tree.root.value
    else { return nil }
    var result = members
    for member in members where names.isEmpty || names.contains(member.key) {
      guard case .string(let token) = member.value, let payload = payload(of: token) else {
        continue
      }
      result.append(JSONMember(member.key + "_parsed", payload))
    }
    return result.count == members.count ? nil : JSONValue.object(result).bytes
  }

  /// The claims of a token; `nil` where a text is none.
  private static func payload(of token: String) -> JSONValue? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3,
      let head = Base64.decode(parts[0], alphabet: .url, requiresPadding: false),
      // A text whose parts are no JSON is no token.
      (try? JSONTree(parsing: head)) != nil,
      let claims = Base64.decode(parts[1], alphabet: .url, requiresPadding: false)
    else { return nil }
    // Nor is one whose claims are none.
    return (try? JSONTree(parsing: claims))?.root.value
  }
}

extension ParsedBlock {
  /// The members of its response whose tokens `@jwt` decodes; `nil` where it has no such tag.
  package var tokenNames: [String]? {
    let tags = metadata.filter { $0.kind == .jwt && $0.region != .body }
    if tags.isEmpty { return nil }
    return tags.flatMap { tag in
      text(tag.value).split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
    }
  }
}
