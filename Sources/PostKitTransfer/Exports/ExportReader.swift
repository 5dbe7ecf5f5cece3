// From request files to requests that stand by themselves, to be written for another tool.

package import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// A request file that is exported, with all that its names mean.
package struct ExportSource: Sendable {
  /// The absolute path.
  let path: String
  /// How it is told in notes, such as `api/shop.http`.
  let label: String
  /// The folders around its requests in the export.
  let folder: [String]
  /// The names without an environment, then those in each environment that was asked for.
  let scopes: [(environment: String?, scope: Scope)]
  let context: EvaluationContext
  /// The path of a file as it is seen from the export, by its absolute path.
  let relativePath: @Sendable (String) -> String

  /// Makes a source.
  package init(
    path: String, label: String, folder: [String],
    scopes: [(environment: String?, scope: Scope)], context: EvaluationContext,
    relativePath: @escaping @Sendable (String) -> String
  ) {
    self.path = path
    self.label = label
    self.folder = folder
    self.scopes = scopes
    self.context = context
    self.relativePath = relativePath
  }

  /// The names in the environment that was asked for first.
  var scope: Scope { (scopes.count > 1 ? scopes[1] : scopes[0]).scope }
}

/// Reads request files for an export.
struct ExportReader {
  private let sources: [ExportSource]
  private let notes: ImportNotes
  private let keepsAuth: Bool
  private let found = FoundRequests()
  private let names: ExportNames

  /// Reads sources to a collection of a name. What is left out is told. A target that `keepsAuth`
  /// has forms for clients of OAuth 2, for keys, and for examples.
  static func read(
    _ sources: [ExportSource], name: String, keepsAuth: Bool
  ) -> (collection: ExportedCollection, notes: ImportNotes) {
    let notes = ImportNotes()
    var reader = ExportReader(sources, notes, keepsAuth)
    let collection = reader.read(name)
    return (collection, notes)
  }

  private init(_ sources: [ExportSource], _ notes: ImportNotes, _ keepsAuth: Bool) {
    self.sources = sources
    self.keepsAuth = keepsAuth
    self.notes = notes
    let found = found
    let reserved = Set(sources.flatMap { $0.scopes.flatMap(\.scope.environments.definitions.keys) })
    names = ExportNames(reserved: reserved) { scope, place in found.place(of: place, in: scope) }
  }

  private mutating func read(_ name: String) -> ExportedCollection {
    var collection = ExportedCollection(name: name)
    for (index, source) in sources.enumerated() {
      found.source = index
      found.path = source.path
      let document = source.scope.files.files[0].document
      for block in document.blocks where block.isRunnable && !block.isPlaceholder {
        _ = found.place(of: RequestPlace(block: block.index), in: source.scope)
      }
    }
    readScripts()
    var titles: [[String]: Int] = [:]
    var at = 0
    // Requests of imported files are found on the way.
    while at < found.requests.count {
      let place = found.requests[at]
      found.source = place.source
      found.path = sources[place.source].path
      collection.requests.append(read(place, at, &titles, &collection.omissions))
      at += 1
    }
    finish(&collection)
    return collection
  }

  /// The scripts come first, since what they set is used in other requests.
  private func readScripts() {
    for (index, place) in found.requests.enumerated() {
      let block = sources[place.source].scope.files.block(place.place)
      for script in block.scripts where script.phase == .response {
        guard let text = script.text, let captures = ScriptCaptures.read(block.text(text)) else {
          continue
        }
        for capture in captures { names.add(capture: capture.name, capture.part, of: index) }
      }
    }
  }

  // MARK: - One request

  private func read(
    _ place: FoundRequests.Request, _ index: Int, _ titles: inout [[String]: Int],
    _ omissions: inout [ExportedOmission]
  ) -> ExportedRequest {
    let source = sources[place.source]
    var scope = source.scope
    scope.file = place.place.file
    let block = scope.files.block(place.place)
    let view = ExportNames.View(scope: scope, context: source.context, user: index)
    let isOwn = place.place.file == 0
    let file = isOwn ? source.label : FoundRequests.name(of: scope, place.place.file)
    let line = scope.document.line(at: block.absolute(block.leadingLine).lowerBound) + 1
    var title = block.title ?? block.name ?? block.caption
    let folder = isOwn ? source.folder : [FolderFiles.title(ofRequestFile: file)]
    let count = titles[folder + [title], default: 0] + 1
    titles[folder + [title]] = count
    if count > 1 {
      notes.tell(
        .duplicateTitle, "Several requests are called `\(title)`; this one is number \(count).",
        at: OriginPlace(file: file, line: line), origin: title)
      title += " \(count)"
    }
    var request = ExportedRequest(
      id: "\(file)\n\(title)", folder: folder, title: title, place: "\(file):\(line)")
    var work = ExportWork(
      block: block, view: view, source: source, names: names, notes: notes,
      place: OriginPlace(file: file, line: line), keepsAuth: keepsAuth, request: request)
    work.read()
    request = work.request
    if let reason = work.omission {
      omissions.append(ExportedOmission(folder: folder, title: title, reason: reason))
      request.omission = reason
    }
    request.needs = needs(of: request, block, view)
    return request
  }

