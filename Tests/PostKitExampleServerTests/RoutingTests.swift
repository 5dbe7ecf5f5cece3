// Routing is a pure function, so most of what the example server says is tested without a socket.

import PostKitHTTP
import PostKitJSON
import PostKitLoopback
import Testing

@testable import PostKitExampleServer

private let site = ExampleSite(base: "http://127.0.0.1:1", token: "secret")

private func answer(
  _ method: String, _ target: String, _ headers: HeaderFields = [], body: String = ""
) -> LoopbackResponse {
  let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
  return site.respond(
    to: LoopbackRequest(
      method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil,
      headers: headers, body: Array(body.utf8)))
}

extension LoopbackResponse {
  fileprivate var bytes: [UInt8] {
    if case .bytes(let bytes) = body { bytes } else { [] }
  }

  fileprivate var json: JSONValue? { Echo.json(bytes) }
}

@Suite struct RoutingTests {
  @Test func `An echo repeats method, address, arguments, headers and body`() throws {
    let response = answer(
      "POST", "/post?q=a+b&q=%C3%A9&r", ["X-One": "1", "x-one": "2", "Content-Type": "text/plain"],
      body: "hello")
    let json = try #require(response.json)
    #expect(response.status == 200)
    #expect(json["method"] == "POST")
    #expect(json["url"] == "http://127.0.0.1:1/post?q=a+b&q=%C3%A9&r")
    #expect(json["args"] == ["q": ["a b", "é"], "r": ""])
    #expect(json["headers"] == ["X-One": "1, 2", "Content-Type": "text/plain"])
    #expect(json["body"] == "hello")
    #expect(json["bodyBytes"] == 5)
  }

  @Test func `An echo understands JSON, forms and bytes that are no text`() throws {
    let json = answer("PUT", "/put", ["Content-Type": "application/json"], body: #"{"n":1.0}"#)
    #expect(json.json?["json"] == ["n": .number("1.0")])
    let form = answer(
      "PATCH", "/patch", ["Content-Type": "application/x-www-form-urlencoded"], body: "a=1&b=%20")
    #expect(form.json?["form"] == ["a": "1", "b": " "])
    let binary = site.respond(
      to: LoopbackRequest(method: "BREW", path: "/anything", body: [0xFF, 0x00]))
    #expect(binary.json?["body"] == .null)
    #expect(binary.json?["bodyBase64"] == "/wA=")
  }

  @Test func `A long body is cut in the echo and said to be`() {
    let request = LoopbackRequest(
      method: "POST", path: "/post",
      body: [UInt8](repeating: 65, count: ExampleLimits.echoBytes + 1))
    let json = site.respond(to: request).json
    #expect(json?["bodyIsCut"] == true)
    #expect(json?["bodyBytes"]?.int == ExampleLimits.echoBytes + 1)
    #expect(json?["body"]?.string?.utf8.count == ExampleLimits.echoBytes)
  }

  @Test func `Every line of the table is listed at the root and routed`() throws {
    let listed = try #require(answer("GET", "/").json?["endpoints"]).elements
    #expect(listed.compactMap { $0["path"]?.string } == ExampleEndpoint.all.map(\.path))
    for endpoint in ExampleEndpoint.all {
      let path = endpoint.path.replacing("{code}", with: "200").replacing("{id}", with: "1")
        .replacing("{n}", with: "1").replacing("{seconds}", with: "0")
      let method = endpoint.methods.first ?? "GET"
      let response = answer(method, path)
      #expect(response.status != 404 && response.status != 405, "\(endpoint.path)")
    }
    let html = answer("GET", "/", ["Accept": "text/html,*/*"])
    #expect(html.headers.first("Content-Type") == "text/html; charset=utf-8")
    #expect(String(decoding: html.bytes, as: UTF8.self).contains("<code>/users/{id}</code>"))
  }

  @Test(arguments: [
    ("GET", "/nothing", 404), ("GET", "/users/4", 404), ("GET", "/users/1/2", 404),
    ("POST", "/get", 405), ("GET", "/login", 405), ("HEAD", "/get", 200), ("HEAD", "/post", 405),
    ("GET", "/status/99", 400), ("GET", "/status/100", 400), ("GET", "/status/x", 400),
    ("GET", "/status/418", 418), ("DELETE", "/status/204", 204), ("GET", "/bytes/-1", 400),
    ("GET", "/bytes/2147483648", 200), ("GET", "/bytes/2147483649", 400),
    ("GET", "/bytes/99999999999999999999", 400), ("GET", "/redirect/101", 400),
    ("GET", "/delay/nan", 400), ("GET", "/delay/-1", 400), ("GET", "/stream/1000001", 400),
    ("GET", "/cookies/set", 400), ("GET", "/cookies/set?a%0Db=1", 400), ("POST", "/login", 400),
    ("OPTIONS", "/get", 204), ("OPTIONS", "*", 204), ("GET", "*", 405), ("GET", "/%75sers", 200),
  ])
  func `The status fits the request`(method: String, target: String, status: Int) {
    let response = answer(method, target)
    #expect(response.status == status)
    if status == 405 || method == "OPTIONS" { #expect(response.headers.contains("Allow")) }
    if status >= 400, status != 418 { #expect(response.json?["help"]?.string?.isEmpty == false) }
  }

  @Test func `People can be listed, found and added for show`() {
    #expect(answer("GET", "/users").json?.elements.count == 3)
    #expect(answer("GET", "/users/2").json?["name"] == "Alan Turing")
    let added = answer("POST", "/users", ["Content-Type": "application/json"], body: #"{"a":1}"#)
    #expect(added.status == 201)
    #expect(added.headers.first("Location") == "/users/4")
    #expect(added.json?["id"] == 4)
    #expect(added.json?["json"] == ["a": 1])
  }

  @Test(arguments: [
    ("Bearer secret", 200), ("bearer secret", 200), ("Bearer other", 401), ("Basic secret", 401),
    ("Bearer", 401), ("", 401), ("Bearer secret secret", 401),
  ])
  func `Only the token of the login opens the protected page`(value: String, status: Int) {
    #expect(answer("POST", "/login", body: "{}").json == ["token": "secret"])
    let response = answer("GET", "/protected", ["Authorization": value])
    #expect(response.status == status)
    #expect(response.headers.contains("WWW-Authenticate") == (status == 401))
  }

  @Test func `Cookies are repeated, and set without room for another header`() {
    let repeated = answer("GET", "/cookies", ["Cookie": "a=1; b=x=y; c"])
    #expect(repeated.json?["cookies"] == ["a": "1", "b": "x=y", "c": ""])
    let set = answer("GET", "/cookies/set?a=1&b=x%0D%0AEvil:%201;%20Path=/x")
    #expect(set.status == 302)
    #expect(
      set.headers.values("Set-Cookie")
        == ["a=1; Path=/", "b=x%0D%0AEvil:%201%3B%20Path=/x; Path=/"])
  }

  @Test func `A chain of redirects ends at the echo`() {
    #expect(answer("GET", "/redirect/3").headers.first("Location") == "/redirect/2")
    #expect(answer("GET", "/redirect/1").headers.first("Location") == "/get")
    #expect(answer("GET", "/status/307").headers.first("Location") == "/get")
  }

  @Test(arguments: [("0", 0), ("0.25", 250), ("10", 10_000), ("30", 10_000), ("1e300", 10_000)])
  func `A delay has a limit`(seconds: String, milliseconds: Int64) {
    #expect(answer("GET", "/delay/\(seconds)").delayMilliseconds == milliseconds)
  }
}
