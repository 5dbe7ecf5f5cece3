// Constructs that change how a request is sent: tags and credentials.

import PostKitSyntax

extension Construct {
  /// Tags and credentials.
  static let behaviour: [Construct] = tags + credentials

  /// Tags of curl's, which are told by their beginning.
  private static let curl: [MetadataTag?] = [.curlOption, .curlDataURLEncode]

  /// The tags, with the tools that act on them.
  private static let tags: [Construct] =
    Dictionary(grouping: MetadataTable.all.filter { !curl.contains($0.tag) }, by: \.tools)
    .sorted { $0.key.rawValue < $1.key.rawValue }.map { tag($1.map(\.tag), knownTo: $0) } + [
    Construct(
      "A tag with an option of curl", .unknown([.restclient, .jetbrains, .httpyac, .plain])
    ) { block in
      block.syntax.metadata.filter { $0.region != .body && curl.contains($0.kind) }.map(\.line)
    },
    Construct(
      "A duration without a unit",
      .differs(.httpyac, "reads milliseconds"), .differs([.jetbrains, .kulala], "reads seconds")
    ) { block in
      block.syntax.metadata.filter { tag in
        tag.kind?.entry.form == .duration && tag.region != .body
          && !tag.value.isEmpty && block.slice(tag.value).allSatisfy { (48...57).contains($0) }
      }.map(\.value)
    },
  ]

  private static func tag(_ tags: [MetadataTag?], knownTo tools: TargetTools) -> Construct {
    let clause = "does not know it" + (tools.isEmpty ? "; it is PostKit's own" : "")
    return Construct("A tag", .unknown(TargetTools.all.subtracting(tools), clause)) { block in
      block.syntax.metadata.filter { tags.contains($0.kind) && $0.region != .body }.map(\.line)
    }
  }

  private static let credentials: [Construct] = [
    authorization(
      "NTLM and Negotiate", ["ntlm", "negotiate"], .unknown([.restclient, .httpyac, .plain])),
    authorization("AWS signatures", ["aws"], .unknown([.jetbrains, .plain])),
    authorization(
      "OAuth2 by a header", ["oauth2", "openid"],
      .unknown([.restclient, .jetbrains, .kulala, .plain])),
    Construct(
      "The header `X-Request-Type`",
      .unknown([.jetbrains, .httpyac, .plain], "sends it and does not build a GraphQL body")
    ) { block in
      block.syntax.request?.headers.filter {
        block.text($0.name).lowercased() == "x-request-type"
      }.map(\.line) ?? []
    },
  ]

  private static func authorization(
    _ name: String, _ schemes: Set<String>, _ reading: Reading
  ) -> Construct {
    Construct(name, reading) { block in
      block.syntax.request?.headers.filter { header in
        guard block.text(header.name).lowercased() == "authorization",
          let value = header.value.first
        else { return false }
        return schemes.contains(block.text(value).prefix { $0 != " " }.lowercased())
      }.map(\.value[0]) ?? []
    }
  }
}
