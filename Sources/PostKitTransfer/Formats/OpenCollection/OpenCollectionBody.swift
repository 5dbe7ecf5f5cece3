// Bodies and messages of OpenCollection, in the form of the schema and in an older one.

import PostKitEvaluate
import PostKitJSON

/// Reads bodies.
struct OpenCollectionBody {
  let values: OpenCollectionValues
  let shared: BrunoShared
  let origin: String

  private var notes: ImportNotes { shared.notes }
  private var maker: BrunoBody { BrunoBody(templates: shared.templates, origin: origin) }

  /// Puts the body of a request into it.
  func read(
    _ details: OriginObject, into request: inout OriginRequest, inherited: Set<String>,
    isGraphQL: Bool
  ) {
    guard let body = chosen(details, "body", inner: "body") else { return }
    if isGraphQL {
      request.body = graphQL(body)
      body.finish(origin: origin)
      return
    }
    let isOld = body.peek("type") == nil && body.peek("mode") != nil
    let word = (isOld ? body.text("mode") : body.text("type")) ?? "none"
    defer { body.finish(origin: origin) }
    guard let kind = BrunoBodyKind(word: word) else {
      if word != "none" {
        notes.tell(
          .memberUnknown, "PostKit does not know the body `\(word)`, so none is sent.",
          at: body.place, origin: origin, isWarning: true)
      }
      return
    }
    // The older form has the body in a member that is called as its kind.
    let member = isOld ? word : "data"
    switch kind {
    case .json, .text, .xml, .sparql:
      request.body = .text(
        maker.text(
          body.anyText(member) ?? "", isJSON: kind == .json, at: body.place.member(member)))
    case .form: request.body = .form(values.pairs(body, member))
    case .multipart: request.body = .multipart(parts(body, member))
    case .file:
      let file = file(body, member)
      request.body = .file(file?.path)
      BrunoHeaders.addContentType(file?.type, to: &request, inherited: inherited)
    case .graphql: request.body = (body.object(member)).map(graphQL) ?? .none
    }
    BrunoHeaders.addContentType(kind.contentType, to: &request, inherited: inherited)
    if isOld { tellOthers(body) }
  }

  /// The one body, or the chosen one of several.
  private func chosen(_ object: OriginObject, _ name: String, inner: String) -> OriginObject? {
    if let body = object.object(name) { return body }
    let variants = values.objects(object, name)
    let chosen = variants.first { $0.peek("selected")?.bool == true } ?? variants.first
    for variant in variants {
      variant.ignore("title", "selected")
      guard variant !== chosen else { continue }
      notes.tell(
        .disabledItem, "A body that is not the chosen one is left out.", at: variant.place,
        origin: origin)
    }
    return chosen?.object(inner)
  }

  /// Tells bodies of the older form that are kept beside the one that is sent.
  private func tellOthers(_ body: OriginObject) {
    for name in body.names where name != "mode" && BrunoBodyKind(word: name) != nil {
      guard body.peek("mode")?.string != name, body.peek(name)?.isNull == false else { continue }
      body.ignore(name)
      notes.tell(
        .disabledItem, "`\(name)` is left out: the request says that it sends another body.",
        at: body.place.member(name), origin: origin)
    }
  }

  private func graphQL(_ body: OriginObject) -> OriginBody {
    let query = text(body.text("query") ?? "", at: body.place.member("query")).text
    let variables = maker.text(
      body.anyText("variables") ?? "", isJSON: true, at: body.place.member("variables")
    ).text
    return .graphQL(
      query: query, variables: variables.trimmingBlanks.isEmpty ? nil : variables,
      operationName: nil)
  }

  private func text(_ text: String, at place: OriginPlace) -> OriginText {
    shared.templates.origin(text, at: place, origin)
  }

  private func parts(_ body: OriginObject, _ member: String) -> [OriginPart] {
    return values.objects(body, member).flatMap { part -> [OriginPart] in
      defer { part.finish(origin: origin) }
      part.ignore("description")
      let isFile = part.text("type") == "file"
      let paths = part.array("value").compactMap(\.value.string)
      var contents: [OriginPart.Content] = paths.map { .file($0) }
      if contents.isEmpty {
        let value = part.anyText("value") ?? ""
        contents = [
          isFile ? .file(value.isEmpty || value == "[]" ? nil : value)
            : .text(text(value, at: part.place.member("value")))
        ]
      }
      let isOn = values.isOn(part)
      return contents.map {
        maker.part(
          part.text("name") ?? "", $0, type: part.text("contentType"), isOn: isOn, at: part.place)
      }
    }
  }

  /// The file that is sent: the selected one, else the first.
  private func file(_ body: OriginObject, _ member: String) -> (path: String?, type: String?)? {
    let files = values.objects(body, member)
    let chosen = files.first { $0.peek("selected")?.bool != false }
    var result: (path: String?, type: String?)?
    for file in files {
      let path = file.text("filePath") ?? ""
      let type = file.text("contentType")
      file.ignore("selected", "description")
      file.finish(origin: origin)
      guard file === chosen else {
        notes.tell(
          .disabledItem, "A file that is not sent is left out.", at: file.place, origin: origin)
        continue
      }
      result = (path.isEmpty ? nil : path, type)
    }
    return result
  }

  // MARK: Messages

  /// The messages of a WebSocket or of gRPC; of several variants the chosen one.
  func messages(_ details: OriginObject) -> [OriginText] {
    let place = details.place.member("message")
    if let text = details.text("message") {
      return text.isEmpty ? [] : [self.text(text, at: place)]
    }
    if let message = details.object("message") {
      let data = message.anyText("data") ?? ""
      message.ignore("type")
      message.finish(origin: origin)
      return [text(data, at: place)]
    }
    return values.objects(details, "message").map { variant in
      defer { variant.finish(origin: origin) }
      variant.ignore("title", "selected", "description")
      if let inner = variant.object("message") {
        let data = inner.anyText("data") ?? ""
        inner.ignore("type")
        inner.finish(origin: origin)
        return text(data, at: variant.place)
      }
      return text(variant.anyText("message") ?? "", at: variant.place)
    }
  }
}
