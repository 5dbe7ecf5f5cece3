// Requests of OpenCollection.

import PostKitJSON

/// Reads one request.
struct OpenCollectionRequestReader {
  private let item: OriginObject
  private let shared: BrunoShared
  private let position: BrunoPosition
  private let kind: String
  private let details: OriginObject
  private let values: OpenCollectionValues
  private let name: String
  private let id: String?

  private var notes: ImportNotes { shared.notes }
  private var origin: String { position.origin(name) }

  /// Begins with an item; `nil` for one that is no request, which is told.
  init?(
    _ item: OriginObject, _ shared: BrunoShared, _ position: BrunoPosition, id: String?
  ) {
    let name = item.peek("info")?["name"]?.plainText ?? Self.stem(id ?? "")
    let kinds = ["http", "graphql", "grpc", "websocket"]
    guard let kind = kinds.first(where: { item.peek($0)?.kind == .object }),
      let details = item.object(kind)
    else {
      let isScript = item.peek("type")?.string == "script"
      shared.notes.tell(
        isScript ? .scriptUnknownAPI : .itemMalformed,
        isScript
          ? "A script that stands by itself is left out. Put it into the requests that need it."
          : "The item has no `http`, `graphql`, `grpc` or `websocket`, so it is no request and is "
            + "left out.",
        at: item.place, origin: position.origin(name))
      return nil
    }
    self.item = item
    self.shared = shared
    self.position = position
    self.kind = kind
    self.details = details
    self.name = name
    self.id = id
    values = OpenCollectionValues(shared: shared, origin: position.origin(name))
  }

  /// The request and the number that orders it.
  func read() -> (request: OriginRequest, order: Double) {
    var request = OriginRequest(id: id ?? name, name: name, place: item.place, url: "")
    var order = 1.0
    if let info = item.object("info") {
      order = info["seq"]?.double ?? order
      request.description = OpenCollectionValues.text(info, "description")
      request.tags = info.array("tags").compactMap(\.value.plainText)
      info.ignore("name", "type")
      info.finish(origin: origin)
    }
    let docs = OpenCollectionValues.text(item, "docs")
    if !docs.isEmpty {
      request.description += (request.description.isEmpty ? "" : "\n\n") + docs
    }
    var settings = BrunoSettings()
    if let own = item.object("settings") { settings = values.settings(own) }
    settings = settings.inheriting(position.settings[kind])
    request.metadata += settings.tags
    readTarget(&request, settings)
    if let runtime = item.object("runtime") { read(runtime, &request) }
    for example in values.objects(item, "examples") {
      if let found = self.example(example) { request.examples.append(found) }
    }
    item.finish(origin: origin)
    return (request, order)
  }

  private static func stem(_ path: String) -> String {
    let name = String(path.split(separator: "/").last ?? "")
    return name.split(separator: ".").first.map(String.init) ?? name
  }

  // MARK: What is sent

  private func readTarget(_ request: inout OriginRequest, _ settings: BrunoSettings) {
    var url = details.text("url") ?? ""
    request.headers = values.pairs(details, "headers") + values.pairs(details, "metadata")
    switch kind {
    case "grpc":
      request.kind = .grpc
      if let method = details.text("method"), !method.isEmpty {
        url = url.hasSuffix("/") || method.hasPrefix("/") ? url + method : "\(url)/\(method)"
      }
      details.ignore("methodType")
      if let path = details.text("protoFilePath"), !path.isEmpty {
        notes.tell(
          .protocolUnsupported,
          "The proto file is not linked with the request. Write `proto < \(path)` above the "
            + "request line.",
          at: details.place.member("protoFilePath"), origin: origin)
      }
    case "websocket": request.kind = .webSocket
    default:
      request.method = details.text("method") ?? (kind == "graphql" ? "POST" : "GET")
    }
    let parameters = values.parameters(details, "params")
    BrunoURL(
      notes: notes, templates: shared.templates, origin: origin,
      encodesAll: settings.encodesURL == true
    ).read(
      url, query: parameters.filter { $0.type != "path" }.map(\.1),
      path: parameters.filter { $0.type == "path" }.map(\.1),
      at: details.place.member("url"), into: &request)
    let body = OpenCollectionBody(values: values, shared: shared, origin: origin)
    if request.kind == .http {
      body.read(details, into: &request, inherited: position.headers, isGraphQL: kind == "graphql")
    } else {
      request.body = .messages(body.messages(details))
    }
    if let auth = details["auth"] {
      request.auth = OpenCollectionAuth(shared: shared, origin: origin).read(
        auth, at: details.place.member("auth"))
      request.authPlace = details.place.member("auth")
    } else {
      request.auth = .none
    }
    details.finish(origin: origin)
  }

