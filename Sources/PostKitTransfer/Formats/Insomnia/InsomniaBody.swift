// Bodies of Insomnia's requests.

import PostKitHTTP
import PostKitJSON

extension InsomniaReader {
  /// Reads the body of a request; with `isLiteral` its templates are text.
  func readBody(
    of object: OriginObject, into request: inout OriginRequest, _ use: InsomniaUse,
    isLiteral: Bool
  ) {
    guard let body = object.object("body") else {
      // Old exports have the text alone.
      if let text = object.text("body"), !text.isEmpty {
        request.body = .text(self.bodyText(text, at: object.place, use, isLiteral: isLiteral))
      }
      return
    }
    defer { body.finish(origin: use.origin) }
    request.bodyPlace = body.place
    let type = body.text("mimeType") ?? ""
    let essence = MediaType(type)?.essence ?? type
    let text = body.text("text") ?? ""
    let file = body.text("fileName") ?? ""
    let place = body.place.member("text")
    if essence == "multipart/form-data" {
      request.body = .multipart(parts(of: body, use, isLiteral: isLiteral))
    } else if body.peek("params")?.count ?? 0 > 0 {
      request.body = .form(pairs(body, "params", use, isLiteral: isLiteral))
    } else if essence == "application/graphql", !text.isEmpty {
      request.body = isLiteral ? .text(OriginText(literal: text)) : graphQL(text, at: place, use)
    } else if !text.isEmpty {
      request.body = .text(bodyText(text, at: place, use, isLiteral: isLiteral))
    } else if !file.isEmpty {
      request.body = .file(file)
    } else if essence == "application/octet-stream", body.peek("fileName") != nil {
      request.body = .file(nil)
    }
    if essence == "application/x-www-form-urlencoded" || essence == "multipart/form-data" {
      body.ignore("text", "fileName")
    }
  }

  private func bodyText(
    _ text: String, at place: OriginPlace, _ use: InsomniaUse, isLiteral: Bool
  ) -> OriginText {
    isLiteral ? OriginText(literal: text) : OriginText(template(text, at: place, use))
  }

  private func parts(
    of body: OriginObject, _ use: InsomniaUse, isLiteral: Bool
  ) -> [OriginPart] {
    var result: [OriginPart] = []
    for (view, place) in body.array("params") {
      guard let part = OriginObject(view, at: place, notes: notes) else {
        tellMalformed("A part of the form is no object and is left out.", at: place, use)
        continue
      }
      let name = text(part, "name", use, isLiteral: isLiteral)
      let isOn = !part.isSet("disabled")
      let content: OriginPart.Content
      if part.text("type") == "file" {
        let file = template(part, "fileName", use)
        content = .file(file.isEmpty ? nil : file)
        part.ignore("value")
      } else {
        content = .text(text(part, "value", use, isLiteral: isLiteral))
        part.ignore("fileName")
      }
      // Which editor shows the value, and what it says of it.
      part.ignore("id", "multiline", "description")
      part.finish(origin: use.origin)
      result.append(OriginPart(name: name, content: content, isOn: isOn))
    }
    return result
  }

  /// A query of GraphQL, which Insomnia keeps as the JSON that it sends.
  private func graphQL(
    _ text: String, at place: OriginPlace, _ use: InsomniaUse
  ) -> OriginBody {
    // What is no JSON is sent as the text that it is.
    guard let tree = try? JSONTree(parsing: Array(text.utf8)),
      let object = OriginObject(tree.root, at: place, notes: notes),
      let query = object.string("query")
    else { return .text(OriginText(template(text, at: place, use))) }
    var variables: String?
    if let view = object["variables"], !view.isNull {
      let value = templates(in: view.value, at: place, use)
      variables = value.string ?? value.text
      if variables?.allSatisfy(\.isWhitespace) == true || variables == "{}" { variables = nil }
    }
    let operation = object.text("operationName").flatMap { $0.isEmpty ? nil : $0 }
    object.finish(origin: use.origin)
    return .graphQL(
      query: template(query, at: place, use), variables: variables, operationName: operation)
  }
}
