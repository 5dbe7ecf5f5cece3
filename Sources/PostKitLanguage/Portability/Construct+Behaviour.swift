// Constructs that change how a request is sent: tags and credentials.

import PostKitSyntax

extension Construct {
  /// Tags and credentials.
  static let behaviour: [Construct] = tags + credentials

  /// The tags, with the tools that act on them.
  private static let tags: [Construct] = [
    tag(["note"], knownTo: [.restclient, .httpyac]),
    tag(["prompt"], knownTo: [.restclient, .kulala, .restnvim]),
    tag(["secret", "kulalaprompt", "accept"], knownTo: .kulala),
    tag(["noredirect", "nocookiejar"], knownTo: .all.subtracting(.plain)),
    tag(["nolog", "timeout"], knownTo: [.jetbrains, .httpyac, .kulala]),
    tag(["connectiontimeout", "noautoencoding"], knownTo: [.jetbrains, .kulala]),
    tag(["useoscredentials"], knownTo: .jetbrains),
    tag(
      [
        "title", "description", "ref", "forceref", "import", "loop", "sleep", "disabled",
        "ratelimit", "tag", "proxy", "noproxy", "injectvariables", "noclientcert",
        "norejectunauthorized", "keepstreaming", "nostreaminglog", "noresponseview", "verbose",
        "debug", "jwt", "save", "openwith", "extension", "language", "postredirectget",
        "responseref", "grpcreflection", "nogqlparsing", "forceregiondelimiter",
        "metadatalogging",
      ], knownTo: .httpyac),
    tag(
      [
        "delay", "jq", "kulalajq", "envstdincmd", "envstdincmdpre", "stdincmd", "stdincmdpre",
        "envjsonkey", "envheaderkey", "attachcookiejar", "graphql", "kulalaexpectstatuscode",
        "kulalafilecontentstovariable", "filetovariable", "kulalavscoderestclientcompat",
      ], knownTo: .kulala),
    tag(["lang"], knownTo: .restnvim),
    tag(["dialect", "insecure"], knownTo: [], clause: "does not know it; it is PostKit's own"),
    Construct(
      name: "A tag with an option of curl",
      readings: [.unknown([.restclient, .jetbrains, .httpyac, .plain])],
      find: { block in
        block.syntax.metadata.filter {
          $0.region != .body
            && ($0.foldedKey.hasPrefix("curl") || $0.foldedKey.hasPrefix("kulalacurl"))
        }.map(\.line)
      }),
    Construct(
      name: "A duration without a unit",
      readings: [
        .differs(.httpyac, "reads milliseconds"), .differs([.jetbrains, .kulala], "reads seconds"),
      ],
      find: { block in
        block.syntax.metadata.filter { tag in
          ["timeout", "connectiontimeout"].contains(tag.foldedKey) && tag.region != .body
            && !tag.value.isEmpty && block.slice(tag.value).allSatisfy { (48...57).contains($0) }
        }.map(\.value)
      }),
  ]

  private static func tag(
    _ keys: Set<String>, knownTo tools: TargetTools, clause: String = "does not know it"
  ) -> Construct {
    Construct(
      name: "A tag", readings: [.unknown(TargetTools.all.subtracting(tools), clause)],
      find: { block in
        block.syntax.metadata.filter { keys.contains($0.foldedKey) && $0.region != .body }
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