  // MARK: What is done before and after

  private func read(_ runtime: OriginObject, _ request: inout OriginRequest) {
    request.variables = values.variables(runtime, "variables")
    var scripts = values.scripts(runtime, "scripts")
    // Variables of the response are set before any other script sees it.
    let first = scripts.firstIndex { $0.phase == .afterResponse } ?? scripts.count
    if let setting = setting(runtime) { scripts.insert(setting, at: first) }
    request.scripts += scripts
    shared.add(
      values.objects(runtime, "assertions").map { assertion in
        let title = OpenCollectionValues.text(assertion, "description")
        let result = BrunoAssertion(
          expression: assertion.text("expression") ?? "",
          comparison: assertion.text("operator") ?? "eq", value: assertion.anyText("value") ?? "",
          title: title.isEmpty ? nil : title)
        let isOn = values.isOn(assertion)
        assertion.finish(origin: origin)
        return (result, isOn, assertion.place)
      }, to: &request, origin: origin)
    runtime.finish(origin: origin)
  }

  /// The script that does what the actions say.
  private func setting(_ runtime: OriginObject) -> OriginScript? {
    var variables: [(name: String, expression: String)] = []
    var place = runtime.place
    for action in values.objects(runtime, "actions") {
      let selector = action.object("selector")
      let variable = action.object("variable")
      let expression = selector?.text("expression") ?? ""
      let name = variable?.text("name") ?? ""
      let phase = action.text("phase") ?? "after-response"
      let isOn = values.isOn(action)
      selector?.ignore("method")
      variable?.ignore("scope")
      let isKnown = action.text("type") == "set-variable" && !name.isEmpty && !expression.isEmpty
      action.ignore("description")
      selector?.finish(origin: origin)
      variable?.finish(origin: origin)
      action.finish(origin: origin)
      guard isKnown, isOn, phase == "after-response" else {
        notes.tell(
          isOn ? .scriptUnknownAPI : .disabledItem,
          isOn
            ? "Only variables that a response sets are supported. The action is left out."
            : "The action is switched off and left out.",
          at: action.place, origin: origin)
        continue
      }
      if variables.isEmpty { place = action.place }
      variables.append((name, expression))
    }
    return shared.setting(variables, at: place)
  }

  // MARK: Examples

  private func example(_ example: OriginObject) -> OriginExample? {
    let name = example.text("name") ?? ""
    example.ignore("description")
    if let sent = example.object("request") {
      let method = sent.text("method")
      // The request of the example is usually this one.
      sent.ignore("url", "headers", "params", "body")
      sent.finish(origin: origin)
      if let method, let own = details.peek("method")?.string,
        method.uppercased() != own.uppercased()
      {
        notes.tell(
          .itemMalformed,
          "The example was sent with another method. Its response is kept, its request is not.",
          at: sent.place, origin: origin, isWarning: false)
      }
    }
    defer { example.finish(origin: origin) }
    guard let response = example.object("response") else {
      notes.tell(
        .itemMalformed, "The example has no response and is left out.", at: example.place,
        origin: origin, isWarning: false)
      return nil
    }
    var result = OriginExample(
      name: name, status: response["status"]?.int ?? 200, place: example.place)
    response.ignore("statusText")
    result.headers = values.objects(response, "headers").map { header in
      let pair = OriginPair(
        name: OriginText(literal: header.text("name") ?? ""),
        value: OriginText(literal: header.anyText("value") ?? ""))
      header.finish(origin: origin)
      return pair
    }
    if let body = response.object("body") {
      result.body = Array((body.anyText("data") ?? "").utf8)
      body.ignore("type")
      body.finish(origin: origin)
    }
    response.finish(origin: origin)
    return result
  }
}
