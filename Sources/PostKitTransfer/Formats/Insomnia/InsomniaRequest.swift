// Requests of Insomnia, whichever version and kind they are of.

import PostKitJSON

/// What a request of Insomnia speaks.
enum InsomniaKind: Hashable {
  case http, webSocket, socketIO, grpc
}

extension InsomniaReader {
  /// Reads a request. Its object is finished by the one who calls.
  func request(
    _ item: InsomniaItem, _ kind: InsomniaKind, _ parents: InsomniaParents
  ) -> OriginRequest {
    let object = item.object
    let origin = parents.origin(item.name)
    let use = InsomniaUse(origin)
    let fallback = (parents.names + [item.name]).joined(separator: "/")
    var request = OriginRequest(
      id: uniqueID(item.id ?? fallback), name: item.name, place: object.place, url: "")
    request.description = item.description
    readURL(of: object, into: &request, use)
    request.headers = pairs(object, "headers", use)
    switch kind {
    case .http:
      request.method = object.text("method") ?? "GET"
      let isLiteral = readSettings(of: object, into: &request, use)
      readBody(of: object, into: &request, use, isLiteral: isLiteral)
    case .webSocket, .socketIO:
      request.kind = .webSocket
      _ = readSettings(of: object, into: &request, use)
      if kind == .socketIO { tellSocketIO(object, use) }
    case .grpc: readCall(of: object, into: &request, use)
    }
    request.auth = auth(of: object, use)
    request.authPlace = object.place.member("authentication")
    request.scripts = scripts(of: object, use)
    request.references = use.references
    request.comments += use.comments
    return request
  }

  /// The scripts of a request or a folder.
  func scripts(of object: OriginObject, _ use: InsomniaUse) -> [OriginScript] {
    var result: [OriginScript] = []
    func add(_ object: OriginObject, _ name: String, _ phase: OriginScriptPhase) {
      guard let source = object.text(name), !source.allSatisfy(\.isWhitespace) else { return }
      let text = TemplateText.rewriting(source) { inner in
        inner.hasPrefix("_.") ? "{{\(inner.dropFirst(2))}}" : nil
      }
      let script = OriginScript(
        phase: phase, text: text, place: object.place.member(name),
        translation: ScriptTranslation.statements(of: text, phase, .insomnia))
      if script.translation == nil {
        UnknownScriptAPI.tell(of: script, .insomnia, notes: notes, origin: use.origin ?? "")
      }
      result.append(script)
    }
    add(object, "preRequestScript", .beforeRequest)
    add(object, "afterResponseScript", .afterResponse)
    if let scripts = object.object("scripts") {
      add(scripts, "preRequest", .beforeRequest)
      add(scripts, "afterResponse", .afterResponse)
      scripts.finish()
    }
    return result
  }

  // MARK: - URL

  /// The URL with its query, then the parameters, as Insomnia joins them.
  private func readURL(
    of object: OriginObject, into request: inout OriginRequest, _ use: InsomniaUse
  ) {
    let parts = OriginURL(template(object, "url", use))
    if parts.fragment != nil {
      // A fragment is never sent.
      notes.tell(
        .urlDiffersFromRaw, "The fragment of the URL is left out; it is never sent.",
        at: object.place.member("url"), origin: use.origin)
    }
    var url = parts.url
    request.query = parts.query.filter { !$0.isEmpty } + pairs(object, "parameters", use)
    readPathParameters(of: object, url: &url, into: &request, use)
    request.url = OriginText(url)
  }

  /// `:name` of the path becomes a variable where there is a value for it.
  private func readPathParameters(
    of object: OriginObject, url: inout String, into request: inout OriginRequest,
    _ use: InsomniaUse
  ) {
    if object.peek("pathParameters")?.isNull == true { object.ignore("pathParameters") }
    for (view, place) in object.array("pathParameters") {
      guard let pair = OriginObject(view, at: place, notes: notes) else { continue }
      let name = pair.text("name") ?? ""
      let value = template(pair, "value", use)
      pair.ignore("id", "description", "disabled", "type", "multiline")
      pair.finish(origin: use.origin)
      if name.isEmpty { continue }
      var segments = url.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard segments.contains(":" + name) else { continue }
      guard !value.isEmpty else {
        notes.tell(
          .itemMalformed, "`:\(name)` has no value, so it stays in the path as it is.", at: place,
          origin: use.origin, isWarning: false)
        continue
      }
      for index in segments.indices where segments[index] == ":" + name {
        segments[index] = "{{\(name)}}"
      }
      url = segments.joined(separator: "/")
      request.pathVariables.append(
        OriginVariable(name: name, value: .text(value), place: place))
    }
  }

