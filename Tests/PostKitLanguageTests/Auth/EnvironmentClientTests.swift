// What is said about clients of `Security.Auth` in the file that has them, and how it is mended.

import PostKitAuth
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitTestSupport
import PostKitText
import Testing

private let privatePath = "/p/http-client.private.env.json"

/// A file of environments with what is said about it below its lines.
private func check(
  _ kind: EnvironmentSource.Kind = .publicFile, beside others: [EnvironmentSource.Kind: String] = [:],
  is expected: String, file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = CaretAnnotations(expected).text
  let found = document(text, kind, beside: others).diagnostics.map {
    CaretAnnotation($0.range, "\($0.severity) \($0.code.rawValue): \($0.message)")
  }
  expect(
    CaretAnnotations.render(text, found), is: expected, file: file, sourceLocation: sourceLocation)
}

private func document(
  _ text: String, _ kind: EnvironmentSource.Kind = .publicFile,
  beside others: [EnvironmentSource.Kind: String] = [:]
) -> EnvironmentDocument {
  func path(_ kind: EnvironmentSource.Kind) -> String {
    kind == .privateFile ? privatePath : "/p/http-client.env.json"
  }
  let sources = others.map { kind, text in
    EnvironmentSource(kind: kind, file: SourceFile(path: path(kind), bytes: Array(text.utf8)))
  }
  return EnvironmentDocument(
    kind, SourceFile(path: path(kind), bytes: Array(text.utf8)), among: sources)
}

@Suite struct EnvironmentClientTests {
  @Test func `What a client lacks is said at its name, with what other files have`() {
    let text = """
      {"dev": {"Security": {"Auth": {
        "shop": {"Type": "OAuth2", "Grant Type": "Client Credentials", "Client ID": "cli"}
      }}}}

      """
    check(
      is: """
        {"dev": {"Security": {"Auth": {
          "shop": {"Type": "OAuth2", "Grant Type": "Client Credentials", "Client ID": "cli"}
        # ^^^^^^ error auth-incomplete: `shop` needs `Token URL` and `Client Secret` for the grant Client Credentials. Add them to http-client.env.json.
        }}}}

        """)
    let own =
      #"{"dev": {"Security": {"Auth": {"shop": {"Token URL": "https://id.test/", "#
      + #""Client Secret": "s"}}}}}"#
    #expect(document(text, beside: [.privateFile: own]).diagnostics == [])
    #expect(document(own, .privateFile, beside: [.publicFile: text]).diagnostics == [])
    check(
      is: """
        {"dev": {"Security": {"Auth": {"shop": {"Type": "OAuth2"}}}}}
        #                              ^^^^^^ error auth-incomplete: `shop` needs `Grant Type`. Add it to http-client.env.json.

        """)
  }

