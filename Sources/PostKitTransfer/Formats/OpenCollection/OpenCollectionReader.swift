// Folders and items of OpenCollection.

import PostKitJSON
import PostKitYAML

/// Reads the objects of a collection.
struct OpenCollectionReader {
  let shared: BrunoShared
  private let ids = OpenCollectionIDs()

  var notes: ImportNotes { shared.notes }

  /// Makes a reader.
  init(shared: BrunoShared) { self.shared = shared }

  /// The object that a file holds. What is no YAML fails with its line.
  func object(of file: TransferFile, at place: OriginPlace) throws(OriginFailure) -> OriginObject {
    let bytes = try SourceDecoding.decoded(file.bytes, of: file.path)
    let text: YAMLText
    do throws(YAMLSyntaxError) { text = try YAMLText(parsing: bytes) } catch {
      throw OriginFailure("\(file.path):\(error.place.line + 1): \(error.explanation).")
    }
    notes.tellsDuplicates = false
    for note in text.notes {
      notes.tell(
        .yamlValue, note.message, at: OriginPlace(file: file.path, line: note.place.line + 1))
    }
    guard let object = OriginObject(text.tree.root, at: place, notes: notes) else {
      throw OriginFailure("\(file.path):1: A mapping such as `info:` is expected here.")
    }
    return object
  }

  /// Which paths do not belong to the collection.
  static func ignoredPaths(_ root: OriginObject) -> (String) -> Bool {
    let listed = root.peek("extensions")?["bruno"]?["ignore"]?.elements.compactMap(\.string) ?? []
    let ignored = (listed + ["node_modules", ".git"]).map { $0.split(separator: "/") }
    return { path in
      let parts = path.split(separator: "/")
      return ignored.contains { !$0.isEmpty && parts.starts(with: $0) }
    }
  }

  /// The whole collection.
  func collection(
    _ object: OriginObject, name: String, files: OpenCollectionFiles?
  ) -> (collection: OriginCollection, name: String) {
    var root = OriginFolder(name: name, place: object.place)
    var version = object.text("opencollection")
    if version?.isEmpty == true { version = nil }
    object.ignore("bundled")
    if let info = object.object("info") {
      root.name = info.text("name") ?? name
      let summary = info.text("summary") ?? ""
      root.description = [summary, info.text("version").map { "Version \($0)" } ?? ""]
        .filter { !$0.isEmpty }.joined(separator: "\n")
      info.ignore("authors")
      info.finish()
    }
    let docs = text(object, "docs")
    if !docs.isEmpty {
      root.description += (root.description.isEmpty ? "" : "\n\n") + docs
    }
    if let extensions = object.object("extensions") {
      // What Bruno keeps there is about its own window and where its scripts may look.
      if let bruno = extensions.object("bruno") {
        bruno.ignore("ignore", "presets", "scripts", "exportedAt", "exportedUsing", "schemaVersion")
        bruno.finish()
      }
      extensions.finish()
    }
    var position = BrunoPosition()
    defaults(object, &root, &position, origin: root.name)
    position.headers = BrunoHeaders.names(root.headers)
    fill(&root, object, files, path: "", position)
    var collection = OriginCollection(format: .opencollection, version: version, root: root)
    collection.shared = root.variables
    collection.root.variables = []
    var environments = OpenCollectionEnvironments(reader: self)
    if let config = object.object("config") {
      environments.read(config)
      config.finish()
    }
    for file in files?.environments ?? [] { environments.read(file.object, fallback: file.path) }
    collection.environments = environments.resolved()
    object.finish(origin: root.name)
    return (collection, root.name)
  }

  // MARK: Folders

