// Where a name is used: in the workspace, and in the file that is looked at.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSyntax
import PostKitText

/// The handlers of a name's other places.
enum References {
  /// `textDocument/references`: all places that mean the same, in all files of the workspace and in
  /// stored requests.
  static func references(
    _ snapshot: Snapshot, _ params: LSP.ReferenceParams
  ) async throws(RPCError) -> [LSP.Location]? {
    guard let document = try snapshot.requests(params.textDocument.uri) else {
      return try await snapshot.requestsOfDescription(params)
    }
    let converter = document.text.converter(snapshot.client.profile.encoding)
    let offset = converter.offset(params.position)
    let path = document.indexKey
    var told = ToldPlaces(params, snapshot)
    if let id = snapshot.storedRequestID(of: document.uri) {
      return try await references(inStored: id, document, at: offset, &told)
    }
    if params.partialResultToken != nil, !snapshot.isSurrounding(document.uri) {
      // The file itself is read in no time, which thousands of others are not.
      let own = await snapshot.context(of: document).names(path: path)
      if let uses = ProjectIndex([own]).certainUses(in: path, at: offset) { told.tell(uses) }
    }
    let project = await snapshot.project()
    guard let found = project.meaning(in: path, at: offset) else {
      if !told.isEmpty { return told.rest }
      if let uses = await snapshot.fragment(in: document, at: offset) {
        let ranges = (params.context.includeDeclaration ? uses.definitions : []) + uses.spreads
        return ranges.map { LSP.Location(uri: document.uri.spelling, range: converter.lsp($0)) }
      }
      // What has no name of its own may be an operation of a service.
      let context = await snapshot.context(of: document)
      guard let operation = await snapshot.describedOperation(context, at: offset) else {
        return nil
      }
      return try await snapshot.requests(of: operation, token: params.partialResultToken)
    }
    for uses in project.uses(of: found.meaning, from: found.occurrence, in: path) {
      try Abandonment.check()
      told.tell(uses)
    }
    if case .variable(let name) = found.meaning, project.files[path]?.defines(name) == false {
      let folder = snapshot.folder(of: document.uri)
      let items = await snapshot.storedNames()
      for item in items where !item.defined.contains(name) {
        try Abandonment.check()
        let isNear = item.place.map { snapshot.folder(of: DocumentURI(path: $0)) == folder } ?? true
        if isNear { told.tell(item.names, readings: name) }
      }
    }
    return told.rest
  }

  /// The same of a name in a stored request: in its text, and in the other requests of its
  /// collection that read the variable from around them, too.
  private static func references(
    inStored id: String, _ document: OpenDocument, at offset: Int, _ told: inout ToldPlaces
  ) async throws(RPCError) -> [LSP.Location]? {
    let snapshot = told.snapshot
    let own = await snapshot.context(of: document).names(path: document.uri.spelling)
    let project = ProjectIndex([own])
    guard let found = project.meaning(in: own.path, at: offset) else { return nil }
    for uses in project.uses(of: found.meaning, from: found.occurrence, in: own.path) {
      told.tell(uses)
    }
    guard case .variable(let name) = found.meaning, !own.defines(name) else { return told.rest }
    let uri = StoredRequestFile.historyName(of: id)
    let items = await snapshot.storedNames()
    let itself = items.first { $0.names.path == uri }
    for item in items where item.collection == itself?.collection && item.names.path != uri {
      try Abandonment.check()
      told.tell(item.names, readings: name)
    }
    return told.rest
  }

  /// `textDocument/documentHighlight`: the same name in this file, or the same header's.
  static func documentHighlight(
    _ snapshot: Snapshot, _ params: LSP.DocumentHighlightParams
  ) async throws(RPCError) -> [LSP.DocumentHighlight]? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    let names = await snapshot.names(of: document)
    let converter = document.text.converter(snapshot.client.profile.encoding)
    let offset = converter.offset(params.position)
    var found = ProjectIndex([names]).highlights(in: names.path, at: offset)
    if found.isEmpty, let uses = await snapshot.fragment(in: document, at: offset) {
      found = uses.highlights
    }
    if found.isEmpty { found = document.parsed.headerHighlights(at: offset) }
    if found.isEmpty { found = document.parsed.boundaryHighlights(at: offset) }
    return found.map { highlight in
      let kind: LSP.DocumentHighlightKind =
        switch highlight.kind {
        case .text: .text
        case .read: .read
        case .write: .write
        }
      return LSP.DocumentHighlight(range: converter.lsp(highlight.range), kind: kind)
    }
  }
}

extension Snapshot {
  /// The places of the GraphQL fragment whose name stands at an offset; `nil` for anything else.
  func fragment(in document: OpenDocument, at offset: Int) async -> FragmentUses? {
    guard let block = document.parsed.block(at: offset),
      block.mayBeGraphQL || block.hasFragments
    else { return nil }
    let context = await context(of: document)
    return await analysis(of: context, withResults: false, readingResponsesOf: [])
      .fragment(at: offset)
  }
}

extension DocumentContext {
  /// The names in the document alone, without what its paths lead to.
  func names(path: String) -> FileNames {
    FileNames(
      path: path, document: document.parsed, dialect: dialect, keepsBytes: true,
      resolve: { _ in nil })
  }
}

/// The places of a name that were found: sent file by file where the client takes parts, each once.
private struct ToldPlaces {
  let snapshot: Snapshot
  private let token: LSP.ProgressToken?
  private let includesDefinitions: Bool
  /// What was sent of the file that is told of first.
  private var first: (path: String, ranges: Set<Range<Int>>)?
  /// What is left for the answer.
  private(set) var rest: [LSP.Location] = []
  /// Whether nothing was found yet.
  private(set) var isEmpty = true

  init(_ params: LSP.ReferenceParams, _ snapshot: Snapshot) {
    self.snapshot = snapshot
    token = params.partialResultToken
    includesDefinitions = params.context.includeDeclaration
  }

  /// Tells the places in a file that were not told yet.
  mutating func tell(_ uses: FileUses) {
    let known = first?.path == uses.file.path ? first?.ranges ?? [] : []
    tell(uses.file, uses.occurrences.filter { !known.contains($0.range) })
    if first == nil { first = (uses.file.path, Set(uses.occurrences.map(\.range))) }
  }

  /// Tells where a stored request reads a variable.
  mutating func tell(_ names: FileNames, readings variable: String) {
    tell(names, names.readings(of: variable))
  }

  private mutating func tell(_ file: FileNames, _ occurrences: [NameOccurrence]) {
    var places = NamePlaces(file, snapshot)
    let wanted = occurrences.filter { includesDefinitions || !$0.isDefinition }
    if wanted.isEmpty { return }
    isEmpty = false
    let locations = wanted.map { places.location($0.range) }
    if let token {
      snapshot.client.progress(token, PartialResult(values: locations))
    } else {
      rest += locations
    }
  }
}
