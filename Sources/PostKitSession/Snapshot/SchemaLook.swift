// Which schemas the requests of a document are held against, found once for each question (IO-39).

import PostKitDescription
import PostKitEvaluate
package import PostKitLanguage
import PostKitRunner
import PostKitStore
package import PostKitSyntax

/// A look at the schemas around a document.
package struct SchemaLook: Sendable {
  private let snapshot: Snapshot
  private let context: DocumentContext
  private let analysis: Analysis
  private let finder: SchemaFinder
  /// What was found already, by the path that a tag names; "" for no tag.
  private var files: [String: [String]] = [:]
  private var times: [String: Int64?] = [:]
  /// Whether a schema was waited for in vain: no other one of this question is.
  private var isLate = false
  /// Called once that is read which was not there in time.
  package var onRead: (@Sendable () -> Void)?

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
    let found = await snapshot.descriptions.schema(
      source, for: context, within: isLate ? 0 : milliseconds, snapshot.client, onRead: onRead)
    isLate = isLate || !found.isInTime
    return found
  }

  /// What the schemas of blocks with a tag, or without one, depend on beside the blocks: it changes
  /// whenever these may.
  package mutating func revision(ofTag tag: String?) async -> String {
    let paths = found(tag)
    if !paths.isEmpty { return ReadFiles(paths, in: context.workspace).revision }
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

  private mutating func source(for block: ParsedBlock) async -> SchemaSource? {
    let block = analysis.graphQLOwner(of: block)
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
}
