// Renaming against marked projects, and what it must never do: change what a request means.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

/// Compares the files after a renaming at the caret with `expected`, an archive of those that
/// change.
private func checkRename(
  _ source: String, to name: String, _ expected: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let project = Project(source)
  do throws(RenameRefusal) {
    let after = try project.renamed(to: name)
    let changed = after.filter { $0.value != project.texts[$0.key]?.bytes }
    let archive = changed.keys.sorted().map { path in
      "-- \(path.dropFirst(3)) --\n" + String(decoding: changed[path] ?? [], as: UTF8.self)
    }.joined()
    expect(archive, is: expected, sourceLocation: sourceLocation)
  } catch {
    Issue.record("refused: \(error.message)", sourceLocation: sourceLocation)
  }
}

/// Compares the refusal of a renaming at the caret.
private func checkRefusal(
  _ source: String, to name: String, kept: Set<String> = [], _ expected: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  do throws(RenameRefusal) {
    _ = try Project(source).renamed(to: name, kept: kept)
    Issue.record("renamed", sourceLocation: sourceLocation)
  } catch {
    #expect(error.message == expected, sourceLocation: sourceLocation)
  }
}

extension Project {
  /// The texts after a renaming at the caret.
  func renamed(to name: String, kept: Set<String> = []) throws(RenameRefusal) -> [String: [UInt8]] {
    let (path, offset) = caret
    var result = texts.mapValues(\.bytes)
    for file in try index().rename(in: path, at: offset, to: name, kept: kept) {
      result[file.file.path] = TextEdit.apply(file.edits, to: result[file.file.path] ?? [])
    }
    return result
  }
}

struct RenamingTests {
  @Test func `A variable is renamed in all files that see it`() {
    checkRename(
      """
      -- a.http --
      GET {{ho1️⃣st}}/{{%host}}/{{host.x}}
      -- b.http --
      @host = own
      GET {{host}}
      -- http-client.env.json --
      {"dev": {"host": "http://dev.test"}}
      -- http-client.private.env.json --
      {"dev": {"url": "{{token}}", "token": "{{port}}"}}
      """, to: "base",
      """
      -- a.http --
      GET {{base}}/{{%base}}/{{base.x}}
      -- http-client.env.json --
      {"dev": {"base": "http://dev.test"}}

      """)
  }

  @Test func `A request is renamed with all that calls it`() {
    checkRename(
      """
      -- a.http --
      ### log 1️⃣in
      POST /

      ###
      # @ref log in
      GET /{{login.response.body.$.t}}{{loginResponse.response.status}}
      -- b.http --
      import a.http
      run #Log-in
      """, to: "sign in",
      """
      -- a.http --
      ### sign in
      POST /

      ###
      # @ref sign in
      GET /{{signin.response.body.$.t}}{{signinResponse.response.status}}
      -- b.http --
      import a.http
      run #sign in

      """)
  }

  @Test func `A member of an object is renamed where only paths name it`() {
    checkRename(
      """
      -- a.http --
      GET {{db.ho1️⃣st}}/{{db.port}}
      -- http-client.env.json --
      {"dev": {"db": {"host": "h", "port": 1}}, "prod": {"db": {"host": "p"}}}
      """, to: "name",
      """
      -- a.http --
      GET {{db.name}}/{{db.port}}
      -- http-client.env.json --
      {"dev": {"db": {"name": "h", "port": 1}}, "prod": {"db": {"name": "p"}}}

      """)
  }

  @Test func `What has a fixed name, or none, is not renamed`() {
    checkRefusal(
      "-- a.http --\nGET /{{$uu1️⃣id}}", to: "x",
      "`$uuid` is a dynamic variable, whose name is fixed. Define a variable with its value to "
        + "have a name of your own: `@name = {{$uuid}}`.")
    checkRefusal(
      "-- a.http --\nG1️⃣ET /", to: "x",
      "There is no name here that can be changed. Place the caret on a variable, a key of an "
        + "environment, or the name of a request.")
    checkRefusal(
      "-- a.http --\nGET /{{1️⃣x}}", to: "y",
      "No file of the workspace defines `x`. Save the files that define it, or rename it by hand.")
    checkRefusal(
      "-- a.http --\n@request_1️⃣timeout = 1\nGET /", to: "y",
      "PostKit gives `request_timeout` a meaning that no other name has.")
  }

  @Test func `A name that can't be one is refused`() {
    let source = "-- a.http --\n@x1️⃣ = 1\nGET /{{x}}"
    for name in ["", "a b", "1a", "a.b", "größe", "$x", "-x"] {
      checkRefusal(
        source, to: name,
        "`\(name)` can't be the name of a variable. Use letters, digits, `_` and `-`, beginning "
          + "with a letter or `_`.")
    }
    for name in ["true", "response", "SSLConfiguration", "request_proxy"] {
      checkRefusal(source, to: name, "`\(name)` has a meaning of its own. Use another name.")
    }
  }

