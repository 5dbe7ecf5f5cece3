// Postman's bodies.

import PostKitJSON

/// Reads the body of a request.
struct PostmanBody {
  let body: OriginObject
  let request: PostmanRequest
  private let mode: String

  private var reader: PostmanReader { request.reader }
  private var origin: String { request.origin }

  /// Reads that body of that request.
  init(body: OriginObject, request: PostmanRequest) {
    self.body = body
    self.request = request
    mode = body.text("mode") ?? ""
  }

  /// The type that Postman adds to a raw body.
  var systemType: String? {
    guard mode == "raw" else { return nil }
    switch body.peek("options")?["raw"]?["language"]?.string {
    case "json": return "application/json"
    case "xml": return "application/xml"
    case "html": return "text/html"
    case "javascript": return "application/javascript"
    default: return "text/plain"
    }
  }

  /// What is sent; what the other modes have kept is told.
  func read() -> OriginBody {
    let isOff = body.isSet("disabled")
    let result = read(mode)
    body.ignore("options")
    for name in ["raw", "urlencoded", "formdata", "file", "graphql"] where name != mode {
      guard let view = body.peek(name) else { continue }
      _ = body[name]
      guard !isEmpty(view) else { continue }
      request.notes.tell(
        .disabledItem, "The body has `\(name)`, too, which is not sent and is left out.",
        at: body.place.member(name), origin: origin)
    }
    body.finish(origin: origin)
    guard isOff, result != .none else { return result }
    request.notes.tell(
      .disabledItem, "The body is switched off and is left out.", at: body.place, origin: origin)
    return .none
  }

  private func isEmpty(_ view: JSONView) -> Bool {
    switch view.kind {
    case .array: view.count == 0
    case .object: view.members.allSatisfy { isEmpty($0.value) }
    default: view.anyText.isEmpty
    }
  }

  private func read(_ mode: String) -> OriginBody {
    let place = body.place.member(mode)
    switch mode {
    case "raw":
      let text = body.anyText("raw") ?? ""
      return text.isEmpty ? .none : .text(reader.text(text, at: place))
    case "urlencoded":
      let pairs = form()
      return activeOnly(pairs, pairs.contains(where: \.isOn), .form(pairs), at: place)
    case "formdata":
      let parts = body.array("formdata").flatMap { self.parts($0.value, at: $0.place) }
      return activeOnly(parts, parts.contains(where: \.isOn), .multipart(parts), at: place)
    case "file": return file()
    case "graphql": return graphQL()
    case "", "none": return .none
    default:
      reader.tellMalformed(
        "A body of the kind `\(mode)` is not known and is left out.",
        at: body.place.member("mode"), origin: origin)
      return .none
    }
  }

  /// A form in which nothing is switched on sends no body.
  private func activeOnly(
    _ pairs: [some Any], _ hasActive: Bool, _ result: OriginBody, at place: OriginPlace
  ) -> OriginBody {
    if hasActive { return result }
    if !pairs.isEmpty {
      request.notes.tell(
        .disabledItem, "All of the form is switched off, so there is no body.", at: place,
        origin: origin)
    }
    return .none
  }

  private func form() -> [OriginPair] {
    if let text = body.string("urlencoded") {
      return text.split(separator: "&").map { pair in
        let sign = pair.firstIndex(of: "=") ?? pair.endIndex
        let value = pair[sign...].dropFirst()
        return OriginPair(
          name: decoded(pair[..<sign]), value: sign == pair.endIndex ? nil : decoded(value))
      }
    }
    return body.array("urlencoded").compactMap { value, place in
      guard let object = OriginObject(value, at: place, notes: request.notes) else {
        tellNoObject(value, at: place)
        return nil
      }
      return request.pair(object, what: "form")
    }
  }

  /// A piece of a form that is encoded already.
  private func decoded(_ text: Substring) -> OriginText {
    let plain = String(text.map { $0 == "+" ? " " : $0 }).percentDecoded
    return reader.text(plain, at: body.place.member("urlencoded"))
  }

  private func tellNoObject(_ view: JSONView, at place: OriginPlace) {
    if view.isNull { return }
    reader.tellMalformed("A pair of the form is no object.", at: place, origin: origin)
  }

  /// The parts that an entry makes: a file each where it names several.
  private func parts(_ value: JSONView, at place: OriginPlace) -> [OriginPart] {
    guard let object = OriginObject(value, at: place, notes: request.notes) else {
      tellNoObject(value, at: place)
      return []
    }
    let name = object.text("key") ?? ""
    let isFile = object.text("type") == "file"
    var part = OriginPart(name: reader.text(name, at: place), content: .file(nil))
    part.isOn = object.bool("disabled").map { !$0 } ?? object.bool("enabled") ?? true
    part.contentType = object.text("contentType").flatMap { $0.isEmpty ? nil : $0 }
    part.fileName = object.text("fileName").flatMap { $0.isEmpty ? nil : $0 }
    reader.tellDescription(of: object, for: "the part `\(name)`")
    let contents: [OriginPart.Content]
    if isFile {
      contents = files(object, at: place)
      object.ignore("value")
    } else {
      let text = object.anyText("value") ?? ""
      contents = [.text(reader.text(text, at: place))]
      object.ignore("src")
      if name.isEmpty, text.isEmpty { return [] }
    }
    object.ignore("key", "type", "enabled", "uuid", "id", "fileNotInWorkingDirectoryWarning")
    object.finish(origin: origin)
    return contents.map { content in
      var part = part
      part.content = content
      return part
    }
  }

  /// The files that `src` names: one, several, or none that is known.
  private func files(_ object: OriginObject, at place: OriginPlace) -> [OriginPart.Content] {
    let paths = object.array("src").map { $0.value.string }
    if !paths.isEmpty { return paths.map { .file($0.map { reader.template($0, at: place) }) } }
    let path = object.string("src").flatMap { $0.isEmpty ? nil : $0 }
    return [.file(path.map { reader.template($0, at: place) })]
  }

  private func file() -> OriginBody {
    let place = body.place.member("file")
    if let path = body.string("file") { return .file(path.isEmpty ? nil : path) }
    guard let object = body.object("file") else { return .none }
    let content = object.string("content")
    let path = object.string("src").flatMap { $0.isEmpty ? nil : $0 }
    object.ignore("src", "fileNotInWorkingDirectoryWarning")
    object.finish(origin: origin)
    if path == nil, let content { return .text(reader.text(content, at: place)) }
    return .file(path.map { reader.template($0, at: place) })
  }

  private func graphQL() -> OriginBody {
    let place = body.place.member("graphql")
    var view = body["graphql"]
    // A text that is no JSON is the query itself.
    if let text = view?.string, let tree = try? JSONTree(parsing: Array(text.utf8)) {
      // The text may hold JSON; where it holds none it is the query itself.
      view = tree.root
    }
    if let query = view?.string {
      return .graphQL(
        query: reader.template(query, at: place), variables: nil, operationName: nil)
    }
    guard let view, let object = OriginObject(view, at: place, notes: request.notes) else {
      return .none
    }
    let query = object.text("query") ?? ""
    let variables = object["variables"].map { $0.string ?? ($0.isNull ? "" : $0.anyText) } ?? ""
    let operation = object.text("operationName") ?? ""
    object.finish(origin: origin)
    if query.isEmpty, variables.isEmpty { return .none }
    return .graphQL(
      query: reader.template(query, at: place),
      variables: variables.allSatisfy(\.isWhitespace)
        ? nil : reader.template(variables, at: place),
      operationName: operation.isEmpty ? nil : operation)
  }
}
