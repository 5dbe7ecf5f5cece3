// A stored request with all around it, so that it is read and sent like one of a file.

package import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
package import PostKitStore
import PostKitSupport
import PostKitSyntax

/// A stored request, its text and the environments that it can use.
package struct StoredRequestFile: Sendable {
  package let request: Model.HTTPRequest
  package let collection: Model.Collection
  package let text: [UInt8]
  /// The global environments, then those of the collection: of two with one name the later wins.
  package let environments: [EnvironmentContents]
  /// What the collection and the folders around the request give to it, the outermost first.
  package let defaults: [PlacedDefaults]

  /// Reads a stored request as it is at one moment, with all around it; `nil` where there is none
  /// with that id.
  package static func read(
    id: String, from store: Store
  ) async throws(StoreFailure) -> StoredRequestFile? {
    try await store.look { reader throws(StoreFailure) in try read(id: id, reader) }
  }

  /// Reads a stored request that is deleted as it was, with what is around it or was, where the
  /// deletion can be taken back; `nil` else.
  package static func readDeleted(
    id: String, from store: Store
  ) async throws(StoreFailure) -> StoredRequestFile? {
    try await store.lookBack(atRequest: id) { reader throws(StoreFailure) in
      try read(id: id, reader)
    }
  }

  /// Reads all requests of a collection or folder as they are at one moment, in the order of the
  /// tree, each with its path.
  package static func readAll(
    in container: RequestContainer, from store: Store
  ) async throws(StoreFailure) -> [(path: String, file: StoredRequestFile)] {
    try await store.look { reader throws(StoreFailure) in
      var found: [(path: String, file: StoredRequestFile)] = []
      var waiting = try reader.completed(reader.tree(in: container))
      while !waiting.isEmpty {
        let node = waiting.removeFirst()
        waiting = node.children + waiting
        guard case .request(let row) = node.item, let file = try read(id: row.id, reader) else {
          continue
        }
        found.append((node.path, file))
      }
      return found
    }
  }

  private static func read(
    id: String, _ reader: CollectionReader
  ) throws(StoreFailure) -> StoredRequestFile? {
    guard let request = try reader.request(id: id),
      case .collection(let collection) = try reader.item(id: request.collectionID),
      let source = try reader.source(ofRequest: id)
    else { return nil }
    let environments = try reader.environments(of: nil) + reader.environments(of: collection.id)
    return StoredRequestFile(
      request: request, collection: collection, text: source.keptBytes,
      environments: environments, defaults: try PlacedDefaults.around(request, collection, reader))
  }

  /// What is told when it is deleted and sent all the same.
  package var deletedRemark: String {
    "the stored request `\(request.displayName.shown)` is deleted; PostKit sends it with the "
      + "environments of its collection. `postkit collections undo \(request.id)` takes the "
      + "deletion back."
  }

  /// The name under which the history keeps what is sent from a stored request.
  package static func historyName(of id: String) -> String { "\(historyFolder)\(id).http" }

  /// Whether the history knows what was sent from a stored request by this name.
  package static func isHistoryName(_ name: String) -> Bool { name.hasPrefix(historyFolder) }

  private static let historyFolder = "postkit:/collections/"

  /// The name of the environment that the collection uses; `nil` for none.
  package var activeEnvironment: String? {
    environments.first { $0.environment.id == collection.activeEnvironmentID }?.environment.name
  }

  /// The id of the environment that is meant by a name; `nil` where none is stored.
  package func environmentID(named name: String) -> String? {
    environments.last { $0.environment.name == name }?.environment.id
  }

  /// The preset by which the text is read, where it has one of its own.
  package var dialect: DialectPreset? { request.dialect.flatMap(DialectPreset.init(rawValue:)) }

  /// Where the request counts as lying: in the folder of the file that it was saved from, while
  /// there is one, so that its relative paths mean what they meant there.
  package func path(otherwise folder: String) -> String {
    let origin = request.originFile.map(FilePath.parent)
    let home = origin.flatMap { FileSystem.isDirectory($0) ? $0 : nil } ?? folder
    return FilePath.join(home, request.id + ".http")
  }

  /// How the text is read where a project reads its files in a way.
  package func reading(_ project: FileReading) -> FileReading {
    var reading = project
    if let dialect { reading.preset = dialect }
    return reading
  }

  /// The environments as evaluation reads them. `secrets` are the values of secret variables by
  /// their ids; a variable that has none there is not defined. With `nil` nothing is to be sent,
  /// and masks stand for the values.
  package func sources(secrets: [String: String]?) -> [EnvironmentSource] {
    defaults.map(\.source) + environments.map { item in
      let members = item.variables.compactMap { variable -> JSONMember? in
        let secret = secrets.map { $0[variable.id] } ?? SecretMask.text
        guard let value = variable.isSecret ? secret : variable.value else { return nil }
        return JSONMember(variable.key, .string(value))
      }
      let bytes = JSONValue.object([JSONMember(item.environment.name, .object(members))]).bytes
      let names = item.variables.filter(\.isSecret).map(\.key)
      return EnvironmentSource(
        kind: .stored(secrets: Set(names)),
        file: SourceFile(path: "postkit:/environments", bytes: bytes))
    }
  }

  /// What stands for the secret variables in an export for other tools, by their ids: masks, but
  /// for clients of OAuth 2 in environments that it asks for. These have forms there, which are
  /// written without what is secret in them.
  package func exportedSecrets(
    in choices: [String], from store: any SecretStore
  ) async throws(StoreFailure) -> [String: String] {
    let chosen = choices.flatMap { EnvironmentSet.selected($0) }
    var values: [String: String] = [:]
    for item in environments {
      let name = item.environment.name
      let isAsked = chosen.contains(name) || !chosen.isEmpty && name.hasPrefix("$")
      for variable in item.variables where variable.isSecret {
        values[variable.id] = SecretMask.text
        guard isAsked, variable.key == EnvironmentSet.securityName else { continue }
        values[variable.id] = try await store.secret(of: variable.id)
      }
    }
    return values
  }

  /// The values of the secret variables of a choice of environments, and the names of those that
  /// have none. Nothing is asked of the keyring for others.
  package func secrets(
    in choice: String?, from store: any SecretStore
  ) async throws(StoreFailure) -> (values: [String: String], missing: [String]) {
    let chosen = EnvironmentSet.selected(choice)
    var values: [String: String] = [:]
    var missing: [String] = []
    for item in environments where chosen.contains(item.environment.name) {
      for variable in item.variables where variable.isSecret {
        if let value = try await store.secret(of: variable.id) {
          values[variable.id] = value
        } else {
          missing.append(variable.key)
        }
      }
    }
    return (values, missing)
  }
}
