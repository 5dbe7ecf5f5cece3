// Reads collections, environments and globals of Postman (IO, 2.6).

import PostKitJSON

/// Postman's collections of version 2.0 and 2.1, with environments and globals beside them.
enum PostmanImporter: OriginImporter {
  static let format = OriginFormat.postman

  /// What a file of Postman is.
  enum Kind: Hashable {
    case collection
    /// A collection of version 1, which is not read.
    case old
    case environment, globals
  }

  /// Whether a source looks like one of this format (IO-4).
  static func recognises(_ source: OriginSource) -> Bool { kind(of: source) != nil }

  /// Whether a source may stand beside a collection of this format.
  static func accompanies(_ source: OriginSource) -> Bool {
    switch kind(of: source) {
    case .environment, .globals: true
    case .collection, .old, nil: false
    }
  }

  /// What a source is by a first look; `nil` where it is nothing of Postman.
  static func kind(of source: OriginSource) -> Kind? {
    guard let outer = source.look else { return nil }
    let look = outer.has("item") ? outer : outer.look("collection") ?? outer
    if let schema = look.look("info")?.string("schema"), schema.contains("/collection/v") {
      return schema.contains("/collection/v1.") ? .old : .collection
    }
    if look.isArray("item"), !look.has("openapi") {
      // Files that Newman takes have a name of their own in place of `info`.
      let item = look.look("item")
      if look.has("info") || item?.has("request") == true || item?.has("item") == true {
        return .collection
      }
    }
    if look.has("order"), look.isArray("requests"), look.has("name") { return .old }
    let scope = outer.string("_postman_variable_scope")
    guard outer.isArray("values"), outer.look("values")?.has("key") == true || scope != nil else {
      // Older exports of globals are the list alone.
      return outer.has("key") && outer.has("value") && outer.has("enabled") ? .globals : nil
    }
    switch scope {
    case "globals": return .globals
    case "environment", nil: return .environment
    default: return nil
    }
  }

  /// Reads a collection and what stands beside it.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    var result: OriginCollection?
    var globals: [OriginVariable] = []
    var environments: [OriginEnvironment] = []
    let reader = PostmanReader(context)
    for source in sources {
      let place = source.place(among: sources.count)
      switch kind(of: source) {
      case .collection, nil:
        guard result == nil else {
          throw OriginFailure(
            "\(source.lastName) is a second collection. Import one collection at a time.")
        }
        result = try reader.collection(source, at: place)
      case .old:
        let advice =
          "\(source.lastName) is a collection of version 1, which PostKit does not read. Import it "
          + "in Postman and export it as 2.1."
        context.notes.tell(.formatOld, advice, at: place)
        throw OriginFailure(advice)
      case .environment:
        environments.append(try reader.environment(source, at: place))
      case .globals: globals += try reader.environment(source, at: place).variables
      }
    }
    var collection =
      result
      ?? OriginCollection(
        format: .postman,
        root: OriginFolder(
          name: environments.first?.name ?? "Postman", place: OriginPlace(), auth: .none))
    collection.environments = environments
    collection.shared = globals + collection.shared + reader.vaultVariables
    collection.shared += reader.certificates.prefix(1)
    collection.unknownNames = reader.unknownNames
    return collection
  }
}

extension PostmanReader {
  /// Reads a collection, also one that stands in an object as Postman's API answers it.
  func collection(
    _ source: OriginSource, at place: OriginPlace
  ) throws(OriginFailure) -> OriginCollection {
    let tree = try source.json()
    guard var object = OriginObject(tree.root, at: place, notes: notes) else {
      throw OriginFailure(
        "\(source.lastName) is no collection: its outermost value is no object. Export it as 2.1.")
    }
    if object.peek("item") == nil, let inner = object.object("collection") {
      object.finish()
      object = inner
    }
    // Else all that an earlier import has made would seem to have gone from the origin.
    guard object.peek("item")?.kind == .array else {
      throw OriginFailure(
        "\(source.lastName) is no collection: it has no list `item`. Export it as 2.1.")
    }
    var root = OriginFolder(
      name: object.text("name") ?? source.collectionStem, place: object.place, auth: .none)
    root.description = description(of: object, "description")
    var version: String?
    if let info = object.object("info") {
      version = info.string("schema").map { $0.contains("/v2.0") ? "2.0" : "2.1" }
      root.name = info.text("name") ?? root.name
      let text = description(of: info, "description")
      if !text.isEmpty { root.description = text }
      if let number = versionText(info) {
        root.description += (root.description.isEmpty ? "" : "\n\n") + "Version \(number)"
      }
      info.ignore("_postman_id", "_exporter_id", "_collection_link", "id")
      info.finish()
    }
    let shared = variables(of: object, "variable")
    let parents = readGroup(object, into: &root, PostmanParents())
    readItems(of: object, into: &root, parents)
    object.ignore("id", "_postman_id", "uid", "owner")
    object.finish()
    return OriginCollection(format: .postman, version: version, root: root, shared: shared)
  }

  /// The version that a collection says of itself: a text, or its numbers in an object.
  private func versionText(_ info: OriginObject) -> String? {
    if let text = info.text("version") { return text }
    guard let version = info.object("version") else { return nil }
    var text = ["major", "minor", "patch"].map { version.text($0) ?? "0" }.joined(separator: ".")
    if let identifier = version.text("identifier") { text += "-" + identifier }
    version.ignore("meta")
    version.finish()
    return text
  }

  /// Reads an environment or globals.
  func environment(
    _ source: OriginSource, at place: OriginPlace
  ) throws(OriginFailure) -> OriginEnvironment {
    let tree = try source.json()
    guard let object = OriginObject(tree.root, at: place, notes: notes) else {
      let values = tree.root.elements.enumerated().map { ($1, place.element($0)) }
      return OriginEnvironment(
        name: source.collectionStem, place: place, variables: variables(in: values))
    }
    let name = object.text("name") ?? source.collectionStem
    let variables = variables(of: object, "values")
    object.ignore(
      "id", "uid", "owner", "timestamp", "synced", "syncedFilename", "isShared", "public", "team",
      "_postman_variable_scope", "_postman_exported_at", "_postman_exported_using", "color",
      "createdAt", "updatedAt", "_postman_isShared")
    object.finish()
    return OriginEnvironment(name: name, place: place, variables: variables)
  }
}

extension OriginSource {
  /// The last part of its name without Postman's endings, such as `shop` of `api/shop.json`.
  fileprivate var collectionStem: String {
    var stem = lastName[...]
    for ending in [
      ".json", ".postman_collection", ".postman_environment", ".postman_globals",
    ] where stem.hasSuffix(ending) {
      stem = stem.dropLast(ending.count)
    }
    return String(stem)
  }
}
