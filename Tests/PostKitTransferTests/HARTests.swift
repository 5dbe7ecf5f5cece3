// HTTP archives: they keep the rules of HAR 1.2, and say nothing that the history doesn't know.

import PostKitHTTP
import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

/// What an exporter must write, from the tables of the specification: the members that every object
/// has, and the types of all that it may have.
private struct HARRules {
  private(set) var broken: [String] = []

  mutating func check(_ archive: JSONValue) {
    object(archive, "", required: ["log"], optional: [])
    guard let log = archive["log"] else { return }
    object(log, "log", required: ["version", "creator", "entries"], optional: ["comment"])
    if log["version"] != "1.2" { broken.append("log.version") }
    texts(log["creator"], "log.creator", ["name", "version"])
    for (place, entry) in (log["entries"]?.elements ?? []).enumerated() {
      check(entry: entry, "entries[\(place)]")
    }
  }

  private mutating func check(entry: JSONValue, _ place: String) {
    object(
      entry, place,
      required: ["startedDateTime", "time", "request", "response", "cache", "timings"],
      optional: ["serverIPAddress", "connection", "comment", "pageref"])
    let pattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
    if entry["startedDateTime"]?.string?.wholeMatch(of: pattern) == nil {
      broken.append("\(place).startedDateTime")
    }
    check(request: entry["request"] ?? .null, "\(place).request")
    check(response: entry["response"] ?? .null, "\(place).response")
    object(entry["cache"] ?? .null, "\(place).cache", required: [], optional: ["comment"])
    check(timings: entry["timings"] ?? .null, entry["time"], "\(place).timings")
  }

  private mutating func check(request: JSONValue, _ place: String) {
    texts(request, place, ["method", "url", "httpVersion"])
    object(
      request, place,
      required: [
        "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize",
        "bodySize",
      ], optional: ["postData", "comment"])
    pairs(request["headers"], "\(place).headers")
    pairs(request["queryString"], "\(place).queryString")
    whole(request, place, ["headersSize", "bodySize"])
    if let data = request["postData"] {
      object(data, "\(place).postData", required: ["mimeType"], optional: ["text", "comment"])
      texts(data, "\(place).postData", ["mimeType"])
    }
  }

  private mutating func check(response: JSONValue, _ place: String) {
    texts(response, place, ["statusText", "httpVersion", "redirectURL"])
    object(
      response, place,
      required: [
        "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL",
        "headersSize", "bodySize",
      ], optional: ["comment"])
    pairs(response["headers"], "\(place).headers")
    whole(response, place, ["status", "headersSize", "bodySize"])
    let content = response["content"] ?? .null
    object(
      content, "\(place).content", required: ["size", "mimeType"],
      optional: ["compression", "text", "encoding", "comment"])
    texts(content, "\(place).content", ["mimeType"])
    whole(content, "\(place).content", ["size"])
    let encoding = content["encoding"]
    if encoding != nil, encoding != "base64" { broken.append("\(place).encoding") }
  }

  /// The whole is the sum of the parts; TLS is a part of connecting, and -1 stands for nothing.
  private mutating func check(timings: JSONValue, _ time: JSONValue?, _ place: String) {
    let phases = ["blocked", "dns", "connect", "send", "wait", "receive"]
    object(timings, place, required: phases + ["ssl"], optional: ["comment"])
    var sum = 0
    for phase in phases {
      let value = thousandths(timings[phase])
      if let value, value >= 0 { sum += value }
      if value == nil { broken.append("\(place).\(phase)") }
      let isNeeded = ["send", "wait", "receive"].contains(phase)
      if isNeeded, (value ?? -1) < 0 { broken.append("\(place).\(phase) is negative") }
    }
    if thousandths(time) != sum { broken.append("\(place) are not the whole") }
  }

  private func thousandths(_ value: JSONValue?) -> Int? {
    guard case .number(let digits) = value else { return nil }
    return Double(digits).map { Int(($0 * 1_000).rounded()) }
  }

