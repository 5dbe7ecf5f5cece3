// The schema of a GraphQL service, and how people know it.

package import PostKitDescription
package import PostKitEvaluate
import PostKitHTTP
package import PostKitSyntax

/// The schema that a request is held against (IO-39).
package struct ServiceSchema: Sendable {
  /// Where a schema is from.
  package enum Origin: Sendable, Hashable {
    /// The paths of its files, as its sources are ordered.
    case files([String])
    /// A service was asked for it; when, in milliseconds since 1970-01-01T00:00:00Z.
    case service(url: String, time: Int64)
  }

  package let schema: GraphQLSchema
  package let origin: Origin

  /// Makes a schema.
  package init(_ schema: GraphQLSchema, _ origin: Origin) {
    (self.schema, self.origin) = (schema, origin)
  }

  /// Where it is from, in Markdown: the names of files, or a service and how long ago that was.
  func sentence(now: Int64) -> String {
    switch origin {
    case .files(let paths):
      let names = paths.prefix(3).map { Markdown.code(Analysis.name(of: $0)) }
      return "from " + names.joined(separator: ", ") + (paths.count > 3 ? " and others" : "")
    case .service(let url, let time):
      return "from \(Markdown.code(url)), fetched \(AgeText.text(milliseconds: now - time))"
    }
  }
}

/// How long ago something was, in words.
enum AgeText {
  /// The largest unit that fits, such as `3 days ago`; less than a minute is `just now`.
  static func text(milliseconds: Int64) -> String {
    for (name, length) in [("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000)]
    where milliseconds >= length {
      let count = milliseconds / Int64(length)
      return "\(count) \(name)\(count == 1 ? "" : "s") ago"
    }
    return "just now"
  }
}

extension Analysis {
  /// The GraphQL of a block; `nil` where it sends none.
  package func graphQLParts(of block: ParsedBlock) -> GraphQLParts? {
    graphQLParts(of: block, .used)
  }

  /// The same with more, or less, of what is sent with it.
  func graphQLParts(of block: ParsedBlock, _ reach: GraphQLParts.Reach) -> GraphQLParts? {
    guard block.mayBeGraphQL else { return nil }
    return Lowering.graphQLParts(
      of: block, evaluator: Evaluator(context: context, scope: scope(of: block)),
      defaults: defaults, reach: reach)
  }

  /// The fragments that stand before the request of a block, or that of them at an offset.
  func fragmentParts(
    of block: ParsedBlock, _ reach: GraphQLParts.Reach = .used, at offset: Int? = nil
  ) -> [GraphQLParts] {
    guard block.hasFragments else { return [] }
    return Lowering.fragmentParts(
      of: block, evaluator: Evaluator(context: context, scope: scope(of: block)),
      defaults: defaults, reach: reach, at: offset)
  }

  /// All GraphQL of a block: its fragments and its request.
  package func allGraphQL(of block: ParsedBlock) -> [GraphQLParts] {
    fragmentParts(of: block) + (graphQLParts(of: block).map { [$0] } ?? [])
  }

  /// The block at an offset with its parts, where GraphQL stands there: the query of a request, or
  /// a fragment before one.
  package func graphQL(
    at offset: Int, _ reach: GraphQLParts.Reach = .all
  ) -> (block: ParsedBlock, parts: GraphQLParts)? {
    guard let block = document.block(at: max(0, min(offset, document.bytes.count))) else {
      return nil
    }
    let fragment = fragmentParts(of: block, reach, at: offset).first
    return (fragment ?? graphQLParts(of: block, reach)).map { (block, $0) }
  }

  /// The block whose service a block's GraphQL is for: its own request, or for fragments alone the
  /// first request of the file that may use them.
  package func graphQLOwner(of block: ParsedBlock) -> ParsedBlock {
    if block.syntax.request != nil { return block }
    return document.blocks.first { $0.mayBeGraphQL } ?? block
  }

  /// The URL that a block is sent to, secrets masked as the history has them; `nil` where names in
  /// it have no value.
  package func serviceURL(of block: ParsedBlock) -> String? {
    let lowered = Lowering.lower(
      block, evaluator: Evaluator(context: context, scope: scope(of: block)), defaults: defaults)
    guard let spec = lowered.spec else { return url(at: block.requestLine.lowerBound)?.url }
    return displayURL(block, spec.url, lowered.secrets.union(context.exchangeSecrets))
  }
}

extension ParsedBlock {
  /// Whether fragments stand before its request.
  package var hasFragments: Bool { !syntax.fragments.isEmpty }
}
