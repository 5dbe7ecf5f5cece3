// Refactorings of marked text: what becomes of it, and that the same is sent.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

/// The changes that are offered where the selection (⏩ to ⏪) or the caret stands.
private func changes(_ marked: String, _ bench: Bench = Bench()) -> ([CodeChange], [UInt8]) {
  let text = MarkedText(marked)
  let range = text.selections.first ?? text.offset()..<text.offset()
  return (bench.analysis(text.bytes).refactorings(in: range, environmentFiles), text.bytes)
}

private let environmentFiles = EnvironmentFiles(
  publicFile: SourceFile(path: "/project/publicFile.json", bytes: Array(Bench().sources[0].1.utf8)),
  privateFile: nil, publicPath: "/project/publicFile.json",
  privatePath: "/project/privateFile.json")

/// Compares the text after the change of a title with what is expected.
private func checkChange(
  _ title: String, _ marked: String, bench: Bench = Bench(), is expected: String,
  file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  let (found, bytes) = changes(marked, bench)
  guard let change = found.first(where: { $0.title == title }) else {
    Issue.record("only \(found.map(\.title))", sourceLocation: sourceLocation)
    return
  }
  let after = change.disabled.map { "disabled: \($0)" }
    ?? TextEdit.apply(change.edits, to: bytes).map { String(decoding: $0, as: UTF8.self) }
  expect(after ?? "overlapping", is: expected, file: file, sourceLocation: sourceLocation)
}

/// What is sent by each request of a text.
private func sent(_ bytes: [UInt8], _ bench: Bench = Bench()) -> [String] {
  let analysis = bench.analysis(bytes)
  return analysis.document.requests.map { block in
    let lowered = analysis.lowered(block)
    guard let spec = lowered.spec else { return "\(lowered.problems.map(\.message))" }
    return "\(spec.method) \(spec.url) \(spec.headers.fields) \(spec.body)"
  }
}

struct RefactoringTests {
  @Test func `A JSON body is spread over lines and back, and nothing but blanks changes`() {
    let head = "POST {{host}}/\nContent-Type: application/json\n\n"
    let line =
      #"{"id": 1.50e+2, "id": -0, "name": "{{user}} \u00e9", "on": {{on}}, "of": [1, {{n}}], "e": {}}"#
    let lines = """
      {
        "id": 1.50e+2,
        "id": -0,
        "name": "{{user}} \\u00e9",
        "on": {{on}},
        "of": [
          1,
          {{n}}
        ],
        "e": {}
      }
      """
    checkChange(
      "Format the JSON body on several lines", "\(head)1️⃣\(line)\n", is: "\(head)\(lines)\n")
    checkChange(
      "Format the JSON body on one line", "\(head)1️⃣\(lines)\n", is: "\(head)\(line)\n")
    checkChange(
      "Format the JSON body on several lines", "POST {{host}}/\r\n\r\n1️⃣[1,2]\r\n",
      is: "POST {{host}}/\r\n\r\n[\r\n  1,\r\n  2\r\n]\r\n")
  }

  @Test(
    "A body that can't be read, has that layout or another type is not laid out",
    arguments: [
      "{1️⃣\"a\": }\n", "{1️⃣\n  \"a\": 1\n}\n", "{1️⃣{body}}\n", "{1️⃣ {{members}} }\n",
      "[1️⃣\n// one\n1]\n", "[1️⃣\n< ./a.json\n]\n",
    ])
  func otherBodies(_ body: String) {
    let (found, _) = changes("POST {{host}}/\nContent-Type: application/json\n\n\(body)")
    #expect(!found.contains { $0.title == "Format the JSON body on several lines" })
    let (others, _) = changes("POST {{host}}/\nContent-Type: text/plain\n\n[1️⃣1,2]\n")
    #expect(!others.contains { $0.title == "Format the JSON body on several lines" })
  }

