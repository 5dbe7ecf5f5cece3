// What was said in vain about files that people have written, and what was not said that should.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

struct RealFileTests {
  /// What is diagnosed in a text that is read by a preset, as `code: text`.
  private func found(_ text: String, _ preset: DialectPreset = .auto) -> [String] {
    var bench = Bench()
    bench.dialect = Dialect(preset)
    let document = ParsedDocument(
      bytes: Array(text.utf8), rules: SyntaxRules(preset: preset.rawValue))
    return bench.analysis(of: document).diagnostics(limit: 100).map {
      "\($0.severity) \($0.code.rawValue): \(String(decoding: document.bytes[$0.range], as: UTF8.self))"
    }
  }

  @Test func `httpYac needs no blank line between headers and body`() {
    let text = """
      POST https://a.test/
      Content-Type: application/json
      {"a": 1}

      ###
      POST https://a.test/
      {"a": 1}
      """
    let inOthers = found(text).filter { $0.contains("missing-blank-line") }
    #expect(inOthers.count == 2)
    let codes = found(text, .httpyac)
    #expect(codes == ["hint content-type-missing: {\"a\": 1}"])
  }

  @Test func `A definition that sleeps in a comment is no tag`() {
    checkDiagnostics(
      is: """
      # @host = https://other.test
      // @user=bob
      #  @password = geheim
      # @nam login
      #<^^^^^^^^^^ hint metadata-unknown: Unknown tag `@nam` is ignored. Did you mean `@name`?
      # @named=
      GET https://a.test/

      ###
      # @token = {{login.response.body.$.token}}
      GET https://a.test/
      """)
  }

