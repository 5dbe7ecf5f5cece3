// Reads collections and environments of Hoppscotch (IO, 2.10).

import PostKitJSON

/// Hoppscotch's collections of versions 1 to 11, with environments beside them.
enum HoppscotchImporter: OriginImporter {
  static let format = OriginFormat.hoppscotch

  /// What a file of Hoppscotch is.
  enum Kind: Hashable { case collection, environment }

  /// Whether a source looks like one of this format (IO-4).
  static func recognises(_ source: OriginSource) -> Bool { kind(of: source) != nil }

  /// Whether a source may stand beside a collection of this format.
  static func accompanies(_ source: OriginSource) -> Bool { kind(of: source) == .environment }

  /// What a source is by a first look; `nil` where it is nothing of Hoppscotch.
  static func kind(of source: OriginSource) -> Kind? {
    guard let look = source.look, look.has("name"), !look.has("order"), !look.has("client"),
      !look.has("info")
    else { return nil }
    if look.isArray("folders"), look.isArray("requests") {
      let request = look.look("requests")
      let isOwn = look.has("v") || request?.has("endpoint") == true || look.has("auth")
      return isOwn ? .collection : nil
    }
    let variable = look.look("variables")
    return look.isArray("variables") && (look.has("v") || variable?.has("key") == true)
      ? .environment : nil
  }

  /// Reads a collection and what stands beside it.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    var collections: [(folder: OriginFolder, version: String?)] = []
    var (environments, globals): ([OriginEnvironment], [OriginVariable]) = ([], [])
    let reader = HoppscotchReader(context)
    for source in sources {
      let place = source.place(among: sources.count)
      let tree = try source.json()
      let root = tree.root
      let objects =
        root.kind == .array
        ? root.elements.enumerated().map { ($1, place.element($0)) } : [(root, place)]
      let isEnvironment = kind(of: source) == .environment
      guard isEnvironment || collections.isEmpty else {
        throw OriginFailure(
          "\(source.lastName) is a second collection. Import one collection at a time.")
      }
      for (view, place) in objects {
        guard let object = OriginObject(view, at: place, notes: context.notes) else {
          reader.tellMalformed("A collection is no object and is left out.", at: place)
          continue
        }
        if isEnvironment {
          let environment = reader.environment(object)
          if environment.name.lowercased() == "globals" || environment.name == "Global" {
            globals += environment.variables
          } else {
            environments.append(environment)
          }
        } else {
          let version = object.text("v")
          collections.append((reader.folder(object, in: []), version))
        }
      }
      if !isEnvironment, collections.isEmpty {
        throw OriginFailure("\(source.lastName) has no collection in it. Export it once more.")
      }
    }
    var root =
      collections.count == 1
      ? collections[0].folder
      : OriginFolder(name: "Hoppscotch", place: OriginPlace(), folders: collections.map(\.folder))
    if collections.isEmpty { root.name = environments.first?.name ?? root.name }
    let shared = collections.count == 1 ? root.variables : []
    if collections.count == 1 { root.variables = [] }
    var collection = OriginCollection(
      format: .hoppscotch, version: collections.first?.version, root: root,
      environments: environments, shared: globals + shared)
    collection.unknownNames = reader.unknownNames
    return collection
  }
}
