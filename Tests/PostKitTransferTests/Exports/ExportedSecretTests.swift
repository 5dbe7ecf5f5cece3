// Literal secrets and tokens of clients in exports.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitTestSupport
import PostKitTransfer
import Testing

@Suite struct ExportedSecretTests {
  private static let literal = """
    ### Find
    GET http://h/?page=2&api_key=canary-1&q=open-1
    X-API-Key: canary-2
    X-Open: open-2

    ### Form
    POST http://h/form
    Content-Type: application/x-www-form-urlencoded

    user=open-3&password=canary-3

    ### Other
    @password = canary-4
    GET http://h/{{password}}

    """

  @Test(arguments: RequestExportFormat.allCases)
  func `literal secrets of headers, queries and forms are left out`(format: RequestExportFormat) {
    let export = ExportSample.export(Self.literal, as: format, environments: [])
    let text = export.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    #expect(!text.contains("canary"), "\(text)")
    for word in ["open-1", "open-2", "open-3"] { #expect(text.contains(word), "\(text)") }
    #expect(!ExportSample.notes(export).contains("canary"))
  }

  @Test func `what stands for literal secrets is told, and is a key of the collection`() {
    let export = ExportSample.export(Self.literal, as: .postman, environments: [])
    expect(ExportSample.notes(export), is: """
      secret-moved shop.http:2 The secret in the request is left out; `api_key` stands for it.
      secret-moved shop.http:2 The secret in the request is left out; `x_api_key` stands for it.
      secret-moved shop.http:7 The secret in the request is left out; `password` stands for it.
      variable-renamed shop.http:1 `password` has several values, so that one of them is called `password_2`.
      """)
    let text = ExportSample.text(export)
    for word in ["\"apikey\"", "{{x_api_key}}", "{{api_key}}", "{{password}}", "{{password_2}}"] {
      #expect(text.contains(word), "\(text)")
    }
  }

  @Test func `a request file has names for literal secrets, and the rest as it is written`() {
    let text = """
      ### a
      GET http://h/{{x_api_key}}
          ?api_key=canary-1
          &q={{q}}&sig={{q}}-canary-2
          # &token=canary-3
      X-API-Key: canary-4
      X-Auth-Token: Key {{k}}
      # X-Secret: canary-5

      ### b
      POST http://h/?api_key=canary-1
      Content-Type: application/x-www-form-urlencoded

      user=ann
      &password=canary-6

      ### c
      curl 'http://h/?access_token=canary-7&a=b' -H 'X-API-Key: canary-4' -d "pw=1&secret=canary-8"

      """
    let export = ExportSample.export(text, as: .http, environments: [])
    expect(ExportSample.text(export), is: """
      ### a
      GET http://h/{{x_api_key}}
          ?api_key={{api_key}}
          &q={{q}}&sig={{q}}{{sig}}
          # &token={{token}}
      X-API-Key: {{x_api_key2}}
      X-Auth-Token: Key {{k}}
      # X-Secret: {{x_secret}}

      ### b
      POST http://h/?api_key={{api_key}}
      Content-Type: application/x-www-form-urlencoded

      user=ann
      &password={{password}}

      ### c
      curl 'http://h/?access_token={{access_token}}&a=b' -H 'X-API-Key: {{x_api_key2}}' -d "pw=1&secret={{secret}}"

      """)
    #expect(ExportSample.notes(export).contains("left out; `x_api_key2` stands for it."))
  }

  private static let clients = """
    {"dev": {"Security": {"Auth": {"svc": {
      "Type": "OAuth2", "Grant Type": "Client Credentials", "Token URL": "https://a/t",
      "Client ID": "me"}}}}}
    """

  @Test(arguments: [RequestExportFormat.postman, .bruno, .opencollection])
  func `an ID token is not the access token of its client`(format: RequestExportFormat) {
    func export(_ word: String) -> (text: String, notes: String) {
      let export = ExportSample.export(
        "GET http://h/\nAuthorization: Bearer {{$auth.\(word)(\"svc\")}}\n", as: format,
        publicFile: Self.clients, privateFile: "{}")
      let text = export.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
      return (text, ExportSample.notes(export))
    }
    let access = export("token")
    #expect(access.text.contains("oauth2") && !access.notes.contains("svc_token"), "\(access)")
    let id = export("idToken")
    #expect(!id.text.contains("oauth2") && id.text.contains("{{svc_id_token}}"), "\(id.text)")
    expect(id.notes, is: """
      auth-partial shop.http:1 `svc_id_token` stands for the ID token of `svc`, which the target can't get by itself.
      """)
  }

  @Test func `a client that is secret as a whole keeps its kind and nothing else`() {
    let file = """
      {"dev": {"Security": {"Auth": {"svc": {
        "Type": "OAuth2", "Grant Type": "Client Credentials", "Token URL": "https://canary-1/t",
        "Client ID": "canary-2", "Client Secret": "canary-3", "Client Credentials": "in body",
        "Custom Request Parameters": {"audience": "canary-4"}}}}}}
      """
    let export = ExportSample.export(
      "GET http://h/\nAuthorization: Bearer {{$auth.token(\"svc\")}}\n", as: .postman,
      publicFile: "{}", privateFile: file)
    let text = export.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    #expect(!text.contains("canary") && !ExportSample.notes(export).contains("canary"), "\(text)")
    for word in ["client_credentials", "{{tokenURL}}", "{{clientID}}", "{{clientSecret}}"] {
      #expect(text.contains(word), "\(text)")
    }
  }

  @Test func `a client that no chosen environment has is told`() {
    let text = "GET http://h/\nAuthorization: Bearer {{$auth.token(\"svc\")}}\n"
    let export = ExportSample.export(
      text, as: .postman, environments: [], publicFile: Self.clients, privateFile: "{}")
    expect(ExportSample.notes(export), is: """
      auth-partial shop.http:1 `svc_token` stands for the token of `svc`: no chosen environment has the client `svc`; `--env` names one.
      """)
  }

  @Test func `a stored environment has its clients in a text`() {
    func clients(_ value: String, secrets: Set<String>) -> [AuthClientField]? {
      let file = SourceFile(
        path: "postkit:/environments", bytes: Array(#"{"dev": {"Security": "\#(value)"}}"#.utf8))
      let source = EnvironmentSource(kind: .stored(secrets: secrets), file: file)
      return EnvironmentSet(sources: [source], active: "dev").clients["svc"]
    }
    let text = #"{\"Auth\": {\"svc\": {\"Client ID\": \"me\"}}}"#
    #expect(clients(text, secrets: [])?.map(\.value) == ["me"])
    #expect(clients(text, secrets: [])?.map(\.isPrivate) == [false])
    #expect(clients(text, secrets: ["Security"])?.map(\.isPrivate) == [true])
    #expect(clients(SecretMask.text, secrets: ["Security"]) == nil)
  }
}
