// The GraphQL schemas of requests (IO-39).

import PostKitDescription
package import PostKitLanguage
package import PostKitRunner
import PostKitStore
import PostKitSupport

/// What came of reading a schema.
package struct SchemaReading: Sendable {
  /// The schema; `nil` where nothing could be read.
  package var schema: ServiceSchema?
  /// What is wrong with it, in sentences.
  package var failures: [DescriptionFailure] = []
}

/// Where a schema is from.
enum SchemaSource: Sendable {
  case files([String])
  /// What a service has answered; `key` and `environment` are those of its row.
  case service(key: String, environment: String, url: String, time: Int64)
}

extension Descriptions {
  /// A schema, read in at most so many milliseconds, and whether it was read by then; else it is
  /// what it was before it changed. `onRead` is called once it is read.
  func schema(
    _ source: SchemaSource, for context: DocumentContext, within milliseconds: Int?,
    _ client: ClientProxy, onRead: (@Sendable () -> Void)?
  ) async -> (reading: SchemaReading, isInTime: Bool) {
    let workspace = context.workspace
    // No path has a blank at its beginning.
    let wish: Wish
    switch source {
    case .files(let paths):
      let name = paths.count == 1 ? FilePath.name(paths[0]) : "\(paths.count) files of a schema"
      wish = Wish(key: " " + paths.joined(separator: "\n"), name: name, workspace: workspace) {
        let files = ReadFiles(paths, in: workspace)
        return Entry(.schema(SchemaReading(paths, in: workspace)), files)
      }
    case .service(let service, let environment, let url, let time):
      wish = Wish(
        key: " \(service) \(environment)", name: "the schema of \(service)",
        workspace: workspace, time: time
      ) {
        let row = await self.service(.graphQL, service, environment)
        let reading = row.map { SchemaReading($0, of: url) } ?? SchemaReading()
        return Entry(.schema(reading), ReadFiles([], in: workspace), time: time)
      }
    }
    let isInTime = await read([wish], within: milliseconds, client)
    if !isInTime { whenRead(context.document.uri.spelling, onRead) }
    guard case .schema(let reading)? = known(wish.key) else { return (SchemaReading(), false) }
    return (reading, isInTime)
  }
}

extension SchemaReading {
  /// Reads files.
  fileprivate init(_ paths: [String], in workspace: Workspace) {
    let loaded = LoadedSchema(paths.map { ($0, workspace.schemaContent($0)) })
    failures = loaded.failures
    // The last source is what every schema has.
    let paths = loaded.schema.sources.dropLast().map(\.path)
    if !paths.isEmpty { schema = ServiceSchema(loaded.schema, .files(paths)) }
  }

  /// Reads what a service has answered; nothing where that can't be read any more.
  fileprivate init(_ row: Model.DescribedService, of url: String) {
    guard let loaded = try? LoadedSchema(answer: row.content, of: url) else { return }
    schema = ServiceSchema(loaded.schema, .service(url: url, time: row.time))
  }
}
