// From a name to where it is defined, and to its value in every environment.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The handlers of the ways out of a name.
enum Definitions {
  /// `textDocument/definition`: the definition in force, then those that it covers; of a path, the
  /// file.
  static func definition(
    _ snapshot: Snapshot, _ params: LSP.DefinitionParams
  ) async throws(RPCError) -> LSP.LocationLinkArrayOrLocationArray? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    let context = await snapshot.context(of: document)
    let offset = context.converter(snapshot).offset(params.position)
    if EnvironmentSource.Kind(path: document.indexKey) != nil {
      let places = await definitions(ofNameIn: document, at: offset, snapshot)
      return await locations(
        places, of: context, snapshot, asLinks: snapshot.client.profile.linksDefinitions)
    }
    let analysis = await snapshot.analysis(of: context, withResults: false)
    var places = analysis.definitions(at: offset)
    // Where no environment is chosen, what each of them says is the best answer there is.
    if places.isEmpty {
      places = analysis.implementations(at: offset, in: environments(of: context, analysis))
    }
    places += await namedDefinitions(
      of: document, at: offset, in: context.environment, snapshot)
    if places.isEmpty {
      let request = await GraphQLAnswers.request(
        snapshot, context, analysis, at: offset, within: Limits.describedReadMilliseconds)
      if request?.isInTime == false {
        // The editor is not held up by a schema of any size.
        snapshot.client.showMessage(
          .info, "The schema is still being read. Ask again in a moment.")
      }
      places = request?.request.definitions(at: offset, in: context.document.parsed) ?? []
      places = places.map { $0.fetched(.graphQL, environment: context.environment) }
    }
    if places.isEmpty {
      places = await snapshot.describedDefinitions(analysis, context, at: offset)
    }
    if places.isEmpty, let link = analysis.linkedFile(at: offset),
      case .file(let path) = link.target
    {
      places = [DefinitionPlace(origin: link.range, path: path, range: 0..<0)]
    }
    return await locations(
      places, of: context, snapshot, asLinks: snapshot.client.profile.linksDefinitions)
  }

  /// `textDocument/implementation`: what a variable is in each environment.
  static func implementation(
    _ snapshot: Snapshot, _ params: LSP.ImplementationParams
  ) async throws(RPCError) -> LSP.LocationLinkArrayOrLocationArray? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let places = analysis.implementations(
      at: context.converter(snapshot).offset(params.position),
      in: environments(of: context, analysis))
    return await locations(
      places, of: context, snapshot, asLinks: snapshot.client.profile.linksImplementations)
  }

  /// `textDocument/typeDefinition`: the schemas that a description has for a part of a request.
  static func typeDefinition(
    _ snapshot: Snapshot, _ params: LSP.TypeDefinitionParams
  ) async throws(RPCError) -> LSP.LocationLinkArrayOrLocationArray? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let offset = context.converter(snapshot).offset(params.position)
    let places = await snapshot.describedTypes(analysis, context, at: offset)
    return await locations(
      places, of: context, snapshot, asLinks: snapshot.client.profile.linksTypeDefinitions)
  }

  /// What scripts set, which nobody knows before they have run; of a name in a script, or of a
  /// global that is named as one, all that defines it; of the client of a token its name in the
  /// environment in force, or in others where that has none.
  private static func namedDefinitions(
    of document: OpenDocument, at offset: Int, in environment: String?, _ snapshot: Snapshot
  ) async -> [DefinitionPlace] {
    let names = await snapshot.names(of: document)
    guard let name = names.name(at: offset) else { return [] }
    if name.role == .clientReference {
      let active = EnvironmentSet.selected(environment)
      let own = await definitions(ofNameIn: document, at: offset, snapshot) { definition in
        definition.owner.map { $0.hasPrefix("$") || active.contains($0) } ?? false
      }
      return own.isEmpty ? await definitions(ofNameIn: document, at: offset, snapshot) : own
    }
    let isAlone = name.isOfScript || name.role == .globalReference
    return await definitions(ofNameIn: document, at: offset, snapshot) { definition in
      isAlone || definition.isOfScript
    }
  }

  /// The definitions that a name in an environment file or in a script may mean: it is looked up
  /// where it is used, so that all of them count.
  private static func definitions(
    ofNameIn document: OpenDocument, at offset: Int, _ snapshot: Snapshot,
    where isWanted: (NameOccurrence) -> Bool = { _ in true }
  ) async -> [DefinitionPlace] {
    let project = await snapshot.project()
    let path = document.indexKey
    guard let (meaning, occurrence) = project.meaning(in: path, at: offset) else { return [] }
    return project.uses(of: meaning, from: occurrence, in: path).flatMap { uses in
      uses.occurrences.filter { $0.isDefinition && isWanted($0) }.map { definition in
        DefinitionPlace(
          origin: occurrence.range, path: uses.file.path == path ? nil : uses.file.path,
          range: definition.range)
      }
    }
  }

  /// What is in force in each environment that can be chosen.
  private static func environments(
    of context: DocumentContext, _ analysis: Analysis
  ) -> [EnvironmentSet] {
    analysis.scope.environments.names.map { name in
      context.workspace.environments(active: name, context.dialect)
    }
  }

  /// Places as the client takes them; what can't be read any more is left out.
  private static func locations(
    _ places: [DefinitionPlace], of context: DocumentContext, _ snapshot: Snapshot, asLinks: Bool
  ) async -> LSP.LocationLinkArrayOrLocationArray? {
    if places.isEmpty { return nil }
    var texts = FileTexts(snapshot)
    let converter = context.converter(snapshot)
    var links: [LSP.LocationLink] = []
    for place in places {
      let place = texts.narrowed(place)
      var target: (String, LSP.Range)? = (context.document.uri.spelling, converter.lsp(place.range))
      if let path = place.path { target = await texts.target(path, place.range) }
      guard let (uri, range) = target else { continue }
      links.append(
        LSP.LocationLink(
          originSelectionRange: converter.lsp(place.origin), targetUri: uri, targetRange: range,
          targetSelectionRange: range))
    }
    return asLinks
      ? .locationLinkArray(links)
      : .locationArray(
        links.map { LSP.Location(uri: $0.targetUri, range: $0.targetSelectionRange) })
  }
}

