// What an editor is told in GraphQL bodies: the language's answers with the schema that the request
// is held against (IO-41).

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitSyntax
import PostKitText

/// Answers about the GraphQL of requests.
enum GraphQLAnswers {
  /// The GraphQL at an offset with its schema, and whether that was there in time; `nil` elsewhere.
  static func request(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis, at offset: Int,
    within milliseconds: Int
  ) async -> (request: GraphQLRequest, isInTime: Bool)? {
    guard let (block, parts) = analysis.graphQL(at: offset) else { return nil }
    var look = SchemaLook(snapshot, context, analysis)
    let (reading, isInTime) = await look.schema(for: block, within: milliseconds)
    return (GraphQLRequest(parts, reading.schema, caret: offset), isInTime)
  }

  /// Adds the schema of the request at an offset to what completion knows; whether it was there in
  /// time.
  static func fill(
    _ sources: inout CompletionSources, _ snapshot: Snapshot, _ context: DocumentContext,
    _ analysis: Analysis, at offset: Int
  ) async -> Bool {
    guard let block = analysis.document.block(at: offset),
      block.mayBeGraphQL || block.hasFragments
    else { return true }
    var look = SchemaLook(snapshot, context, analysis)
    let (reading, isInTime) = await look.schema(
      for: block, within: Limits.completionReadMilliseconds)
    sources.schema = reading.schema
    return isInTime
  }

  /// The diagnostics of all GraphQL of an open document.
  static func diagnostics(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis
  ) async -> [Diagnostic] {
    let document = analysis.document
    guard !document.blocks.isEmpty else { return [] }
    var cache = snapshot.caches[context.document.uri]?.graphQL ?? GraphQLFindings()
    var look = SchemaLook(snapshot, context, analysis)
    let (events, uri) = (snapshot.events, context.document.uri)
    look.onRead = { events.post(.scriptsChecked(uri)) }
    var now: [String: String] = [:]
    for tag in cache.tags { now[tag] = await look.revision(ofTag: tag.isEmpty ? nil : tag) }
    for index in cache.begin(document, now) {
      if analysis.isAbandoned() { return [] }
      let block = document.blocks[index]
      var found: [Diagnostic] = []
      var isFinal = true
      let parts = analysis.allGraphQL(of: block)
      if !parts.isEmpty {
        let reading: SchemaReading
        (reading, isFinal) = await look.schema(
          for: block, within: Limits.describedReadMilliseconds)
        let tag = document.schemaTag(of: block)
        cache.note(await look.revision(ofTag: tag?.path), of: tag?.path)
        found = parts.flatMap { GraphQLRequest($0, reading.schema).diagnostics }
        // Its fragments may use those of other blocks.
        isFinal = isFinal && !block.hasFragments
        if let failure = reading.failures.first, block.syntax.request != nil {
          found.append(.schemaFailure(failure.message, of: block, in: document))
        }
      }
      cache.keep(found, of: block, isFinal: isFinal)
    }
    let all = cache.take(document)
    snapshot.caches.keep(context.document.uri) { $0.graphQL = cache }
    // The tag of the first block is told of once.
    var seen: Set<Diagnostic> = []
    return all.filter { seen.insert($0).inserted }
  }

  /// What can be changed in the GraphQL of a selection.
  static func changes(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis, in range: Range<Int>
  ) async -> [CodeChange] {
    let found = await request(
      snapshot, context, analysis, at: range.lowerBound,
      within: Limits.completionReadMilliseconds)
    return found?.request.changes(in: range, lineEnd: analysis.document.lineEndText) ?? []
  }

  /// The action that fetches the schema of a GraphQL request; `nil` for any other request.
  static func fetching(
    _ snapshot: Snapshot, _ analysis: Analysis, _ block: ParsedBlock, _ uri: String,
    _ position: LSP.Position
  ) -> LSP.CodeAction? {
    guard analysis.graphQLParts(of: block) != nil else { return nil }
    let title = "Fetch the GraphQL schema"
    return CodeActions.action(
      "postkit.fetch", title,
      CommandID.fetchSchema.command(
        title, snapshot.initialization,
        LSP.PostkitFetchSchemaArguments(uri: uri, position: position)))
  }
}