  /// Puts the items of an object and the files of a folder into a folder, in their order.
  private func fill(
    _ folder: inout OriginFolder, _ object: OriginObject?, _ files: OpenCollectionFiles?,
    path: String, _ position: BrunoPosition
  ) {
    var folders: [(order: Double, folder: OriginFolder)] = []
    var requests: [(order: Double, request: OriginRequest)] = []
    for (value, place) in object?.array("items") ?? [] {
      guard let item = OriginObject(value, at: place, notes: notes) else {
        notes.tell(
          .itemMalformed, "The item is no object and is left out.", at: place,
          origin: position.origin(""))
        continue
      }
      // Items of one file stand in the order in which they are written.
      if isFolder(item) {
        let found = self.folder(item, nil, name: "", path: path, position)
        folders.append((Double(folders.count), found.folder))
      } else if let found = request(item, id: nil, path: path, position) {
        requests.append((Double(requests.count), found.request))
      }
    }
    for file in files?.files ?? [] {
      if let found = request(file.object, id: file.path, path: path, position) {
        requests.append((found.order, found.request))
      }
    }
    for (name, inner) in (files?.folders ?? [:]).sorted(by: { $0.key < $1.key }) {
      let found = self.folder(
        inner.own?.object, inner, name: name, path: path + name + "/", position)
      folders.append((found.order, found.folder))
    }
    folder.folders = folders.sorted {
      ($0.order, $0.folder.name) < ($1.order, $1.folder.name)
    }.map(\.folder)
    folder.requests = requests.sorted {
      ($0.order, $0.request.name, $0.request.id) < ($1.order, $1.request.name, $1.request.id)
    }.map(\.request)
  }

  private func isFolder(_ item: OriginObject) -> Bool {
    item.peek("info")?["type"]?.string == "folder" || item.peek("items") != nil
  }

  private func folder(
    _ object: OriginObject?, _ files: OpenCollectionFiles?, name: String, path: String,
    _ position: BrunoPosition
  ) -> (folder: OriginFolder, order: Double) {
    var folder = OriginFolder(name: name, place: object?.place ?? OriginPlace(file: path))
    folder.id = files == nil ? nil : path
    var order = Double.infinity
    if let info = object?.object("info") {
      folder.name = info.text("name") ?? name
      folder.description = text(info, "description")
      order = info["seq"]?.double ?? order
      info.ignore("type")
      info.finish(origin: position.origin(folder.name))
    }
    var inside = position
    if let object {
      let docs = text(object, "docs")
      if !docs.isEmpty {
        folder.description += (folder.description.isEmpty ? "" : "\n\n") + docs
      }
      defaults(object, &folder, &inside, origin: position.origin(folder.name))
    }
    inside = inside.inside(folder)
    let names = files == nil ? path + folder.name + "/" : path
    fill(&folder, object, files, path: names, inside)
    object?.finish(origin: position.origin(folder.name))
    return (folder, order)
  }

  /// What a folder or the collection gives to all requests below.
  private func defaults(
    _ object: OriginObject, _ folder: inout OriginFolder, _ position: inout BrunoPosition,
    origin: String
  ) {
    guard let request = object.object("request") else { return }
    let values = OpenCollectionValues(shared: shared, origin: origin)
    folder.headers = values.pairs(request, "headers") + values.pairs(request, "metadata")
    folder.variables = values.variables(request, "variables")
    folder.scripts = values.scripts(request, "scripts")
    if let auth = request["auth"] {
      folder.auth = OpenCollectionAuth(shared: shared, origin: origin).read(
        auth, at: request.place.member("auth"))
      folder.authPlace = request.place.member("auth")
    }
    if let settings = request.object("settings") {
      for kind in ["http", "graphql"] {
        guard let inner = settings.object(kind) else { continue }
        position.settings[kind] = values.settings(inner).inheriting(position.settings[kind])
      }
      settings.finish(origin: origin)
    }
    request.finish(origin: origin)
  }

  // MARK: Requests

  private func request(
    _ item: OriginObject, id: String?, path: String, _ position: BrunoPosition
  ) -> (request: OriginRequest, order: Double)? {
    guard let reader = OpenCollectionRequestReader(item, shared, position, id: id) else {
      return nil
    }
    var found = reader.read()
    if id == nil { found.request.id = ids.unique(path + found.request.name) }
    return found
  }

  /// A text for people: a string, or an object that has one.
  func text(_ object: OriginObject, _ name: String) -> String {
    OpenCollectionValues.text(object, name)
  }
}

/// Makes the ids of items that have no file of their own.
private final class OpenCollectionIDs {
  private var counts: [String: Int] = [:]

  /// The path of names, with a number from the second on.
  func unique(_ path: String) -> String {
    counts[path, default: 0] += 1
    let count = counts[path] ?? 1
    return count == 1 ? path : "\(path) \(count)"
  }
}
