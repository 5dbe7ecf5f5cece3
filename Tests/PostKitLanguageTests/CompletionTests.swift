// Completion at a caret in marked text: what the list begins with, and the line once an item is in.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitTestSupport
import Testing

private let answered: Bench = {
  var bench = Bench()
  bench.exchanges["login"] = Bench.exchange(
    #"{"token": "t-1", "user": {"id": 7, "key": "s3cr3t-value"}, "a b": 1, "list": [1]}"#,
    headers: ["Content-Type": "application/json", "X-Trace": "1", "x-trace": "2"])
  return bench
}()

private let login = "### \n# @name login\nPOST https://a.test/login\n\n###\n"

struct CompletionTests {
  @Test func `Names that a file or a response will give are offered`() {
    var bench = Bench(environment: nil, sources: [])
    bench.files = ["./note.txt"]
    checkCompletion(
      """
      # @name login
      # @env-json-key TOKEN data.token
      # @file-to-variable NOTE ./note.txt
      POST https://a.test/

      ###
      GET https://a.test/{{1️⃣}}
      """, bench: bench, kind: .variable,
      is: """
        TOKEN | from the response of login | after a response
        NOTE | the content of ./note.txt | file
        """)
  }

  @Test func `A request begins with a method`() throws {
    checkCompletion(
      "1️⃣",
      is: """
        GET | RFC 9110, section 9.3.1
        POST | RFC 9110, section 9.3.3
        PUT | RFC 9110, section 9.3.4
        PATCH | RFC 5789
        """)
    checkCompletion("###\nDE1️⃣", limit: 1, is: "DELETE | RFC 9110, section 9.3.5")
    checkCompletion("@a = 1\n\n1️⃣", limit: 1, is: "GET | RFC 9110, section 9.3.1")
    checkCompletion(
      "PATCH https://a.test\n\n###\nPATCH https://a.test\n\n### Ü\r\n1️⃣", limit: 1,
      is: "PATCH | RFC 5789")
    try checkInsertion("P1️⃣", "PUT", is: "PUT 1️⃣")
    try checkInsertion("P1️⃣AT https://a.test", "PUT", is: "PUT1️⃣ https://a.test")
    try checkInsertion("### é\r\nG1️⃣\r\n", "GET", is: "### é\r\nGET 1️⃣\r\n")
  }

  @Test func `A target begins with a variable that holds a URL, an origin or a scheme`() throws {
    checkCompletion(
      "GET http://b.test:81/x\n\n###\nGET 1️⃣",
      is: """
        {{host}} | https://dev.test | environment
        http://b.test:81
        https://
        http://
        """)
    checkCompletion("GET\t{{host}}/a?b=1️⃣", is: "")
    checkCompletion("GET https://a.test/x1️⃣", is: "")
    checkCompletion("GET https://a.test\n  ?a=1\n  &b1️⃣", is: "")
    try checkInsertion("GET 1️⃣", "{{host}}", is: "GET {{host}}1️⃣")
    try checkInsertion("GET ht1️⃣", "https://", is: "GET https://1️⃣")
  }

  @Test func `The version follows the target`() throws {
    checkCompletion("GET {{ host }}/ 1️⃣", limit: 2, is: "HTTP/1.1\nHTTP/2")
    try checkInsertion("GET / HT1️⃣TP/2", "HTTP/1.1", is: "GET / HTTP/1.11️⃣")
  }

  @Test func `A line below the request line is a header, with or without a colon`() throws {
    checkCompletion(
      "GET https://a.test\n1️⃣", limit: 3,
      is: """
        Content-Type | RFC 9110, section 8.3
        Authorization | RFC 9110, section 11.6.2
        Accept | RFC 9110, section 12.5.1
        """)
    checkCompletion(
      "GET https://a.test\nAuthorization: x\naccept: y\n1️⃣\n", limit: 2,
      is: "Content-Type | RFC 9110, section 8.3\nUser-Agent | RFC 9110, section 10.1.5")
    try checkInsertion("GET /\nCon1️⃣", "Content-Type", is: "GET /\nContent-Type: 1️⃣")
    try checkInsertion("GET /\nCo1️⃣n: x", "Content-Type", is: "GET /\nContent-Type1️⃣: x")
    try checkInsertion("GET /\r\nAcc1️⃣ x\r\n", "Accept", is: "GET /\r\nAccept:1️⃣ x\r\n")
    checkCompletion("GET /\n\nAcc1️⃣", is: "")
  }

