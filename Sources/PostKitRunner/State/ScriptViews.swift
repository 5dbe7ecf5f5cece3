// The request and the response of a turn as scripts see them.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSyntax

extension RunState {
  /// A request before it is substituted.
  func scriptRequest(_ place: RequestPlace) -> ScriptRequest {
    let block = scope.files.block(place)
    let written = RequestTemplate(block)
    let known = scope.scripted.change?.applied(to: written) ?? written
    return scriptRequest(
      block, known: ScriptRequest.Raw(known), written: ScriptRequest.Raw(written),
      isTemplate: true, isWritable: true)
  }

  /// A request as it is to be sent, or was sent.
  func scriptRequest(
    _ place: RequestPlace, method: String, url: String, headers: HeaderFields, body: [UInt8]?,
    isWritable: Bool
  ) -> ScriptRequest {
    let block = scope.files.block(place)
    return scriptRequest(
      block,
      known: ScriptRequest.Raw(method: method, url: url, headers: headers.fields, body: body),
      written: ScriptRequest.Raw(RequestTemplate(block)), isTemplate: false,
      isWritable: isWritable)
  }

  private func scriptRequest(
    _ block: ParsedBlock, known: ScriptRequest.Raw, written: ScriptRequest.Raw, isTemplate: Bool,
    isWritable: Bool
  ) -> ScriptRequest {
    var request = ScriptRequest(
      name: block.name, known: known, written: written, tags: block.writtenTags,
      isTemplate: isTemplate, isWritable: isWritable, iteration: scripts.iteration,
      replayCount: scripts.replays)
    // In the order in which they stand in the request.
    if block.hasWildcards {
      request.templateValues = block.references.compactMap { reference in
        guard case .path(let name, let rest) = reference.expression else { return nil }
        return scope.iteration[name + rest]
      }
    }
    request.data = turnData
    request.token = scope.afterResponse[Scope.tokenSession]
    return request
  }

  /// What the turn of a loop gives: the loop's variable, and the members of its value.
  private var turnData: [JSONMember] {
    if scope.loop.isEmpty { return [] }
    var data = scope.loop
    for (name, value) in scope.loop {
      guard name != "$index", case .object(let members) = value else { continue }
      for member in members { data[member.key] = member.value }
    }
    return data.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) }
  }
}

extension ScriptRequest.Raw {
  /// A template as scripts see it.
  init(_ template: RequestTemplate) {
    self.init(
      method: template.method, url: template.url, headers: template.headers,
      body: template.body.isEmpty ? nil : template.body)
  }
}

extension RequestSpec {
  /// The bytes of the body that are at hand; `nil` where there is none.
  var bodyAtHand: [UInt8]? {
    if body.isEmpty { return nil }
    return body.flatMap { chunk -> [UInt8] in
      if case .bytes(let bytes) = chunk { bytes } else { [] }
    }
  }
}

extension ScriptResponse {
  /// The response of an exchange, with its body.
  init(
    _ exchange: ReferencedExchange, name: String?, timings: PostKitHTTP.Timings?, ip: String = ""
  ) {
    let response = exchange.response
    let type = response.headers.first("Content-Type").flatMap(MediaType.init)
    let times = timings.map { ScriptResponse.Timings($0) } ?? ScriptResponse.Timings()
    self.init(
      status: response.status, reason: response.reason, protocol: response.httpVersion,
      headers: response.headers.fields, body: exchange.responseBody,
      kind: ScriptResponse.kind(type, exchange.responseBody),
      mime: type?.essence ?? "application/octet-stream",
      charset: type?.parameter("charset") ?? "utf-8", timings: times, ip: ip,
      size: response.decodedSize, name: name)
    tokenNames = exchange.tokenNames
  }

  /// What a body is by its type, and by its bytes where that says nothing.
  private static func kind(_ type: MediaType?, _ body: [UInt8]) -> Kind {
    if let type, type.isNewlineDelimitedJSON || type.essence == "text/event-stream" {
      return .stream
    }
    if body.isEmpty { return .empty }
    let isText = String(validating: body, as: UTF8.self) != nil
    guard let type else { return isText ? .text : .binary }
    if type.isJSON { return .json }
    if type.essence == "text/html" || type.essence == "application/xhtml+xml" { return .html }
    if type.isXML { return .xml }
    if type.essence.hasPrefix("text/") { return .text }
    return isText ? .text : .binary
  }
}

extension ScriptResponse.Timings {
  /// Times since the start of a transfer as the lengths of its parts.
  init(_ timings: PostKitHTTP.Timings) {
    func milliseconds(_ value: Int64) -> Double { Double(max(0, value)) / 1_000 }
    let connected = max(timings.connect, timings.tls)
    self.init()
    dns = milliseconds(timings.nameLookup)
    tcp = milliseconds(timings.connect - timings.nameLookup)
    tls = timings.tls == 0 ? 0 : milliseconds(timings.tls - timings.connect)
    firstByte = milliseconds(timings.firstByte - connected)
    download = milliseconds(timings.total - timings.firstByte)
    total = milliseconds(timings.total)
  }
}

extension ParsedBlock {
  /// The values of the block's tags by the names that these have in the text.
  var writtenTags: [String: [String]] {
    var tags: [String: [String]] = [:]
    for tag in metadata where tag.region != .body {
      tags[text(tag.key), default: []].append(text(tag.value))
    }
    return tags
  }
}
