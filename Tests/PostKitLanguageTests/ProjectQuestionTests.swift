// What is asked about a whole project: symbols by a few letters, and who feeds whom.

import PostKitLanguage
import PostKitTestSupport
import Testing

/// The callers and the called of the request at the caret, as `name <- ranges` and `name -> ranges`.
private func checkCalls(
  _ source: String, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
  let project = Project(source)
  let index = project.index()
  let (path, offset) = project.caret
  guard let request = index.callables(in: path, at: offset).first else {
    #expect(expected == [], sourceLocation: sourceLocation)
    return
  }
  func texts(_ ranges: [Range<Int>], _ path: String) -> String {
    ranges.map { project.place($0, in: path) }.joined(separator: " ")
  }
  let incoming = index.calls(to: request.place).map {
    "\($0.from.request.caption) <- \(texts($0.ranges, $0.from.file.path))"
  }
  let outgoing = index.calls(from: request.place).map {
    "\($0.to.request.caption) -> \(texts($0.ranges, path))"
  }
  #expect(incoming + outgoing == expected, sourceLocation: sourceLocation)
}

struct ProjectQuestionTests {
  @Test func `Symbols are found by letters in order, starts of words first`() {
    let index = Project(
      """
      -- a.http --
      @userName = 1
      ### list users
      GET /users
      ### un-named
      GET /x/{{db}}
      ###
      DELETE /users/{{userName}}
      -- http-client.env.json --
      {"dev": {"un": 1, "db": {"user": 2}}}
      """).index()
    func found(_ query: String) -> [String] {
      index.symbols(matching: query, limit: 10).map { "\($0.name) in \($0.container)" }
    }
    #expect(
      found("un") == [
        "un in http-client.env.json, dev", "un-named in a.http", "userName in a.http",
      ])
    #expect(found("deuser") == ["DELETE /users/{{userName}} in a.http"])
    #expect(found("db.u") == ["db.user in http-client.env.json, dev"])
    #expect(found("get users") == ["list users in a.http"])
    #expect(found("xyz") == [])
    #expect(index.symbols(matching: "", limit: 3).count == 3)
  }

  @Test func `Requests call those whose answers they read`() {
    checkCalls(
      """
      -- a.http --
      ### log in
      POST /
      ### u1️⃣se
      # @ref prepare
      GET /{{login.response.body.$.t}}/{{login.response.status}}
      ### prepare
      GET /
      -- b.http --
      import a.http
      ### other
      GET /{{use.response.body}}
      """,
      [
        "other <- b.http:3:use", "log in -> a.http:5:login a.http:5:login",
        "prepare -> a.http:4:prepare",
      ])
  }

  @Test func `Calls lead through variables`() {
    checkCalls(
      """
      -- a.http --
      @token = {{login.response.body.$.t}}
      ### login
      POST /

      > {%
      %}
      @session = {{response.body.$.s}}
      ### u1️⃣se
      GET /{{token}}?s={{session}}
      """, ["login -> a.http:9:token a.http:9:session"])
  }

  @Test func `A file that is run is called with all its requests`() {
    checkCalls(
      """
      -- a.http --
      ### a1️⃣ll
      run ./b.http
      GET /
      -- b.http --
      ### one
      GET /
      ### two
      GET /
      """, ["one -> a.http:2:./b.http", "two -> a.http:2:./b.http"])
  }
}
