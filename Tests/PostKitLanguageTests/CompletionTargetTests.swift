// Completion where a request begins, in targets and in header fields (PROMISES.md C1 to C10).

import PostKitLanguage
import PostKitTestSupport
import Testing

private func sources(_ change: (inout CompletionSources) -> Void) -> CompletionSources {
  var sources = CompletionSources()
  change(&sources)
  return sources
}

private let sent = sources {
  $0.targets = [
    SentTarget(method: "GET", url: "https://dev.test/v1/users?page=2&sort=name"),
    SentTarget(method: "GET", url: "https://dev.test/v1/users?page=3"),
    SentTarget(method: "POST", url: "https://dev.test/login?token=s3cr3t-value"),
    SentTarget(method: "GET", url: "http://old.test:81/a"),
  ]
}

struct CompletionTargetTests {
  @Test func `C1 An empty line can become anything that begins a request`() throws {
    checkCompletion(
      "1️⃣", kind: .metadata, limit: 9,
      is: """
        ### | separates two requests
        @name | defines a variable
        # @name | names the request
        import | imports another file
        run | runs a request or a file
        """)
    checkCompletion("###\nmul1️⃣", is: "multipart | a form with a file")
    checkCompletion(
      "GET /\n\n###\n#1️⃣", is: "### | separates two requests\n# @name | names the request")
    try checkInsertion("##1️⃣", "###", is: "### 1️⃣")
    try checkInsertion("im1️⃣", "import", is: "import 1️⃣")
    try checkInsertion(
      "ge1️⃣", "get", is: "### Read\nGET https://example.com\nAccept: application/json\n1️⃣")
    try checkInsertion(
      "bas1️⃣", "basic-auth",
      is: "### Request\nGET https://example.com\nAuthorization: Basic {{user}} {{password}}\n1️⃣")
    checkCompletion("GET /\n\n# a remark1️⃣", is: "")
    checkCompletion("P1️⃣ https://a.test", kind: .snippet, is: "")
  }

  @Test func `C3 A target begins with a variable, an origin of the file or of the history`() throws {
    checkCompletion(
      "GET http://b.test:81/x\n\n###\nGET 1️⃣", with: sent, limit: 5,
      is: """
        {{host}} | https://dev.test | environment
        http://b.test:81
        https://dev.test | history
        http://old.test:81 | history
        https://
        """)
    checkCompletion("GET ol1️⃣", with: sent, is: "http://old.test:81 | history")
    try checkInsertion("GET ht1️⃣tp://x/y", "http://old.test:81", with: sent,
      is: "GET http://old.test:811️⃣/y")
  }

  @Test func `C4 A path is one that the same origin was asked for`() throws {
    let written = "GET {{host}}/a/{{id}}\n\n###\nGET {{host}}/b\n\n###\nGET https://x.test/c\n\n###\n"
    checkCompletion(
      written + "GET {{host}}/1️⃣", with: sent,
      is: """
        /b
        /a/{{id}}
        /v1/users | history
        /login | history
        """)
    checkCompletion(written + "GET {{host}}1️⃣", with: sent, kind: .value, limit: 1, is: "/b")
    checkCompletion(written + "GET https://x.test/1️⃣", with: sent, is: "/c")
    checkCompletion("@v = {{host}}/v1\n\nGET {{v}}/1️⃣", with: sent, is: "/users | history")
    checkCompletion("GET /1️⃣", with: sent, is: "")
    try checkInsertion(
      "GET {{host}}/us1️⃣er?x=1 HTTP/1.1", "/v1/users", with: sent,
      is: "GET {{host}}/v1/users1️⃣?x=1 HTTP/1.1")
    try checkInsertion(
      "GET {{host}}\n  /u1️⃣\r\n", "/v1/users", with: sent,
      is: "GET {{host}}\n  /v1/users1️⃣\r\n")
  }

  @Test func `C5 Names and values of the query are those that the path was asked with`() throws {
    let written = "GET {{host}}/v1/users?limit=5&page={{n}}\n\n###\n"
    checkCompletion(
      written + "GET {{host}}/v1/users?1️⃣", with: sent, is: "limit\npage\nsort | history")
    checkCompletion(written + "GET {{host}}/v1/users?a=1&so1️⃣", with: sent, is: "sort | history")
    checkCompletion(
      written + "GET {{host}}/v1/users?page=1️⃣", with: sent, is: "{{n}}\n2 | history\n3 | history")
    checkCompletion("GET {{host}}/login?1️⃣", with: sent, is: "token | history")
    // A secret is not suggested, nor what stood for one.
    checkCompletion("GET {{host}}/login?token=1️⃣", with: sent, is: "")
    try checkInsertion(
      written + "GET {{host}}/v1/users\n  ?a=1\n  &li1️⃣=7", "limit", is: written
        + "GET {{host}}/v1/users\n  ?a=1\n  &limit1️⃣=7")
    try checkInsertion(
      "GET {{host}}/v1/users?pa1️⃣&b#c", "page", with: sent, is: "GET {{host}}/v1/users?page=1️⃣&b#c")
    checkCompletion("GET {{host}}/v1/users#1️⃣", with: sent, is: "")
  }