  @Test func `A header's values replace what stands there, with one blank before them`() throws {
    checkCompletion("GET /\nAccept-Encoding: g1️⃣", limit: 2, is: "gzip, deflate, br\ngzip")
    try checkInsertion("GET /\nConnection:1️⃣", "close", is: "GET /\nConnection: close1️⃣")
    try checkInsertion("GET /\nConnection: 1️⃣", "close", is: "GET /\nConnection: close1️⃣")
    try checkInsertion(
      "GET /\nAccept: text/1️⃣plain\r\n", "text/html", is: "GET /\nAccept: text/html1️⃣\r\n")
    try checkInsertion(
      "GET /\nAccept: a/b, 1️⃣, c/d", "text/html", is: "GET /\nAccept: a/b, text/html1️⃣, c/d")
    checkCompletion("GET /\nAuthorization: 1️⃣", limit: 1, is: "Bearer {{token}}")
    checkCompletion("GET /\nX-Own: 1️⃣", is: "")
  }

  @Test func `A reference offers variables with their values and origins, secrets masked`() throws {
    checkCompletion(
      "@id = {{user}}-1\n\nGET https://a.test/{{1️⃣", kind: .variable, limit: 9,
      is: """
        id | {{user}}-1 | file
        host | https://dev.test | environment
        pin | •••••• | private environment
        token | •••••• | private environment
        user | ann | environment
        tenant | acme | shared
        """)
    let broken = [
      "{{us1️⃣", "{{ us1️⃣", "{{%us1️⃣", "{\"a\": {\"b\": \"{{us1️⃣\"}}", "{{a}}{{us1️⃣ }{{b}}",
    ]
    for body in broken {
      checkCompletion(
        "POST /\n\n" + body, kind: .variable, limit: 1, is: "user | ann | environment")
    }
    checkCompletion("POST /\n\n{{a}}1️⃣", is: "")
  }

  @Test func `A reference is closed once`() throws {
    try checkInsertion("GET {{1️⃣", "host", is: "GET {{host}}1️⃣")
    try checkInsertion("GET {{h1️⃣}}/a", "host", is: "GET {{host1️⃣}}/a")
    try checkInsertion("GET {{1️⃣host}}/a", "user", is: "GET {{user1️⃣}}/a")
    try checkInsertion("GET /{{1️⃣{{user}}", "host", is: "GET /{{host}}1️⃣{{user}}")
    try checkInsertion("# ü\r\nX: {{{us1️⃣\r\n", "user", is: "# ü\r\nX: {{{user}}1️⃣\r\n")
    try checkInsertion(
      "POST /\n\n{\"a\": {\"b\": \"{{us1️⃣\"}}", "user",
      is: "POST /\n\n{\"a\": {\"b\": \"{{user}}1️⃣\"}}")
    try checkInsertion("GET /{{$u1️⃣}}", "$uuid", is: "GET /{{$uuid1️⃣}}")
    try checkInsertion("GET /{{$pro1️⃣", "$processEnv", is: "GET /{{$processEnv 1️⃣")
  }

  @Test func `Dynamic variables come with their signatures`() throws {
    var withDotEnv = Bench()
    withDotEnv.dotEnv = "KEY=s3cr3t\nOTHER=1\nKEY=2\n"
    try checkInsertion("GET /{{$dotenv K1️⃣", "KEY", bench: withDotEnv, is: "GET /{{$dotenv KEY}}1️⃣")
    try checkInsertion("GET /{{$datetime 1️⃣}}", "rfc1123", is: "GET /{{$datetime rfc11231️⃣}}")

    checkCompletion(
      "GET /{{$1️⃣", kind: .dynamicVariable, limit: 2,
      is: "$guid | $guid | dynamic\n$uuid | $uuid | dynamic")
    checkCompletion("GET /{{$datetime i1️⃣}}", is: "iso8601")
    checkCompletion("GET /{{$dotenv 1️⃣", bench: withDotEnv, is: "KEY\nOTHER")
    checkCompletion("GET /{{$randomInt 1️⃣", is: "")
  }

