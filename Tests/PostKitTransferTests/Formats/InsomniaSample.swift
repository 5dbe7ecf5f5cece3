// Hand-made exports of Insomnia that have something of everything.

/// Sources for tests.
enum InsomniaSample {
  /// An export of version 4.
  static let list = """
    _type: export
    __export_format: 4
    __export_date: 2026-01-31T10:00:00.000Z
    __export_source: insomnia.desktop.app
    resources:
      - {_id: wrk_1, _type: workspace, parentId: null, name: Shop, description: All of it,
          scope: design}
      - _id: fld_1
        _type: request_group
        parentId: wrk_1
        name: Users
        description: About users
        environment: {tier: gold, limits: {day: 5}}
        environmentPropertyOrder: null
        metaSortKey: -5
        headers: [{name: X-Team, value: "{{ _.team }}"}]
        authentication: {type: bearer, token: "{{ _.token }}", prefix: Token}
        preRequestScript: "insomnia.environment.set('a', 1);"
        afterResponseScript: ""
      - _id: req_2
        _type: request
        parentId: fld_1
        name: Get user
        description: One user
        method: GET
        url: "{{ _.base }}/users/:id/:none?x=1&flag#top"
        parameters:
          - {id: pair_1, name: y, value: "a {{ _['b-c'] }}", description: Why}
          - {name: z, value: 2, disabled: true}
          - {name: "", value: ""}
        pathParameters: [{name: id, value: "7"}, {name: none, value: ""}, {name: gone, value: "1"}]
        headers:
          - {name: Accept, value: text/plain}
          - {name: X-Off, value: "0", disabled: true}
        body: {}
        authentication: {}
        settingFollowRedirects: "off"
        settingSendCookies: false
        settingStoreCookies: false
        settingEncodeUrl: false
        settingRebuildPath: true
        settingDisableRenderRequestBody: false
        metaSortKey: 20
        isPrivate: false
      - _id: req_1
        _type: request
        parentId: fld_1
        name: Log in
        method: POST
        url: http://x/login
        headers: [{name: Content-Type, value: application/json}]
        body: {mimeType: application/json, text: '{"a": "{{ _.who.name }}"}'}
        authentication: {type: basic, disabled: true, username: ann, password: pw}
        metaSortKey: 10
      - _id: ws-req_1
        _type: websocket_request
        parentId: wrk_1
        name: Socket
        url: ws://x
        headers: []
        parameters: []
        authentication: {type: none}
      - {_id: p1, _type: websocket_payload, parentId: ws-req_1, name: hello,
          value: "hi {{ _.n }}", mode: text}
      - _id: greq_1
        _type: grpc_request
        parentId: wrk_1
        name: Call
        url: x:9000/
        protoMethodName: /a.B/C
        protoFileId: pf_1
        metadata: [{name: k, value: v}]
        body: {text: "{}"}
        reflectionApi: {enabled: true, url: https://r, apiKey: "", module: m}
      - {_id: pf_1, _type: proto_file, parentId: wrk_1, name: b.proto,
          protoText: "syntax = 'proto3';"}
      - _id: env_1
        _type: environment
        parentId: wrk_1
        name: Base Environment
        data: {base: http://b, who: {name: ann, id: 1}, n: 5, on: true, list: [1]}
        dataPropertyOrder: {"&": [base]}
      - _id: env_2
        _type: environment
        parentId: env_1
        name: prod
        color: red
        isPrivate: true
        data: {base: "{{ _.base }}/v2", who: {name: bob}}
        metaSortKey: 2
      - _id: env_3
        _type: environment
        parentId: env_1
        name: dev
        environmentType: kv
        kvPairData:
          - {id: "1", name: key, value: s, type: secret, enabled: true}
          - {id: "2", name: off, value: x, type: str, enabled: false}
        data: {key: s, __insomnia_vault: {hidden: "0xAB"}}
        metaSortKey: 1
      - {_id: jar_1, _type: cookie_jar, parentId: wrk_1, name: Jar, cookies: [{key: a, value: b}]}
      - {_id: spc_1, _type: api_spec, parentId: wrk_1, fileName: s, contents: "openapi: 3.0.0",
          contentType: yaml}
      - {_id: uts_1, _type: unit_test_suite, parentId: wrk_1, name: Suite}
      - {_id: ut_1, _type: unit_test, parentId: uts_1, requestId: req_1, name: is fine,
          code: "expect(1);"}
      - {_id: mock_1, _type: mock_server, parentId: wrk_1, name: Mock, url: http://m/,
          useInsomniaCloud: false}
      - _id: mr_1
        _type: mock_route
        parentId: mock_1
        name: /ping
        method: GET
        statusCode: 201
        statusText: Made
        mimeType: text/plain
        headers: [{name: X-A, value: "1"}]
        body: pong
    """

  /// A file of version 5.
  static let file = """
    type: collection.insomnia.rest/5.0
    name: Shop
    schema_version: "5.1"
    meta: {id: wrk_1, created: 1, modified: 2, description: All of it}
    collection:
      - name: Orders
        meta: {id: fld_1, created: 1, modified: 2, sortKey: 2}
        scripts: {preRequest: "insomnia.test('a', () => {});"}
        authentication: {type: apikey, key: X-Key, value: "{{ _.key }}", addTo: header}
        environment: {page: 1}
        headers: [{name: X-A, value: b}]
        children:
          - url: "{{ _.base }}/orders"
            name: Make
            method: POST
            meta: {id: req_1, created: 1, modified: 2, isPrivate: false, description: Makes one,
                sortKey: 1}
            body:
              mimeType: multipart/form-data
              params:
                - {id: pair_1, name: form, value: data, multiline: text/plain}
                - {name: up, type: file, fileName: ./a.png, value: ""}
                - {name: none, type: file}
                - {name: off, value: x, disabled: true}
            scripts:
              afterResponse: |
                insomnia.test("ok", () => { insomnia.response.to.have.status(200) });
            settings:
              renderRequestBody: false
              encodeUrl: true
              followRedirects: global
              rebuildPath: false
              cookies: {send: true, store: false}
      - name: Empty
        meta: {id: fld_2, sortKey: 1}
      - url: wss://x
        name: Socket
        meta: {id: ws-req_1, sortKey: 3}
      - url: http://x
        name: IO
        meta: {id: socketio-req_1, sortKey: 4}
        eventListeners: [{id: "1", eventName: a}]
      - url: x:9000
        name: Call
        meta: {id: greq_1, sortKey: 5}
        protoFileId: pf_1
        protoMethodName: /a.B/C
        reflectionApi: {enabled: false, url: "", module: ""}
    cookieJar: {name: Jar, meta: {id: jar_1}, cookies: [{key: a}, {key: b}]}
    environments:
      name: Base Environment
      meta: {id: env_1, isPrivate: false}
      data: {base: http://b}
      subEnvironments:
        - {name: two, meta: {id: env_3, sortKey: 2}, data: {base: http://2}}
        - {name: one, meta: {id: env_2, sortKey: 1, isPrivate: true}, data: {k: v}}
    spec:
      contents: {openapi: 3.1.0, info: {title: T}}
    testSuites:
      - {name: Suite, meta: {id: uts_1}, tests: [{name: t, requestId: req_1, code: "x();"}]}
    certificates: [{path: a.pem}]
    """
}