  @Test func `A selected text becomes a variable, and the same is sent`() throws {
    checkChange(
      "Extract to the variable `page` of this file", "GET {{host}}/a?page=⏩12⏪&b=1\n",
      is: "@page = 12\nGET {{host}}/a?page={{page}}&b=1\n")
    checkChange(
      "Extract to the variable `xTeamName` of this file",
      "GET {{host}}/\nX-Team-Name: ⏩ blue ⏪\n",
      is: "@xTeamName = blue\nGET {{host}}/\nX-Team-Name:  {{xTeamName}} \n")
    checkChange(
      "Extract to the variable `user2` of this file",
      "POST {{host}}/\nContent-Type: application/json\n\n{\"user\": \"⏩bob⏪\"}\n",
      is: "@user2 = bob\nPOST {{host}}/\nContent-Type: application/json\n\n{\"user\": \"{{user2}}\"}\n")
    for marked in [
      "GET {{host}}/a?page=⏩12⏪&b=1\n", "GET {{host}}/⏩a b⏪/c\nX: y\n",
      "POST {{host}}/\nX: ⏩a, \"b\"⏪\n\n⏩text⏪ of a body\n",
    ] {
      let (found, bytes) = changes(marked)
      let extraction = try #require(found.first { $0.kind == .extract && $0.files.isEmpty })
      let after = try #require(TextEdit.apply(extraction.edits, to: bytes))
      #expect(sent(after) == sent(bytes))
    }
  }

  @Test func `What can't be a variable says why`() {
    checkChange(
      "Extract to the variable `value` of this file", "GET /⏩a{{us⏪er}}\n",
      is: "disabled: The selection contains a reference. Select text without one.")
    checkChange(
      "Extract to the variable `value` of this file", "POST /\n\n⏩a\nb⏪\n",
      is: "disabled: A variable has one line. Select a part of one line.")
    checkChange(
      "Extract to the variable `value` of this file", #"POST /⏩\n⏪"# + "\n",
      is: "disabled: A backslash means something else in a definition. Select text without one.")
    let (found, _) = changes("⏩GET⏪ /\n")
    #expect(!found.contains { $0.kind == .extract })
  }

