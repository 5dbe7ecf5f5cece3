// A shop whose requests have all that an export can meet.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitTestSupport
import PostKitTransfer

/// Request files for exports, and what becomes of them.
enum ExportSample {
  /// The requests of the shop.
  static let shop = #"""
    @host = {{baseUrl}}/v1
    @page = 2

    ### Log in
    # @name login
    # @no-redirect
    POST {{host}}/login
    Content-Type: application/json

    {"user": "{{user}}", "password": "{{password}}"}

    ?? status == 200

    ### List orders
    # @timeout 5 s
    GET {{host}}/orders
        ?page={{page}}
        &q=a b
        &flag
    Authorization: Bearer {{login.response.body.$.token}}
    X-Trace: {{$guid}}

    ?? status == 200
    ?? header Content-Type contains json
    ?? body $.items[0].id == 9007199254740993
    ?? body $.items isArray
    ?? duration < 2000

    ### Parts
    # @sleep 250
    POST {{host}}/upload
    Authorization: Basic {{user}} {{password}}
    Content-Type: multipart/form-data; boundary=b

    --b
    Content-Disposition: form-data; name="note"

    hello {{user}}
    --b
    Content-Disposition: form-data; name="photo"; filename="a.png"
    Content-Type: image/png

    < ./photo.png
    --b--

    ### Form
    # @loop for 2
    POST {{host}}/form
    Content-Type: application/x-www-form-urlencoded

    city={{city}}
    &mark=%26

    > {%
      client.global.set("mark", response.body.mark);
    %}

    ### Uses the mark
    DELETE {{host}}/marks/{{mark}}/{{$processEnv SHOP_ID}}

    """#

  /// The public environments of the shop.
  static let environments = """
    {"$shared": {"city": "Bonn am Rhein"},
     "dev": {"baseUrl": "http://127.0.0.1:8080", "user": "ann"},
     "prod": {"baseUrl": "https://shop.example", "user": "bob"}}
    """
  /// Those of the private file. Their values are in no export.
  static let secrets = #"{"dev": {"password": "pw-canary"}, "prod": {"password": "pw-canary-2"}}"#

  /// The export of one file with environments, the first of which gives the values.
  static func export(
    _ text: String, as format: RequestExportFormat, environments chosen: [String] = ["dev"],
    publicFile: String = environments, privateFile: String = secrets
  ) -> RequestExport {
    RequestExport.make(
      [source(text, chosen, publicFile, privateFile)], name: "My shop", as: format, fileName: nil)
  }

  /// A file as it is exported; `place` leads from the export to its folder.
  static func source(
    _ text: String, _ chosen: [String] = [], _ publicFile: String = "{}",
    _ privateFile: String = "{}", label: String = "shop.http", folder: [String] = [],
    to place: String = ""
  ) -> ExportSource {
    let document = ParsedDocument(bytes: text.keptBytes)
    let dialect = FileReading(preset: .auto).dialect(of: document)
    let files = [
      EnvironmentSource(
        kind: .publicFile,
        file: SourceFile(path: "/w/http-client.env.json", bytes: Array(publicFile.utf8))),
      EnvironmentSource(
        kind: .privateFile,
        file: SourceFile(path: "/w/http-client.private.env.json", bytes: Array(privateFile.utf8))),
    ]
    let scopes = ([nil] + chosen.map(Optional.some)).map { name in
      (
        environment: name,
        scope: Scope(
          document: document, environments: EnvironmentSet(sources: files, active: name),
          dialect: dialect)
      )
    }
    let context = EvaluationContext(
      now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 0 }, processEnvironment: { _ in nil },
      readFile: { _ in .missing }, resolvePath: { "/w/" + $0.drop { "./".contains($0) } },
      exampleServer: { nil }, exchange: { _ in nil })
    return ExportSource(
      path: "/w/" + label, label: label, folder: folder, scopes: scopes, context: context,
      relativePath: { place + $0.dropFirst(3) })
  }

  /// The text of the first file.
  static func text(_ export: RequestExport) -> String {
    String(decoding: export.files.first?.bytes ?? [], as: UTF8.self)
  }

  /// A text with a sign for each CR, which no literal can have at the end of a line.
  static func shown(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\r" ? "␍" : $0 }))
  }

  /// The notes, a line each.
  static func notes(_ export: RequestExport) -> String {
    export.notes.map { "\($0.code.rawValue) \($0.place) \($0.message)" }.joined(separator: "\n")
  }
}
