// Which operation a request means, and what a description says about each part of it (IO-35).

import PostKitHTTP
import PostKitJSON

/// An operation that a request means.
package struct OperationMatch: Sendable, Hashable {
  /// The operation, as an index of `DescriptionIndex.operations`.
  package let operation: Int
  /// The values of the path's parameters as the request writes them.
  package let pathParameters: [PathParameter]
  /// Whether the operation has the request's method; else only its path is the same.
  package let isExact: Bool

  /// A parameter of a path.
  package struct PathParameter: Sendable, Hashable {
    package let name: String
    package let value: String
  }
}

/// A description as it is asked while somebody types. What is asked for at each key is in tables;
/// everything else is looked up in the description when it is asked for.
package struct DescriptionIndex: Sendable {
  /// What is known of an operation without its description.
  package struct Entry: Sendable, Hashable {
    package let method: String
    package let path: String
    package let id: String?
    package let summary: String?
    package let isDeprecated: Bool
    /// The bytes of the operation in the description.
    package let range: Range<Int>
  }

  /// One step of a path.
  enum Step: Sendable, Hashable {
    case literal(String)
    /// A step with parameters in it: the texts around them and their names.
    case pattern(texts: [String], names: [String])
  }

  /// The operations in the order of the description.
  package let operations: [Entry]
  /// The paths of servers, such as `/v1`, the longest first; what a request's URL begins with.
  package let basePaths: [String]
  /// The origins of servers in small letters, such as `https://example.com`.
  package let origins: [String]
  /// The description itself.
  package let description: APIDescription
  private let steps: [[Step]]
  /// Operations by their number of steps.
  private let byCount: [Int: [Int]]

  /// Makes the index of a description.
  package init(_ description: APIDescription) {
    self.description = description
    operations = description.operations.map {
      Entry(
        method: $0.method, path: $0.path, id: $0.id, summary: $0.summary,
        isDeprecated: $0.isDeprecated, range: $0.value.view.range)
    }
    steps = operations.map { Self.steps(of: $0.path) }
    byCount = Dictionary(grouping: operations.indices, by: { [steps] in steps[$0].count })
    var bases: Set<String> = [""]
    var origins: [String] = []
    let own = description.operations.flatMap { description.ownServers(of: $0) }
    for server in description.servers + own {
      let url = server.variables.reduce(server.url) {
        $0.replacing("{\($1.name)}", with: $1.value)
      }
      if let parts = URLParts(url) {
        bases.insert(Self.trimmed(parts.path))
        let origin = "\(parts.scheme)://\(parts.host):\(parts.effectivePort)"
        if !origins.contains(origin) { origins.append(origin) }
      } else if url.hasPrefix("/") {
        bases.insert(Self.trimmed(url))
      }
    }
    basePaths = bases.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    self.origins = origins
  }

  /// Whether a URL is one of the description's servers; also of a description without servers that
  /// have hosts.
  package func serves(_ url: String) -> Bool {
    guard !origins.isEmpty, let parts = URLParts(url) else { return origins.isEmpty }
    return origins.contains("\(parts.scheme)://\(parts.host):\(parts.effectivePort)")
  }

  /// The operation that a method and a target mean. The target is a URL, a path, or a template such
  /// as `{{baseUrl}}/users/{{id}}`, whose first template stands for any server. An operation with
  /// another method is the answer where none has the method.
  package func match(method: String, target: String) -> OperationMatch? {
    var best: (match: OperationMatch, rank: [Int])?
    for path in candidates(target) {
      let pieces = Self.pieces(path)
      for index in byCount[pieces.count] ?? [] {
        guard let found = Self.parameters(pieces, steps[index]) else { continue }
        let isExact = operations[index].method == method
        // The method first, then literal steps before parameters from the left, then what is
        // longer.
        let rank =
          [isExact ? 1 : 0] + steps[index].map { if case .literal = $0 { 1 } else { 0 } }
        if let best, !best.rank.lexicographicallyPrecedes(rank) { continue }
        best = (
          OperationMatch(operation: index, pathParameters: found, isExact: isExact), rank
        )
      }
    }
    return best?.match
  }

  /// The methods that a target has, in the order of the description.
  package func methods(of target: String) -> [String] {
    var result: [String] = []
    for path in candidates(target) {
      let pieces = Self.pieces(path)
      for index in byCount[pieces.count] ?? [] {
        let method = operations[index].method
        if Self.parameters(pieces, steps[index]) != nil, !result.contains(method) {
          result.append(method)
        }
      }
      if !result.isEmpty { return result }
    }
    return result
  }

  // MARK: - What a part is

  /// The operation that a match names.
  package func operation(_ match: OperationMatch) -> APIOperation {
    description.operations[match.operation]
  }

  /// The parameters of an operation; what can't be had is left out.
  package func parameters(_ match: OperationMatch) -> [APIParameter] {
    var failures: [ReferenceFailure] = []
    return description.parameters(of: operation(match), &failures)
  }

  /// What the body of a request may be in a media type; without one in the first that is JSON.
  package func bodySchema(_ match: OperationMatch, type: String? = nil) -> DescribedValue? {
    var failures: [ReferenceFailure] = []
    return Self.schema(
      description.body(of: operation(match), &failures)?.media ?? [], type)
  }

  /// What the body of an answer may be: that of the status, else of its class, else of `default`.
  package func responseSchema(
    _ match: OperationMatch, status: Int, type: String? = nil
  ) -> DescribedValue? {
    response(match, status: status).flatMap { Self.schema($0.media, type) }
  }

  /// The answer that is described for a status: that of the status, else of its class, else of
  /// `default`; `nil` for one that is not described.
  package func response(_ match: OperationMatch, status: Int) -> APIResponse? {
    var failures: [ReferenceFailure] = []
    let responses = description.responses(of: operation(match), &failures)
    for word in [String(status), "\(status / 100)XX", "default"] {
      if let hit = responses.first(where: { $0.status.uppercased() == word.uppercased() }) {
        return hit
      }
    }
    return nil
  }

  /// The schema of the members at a path of a body, such as `["user", "0"]`: names of members, and
  /// positions in lists; `nil` where nothing is described. Branches are taken together.
  package func schema(_ root: DescribedValue, at path: [String]) -> FlatSchema? {
    var schemas = [root]
    for step in path {
      let flat = everything(schemas)
      var next = flat.properties.first { $0.name.utf8.elementsEqual(step.utf8) }?.schemas ?? []
      if next.isEmpty, let position = Int(step) {
        let prefix = flat["prefixItems"]?.elements ?? []
        next = prefix.indices.contains(position) ? [prefix[position]] : flat.items
      }
      if next.isEmpty, let further = flat["additionalProperties"], further.view.kind == .object {
        next = [further]
      }
      if next.isEmpty { return nil }
      schemas = next
    }
    return everything(schemas)
  }

  /// Schemas with all their branches, since any of them may be meant while somebody types.
  private func everything(_ schemas: [DescribedValue]) -> FlatSchema {
    let dialect = description.version.schemaDialect
    var flat = FlatSchema(schemas, in: description.documents, dialect)
    var at = 0
    while at < flat.parts.count {
      for keyword in ["oneOf", "anyOf"] {
        for branch in flat.parts[at][keyword]?.elements ?? [] {
          flat.add(branch, description.documents, dialect)
        }
      }
      at += 1
    }
    return flat
  }

  private static func schema(_ media: [APIMedia], _ type: String?) -> DescribedValue? {
    guard let wanted = type.flatMap({ MediaType($0)?.essence }) else {
      return (media.first { MediaType($0.type)?.isJSON == true } ?? media.first)?.schema
    }
    func fits(_ pattern: String) -> Bool {
      guard let pattern = MediaType(pattern)?.essence else { return false }
      if pattern == wanted || pattern == "*/*" { return true }
      return pattern.hasSuffix("/*") && wanted.hasPrefix(pattern.dropLast())
    }
    return (media.first { MediaType($0.type)?.essence == wanted } ?? media.first { fits($0.type) })?
      .schema
  }

  // MARK: - Paths

  /// The paths that a target may mean, without the query: for each server's path what follows it.
  private func candidates(_ target: String) -> [String] {
    var path = String(target.prefix { $0 != "?" && $0 != "#" })
    if path.hasPrefix("{{"), let end = path.firstRange(of: "}}") {
      path = String(path[end.upperBound...])
      // One template alone stands for any server, with its path.
      if path.hasPrefix("/") || path.isEmpty { return stripped(path) }
    }
    if let parts = URLParts(path) {
      path = parts.path
    } else if let scheme = path.firstRange(of: "://") {
      path = String(path[scheme.upperBound...].drop { $0 != "/" })
    }
    return stripped(path)
  }

  private func stripped(_ path: String) -> [String] {
    basePaths.compactMap { base in
      guard path.hasPrefix(base) else { return nil }
      let rest = path.dropFirst(base.count)
      return rest.isEmpty || rest.hasPrefix("/") ? String(rest) : nil
    }
  }

  private static func trimmed(_ path: String) -> String {
    var path = Substring(path)
    while path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  private static func pieces(_ path: String) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(\.self)
  }

  private static func steps(of path: String) -> [Step] {
    let path = path.prefix { $0 != "?" && $0 != "#" }
    return pieces(String(path)).map { piece in
      var texts: [String] = []
      var names: [String] = []
      var rest = piece
      while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
        texts.append(String(rest[..<open]))
        names.append(String(rest[rest.index(after: open)..<close]))
        rest = rest[rest.index(after: close)...]
      }
      texts.append(String(rest))
      return names.isEmpty ? .literal(String(piece)) : .pattern(texts: texts, names: names)
    }
  }

  private static func parameters(
    _ pieces: [Substring], _ steps: [Step]
  ) -> [OperationMatch.PathParameter]? {
    var found: [OperationMatch.PathParameter] = []
    for (piece, step) in zip(pieces, steps) {
      switch step {
      case .literal(let text): if !piece.utf8.elementsEqual(text.utf8) { return nil }
      case .pattern(let texts, let names):
        guard let values = values(piece, texts) else { return nil }
        for (name, value) in zip(names, values) {
          found.append(OperationMatch.PathParameter(name: name, value: unprefixed(value, name)))
        }
      }
    }
    return found
  }

  /// What stands in a step between its fixed texts, each as short as may be; no value is empty.
  private static func values(_ piece: Substring, _ texts: [String]) -> [Substring]? {
    guard piece.hasPrefix(texts[0]) else { return nil }
    var rest = piece.dropFirst(texts[0].count)
    var values: [Substring] = []
    for text in texts.dropFirst().dropLast() {
      guard !text.isEmpty, let next = rest.dropFirst().firstRange(of: text) else { return nil }
      values.append(rest[..<next.lowerBound])
      rest = rest[next.upperBound...]
    }
    let last = texts[texts.count - 1]
    guard rest.count > last.count, rest.hasSuffix(last) else { return nil }
    values.append(rest.dropLast(last.count))
    return values
  }

  /// A value without the signs that the styles `label` and `matrix` put before it.
  private static func unprefixed(_ value: Substring, _ name: String) -> String {
    if value.hasPrefix(";\(name)=") { return String(value.dropFirst(name.count + 2)) }
    if value.hasPrefix("."), value.count > 1 { return String(value.dropFirst()) }
    return String(value)
  }
}
