// A request file of Bruno's as a request.

import PostKitEvaluate

/// Reads one request file.
struct BrunoRequestReader {
  let file: BrunoFile
  let shared: BrunoShared
  let position: BrunoPosition
  /// How people call the request.
  let name: String
  private let meta: BrunoFields?

  private var notes: ImportNotes { shared.notes }
  private var origin: String { position.origin(name) }

  /// The blocks that say the method.
  static let methods: Set<String> = [
    "get", "post", "put", "delete", "patch", "options", "head", "connect", "trace", "http",
  ]
  /// The blocks that this reader, the one of bodies and the one of auth know, but for methods.
  private static let known: Set<String> = [
    "meta", "grpc", "ws", "query", "params:query", "params:path", "headers", "metadata",
    "vars:pre-request", "vars:post-response", "assert", "script:pre-request",
    "script:post-response", "tests", "settings", "docs", "example",
  ]

  /// Begins with a file.
  init(
    _ file: BrunoFile, _ shared: BrunoShared, _ position: BrunoPosition
  ) throws(OriginFailure) {
    self.file = file
    self.shared = shared
    self.position = position
    meta = try file.fields("meta")
    name = meta?.filled("name") ?? file.stem
  }

  /// Whether a file holds a request.
  static func isRequest(_ text: BruText) -> Bool {
    text.blocks.contains { methods.contains($0.name) || ["grpc", "ws"].contains($0.name) }
  }

  /// The number that orders requests.
  static func order(_ file: BrunoFile) throws(OriginFailure) -> Double {
    try file.fields("meta")?["seq"].flatMap(Double.init) ?? 1
  }

  /// The request; what it has no place for is told.
  func read() throws(OriginFailure) -> OriginRequest {
    var request = OriginRequest(id: file.path, name: name, place: file.place(), url: "")
    meta?.ignore("type", "seq")
    meta?.finish(origin: origin)
    request.tags = try file.pairs("meta").last { $0.key == "tags" }?.list ?? []
    request.description = file.content("docs")?.text ?? ""
    let settings = try settings(&request)
    let headers = try file.pairs("headers") + file.pairs("metadata")
    file.checkAnnotations(headers, origin: origin)
    request.headers = headers.map(pair)
    try readTarget(&request, settings)
    for pair in try file.pairs("vars:pre-request") {
      request.variables.append(variable(pair))
    }
    try readScripts(&request)
    for block in file.text.blocks where block.name == "example" {
      let reader = BrunoExampleReader(file: file, origin: origin)
      if let example = try reader.read(block, of: request) { request.examples.append(example) }
    }
    tellUnknown(&request)
    return request
  }

  private func settings(_ request: inout OriginRequest) throws(OriginFailure) -> BrunoSettings? {
    guard let fields = try file.fields("settings") else { return nil }
    let settings = BrunoSettings(fields)
    request.metadata += settings.tags
    if fields.peek("keepAliveInterval") == "0" { fields.ignore("keepAliveInterval") }
    if fields.filled("keepAliveInterval") != nil {
      notes.tell(
        .settingUnsupported, "Messages that keep a connection alive can't be sent at an interval.",
        at: fields.place(of: "keepAliveInterval"), origin: origin)
    }
    fields.finish(origin: origin)
    return settings
  }

  // MARK: What is sent

  private func readTarget(
    _ request: inout OriginRequest, _ settings: BrunoSettings?
  ) throws(OriginFailure) {
    let names = file.text.blocks.map(\.name)
    guard let name = names.last(where: { Self.methods.contains($0) || $0 == "grpc" || $0 == "ws" }),
      let target = try file.fields(name)
    else { return }
    var url = target["url"] ?? ""
    switch name {
    case "grpc":
      request.kind = .grpc
      if let method = target.filled("method") {
        url = url.hasSuffix("/") || method.hasPrefix("/") ? url + method : "\(url)/\(method)"
      }
      target.ignore("methodType")
      if target.filled("protoPath") != nil {
        notes.tell(
          .protocolUnsupported,
          "The proto file is not linked with the request. Name it in a line `proto < PATH` above "
            + "the request line.",
          at: target.place(of: "protoPath"), origin: origin)
      }
    case "ws": request.kind = .webSocket
    case "http": request.method = target.filled("method") ?? "GET"
    default: request.method = name.uppercased()
    }
    let reader = BrunoURL(
      notes: notes, templates: shared.templates, origin: origin,
      encodesAll: settings?.encodesURL == true)
    let query = try file.pairs("params:query") + file.pairs("query")
    let path = try file.pairs("params:path")
    file.checkAnnotations(query + path, origin: origin)
    reader.read(
      url, query: query.map(listed), path: path.map(listed), at: target.place(of: "url"),
      into: &request)
    try BrunoBodyReader(file: file, shared: shared, origin: origin).read(
      target["body"] ?? "none", into: &request, inherited: position.headers)
    request.auth = try BrunoAuthReader(file: file, shared: shared, origin: origin).read(
      target["auth"] ?? "none", at: target.place(of: "auth"))
    request.authPlace = target.place(of: "auth")
    target.finish(origin: origin)
  }

  private func pair(_ pair: BruPair) -> OriginPair {
    let place = file.place(pair.line)
    return OriginPair(
      name: shared.templates.origin(pair.key, at: place, origin),
      value: shared.templates.origin(pair.value, at: place, origin), isOn: pair.isOn,
      description: pair.description)
  }

  private func listed(_ pair: BruPair) -> BrunoListedParameter {
    BrunoListedParameter(
      name: pair.key, value: pair.value, isOn: pair.isOn, description: pair.description,
      place: file.place(pair.line))
  }

  private func variable(_ pair: BruPair) -> OriginVariable {
    BrunoFolderReader.variable(pair, of: file, shared, origin: origin)
  }

  // MARK: Scripts

  private func readScripts(_ request: inout OriginRequest) throws(OriginFailure) {
    request.scripts += try BrunoFolderReader.scripts(of: file, shared, origin: origin)
    let assertions = try file.pairs("assert")
    file.checkAnnotations(assertions, origin: origin)
    shared.add(
      assertions.map { pair in
        let title = pair.description
        return (
          BrunoAssertion(
            expression: pair.key, written: pair.value, title: title.isEmpty ? nil : title),
          pair.isOn, file.place(pair.line)
        )
      }, to: &request, origin: origin)
  }

  // MARK: The rest

  /// Keeps each block that nothing reads as a comment, and tells it.
  private func tellUnknown(_ request: inout OriginRequest) {
    for block in file.text.blocks
    where !Self.known.contains(block.name) && !Self.methods.contains(block.name)
      && !BrunoBodyReader.knows(block.name) && !BrunoAuthReader.knows(block.name)
    {
      notes.tell(
        .memberUnknown,
        "PostKit does not know the block `\(block.name)`. Its text becomes a comment.",
        at: file.place(block.line), origin: origin)
      request.comments += BrunoShared.comments("\(block.name):", block.text)
    }
    for pair in file.text.pairs {
      notes.tell(
        .memberUnknown, "PostKit does not know what `\(pair.key)` means and leaves it out.",
        at: file.place(pair.line), origin: origin)
    }
  }
}
