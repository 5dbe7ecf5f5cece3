// What `@jwt` does: the payloads of JSON Web Tokens, beside the tokens.

import PostKitAuth
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
      // A text that is no token has nothing beside it.
      guard case .string(let text) = member.value, let claims = (try? WebToken(text))?.claims else {
        continue
      }
      result.append(JSONMember(member.key + "_parsed", claims.root.value))
    }
    return result.count == members.count ? nil : JSONValue.object(result).bytes
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
