// Entries of a capture as requests.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON

/// Gathers the requests of a capture.
struct HARReader {
  /// A request as it was sent, with what its entry says of it.
  private struct Entry {
    var sent: CapturedRequest
    var url: SentURL
    var place: OriginPlace
    /// When it was sent, in milliseconds since 1970.
    var time: Int64
    var comment: String
    var kind = OriginProtocol.http
    var examples: [OriginExample] = []
  }

  let context: OriginContext
  private var entries: [Entry] = []
  private var leftOut = 0
  private var comment = ""

  /// Makes a reader with nothing read.
  init(context: OriginContext) { self.context = context }

  // MARK: - Reading

  /// Reads all entries of `log`.
  mutating func readLog(_ log: OriginObject) {
    comment = log.string("comment") ?? ""
    let list = log.array("entries")
    for (view, place) in list {
      guard let entry = OriginObject(view, at: place, notes: context.notes) else {
        context.notes.tell(.itemMalformed, "This entry is no object.", at: place)
        continue
      }
      read(entry)
    }
    Self.ignoreOwnMembers(of: log)
    log.finish()
    entries = entries.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    if leftOut > 0 {
      context.notes.tell(
        .disabledItem,
        "\(leftOut) entries are left out, because pages are made of them and nothing is called: "
          + "images, scripts and the like. `--types all` takes them.",
        at: log.place.member("entries"))
    }
  }

  /// Reads a request that stands alone.
  mutating func readRequest(_ view: JSONView, at place: OriginPlace) {
    guard let request = OriginObject(view, at: place, notes: context.notes) else { return }
    guard let (sent, url) = sent(of: request) else { return }
    entries.append(
      Entry(
        sent: sent, url: url, place: place, time: 0, comment: request.string("comment") ?? ""))
    Self.ignoreOwnMembers(of: request)
    request.finish()
  }

  private mutating func read(_ entry: OriginObject) {
    let type = entry.string("_resourceType")
    let response = entry["response"]
    let contentType = response?["content"]?["mimeType"]?.string ?? ""
    guard let request = entry.object("request") else {
      context.notes.tell(.itemMalformed, "This entry has no request.", at: entry.place)
      return
    }
    let address = request.peek("url")?.string ?? ""
    let isInternal = ["data:", "blob:", "chrome-extension:", "about:", "moz-extension:"]
      .contains { address.hasPrefix($0) }
    guard !isInternal,
      HARKind(resourceType: type, contentType: contentType).isTaken(by: context.options.types)
    else {
      leftOut += 1
      return
    }
    guard let (sent, url) = sent(of: request) else { return }
    var read = Entry(
      sent: sent, url: url, place: request.place,
      time: entry.string("startedDateTime").flatMap(HARTime.milliseconds)
        ?? entries.last?.time ?? 0,
      comment: request.string("comment") ?? entry.string("comment") ?? "")
    if url.origin.hasPrefix("ws") {
      read.kind = .webSocket
      read.sent.method = "WEBSOCKET"
      read.sent.body = Self.messages(entry["_webSocketMessages"])
    }
    if context.options.takesExamples == true, let response {
      read.examples = Self.example(of: response, at: entry.place.member("response"))
    }
    entries.append(read)
    entry.ignore(
      "startedDateTime", "time", "cache", "timings", "pageref", "serverIPAddress", "connection",
      "comment")
    for object in [request, entry] {
      Self.ignoreOwnMembers(of: object)
      object.finish()
    }
  }

  /// Members that begin with an underscore are the program's own; those with an effect are read.
  private static func ignoreOwnMembers(of object: OriginObject) {
    for name in object.names where name.hasPrefix("_") { object.ignore(name) }
  }

  /// A request, and its URL taken apart; `nil` where it has none.
  private func sent(of request: OriginObject) -> (CapturedRequest, SentURL)? {
    let address = request.string("url") ?? ""
    guard var url = SentURL(address) else {
      context.notes.tell(
        .itemMalformed,
        address.isEmpty ? "This entry has no URL." : "The URL of this entry has no host.",
        at: request.place)
      return nil
    }
    var sent = CapturedRequest(method: request.string("method") ?? "GET", url: address)
    readQuery(of: request, into: &url)
    sent.headers = fields(request.array("headers"), "header")
      .filter { !Self.isOfTransport($0.name.lowercased()) }
    addCookies(fields(request.array("cookies"), "cookie"), to: &sent)
    if let data = request.object("postData") {
      sent.body = HARBody(notes: context.notes).read(data, headers: &sent.headers)
    }
    request.ignore("httpVersion", "headersSize", "bodySize", "comment")
    return (sent, url)
  }

  /// The URL is the truth; the list counts where the URL has no query.
  private func readQuery(of request: OriginObject, into url: inout SentURL) {
    let pairs = fields(request.array("queryString"), "parameter").map {
      SentURL.pair(name: $0.name, value: $0.value)
    }
    if url.query.isEmpty {
      url.query = pairs
    } else if !pairs.allSatisfy({ pair in url.query.contains { Self.isSame(pair, $0) } }) {
      context.notes.tell(
        .urlDiffersFromRaw, "`queryString` has pairs that the URL does not have; the URL counts.",
        at: request.place.member("queryString"))
    }
  }

  /// Whether two pairs mean the same, however they are encoded.
  private static func isSame(_ left: OriginPair, _ right: OriginPair) -> Bool {
    func meaning(_ text: OriginText?) -> String { PercentEncoding.decodeForm(text?.text ?? "") }
    return meaning(left.name) == meaning(right.name) && meaning(left.value) == meaning(right.value)
  }