  @Test func `References count as what they stand for`() {
    let text = #"""
      {"dev": {"Security": {"Auth": {"shop": {
        "Grant Type": "{{grant}}", "Token URL": "{{host}}/token", "Client ID": "{{id}}",
        "Client Secret": "{{secret}}", "Redirect URL": "{{host}}"
      }}}}}
      """#
    #expect(!document(text).diagnostics.contains { $0.code.rawValue.hasPrefix("auth-") })
  }

  @Test func `What all environments have may be completed in one`() {
    let text = #"""
      {"$shared": {"Security": {"Auth": {"shop": {"Grant Type": "Client Credentials"}}}},
       "dev": {"Security": {"Auth": {"shop": {"Token URL": "https://id.test/", "Client ID": "c",
         "Client Credentials": "none"}}}}}
      """#
    #expect(document(text).diagnostics == [])
    #expect(
      document(#"{"$shared": {"Security": {"Auth": {"shop": {"Grant Type": "Implicit"}}}}}"#)
        .diagnostics.map(\.code) == [.authGrantLegacy, .authIncomplete].reversed())
  }

  @Test func `Unknown keys, words and grants name what is nearest`() {
    check(
      is: """
        {"dev": {"Security": {"Auth": {
          "a": {"Grant Type": "Client Credntials", "Tokn URL": "https://id.test/"},
        #                     ^^^^^^^^^^^^^^^^^^^ error auth-grant-unknown: `a` has the unknown grant `Client Credntials`. Did you mean `Client Credentials`?
        #                                          ^^^^^^^^^^ hint auth-unknown-key: `a` has the unknown key `Tokn URL`, which has no effect. Did you mean `Token URL`?
          "b": {"Type": "Mock", "token": "t", "PKCE": {"Code Verfier": "v"}, "Client Credentials": "x"}
        #                                              ^^^^^^^^^^^^^^ hint auth-unknown-key: `PKCE` has the unknown key `Code Verfier`, which has no effect. Did you mean `Code Verifier`?
        #                                                                                          ^^^ hint auth-unknown-key: `x` is no value of `Client Credentials` and has no effect. Write one of `in body`, `basic`, `none`, `jwt`, `client_secret_jwt`, `private_key_jwt`, `tls_client_auth`.
        }}}}

        """)
  }

  @Test func `Addresses, legacy grants and reserved parameters have remarks`() {
    check(
      is: """
        {"dev": {"Security": {"Auth": {"a": {
          "Grant Type": "Implicit", "Client ID": "c", "Auth URL": "http://id.test/authorize",
        #               ^^^^^^^^^^ hint auth-grant-legacy: The grant Implicit puts tokens into the address of a page, which RFC 9700 advises against. Use Authorization Code if the provider has it.
        #                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^ warning auth-cleartext: The client secret would cross the network to `id.test` unencrypted. Write `https://`.
          "Redirect URL": "https://app.test/cb", "Issuer": "id.test",
        #                 ^^^^^^^^^^^^^^^^^^^^^ information auth-redirect-unlistenable: PostKit can't listen at this address, so you paste where the browser ends. Write `http://127.0.0.1:PORT/callback` if the provider allows it.
        #                                                  ^^^^^^^^^ error auth-incomplete: `Issuer` needs an absolute URL, such as `https://id.example.com/token`.
          "Custom Request Parameters": {"state": "x", "prompt": {"Value": "login", "Usee": "Everywhere"}}
        #                               ^^^^^^^ error auth-parameter-reserved: PostKit sets the parameter `state` itself. Remove it here.
        #                                                                          ^^^^^^ hint auth-unknown-key: `prompt` has the unknown key `Usee`, which has no effect. Did you mean `Use`?
        }}}}}

        """)
    for address in ["http://127.0.0.1/cb", "http://localhost:{port}/cb", "http://[::1]:0"] {
      let text =
        #"{"dev": {"Security": {"Auth": {"a": {"Type": "Mock", "Token": "t", "Redirect URL": ""#
        + address + #"", "Token URL": "http://127.0.0.1:1/t"}}}}}"#
      #expect(document(text).diagnostics == [], "\(address)")
    }
  }

  @Test func `A secret moves to the private file, which version control leaves out`() throws {
    let text = """
      {"dev": {"Security": {"Auth": {"shop": {
        "Grant Type": "Client Credentials", "Token URL": "https://id.test/", "Client ID": "c",
        "Client Secret": "s3cret"
      }}}}}

      """
    let file = document(text)
    let found = try #require(file.diagnostics.first)
    #expect(found.code == .authSecretPublic && file.diagnostics.count == 1)
    var files = EnvironmentFiles(
      publicFile: nil, privateFile: nil, publicPath: "", privatePath: privatePath)
    files.ignoringPath = "/p/.gitignore"
    let fix = try #require(file.fixes(for: found, in: files).first)
    #expect(fix.title == "Move to http-client.private.env.json")
    let secret = #""Security": {"Auth": {"shop": {"Client Secret": "s3cret"}}}"#
    #expect(
      fix.files == [
        FileChange(
          path: privatePath, content: .new("{\n  \"dev\": {\n    \(secret)\n  }\n}\n")),
        FileChange(path: "/p/.gitignore", content: .new("http-client.private.env.json\n")),
      ])
    let left = try #require(TextEdit.apply(fix.edits, to: Array(text.utf8)))
    #expect(!String(decoding: left, as: UTF8.self).contains("s3cret"))

    // What is there already is completed, and stays as it is.
    let own = "{\n  \"dev\": {\n    \"Security\": {\"Auth\": {\"shop\": {\"Username\": \"ann\"}}}\n  }\n}\n"
    files.privateFile = SourceFile(path: privatePath, bytes: Array(own.utf8))
    files.ignoringPath = nil
    let second = try #require(file.fixes(for: found, in: files).first)
    guard case .edits(let edits, let bytes)? = second.files.first?.content else {
      Issue.record("\(second.files)")
      return
    }
    #expect(second.files.count == 1)
    let written = try #require(TextEdit.apply(edits, to: bytes))
    #expect(
      String(decoding: written, as: UTF8.self)
        == own.replacing("\"ann\"", with: "\"ann\", \"Client Secret\": \"s3cret\""))
  }

  @Test func `What was misspelt is written as it is meant`() throws {
    let text = #"{"dev": {"Security": {"Auth": {"a": {"Grant Type": "Pasword", "Scop": "x"}}}}}"#
    let file = document(text)
    let files = EnvironmentFiles(
      publicFile: nil, privateFile: nil, publicPath: "", privatePath: privatePath)
    let titles = file.diagnostics.flatMap { file.fixes(for: $0, in: files).map(\.title) }
    #expect(titles == ["Write `Password`", "Write `Scope`"])
  }

  @Test func `The schema of VS Code has every key of a client with its sentence`() throws {
    let path = "../../../../editors/vscode/schemas/environment.schema.json"
    let schema = try JSONTree(parsing: Golden.bytes(path))
    let known = schema.root["definitions"]?["client"]?["properties"]
    for key in SecurityAuthKey.all {
      let entry = known?[key.name]
      #expect(entry?["description"]?.string == key.documentation, "\(key.name)")
      let words = entry?["anyOf"]?.elements.first?["enum"]?.elements.compactMap(\.string) ?? []
      #expect(words == key.value.words, "\(key.name)")
    }
    #expect(known?.members.count == SecurityAuthKey.all.count)
  }
}