  @Test func `A request that was not sent is spoken of once, as a hint`() {
    var text = "# @name login\nPOST https://a.test/\n\n###\n# @name list\nGET https://a.test/\n\n"
    for number in 0..<40 {
      text += "###\n# @name use\(number)\nGET https://a.test/\(number)\n"
      text += "Authorization: Bearer {{login.response.body.$.token}}\n"
      text += "X-Id: {{login.response.body.$.id}}{{list.response.body.$[0].id}}\n\n"
    }
    #expect(
      found(text).filter { !$0.contains("variable-redefined") } == [
        "hint request-not-run: {{login.response.body.$.token}}",
        "hint request-not-run: {{list.response.body.$[0].id}}",
      ])
  }

  @Test func `A name that a script sets is not called undefined, and the script is named`() {
    checkDiagnostics(
      is: """
      ### log in
      # @name login
      POST https://a.test/

      > {% client.global.set("session", response.body.token) %}

      ###
      GET https://a.test/{{session}}
      #                  ^^^^^^^^^^^ information set-by-script: The script of `login` sets `session`, but has not done so yet. Send its request first, or add `@session = …`.
      X-A: {{sesion}}
      #    ^^^^^^^^^^ error unresolved-variable: `sesion` is not defined. Add `@sesion = …` here or put it in an environment file.
      """)
  }

  @Test func `A global that a script sets is no misspelt dynamic variable`() {
    checkDiagnostics(
      is: """
      ### full
      GET https://a.test/

      {{
        $global.etag = response.headers.etag;
      }}

      ###
      GET https://a.test/
      If-None-Match: {{$global.etag}}
      #              ^^^^^^^^^^^^^^^^ information set-by-script: The script of `full` sets `$global.etag`, but has not done so yet. Send its request first, or add `@global.etag = …`.
      If-Match: {{$global.tag}}
      #         ^^^^^^^^^^^^^^^ error unresolved-variable: `$global.tag` is not set. Add `@global.tag = …`.
      """)
  }

  @Test func `JSON is looked at where its type stands behind a reference`() {
    checkDiagnostics(
      is: """
      @json = application/json
      @text = text/plain
      POST https://a.test/
      Content-Type: {{json}}

      {"a": 1,}
      #       ^ warning json-body: The body is not valid JSON: unexpected character. Correct it, or change its `Content-Type`.

      ###
      POST https://a.test/
      Content-Type: {{json}}; charset=utf-8

      {"a" 1}
      #    ^ warning json-body: The body is not valid JSON: unexpected character. Correct it, or change its `Content-Type`.

      ###
      POST https://a.test/
      Content-Type: {{text}}

      {"a": 1,}

      ###
      # @prompt type
      POST https://a.test/
      Content-Type: {{type}}

      {"a": 1,}
      """)
  }

  /// Definitions in which everybody can read a secret. The values are made up, and put together
  /// here, so that nobody who looks for secrets takes this file for a place of some.
  @Test(arguments: [
    ("github", "ghp" + "_9aFk2LmQ7xZ3vB8nR5tY1wE6uI0oP4sD2gHj"),
    ("api_key", "4f9a1c77e2b04d6fb3c8e5a90d12f7b6"),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.h7Kq2Lw9Xz4Vb6Nm8Rt1Yp"),
    ("hook", "https://hooks.slack." + "com/services/T0A1B2C3D/B9Z8Y7X6W/q1W2e3R4t5Y6u7I8o9P0aSdF"),
    ("chat", "https://discord." + "com/api/webhooks/998877665544332211/aB3dE5gH7jK9mN1pQ3sT5v"),
  ])
  func `A secret in a definition is told`(name: String, value: String) {
    let text = "@\(name) = \(value)\nGET https://a.test/{{\(name)}}\n"
    #expect(found(text) == ["warning secret-in-file: \(value)"])
  }

  @Test(arguments: [
    ("token", "{{$processEnv TOKEN}}"), ("token", "your-token-goes-here"), ("token", "abc"),
    ("token", "<put your token here>"), ("apiKey", "XXXXXXXXXXXXXXXXXXXXXXXX"),
    ("host", "https://a.test/services/T0A1B2C3D/B9Z8Y7X6W"), ("id", "998877665544332211"),
    ("hook", "https://hooks.slack." + "com/services/YOUR/WEBHOOK/example"),
    ("uuid", "f3c1b8e0-91d4-4c0a-9f6e-2b7d5a3c8e10"),
    ("commit", "33d1840c5be12f7790aa41e63d5b8f02c4d7e916"),
  ])
  func `What is none, or stands for one, is not`(name: String, value: String) {
    let text = "@\(name) = \(value)\nGET https://a.test/{{\(name)}}\n"
    #expect(found(text).filter { $0.contains("secret-in-file") } == [])
  }

  @Test func `Scripts in a block without a request are told like all others`() {
    checkDiagnostics(
      is: """
      @base = https://a.test
      {{
        exports.now = Date.now();
      }}

      ###
      < {%
        request.variables.set("a", 1)
      %}
      GET {{base}}/
      """)
  }

  /// Slips are told in every dialect that has headers and checks as PostKit has them, while names
  /// of one's own are left alone.
  @Test(arguments: DialectPreset.allCases)
  func `Misspelt headers and checks are told in every dialect`(preset: DialectPreset) {
    let text = """
      # @name first
      GET https://a.test/
      Accpt: */*
      Content-Lenght: 3
      Autorization: Bearer {{token}}
      X-Accpt: 1
      Tenant: 1
      """
    #expect(
      found(text, preset) == [
        "warning unknown-header: Accpt", "warning unknown-header: Content-Lenght",
        "warning unknown-header: Autorization",
      ])
    let checks = "GET https://a.test/\n\n?? stauts == 200\n?? status == 200\n?? haeder a == b\n"
    let told = found(checks, preset).filter { $0.hasPrefix("error") }
    let readsChecks = SyntaxRules(preset: preset.rawValue).readsAssertions
    let slips = ["error assertion-syntax: stauts", "error assertion-syntax: haeder"]
    #expect(told == (readsChecks ? slips : []))
  }
}
