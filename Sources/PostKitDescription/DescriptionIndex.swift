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

  /// The operations in the order of the description.
  package let operations: [Entry]
  /// The paths of servers, such as `/v1`, the longest first; what a request's URL begins with.
  package let basePaths: [String]
  /// The origins of servers in small letters, such as `https://example.com`.
  package let origins: [String]
  /// The description itself.
  package let description: APIDescription
  private let paths: PathTree

  /// Makes the index of a description.
  package init(_ description: APIDescription) {
    self.description = description
    operations = description.operations.map {
      Entry(
        method: $0.method, path: $0.path, id: $0.id, summary: $0.summary,
        isDeprecated: $0.isDeprecated, range: $0.value.view.range)
    }
    var paths = PathTree()
    for (index, entry) in operations.enumerated() { paths.add(entry.path, operation: index) }
    self.paths = paths
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
  /// as `{{baseUrl}}/users/{{id}}`, whose first template stands for any server; a template alone
  /// may have any path, and means none. An operation with another method is the answer where none
  /// has the method; a path that differs by the slash at its end where none is the same.
  package func match(method: String, target: String) -> OperationMatch? {
    let paths = candidates(target)
    return match(method, paths) ?? match(method, paths.map(Self.withOtherEnd))
  }

  private func match(_ method: String, _ candidates: [String]) -> OperationMatch? {
    var best: OperationMatch?
    for path in candidates {
      let isFound = paths.search(path) { indices, values in
        let exact = indices.first { operations[$0].method == method }
        if let exact {
          best = OperationMatch(operation: exact, pathParameters: values, isExact: true)
        } else if best == nil, let first = indices.first {
          best = OperationMatch(operation: first, pathParameters: values, isExact: false)
        }
        return exact != nil
      }
      if isFound { return best }
    }
    return best
  }

  /// The operation by which a server answers: for `HEAD` that of `GET`, where the path has none of
  /// its own (RFC 9110, section 9.3.2).
  func answering(_ match: OperationMatch?, method: String, target: String) -> OperationMatch? {
    guard method == "HEAD", let match, !match.isExact else { return match }
    return self.match(method: "GET", target: target)
  }

  /// The methods that a target has, in the order of the description.
  package func methods(of target: String) -> [String] {
    let paths = candidates(target)
    for path in paths + paths.map(Self.withOtherEnd) {
      var found: [Int] = []
      _ = self.paths.search(path) { indices, _ in
        found += indices
        return false
      }
      var seen: Set<String> = []
      let methods = found.sorted().map { operations[$0].method }
      if !methods.isEmpty { return methods.filter { seen.insert($0).inserted } }
    }
    return []
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
    return response(match, status: status, &failures)
  }

  /// The same, with the references to nothing among the answers.
  func response(
    _ match: OperationMatch, status: Int, _ failures: inout [ReferenceFailure]
  ) -> APIResponse? {
    let responses = description.responses(of: operation(match), &failures)
    let written = operation(match).value["responses"]?.members ?? []
    failures = []
    for word in [String(status), "\(status / 100)XX", "default"] {
      if let hit = responses.first(where: { $0.status.uppercased() == word.uppercased() }) {
        return hit
      }
      // What leads to nothing is meant all the same, and not the next best.
      if let lost = written.first(where: { $0.name.uppercased() == word.uppercased() }) {
        _ = description.resolved(lost.value, &failures)
        return nil
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
    // What stands before the path is any server. A template without one behind it may hold both.
    let url = URLText(target, as: .written)
    return url.hasHiddenPath ? [] : stripped(String(target[url.path]))
  }

  private func stripped(_ path: String) -> [String] {
    basePaths.compactMap { base in
      guard path.hasPrefix(base) else { return nil }
      let rest = path.dropFirst(base.count)
      return rest.isEmpty || rest.hasPrefix("/") ? String(rest) : nil
    }
  }

  /// A path with a slash at its end where it has none, and without one where it has one.
  private static func withOtherEnd(_ path: String) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : path + "/"
  }

  private static func trimmed(_ path: String) -> String {
    var path = Substring(path)
    while path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}
