// What is said of requests that differ from the description of their API.

import PostKitDescription
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

struct DescriptionRemarkTests {
  private var bench: Bench {
    var bench = Bench()
    bench.description = ShopDescription.text
    return bench
  }

  /// What is said about the description alone, each with the text that it is about.
  private func remarks(_ text: String) -> [String] {
    bench.analysis(text).diagnostics(limit: 100)
      .filter { $0.code.isAboutDescription || $0.code == .deprecated }
      .map { diagnostic in
        let range = Array(text.utf8)[diagnostic.range]
        return "\(diagnostic.code.rawValue) \(String(decoding: range, as: UTF8.self))"
      }
  }

  @Test(
    "What fits is not remarked on",
    arguments: [
      "GET https://a.test/users?limit=3&order=age&ids=1&ids=2&where[x]=1",
      "GET https://a.test/v1/users/7?fields=a\nX-Tenant: t",
      "GET {{base}}/users/{{id}}?fields={{f}}\nX-Tenant: {{t}}",
      "GET {{base}}/users?{{name}}=1&limit={{limit}}",
      "HEAD https://a.test/users", "OPTIONS https://a.test/users",
      "GET https://other.test/things", "GET https://a.test/{{anything}}",
      "POST https://a.test/users\nContent-Type: application/json; charset=utf-8\n\n"
        + "{\"name\": \"{{user}}\", \"age\": {{age}}, \"role\": \"{{role}}\"}",
      "POST https://a.test/users\nContent-Type: application/json\n\n{\"name\": \"a\", {{more}}}",
      "POST https://a.test/users\nContent-Type: application/json\n\n< ./user.json",
      "POST https://a.test/users\nContent-Type: application/x-www-form-urlencoded\n\nname=a&age=3",
      "POST https://a.test/files\nContent-Type: multipart/form-data; boundary=b\n\n--b\n"
        + "Content-Disposition: form-data; name=\"file\"\n\nx\n--b--",
      "< {% request.variables.set('a', 1) %}\nGET https://a.test/users/7",
      "@x = 7\n\n### \nGET https://a.test/users/{{x}}?fields=a\nX-Tenant: t",
      "GRAPHQL https://a.test/users\n\nquery { a }",
      "POST {{url}}\n\na", "PUT {{base}}{{path}}", "POST {{one.response.headers.Location}}",
    ])
  func fitting(_ text: String) {
    #expect(remarks(text) == [])
  }

  @Test(
    "One difference is said once, at the word that it is about",
    arguments: [
      ("GET https://a.test/usrs", "openapi-path usrs"),
      ("GET https://a.test/v1/users/7/x", "openapi-path x"),
      ("GET {{base}}/usrs?limit=1", "openapi-path usrs"),
      ("GET http://localhost:1/usrs", "openapi-path usrs"),
      ("GET https://a.test/users/", "openapi-path /"),
      ("GET {{base}}/users/ann/?fields=a\nX-Tenant: t", "openapi-path /, openapi-type ann"),
      ("PUT {{base}}/users", "openapi-method PUT"),
      ("GET https://a.test/users?limit=x", "openapi-type x"),
      ("GET https://a.test/users\n  ?limit=1\n  &order=nme", "openapi-type nme"),
      ("GET https://a.test/users?lmit=1", "openapi-query lmit"),
      ("GET https://a.test/users?old=1", "deprecated old"),
      ("DELETE https://a.test/users/7", "deprecated 7"),
      ("GET https://a.test/users/ann?fields=a\nX-Tenant: t", "openapi-type ann"),
      ("GET https://a.test/users/7?fields=a", "openapi-missing /users/7"),
      ("GET https://a.test/users/{{id}}?fields=a", "openapi-missing users"),
      ("GET https://a.test/users\nAccept: text/csv", "openapi-content-type text/csv"),
      (
        "POST https://a.test/users\nContent-Type: text/plain\n\na",
        "openapi-content-type text/plain"
      ),
      ("POST https://a.test/users", "openapi-missing /users"),
      ("GET https://a.test/users\n\nx", "openapi-body x"),
      (
        "POST https://a.test/users\nContent-Type: application/json\n\n{\"age\": 1}",
        "openapi-body {"
      ),
      (
        "POST https://a.test/users\nContent-Type: application/json\n\n{\"name\": 1}",
        "openapi-body 1"
      ),
      (
        "POST https://a.test/users\nContent-Type: application/json\n\n"
          + "{\"name\": \"a\", \"x\": \"{{y}}\"}",
        "openapi-body \"x\""
      ),
      (
        "POST https://a.test/users\nContent-Type: application/json\n\n"
          + "{\"name\": \"a\", \"address\": {}}",
        "openapi-body {"
      ),
      (
        "POST https://a.test/users\nContent-Type: application/x-www-form-urlencoded\n\n"
          + "name=a&\nage=x",
        "openapi-type x"
      ),
      (
        "POST https://a.test/users\nContent-Type: application/x-www-form-urlencoded\n\nname=a&y=1",
        "openapi-body y"
      ),
      (
        "POST https://a.test/files\nContent-Type: multipart/form-data; boundary=b\n\n--b\n"
          + "Content-Disposition: form-data; name=\"note\"\n\nx\n--b--",
        "openapi-body -"
      ),
    ])
  func differing(_ text: String, _ expected: String) {
    // The operation that is deprecated is described without the rest.
    #expect(remarks(text).sorted() == expected.split(separator: ", ").map(String.init))
  }