  private mutating func object(
    _ value: JSONValue, _ place: String, required: [String], optional: [String]
  ) {
    guard case .object(let members) = value else { return broken.append("\(place) is no object") }
    let names = members.map(\.key)
    for name in required where !names.contains(name) {
      broken.append("\(place).\(name) is missing")
    }
    // Fields of an exporter's own begin with an underscore.
    for name in names where !name.hasPrefix("_") && !(required + optional).contains(name) {
      broken.append("\(place).\(name) is unknown")
    }
  }

  private mutating func texts(_ value: JSONValue?, _ place: String, _ names: [String]) {
    for name in names where value?[name]?.string == nil { broken.append("\(place).\(name)") }
  }

  private mutating func whole(_ value: JSONValue, _ place: String, _ names: [String]) {
    for name in names where value[name]?.int == nil { broken.append("\(place).\(name)") }
  }

  private mutating func pairs(_ value: JSONValue?, _ place: String) {
    for pair in value?.elements ?? [] { texts(pair, place, ["name", "value"]) }
    if case .array = value {} else { broken.append("\(place) is no array") }
  }
}

/// The archive of some exchanges, held against the rules.
private func archive(
  _ exchanges: [Exchange], sourceLocation: SourceLocation = #_sourceLocation
) throws -> [JSONValue] {
  var writer = HARWriter()
  var bytes = writer.head()
  for exchange in exchanges { bytes += writer.exchange(exchange, read: Sample.read) }
  bytes += writer.tail()
  let archive = try JSONTree(parsing: bytes).root.value
  var rules = HARRules()
  rules.check(archive)
  #expect(rules.broken == [], sourceLocation: sourceLocation)
  return archive["log"]?["entries"]?.elements ?? []
}

@Suite struct HARTests {
  @Test func `an archive without entries is one, too`() throws {
    #expect(try archive([]).isEmpty)
  }

  @Test func `an exchange becomes an entry`() throws {
    var exchange = Sample.exchange(name: "login")
    exchange.request = SentRequest(
      method: "POST", url: "https://a.test/x?a=1&b=%C3%BC%20&c&%ff=%zz#f=1",
      headers: [("Content-Type", "text/plain"), ("X", "1"), ("x", "2")],
      body: .bytes(Array("grüße".utf8)), bodySize: 7)
    exchange.remoteAddress = "[::1]:443"
    exchange.timings.nameLookup = 1_000
    exchange.timings.connect = 3_000
    exchange.timings.tls = 10_000
    exchange.timings.firstByte = 30_500
    exchange.timings.total = 31_000
    let entry = try #require(try archive([exchange]).first)
    expect(
      entry.text,
      is: """
        {"startedDateTime":"2026-01-31T10:00:00.000Z","time":31.000,\
        "request":{"method":"POST","url":"https://a.test/x?a=1&b=%C3%BC%20&c&%ff=%zz#f=1",\
        "httpVersion":"HTTP/1.1","cookies":[],"headers":[\
        {"name":"Content-Type","value":"text/plain"},{"name":"X","value":"1"},\
        {"name":"x","value":"2"}],"queryString":[{"name":"a","value":"1"},\
        {"name":"b","value":"ü "},{"name":"c","value":""},{"name":"%ff","value":"%zz"}],\
        "headersSize":-1,"bodySize":7,"postData":{"mimeType":"text/plain","text":"grüße"}},\
        "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],\
        "headers":[{"name":"Content-Type","value":"application/json"}],\
        "content":{"size":2,"mimeType":"application/json","text":"{}"},"redirectURL":"",\
        "headersSize":-1,"bodySize":2},"cache":{},\
        "timings":{"blocked":-1,"dns":1.000,"connect":9.000,"ssl":7.000,"send":0,"wait":20.500,\
        "receive":0.500},"serverIPAddress":"::1","comment":"login",\
        "_id":"019a8f2e-7c11-7b3e-9d55-000000000000"}
        """)
  }

