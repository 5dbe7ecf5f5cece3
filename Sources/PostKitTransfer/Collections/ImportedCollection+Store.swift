// Collections out of the store and into it.

package import PostKitStore
import PostKitSupport

extension ImportedCollection {
  /// A stored collection as it is at one moment, with all that belongs to it; `nil` where there is
  /// none with that id.
  package static func read(
    id: String, from store: Store
  ) async throws(StoreFailure) -> ImportedCollection? {
    try await store.look { reader throws(StoreFailure) in try read(id: id, reader) }
  }

  private static func read(
    id: String, _ reader: CollectionReader
  ) throws(StoreFailure) -> ImportedCollection? {
    guard case .collection(let row) = try reader.item(id: id) else { return nil }
    let requests = try reader.sources(ofCollection: id).mapValues {
      ImportedRequest(source: $0.source, dialect: $0.dialect)
    }
    let tree = try reader.tree(in: .collection(id))
    let environments = try reader.environments(of: id)
    let active = try (environments + reader.environments(of: nil))
      .first { $0.environment.id == row.activeEnvironmentID }
    var collection = ImportedCollection(
      name: row.name, folders: folders(tree, requests), requests: self.requests(tree, requests),
      environments: environments.map { item in
        ImportedEnvironment(
          name: item.environment.name,
          variables: item.variables.map {
            ImportedVariable(name: $0.key, value: $0.value, isSecret: $0.isSecret)
          })
      }, activeEnvironment: active?.environment.name)
    collection.withDefaults = StoredDefaults(row.defaults).isEmpty ? [] : [row.name]
    collection.withDefaults += withDefaults(tree, below: row.name)
    return collection
  }

  private static func withDefaults(_ nodes: [CollectionNode], below path: String) -> [String] {
    nodes.flatMap { node -> [String] in
      guard case .folder(let folder) = node.item else { return [] }
      let path = "\(path)/\(folder.name)"
      return (StoredDefaults(folder.defaults).isEmpty ? [] : [path])
        + withDefaults(node.children, below: path)
    }
  }

  private static func folders(
    _ nodes: [CollectionNode], _ texts: [String: ImportedRequest]
  ) -> [ImportedFolder] {
    nodes.filter { $0.item.container != nil }.map { node in
      ImportedFolder(
        name: node.item.name, folders: folders(node.children, texts),
        requests: requests(node.children, texts))
    }
  }

  private static func requests(
    _ nodes: [CollectionNode], _ texts: [String: ImportedRequest]
  ) -> [ImportedRequest] {
    nodes.filter { $0.item.container == nil }.compactMap { texts[$0.item.id] }
  }

  /// The name as it is stored.
  package var storedName: String { ImportedCollection.named(name).inOneLine }

  /// What puts the collection into the store under an id; `content` derives what is stored of a
  /// request.
  func plan(as id: String, content: (ImportedRequest) -> StoredRequestContent) -> ImportPlan {
    var plan = ImportPlan(collection: id)
    plan.edits.append(.createCollection(id: id, name: plan.inOneLine(Self.named(name))))
    for environment in plan.sharing(environments) {
      plan.add(environment, isActive: environment.name == activeEnvironment)
    }
    let top = ImportedFolder(name: name, folders: folders, requests: requests)
    plan.add(top, to: .collection(id), path: "", content)
    return plan
  }

  /// A name that can be shown; the store refuses none at all.
  fileprivate static func named(_ name: String) -> String {
    name.contains { !$0.isWhitespace } ? name : "Untitled"
  }
}

/// The edits of an import.
///
/// Their ids derive from that of the collection and from names, so that they are the same whenever
/// the same is imported: what was broken off can be gone on with.
struct ImportPlan {
  let collection: String
  var edits: [CollectionEdit] = []
  /// The values of secret variables by their ids.
  private(set) var secrets: [String: String] = [:]
  /// The ids of requests by the paths of their files.
  private(set) var requestIDs: [String: String] = [:]
  private(set) var requestCount = 0
  /// What is left out.
  private(set) var warnings: [String] = []
  /// How many things have each path so far.
  private var counts: [String: Int] = [:]

