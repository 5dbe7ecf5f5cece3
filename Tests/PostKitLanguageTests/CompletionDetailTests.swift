// What the strictest users of an editor expect of a list: the right items in the right order, each
// with the edit that leaves what they mean, in whole and in half-typed text.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// The items at the caret.
private func items(
  _ marked: String, bench: Bench = Bench(), with sources: CompletionSources = CompletionSources()
) -> [CompletionItem] {
  let text = MarkedText(marked)
  return bench.analysis(text.bytes).completion(at: text.offset(), with: sources).items
}

/// Those of a body, as an exchange brought it.
private func answered(_ body: String, headers: HeaderFields = [:]) -> Bench {
  var bench = Bench()
  bench.exchanges["login"] = Bench.exchange(body, headers: headers)
  return bench
}

private let login = "### \n# @name login\nPOST https://a.test/login\n\n###\n"

struct CompletionDetailTests {
  @Test func `All items of a list begin at one place, which some editors take for granted`() throws
  {
    let marked = login + "GET /{{login.response.body.$.1️⃣}}"
    let list = items(marked, bench: answered(#"{"id": 1, "a b": 2}"#))
    #expect(list.map(\.label) == ["id", "['a b']"])
    #expect(Set(list.map(\.replaced.lowerBound)).count == 1)
    #expect(list.map(\.filterText) == [".id", ".['a b']"])
    try checkInsertion(
      marked, "id", bench: answered(#"{"id": 1, "a b": 2}"#),
      is: login + "GET /{{login.response.body.$.id1️⃣}}")
    let target = items("GET {{host}}/a\n\n###\nGET {{host}}1️⃣")
    #expect(target.map(\.filterText) == ["{{host}}", "{{host}}/a"])
  }

  @Test func `What begins with the typed word goes before what has it inside`() {
    checkCompletion(
      "GET https://a.test\nt1️⃣", limit: 3,
      is: """
        Transfer-Encoding | RFC 9112, section 6.1
        Trailer | RFC 9110, section 6.6.2
        TE | RFC 9110, section 10.1.4
        """)
    var bench = Bench()
    bench.requestFiles = ["./form.http": "", "./other.http": ""]
    checkCompletion("import o1️⃣", bench: bench, is: "./other.http\n./form.http")
  }

  @Test func `The rest of a word may stay, but not that of a text in quotes`() {
    #expect(items("GET {{ho1️⃣st}}/a").first?.insertedEnd == 8)
    #expect(items("GET {{ho1️⃣}}/a").first?.insertedEnd == nil)
    #expect(items("GE1️⃣T /a").first?.insertedEnd == 2)
    let body = "POST /\n\n{\"name\": 1}\n\n###\nPOST /\n\n"
    #expect(items(body + "{\"na1️⃣x\": 2}").map(\.insertedEnd) == [nil])
  }

  @Test func `A text with blanks is a snippet where those are known, as Neovim cuts plain ones`() {
    #expect(items("PO1️⃣").first?.snippetText == "POST ")
    let bearer = items("GET /\nAuthorization: B1️⃣").first
    #expect(bearer?.snippet == nil && bearer?.snippetText == "Bearer {{token\\}\\}")
    #expect(items("GET {{ho1️⃣").first?.snippetText == nil)
  }

  @Test func `A quote behind the caret can stay where a text ends in one`() throws {
    let item = try #require(items("POST /\n\n{\"a\": \"us1️⃣\"}").first)
    #expect(item.text == "\"{{user}}\"" && item.isBeforeQuote)
    let kept = item.keepingQuote
    #expect(kept.text == "\"{{user}}" && kept.replaced.upperBound == item.replaced.upperBound - 1)
    #expect(kept.filterText == item.filterText)
    let key = items("POST /\n\n{\"key\": 1}\n\n###\nPOST /\n\n{\"k1️⃣\"}").first
    #expect(key?.keepingQuote.text == "\"key")
  }

  @Test func `The places of a dynamic variable stand where its form has them`() {
    func snippet(_ label: String) -> String? {
      items("GET /{{$1️⃣").first { $0.label == label }?.snippet
    }
    #expect(snippet("$pick") == "\\$pick ${1:LABEL} \\$value: ${2:A}, ${3:B}, ${4:C}\\}\\}")
    #expect(snippet("$prompt") == "\\$prompt ${1:LABEL}\\}\\}")
    #expect(snippet("$random.hexadecimal") == "\\$random.hexadecimal(${1:length})\\}\\}")
    #expect(snippet("$datetime") == "\\$datetime ${1:rfc1123}\\}\\}")
    #expect(snippet("$xpath") == "\\$xpath ${1:expression}\\}\\}")
  }

  @Test func `A dynamic variable without its dollar is meant where a word of it begins so`() {
    #expect(items("GET /{{uu1️⃣}}").map(\.label).contains("$uuid"))
    #expect(!items("GET /{{id1️⃣}}").map(\.label).contains("$uuid"))
    #expect(items("GET /{{$id1️⃣}}").map(\.label).contains("$uuid"))
    // What follows braces that are open is no argument.
    #expect(
      items("POST /\n\n{\"a\": \"{{$hex1️⃣ b\"}").first?.snippet
        == "\\$random.hexadecimal(${1:length})\\}\\}")
  }

  @Test func `A definition is not offered to itself, and no scalar where members follow`() {
    checkCompletion("@a = 1\n@b = {{1️⃣", kind: .variable, limit: 1, is: "a | 1 | file")
    checkCompletion("@zz = {{z1️⃣", kind: .variable, is: "")
    checkCompletion(
      login + "GET /{{l1️⃣.response.status}}", is: "login | a part of the response of login | request")
  }

  @Test func `A definition begins with a name that is used, or one to cover`() throws {
    checkCompletion(
      "@1️⃣\nGET /{{lost}}/{{host}}", limit: 2,
      is: "@lost | used, not defined\n@host | covers https://dev.test | environment")
    try checkInsertion("@lo1️⃣\nGET /{{lost}}", "@lost", is: "@lost = 1️⃣\nGET /{{lost}}")
    try checkInsertion("@lo1️⃣s = 1\nGET /{{lost}}", "@lost", is: "@lost1️⃣ = 1\nGET /{{lost}}")
    checkCompletion("@pin1️⃣", is: "@pin | covers •••••• | private environment")
  }

  @Test func `A comment may become a tag, a request gets a name of its own`() throws {
    checkCompletion("# 1️⃣\nGET /", limit: 1, is: "@name | @name NAME")
    checkCompletion("GET /\n// 1️⃣", limit: 1, is: "@name | @name NAME")
    checkCompletion("# a1️⃣\nGET /", is: "")
    checkCompletion(
      "### Get all users\n# @name 1️⃣\nGET {{host}}/users/{{id}}", is: "getAllUsers\ngetUsers")
    checkCompletion("### a\nGET /\n\n### b\n# @ref 1️⃣\nGET /", is: "a")
  }

  @Test func `A URL that is written out is offered as the variable that holds it`() throws {
    checkCompletion("GET https://d1️⃣", is: "{{host}} | https://dev.test | environment")
    try checkInsertion("GET https://d1️⃣/users", "{{host}}", is: "GET {{host}}1️⃣/users")
    checkCompletion(
      "###\nhttps1️⃣", limit: 2, is: "{{host}} | https://dev.test | environment\nhttps://")
    checkCompletion("GET s3cr1️⃣", is: "")
  }

  @Test func `What a query or a form has already comes last`() {
    let earlier = "GET /x?a=1&b=2\n\n###\n"
    checkCompletion(earlier + "GET /x?a=1&1️⃣", is: "b\na")
    checkCompletion(earlier + "GET /x\n  ?a=1\n  &1️⃣", is: "b\na")
    let form = "POST /f\nContent-Type: application/x-www-form-urlencoded\n\n"
    checkCompletion(form + "a=1&b=2\n\n###\n" + form + "a=1&1️⃣", is: "b\na")
  }

  @Test func `A list of a header has each element once, and keeps its parameters`() throws {
    #expect(!items("GET /\nAccept: text/html, 1️⃣").map(\.label).contains("text/html"))
    checkCompletion("GET /\nAccept-Encoding: gzip, 1️⃣", is: "br\nzstd\nidentity")
    #expect(!items("GET /\nAccept: 1️⃣").contains { $0.label.contains("form") })
    try checkInsertion(
      "GET /\nAccept: te1️⃣xt/html; q=1, x/y", "text/plain",
      is: "GET /\nAccept: text/plain1️⃣; q=1, x/y")
    checkCompletion("POST /\nContent-Type: application/json; 1️⃣", is: "charset=utf-8")
    checkCompletion("POST /\nContent-Type: multipart/form-data;1️⃣", is: "boundary=boundary")
  }

  @Test func `A path follows its marker with the blank that is missing`() throws {
    var sources = CompletionSources()
    sources.entries = { _ in [FolderEntry("a.json"), FolderEntry("b.http"), FolderEntry("c.js")] }
    try checkInsertion("POST /\n\n<1️⃣", "a.json", with: sources, is: "POST /\n\n< a.json1️⃣")
    checkCompletion("POST /\n\n< 1️⃣", with: sources, limit: 3, is: "a.json\nc.js\nb.http")
    checkCompletion("GET /\n\n> 1️⃣", with: sources, limit: 2, is: "c.js\n./")
    checkCompletion("POST /\nContent-Type: text/xml\n\n<1️⃣", with: sources, is: "")
    var bench = Bench()
    bench.requestFiles = ["./b.http": "", "./c.http": ""]
    checkCompletion("import ./b.http\nimport 1️⃣", bench: bench, is: "./c.http")
    checkCompletion("import ./b1️⃣.http", bench: bench, is: "./b.http")
  }

  @Test func `Where a body may begin, what can stand there is offered`() throws {
    checkCompletion(
      "POST /\nContent-Type: text/plain\n\n1️⃣",
      is: """
        < ./ | the content of a file
        ###  | separates two requests
        >> ./ | a file for the response
        """)
    checkCompletion("POST /\nContent-Type: application/json\n\n1️⃣", limit: 2, is: "{}\n[]")
    checkCompletion("POST /\n\nabc\n1️⃣", is: "")
    // A separator that stands is not repeated.
    let skeleton = try #require(items("### a\nge1️⃣").first { $0.label == "get" })
    #expect(skeleton.text == "GET https://example.com\nAccept: application/json\n")
  }

  @Test func `A check asks for a part of the response, then says what must hold of it`() throws {
    checkCompletion("GET /\n\n?? 1️⃣", limit: 1, is: "status | the status code")
    try checkInsertion("GET /\n\n?? st1️⃣", "status", is: "GET /\n\n?? status 1️⃣")
    checkCompletion("GET /\n\n?? status 1️⃣", limit: 2, is: "== | is equal\n!= | is not equal")
    checkCompletion("GET /\n\n?? status == 1️⃣", limit: 1, is: "200")
    checkCompletion("GET /\n\n?? header 1️⃣", limit: 1, is: "Content-Type")
    checkCompletion("GET /\n\n?? header ETag 1️⃣", limit: 1, is: "== | is equal")
    checkCompletion("GET /\n\n?? duration t1️⃣", limit: 1, is: "total | a part of the time")
    // Each predicate that is offered is one.
    for item in items("GET /\n\n?? status 1️⃣") {
      let value = item.label.hasPrefix("is") || item.label == "exists" ? "" : " 1"
      let parsed = Bench().analysis("GET /\n\n?? status \(item.label)\(value)").document.blocks[0]
      #expect(parsed.form(of: parsed.assertions[0]) != nil, "\(item.label)")
    }
  }

  @Test func `The process environment is offered by its names, globals with their values`() {
    checkCompletion("GET /{{$processEnv A1️⃣", is: "API_KEY")
    checkCompletion("GET /{{$env.A1️⃣", is: "$env.API_KEY | process environment")
    #expect(!items("GET /{{$env.1️⃣").contains { "\($0)".contains("k-e-y-1") })
    checkCompletion("GET /{{$timestamp -1 1️⃣", limit: 2, is: "d\nh")
  }
}