  @Test func `A selected text goes into the environment's file`() throws {
    let (found, _) = changes("GET {{host}}/a?page=⏩12⏪\n")
    let change = try #require(
      found.first { $0.title == "Extract to the variable `page` of the environment `dev`" })
    guard case .edits(let edits, let bytes) = try #require(change.files.first).content else {
      Issue.record("\(change.files)")
      return
    }
    let after = try #require(TextEdit.apply(edits, to: bytes))
    expect(
      String(decoding: after, as: UTF8.self), is: """
        {
          "$shared": {"tenant": "acme"},
          "dev": {"host": "https://dev.test", "user": "ann", "page": "12"}
        }
        """)
  }

  @Test func `A host that stands in many requests becomes one variable`() {
    checkChange(
      "Extract `https://api.test:8443` of 2 requests to the variable `baseUrl`",
      "### a\nGET https://api.test:8443/1️⃣a?b\n\n### b\nPOST https://api.test:8443\n\n### c\nGET https://api.test/\n",
      is: "@baseUrl = https://api.test:8443\n### a\nGET {{baseUrl}}/a?b\n\n### b\nPOST {{baseUrl}}\n\n### c\nGET https://api.test/\n")
    let (found, _) = changes("GET https://ann:pw@api.test/1️⃣\n")
    #expect(!found.contains { $0.kind == .extract })
  }

  @Test func `A host that a variable has already is written as that`() {
    checkChange(
      "Use `{{host}}` instead of `https://dev.test` in 2 requests",
      "GET https://dev.test/1️⃣a\n\n###\nGET https://dev.test\n\n###\nGET https://dev.test:81/\n",
      is: "GET {{host}}/a\n\n###\nGET {{host}}\n\n###\nGET https://dev.test:81/\n")
    checkChange(
      "Use `{{a}}` instead of `https://a.test`", "@a = https://a.test\n@b = https://a.test/x\nGET https://a.test/1️⃣x\n",
      is: "@a = https://a.test\n@b = https://a.test/x\nGET {{a}}/x\n")
    let (found, _) = changes("@b = https://a.test/x\nGET https://a.test/1️⃣\n")
    #expect(!found.contains { $0.title.hasPrefix("Use `{{") })
  }

  @Test func `A secret that the file spells out goes into the private file`() throws {
    let title = "Move `apiKey` to `privateFile.json`"
    checkChange(
      title, "@a = 1\r\n@apiKey = s3cr3t-1️⃣\r\nGET /{{apiKey}}\r\n",
      is: "@a = 1\r\nGET /{{apiKey}}\r\n")
    let (found, _) = changes("@apiKey = s3cr3t-1️⃣\nGET /{{apiKey}}\n")
    let change = try #require(found.first { $0.title == title })
    #expect(
      change.files.map(\.content) == [
        .new("{\n  \"dev\": {\n    \"apiKey\": \"s3cr3t-\"\n  }\n}\n")
      ])
    for text in [
      "@apiKey = {{t}}1️⃣\n", "@apiKey =1️⃣\n", "@host = a1️⃣\n", "@token = a1️⃣\n",
      "@apiKey = a1️⃣\n@apiKey = b\n",
    ] {
      #expect(!changes(text + "GET /\n").0.contains { $0.title.hasPrefix("Move `") }, "\(text)")
    }
  }

  @Test func `A variable becomes the text that it stands for, but never a secret`() throws {
    checkChange(
      "Inline `host`", "GET {{ho1️⃣st}}/a\n", is: "GET https://dev.test/a\n")
    let secret = "disabled: The value is a secret: everybody who gets the file "
      + "could read it."
    checkChange("Inline `token`", "GET /{{tok1️⃣en}}\n", is: secret)
    checkChange(
      "Inline `a`", "@a = x-{{pin}}\nGET /{{1️⃣a}}\n", is: secret)
    checkChange(
      "Inline `a`", "@a = s3cr3t-value\nGET /{{1️⃣a}}\n", is: secret)
    checkChange(
      "Inline `a`", "@a = {{$uuid}}\nGET /{{1️⃣a}}\n",
      is: "disabled: The value changes at each use.")
    let (found, bytes) = changes("@p = {{user}}/x\nGET {{host}}/{{1️⃣p}}?a\n")
    let inlining = try #require(found.first { $0.kind == .inline })
    let after = try #require(TextEdit.apply(inlining.edits, to: bytes))
    #expect(sent(after) == sent(bytes))
  }

  @Test func `A definition becomes the text that it stands for wherever it is in force`() {
    let title = "Inline `a` at 3 places"
    checkChange(
      title, "@1️⃣a = x\n@b = {{a}}/\nGET /{{a}}\nX: {{ a }}\n###\nGET /{{b}}\n",
      is: "@a = x\n@b = x/\nGET /x\nX: x\n###\nGET /{{b}}\n")
    checkChange(
      "Inline `a`", "@a1️⃣ = x\n###\nGET /{{a}}/{{ab}}\n",
      is: "@a = x\n###\nGET /x/{{ab}}\n")
    checkChange(
      "Inline `a`", "@1️⃣a = {{token}}\n\nGET /{{a}}\n",
      is: "disabled: The value is a secret: everybody who gets the file "
        + "could read it.")
    for text in ["@1️⃣a = x\nGET /\n", "@1️⃣a = x\nGET /{{ab}}\n", "@a = 1️⃣x\nGET /{{a}}\n"] {
      let (found, _) = changes(text)
      #expect(!found.contains { $0.kind == .inline }, "\(text)")
    }
  }

  @Test func `A query goes onto lines and back, and the same is sent`() throws {
    let text = "GET {{host}}/a1️⃣?a=1&b={{user}}&c\nX: y\n"
    let lines = "GET {{host}}/a\n    ?a=1\n    &b={{user}}\n    &c\nX: y\n"
    checkChange("Put each parameter on its own line", text, is: lines)
    checkChange(
      "Put the URL on one line", lines.replacing("b=", with: "1️⃣b="),
      is: text.replacing("1️⃣", with: ""))
    #expect(sent(Array(lines.utf8)) == sent(MarkedText(text).bytes))
    checkChange(
      "Put each parameter on its own line", "GET /a1️⃣?a=1\r\n\r\n", is: "GET /a\r\n    ?a=1\r\n\r\n")
    let (found, _) = changes("GET /{{x?y}}1️⃣\n")
    #expect(!found.contains { $0.title.hasPrefix("Split") })
  }

  @Test func `GET and POST`() {
    let form = "Content-Type: application/x-www-form-urlencoded"
    checkChange(
      "Send the query as a form with POST", "GET1️⃣ /a?b=1&c={{user}}\nX: y\n\n?? status == 200\n",
      is: "POST /a\nX: y\n\(form)\n\nb=1&c={{user}}\n\n?? status == 200\n")
    checkChange(
      "Send the form as a query with GET", "1️⃣POST /a\n\(form)\nX: y\n\nb=1&\nc={{user}}\n",
      is: "GET /a?b=1&c={{user}}\nX: y\n\n")
    checkChange("Send it as POST", "1️⃣/a\n", is: "POST /a\n")
    checkChange("Send it as GET", "POS1️⃣T /a\n", is: "GET /a\n")
    checkChange(
      "Send the form as a query with GET", "1️⃣POST /a\nContent-Type: text/plain\n\nb\n",
      is: "disabled: Only a form body can become a query.")
  }

  @Test func `JSON and forms`() {
    checkChange(
      "Convert the JSON to a form",
      "POST /\nContent-Type: application/json\n\n{1️⃣\"a b\": \"ü &{{user}}\", \"n\": 1.50, \"t\": true}\n",
      is: "POST /\nContent-Type: application/x-www-form-urlencoded\n\na%20b=%C3%BC%20%26{{user}}&\nn=1.50&\nt=true\n")
    checkChange(
      "Convert the form to JSON",
      "POST /\nContent-Type: application/x-www-form-urlencoded\n\na%20b=%C3%BC+1️⃣%22&\nn={{user}}\n",
      is: "POST /\nContent-Type: application/json\n\n{\n  \"a b\": \"ü \\\"\",\n  \"n\": \"{{user}}\"\n}\n")
    checkChange(
      "Convert the JSON to a form", "POST /\nContent-Type: application/json\n\n{1️⃣\"a\": [1]}\n",
      is: "disabled: A form needs an object of strings, numbers and booleans.")
    checkChange(
      "Convert the form to JSON",
      "POST /\nContent-Type: application/x-www-form-urlencoded\n\na=1&a=21️⃣\n",
      is: "disabled: `a` occurs twice, which a JSON object can't express.")
  }

  @Test func `Headers that all requests have are written once, and the same is sent`() throws {
    let text = """
      ### a
      GET {{host}}/a
      Accept: a/b
      X-Team: 1️⃣{{tenant}}
      X-A: 1

      ### b
      POST {{host}}/b
      X-Team: {{tenant}}
      Accept: a/b
      Content-Type: text/plain

      text

      """
    let shared = "### Shared\nAccept: a/b\nX-Team: {{tenant}}\n\n"
    checkChange(
      "Share 2 headers between all 2 requests", text, is: shared + """
        ### a
        GET {{host}}/a
        X-A: 1

        ### b
        POST {{host}}/b
        Content-Type: text/plain

        text

        """)
    let (found, bytes) = changes(text)
    let change = try #require(found.first { $0.title.hasPrefix("Share") })
    let after = try #require(TextEdit.apply(change.edits, to: bytes))
    #expect(Bench().analysis(after).diagnostics(limit: 9).isEmpty)
  }

  @Test func `Headers are shared only where every request has them`() {
    let text = "### a\nGET {{host}}/a\nX-A: 1\n\n### b\nGET {{host}}/b\nAccept: a/b\n"
    checkChange(
      "Share `X-A` between all 2 requests",
      text.replacing("X-A: 1", with: "⏩X-A: 1⏪"), is: "disabled: `b` has another `X-A` or none, so it would change.")
    // A shared block that is there takes them, and so does a file without separators above.
    checkChange(
      "Share `X-B` between all 2 requests",
      "### Shared\nX-A: 1\n\n### a\nGET /a\nX-B: 1️⃣2\n\n### b\nGET /b\nX-B: 2\n",
      is: "### Shared\nX-A: 1\nX-B: 2\n\n### a\nGET /a\n\n### b\nGET /b\n")
    checkChange(
      "Share `X-B` between all 2 requests",
      "GET /a\r\nX-B: 1️⃣2\r\n\r\n###\r\nGET /b\r\nX-B: 2\r\n",
      is: "### Shared\r\nX-B: 2\r\n\r\n###\r\nGET /a\r\n\r\n###\r\nGET /b\r\n")
    // A name that each request defines for itself means something else in another block.
    checkChange(
      "Share `X-B` between all 2 requests",
      "### a\n@x = 1\nGET {{host}}/a\nX-B: {{1️⃣x}}\n\n### b\n@x = 2\nGET {{host}}/b\nX-B: {{x}}\n",
      is: "disabled: This would change what a request sends.")
    let alone = changes("GET /a\nX-B: 1️⃣2\n").0
    var bench = Bench()
    bench.dialect = Dialect(.restclient)
    let elsewhere = changes("### a\nGET /\nX: 1️⃣1\n\n### b\nGET /\nX: 1\n", bench).0
    #expect(!(alone + elsewhere).contains { $0.title.hasPrefix("Share") })
  }

  @Test func `The header that a body needs`() {
    checkChange(
      "Add `Content-Type: application/json`", "POST1️⃣ /\nX: y\n\n{}\n",
      is: "POST /\nX: y\nContent-Type: application/json\n\n{}\n")
    checkChange(
      "Add `Content-Type: application/x-www-form-urlencoded`", "POST1️⃣ /\n\na=1&b=2\n",
      is: "POST /\nContent-Type: application/x-www-form-urlencoded\n\na=1&b=2\n")
    let (found, _) = changes("POST1️⃣ /\n\nwords\n")
    #expect(!found.contains { $0.title.hasPrefix("Add") })
  }

  @Test func `A URL is encoded as it would be sent`() {
    let text = "GET {{host}}/ä b1️⃣/{{user}}?q=100%\n"
    checkChange(
      "Encode the URL", text, is: "GET {{host}}/%C3%A4%20b/{{user}}?q=100%25\n")
    let bytes = MarkedText(text).bytes
    let encoded = Array("GET {{host}}/%C3%A4%20b/{{user}}?q=100%25\n".utf8)
    #expect(sent(bytes) == sent(encoded))
    let (found, _) = changes("GET {{host}}/ä/{{us1️⃣er\n")
    #expect(!found.contains { $0.title == "Encode the URL" })
  }

  @Test func `A body moves into a file and back`() throws {
    var bench = Bench()
    bench.files = ["./create.json", "./raw.json", "./hash.txt"]
    bench.contents = [
      "./create.json": "{\"a\": 1}\n", "./raw.json": "{{user}}", "./hash.txt": "a\n### b\n",
    ]
    let head = "### add one\nPOST /\nContent-Type: application/json\n\n"
    let (found, bytes) = changes(head + "{1️⃣\"a\": \"{{user}}\"}\n", bench)
    let move = try #require(found.first { $0.title == "Move the body to the file `./add-one.json`" })
    #expect(move.files == [
      FileChange(path: "./add-one.json", content: .new("{\"a\": \"{{user}}\"}"))
    ])
    let after = try #require(TextEdit.apply(move.edits, to: bytes))
    #expect(String(decoding: after, as: UTF8.self) == head + "<@ ./add-one.json\n")
    checkChange(
      "Inline the content of `./create.json`", head + "< ./create1️⃣.json\n",
      bench: bench, is: head + "{\"a\": 1}\n")
    let refusal = "disabled: Lines of the file would mean something else inside a request."
    checkChange(
      "Inline the content of `./raw.json`", head + "< ./raw1️⃣.json\n", bench: bench,
      is: refusal)
    checkChange(
      "Inline the content of `./raw.json`", head + "<@ ./raw1️⃣.json\n", bench: bench,
      is: head + "{{user}}\n")
    checkChange(
      "Inline the content of `./hash.txt`", head + "< ./hash1️⃣.txt\n", bench: bench,
      is: refusal)
  }
}
