// The names in scripts: found by their calls, followed to where they are used, and renamed.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

struct ScriptNameTests {
  @Test func `A global that a script sets is named wherever it is read`() {
    checkUses(
      """
      -- login.http --
      POST /login

      > {%
        // client.global.set("token", 1)
        client.global.set("⏩to1️⃣ken⏪", response.body.token);
        client.test("it's /* fine */", () => client . global
          ?.get('⏩token⏪'));
      %}
      -- use.http --
      GET /{{⏩token⏪}}
      X-A: {{$global.⏩token⏪}}

      > {% client.global.clear(`⏩token⏪`) %}
      -- other.http --
      @global.⏩token⏪ = t
      @toke = 1
      """)
  }

  @Test func `What a script sets for its request belongs to the variables of the file`() {
    checkUses(
      """
      -- a.http --
      < {% request.variables.set('⏩na1️⃣me⏪', 'x') %}
      GET /{{⏩name⏪}}

      > {% client.log(request.variables.get("⏩name⏪"), client.variables.file.get("⏩name⏪")) %}
      -- b.http --
      GET /{{name}}
      """)
  }

  @Test func `What is read from environments is none of the file's own variables`() {
    checkUses(
      """
      -- a.http --
      @host = mine
      GET {{host}}

      > {% client.log(request.environment.get("⏩ho1️⃣st⏪"),
        client.variables.environment.get('⏩host⏪')) %}
      -- http-client.env.json --
      {"dev": {"⏩host⏪": "h"}}
      """)
  }

  @Test func `Members of httpYac's objects are variables`() {
    checkUses(
      """
      -- a.http --
      {{
        exports.⏩to1️⃣ken⏪ = 'a' + `${exports['⏩token⏪']}{`;
        if (exports.⏩token⏪ == /"/.source) console.log(`client.global.get("token")`);
      }}
      GET /{{⏩token⏪}}
      """)
    checkUses(
      """
      -- a.http --
      {{+request
        $global.⏩id⏪ = 1;
      }}
      GET /{{$global.⏩i1️⃣d⏪}}
      """)
  }

  @Test func `Scripts in Lua keep variables in tables`() {
    checkUses(
      """
      -- a.http --
      < {%
        -- lua
        -- client.global.set("id", 1)
        client.global.⏩i1️⃣d⏪ = "it" --[[ id ]]
        client.global.set("⏩id⏪", 2)
      %}
      GET /{{⏩id⏪}}
      """)
  }

  @Test func `Files with scripts belong to the requests that run them`() {
    checkUses(
      """
      -- a.http --
      < ./s/before.js
      GET /{{⏩i1️⃣d⏪}}

      > ./s/after.js
      -- s/before.js --
      request.variables.set("⏩id⏪", 1); // ä
      -- s/after.js --
      /* ä */ client.log(request.variables.get("⏩id⏪"))
      -- s/other.js --
      request.variables.set("id", 1);
      """)
  }

  @Test func `A script that runs a request names it`() {
    checkUses(
      """
      -- a.http --
      ### ⏩log in⏪
      GET /

      ### two
      {{
        await $httpyac.execute("⏩log1️⃣ in⏪");
      }}
      GET /
      """)
  }

  @Test func `A request reads the answer of the one whose script sets a global`() {
    let project = Project(
      """
      -- a.http --
      ### login
      POST /login

      > {% client.global.set("token", response.body.token) %}

      ### ask
      GET /1️⃣
      Authorization: Bearer {{token}}
      """)
    let index = project.index()
    let (path, offset) = project.caret
    let caller = index.callables(in: path, at: offset).first
    let calls = caller.map { index.calls(from: $0.place) } ?? []
    #expect(calls.map(\.to.request.caption) == ["login"])
  }

  @Test func `Renaming follows names into scripts`() throws {
    let project = Project(
      """
      -- a.http --
      GET /{{to1️⃣ken}}

      > {% client.global.set("token", 'token') %}
      > ./s.js
      -- s.js --
      client.global.get("token")
      """)
    let (path, offset) = project.caret
    let files = try project.index().rename(in: path, at: offset, to: "key", kept: [])
    let places = files.flatMap { file in
      file.edits.map { project.place($0.range, in: file.file.path) + ">" + $0.replacement }
    }
    #expect(places == ["a.http:1:token>key", "a.http:3:token>key", "s.js:1:token>key"])
  }

  @Test(arguments: [
    ("GET /{{to1️⃣ken}}\n\n> {% client.global.get(\"to\" + \"ken\") %}", "builds the name"),
    ("@token = 1\n{{\n  console.log(token)\n}}\nGET /{{to1️⃣ken}}", "has the word `token`"),
    ("@token = 1\n{{\n  console.log(key)\n}}\nGET /{{to1️⃣ken}}", "has the word `key`"),
    ("@token = 1\nGET /{{to1️⃣ken}}/{{token + 1}}", "has the word `token`"),
  ])
  func `What a script may mean otherwise is not renamed`(text: String, reason: String) {
    let project = Project("-- a.http --\n\(text)\n-- b.http --\n@global.token = 1\n")
    let (path, offset) = project.caret
    do throws(RenameRefusal) {
      _ = try project.index().rename(in: path, at: offset, to: "key", kept: [])
      Issue.record("Nothing was refused.")
    } catch {
      #expect(error.message.contains(reason))
      #expect(error.message.contains("a.http:"))
    }
  }

  @Test func `A word that a script declares is its own`() throws {
    let project = Project(
      """
      -- a.http --
      @token = 1
      {{
        const token = 2; console.log({ token: token });
      }}
      GET /{{to1️⃣ken}}
      """)
    let (path, offset) = project.caret
    let files = try project.index().rename(in: path, at: offset, to: "key", kept: [])
    #expect(files.flatMap(\.edits).count == 2)
  }

  @Test func `Any bytes are read to their end`() {
    var random = RepeatableGenerator(seed: 7)
    let pieces = [
      "client.global.set(", "\"a\"", "'", "`", "${", "}", "{", "/", "\\", "*/", "/*", "//", "\n",
      "exports", ".", "[", "]", ")", "=", "ä", "--", "request.variables.get(",
    ]
    for _ in 0..<2_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        text += pieces[Int.random(in: pieces.indices, using: &random)]
      }
      let names = FileNames(path: "/p/a.js", script: Array(text.utf8))
      for occurrence in names.occurrences {
        #expect(occurrence.range.upperBound <= text.utf8.count)
      }
    }
  }
}
