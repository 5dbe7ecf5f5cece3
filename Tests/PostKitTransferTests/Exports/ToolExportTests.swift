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
    expect(ExportSample.text(export), is: #"""
      {
        "info": {
          "_postman_id": "fb86ac6f-bcfa-5b80-a97a-3a5fb6666e3d",
          "name": "My shop",
          "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
        },
        "item": [
          {
            "name": "Log in",
            "id": "1016f738-d016-5032-840e-7a1a52043bc4",
            "protocolProfileBehavior": {
              "followRedirects": false
            },
            "event": [
              {
                "listen": "test",
                "script": {
                  "type": "text/javascript",
                  "exec": [
                    "pm.collectionVariables.set(\"log_in_token\", pm.response.json().token);",
                    "pm.test(\"status == 200\", function () {",
                    "    pm.response.to.have.status(200);",
                    "});"
                  ]
                }
              }
            ],
            "request": {
              "method": "POST",
              "header": [
                {
                  "key": "Content-Type",
                  "value": "application/json"
                }
              ],
              "body": {
                "mode": "raw",
                "raw": "{\"user\": \"{{user}}\", \"password\": \"{{password}}\"}",
                "options": {
                  "raw": {
                    "language": "json"
                  }
                }
              },
              "url": {
                "raw": "{{host}}/login",
                "host": [
                  "{{host}}"
                ],
                "path": [
                  "login"
                ]
              }
            },
            "response": []
          },
          {
            "name": "List orders",
            "id": "4e471896-327c-5a75-b6ce-538990dbee6c",
            "event": [
              {
                "listen": "test",
                "script": {
                  "type": "text/javascript",
                  "exec": [
                    "const jsonData = pm.response.json();",
                    "pm.test(\"status == 200\", function () {",
                    "    pm.response.to.have.status(200);",
                    "});",
                    "pm.test(\"header Content-Type contains json\", function () {",
                    "    pm.expect(pm.response.headers.get(\"Content-Type\")).to.include(\"json\");",
                    "});",
                    "pm.test(\"body $.items[0].id == 9007199254740993\", function () {",
                    "    pm.expect(jsonData.items[0].id).to.eql(9007199254740993);",
                    "});",
                    "pm.test(\"body $.items isArray\", function () {",
                    "    pm.expect(jsonData.items).to.be.an(\"array\");",
                    "});",
                    "pm.test(\"duration < 2000\", function () {",
                    "    pm.expect(pm.response.responseTime).to.be.below(2000);",
                    "});"
                  ]
                }
              }
            ],
            "request": {
              "method": "GET",
              "header": [
                {
                  "key": "X-Trace",
                  "value": "{{$guid}}"
                }
              ],
              "auth": {
                "type": "bearer",
                "bearer": [
                  {
                    "key": "token",
                    "value": "{{log_in_token}}",
                    "type": "string"
                  }
                ]
              },
              "url": {
                "raw": "{{host}}/orders?page={{page}}&q=a%20b&flag",
                "host": [
                  "{{host}}"
                ],
                "path": [
                  "orders"
                ],
                "query": [
                  {
                    "key": "page",
                    "value": "{{page}}"
                  },
                  {
                    "key": "q",
                    "value": "a%20b"
                  },
                  {
                    "key": "flag",
                    "value": null
                  }
                ]
              },
              "description": "Postman has no timeout for one request; it is left out."
            },
            "response": []
          },
          {
            "name": "Parts",
            "id": "2f1def84-e7d7-51e0-a45d-9889efca5b69",
            "event": [
              {
                "listen": "prerequest",
                "script": {
                  "type": "text/javascript",
                  "exec": [
                    "setTimeout(() => {}, 250);"
                  ]
                }
              }
            ],
            "request": {
              "method": "POST",
              "header": [],
              "auth": {
                "type": "basic",
                "basic": [
                  {
                    "key": "username",
                    "value": "{{user}}",
                    "type": "string"
                  },
                  {
                    "key": "password",
                    "value": "{{password}}",
                    "type": "string"
                  }
                ]
              },
              "body": {
                "mode": "formdata",
                "formdata": [
                  {
                    "key": "note",
                    "value": "hello {{user}}",
                    "type": "text"
                  },
                  {
                    "key": "photo",
                    "type": "file",
                    "src": "photo.png",
                    "fileName": "a.png",
                    "contentType": "image/png"
                  }
                ]
              },
              "url": {
                "raw": "{{host}}/upload",
                "host": [
                  "{{host}}"
                ],
                "path": [
                  "upload"
                ]
              }
            },
            "response": []
          },
          {
            "name": "Form",
            "id": "1999b17a-ee15-5e68-977e-fcbeb04ea3df",
            "event": [
              {
                "listen": "test",
                "script": {
                  "type": "text/javascript",
                  "exec": [
                    "pm.collectionVariables.set(\"form_mark\", pm.response.json().mark);"
                  ]
                }
              }
            ],
            "request": {
              "method": "POST",
              "header": [
                {
                  "key": "Content-Type",
                  "value": "application/x-www-form-urlencoded"
                }
              ],
              "body": {
                "mode": "urlencoded",
                "urlencoded": [
                  {
                    "key": "city",
                    "value": "{{city}}",
                    "type": "text"
                  },
                  {
                    "key": "mark",
                    "value": "&",
                    "type": "text"
                  }
                ]
              },
              "url": {
                "raw": "{{host}}/form",
                "host": [
                  "{{host}}"
                ],
                "path": [
                  "form"
                ]
              },
              "description": "Postman sends the request once; the loop is left out."
            },
            "response": []
          },
          {
            "name": "Uses the mark",
            "id": "a8292291-a559-5d8b-8bcc-7bcb64bf852c",
            "request": {
              "method": "DELETE",
              "header": [],
              "url": {
                "raw": "{{host}}/marks/{{form_mark}}/{{SHOP_ID}}",
                "host": [
                  "{{host}}"
                ],
                "path": [
                  "marks",
                  "{{form_mark}}",
                  "{{SHOP_ID}}"
                ]
              }
            },
            "response": []
          }
        ],
        "variable": [
          {
            "key": "host",
            "value": "{{baseUrl}}/v1",
            "type": "string"
          },
          {
            "key": "page",
            "value": "2",
            "type": "string"
          },
          {
            "key": "city",
            "value": "Bonn am Rhein",
            "type": "string"
          },
          {
            "key": "SHOP_ID",
            "value": "",
            "type": "string",
            "description": "A secret: its value is not exported."
          }
        ]
      }

      """#)
    expect(String(decoding: export.files[1].bytes, as: UTF8.self), is: """
      {
        "id": "8dad09ba-1846-5a42-bf66-c8f0ee290108",
        "name": "dev",
        "values": [
          {
            "key": "baseUrl",
            "value": "http://127.0.0.1:8080",
            "type": "default",
            "enabled": true
          },
          {
            "key": "password",
            "value": "",
            "type": "secret",
            "enabled": true
          },
          {
            "key": "user",
            "value": "ann",
            "type": "default",
            "enabled": true
          }
        ],
        "_postman_variable_scope": "environment"
      }

      """)
    expect(ExportSample.notes(export), is: """
      setting-unsupported shop.http:16 Postman has no timeout for one request; it is left out.
      setting-unsupported shop.http:48 Postman sends the request once; the loop is left out.
      """)
  }

  @Test func `a shop becomes a Hurl file with variables`() {
    let export = ExportSample.export(ExportSample.shop, as: .hurl)
    #expect(export.files.map(\.path) == ["my_shop.hurl", "dev.vars"])
    expect(ExportSample.text(export), is: """
      # hurl --test --variables-file dev.vars --secret password=... --secret shop_id=... my_shop.hurl

      # Log in
      POST {{baseurl}}/v1/login
      Content-Type: application/json
      {"user": "{{user}}", "password": "{{password}}"}
      HTTP 200
      [Captures]
      log_in_token: jsonpath "$.token"

      # List orders
      GET {{baseurl}}/v1/orders?page={{page}}&q=a%20b&flag
      X-Trace: {{newUuid}}
      Authorization: Bearer {{log_in_token}}
      [Options]
      location: true
      max-time: 5000ms
      HTTP 200
      [Asserts]
      header "Content-Type" contains "json"
      jsonpath "$.items[0].id" == 9007199254740993
      jsonpath "$.items" isCollection
      duration < 2000

      # Parts
      POST {{baseurl}}/v1/upload
      [Options]
      delay: 250ms
      location: true
      [BasicAuth]
      {{user}}: {{password}}
      [MultipartFormData]
      note: hello {{user}}
      photo: file,photo.png; image/png

      # Form
      POST {{baseurl}}/v1/form
      Content-Type: application/x-www-form-urlencoded
      [Options]
      repeat: 2
      location: true
      [FormParams]
      city: {{city}}
      mark: &
      HTTP *
      [Captures]
      form_mark: jsonpath "$.mark"

      # Uses the mark
      DELETE {{baseurl}}/v1/marks/{{form_mark}}/{{shop_id}}
      [Options]
      location: true

      """)
    expect(String(decoding: export.files[1].bytes, as: UTF8.self), is: """
      baseurl=http://127.0.0.1:8080
      page=2
      city=Bonn am Rhein
      user=ann

      """)
    expect(ExportSample.notes(export), is: "")
  }

  @Test func `a shop becomes a script of curl commands`() {
    let export = ExportSample.export(ExportSample.shop, as: .curl)
    expect(ExportSample.shown(ExportSample.text(export)), is: """
      #!/bin/sh
      # It needs jq to read responses; jq before 1.7 rounds numbers above 2^53.
      set -eu

      SHOP_ID=${SHOP_ID:?a request reads it}
      BASEURL=${POSTKIT_BASEURL-http://127.0.0.1:8080}
      HOST=${POSTKIT_HOST-"$BASEURL"'/v1'}
      PAGE=${POSTKIT_PAGE-2}
      CITY=${POSTKIT_CITY-'Bonn am Rhein'}
      PASSWORD=${POSTKIT_PASSWORD:?its value is a secret and was not exported}
      USER_2=${POSTKIT_USER-ann}

      # Log in
      # A script of curl commands checks no responses.
      LOG_IN_BODY=$(curl --header 'Content-Type: application/json' --header Expect: --compressed --data-raw '{"user": "'"$USER_2"'", "password": "'"$PASSWORD"'"}' "$HOST"'/login')

      # List orders
      # A script of curl commands checks no responses.
      curl --header 'X-Trace: '"$(uuidgen | tr A-F a-f)" --header 'Authorization: Bearer '"$(printf %s "$LOG_IN_BODY" | jq -er '.["token"]')" --compressed --location --max-time 5 "$HOST"'/orders?page='"$PAGE"'&q=a%20b&flag'

      # Parts
      sleep 0.250
      { printf %s '--b␍
      Content-Disposition: form-data; name="note"␍
      ␍
      hello '"$USER_2"'␍
      --b␍
      Content-Disposition: form-data; name="photo"; filename="a.png"␍
      Content-Type: image/png␍
      ␍
      '; cat photo.png; printf %s '␍
      --b--␍
      '; } | curl --header 'Content-Type: multipart/form-data; boundary=b' --user "$USER_2"':'"$PASSWORD" --header Expect: --compressed --location --data-binary @- "$HOST"'/upload'

      # Form
      turn=0
      while [ "$turn" -lt 2 ]; do
        FORM_BODY=$(curl --header 'Content-Type: application/x-www-form-urlencoded' --header Expect: --compressed --location --data-raw 'city='"$CITY"'&mark=%26' "$HOST"'/form')
        turn=$((turn + 1))
      done

      # Uses the mark
      curl --request DELETE --globoff --compressed --location "$HOST"'/marks/'"$(printf %s "$FORM_BODY" | jq -er '.["mark"]')"'/'"$SHOP_ID"

      """)
    expect(ExportSample.notes(export), is: """
      test-unsupported shop.http:7 A script of curl commands checks no responses.
      test-unsupported shop.http:16 A script of curl commands checks no responses.
      """)
  }

  @Test func `a shop becomes a folder for Bruno`() {
    let export = ExportSample.export(ExportSample.shop, as: .bruno, environments: ["dev", "prod"])
    expect(all(export), is: """
      === bruno.json
      {
        "version": "1",
        "name": "My shop",
        "type": "collection",
        "ignore": [
          "node_modules",
          ".git"
        ]
      }
      === Log in.bru
      meta {
        name: Log in
        type: http
        seq: 1
      }

      post {
        url: {{host}}/login
        body: json
        auth: none
      }

      headers {
        Content-Type: application/json
      }

      body:json {
        {"user": "{{user}}", "password": "{{password}}"}
      }

      vars:post-response {
        log_in_token: res.body.token
      }

      assert {
        res.status: eq 200
      }

      settings {
        followRedirects: false
      }
      === List orders.bru
      meta {
        name: List orders
        type: http
        seq: 2
      }

      get {
        url: {{host}}/orders?page={{page}}&q=a%20b&flag
        body: none
        auth: bearer
      }

      headers {
        X-Trace: {{$guid}}
      }

      auth:bearer {
        token: {{log_in_token}}
      }

      assert {
        res.status: eq 200
        res.headers["content-type"]: contains json
        res.body.items[0].id: eq 9007199254740993
        res.body.items: isArray
        res.responseTime: lt 2000
      }

      settings {
        timeout: 5000
      }
      === Parts.bru
      meta {
        name: Parts
        type: http
        seq: 3
      }

      post {
        url: {{host}}/upload
        body: multipartForm
        auth: basic
      }

      auth:basic {
        username: {{user}}
        password: {{password}}
      }

      body:multipart-form {
        note: hello {{user}}
        photo: @file(photo.png) @contentType(image/png)
      }

      script:pre-request {
        await new Promise((done) => setTimeout(done, 250));
      }
      === Form.bru
      meta {
        name: Form
        type: http
        seq: 4
      }

      post {
        url: {{host}}/form
        body: formUrlEncoded
        auth: none
      }

      headers {
        Content-Type: application/x-www-form-urlencoded
      }

      body:form-urlencoded {
        city: {{city}}
        mark: &
      }

      vars:post-response {
        form_mark: res.body.mark
      }

      docs {
        Bruno sends the request once; the loop is left out.
      }
      === Uses the mark.bru
      meta {
        name: Uses the mark
        type: http
        seq: 5
      }

      delete {
        url: {{host}}/marks/{{form_mark}}/{{process.env.SHOP_ID}}
        body: none
        auth: none
      }
      === collection.bru
      vars:pre-request {
        host: {{baseUrl}}/v1
        page: 2
        city: Bonn am Rhein
      }
      === environments/dev.bru
      vars {
        baseUrl: http://127.0.0.1:8080
        user: ann
      }

      vars:secret [
        password
      ]
      === environments/prod.bru
      vars {
        baseUrl: https://shop.example
        user: bob
      }

      vars:secret [
        password
      ]

      """)
    expect(ExportSample.notes(export), is: """
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

      """
    let export = ExportSample.export(text, as: format)
    for file in export.files {
      #expect(!String(decoding: file.bytes, as: UTF8.self).contains("canary"), "\(file.path)")
    }
    #expect(!ExportSample.notes(export).contains("canary"))
    #expect(ExportSample.export(text, as: format) == export)
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
    for format in RequestExportFormat.allCases {
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
      curl --header 'X-Team: blue' --compressed --location "$BASE"'/one'

      # two
      curl --request PUT --header 'X-A: 1' --header 'Content-Type: application/x-www-form-urlencoded' --header Expect: --compressed --location --data-raw 'x=1' "$BASE"'/two'

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
      curl --compressed --location 'http://'"$A"'/x'

      # GET {{b}}/x
      curl --compressed --location "$B"'/x'

      # GET {{c}}/x
      curl --compressed --location "$C"'/x'

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
}
