// Hoppscotch's requests and their bodies.

import PostKitJSON

extension HoppscotchReader {
  /// Reads a request, also one of a collection of GraphQL.
  func request(_ object: OriginObject, in parents: [String]) -> OriginRequest {
    let name = object.text("name") ?? ""
    let origin = (parents + [name]).joined(separator: " / ")
    let id =
      object.text("_ref_id") ?? object.text("id") ?? (parents + [name]).joined(separator: "/")
    var request = OriginRequest(id: uniqueID(id), name: name, place: object.place, url: "")
    request.description = object.text("description") ?? ""
    let address = object.text("endpoint") ?? object.text("url") ?? ""
    let url = OriginURL(template(address, at: object.place.member("endpoint")))
    request.url = OriginText(url.url)
    request.query = url.query + pairs(of: object, "params", origin: origin)
    if let fragment = url.fragment, fragment.count > 1 {
      notes.tell(
        .urlDiffersFromRaw, "The fragment `\(fragment)` is left out; it is never sent.",
        at: object.place.member("endpoint"), origin: origin)
    }
    let method = object.text("method") ?? ""
    request.method = method.isEmpty ? "GET" : method
    request.headers = pairs(of: object, "headers", origin: origin)
    request.auth = auth(of: object, origin: origin) ?? .inherited
    request.authPlace = object.place.member("auth")
    if let query = object.text("query") {
      request.method = "POST"
      let variables = object.text("variables") ?? ""
      request.body = .graphQL(
        query: template(query, at: object.place.member("query")),
        variables: variables.allSatisfy(\.isWhitespace)
          ? nil : template(variables, at: object.place.member("variables")),
        operationName: nil)
    } else {
      readBody(of: object, into: &request, origin: origin)
    }
    var seen: Set<String> = []
    // Of equal names the first counts, and an empty value lets the environment's be seen.
    request.variables = variables(of: object, "requestVariables").filter {
      $0.value?.text.isEmpty == false && (!$0.isOn || seen.insert($0.name).inserted)
    }
    request.scripts = scripts(of: object, origin: origin)
    request.examples = examples(of: object, origin: origin)
    object.ignore("v", "id", "_ref_id")
    object.finish(origin: origin)
    return request
  }

  private func readBody(
    of object: OriginObject, into request: inout OriginRequest, origin: String
  ) {
    guard let body = object.object("body") else { return }
    request.bodyPlace = body.place
    let place = body.place.member("body")
    let type = body.text("contentType") ?? ""
    var isTyped = false
    switch type {
    case "": _ = body["body"]
    case "multipart/form-data":
      let parts = body.array("body").flatMap { part($0.value, at: $0.place, origin: origin) }
      if parts.contains(where: \.isOn) { request.body = .multipart(parts) }
    case "application/x-www-form-urlencoded":
      let pairs = form(body.string("body") ?? "", at: place)
      if pairs.contains(where: \.isOn) { request.body = .form(pairs) }
    case "application/octet-stream":
      // The file itself is never part of an export.
      _ = body["body"]
      request.body = .file(nil)
      isTyped = true
    default:
      let content = body.anyText("body") ?? ""
      if !content.isEmpty {
        request.body = .text(text(content, at: place))
        isTyped = true
      }
    }
    body.ignore("showIndividualContentType", "isBulkEditing")
    body.finish(origin: origin)
    let hasType = request.headers.contains {
      $0.isOn && $0.name.text.lowercased() == "content-type"
    }
    if isTyped, !hasType {
      request.headers.append(OriginPair(name: "Content-Type", value: OriginText(type)))
    }
  }

  /// A part; of several files one each.
  private func part(_ view: JSONView, at place: OriginPlace, origin: String) -> [OriginPart] {
    guard let object = OriginObject(view, at: place, notes: notes) else {
      tellMalformed("A part is no object and is left out.", at: place, origin: origin)
      return []
    }
    let name = object.text("key") ?? ""
    var part = OriginPart(name: text(name, at: place), content: .file(nil))
    part.isOn = object.bool("active") ?? true
    part.contentType = object.text("contentType").flatMap { $0.isEmpty ? nil : $0 }
    var count = 1
    if object.isSet("isFile") {
      // Exports have an empty object in the place of each file.
      count = max(1, object.peek("value")?.count ?? 0)
      _ = object["value"]
    } else {
      let value = object.anyText("value") ?? ""
      part.content = .text(text(value, at: place))
      if name.isEmpty, value.isEmpty { count = 0 }
    }
    object.ignore("id", "isFile")
    object.finish(origin: origin)
    return Array(repeating: part, count: count)
  }

  /// A form, which Hoppscotch keeps as lines such as `name: value`, with `#` before what is off.
  private func form(_ text: String, at place: OriginPlace) -> [OriginPair] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      var line = line.trimmed
      let isOn = line.first != "#"
      if !isOn { line = line.dropFirst().trimmed }
      if line.isEmpty { return nil }
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return OriginPair(
        name: self.text(String(line[..<colon].trimmed), at: place),
        value: self.text(String(line[colon...].dropFirst().trimmed), at: place), isOn: isOn)
    }
  }

  /// The responses that are kept with a request, by their names.
  private func examples(of object: OriginObject, origin: String) -> [OriginExample] {
    guard context.options.takesExamples ?? true else {
      _ = object["responses"]
      return []
    }
    guard let responses = object.object("responses") else { return [] }
    let result: [OriginExample] = responses.names.compactMap { name in
      guard let response = responses.object(name) else { return nil }
      var example = OriginExample(
        name: response.text("name") ?? name, status: response.text("code").flatMap(Int.init) ?? 200,
        place: response.place)
      example.headers = pairs(of: response, "headers", origin: origin).filter {
        let name = $0.name.text.lowercased()
        return !["content-length", "transfer-encoding", "content-encoding"].contains(name)
      }
      example.body = Array((response.anyText("body") ?? "").utf8)
      response.ignore("status", "originalRequest")
      response.finish(origin: origin)
      return example
    }
    responses.finish(origin: origin)
    return result
  }
}
