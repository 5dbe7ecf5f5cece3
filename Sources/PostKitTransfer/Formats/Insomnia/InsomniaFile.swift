// Files of version 5: one tree, in which folders hold what lies in them.

import PostKitJSON

extension InsomniaReader {
  /// Reads a collection, a description, an environment or a mock server of version 5.
  func file(_ object: OriginObject, name: String) -> OriginCollection {
    let type = object.text("type") ?? ""
    let item = item(object, index: 0)
    var root = OriginFolder(
      id: item.id, name: item.name.isEmpty ? name : item.name, place: object.place)
    root.description = item.description
    root.auth = .none
    fill(&root, from: object, "collection", InsomniaParents())
    let version = type.split(separator: "/").last.map(String.init)
    var result = OriginCollection(format: .insomnia, version: version, root: root)
    if let base = object.object("environments") {
      let others = children(of: base, "subEnvironments").sorted(by: InsomniaItem.precedes)
        .map(environment)
      add(environment(self.item(base, index: 0)), others, to: &result)
    }
    if let jar = object.object("cookieJar") { tellCookies(self.item(jar, index: 0)) }
    if let spec = object.object("spec") { addDescription(spec, to: &result) }
    for suite in children(of: object, "testSuites") {
      let tests = children(of: suite.object, "tests")
      addTests(of: suite, tests, to: &result)
    }
    addMocks(of: object, to: &result.root)
    if object.peek("certificates")?.count ?? 0 > 0 { tellCertificates(at: object.place) }
    object.ignore("schema_version", "certificates")
    object.finish()
    return result
  }

  /// The elements of a member as items in the order of the file.
  func children(of object: OriginObject, _ name: String) -> [InsomniaItem] {
    var result: [InsomniaItem] = []
    for (index, element) in object.array(name).enumerated() {
      guard let child = OriginObject(element.value, at: element.place, notes: notes) else {
        notes.tell(.itemMalformed, "An item is no object and is left out.", at: element.place)
        continue
      }
      result.append(item(child, index: index))
    }
    return result
  }

  /// What an object says of itself.
  func item(_ object: OriginObject, index: Int) -> InsomniaItem {
    var item = InsomniaItem(object: object, index: index)
    item.name = object.text("name") ?? ""
    guard let meta = object.object("meta") else { return item }
    item.id = meta.text("id")
    item.description = meta.text("description") ?? ""
    item.sortKey = meta["sortKey"]?.double ?? 0
    item.isPrivate = meta.isSet("isPrivate")
    meta.ignore("created", "modified", "parentId")
    meta.finish()
    return item
  }

  private func fill(
    _ folder: inout OriginFolder, from object: OriginObject, _ member: String,
    _ parents: InsomniaParents
  ) {
    let items = children(of: object, member).sorted(by: InsomniaItem.precedes)
    for item in items {
      guard let kind = Self.kind(item) else {
        // Its object is finished with the folder, so that its children are read before.
        var inner = parents
        inner.names.append(item.name)
        var contents = OriginFolder(name: item.name, place: item.object.place)
        fill(&contents, from: item.object, "children", inner)
        var (read, _) = self.folder(item, parents)
        read.folders = contents.folders
        read.requests = contents.requests
        folder.folders.append(read)
        continue
      }
      folder.requests.append(request(item, kind, parents))
      item.object.finish(origin: parents.origin(item.name))
    }
  }

  /// What kind of request an item is; `nil` for a folder. An empty folder has no `children`.
  private static func kind(_ item: InsomniaItem) -> InsomniaKind? {
    let object = item.object
    if object.peek("children") != nil { return nil }
    if object.peek("method") != nil { return .http }
    if object.peek("reflectionApi") != nil || object.peek("protoMethodName") != nil {
      return .grpc
    }
    guard object.peek("url") != nil else { return nil }
    let isSocketIO = item.id?.hasPrefix("socketio") == true || object.peek("eventListeners") != nil
    return isSocketIO ? .socketIO : .webSocket
  }
}