  // MARK: - Settings

  /// Reads what Insomnia does otherwise for this request; answers whether the templates of its body
  /// are text.
  private func readSettings(
    of object: OriginObject, into request: inout OriginRequest, _ use: InsomniaUse
  ) -> Bool {
    var settings = InsomniaSettings()
    settings.read(object)
    if settings.followsRedirects == "off" { request.metadata.append("no-redirect") }
    if settings.sendsCookies == false { request.metadata.append("no-cookie-jar") }
    if settings.encodesURL == false {
      request.metadata.append("no-auto-encoding")
    } else {
      // Insomnia encodes it, while a plus sign of ours is sent as it stands.
      request.query = request.query.map(\.encodingPlus)
    }
    if settings.storesCookies == false, settings.sendsCookies != false {
      tellSetting("Cookies of the response are kept, though Insomnia does not keep them.")
    }
    if settings.rebuildsPath == false {
      tellSetting("Dots in the path may be resolved, though Insomnia sends them as they are.")
    }
    return settings.isBodyLiteral

    func tellSetting(_ message: String) {
      notes.tell(.settingUnsupported, message, at: object.place, origin: use.origin)
    }
  }

  // MARK: - Other kinds

  private func tellSocketIO(_ object: OriginObject, _ use: InsomniaUse) {
    notes.tell(
      .protocolUnsupported,
      "Socket.IO has a protocol of its own on top of WebSocket, which PostKit does not speak; the "
        + "request is kept as a WebSocket.", at: object.place, origin: use.origin)
    object.ignore("eventListeners", "settingPath")
  }

  /// A call of gRPC: its method behind the address, its metadata as headers.
  private func readCall(
    of object: OriginObject, into request: inout OriginRequest, _ use: InsomniaUse
  ) {
    request.kind = .grpc
    request.headers += pairs(object, "metadata", use)
    var url = request.url.text
    let method = template(object, "protoMethodName", use)
    if !method.isEmpty {
      while url.hasSuffix("/") { url.removeLast() }
      url += method.hasPrefix("/") ? method : "/" + method
    }
    request.url = OriginText(url)
    if let body = object.object("body") {
      let text = template(body, "text", use)
      if !text.isEmpty { request.body = .text(OriginText(text)) }
      body.finish(origin: use.origin)
    }
    if let reflection = object.object("reflectionApi") {
      if reflection.isSet("enabled") {
        notes.tell(
          .settingUnsupported, "The schema registry of this call is left out.",
          at: reflection.place, origin: use.origin)
      }
      reflection.ignore("enabled", "url", "apiKey", "module")
      reflection.finish(origin: use.origin)
    }
    if let id = object.text("protoFileId"), !id.isEmpty, !hasProtoFile(id) {
      notes.tell(
        .fileMissing, "The `.proto` file of this call is not in the export; add it to `protos/`.",
        at: object.place.member("protoFileId"), origin: use.origin, isWarning: false)
    }
  }
}

/// The settings of a request: members of its own in version 4, an object in version 5.
private struct InsomniaSettings {
  var followsRedirects: String?
  var sendsCookies: Bool?
  var storesCookies: Bool?
  var encodesURL: Bool?
  var rebuildsPath: Bool?
  var isBodyLiteral = false

  mutating func read(_ object: OriginObject) {
    followsRedirects = object.text("settingFollowRedirects")
    sendsCookies = object.bool("settingSendCookies")
    storesCookies = object.bool("settingStoreCookies")
    encodesURL = object.bool("settingEncodeUrl")
    rebuildsPath = object.bool("settingRebuildPath")
    isBodyLiteral = object.bool("settingDisableRenderRequestBody") ?? false
    guard let settings = object.object("settings") else { return }
    followsRedirects = settings.text("followRedirects") ?? followsRedirects
    encodesURL = settings.bool("encodeUrl") ?? encodesURL
    rebuildsPath = settings.bool("rebuildPath") ?? rebuildsPath
    if let renders = settings.bool("renderRequestBody") { isBodyLiteral = !renders }
    if let cookies = settings.object("cookies") {
      sendsCookies = cookies.bool("send") ?? sendsCookies
      storesCookies = cookies.bool("store") ?? storesCookies
      cookies.finish()
    }
    settings.finish()
  }
}

extension OriginPair {
  /// The pair with its plus signs encoded but for those in templates.
  fileprivate var encodingPlus: OriginPair {
    func encoded(_ text: OriginText) -> OriginText {
      var text = text
      text.text = TemplateText.outside(text.text) { $0.replacing("+", with: "%2B") }
      return text
    }
    var pair = self
    pair.name = encoded(name)
    pair.value = value.map(encoded)
    return pair
  }
}