  @Test func `C7 Header names that the project uses come first, lists may come again`() {
    let written = "GET /\nX-Own: 1\nAccept: a\n\n###\nGET /\nX-Own: 2\n\n###\n"
    checkCompletion(
      written + "GET /\nAccept: x\n1️⃣", limit: 3,
      is: """
        X-Own | seen before
        Content-Type | RFC 9110, section 8.3
        Authorization | RFC 9110, section 11.6.2
        """)
    checkCompletion(
      "GET /\nAccept: x\nContent-Type: y\nAcce1️⃣", limit: 1,
      is: "Accept-Charset | RFC 9110, section 12.5.2")
    checkCompletion("GET /\nAccept: x\nAccept1️⃣", limit: 9, is: """
      Accept-Charset | RFC 9110, section 12.5.2
      Accept-Encoding | RFC 9110, section 12.5.3
      Accept-Language | RFC 9110, section 12.5.4
      Accept | RFC 9110, section 12.5.1
      """)
    let fields = sources { $0.fields = [SentField("X-Tenant", "7"), SentField("X-Tenant", "8")] }
    checkCompletion("GET /\nX-T1️⃣", with: fields, limit: 1, is: "X-Tenant | seen before | history")
    checkCompletion("GET /\nX-Tenant: 1️⃣", with: fields, is: "7 | history\n8 | history")
  }

  @Test func `C8 What follows a media type is its parameters`() throws {
    try checkInsertion(
      "POST /\nContent-Type: text/plain;1️⃣", "charset=utf-8",
      is: "POST /\nContent-Type: text/plain; charset=utf-81️⃣")
    try checkInsertion(
      "POST /\nContent-Type: text/plain; ch1️⃣arset", "charset=utf-8",
      is: "POST /\nContent-Type: text/plain; charset=utf-81️⃣")
    let written = "GET /\nX-Mode: {{mode}}\nX-Api-Key: abcdef\n\n###\n"
    checkCompletion(written + "GET /\nX-Mode: 1️⃣", is: "{{mode}}")
    checkCompletion(written + "GET /\nX-Api-Key: 1️⃣", is: "{{apiKey}}")
  }

  @Test func `C9 Credentials are made of the variables that there are`() throws {
    checkCompletion(
      "@apiKey = x\n@authToken = y\n\nGET /\nAuthorization: 1️⃣", limit: 5,
      is: """
        Bearer {{authToken}}
        Bearer {{token}}
        Bearer {{apiKey}}
        Basic {{user}} {{password}}
        Digest {{user}} {{password}}
        """)
    let text = MarkedText("GET /\nAuthorization:1️⃣")
    let basic = Bench().analysis(text.bytes).completion(at: text.offset()).items
      .first { $0.label.hasPrefix("Basic") }
    #expect(basic?.snippet == #" Basic ${1:{{user\}\}} ${2:{{password\}\}}"#)
    #expect(basic?.text == " Basic {{user}} {{password}}")
  }

  @Test func `C10 Cookies are those of the jar, without their values`() throws {
    let jar = sources { $0.cookieNames = ["sid", "theme"] }
    let written = "GET /\nCookie: lang=de\n\n###\n"
    checkCompletion(
      written + "GET /\nCookie: 1️⃣", with: jar,
      is: "sid | •••••• | cookie jar\ntheme | •••••• | cookie jar\nlang | file")
    checkCompletion("GET /\nCookie: sid=1; 1️⃣", with: jar, is: "theme | •••••• | cookie jar")
    checkCompletion("GET /\nCookie: sid=1️⃣", with: jar, is: "")
    try checkInsertion("GET /\nCookie:1️⃣", "sid", with: jar, is: "GET /\nCookie: sid=1️⃣")
    try checkInsertion(
      "GET /\nCookie: a=1;t1️⃣; b=2", "theme", with: jar, is: "GET /\nCookie: a=1; theme=1️⃣; b=2")
  }

  @Test func `Texts that a description has are offered behind those that were seen`() {
    let described = sources {
      $0.described = { place in
        switch place {
        case .paths: [DescribedText("/described", detail: "GET, POST")]
        case .queryNames: [DescribedText("filter")]
        case .bodyKeys: [DescribedText("street")]
        case .graphQL: [DescribedText("viewer")]
        default: []
        }
      }
    }
    checkCompletion("GET {{host}}/1️⃣", with: described, is: "/described | GET, POST | description")
    checkCompletion("GET {{host}}/a?1️⃣", with: described, is: "filter | description")
    checkCompletion(
      "POST {{host}}\nContent-Type: application/json\n\n{1️⃣}", with: described,
      is: "street | description")
    checkCompletion("GRAPHQL {{host}}\n\nquery { 1️⃣ }", with: described, is: "viewer | description")
  }

  @Test(arguments: [
    ("GET 1️⃣", CompletionNeed.targets(host: nil)),
    ("GET {{host}}/1️⃣", .targets(host: "dev.test")),
    ("GET {{unknown}}/1️⃣", .nothing),
    ("GET {{host}}/a?b1️⃣", .targets(host: "dev.test")),
    ("GET {{host}}/a\nX-1️⃣", .fields(host: "dev.test")),
    ("GET {{host}}/a\nCookie: 1️⃣", .cookies(host: "dev.test")),
    ("GET {{host}}/a\nAuthorization: 1️⃣", .nothing),
    ("POST {{host}}/a?b\n\n{1️⃣}", .bodies(host: "dev.test", path: "/a")),
    ("G1️⃣", .nothing), ("GET {{1️⃣", .nothing), ("# @1️⃣", .nothing),
  ])
  func `The history is read where it has something to say`(marked: String, need: CompletionNeed) {
    let text = MarkedText(marked)
    #expect(Bench().analysis(text.bytes).completionNeed(at: text.offset()) == need)
  }
}
