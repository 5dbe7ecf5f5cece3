// Paths into exchanges and variables: what there is at each step, of JSON and of XML, and of
// requests that were not sent yet.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitTestSupport
import Testing

private let login = "### \n# @name login\nPOST {{host}}/login\nX-Own: 1\n\n###\nGET /{{login."

struct CompletionPathTests {
  @Test func `Cookies and header fields of an exchange are named, values of cookies masked`() {
    var bench = Bench()
    bench.exchanges["login"] = Bench.exchange(
      "{}", headers: ["Set-Cookie": "sid=very-secret; Path=/", "ETag": "x"])
    checkCompletion(login + "response.cookies.1️⃣", bench: bench, is: "sid | ••••••")
    checkCompletion(login + "request.headers.1️⃣", is: "X-Own")
  }

  @Test func `The body of a request has members, too`() {
    var bench = Bench()
    var exchange = Bench.exchange("{}", headers: [:])
    exchange.requestBody = Array(#"{"user": "ann", "list": [1]}"#.utf8)
    bench.exchanges["login"] = exchange
    checkCompletion(login + "request.body.$.1️⃣", bench: bench, is: "user | ann\nlist | 1 element")
  }

  @Test func `Two dots lead to any member, a condition to those that elements have`() throws {
    var bench = Bench()
    bench.exchanges["login"] = Bench.exchange(
      #"{"list": [{"id": 7, "kind": "x"}, {"own": {"id": 1}}], "pin": "4711"}"#, headers: [:])
    checkCompletion(
      login + "response.body.$..1️⃣", bench: bench, limit: 9,
      is: """
        list | at any depth
        pin | at any depth
        id | at any depth
        kind | at any depth
        own | at any depth
        """)
    try checkInsertion(
      login + "response.body.$..i1️⃣", "id", bench: bench, is: login + "response.body.$..id}}1️⃣")
    checkCompletion(
      login + "response.body.$.list[?(@.1️⃣", bench: bench,
      is: """
        [?(@.id == 1)] | the elements that match a condition
        [?(@.kind == '')] | the elements that match a condition
        [?(@.own == 1)] | the elements that match a condition
        """)
  }

  @Test func `An XPath goes step by step through the elements, their attributes and texts`() throws
  {
    var bench = Bench()
    bench.exchanges["login"] = Bench.exchange(
      """
      <?xml version="1.0"?><!-- <no/> --><feed xmlns:a="u"><entry id="7"><a:name>x</a:name><br/>
      </entry><entry lang='de'/><![CDATA[<no>]]></feed>
      """, headers: [:])
    let body = login + "response.body."
    checkCompletion(
      body + "/1️⃣", bench: bench, limit: 9,
      is: """
        /feed | an element
        //feed | an element
        //entry | an element
        //a:name | an element
        //br | an element
        """)
    checkCompletion(
      body + "/feed/1️⃣", bench: bench, is: "/feed/entry | an element\n/feed/text() | its text")
    checkCompletion(
      body + "//entry[1]/1️⃣", bench: bench, limit: 9,
      is: """
        //entry[1]/a:name | an element
        //entry[1]/br | an element
        //entry[1]/@id | an attribute
        //entry[1]/@lang | an attribute
        //entry[1]/text() | its text
        """)
    checkCompletion(
      body + "/feed//a1️⃣", bench: bench, limit: 1, is: "/feed//a:name | an element")
    try checkInsertion(
      body + "//entry/@1️⃣", "//entry/@id", bench: bench, is: body + "//entry/@id}}1️⃣")
    checkCompletion(body + "$.1️⃣", bench: bench, is: "")
    checkCompletion(body + "//nothing/1️⃣", bench: bench, is: "//nothing/text() | its text")
  }

  @Test func `An answer to a request like it serves until the request is sent`() {
    var sources = CompletionSources()
    sources.bodies = [
      SentBodies(method: "GET", request: [], response: Array(#"{"wrong": 1}"#.utf8)),
      SentBodies(
        method: "POST", request: Array(#"{"user": "ann"}"#.utf8),
        response: Array(#"{"id": 7, "list": [1]}"#.utf8)),
    ]
    checkCompletion(login + "response.body.$.1️⃣", with: sources, is: "id | history\nlist | history")
    checkCompletion(login + "request.body.$.1️⃣", with: sources, is: "user | history")
    let text = MarkedText(login + "response.body.$.1️⃣")
    #expect(
      Bench().analysis(text.bytes).completionNeed(at: text.offset())
        == .bodies(host: "dev.test", path: "/login"))
  }

  @Test func `A variable that is an object has members, one that is a text has none`() throws {
    var bench = Bench()
    bench.sources = [
      (
        .publicFile,
        #"{"dev": {"cfg": {"deep": {"x": 1}, "list": [{"k": 2}], "a b": 1}, "host": "h"}}"#
      ),
      (.privateFile, #"{"dev": {"safe": {"pin": "4711"}}}"#),
    ]
    checkCompletion("GET /{{cfg.1️⃣}}", bench: bench, is: "deep\nlist | 1 element\n['a b'] | 1")
    checkCompletion("GET /{{cfg.list[0].1️⃣}}", bench: bench, is: "k | 2")
    checkCompletion("GET /{{cfg.list[1️⃣]}}", bench: bench, limit: 1, is: "[0]")
    try checkInsertion("GET /{{cfg.deep.1️⃣", "x", bench: bench, is: "GET /{{cfg.deep.x}}1️⃣")
    try checkInsertion("GET /{{cfg.1️⃣", "['a b']", bench: bench, is: "GET /{{cfg['a b']}}1️⃣")
    checkCompletion("GET /{{host.1️⃣}}", bench: bench, is: "")
    checkCompletion("GET /{{safe.1️⃣}}", bench: bench, is: "")
  }
}

struct PathShapeTests {
  @Test(arguments: [
    ("/users/7", "/users/7?x=1", 0), ("/users/7", "/users/12", 1), ("/users/{{id}}", "/users/x", 1),
    ("/a/0f8fad5b-d9cb-469f-a165-70867728950e", "/a/9", 1), ("/users", "/users/7/", 2),
    ("/users/{{id}}", "/users", 2), ("/", "/", 0),
  ])
  func `Paths of one kind are near`(one: String, other: String, distance: Int) {
    #expect(PathShape(one).distance(to: PathShape(other)) == distance)
    #expect(PathShape(other).distance(to: PathShape(one)) == distance)
  }

  @Test(arguments: [
    ("/users/7", "/groups/7"), ("/users/me", "/users/you"), ("/users", "/users/7/mails"),
    ("/", "/7"), ("/users/me", "/users"),
  ])
  func `Others are not`(one: String, other: String) {
    #expect(PathShape(one).distance(to: PathShape(other)) == nil)
  }
}