  /// What a request needs: what it reads, and what its tags and `run` lines name.
  private func needs(
    of request: ExportedRequest, _ block: ParsedBlock, _ view: ExportNames.View
  ) -> [Int] {
    var needs: [Int] = []
    func add(_ place: Int) {
      if place != view.user, !needs.contains(place) { needs.append(place) }
    }
    let naming = RequestNaming(view.scope, view.scope.file)
    let shared = view.scope.sharedBlocks(for: block).filter { $0.isRequest && !$0.isPlaceholder }
    for block in shared {
      add(found.place(of: RequestPlace(file: view.scope.file, block: block.index), in: view.scope))
    }
    for tag in block.dependencyTags {
      if let place = naming.place(of: tag, in: block) {
        add(found.place(of: place, in: view.scope))
      }
    }
    for directive in block.directives where directive.kind != .importFile {
      // A name that is nobody's is told when the file is checked.
      for place in (try? naming.targets(of: directive, in: block).get()) ?? [] {
        add(found.place(of: place, in: view.scope))
      }
    }
    for reference in request.texts.flatMap(\.references) {
      if case .response(let place, _) = reference { add(place) }
    }
    return needs
  }

  // MARK: - What all share

  private func finish(_ collection: inout ExportedCollection) {
    collection.variables = names.variables
    for change in names.renamed {
      notes.tell(
        .variableRenamed,
        "`\(change.from)` has several values, so that one of them is called `\(change.to)`.",
        at: OriginPlace(file: sources.first?.label ?? "", line: 1))
    }
    addEnvironments(to: &collection)
    // Clients get their tokens by themselves.
    let values = (collection.variables + collection.environments.flatMap(\.variables))
      .compactMap(\.value)
    let used = Set((collection.requests.flatMap(\.texts) + values).flatMap(\.references))
    collection.variables.removeAll {
      names.tokens[$0.name] != nil && !used.contains(.variable($0.name))
    }
    collection.variables = ExportedVariable.ordered(collection.variables)
    // Blocks that only run others and requests that can't be exported hold no place of their own.
    collection.order = order(collection.requests)
  }

  /// The values of environments: what all have is the collection's, the rest theirs.
  private func addEnvironments(to collection: inout ExportedCollection) {
    guard let source = sources.first else { return }
    var shared: [String: ExportedVariable] = [:]
    for (environment, scope) in source.scopes {
      let view = ExportNames.View(scope: scope, context: source.context, user: 0)
      var own: [ExportedVariable] = []
      for name in scope.environments.definitions.keys.sorted() {
        guard let definition = scope.environments.definitions[name] else { continue }
        let isUsed = names.environmentNames.contains(name)
        let written = definition.value.substitutionText
        let text =
          definition.value.string == nil
          ? ExportedText(written) : names.text(written, at: 0, view)
        let isSecret = ExportNames.isSecret(definition, text)
        let variable = ExportedVariable(
          name: name, value: isSecret ? nil : text, isSecret: isSecret, isUsed: isUsed)
        if environment == nil { shared[name] = variable }
        if environment == nil || shared[name] != variable { own.append(variable) }
      }
      if let environment {
        collection.environments.append(ExportedEnvironment(name: environment, variables: own))
      } else {
        collection.variables += own
      }
    }
    // What only the values of others name is used as well.
    markUsed(&collection)
    for name in names.environmentNames.sorted()
    where !collection.variables.contains(where: { $0.name == name })
      && !collection.environments.contains(where: { $0.variables.contains { $0.name == name } })
    {
      collection.variables.append(ExportedVariable(name: name, value: nil))
    }
  }

  private func markUsed(_ collection: inout ExportedCollection) {
    var used = names.environmentNames
    var waiting = collection.variables.filter(\.isUsed).compactMap(\.value)
    let all = collection.variables + collection.environments.flatMap(\.variables)
    waiting += all.filter { used.contains($0.name) }.compactMap(\.value)
    while let text = waiting.popLast() {
      for case .variable(let name) in text.references where used.insert(name).inserted {
        waiting += all.filter { $0.name == name }.compactMap(\.value)
      }
    }
    for index in collection.variables.indices where used.contains(collection.variables[index].name)
    {
      collection.variables[index].isUsed = true
    }
    for place in collection.environments.indices {
      for index in collection.environments[place].variables.indices {
        let name = collection.environments[place].variables[index].name
        if used.contains(name) { collection.environments[place].variables[index].isUsed = true }
      }
    }
  }

  /// The places of requests, each after those that it needs; a circle is cut where it closes.
  private func order(_ requests: [ExportedRequest]) -> [Int] {
    var result: [Int] = []
    var met: Set<Int> = []
    func visit(_ place: Int) {
      guard met.insert(place).inserted else { return }
      requests[place].needs.forEach(visit)
      if requests[place].omission == nil { result.append(place) }
    }
    requests.indices.forEach(visit)
    return result
  }
}

/// The requests of an export as they are found. It belongs to the reader.
final class FoundRequests {
  /// A request and the source that it was found from.
  struct Request {
    var source: Int
    var place: RequestPlace
  }

  private(set) var requests: [Request] = []
  private var places: [String: Int] = [:]
  /// The source that is read.
  var source = 0
  /// The absolute path of its file.
  var path = ""

  /// The number of a request, which is added where it is new.
  func place(of place: RequestPlace, in scope: Scope) -> Int {
    let file = place.file == 0 ? path : scope.files.files[place.file].path
    let key = "\(place.block) \(file)"
    if let known = places[key] { return known }
    places[key] = requests.count
    requests.append(Request(source: source, place: place))
    return requests.count - 1
  }

  /// The last part of the path of a file.
  static func name(of scope: Scope, _ file: Int) -> String {
    String(scope.files.files[file].path.split(separator: "/").last ?? "")
  }
}
