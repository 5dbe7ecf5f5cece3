// Redirects on the wire: which hops are recorded and what crosses to another server (PK-84).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct RedirectRunTests {
  /// A server whose `/STATUS/target` leads to the rest of the path, on another server where there
  /// is one.
  static func server(to other: StubServer? = nil) throws -> StubServer {
    try StubServer { request in
      let parts = request.target.split(separator: "/", maxSplits: 1).map(String.init)
      guard let first = parts.first, let status = Int(first), parts.count > 1 else {
        return [.response(body: "end")]
      }
      let place = other?.url("/\(parts[1])") ?? "/\(parts[1])"
      return [.response("\(status) Moved", headers: ["Location: \(place)"], body: "hop")]
    }
  }

  @Test func `every hop is recorded in order, with what was sent and answered`() async throws {
    let server = try Self.server()
    let track = try Track("POST \(server.url("/307/301/302/303/end"))\nX-A: 1\n\nbody\n")
    let exchange = try #require(await track.run().recorded.first)
    #expect(exchange.hops.map(\.status) == [307, 301, 302, 303])
    #expect(exchange.hops.map(\.request.method) == ["POST", "POST", "GET", "GET"])
    #expect(exchange.hops.map { $0.headers.first("Location") } == [
      "/301/302/303/end", "/302/303/end", "/303/end", "/end",
    ])
    #expect(exchange.hops.allSatisfy { $0.request.headers.first("X-A") == "1" })
    #expect(exchange.request.method == "GET" && exchange.request.url == server.url("/end"))
    #expect(exchange.response?.status == 200)
    #expect(server.requests.map(\.body.count) == [4, 4, 0, 0, 0])
  }

  @Test func `nothing secret crosses to another server`() async throws {
    let far = try Self.server()
    let near = try Self.server(to: far)
    let text = """
      # @secret unused
      GET \(near.url("/307/end"))
      Authorization: Bearer {{token}}
      Cookie: a=1
      Proxy-Authorization: Basic eDp5
      X-Raw: before {{token}} after
      X-Encoded: {{%token}}
      X-Open: visible

      """
    let track = try Track(
      text, ["http-client.private.env.json": #"{"dev": {"token": "s3cret/token value"}}"#])
    let result = await track.run(environment: "dev") { $0.inputs["unused"] = "x9" }
    let (first, second) = (try #require(near.requests.first), try #require(far.requests.first))
    #expect(first.values("X-Raw") == ["before s3cret/token value after"])
    #expect(first.values("Authorization") == ["Bearer s3cret/token value"])
    let dropped = [
      "Authorization", "Cookie", "Proxy-Authorization", "X-Raw", "X-Encoded",
    ]
    for name in dropped {
      #expect(!first.values(name).isEmpty, "\(name)")
      #expect(second.values(name).isEmpty, "\(name)")
    }
    #expect(second.values("X-Open") == ["visible"])
    #expect(result.recorded.first?.hops.count == 1)
    #expect(!"\(result.recorded)".contains("s3cret"))
    let said = result.recorded.first?.withheldHeaders.map(\.sentence)
    let names = "`Authorization`, `Proxy-Authorization`, `X-Raw`, `X-Encoded`"
    #expect(said == ["\(names) were not sent on to \(far.url("")), which is another origin."])
  }

  @Test func `on the same server nothing is dropped`() async throws {
    let server = try Self.server()
    let track = try Track("GET \(server.url("/302/end"))\nAuthorization: Bearer abcdefgh\n")
    let result = await track.run()
    #expect(server.requests.map { $0.values("Authorization") } == Array(
      repeating: ["Bearer abcdefgh"], count: 2))
    #expect(result.recorded.first?.withheldHeaders == [])
  }

  @Test func `a client certificate is for the host that it was chosen for`() {
    var spec = RequestSpec(method: "GET", url: "https://a.test/")
    spec.options.clientCertificateFile = "/c.pem"
    for (location, keeps) in [
      ("https://a.test:8443/", true), ("/b", true), ("https://b.test/", false),
    ] {
      let decision = Redirects.decide(
        after: spec, status: 302, headers: ["Location": location], secrets: [])
      guard case .follow(let next) = decision else {
        Issue.record("not followed: \(location)")
        continue
      }
      #expect((next.options.clientCertificateFile != nil) == keeps, "\(location)")
    }
  }

  @Test(arguments: [
    ("{}", ["POST", "GET"]), (#"{"redirectMethod": "keep"}"#, ["POST", "POST"]),
    (#"{"followRedirects": false}"#, ["POST"]),
  ])
  func `a project's knobs decide`(settings: String, methods: [String]) async throws {
    let server = try Self.server()
    let track = try Track("POST \(server.url("/302/end"))\n\nx\n", ["postkit.json": settings])
    _ = await track.run { input in
      let settings = SettingsFile(projectIn: track.directory.path).settings
      input.dialect = Dialect(.auto, knobs: settings.knobs)
    }
    #expect(server.requests.map { String($0.lines[0].prefix { $0 != " " }) } == methods)
  }
}
