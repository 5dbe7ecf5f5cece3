// Thunder Client's folders and requests: flat lists, in which `containerId` names the folder.

import PostKitJSON

/// Reads what Thunder Client exports. It is made for one import.
final class ThunderReader: OriginReader {
  // MARK: Texts

  private static let ours = ["guid": "$guid", "dateISO": "$datetime iso8601"]

  /// A text with Thunder Client's templates in our form (IO-17).
  func template(_ text: String, at place: OriginPlace) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    return TemplateText.rewriting(text) { name in
      if name.isEmpty || name.contains("{{") { return nil }
      let isSystem = name.first == "#"
      if isSystem, let ours = Self.ours[String(name.dropFirst())] { return "{{\(ours)}}" }
      if isSystem || name.contains("|") { tellTemplate("{{\(name)}}", at: place) }
      return template(name, isKnown: isSystem)
    }
  }

  /// A text of a request with its templates in our form.
  func text(_ text: String, at place: OriginPlace) -> OriginText {
    OriginText(template(text, at: place))
  }

  // MARK: Collections

  /// A folder or a request while it is not known where it belongs.
  private struct Placed<Value> {
    var value: Value
    /// The id of the folder; empty for the collection.
    var container: String
    var order: Double
  }

  /// Reads a collection.
  func collection(_ object: OriginObject) -> OriginFolder {
    let name = object.text("collectionName") ?? object.text("colName") ?? "Thunder Client"
    var root = OriginFolder(name: name, place: object.place, auth: .none)
    readSettings(of: object, into: &root, origin: "")
    var folders: [Placed<OriginFolder>] = []
    for (value, place) in object.array("folders") {
      guard let folder = OriginObject(value, at: place, notes: notes) else {
        tellMalformed("A folder is no object and is left out.", at: place)
        continue
      }
      folders.append(self.folder(folder))
    }
    let names = Dictionary(
      folders.map { ($0.value.id ?? "", $0.value.name) }, uniquingKeysWith: { $1 })
    var requests: [Placed<OriginRequest>] = []
    for (value, place) in object.array("requests") {
      guard let request = OriginObject(value, at: place, notes: notes) else {
        tellMalformed("A request is no object and is left out.", at: place)
        continue
      }
      requests.append(self.request(request, in: names))
    }
    object.ignore(
      "client", "dateExported", "dateExport", "ref", "collectionId", "colId", "_id", "sortNum")
    object.finish()
    build(&root, folders, requests)
    return root
  }

  private func folder(_ object: OriginObject) -> Placed<OriginFolder> {
    var folder = OriginFolder(name: object.text("name") ?? "", place: object.place)
    folder.id = object.text("_id")
    readSettings(of: object, into: &folder, origin: folder.name)
    let placed = Placed(
      value: folder, container: object.text("containerId") ?? "",
      order: object.text("sortNum").flatMap(Double.init) ?? 0)
    object.ignore("created", "modified", "colId")
    object.finish(origin: folder.name)
    return placed
  }

  /// What a collection or folder gives to its requests.
  private func readSettings(
    of object: OriginObject, into folder: inout OriginFolder, origin: String
  ) {
    folder.description = object.text("docs") ?? ""
    guard let settings = object.object("settings") else { return }
    folder.headers = pairs(of: settings, "headers", origin: origin)
    if let auth = auth(of: settings, origin: origin) {
      folder.auth = auth
      folder.authPlace = settings.place.member("auth")
    }
    if let tests = settings.peek("tests"), tests.count > 0 {
      _ = settings["tests"]
      notes.tell(
        .testUnsupported,
        "The tests of a folder are left out. Write them into the requests that need them.",
        at: settings.place.member("tests"), origin: origin)
    }
    settings.ignore("envId", "runFilters", "options")
    settings.finish(origin: origin)
  }

  /// Puts folders and requests where they belong; one whose folder is not there goes to the root.
  private func build(
    _ root: inout OriginFolder, _ folders: [Placed<OriginFolder>],
    _ requests: [Placed<OriginRequest>]
  ) {
    func order<Value>(_ placed: [Placed<Value>]) -> [Placed<Value>] {
      // `sorted` keeps equal ones in their order.
      placed.sorted { $0.order < $1.order }
    }
    let known = Set(folders.compactMap(\.value.id))
    let folderLists = Dictionary(grouping: order(folders)) {
      known.contains($0.container) ? $0.container : ""
    }
    let requestLists = Dictionary(grouping: order(requests)) {
      known.contains($0.container) ? $0.container : ""
    }
    var placed: Set<String> = []
    func fill(_ folder: inout OriginFolder, _ id: String, _ depth: Int) {
      folder.requests = (requestLists[id] ?? []).map(\.value)
      for child in folderLists[id] ?? [] {
        var child = child.value
        let id = child.id ?? ""
        // Folders that hold each other, or two of one id, are filled once.
        if !id.isEmpty, depth < 256, placed.insert(id).inserted { fill(&child, id, depth + 1) }
        folder.folders.append(child)
      }
    }
    fill(&root, "", 0)
    // What only circles of folders hold is not reached from the root.
    for id in known.subtracting(placed).sorted() where placed.insert(id).inserted {
      guard var folder = folders.first(where: { $0.value.id == id })?.value else { continue }
      tellMalformed("The folder lies in itself and goes to the collection.", at: folder.place)
      fill(&folder, id, 0)
      root.folders.append(folder)
    }
  }

  private func request(
    _ object: OriginObject, in folders: [String: String]
  ) -> Placed<OriginRequest> {
    let name = object.text("name") ?? ""
    let container = object.text("containerId") ?? ""
    let origin = [folders[container], name].compactMap { $0 }.joined(separator: " / ")
    let id = uniqueID(object.text("_id") ?? origin)
    var request = OriginRequest(id: id, name: name, place: object.place, url: "")
    readRequest(object, into: &request, origin: origin)
    let order = object.text("sortNum").flatMap(Double.init) ?? 0
    object.ignore("colId", "created", "modified", "containerId", "sortNum", "reqs")
    object.finish(origin: origin)
    return Placed(value: request, container: container, order: order)
  }

  // MARK: Lists

  /// The pairs of a list of headers, parameters or a form.
  func pairs(of owner: OriginObject, _ name: String, origin: String) -> [OriginPair] {
    owner.array(name).compactMap { value, place in
      guard let object = OriginObject(value, at: place, notes: notes) else {
        tellMalformed("A pair is no object and is left out.", at: place, origin: origin)
        return nil
      }
      let (name, value) = (object.text("name") ?? "", object.anyText("value") ?? "")
      let pair = OriginPair(
        name: text(name, at: place), value: text(value, at: place),
        isOn: !object.isSet("isDisabled"))
      object.ignore("isPath")
      object.finish(origin: origin)
      return name.isEmpty && value.isEmpty ? nil : pair
    }
  }

  /// Reads an environment.
  func environment(_ object: OriginObject) -> OriginEnvironment {
    let name = object.text("environmentName") ?? object.text("name") ?? "Thunder Client"
    var environment = OriginEnvironment(name: name, place: object.place)
    let list = object.array("variables") + object.array("data")
    environment.variables = list.compactMap { value, place in
      guard let variable = OriginObject(value, at: place, notes: notes),
        let name = variable.text("name"), !name.isEmpty
      else {
        tellMalformed("A variable has no name and is left out.", at: place)
        return nil
      }
      let text = template(variable.anyText("value") ?? "", at: place)
      let isSecret = variable.isSet("isSecret")
      let isOn = !variable.isSet("isDisabled")
      variable.finish()
      return OriginVariable(
        name: name, value: isSecret && text.isEmpty ? nil : .text(text), isSecret: isSecret,
        isOn: isOn, place: place)
    }
    object.ignore(
      "client", "dateExported", "dateExport", "version", "ref", "_id", "created", "modified",
      "sortNum", "default")
    object.finish()
    return environment
  }
}