  init(collection: String) { self.collection = collection }

  /// Environments of which each has the variables that a file shares among all.
  fileprivate mutating func sharing(
    _ environments: [ImportedEnvironment]
  ) -> [ImportedEnvironment] {
    let shared = environments.filter { $0.name == "$shared" }.flatMap(\.variables)
    var others = environments.filter { $0.name != "$shared" }
    guard !shared.isEmpty, !others.isEmpty else { return environments }
    for place in others.indices {
      let known = Set(others[place].variables.map(\.name))
      others[place].variables += shared.filter { !known.contains($0.name) }
    }
    warnings.append(
      "The variables of `$shared` were copied into each environment that has none of their names.")
    return others
  }

  fileprivate mutating func add(_ environment: ImportedEnvironment, isActive: Bool) {
    let isPossible = !environment.name.isEmpty && !environment.name.contains(",")
      && !environment.name.hasPrefix("$")
    guard isPossible else {
      warnings.append("The environment `\(environment.name)` is left out: its name is invalid.")
      return
    }
    let (owner, path) = id("environment", environment.name)
    let name = inOneLine(environment.name)
    edits.append(.createEnvironment(id: owner, name: name, collection: collection))
    var keys: Set<String> = []
    for variable in environment.variables {
      guard variable.name.contains(where: { !$0.isWhitespace }) else {
        warnings.append("A variable without a name in `\(environment.name)` is left out.")
        continue
      }
      let key = inOneLine(variable.name)
      guard keys.insert(key).inserted else {
        warnings.append(
          "A second variable `\(variable.name)` in `\(environment.name)` is left out; the first is "
            + "kept. Give one of them another name.")
        continue
      }
      let id = id("\(path)variable", variable.name).id
      if variable.isSecret { secrets[id] = variable.value }
      edits.append(
        .createVariable(
          id: id, key: key,
          value: variable.isSecret ? .secret : .plain(variable.value ?? ""), environment: owner))
    }
    if isActive { edits.append(.activate(environment: owner, collection: collection)) }
  }

  fileprivate mutating func add(
    _ folder: ImportedFolder, to container: RequestContainer, path: String,
    _ content: (ImportedRequest) -> StoredRequestContent
  ) {
    for request in folder.requests {
      let content = content(request)
      let title = content.name ?? "\(content.method) \(content.url)"
      let id = id("\(path)request", title).id
      edits.append(.createRequest(id: id, content, in: container))
      if let path = request.path { requestIDs[path] = id }
      requestCount += 1
    }
    for child in folder.folders {
      let (id, place) = id("\(path)folder", child.name)
      edits.append(
        .createFolder(
          id: id, name: inOneLine(ImportedCollection.named(child.name)), in: container))
      add(child, to: .folder(id), path: place, content)
    }
  }

  /// A name as the store takes it.
  fileprivate mutating func inOneLine(_ name: String) -> String {
    let result = name.inOneLine
    if result != name {
      warnings.append(
        "The name `\(result)` had line breaks or control characters; they are spaces now.")
    }
    return result
  }

  /// The id of the next thing with a name in a place, and the path of what lies in it. It has the
  /// time of the collection's, as the ids of one import are looked up together.
  private mutating func id(_ place: String, _ name: String) -> (id: String, path: String) {
    var path = "\(place)\0\(name)\0"
    let count = counts[path, default: 0]
    counts[path] = count + 1
    path += "\(count)\0"
    let digest = SHA256.digest(Array("\(collection)\0\(path)".utf8))
    let numbers = [digest[..<8], digest[8..<16]].map { part in
      part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    let time = Int64(collection.prefix(13).filter { $0 != "-" }, radix: 16) ?? 0
    return (Identifier.version7(milliseconds: time, random: (numbers[0], numbers[1])), path)
  }
}

extension String {
  /// The text with blanks for its control characters.
  fileprivate var inOneLine: String {
    guard hasControlCharacters else { return self }
    var result = UnicodeScalarView()
    for scalar in unicodeScalars {
      result.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return String(result)
  }
}
