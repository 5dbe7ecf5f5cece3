// From a name to where it is defined, and to its value in every environment.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitText

/// The handlers of the ways out of a name.
enum Navigating {
  /// `textDocument/definition`: the definition in force, then those that it covers; of a path, the
  /// file.
  static func definition(
    _ snapshot: Snapshot, _ params: LSP.DefinitionParams
  ) async throws(RPCError) -> LSP.LocationLinkArrayOrLocationArray? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let offset = context.converter(snapshot).offset(params.position)
    var places = analysis.definitions(at: offset)
    if places.isEmpty, let link = analysis.linkedFile(at: offset),
      case .file(let path) = link.target
    {
      places = [DefinitionPlace(origin: link.range, path: path, range: 0..<0)]
    }
    return locations(
      places, of: context, snapshot, asLinks: snapshot.client.profile.linksDefinitions)
  }

  /// `textDocument/implementation`: what a variable is in each environment.
  static func implementation(
    _ snapshot: Snapshot, _ params: LSP.ImplementationParams
  ) async throws(RPCError) -> LSP.LocationLinkArrayOrLocationArray? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let sets = analysis.scope.environments.names.map { name in
      context.workspace.environments(active: name, context.dialect)
    }
    let places = analysis.implementations(
      at: context.converter(snapshot).offset(params.position), in: sets)
    return locations(
      places, of: context, snapshot, asLinks: snapshot.client.profile.linksImplementations)
  }

  /// Places as the client takes them; what can't be read any more is left out.
  private static func locations(
    _ places: [DefinitionPlace], of context: DocumentContext, _ snapshot: Snapshot, asLinks: Bool
  ) -> LSP.LocationLinkArrayOrLocationArray? {
    if places.isEmpty { return nil }
    var texts = FileTexts(snapshot)
    let converter = context.converter(snapshot)
    let links = places.compactMap { place -> LSP.LocationLink? in
      guard
        let target = place.path.map({ texts.target($0, place.range) })
          ?? (context.document.uri.spelling, converter.lsp(place.range))
      else { return nil }
      return LSP.LocationLink(
        originSelectionRange: converter.lsp(place.origin), targetUri: target.0,
        targetRange: target.1, targetSelectionRange: target.1)
    }
    return asLinks
      ? .locationLinkArray(links)
      : .locationArray(
        links.map { LSP.Location(uri: $0.targetUri, range: $0.targetSelectionRange) })
  }
}

/// The texts of files that answers point into, each read once: ranges are those of the file that
/// they are in (lsp.md D13).
struct FileTexts {
  private let snapshot: Snapshot
  private var converters: [String: (uri: String, converter: PositionConverter)] = [:]

  /// Makes an empty set.
  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// The URI of a file, as the client spells it where it has it open, and a range in it; `nil`
  /// where it can't be read. The start of a file is known without its text.
  mutating func target(_ path: String, _ range: Range<Int>) -> (String, LSP.Range)? {
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
