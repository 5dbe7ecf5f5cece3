// Exports of version 4: a flat list of resources whose tree is in their `parentId`.

import PostKitJSON

/// The resources of an export by what they belong to.
struct InsomniaResources {
  /// Those of one parent in the order of the file; no parent is `""`.
  private var children: [String: [Int]] = [:]
  private(set) var all: [InsomniaResource] = []
  private var ids: Set<String> = []

  /// Takes a resource.
  mutating func add(_ resource: InsomniaResource) {
    children[resource.parent, default: []].append(all.count)
    if let id = resource.item.id { ids.insert(id) }
    all.append(resource)
  }

  /// Whether something has that id.
  func has(_ id: String) -> Bool { ids.contains(id) }

  /// What belongs to a resource and is of one of these types, in order.
  func children(of id: String?, _ types: String...) -> [InsomniaResource] {
    guard let id else { return [] }
    let found = (children[id] ?? []).map { all[$0] }.filter { types.contains($0.type) }
    return found.sorted { InsomniaItem.precedes($0.item, $1.item) }
  }

  /// The environments that inherit one, also those below others of them.
  func environments(below id: String?) -> [InsomniaResource] {
    var result: [InsomniaResource] = []
    var seen: Set<String> = []
    var open = children(of: id, "environment")[...]
    while let next = open.popFirst() {
      guard seen.insert(next.item.id ?? "").inserted, next.item.id != id else { continue }
      result.append(next)
      open += children(of: next.item.id, "environment")
    }
    return result
  }

  /// The resources of one of these types, in order.
  func all(_ types: String...) -> [InsomniaResource] {
    all.filter { types.contains($0.type) }
      .sorted { InsomniaItem.precedes($0.item, $1.item) }
  }
}

/// A resource of an export of version 4.
struct InsomniaResource {
  var item: InsomniaItem
  var type: String
  var parent: String
}

/// Puts the tree of an export of version 4 together.
struct InsomniaTree {
  let reader: InsomniaReader
  let resources: InsomniaResources
  /// The folders that have a place: parents that form a circle are found by it.
  private var placed: Set<String> = []

  /// Folders deeper than that are put at the root.
  private static let depthLimit = 100

  init(_ reader: InsomniaReader, _ resources: InsomniaResources) {
    self.reader = reader
    self.resources = resources
  }

  /// Fills a folder with what belongs to a workspace or a folder.
  mutating func fill(
    _ folder: inout OriginFolder, from id: String?, _ parents: InsomniaParents
  ) {
    for resource in resources.children(of: id, "request_group") {
      if let inner = self.folder(resource, parents) { folder.folders.append(inner) }
    }
    add(
      resources.children(
        of: id, "request", "websocket_request", "socketio_request", "grpc_request"),
      to: &folder, parents)
  }

  /// What belongs to nothing in the export stands at the root.
  mutating func fillOrphans(_ root: inout OriginFolder) {
    let groups = resources.all("request_group")
    for resource in groups where !resources.has(resource.parent) {
      if let inner = folder(resource, InsomniaParents()) { root.folders.append(inner) }
    }
    for resource in groups where !placed.contains(resource.item.id ?? "") {
      reader.notes.tell(
        .itemMalformed, "The folder lies in itself or too deep; it is put at the root.",
        at: resource.item.object.place, origin: resource.item.name)
      if let inner = folder(resource, InsomniaParents()) { root.folders.append(inner) }
    }
    let requests = resources.all("request", "websocket_request", "socketio_request", "grpc_request")
    add(requests.filter { !resources.has($0.parent) }, to: &root, InsomniaParents())
  }

  private mutating func folder(
    _ resource: InsomniaResource, _ parents: InsomniaParents
  ) -> OriginFolder? {
    guard parents.names.count < Self.depthLimit,
      placed.insert(resource.item.id ?? "").inserted || resource.item.id == nil
    else { return nil }
    let read = reader.folder(resource.item, parents)
    var folder = read.folder
    fill(&folder, from: resource.item.id, read.inner)
    return folder
  }

  private func add(
    _ found: [InsomniaResource], to folder: inout OriginFolder, _ parents: InsomniaParents
  ) {
    for resource in found {
      let kind: InsomniaKind =
        switch resource.type {
        case "websocket_request": .webSocket
        case "socketio_request": .socketIO
        case "grpc_request": .grpc
        default: .http
        }
      var request = reader.request(resource.item, kind, parents)
      resource.item.object.finish(origin: parents.origin(resource.item.name))
      for payload in resources.children(
        of: resource.item.id, "websocket_payload", "socketio_payload")
      {
        reader.addMessages(of: payload.item, to: &request)
      }
      folder.requests.append(request)
    }
  }
}