  @Test func `Requests can be referred to, and members of their answers`() throws {
    checkCompletion(
      login + "GET /{{1️⃣", bench: answered, kind: .request,
      is: "login | a part of the response of login | request")
    checkCompletion(
      login + "GET /{{login.1️⃣", bench: answered,
      is: "response | the response\nrequest | the request as sent")
    checkCompletion(
      login + "GET /{{login.response.1️⃣}}", bench: answered, limit: 2,
      is: "body | its body\nheaders | its headers")
    checkCompletion(
      login + "GET /{{login.response.headers.1️⃣", bench: answered,
      is: "Content-Type | application/json\nX-Trace | 1")
    checkCompletion(
      login + "GET /{{login.response.body.1️⃣", bench: answered,
      is: "$ | the whole value\n* | the whole body")
    checkCompletion(
      login + "GET /{{login.response.body.$.1️⃣", bench: answered,
      is: "token | t-1\nuser\n['a b'] | 1\nlist | 1 element")
    checkCompletion(
      login + "GET /{{login.response.body.$.user.1️⃣", bench: answered, is: "id | 7\nkey | ••••••")
    checkCompletion(login + "GET /{{login.response.body.$.1️⃣", is: "")
    try checkInsertion(
      login + "GET /{{lo1️⃣", "login", bench: answered, is: login + "GET /{{login.response.1️⃣")
    try checkInsertion(
      login + "GET /{{login.response.body.$.us1️⃣er.id}}", "user", bench: answered,
      is: login + "GET /{{login.response.body.$.user1️⃣.id}}")
    try checkInsertion(
      login + "GET /{{login.response.body.$.to1️⃣", "token", bench: answered,
      is: login + "GET /{{login.response.body.$.token}}1️⃣")
  }

  @Test func `Metadata keys and their arguments`() throws {
    checkCompletion(
      "# @1️⃣\nGET /", limit: 2, is: "name | @name NAME\nnote | @note [TEXT]")
    checkCompletion(login + "// @ref 1️⃣\nGET /", is: "login")
    checkCompletion("# @dialect 1️⃣", limit: 2, is: "auto\nrestclient")
    try checkInsertion(
      "# @no-c1️⃣ookie\r\nGET /", "no-cookie-jar", is: "# @no-cookie-jar1️⃣\r\nGET /")
    try checkInsertion("# @na1️⃣ x", "name", is: "# @name1️⃣ x")
    for key in [
      "graphql", "no-gql-parsing", "post-redirect-get", "attach-cookie-jar", "forceRegionDelimiter",
    ] {
      try checkInsertion("# @\(key.dropLast())1️⃣\nGET /", key, is: "# @\(key)1️⃣\nGET /")
    }
  }

  @Test func `Lines that name requests and files`() throws {
    var bench = Bench()
    bench.requestFiles = ["./b.http": "### two words\nGET /\n", "./sub/c.http": ""]
    let imported = login + "import ./b.http\n\n###\n"
    checkCompletion("import 1️⃣", bench: bench, is: "./b.http\n./sub/c.http")
    checkCompletion("import ./s1️⃣", bench: bench, is: "./sub/c.http")
    checkCompletion("# @import 1️⃣\nGET /", bench: bench, is: "./b.http\n./sub/c.http")
    checkCompletion(imported + "run #1️⃣", bench: bench, is: "login\ntwo words")
    checkCompletion(imported + "run #lo1️⃣", bench: bench, is: "login")
    checkCompletion(
      imported + "run 1️⃣\nGET /", bench: bench, is: "#login\n#two words\n./b.http\n./sub/c.http")
    checkCompletion(imported + "# @ref 1️⃣\nGET /", bench: bench, is: "login\ntwo words")
    try checkInsertion(
      imported + "run #1️⃣log (@a=1)", "two words", bench: bench,
      is: imported + "run #two words1️⃣ (@a=1)")
    try checkInsertion("import ./b1️⃣.htt", "./b.http", bench: bench, is: "import ./b.http1️⃣")
    checkCompletion(imported + "run #login (1️⃣", bench: bench, is: "")
    checkCompletion("GET /\n\nrun #1️⃣", bench: bench, is: "")
  }

  @Test(arguments: [
    "@a = 1️⃣", "@base = https://1️⃣", "import ./1️⃣", "### Title 1️⃣", "# a comment 1️⃣",
    "GET /\nContent-Type: text/plain\n\n{\"a\": 1️⃣}", "GET /\n\n> {%\n // cl1️⃣",
    "GET /?a=1\n\n###\nGET /\n??1️⃣", "HTTP/1.1 1️⃣200 OK\n", "GET / HTTP/1.1 1️⃣",
    "GET /{{nobody.1️⃣", "GET /\n\n?? header ETag == 1️⃣",
  ])
  func `Nothing is offered where nothing is known`(marked: String) {
    checkCompletion(marked, is: "")
  }
}