  @Test func `Members of responses are looked for where nothing was received`() {
    let text = """
      ### one
      POST https://a.test/users
      Content-Type: application/json

      {"name": "{{one.response.body.$.name}}{{one.response.body.$.nme}}{{one.response.body.x.y}}"}

      """
    #expect(remarks(text) == ["openapi-response-path nme", "openapi-response-path x"])
    var analysis = bench.analysis(text)
    analysis.exchangeIDs = ["one": "1"]
    #expect(!analysis.diagnostics(limit: 100).contains { $0.code == .openAPIResponsePath })
  }

  @Test func `The setting says how serious it is, and a file has at most fifty`() {
    var bench = bench
    bench.descriptionSeverity = .warning
    let text = String(repeating: "GET https://a.test/usrs\n\n###\n", count: 60)
    let found = bench.analysis(text).diagnostics(limit: 1_000)
      .filter { $0.code == .openAPIPath }
    #expect(found.count == 50)
    #expect(found.allSatisfy { $0.severity == .warning })
    bench.descriptionSeverity = nil
    #expect(bench.analysis(text).diagnostics(limit: 1_000) == [])
    // What can't be read is told all the same.
    let tagged = bench.analysis("# @openapi none.json\nGET https://a.test/usrs\n")
    #expect(tagged.diagnostics(limit: 9).map(\.code) == [.openAPIFile])
  }

  /// What the fixes of all remarks make of a text, and what the update does.
  private func mended(_ text: String) throws -> (fixes: [String], updated: String) {
    let analysis = bench.analysis(text)
    let found = analysis.diagnostics(limit: 100).filter { $0.code.isAboutDescription }
    let fixes = found.flatMap { analysis.fixes(for: $0) }.map { fix in
      let bytes = TextEdit.apply(fix.edits, to: Array(text.utf8)) ?? []
      return "\(fix.title): \(String(decoding: bytes, as: UTF8.self))"
    }
    let block = try #require(analysis.document.requests.first)
    let edits = analysis.descriptionUpdate(of: block)
    let updated = try #require(TextEdit.apply(edits, to: Array(text.utf8)))
    return (fixes, String(decoding: updated, as: UTF8.self))
  }

  @Test func `The end of a path is mended, as is a body that nobody takes`() throws {
    let slash = try mended("GET {{base}}/users/?limit=1")
    #expect(slash.fixes == ["Remove the slash at the end: GET {{base}}/users?limit=1"])
    #expect(slash.updated == "GET {{base}}/users?limit=1")
    let body = try mended("GET https://a.test/users\n\nx\ny\n\n###\n")
    #expect(body.fixes == ["Remove the body: GET https://a.test/users\n\n###\n"])
    // What people wrote stays unless they say so.
    #expect(body.updated == "GET https://a.test/users\n\nx\ny\n\n###\n")
  }

