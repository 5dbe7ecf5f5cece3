// Requests as collections and files of other tools.

import PostKitJSON
import PostKitTestSupport
import PostKitTransfer
import Testing

@Suite struct ToolExportTests {
  @Test func `a shop becomes a Postman collection with environments`() throws {
    let export = ExportSample.export(ExportSample.shop, as: .postman, environments: ["dev", "prod"])
    #expect(
      export.files.map(\.path) == [
        "my_shop.postman_collection.json", "dev.postman_environment.json",
        "prod.postman_environment.json",
      ])
    Golden.check(
      ExportSample.text(export),
      "exports/a-shop-becomes-a-postman-collection-with-environments.txt")
    Golden.check(
      String(decoding: export.files[1].bytes, as: UTF8.self),
      "exports/a-shop-becomes-a-postman-collection-with-environments-2.txt")
    expect(ExportSample.notes(export), is: """
      setting-unsupported shop.http:16 Postman has no timeout for one request; it is left out.
      setting-unsupported shop.http:48 Postman sends the request once; the loop is left out.
      """)
  }

  @Test func `Postman gets hosts and ports, and no value that nothing makes`() {
    let text = """
      @id = {{$randomInt 1 9}}
      GET http://[::1]:8080/a?b=c&d

      ###
      GET http://{{a.b}}.h.test:{{port}}/{{id}}

      """
    let export = ExportSample.text(ExportSample.export(text, as: .postman, environments: []))
    let folded = export.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(folded.contains(#""host": [ "[::1]" ], "port": "8080", "path": [ "a" ], "query""#))
    #expect(folded.contains(#""test" ], "port": "{{port}}", "path": [ "{{id}}" ]"#))
    #expect(folded.contains(#""value": "{{$randomInt 1 9}}""#) && !export.contains("made_"))
  }

  @Test func `a script behind one of Bruno's own has its stand-ins`() {
    let text = """
      GET http://h/

      > {% bru.setVar("a", "1"); %}
      > {% client.log(response.status); %}
      """
    let export = all(ExportSample.export(text, as: .bruno, environments: []))
    #expect(export.contains("bru.setVar") && export.contains("const client = {"))
  }

  @Test func `a shop becomes a Hurl file with variables`() {
    let export = ExportSample.export(ExportSample.shop, as: .hurl)
    #expect(export.files.map(\.path) == ["my_shop.hurl", "dev.vars"])
    Golden.check(ExportSample.text(export), "exports/a-shop-becomes-a-hurl-file-with-variables.txt")
    expect(String(decoding: export.files[1].bytes, as: UTF8.self), is: """
      baseurl=http://127.0.0.1:8080
      page=2
      city=Bonn am Rhein
      user=ann

      """)
    expect(ExportSample.notes(export), is: """
      header-omitted shop.http:31 Hurl sends the part `photo` with the file name of `photo.png`, not as `a.png`.
      """)
  }

  @Test func `a shop becomes a script of curl commands`() {
    let export = ExportSample.export(ExportSample.shop, as: .curl)
    Golden.check(
      ExportSample.shown(ExportSample.text(export)),
      "exports/a-shop-becomes-a-script-of-curl-commands.txt")
    expect(ExportSample.notes(export), is: """
      template-unsupported  The script needs `SHOP_ID` from its environment.
      secret-empty  The script needs `POSTKIT_PASSWORD` from its environment: its value is a secret and was not exported.
      test-unsupported shop.http:7 A script of curl commands checks no responses.
      test-unsupported shop.http:16 A script of curl commands checks no responses.
      """)
  }

  @Test func `a shop becomes a folder for Bruno`() {
    let export = ExportSample.export(ExportSample.shop, as: .bruno, environments: ["dev", "prod"])
    Golden.check(all(export), "exports/a-shop-becomes-a-folder-for-bruno.txt")
    expect(ExportSample.notes(export), is: """
      header-omitted shop.http:31 Bruno sends the part `photo` with the file name of `photo.png`, not as `a.png`.
      setting-unsupported shop.http:48 Bruno sends the request once; the loop is left out.
      """)
  }

  /// The files of a folder, one after the other.
  private func all(_ export: RequestExport) -> String {
    export.files.map { "=== \($0.path)\n" + String(decoding: $0.bytes, as: UTF8.self) }.joined()
  }

  @Test(arguments: RequestExportFormat.allCases)
  func `no secret is in an export, and each is the same again`(_ format: RequestExportFormat) {
    let text = """
      @apiToken = canary-1
      @url = https://h/{{apiToken}}

      ### a
      GET {{url}}
      Authorization: Basic bob canary-2
      Cookie: sid=canary-3

      ### b
      GET https://ann:canary-4@h/
      X-Password: {{password}}

      ### c
      GET https://h/
      Authorization: Digest ann canary-5

      ### d
      GET https://h/
      Authorization: Bearer canary-6

      ### e
      # @proxy http://bob:canary-7@proxy.example:8080
      GET https://h/
      Authorization: Custom canary-8{{password}}
      Cookie: sid=canary-9; theme={{password}}

      """
    let export = ExportSample.export(text, as: format)
    for file in export.files {
      #expect(!String(decoding: file.bytes, as: UTF8.self).contains("canary"), "\(file.path)")
    }
    #expect(!ExportSample.notes(export).contains("canary"))
    #expect(ExportSample.export(text, as: format) == export)
  }

  @Test func `a request file keeps what is no secret of a field`() {
    let text = """
      ### a
      GET http://h/
      Authorization: AWS canary-1 {{k}} token:canary-2 region:eu service:s3

      ### b
      GET http://h/
      Authorization: Digest ann canary-3

      ### c
      GET http://h/
      Authorization: Basic Y2FuYXJ5

      """
    let export = ExportSample.export(text, as: .http)
    let lines = all(export).split(separator: "\n").filter { $0.hasPrefix("Authorization") }
    #expect(
      lines == [
        "Authorization: AWS {{masked}} {{k}} token:{{masked}} region:eu service:s3",
        "Authorization: Digest ann {{masked}}", "Authorization: Basic {{masked}}",
      ])
  }

  @Test(arguments: RequestExportFormat.allCases)
  func `titles and values can't break out of an export`(_ format: RequestExportFormat) throws {
    let text = """
      @x = a'b"c\\d`e${f}$(g)
      ### */ ''' \"\"\" ` $(touch /tmp/x) {%
      GET http://h/{{x}}?y='{{x}}'
      X-A: '"`$(a)\\

      '"`$(b) \\ {{x}}

      """
    let export = ExportSample.export(text, as: format)
    #expect(export.requestCount == 1)
    #expect(!export.files.isEmpty)
  }

  @Test func `what can't be written is told with its place`() {
    let text = """
      ### socket
      WEBSOCKET ws://h/

      ### odd
      @ready = true
      @items = [1]
      # @loop for x of items
      # @if ready
      GET http://h/{{= 1 + 1}}/{{a[*]}}

      ?? js 1 == 1
      ?? xpath //a == 1

      """
    // A request file says all of it.
    for format in RequestExportFormat.allCases where format != .http {
      let export = ExportSample.export(text, as: format)
      let codes = export.notes.map(\.code.rawValue)
      #expect(codes.contains("protocol-unsupported"), "\(format)")
      #expect(codes.contains("setting-unsupported"), "\(format)")
      #expect(codes.contains("template-unsupported"), "\(format)")
      #expect(codes.contains("test-unsupported"), "\(format)")
      #expect(export.notes.allSatisfy { $0.place.hasPrefix("shop.http:") }, "\(format)")
    }
  }

  @Test func `equal names with other values get other names`() {
    let text = """
      ### a
      @id = 1
      GET http://h/{{id}}

      ### b
      @id = 2
      GET http://h/{{id}}/{{user}}

      ### a
      @user = carl
      GET http://h/{{id}}/{{user}}

      """
    let export = ExportSample.export(text, as: .hurl)
    expect(String(decoding: export.files[1].bytes, as: UTF8.self), is: """
      id=1
      id_2=2
      user_2=carl

      """)
    expect(ExportSample.text(export), is: """
      # hurl --test --variables-file dev.vars my_shop.hurl

      # a
      GET http://h/{{id}}
      [Options]
      location: true

      # b
      GET http://h/{{id_2}}/{{user_2}}
      [Options]
      location: true

      # a 2
      GET http://h/{{id_2}}/{{user_2}}
      [Options]
      location: true

      """)
    expect(ExportSample.notes(export), is: """
      duplicate-title shop.http:11 Several requests are called `a`; this one is number 2.
      variable-renamed shop.http:1 `id` has several values, so that one of them is called `id_2`.
      variable-renamed shop.http:1 `user` has several values, so that one of them is called `user_2`.
      """)
  }

  @Test func `a shared block and a curl command are requests like others`() {
    let text = """
      @base = http://h

      ### Shared
      # @name shared
      X-Team: blue

      ### one
      GET {{base}}/one

      ### two
      curl -X PUT '{{base}}/two' -H 'X-A: 1' -d 'x=1'

      """
    expect(ExportSample.text(ExportSample.export(text, as: .curl, environments: [])), is: """
      #!/bin/sh
      set -eu

      BASE=${POSTKIT_BASE-http://h}

      # one
      curl --globoff --header 'X-Team: blue' --compressed --location "$BASE"'/one'

      # two
      curl --request PUT --globoff --header 'X-A: 1' --header 'Content-Type: application/x-www-form-urlencoded' --header Expect: --compressed --location --data-raw 'x=1' "$BASE"'/two'

      """)
  }

  @Test func `a base without a scheme gets one`() {
    let text = "@a = h.example\n@b = https://h.example\n\nGET {{a}}/x\n\n###\nGET {{b}}/x\n\n###\nGET {{c}}/x\n"
    expect(ExportSample.text(ExportSample.export(text, as: .curl, environments: [])), is: """
      #!/bin/sh
      set -eu

      A=${POSTKIT_A-h.example}
      B=${POSTKIT_B-https://h.example}
      C=${POSTKIT_C:?nothing in the export gives its value}

      # GET {{a}}/x
      curl --globoff --compressed --location 'http://'"$A"'/x'

      # GET {{b}}/x
      curl --globoff --compressed --location "$B"'/x'

      # GET {{c}}/x
      curl --globoff --compressed --location "$C"'/x'

      """)
  }

  @Test func `files in folders become folders, and requests of other files are found`() throws {
    let sources = [
      ExportSample.source("### a\nGET http://h/a\n", label: "x/a.http", folder: ["x", "a"]),
      ExportSample.source("### b\nGET http://h/b\n", label: "b.http", folder: ["b"]),
    ]
    let export = RequestExport.make(sources, name: "all", as: .postman, fileName: "c.json")
    let root = try JSONTree(parsing: export.files[0].bytes).root.value
    #expect(root["item"]?.elements.map { $0["name"] } == ["x", "b"])
    #expect(root["item"]?.elements[0]["item"]?.elements[0]["name"] == "a")
  }

  @Test func `a request that others need stands in a request file once`() {
    let text = """
      @host = http://h

      ### Login
      # @name login
      POST {{host}}/login

      ### Get
      GET {{host}}/get
      Authorization: Bearer {{login.response.body.$.token}}

      ### Late
      GET {{host}}/late/{{after.response.body.$.id}}

      ### After
      # @name after
      GET {{host}}/after

      ### Twice
      GET {{host}}/twice

      ### Twice
      GET {{host}}/twice

      """
    let export = ExportSample.export(text, as: .http)
    let lines = ExportSample.text(export).split(separator: "\n")
    func count(_ end: String) -> Int { lines.count { $0.hasSuffix(end) } }
    #expect(count("/login") == 1 && count("/get") == 1, "\(ExportSample.text(export))")
    #expect(count("$.id}}") == 1 && count("/after") == 1 && count("/twice") == 2)
    #expect(export.requestCount == 6)
  }

  @Test func `paths lead from the export to the files`() {
    let text = """
      ### Send
      < ./before.js
      POST http://h/
      Content-Type: application/octet-stream

      < ./x.bin

      """
    let source = ExportSample.source(text, to: "../")
    let export = RequestExport.make([source], name: "e", as: .http, fileName: "e.http")
    let written = ExportSample.text(export)
    #expect(written.contains("\n< ../x.bin\n") && written.contains("\n< ../before.js\n"))
    let same = ExportSample.text(ExportSample.export(text, as: .http))
    #expect(same.contains("\n< ./x.bin\n"))
  }

  @Test func `a script of curl has values as URLs and forms have them`() {
    let text = """
      ### Find
      GET {{base}}/find?q={{sp}}
      X-Plain: {{sp}}

      ### Form
      POST {{base}}/form
      Content-Type: application/x-www-form-urlencoded

      q={{sp}}&w={{%sp}}

      """
    let export = ExportSample.export(
      text, as: .curl, publicFile: #"{"dev": {"base": "http://h", "sp": "a b&c"}}"#)
    let written = ExportSample.text(export)
    #expect(written.contains("SP=${POSTKIT_SP-'a b&c'}"), "\(written)")
    #expect(written.contains("SP_ENCODED=${POSTKIT_SP_ENCODED-'a%20b&c'}"), "\(written)")
    #expect(written.contains("SP_ENCODED_2=${POSTKIT_SP_ENCODED_2-a%20b%26c}"), "\(written)")
    #expect(written.contains("/find?q='\"$SP_ENCODED\""), "\(written)")
    #expect(written.contains("X-Plain: '\"$SP\""), "\(written)")
    #expect(written.contains("q='\"$SP_ENCODED\"'&w='\"$SP_ENCODED_2\""), "\(written)")
  }
}
