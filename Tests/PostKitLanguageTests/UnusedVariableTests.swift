// Variables that nothing reads, in projects of several files.

import PostKitLanguage
import PostKitTestSupport
import Testing

/// Compares what is said to be unused in all files of a project with what is between its marks.
private func checkUnused(
  _ source: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let project = Project(source)
  let index = project.index()
  let found = project.texts.keys.sorted().flatMap { path in
    index.unusedVariables(in: path).map { project.place($0.range, in: path) }
  }
  #expect(found == project.expected, sourceLocation: sourceLocation)
}

struct UnusedVariableTests {
  @Test func `What nothing reads is unused, wherever a file or an environment defines it`() {
    checkUnused(
      """
      -- a.http --
      @⏩old⏪ = 1
      @base = http://a.test
      @url = {{base}}/x
      GET {{url}}/{{tenant}}
      -- http-client.env.json --
      {"$shared": {"tenant": "t"}, "dev": {"tenant": "d", ⏩"gone"⏪: 1}, "live": {⏩"gone"⏪: 2}}
      """)
  }

  @Test func `A name that an importing file, a script, a value or a file that is sent reads is used`() {
    checkUnused(
      """
      -- common.http --
      @token = 1
      @seen = 2
      @inner = 3
      @sent = 4
      @⏩none⏪ = 5
      -- a.http --
      import ./common.http
      ###
      < {%
        client.log(request.variables.get("seen"))
      %}
      GET http://a.test/{{token}}
      ###
      POST http://a.test/

      <@ ./body.json
      -- body.json --
      {"a": "{{sent}}"}
      -- http-client.env.json --
      {"dev": {"outer": "{{inner}}"}}
      -- b.http --
      import ./common.http
      ###
      GET {{outer}}
      """)
  }

  @Test func `Where any name may be read nothing is unused`() {
    checkUnused(
      """
      -- a.http --
      @none = 5
      < {%
        client.log(request.variables.get("no" + "ne"))
      %}
      GET http://a.test/
      """)
    checkUnused("-- http-client.env.json --\n{\"dev\": {\"none\": 1}}\n")
  }

  @Test func `What scripts read by a bare name is used, and an export that nothing reads is not`() {
    checkUnused(
      """
      -- a.http --
      @base = 1
      @who-am-i = 2
      @⏩other⏪ = 3
      < {% client.log(base, whoAmI) %}
      GET http://a.test/{{used}}

      > {%
        exports.used = 1; exports.⏩unused⏪ = 2; exports.seen = 3;
        client.log(exports.seen);
        client.global.set("kept", 4); request.variables.set("⏩mine⏪", 5);
      %}
      """)
    checkUnused(
      """
      -- a.http --
      @base = 1
      GET http://a.test/

      > ./s.js
      -- s.js --
      client.log(base)
      """)
  }
}
