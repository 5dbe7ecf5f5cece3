// URLs, headers, bodies and settings of Postman's requests.

import Testing

@testable import PostKitTransfer

@Suite struct PostmanRequestTests {
  private func read(_ request: String, _ members: String = "") throws -> OriginSample {
    try OriginSample(
      PostmanImporter.self, PostmanSample.collection(PostmanSample.item(request, members)))
  }

  private func request(_ request: String, _ members: String = "") throws -> OriginRequest {
    try #require(try read(request, members).requests.first)
  }

  // MARK: URLs

  @Test(arguments: [
    (#"{"host": ["{{base}}"], "path": ["a", "b"]}"#, "{{base}}/a/b"),
    (#"{"host": "x.y", "path": "/a/b"}"#, "x.y/a/b"),
    (#"{"host": "x.y", "path": "a"}"#, "x.y/a"),
    (#"{"protocol": "https://", "host": ["x", "y"], "port": 8080}"#, "https://x.y:8080"),
    (#"{"protocol": "https", "host": ["x"], "port": "", "path": [""]}"#, "https://x/"),
    (#"{"host": ["x"], "path": [{"type": "string", "value": "a"}, 7, ""]}"#, "x/a/7/"),
    (#"{"raw": "{{base}}/a"}"#, "{{base}}/a"),
    (#"{"raw": "http://x/b", "path": ["a"]}"#, "/a"),
    (#""http://x/{{a?b}}/c""#, "http://x/{{a?b}}/c"),
    (#"{"host": ["{{ base }}"], "path": ["{{$randomInt}}"]}"#, "{{base}}/{{$randomInt 0 1001}}"),
    ("null", ""), ("{}", ""),
  ])
  func `the parts of a URL are taken, its raw text only without them`(
    url: String, text: String
  ) throws {
    #expect(try request(#""url": \#(url)"#).url.text == text)
  }

  @Test func `a query keeps its pairs, their order and what is off`() throws {
    let query = """
      [{"key": "q", "value": "a&b c"}, {"key": "d", "value": "1", "disabled": true},
       {"key": "flag", "value": null}, {"key": "none"}, {"key": "empty", "value": ""},
       {"key": null, "value": null}, {"key": "", "value": "v"}, {"key": "n", "value": 5},
       {"key": "t", "value": "{{ x }}"},
       {"key": "q", "value": "2", "description": {"content": "D"}},
       null, 7, "s=1"]
      """
    let sample = try read(#""url": {"host": ["x"], "query": \#(query)}"#)
    let request = try #require(sample.requests.first)
    #expect(
      request.query.map(\.line) == [
        "q=a&b c", "#d=1", "flag", "none", "empty=", "=v", "n=5", "t={{x}}", "q=2", "s=1",
      ])
    #expect(request.query[8].description == "D")
    #expect(sample.told == ["item-malformed /item/0/request/url/query/11"])
  }

  @Test func `a URL that is a text is taken apart`() throws {
    let sample = try read(#""url": "http://x/a?b=1&c&&d=e=f&{{q}}#top""#)
    let request = try #require(sample.requests.first)
    #expect(request.url.text == "http://x/a")
    #expect(request.query.map(\.line) == ["b=1", "c", "", "d=e=f", "{{q}}"])
    #expect(sample.told == ["url-differs-from-raw /item/0/request/url"])
    #expect(try self.request(#""url": "http://x/a?""#).query == [])
  }

  @Test(arguments: [
    (
      #""raw": "{{base}}/a?b=1", "host": ["{{base}}"], "path": "a", "query": ["b=1"]"#,
      false
    ),
    (#""raw": "http://x/a%20b", "protocol": "http", "host": ["x"], "path": ["a b"]"#, false),
    (#""raw": "http://x/a#top", "protocol": "http", "host": ["x"], "path": ["a"]"#, false),
    (#""raw": "http://u:p@x/a", "protocol": "http", "host": ["x"], "path": ["a"]"#, false),
    (#""raw": "http://x", "protocol": "http", "host": ["x"], "path": [""]"#, false),
    (#""raw": "http://x/b", "protocol": "http", "host": ["x"], "path": ["a"]"#, true),
    (
      #""raw": "http://x/a", "protocol": "http", "host": ["x"], "path": "a", "query": ["b"]"#,
      true
    ),
    (#""raw": "https://x/a", "protocol": "http", "host": ["x"], "path": ["a"]"#, true),
  ])
  func `parts that differ from the raw text are told`(url: String, differs: Bool) throws {
    let told = try read(#""url": {\#(url)}"#).told
    #expect(told == (differs ? ["url-differs-from-raw /item/0/request/url"] : []))
  }

  @Test func `variables of the path stand where they have a value`() throws {
    let variables = """
      [{"key": "id", "value": "42"}, {"key": "name", "value": "a"}, {"key": "idle", "value": ""},
       {"id": "old", "value": "9"}, {"key": "num", "value": 5}, {"key": "unused", "value": "1"}]
      """
    let path =
      #"["users", ":id", ":name.json", ":idle", ":old", ":num", ":nobody", ":ids", "x:id"]"#
    let sample = try read(#""url": {"host": ["x"], "path": \#(path), "variable": \#(variables)}"#)
    let request = try #require(sample.requests.first)
    #expect(
      request.url.text == "x/users/{{id}}/{{name}}.json/:idle/{{old}}/:num/:nobody/:ids/x:id")
    #expect(request.pathVariables.map(\.name) == ["id", "name", "old"])
    #expect(request.pathVariables.map { $0.value?.text } == ["42", "a", "9"])
    let place = "/item/0/request/url/variable/"
    #expect(
      sample.told == ["template-unsupported \(place)2", "template-unsupported \(place)4"])
    #expect(sample.notes.allSatisfy { !$0.isWarning })
  }

  @Test func `user and password of the URL are sent where nothing else says so`() throws {
    let url = #""url": {"host": ["x"], "auth": {"user": "us%40r", "password": "p"}}"#
    #expect(try request(url).auth == .basic(user: "us@r", password: "p"))
    let header = #", "header": [{"key": "authorization", "value": "x"}]"#
    #expect(try request(url + header).auth == .inherited)
    #expect(try request(url + #", "auth": {"type": "noauth"}"#).auth == .none)
    let inherited = try OriginSample(
      PostmanImporter.self,
      PostmanSample.collection(
        PostmanSample.item(url),
        #""auth": {"type": "bearer", "bearer": [{"key": "token", "value": "t"}]}"#))
    #expect(inherited.requests.map(\.auth) == [.inherited])
  }

  // MARK: Headers

  @Test(arguments: [
    (
      #"[{"key": "A", "value": "1"}, {"key": "B", "value": 2, "disabled": true}]"#, ["A=1", "#B=2"]
    ),
    (#"[{"key": "A"}, {"key": "", "value": ""}, null]"#, ["A="]),
    (#"["A: 1", "B:2"]"#, ["A=1", "B=2"]),
    (#""A: 1\r\nB:  x:y \n\n//C: 3\n""#, ["A=1", "B=x:y", "#C=3"]),
    ("null", []), (#""""#, []),
  ])
  func `headers come as a list, as lines, or as one text`(header: String, lines: [String]) throws {
    let sample = try read(#""url": "http://x", "header": \#(header)"#)
    #expect(sample.requests.first?.headers.map(\.line) == lines)
    #expect(sample.told == [])
  }

  @Test func `what is sent anyway is left out and told`() throws {
    let header = """
      "Host: x.y:80", "Content-Length: 5", "Connection: keep-alive", "Connection: close",
      "Host: other", "User-Agent: own", "//Content-Length: 7"
      """
    let sample = try read(#""url": "http://u@x.y:80/a", "header": [\#(header)]"#)
    #expect(
      sample.requests.first?.headers.map(\.line) == [
        "Connection=close", "Host=other", "User-Agent=own", "#Content-Length=7",
      ])
    #expect(sample.told == Array(repeating: "header-omitted /item/0/request/header", count: 3))
    #expect(sample.notes.allSatisfy { !$0.isWarning })
  }

  @Test func `headers that can't be any are told`() throws {
    let sample = try read(#""url": "http://x", "header": [7, "no colon", {"value": "v"}]"#)
    let place = "item-malformed /item/0/request/header/"
    #expect(sample.told == [place + "0", place + "1", place + "2"])
  }

  // MARK: Settings

  @Test(arguments: [
    (#""followRedirects": false, "maxRedirects": 2"#, ["no-redirect"]),
    (#""maxRedirects": "2""#, ["curl-max-redirs 2"]), (#""strictSSL": false"#, ["insecure"]),
    (
      #""disableCookies": true, "disableUrlEncoding": true"#, ["no-cookie-jar", "no-auto-encoding"]
    ),
    (#""strictSSL": true, "followRedirects": true"#, []),
  ])
  func `settings become tags`(settings: String, tags: [String]) throws {
    let sample = try read(#""url": "http://x""#, #""protocolProfileBehavior": {\#(settings)}"#)
    #expect(sample.requests.first?.metadata == tags)
    #expect(sample.told == [])
  }

  @Test func `settings without an equivalent are told`() throws {
    let sample = try read(
      #""url": "http://x""#,
      """
      "protocolProfileBehavior": {"removeRefererHeaderOnRedirect": true, "insecureHTTPParser": true,
       "tlsDisabledProtocols": ["TLSv1"], "protocolVersion": "http9", "followRedirects": "yes",
       "disabledSystemHeaders": {"User-Agent": true, "cache-control": true}}
      """)
    let place = "/item/0/protocolProfileBehavior"
    #expect(
      sample.told == [
        "setting-unsupported \(place)/protocolVersion",
        "setting-unsupported \(place)/removeRefererHeaderOnRedirect",
        "setting-unsupported \(place)/insecureHTTPParser",
        "setting-unsupported \(place)/tlsDisabledProtocols",
        "member-unknown \(place)/followRedirects", "setting-unsupported \(place)",
      ])
  }

  @Test func `a body goes with GET only where Postman sends it`() throws {
    let body = #""url": "http://x", "body": {"mode": "raw", "raw": "a\nb"}"#
    let sample = try read(#""method": "GET", "# + body)
    let request = try #require(sample.requests.first)
    #expect(request.body == .none && request.headers == [])
    #expect(request.comments == ["Postman sends this request without its body:", "a", "b"])
    #expect(sample.told == ["disabled-item /item/0/request/body"])
    let kept = try self.request(
      #""method": "GET", "# + body, #""protocolProfileBehavior": {"disableBodyPruning": true}"#)
    #expect(kept.body == .text("a\nb") && kept.headers.map(\.line) == ["Content-Type=text/plain"])
    #expect(try self.request(#""method": "DELETE", "# + body).body == .text("a\nb"))
  }

  @Test func `proxies and certificates are carried over as far as there are words`() throws {
    let sample = try read(
      """
      "url": "http://x", "proxy": {"match": "http://y/*", "host": "{{ p }}", "port": 1},
      "certificate": {"matches": ["https://a", "https://b"], "cert": {"src": "c.pem"},
       "key": {"src": "k.pem"}, "passphrase": "hidden-word"}
      """)
    #expect(sample.requests.first?.metadata == ["proxy http://{{p}}:1"])
    #expect(
      sample.collection.shared.map { $0.value?.text } == [
        #"{"clientCertificate":"c.pem","clientCertificateKey":"k.pem","#
          + #""hasCertificatePassphrase":true}"#
      ])
    #expect(
      sample.told == [
        "setting-unsupported /item/0/request/proxy/match",
        "setting-unsupported /item/0/request/certificate",
        "secret-empty /item/0/request/certificate/passphrase",
      ])
    #expect(!"\(sample)".contains("hidden-word"))
  }
}
