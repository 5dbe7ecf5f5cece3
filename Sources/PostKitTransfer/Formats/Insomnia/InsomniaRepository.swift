// What Insomnia's git sync keeps: a folder `.insomnia` with a YAML file for each resource, in a
// folder that is named after its kind (IO, 2.1).

import PostKitJSON

/// The documents of a `.insomnia` folder, or of the repository that has one.
enum InsomniaRepository {
  /// The name of the folder in a repository.
  static let folderName = ".insomnia"
  /// What says that a folder is another tool's, though Insomnia has been at work in it, too.
  private static let others: Set<String> = [
    "bruno.json", "opencollection.yml", "opencollection.yaml",
  ]

  /// Whether a folder is one, by what lies at its top.
  static func isOne(_ source: OriginSource) -> Bool {
    guard let files = source.files else { return false }
    let tops = Set(files.map { top(of: $0.path) })
    if !tops.isDisjoint(with: others) { return false }
    return tops.contains(folderName) || isInside(source, tops) && tops.contains("Workspace")
  }

  /// Whether the folder itself was named, be it as `.`.
  private static func isInside(_ source: OriginSource, _ tops: Set<String>) -> Bool {
    if tops.contains(folderName) { return false }
    return source.lastName == folderName
      || tops.contains("Workspace") && !tops.isDisjoint(with: ["Request", "Environment"])
  }

  /// Whether a folder with these names at its top holds nothing else that counts than what Insomnia
  /// keeps in it.
  static func isAll(of names: [String]) -> Bool {
    names.contains(folderName) && others.isDisjoint(with: names)
  }

  /// The files that each hold a resource, in the order of their paths.
  static func documents(of source: OriginSource) -> [TransferFile] {
    let files = source.files ?? []
    let isInside = isInside(source, Set(files.map { top(of: $0.path) }))
    return files.filter { file in
      let name = file.name.lowercased()
      return (isInside || top(of: file.path) == folderName)
        && (name.hasSuffix(".yml") || name.hasSuffix(".yaml"))
    }.sorted { $0.path < $1.path }
  }

  /// The `_type` of an export for the `type` that stands in a document: `ApiSpec` is `api_spec`.
  static func type(_ name: String) -> String {
    var result = ""
    for character in name {
      if character.isUppercase, !result.isEmpty { result += "_" }
      result += character.lowercased()
    }
    return result.replacing("web_socket", with: "websocket")
      .replacing("socket_i_o", with: "socketio")
  }

  /// A name for what has none: that of the repository.
  static func name(of source: OriginSource) -> String {
    let steps = source.name.split(separator: "/").filter { $0 != "." && $0 != folderName }
    return steps.last.map(String.init) ?? "Insomnia"
  }

  private static func top(of path: String) -> String { String(path.prefix { $0 != "/" }) }
}

extension InsomniaReader {
  /// Reads a folder of documents as the list of resources that an export would be.
  func repository(_ source: OriginSource) throws(OriginFailure) -> OriginCollection {
    var resources = InsomniaResources()
    for (index, file) in InsomniaRepository.documents(of: source).enumerated() {
      let root = try OriginYAML.tree(file.bytes, name: file.path, notes).root
      let place = OriginPlace(file: file.path)
      guard let object = OriginObject(root, at: place, notes: notes) else {
        notes.tell(.itemMalformed, "The document is no object and is left out.", at: place)
        continue
      }
      let type = InsomniaRepository.type(object.text("type") ?? "")
      let resource = self.resource(object, type, index)
      if let id = resource.item.id { remember(id, resource.item.name) }
      resources.add(resource)
    }
    guard !resources.all("workspace").isEmpty else {
      throw OriginFailure(
        "\(source.name) has no workspace of Insomnia in it. Take its folder `Workspace` back from "
          + "version control.")
    }
    return collection(
      of: resources, version: nil, name: InsomniaRepository.name(of: source), at: OriginPlace())
  }
}
