// Postman's folders and requests.

import PostKitJSON

extension PostmanReader {
  /// Reads what a collection or a folder gives to what lies in it; answers what is handed down.
  func readGroup(
    _ object: OriginObject, into folder: inout OriginFolder, _ parents: PostmanParents
  ) -> PostmanParents {
    var inner = parents
    let origin = parents.names.joined(separator: " / ")
    if let auth = auth(of: object, origin: origin) {
      folder.auth = auth
      folder.authPlace = object.place.member("auth")
      inner.hasAuth = auth != .none
    }
    folder.scripts = scripts(of: object, origin: origin)
    inner.settings.read(object, notes: notes, origin: origin)
    return inner
  }

  /// Reads the folders and requests of a collection or folder.
  func readItems(
    of object: OriginObject, into folder: inout OriginFolder, _ parents: PostmanParents
  ) {
    if let view = object.peek("item"), view.kind != .array, !view.isNull {
      _ = object["item"]
      tellMalformed("`item` is no list, so nothing of it is read.", at: object.place.member("item"))
    }
    for (value, place) in object.array("item") {
      guard let item = OriginObject(value, at: place, notes: notes) else {
        tellMalformed(
          "An item is no object and is left out.", at: place, origin: parents.origin(""))
        continue
      }
      let name = item.text("name") ?? ""
      if item.peek("item") != nil {
        folder.folders.append(self.folder(item, name, parents))
      } else if let request = request(item, name, parents) {
        folder.requests.append(request)
      }
    }
  }

  private func folder(
    _ item: OriginObject, _ name: String, _ parents: PostmanParents
  ) -> OriginFolder {
    var folder = OriginFolder(name: name, place: item.place)
    folder.id = item.text("id") ?? item.text("_postman_id")
    folder.description = description(of: item, "description")
    folder.variables = variables(of: item, "variable")
    var inner = parents
    inner.enter(name)
    inner = readGroup(item, into: &folder, inner)
    readItems(of: item, into: &folder, inner)
    item.ignore("id", "_postman_id", "uid", "_postman_isSubFolder", "response")
    item.finish(origin: inner.names.joined(separator: " / "))
    return folder
  }

  private func request(
    _ item: OriginObject, _ name: String, _ parents: PostmanParents
  ) -> OriginRequest? {
    let origin = parents.origin(name)
    let id = uniqueID(item.text("id") ?? item.text("_postman_id") ?? parents.id(name))
    var request = OriginRequest(id: id, name: name, place: item.place, url: "")
    var reading = PostmanRequest(reader: self, origin: origin, parents: parents)
    if let text = item.peek("request")?.string {
      _ = item["request"]
      reading.readURL(text, into: &request, at: item.place.member("request"))
    } else if let object = item.object("request") {
      guard reading.read(object, into: &request) else { return nil }
    } else {
      let what =
        item.peek("request") == nil ? "has neither requests nor a request" : "is no request"
      tellMalformed(
        "`\(name)` \(what) and is left out.", at: item.place, origin: origin)
      return nil
    }
    let text = description(of: item, "description")
    if !text.isEmpty, text != request.description {
      request.description =
        text + (request.description.isEmpty ? "" : "\n\n" + request.description)
    }
    request.variables = variables(of: item, "variable")
    request.scripts = scripts(of: item, origin: origin)
    var settings = parents.settings
    settings.read(item, notes: notes, origin: origin)
    settings.apply(
      to: &request, systemType: reading.systemType, notes: notes, origin: origin)
    request.examples = examples(of: item, request, origin: origin)
    item.ignore("id", "_postman_id", "uid")
    item.finish(origin: origin)
    return request
  }
}