extension DefinitionPlace {
  /// The same place with the document of what was fetched in the place of its URL.
  func fetched(_ kind: Model.DescribedService.Kind, environment: String?) -> DefinitionPlace {
    guard let path, path.contains("://") else { return self }
    var place = self
    place.path = FetchedDocument(kind, url: path, environment: environment ?? "").uri
    return place
  }
}

/// The texts of files that answers point into, each read once: ranges are those of the file that
/// they are in (PROMISES.md D13).
struct FileTexts {
  private let snapshot: Snapshot
  private var converters: [String: (uri: String, converter: PositionConverter)] = [:]

  /// Makes an empty set.
  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// A place in a file where a member of the value there is meant.
  mutating func narrowed(_ place: DefinitionPlace) -> DefinitionPlace {
    // A file that has gone away since it was looked into has no places.
    guard !place.members.isEmpty, let path = place.path,
      let document = try? snapshot.anyDocument(DocumentURI(path: path).spelling)
    else { return place }
    return place.narrowed(in: document.text.bytes)
  }

  /// The URI of a file, as the client spells it where it has it open, and a range in it; `nil`
  /// where it can't be read. The start of a file is known without its text.
  mutating func target(_ path: String, _ range: Range<Int>) async -> (String, LSP.Range)? {
    if let document = FetchedDocument(DocumentURI(path)) {
      return await document.target(snapshot).map { uri, converter, above in
        (uri, converter.lsp(range.lowerBound + above..<range.upperBound + above))
      }
    }
    let uri = DocumentURI(path: path)
    if range.upperBound == 0 {
      let start = LSP.Position(line: 0, character: 0)
      let spelling = snapshot.documents[uri]?.uri.spelling ?? uri.spelling
      return (spelling, LSP.Range(start: start, end: start))
    }
    // A file that has gone away since it was looked into has no places.
    if converters[path] == nil, let document = try? snapshot.anyDocument(uri.spelling) {
      converters[path] = (
        document.uri.spelling, document.text.converter(snapshot.client.profile.encoding)
      )
    }
    return converters[path].map { ($0.uri, $0.converter.lsp(range)) }
  }
}