  @Test func `binary bodies are written in Base64`() throws {
    var exchange = Sample.exchange(body: [0, 0xFF])
    exchange.request.body = .bytes([0xFE, 0])
    exchange.request.bodySize = 2
    let entry = try #require(try archive([exchange]).first)
    #expect(entry["response"]?["content"]?["text"] == "AP8=")
    #expect(entry["response"]?["content"]?["encoding"] == "base64")
    #expect(entry["request"]?["postData"]?["_base64"] == "/gA=")
    #expect(entry["request"]?["postData"]?["text"] == nil)
  }

  @Test func `text of another charset is written as UTF-8`() throws {
    var exchange = Sample.exchange(body: [0xFC])
    exchange.response?.headers = [("Content-Type", "text/plain; charset=iso-8859-1")]
    let content = try archive([exchange]).first?["response"]?["content"]
    #expect(content?["text"] == "ü" && content?["size"] == 1)
  }

  @Test func `each redirect is an entry that starts where the one before ended`() throws {
    var exchange = Sample.exchange()
    var times = Timings()
    times.nameLookup = 100
    times.connect = 1_000
    times.firstByte = 4_000
    times.total = 5_000
    exchange.hops = [
      RedirectHop(
        request: SentRequest(method: "POST", url: "http://a.test/old", headers: []), status: 302,
        headers: [("Location", "/new")], timings: times)
    ]
    // The connection was used again, so that its times are those of the first hop's end.
    exchange.timings.nameLookup = 5_000
    exchange.timings.connect = 5_000
    exchange.timings.firstByte = 7_000
    exchange.timings.total = 8_000
    let entries = try archive([exchange])
    #expect(
      entries.map { $0["request"]?["url"]?.string } == ["http://a.test/old", "http://a.test/"])
    #expect(
      entries.map { $0["startedDateTime"]?.string }
        == ["2026-01-31T10:00:00.000Z", "2026-01-31T10:00:00.005Z"])
    #expect(entries.map { $0["time"] } == [.number("5.000"), .number("3.000")])
    #expect(entries[0]["response"]?["redirectURL"] == "/new")
    #expect(entries[0]["response"]?["content"]?["size"] == -1)
    #expect(entries[1]["timings"]?["connect"] == -1)
    #expect(entries[1]["timings"]?["wait"] == .number("2.000"))
  }

  @Test func `a request without an answer says why`() throws {
    var exchange = Sample.exchange()
    exchange.response = nil
    exchange.state = .failed
    exchange.failure = Failure(.timeout, "There was no answer in 5 s.")
    exchange.timings.connect = 10
    exchange.timings.total = 5_000_000
    let response = try archive([exchange]).first?["response"]
    #expect(response?["status"] == 0 && response?["_error"] == "timeout")
    #expect(response?["comment"] == "There was no answer in 5 s.")
  }

  @Test func `what a compressed body saved on the wire is told`() throws {
    var exchange = Sample.exchange(body: Array(repeating: 65, count: 100))
    exchange.response?.headers.append("Content-Encoding", "gzip")
    exchange.response?.wireSize = 30
    exchange.response?.isTruncated = true
    let content = try archive([exchange]).first?["response"]?["content"]
    #expect(content?["compression"] == 70 && content?["size"] == 100)
    #expect(content?["comment"]?.string?.contains("truncated") == true)
  }

  @Test(arguments: [Array("whole".utf8), [0xFF, 0x00], []])
  func `a request's body that was cut off says so`(bytes: [UInt8]) throws {
    var exchange = Sample.exchange(body: [])
    exchange.request.body = .bytes(bytes)
    exchange.request.isTruncated = true
    let posted = try archive([exchange]).first?["request"]?["postData"]
    #expect(posted?["comment"]?.string?.hasPrefix("The stored body is truncated") == true)
  }
}
