// Which GraphQL schema a request is held against, by files (IO-39).

import PostKitEvaluate
import PostKitJSON
import PostKitSupport
package import PostKitSyntax
import PostKitYAML

/// Finds the files of the schema of a request. Nothing outside of a folder that is not trusted is
/// looked at, and nothing is fetched.
package struct SchemaFinder: Sendable {
  private let workspace: Workspace
  private let named: [String]

  /// The most files of a schema.
  package static let limit = 200
  /// The most bytes of one that nobody named.
  private static let foundBytes = DescriptionFinder.foundBytes
  /// What GraphQL's own tools are configured by, the likeliest first.
  private static let configurations = [
    ".graphqlrc", ".graphqlrc.json", ".graphqlrc.yaml", ".graphqlrc.yml", "graphql.config.json",
    "graphql.config.yaml", "graphql.config.yml",
  ]

  /// Looks around a request file; `settings` are those of its project.
  package init(_ workspace: Workspace, _ settings: Settings) {
    self.workspace = workspace
    named = settings[.graphqlSchema] ?? []
  }

  /// The absolute path of the file that a tag names, there or not.
  package func files(named path: String) -> [String] {
    [FilePath.normalise(workspace.resolve(path) ?? workspace.place(path))]
  }

  /// The absolute paths of the files of the nearest schema that no tag names; none where there is
  /// none.
  package var surroundings: [String] {
    for folder in workspace.folders.reversed() {
      if let files = configured(in: folder) { return files }
    }
    let chosen = files(named, in: workspace.root)
    if !chosen.isEmpty { return chosen }
    for folder in [workspace.folder, workspace.root] {
      let found = found(in: folder)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// That files are looked at before what the service of a block was asked for, as a sentence;
  /// `nil` where there are none.
  package func precedence(over block: ParsedBlock, of document: ParsedDocument) -> String? {
    let files = document.schemaTag(of: block).map { self.files(named: $0.path) } ?? surroundings
    return files.first.map {
      "`\(FilePath.name($0))` counts first; name another with `# @graphql-schema`."
    }
  }

  /// The files of paths and patterns; those that begin with `!` are left out, URLs are.
  private func files(_ patterns: [String], in folder: String) -> [String] {
    var result: [String] = []
    for pattern in patterns where !pattern.hasPrefix("!") && !pattern.contains("://") {
      let path = FilePath.normalise(FilePath.join(folder, pattern))
      for file in FilePattern(path).files(limit: Self.limit, mayList: isReadable)
      where !result.contains(file) && isReadable(file) {
        result.append(file)
        if result.count == Self.limit { return result }
      }
    }
    for pattern in patterns where pattern.hasPrefix("!") {
      let path = FilePath.normalise(FilePath.join(folder, String(pattern.dropFirst())))
      let left = Set(FilePattern(path).files(limit: Self.limit, mayList: isReadable))
      result.removeAll { left.contains($0) }
    }
    return result
  }

  private func isReadable(_ path: String) -> Bool { workspace.refusal(path) == nil }

  // MARK: - The configuration of other tools

  /// The files that the configuration in a folder names; `nil` where there is none that names any.
  private func configured(in folder: String) -> [String]? {
    for name in Self.configurations {
      let path = FilePath.join(folder, name)
      guard FileSystem.isRegularFile(path), case .bytes(let bytes) = workspace.content(path),
        bytes.count <= 1 << 20,
        // One that can't be read is told by the tools that it is for.
        let root = (try? YAMLText(parsing: bytes))?.tree.root
      else { continue }
      let files = files(Self.schema(project(of: root, in: folder)), in: folder)
      return files.isEmpty ? nil : files
    }
    return nil
  }

  /// The project that the request file belongs to: by its documents, else that of the name
  /// `default`, else the first; without projects the configuration itself.
  private func project(of root: JSONView, in folder: String) -> JSONView {
    guard let projects = root["projects"]?.members, !projects.isEmpty else { return root }
    let own = projects.first { _, project in
      ["documents", "include"].contains { key in
        let patterns = project[key].map(Self.texts) ?? []
        return patterns.contains { pattern in
          FilePattern(FilePath.normalise(FilePath.join(folder, pattern))).covers(workspace.file)
        }
      }
    }
    return own?.value ?? root["projects"]?["default"] ?? projects[0].value
  }

  /// The paths of `schema`: a text, a list of texts, or of objects with a text as their key.
  private static func schema(_ project: JSONView) -> [String] {
    project["schema"].map(texts) ?? []
  }

  private static func texts(_ value: JSONView) -> [String] {
    if let text = value.string { return [text] }
    if value.kind == .object { return value.members.compactMap { $0.key.string } }
    return value.elements.flatMap(texts)
  }

  // MARK: - Names

  /// The files in a folder that are called as schemas are.
  private func found(in folder: String) -> [String] {
    guard FileSystem.isDirectory(folder), isReadable(folder) else { return [] }
    // A folder that can't be listed has nothing to offer.
    let names = (try? FileSystem.list(folder)) ?? []
    let kinds: [(String) -> Bool] = [
      { $0 == "schema.graphql" || $0 == "schema.gql" },
      { $0.hasSuffix(".graphqls") },
      { $0.hasSuffix(".graphql-schema.json") },
      { $0 == "schema.json" },
    ]
    for (index, isNamed) in kinds.enumerated() {
      var paths = names.filter(isNamed).map { FilePath.join(folder, $0) }.filter(isFound)
      if index == 3 { paths = paths.filter(isIntrospection) }
      // A schema may be in several files of definitions, an answer is one.
      if !paths.isEmpty { return index == 1 ? Array(paths.prefix(20)) : [paths[0]] }
    }
    return []
  }

  private func isFound(_ path: String) -> Bool {
    guard FileSystem.isRegularFile(path), isReadable(path) else { return false }
    // What can't be looked at is none.
    return ((try? FileSystem.size(path)) ?? .max) <= Self.foundBytes
  }

  /// Whether a file begins as an answer to an introspection query.
  private func isIntrospection(_ path: String) -> Bool {
    let head = workspace.head(path, count: 4_096)
    let word = Array("__schema".utf8)
    return head.indices.contains { head[$0...].starts(with: word) }
  }
}

extension Workspace {
  /// The first bytes of a file, as an editor has it or as it lies on disk; none of one that can't
  /// be read or may not be.
  func head(_ path: String, count: Int) -> [UInt8] {
    if let open = openFile(path) { return Array(open.prefix(count)) }
    guard let file = try? OpenFile(path, inside: outsideRefusal == nil ? nil : [root]) else {
      return []
    }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0))
    }
  }
}
