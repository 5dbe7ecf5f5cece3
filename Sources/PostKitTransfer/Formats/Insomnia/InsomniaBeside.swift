// What Insomnia keeps beside requests: descriptions, tests, mock servers, cookies, certificates.

import PostKitHTTP
import PostKitJSON

extension InsomniaReader {
  /// The types of resources that are read.
  private static let types: Set<String> = [
    "workspace", "request_group", "request", "websocket_request", "socketio_request",
    "grpc_request", "environment", "cookie_jar", "api_spec", "unit_test_suite", "unit_test",
    "proto_file", "proto_directory", "mock_server", "mock_route", "websocket_payload",
    "socketio_payload",
  ]

  // MARK: - Version 4

  /// Adds what belongs to a workspace and is no request.
  func addBeside(
    of workspace: String?, _ resources: InsomniaResources, to result: inout OriginCollection
  ) {
    for base in resources.children(of: workspace, "environment") {
      let others = resources.environments(below: base.item.id).map { environment($0.item) }
      add(environment(base.item), others, to: &result)
    }
    for jar in resources.children(of: workspace, "cookie_jar") { tellCookies(jar.item) }
    for spec in resources.children(of: workspace, "api_spec") {
      addDescription(spec.item.object, to: &result)
    }
    for suite in resources.children(of: workspace, "unit_test_suite") {
      let tests = resources.children(of: suite.item.id, "unit_test").map(\.item)
      addTests(of: suite.item, tests, to: &result)
    }
    for file in resources.children(of: workspace, "proto_file") { addProto(file.item, to: &result) }
    for folder in resources.children(of: workspace, "proto_directory") {
      addProtos(of: folder, resources, to: &result)
    }
  }

  private func addProtos(
    of folder: InsomniaResource, _ resources: InsomniaResources,
    to result: inout OriginCollection
  ) {
    folder.item.object.finish()
    for file in resources.children(of: folder.item.id, "proto_file") {
      addProto(file.item, to: &result)
    }
  }

  private func addProto(_ item: InsomniaItem, to result: inout OriginCollection) {
    let text = item.object.text("protoText") ?? ""
    item.object.finish()
    let stem = item.name.hasSuffix(".proto") ? String(item.name.dropLast(6)) : item.name
    let name = fileNames.name(for: stem, extension: ".proto", fallback: "service")
    result.attachments.append(TransferFile(path: "protos/\(name)", bytes: Array(text.utf8)))
  }

  /// Adds the mock servers of a workspace as folders with examples.
  func addMocks(
    of workspace: String?, _ resources: InsomniaResources, to folder: inout OriginFolder
  ) {
    for server in resources.children(of: workspace, "mock_server") {
      var inner = OriginFolder(
        id: server.item.id, name: server.item.name, place: server.item.object.place)
      let url = mockURL(server.item.object)
      server.item.object.finish()
      for route in resources.children(of: server.item.id, "mock_route") {
        inner.requests.append(mock(route.item, url))
      }
      folder.folders.append(inner)
    }
  }

  /// Tells what no part of an import was made of: unknown types, and certificates.
  func addRest(_ resources: InsomniaResources, to result: inout OriginCollection) {
    var known = Self.types
    for resource in resources.all where !known.contains(resource.type) {
      let place = resource.item.object.place
      switch resource.type {
      case "client_certificate", "ca_certificate": tellCertificates(at: place)
      case "mcp_request":
        notes.tell(
          .protocolUnsupported, "Clients of MCP are left out; they are no requests.", at: place,
          origin: resource.item.name)
      case let type where type.hasSuffix("_meta"): break
      case let type:
        // Once for each type: a list of them may be long.
        known.insert(type)
        notes.tell(
          .memberUnknown, "PostKit does not know resources of type `\(type)`; they are left out.",
          at: place)
      }
    }
    // Global environments belong to no workspace of the file; those of workspaces win.
    for base in resources.all("environment") where !resources.has(base.parent) {
      let others = resources.environments(below: base.item.id).map { environment($0.item) }
      let root = OriginFolder(name: "", place: base.item.object.place)
      var part = OriginCollection(format: .insomnia, root: root)
      add(environment(base.item), others, to: &part)
      result.shared = part.shared + result.shared
      result.environments += part.environments
    }
    for resource in resources.all
    where Self.types.contains(resource.type) && !resource.item.object.isFinished {
      notes.tell(
        .itemMalformed, "What this belongs to is not in the export; it is left out.",
        at: resource.item.object.place, origin: resource.item.name)
    }
  }

  /// Adds a message that Insomnia keeps for a socket.
  func addMessages(of item: InsomniaItem, to request: inout OriginRequest) {
    let use = InsomniaUse(request.name)
    var texts: [OriginText] = []
    let text = template(item.object, "value", use)
    if !text.isEmpty { texts.append(OriginText(text)) }
    for (view, place) in item.object.array("args") {
      guard let argument = OriginObject(view, at: place, notes: notes) else { continue }
      texts.append(OriginText(template(argument, "value", use)))
      argument.ignore("id", "mode")
      argument.finish()
    }
    item.object.ignore("mode", "eventName", "ack")
    item.object.finish(origin: request.name)
    request.references += use.references.filter { !request.references.contains($0) }
    guard !texts.isEmpty else { return }
    if case .messages(let old) = request.body { texts = old + texts }
    request.body = .messages(texts)
  }

