// Reads collections and environments of Thunder Client (IO, 2.10).

import PostKitJSON

/// Thunder Client's collections, with environments beside them.
enum ThunderImporter: OriginImporter {
  static let format = OriginFormat.thunder

  /// What a file of Thunder Client is.
  enum Kind: Hashable { case collection, environment }

  /// Whether a source looks like one of this format (IO-4).
  static func recognises(_ source: OriginSource) -> Bool { kind(of: source) != nil }

  /// Whether a source may stand beside a collection of this format.
  static func accompanies(_ source: OriginSource) -> Bool { kind(of: source) == .environment }

  /// What a source is by a first look; `nil` where it is nothing of Thunder Client.
  static func kind(of source: OriginSource) -> Kind? {
    guard let look = source.look, look.string("client") == "Thunder Client" else { return nil }
    if look.isArray("requests") { return .collection }
    return look.isArray("variables") || look.isArray("data") ? .environment : nil
  }

  /// Reads a collection and what stands beside it.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    let reader = ThunderReader(context)
    var root: OriginFolder?
    var version: String?
    var environments: [OriginEnvironment] = []
    for source in sources {
      let place = source.place(among: sources.count)
      guard let object = OriginObject(try source.json().root, at: place, notes: context.notes)
      else {
        throw OriginFailure(
          "\(source.lastName) is no collection: its outermost value is no object. Export it again.")
      }
      if kind(of: source) == .environment {
        environments.append(reader.environment(object))
        continue
      }
      guard root == nil else {
        throw OriginFailure(
          "\(source.lastName) is a second collection. Import one collection at a time.")
      }
      version = object.text("version")
      root = reader.collection(object)
    }
    var collection = OriginCollection(
      format: .thunder, version: version,
      root: root
        ?? OriginFolder(
          name: environments.first?.name ?? "Thunder Client", place: OriginPlace(), auth: .none),
      environments: environments)
    collection.unknownNames = reader.unknownNames
    return collection
  }
}
