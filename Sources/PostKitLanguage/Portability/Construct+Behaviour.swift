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
      name: "A tag with an option of curl",
      readings: [.unknown([.restclient, .jetbrains, .httpyac, .plain])],
      find: { block in
        block.syntax.metadata.filter { $0.region != .body && curl.contains($0.kind) }
          .map(\.line)
      }),
    Construct(
      name: "A duration without a unit",
      readings: [
        .differs(.httpyac, "reads milliseconds"), .differs([.jetbrains, .kulala], "reads seconds"),
      ],
      find: { block in
        block.syntax.metadata.filter { tag in
          tag.kind?.entry.form == .duration && tag.region != .body
            && !tag.value.isEmpty && block.slice(tag.value).allSatisfy { (48...57).contains($0) }
        }.map(\.value)
      }),
  ]

  private static func tag(_ tags: [MetadataTag?], knownTo tools: TargetTools) -> Construct {
    let clause = "does not know it" + (tools.isEmpty ? "; it is PostKit's own" : "")
    return Construct(
      name: "A tag", readings: [.unknown(TargetTools.all.subtracting(tools), clause)],
      find: { block in
        block.syntax.metadata.filter { tags.contains($0.kind) && $0.region != .body }
          .map(\.line)
      })
  }

  private static let credentials: [Construct] = [
    authorization(
      "NTLM and Negotiate", ["ntlm", "negotiate"], .unknown([.restclient, .httpyac, .plain])),
    authorization("AWS signatures", ["aws"], .unknown([.jetbrains, .plain])),
    authorization(
      "OAuth2 by a header", ["oauth2", "openid"],
      .unknown([.restclient, .jetbrains, .kulala, .plain])),
    Construct(
      name: "The header `X-Request-Type`",
      readings: [
        .unknown([.jetbrains, .httpyac, .plain], "sends it and does not build a GraphQL body")
      ],
      find: { block in
        block.syntax.request?.headers.filter {
          block.text($0.name).lowercased() == "x-request-type"
        }.map(\.line) ?? []
      }),
  ]

  private static func authorization(
    _ name: String, _ schemes: Set<String>, _ reading: Reading
  ) -> Construct {
    Construct(
      name: name, readings: [reading],
      find: { block in
        block.syntax.request?.headers.filter { header in
          guard block.text(header.name).lowercased() == "authorization",
            let value = header.value.first
          else { return false }
          return schemes.contains(block.text(value).prefix { $0 != " " }.lowercased())
        }.map(\.value[0]) ?? []
      })
  }
}