  // MARK: - Both versions

  /// Tells how many cookies are left out: an import sends none and keeps none.
  func tellCookies(_ item: InsomniaItem) {
    let count = item.object.peek("cookies")?.count ?? 0
    item.object.ignore("cookies")
    item.object.finish()
    guard count > 0 else { return }
    let words = count == 1 ? "1 cookie is" : "\(count) cookies are"
    notes.tell(.cookieOmitted, "\(words) left out; sign in again.", at: item.object.place)
  }

  /// Tells that certificates are left out.
  func tellCertificates(at place: OriginPlace) {
    notes.tell(
      .settingUnsupported,
      "Certificates are left out; name them in `SSLConfiguration` of `http-client.env.json`.",
      at: place)
  }

  /// Adds the description of an API as a file.
  func addDescription(_ object: OriginObject, to result: inout OriginCollection) {
    var bytes: [UInt8] = []
    if let view = object.peek("contents"), view.kind == .object {
      object.ignore("contents")
      bytes = OriginYAML.bytes(view.value)
    } else if let text = object.text("contents") {
      bytes = Array(text.utf8)
    } else if let path = object.text("file"), !path.isEmpty {
      bytes = file(path, at: object.place.member("file"))
    }
    object.ignore(
      "fileName", "contentType", "meta", "name", "rulesetPath", "rulesetContent", "contents")
    object.finish()
    guard bytes.contains(where: { $0 > 0x20 }) else { return }
    let name = fileNames.name(for: "openapi", extension: ".yaml", fallback: "openapi")
    result.attachments.append(TransferFile(path: name, bytes: bytes))
  }

  private func file(_ path: String, at place: OriginPlace) -> [UInt8] {
    switch context.file(path) {
    case .bytes(let bytes): return bytes
    case .missing: notes.tell(.fileMissing, "`\(path)` is not there.", at: place)
    case .outside:
      notes.tell(.fileOutside, "`\(path)` lies outside of the folder of the export.", at: place)
    case .unreadable(let why):
      notes.tell(.fileMissing, "`\(path)` can't be read: \(why)", at: place)
    }
    return []
  }

  /// Keeps the tests of a suite as a file of JavaScript.
  func addTests(
    of suite: InsomniaItem, _ tests: [InsomniaItem], to result: inout OriginCollection
  ) {
    var text = ""
    for test in tests {
      let code = test.object.text("code") ?? ""
      test.object.ignore("requestId")
      test.object.finish(origin: suite.name)
      let title = test.name.split(whereSeparator: \.isNewline).joined(separator: " ")
      text += (text.isEmpty ? "" : "\n") + "// \(title)\n\(code)\n"
    }
    suite.object.finish()
    guard !tests.isEmpty else { return }
    let name = fileNames.name(for: suite.name, extension: ".js", fallback: "tests")
    result.attachments.append(TransferFile(path: "tests/\(name)", bytes: Array(text.utf8)))
    notes.tell(
      .testUnsupported,
      "The tests of `\(suite.name)` don't run here; their code is kept in `tests/\(name)`.",
      at: suite.object.place, origin: suite.name)
  }

  // MARK: - Mock servers

  /// Adds the routes of a mock server of version 5.
  func addMocks(of object: OriginObject, to folder: inout OriginFolder) {
    guard object.peek("routes") != nil || object.peek("server") != nil else { return }
    var url = ""
    if let server = object.object("server") {
      url = mockURL(server)
      server.ignore("meta")
      server.finish()
    }
    for route in children(of: object, "routes").sorted(by: InsomniaItem.precedes) {
      folder.requests.append(mock(route, url))
    }
  }

  private func mockURL(_ server: OriginObject) -> String {
    var url = template(server, "url", InsomniaUse(nil))
    server.ignore("useInsomniaCloud")
    while url.hasSuffix("/") { url.removeLast() }
    guard url.isEmpty else { return url }
    notes.tell(
      .serverMissing, "The mock server has no address; its requests go to `http://localhost`.",
      at: server.place)
    return "http://localhost"
  }

  /// A route of a mock server: a request with the answer as its example.
  private func mock(_ item: InsomniaItem, _ url: String) -> OriginRequest {
    let object = item.object
    let use = InsomniaUse(item.name)
    let method = object.text("method") ?? ""
    let path = item.name.hasPrefix("/") ? item.name : "/" + item.name
    var request = OriginRequest(
      id: uniqueID(item.id ?? "\(method) \(path)"), name: item.name, place: object.place,
      url: OriginText(url + path))
    request.description = item.description
    request.method = method.isEmpty ? "GET" : method
    var example = OriginExample(
      name: object.text("statusText") ?? "", status: object["statusCode"]?.int ?? 200,
      place: object.place)
    example.headers = pairs(object, "headers", use, isLiteral: true)
    let type = object.text("mimeType") ?? ""
    let hasType = example.headers.contains { $0.name.text.lowercased() == "content-type" }
    if !type.isEmpty, !hasType {
      example.headers.append(
        OriginPair(name: "Content-Type", value: OriginText(literal: type)))
    }
    example.body = Array((object.text("body") ?? "").utf8)
    request.examples = [example]
    object.ignore("mockServerId", "parentId")
    object.finish(origin: item.name)
    return request
  }
}