  /// The names and values of a list; `what` is what the list has.
  private func fields(
    _ list: [(value: JSONView, place: OriginPlace)], _ what: String
  ) -> [HeaderField] {
    list.compactMap { value, place in
      guard let field = OriginObject(value, at: place, notes: context.notes),
        let name = field.string("name"), !name.isEmpty
      else {
        context.notes.tell(.itemMalformed, "This \(what) has no name.", at: place)
        return nil
      }
      let text = field.string("value") ?? ""
      // What a cookie is kept by says nothing of what is sent.
      field.ignore(
        "comment", "path", "domain", "expires", "httpOnly", "secure", "sameSite", "partitionKey")
      Self.ignoreOwnMembers(of: field)
      field.finish()
      return HeaderField(name, text)
    }
  }

  /// Fields that whoever sends makes anew.
  private static func isOfTransport(_ name: String) -> Bool {
    if name.hasPrefix(":") || name.hasPrefix("sec-") { return true }
    return [
      "host", "content-length", "connection", "accept-encoding", "upgrade-insecure-requests",
      "priority", "upgrade",
    ].contains(name)
  }

  /// Cookies count where there is no field of them.
  private func addCookies(_ cookies: [HeaderField], to sent: inout CapturedRequest) {
    let hasField = sent.headers.contains { $0.name.equalsIgnoringASCIICase("Cookie") }
    guard !hasField, !cookies.isEmpty else { return }
    let pairs = cookies.map { "\($0.name)=\($0.value)" }
    sent.headers.append(HeaderField("Cookie", pairs.joined(separator: "; ")))
  }

  /// What was sent over a WebSocket; binary messages are left out.
  private static func messages(_ list: JSONView?) -> OriginBody {
    let texts = (list?.elements ?? []).compactMap { message -> OriginText? in
      guard message["type"]?.string == "send", message["opcode"]?.int == 1 else { return nil }
      return message["data"]?.string.map { OriginText(literal: $0) }
    }
    return texts.isEmpty ? .none : .messages(texts)
  }

  private static func example(of response: JSONView, at place: OriginPlace) -> [OriginExample] {
    guard let status = response["status"]?.int, (100...999).contains(status) else { return [] }
    let content = response["content"]
    let text = content?["text"]?.string ?? ""
    let isEncoded = content?["encoding"]?.string == "base64"
    let headers = (response["headers"]?.elements ?? []).compactMap { field -> OriginPair? in
      guard let name = field["name"]?.string, !name.hasPrefix(":") else { return nil }
      // Copies of credentials belong into no file that others read.
      guard !OriginCredentials.isSecretField(name) else { return nil }
      return OriginPair(
        name: OriginText(literal: name),
        value: OriginText(literal: field["value"]?.string ?? ""))
    }
    return [
      OriginExample(
        name: response["statusText"]?.string ?? "", status: status, headers: headers,
        body: isEncoded ? Base64.decode(text) ?? Array(text.utf8) : Array(text.utf8), place: place)
    ]
  }

  // MARK: - The collection

  /// All that was read, a folder for each origin.
  func collection(
    named name: String, version: String?, _ place: OriginPlace
  ) -> OriginCollection {
    var order: [String] = []
    var groups: [String: [Entry]] = [:]
    for entry in entries {
      if groups[entry.url.origin] == nil { order.append(entry.url.origin) }
      groups[entry.url.origin, default: []].append(entry)
    }
    let hostNames = order.indices.map { $0 == 0 ? "host" : "host\($0 + 1)" }
    var requests = SentRequests(notes: context.notes, taken: Set(hostNames))
    var root = OriginFolder(name: name, description: comment, place: place)
    for (origin, host) in zip(order, hostNames) {
      let group = groups[origin] ?? []
      var folder = OriginFolder(name: group.first?.url.host ?? origin, place: place)
      folder.variables = [OriginVariable(name: host, value: .text(origin), place: place)]
      folder.requests = Self.requests(group, base: "{{\(host)}}", &requests)
      root.folders.append(folder)
    }
    var collection = OriginCollection(format: .har, version: version, root: root)
    collection.shared = requests.secrets.variables
    return collection
  }

  /// The requests of one origin; of equal ones the first.
  private static func requests(
    _ entries: [Entry], base: String, _ requests: inout SentRequests
  ) -> [OriginRequest] {
    struct Identity: Hashable {
      var method: String
      var url: SentURL
      var body: OriginBody
    }
    var positions: [Identity: Int] = [:]
    var counts: [Int] = []
    var numbers: [String: Int] = [:]
    var result: [OriginRequest] = []
    for entry in entries {
      let identity = Identity(method: entry.sent.method, url: entry.url, body: entry.sent.body)
      if let position = positions[identity] {
        counts[position] += 1
        continue
      }
      let address = "\(entry.sent.method) \(entry.url.origin)\(entry.url.path)"
      let number = (numbers[address] ?? 0) + 1
      numbers[address] = number
      guard var request = requests.request(
        entry.sent, id: "\(address) #\(number)", base: base, at: entry.place)
      else { continue }
      // The list of the source may have pairs that its URL has not.
      request.query = entry.url.query
      request.description = entry.comment
      request.kind = entry.kind
      request.examples = entry.examples
      positions[identity] = result.count
      counts.append(1)
      result.append(request)
    }
    for (position, count) in counts.enumerated() where count > 1 {
      result[position].comments.append("Sent \(count) times in the capture.")
    }
    return result
  }
}