extension InsomniaReader {
  /// Reads an export of version 4.
  func list(_ object: OriginObject, name: String) throws(OriginFailure) -> OriginCollection {
    let format = object.text("__export_format") ?? ""
    if let number = Double(format), number < 4 {
      let advice =
        "\(name) is an export of format \(format), which PostKit does not read. Import it in "
        + "Insomnia and export it as version 4 or 5."
      notes.tell(.formatOld, advice, at: object.place)
      throw OriginFailure(advice)
    }
    object.ignore("_type", "__export_date", "__export_source")
    let resources = resources(of: object)
    object.finish()
    return collection(of: resources, version: format, name: name, at: object.place)
  }

  /// Puts the workspaces of a list together.
  func collection(
    of resources: InsomniaResources, version: String?, name: String, at place: OriginPlace
  ) -> OriginCollection {
    protoFiles = Set(resources.all("proto_file").compactMap(\.item.id))
    var result = OriginCollection(
      format: .insomnia, version: version,
      root: OriginFolder(name: name, place: place, auth: .none))
    var tree = InsomniaTree(self, resources)
    var workspaces = InsomniaWorkspaces(notes)
    for resource in resources.all("workspace") {
      // One of environments alone lies around the others.
      let isGlobal = resource.item.object.peek("scope")?.string == "environment"
      var part = OriginCollection(format: .insomnia, root: workspace(resource.item))
      tree.fill(&part.root, from: resource.item.id, InsomniaParents())
      addMocks(of: resource.item.id, resources, to: &part.root)
      addBeside(of: resource.item.id, resources, to: &part)
      workspaces.add(part, isGlobal: isGlobal)
    }
    workspaces.write(to: &result)
    tree.fillOrphans(&result.root)
    addRest(resources, to: &result)
    return result
  }

  private func resources(of object: OriginObject) -> InsomniaResources {
    var result = InsomniaResources()
    for (index, element) in object.array("resources").enumerated() {
      guard let resource = OriginObject(element.value, at: element.place, notes: notes) else {
        notes.tell(.itemMalformed, "A resource is no object and is left out.", at: element.place)
        continue
      }
      result.add(self.resource(resource, resource.text("_type") ?? "", index))
    }
    return result
  }

  /// A resource of a type, as the one with that number.
  func resource(_ object: OriginObject, _ type: String, _ index: Int) -> InsomniaResource {
    var item = InsomniaItem(object: object, id: object.text("_id"), index: index)
    item.name = object.text("name") ?? ""
    item.description = object.text("description") ?? ""
    item.sortKey = object["metaSortKey"]?.double ?? 0
    item.isPrivate = object.isSet("isPrivate")
    object.ignore("created", "modified", "type")
    return InsomniaResource(item: item, type: type, parent: object.text("parentId") ?? "")
  }

  private func workspace(_ item: InsomniaItem) -> OriginFolder {
    var folder = OriginFolder(id: item.id, name: item.name, place: item.object.place)
    folder.description = item.description
    item.object.ignore("scope", "gitSyncId", "parentId", "certificates")
    item.object.finish()
    return folder
  }

  /// Reads a folder without what lies in it.
  func folder(
    _ item: InsomniaItem, _ parents: InsomniaParents
  ) -> (folder: OriginFolder, inner: InsomniaParents) {
    let object = item.object
    var inner = parents
    inner.names.append(item.name)
    let use = InsomniaUse(inner.names.joined(separator: " / "))
    var folder = OriginFolder(id: item.id, name: item.name, place: object.place)
    folder.description = item.description
    folder.auth = auth(of: object, use)
    folder.authPlace = object.place.member("authentication")
    folder.headers = pairs(object, "headers", use)
    folder.scripts = scripts(of: object, use)
    if let data = object.peek("environment"), data.kind == .object {
      object.ignore("environment")
      folder.variables = variables(
        in: data, at: object.place.member("environment"), isSecret: false)
    }
    object.ignore("environmentPropertyOrder", "environmentType")
    let rows = object.peek("kvPairData")?.elements ?? []
    let secrets = rows.filter { $0["type"]?.string == "secret" }.compactMap { $0["name"]?.string }
    for index in folder.variables.indices where secrets.contains(folder.variables[index].name) {
      folder.variables[index].isSecret = true
    }
    object.ignore("kvPairData")
    object.finish(origin: use.origin)
    return (folder, inner)
  }
}