  @Test func `A name that is taken is refused`() {
    checkRefusal(
      "-- a.http --\n@x1️⃣ = 1\n@y = 2\nGET /{{x}}", to: "y",
      "`y` is defined at a.http:2 already. Choose a name that is free.")
    checkRefusal(
      "-- a.http --\n@x1️⃣ = 1\nGET /{{y}}", to: "y",
      "`y` is used at a.http:2 already. Choose a name that is free.")
    checkRefusal(
      "-- a.http --\n@x1️⃣ = 1\nGET /\n-- http-client.env.json --\n{\"dev\": {\"y\": 1}}", to: "y",
      "`y` is defined at http-client.env.json:1 already. Choose a name that is free.")
    checkRefusal(
      "-- a.http --\n@x1️⃣ = 1\n### y\nGET /", to: "y",
      "A request of a.http is called `y` already. Choose a name that is free.")
    checkRefusal(
      "-- a.http --\n### a1️⃣\nGET /\n### b\nGET /", to: "B",
      "`b` is defined at a.http:3 already. Choose a name that is free.")
  }

  @Test func `What an earlier run has left behind goes before files`() {
    checkRefusal(
      "-- a.http --\n@x1️⃣ = 1\nGET /", to: "y", kept: ["y"],
      "The global `y` of an earlier run overrides what files define. Forget it with `postkit "
        + "session forget global:y`, then rename.")
  }

  @Test func `A value that is masked because of its name stays masked`() {
    checkRefusal(
      "-- a.http --\nGET /{{API_1️⃣KEY}}\n-- .env --\nAPI_KEY=1", to: "API",
      "PostKit masks the value of `API_KEY` because of its name, and would show that of `API`. Use "
        + "a name with `token`, `secret`, `password` or `key` in it.")
  }

  @Test func `An object that is used as a whole keeps its keys`() {
    checkRefusal(
      """
      -- a.http --
      POST /{{db.ho1️⃣st}}

      {{db}}
      -- http-client.env.json --
      {"dev": {"db": {"host": "h"}}}
      """, to: "name",
      "`{{db}}` at a.http:3 uses the object as a whole, so another key changes what is sent. "
        + "Rename by hand.")
  }

  @Test func `A text that is sent with its braces stays as it is`() {
    checkRefusal(
      """
      -- a.http --
      GET /{{1️⃣x}}/{{list}}
      -- http-client.env.json --
      {"dev": {"x": 1, "list": ["{{x}}"]}}
      """, to: "y",
      "`{{list}}` at a.http:1 sends the text at http-client.env.json:1 with its braces. Rename "
        + "by hand.")
  }

  @Test func `A name of a request and a variable is left alone`() {
    let source = "-- a.http --\n@x = 1\n### x1️⃣\nGET /{{x.response.status}}"
    checkRefusal(
      source, to: "y",
      "`{{x.response.status}}` at a.http:3 can mean the request or a variable of that name. Rename "
        + "by hand.")
  }

  @Test func `A value of an environment may read the answer of a request`() {
    checkRename(
      """
      -- a.http --
      ### login1️⃣
      POST /
      ### use
      GET /{{token}}
      -- http-client.env.json --
      {"dev": {"token": "{{login.response.body.$.t}}"}}
      """, to: "session",
      """
      -- a.http --
      ### session
      POST /
      ### use
      GET /{{token}}
      -- http-client.env.json --
      {"dev": {"token": "{{session.response.body.$.t}}"}}

      """)
  }

  @Test func `Paths that may lead anywhere keep names as they are`() {
    checkRefusal(
      "-- a.http --\n@x1️⃣ = 1\nPOST /\n\n<@ ./{{x}}.json", to: "y",
      "a.http:4 names a file by the path `./{{x}}.json`, which depends on the "
        + "environment. PostKit can't find all uses; rename by hand.")
  }

  @Test func `Files with private values are to be looked at first`() throws {
    let project = Project(
      """
      -- a.http --
      GET /{{t1️⃣}}
      -- http-client.private.env.json --
      {"dev": {"t": 1}}
      -- http-client.env.json --
      {"dev": {"t": 1}}
      """)
    let (path, offset) = project.caret
    let files = try project.index().rename(in: path, at: offset, to: "u", kept: [])
    #expect(
      files.map { "\($0.file.path) \($0.needsConfirmation)" } == [
        "/p/a.http false", "/p/http-client.env.json false",
        "/p/http-client.private.env.json true",
      ])
  }
}
