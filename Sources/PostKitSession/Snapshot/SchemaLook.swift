// Which schemas the requests of a document are held against, found once for each question (IO-39).

import PostKitDescription
import PostKitEvaluate
package import PostKitLanguage
import PostKitRunner
import PostKitStore
package import PostKitSyntax

/// A look at the schemas around a document.
package struct SchemaLook: Sendable {
  /// Which schema is meant.
  private enum Source: Sendable {
    case files([String])
    case service(key: String, environment: String, url: String, time: Int64)
  }

  private let snapshot: Snapshot
  private let context: DocumentContext
  private let analysis: Analysis
  private let finder: SchemaFinder
  /// What was found already, by the path that a tag names; "" for no tag.
  private var files: [String: [String]] = [:]
  private var times: [String: Int64?] = [:]

  /// Looks around a document.
  package init(_ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis) {
    (self.snapshot, self.context, self.analysis) = (snapshot, context, analysis)
    finder = SchemaFinder(context.workspace, context.settings)
  }

  /// The schema that a block is held against, read within so many milliseconds, and whether that
  /// was long enough.
  package mutating func schema(
    for block: ParsedBlock, within milliseconds: Int?
  ) async -> (reading: SchemaReading, isInTime: Bool) {
    guard let source = await source(for: block) else { return (SchemaReading(), true) }
    let (workspace, store) = (context.workspace, snapshot.store)
    let revision = self.revision(of: source)
    let reading = await snapshot.session.schemas.reading(revision, within: milliseconds) {
      switch source {
      case .files(let paths): SchemaReading(paths, in: workspace, revision: revision)
      case .service(let key, let environment, let url, let time):
        await SchemaReading(
          await store.atHand(), key, environment, url: url, time: time, revision: revision)
      }
    }
    return reading.map { ($0, true) } ?? (SchemaReading(), false)
  }

  /// What the schemas of blocks with a tag, or without one, depend on beside the blocks: it changes
  /// whenever these may.
  package mutating func revision(ofTag tag: String?) async -> String {
    let paths = found(tag)
    if !paths.isEmpty { return paths.map(context.workspace.schemaRevision).joined() }
    guard let store = await snapshot.store.atHand() else { return "" }
    // A store that can't be read knows of no service.
    let stamp = (try? await store.serviceTimes(.graphQL)) ?? []
    return "\(context.environment ?? "") \(stamp)"
  }

  private mutating func found(_ tag: String?) -> [String] {
    if let known = files[tag ?? ""] { return known }
    let paths = tag.map(finder.files(named:)) ?? finder.surroundings
    files[tag ?? ""] = paths
    return paths
  }

  private mutating func source(for block: ParsedBlock) async -> Source? {
    let tag = context.document.parsed.schemaTag(of: block)?.path
    let paths = found(tag)
    if !paths.isEmpty { return .files(paths) }
    guard let url = analysis.serviceURL(of: block),
      let key = Model.DescribedService.Kind.graphQL.key(of: url),
      let store = await snapshot.store.atHand()
    else { return nil }
    let environment = context.environment ?? ""
    if times[key] == nil {
      // A store that can't be read knows of no service.
      times[key] = try? await store.serviceTime(.graphQL, key: key, environment: environment)
    }
    guard let time = times[key] ?? nil else { return nil }
    return .service(key: key, environment: environment, url: url, time: time)
  }

  private func revision(of source: Source) -> String {
    switch source {
    case .files(let paths): paths.map(context.workspace.schemaRevision).joined(separator: "\n")
    case .service(let key, let environment, _, let time): "\(key) \(environment) \(time)"
    }
  }
}

extension SchemaReading {
  /// Reads files.
  fileprivate init(_ paths: [String], in workspace: Workspace, revision: String) {
    let loaded = LoadedSchema(paths.map { ($0, workspace.schemaContent($0)) })
    failures = loaded.failures
    // The last source is what every schema has.
    let paths = loaded.schema.sources.dropLast().map(\.path)
    if !paths.isEmpty {
      schema = ServiceSchema(loaded.schema, .files(paths), revision: revision)
    }
  }

  /// Reads what a service has answered.
  fileprivate init(
    _ store: Store?, _ key: String, _ environment: String, url: String, time: Int64,
    revision: String
  ) async {
    // What can't be read is as if it were not there; the store's own messages tell why.
    let row = try? await store?.service(.graphQL, key: key, environment: environment)
    guard let row, let loaded = try? LoadedSchema(answer: row.content, of: url) else { return }
    schema = ServiceSchema(
      loaded.schema, .service(url: url, time: time), revision: revision)
  }
}