  @Test func `A body and a form get what they lack`() throws {
    let none = try mended("POST https://a.test/users\nX-A: b\n\n###\n")
    #expect(none.fixes.map { $0.prefix { $0 != ":" } } == [
      "Insert sample body", "Insert sample body with the required members only",
    ])
    #expect(none.updated.contains("X-A: b\nContent-Type: application/json\n\n{\n"))
    #expect(remarks(none.updated) == [])
    let form = try mended(
      "POST https://a.test/users\nContent-Type: application/x-www-form-urlencoded\n\nage=3&")
    #expect(form.updated.hasSuffix("\n\nage=3&name=string") && remarks(form.updated) == [])
    #expect(form.fixes.count == 1)
  }

  @Test func `An update writes what leaves no choice`() throws {
    let all = try mended("GET {{base}}/users/{{id}}/?lmit=1&feilds=a\n")
    #expect(
      all.updated == """
        GET {{base}}/users/{{id}}?lmit=1&feilds=a&fields=string
        X-Tenant: string

        """)
    // Of several methods nobody knows which was meant.
    #expect(try mended("PUT {{base}}/users").updated == "PUT {{base}}/users")
    #expect(try mended("GET https://other.test/a").updated == "GET https://other.test/a")
  }

  @Test(
    "An update leaves what may have been meant otherwise",
    arguments: [
      "GET {{base}}/users?order=nme", "GET {{base}}/users?lmit=1",
      "POST {{base}}/users\nContent-Type: text/plain\n\nhello",
      "GET {{base}}/users\nAccept: text/csv",
      "POST {{base}}/users\nContent-Type: application/json\n\n"
        + "{\"name\": \"a\", \"role\": \"admn\"}",
      "POST {{base}}/users\nContent-Type: application/json\n\n"
        + "{\"name\": \"a\", \"aeg\": 1}",
      "POST {{base}}/users\nContent-Type: application/x-www-form-urlencoded\n\nname=a&aeg=3",
    ])
  func guessing(_ text: String) throws {
    let all = try mended(text)
    #expect(all.fixes.contains { $0.hasPrefix("Write `") })
    #expect(all.updated == text)
    let analysis = bench.analysis(text)
    let block = try #require(analysis.document.requests.first)
    #expect(analysis.descriptionDifferences(of: block) == 1)
  }

  @Test func `No parameter is given a name that another has`() throws {
    for query in ["lmit=1&limit=2", "limit=2&lmit=1"] {
      let text = "GET {{base}}/users?\(query)"
      let all = try mended(text)
      #expect(all.fixes == [] && all.updated == text)
    }
  }

  @Test func `All members that are missing are added at once`() throws {
    var bench = bench
    bench.description = ShopDescription.text.replacing(
      #""required": ["name"]"#, with: #""required": ["name", "age", "role"]"#)
    for (body, expected) in [
      ("{}", #"{"name": "string", "age": 0, "role": "admin"}"#),
      (#"{"age": 1}"#, #"{"age": 1, "name": "string", "role": "admin"}"#),
    ] {
      let text = "POST https://a.test/users\nContent-Type: application/json\n\n\(body)"
      let analysis = bench.analysis(text)
      let first = try #require(
        analysis.diagnostics(limit: 9).first { $0.code == .openAPIBody })
      let fix = try #require(
        analysis.fixes(for: first).first { $0.title.hasPrefix("Add all ") })
      let fixed = try #require(TextEdit.apply(fix.edits, to: Array(text.utf8)))
      #expect(String(decoding: fixed, as: UTF8.self).hasSuffix(expected))
      let block = try #require(analysis.document.requests.first)
      let update = TextEdit.apply(analysis.descriptionUpdate(of: block), to: Array(text.utf8))
      #expect(update == fixed)
    }
  }

  @Test func `What a parameter has in a media type is written in it`() throws {
    var bench = bench
    bench.description = #"""
      {"openapi":"3.1.0","paths":{"/a/":{"get":{"parameters":[
      {"name":"filter","in":"query","required":true,"content":{"application/json":{"schema":
      {"type":"object","required":["q"],"properties":{"q":{"type":"string"}}}}}},
      {"name":"X-Set","in":"header","required":true,"content":{"application/json":{"schema":
      {"type":"array","items":{"type":"integer"}}}}},
      {"name":"sid","in":"cookie","required":true,"schema":{"type":"string"}}]}}}}
      """#
    let analysis = bench.analysis("GET {{base}}/a\n")
    let block = try #require(analysis.document.requests.first)
    let index = try #require(analysis.description(of: block)?.index)
    let made = analysis.newRequest(for: index.description.operations[0], in: index)
    #expect(made?.text == """
      GET {{base}}/a/?filter=%7B%22q%22%3A%22string%22%7D
      X-Set: [0]
      Cookie: sid=string
      """)
    let edits = analysis.descriptionUpdate(of: block)
    let updated = try #require(TextEdit.apply(edits, to: Array("GET {{base}}/a\n".utf8)))
    #expect(String(decoding: updated, as: UTF8.self) == """
      GET {{base}}/a/?filter=%7B%22q%22%3A%22string%22%7D
      X-Set: [0]

      """)
  }

  @Test func `The operation may stand above its request`() {
    let text =
      "GET {{base}}/users/7\n\n###\nGET {{base}}/no\n\n###\nDELETE {{base}}/users/7\n"
      + "\n###\nGET {{url}}\n\n###\nGET {{base}}{{path}}\n"
    let titles = bench.analysis(text).codeLenses(showsOperations: true)
      .filter { $0.action == .showOperation }.map(\.title)
    #expect(titles == ["GET /users/{id} · 200", "DELETE /users/{id} · 204"])
    #expect(!bench.analysis(text).codeLenses().contains { $0.action == .showOperation })
  }

  /// What a file is after a refactoring at its start.
  private func applying(_ title: String, to text: String) throws -> String? {
    let analysis = bench.analysis(text)
    let change = analysis.refactorings(in: 4..<4).first { $0.title == title }
    guard let change else { return nil }
    let bytes = try #require(TextEdit.apply(change.edits, to: Array(text.utf8)))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `A sample of the body has all members, or those that must be there`() throws {
    let text = "POST {{base}}/users\nX-A: b\n"
    let least = try applying("Insert sample body with the required members only", to: text)
    #expect(
      least == """
        POST {{base}}/users
        X-A: b
        Content-Type: application/json

        {
          "name": "string"
        }

        """)
    let all = try #require(try applying("Insert sample body", to: text))
    #expect(all.contains("\"role\": \"admin\"") && all.contains("\"city\""))
    #expect(remarks(all) == [] && remarks(least ?? "") == [])
    let form = "POST {{base}}/users\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    let filled = try #require(try applying("Insert sample body", to: form))
    #expect(filled.contains("\r\n\r\nname=string&\r\nage=0"))
    #expect(remarks(filled) == [])
    let parts = try #require(try applying("Insert sample body", to: "POST {{base}}/files"))
    #expect(parts.contains("name=\"file\"") && remarks(parts) == [])
    // What is there is not replaced.
    #expect(try applying("Insert sample body", to: filled) == nil)
    #expect(try applying("Insert sample body", to: "GET {{base}}/users") == nil)
  }

  @Test func `What the operation needs is added at once`() throws {
    let text = "GET {{base}}/users/{{id}}?x={{y}}\nX-A: b\n\n###\n"
    #expect(
      try applying("Add missing parameters", to: text) == """
        GET {{base}}/users/{{id}}?x={{y}}&fields=string
        X-A: b
        X-Tenant: string

        ###

        """)
  }

  @Test func `Nothing takes long with hostile texts`() {
    let deep = String(repeating: "{\"a\":", count: 2_000)
    for body in [deep, String(repeating: "{{", count: 2_000), "{\"name\": \"\u{0}\"}"] {
      _ = remarks("POST https://a.test/users\nContent-Type: application/json\n\n\(body)")
    }
    _ = remarks("GET https://a.test/" + String(repeating: "a/", count: 5_000))
    _ = remarks("GET https://a.test/users?" + String(repeating: "limit=1&", count: 2_000))
  }
}
