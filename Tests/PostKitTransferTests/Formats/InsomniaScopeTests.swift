// What variables of Insomnia mean in folders, in environments and in several workspaces.

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct InsomniaScopeTests {
  private func written(_ items: String, environments: String = "{}") throws -> Written {
    let text = """
      type: collection.insomnia.rest/5.0
      name: Shop
      collection:
      \(items)
      environments: \(environments)
      """
    let sample = try OriginSample(InsomniaImporter.self, [("shop.yaml", text)])
    return Written(sample.collection)
  }

  @Test func `a folder's variable that names itself means the outer one`() throws {
    let written = try written(
      """
        - name: A
          environment: {base: "{{ _.base }}/v1", all: "{{ _.base }}/all"}
          children:
            - {name: one, method: GET, url: "{{ _.base }}/1", meta: {id: r1}}
            - {name: all, method: GET, url: "{{ _.all }}", meta: {id: r2}}
            - name: B
              environment: {base: "{{ base }}/b"}
              children: [{name: two, method: GET, url: "{{ _.base }}/2", meta: {id: r3}}]
        - {name: root, method: GET, url: "{{ _.base }}/0", meta: {id: r4}}
      """, environments: "{data: {base: http://h}}")
    #expect(written.wires("A.http").map(\.url) == ["http://h/v1/1", "http://h/v1/all"])
    #expect(written.wires("A/B.http").map(\.url) == ["http://h/v1/b/2"])
    #expect(written.wires().map(\.url) == ["http://h/0"])
  }

  @Test func `a folder's object is merged with that of each environment`() throws {
    let written = try written(
      """
        - name: A
          environment: {api: {path: /a}, other: {x: 1}}
          children:
            - {name: one, method: GET, url: "{{ _.api.host }}{{ _.api.path }}", meta: {id: r1}}
            - name: B
              environment: {api: {query: q}}
              children:
                - {name: two, method: GET, meta: {id: r2},
                    url: "{{ _.api.host }}{{ _.api.path }}?{{ _.api.query }}"}
      """,
      environments: """
        {data: {api: {host: "http://h", path: "/"}}, subEnvironments: [
            {name: dev, data: {api: {host: "http://dev"}}}]}
        """)
    #expect(written.wires("A.http").map(\.url) == ["http://h/a"])
    #expect(written.wires("A.http", environment: "dev").map(\.url) == ["http://dev/a"])
    #expect(written.wires("A/B.http").map(\.url) == ["http://h/a?q"])
    #expect(written.wires("A/B.http", environment: "dev").map(\.url) == ["http://dev/a?q"])
  }

  @Test func `workspaces that set a name differently keep it apart`() throws {
    let list = """
      _type: export
      __export_format: 4
      resources:
        - {_id: wrk_1, _type: workspace, name: Shop}
        - {_id: wrk_2, _type: workspace, name: Back office}
        - {_id: wrk_3, _type: workspace, name: All, scope: environment}
        - {_id: r1, _type: request, parentId: wrk_1, name: a, method: GET,
            url: "{{ _.base }}/{{ _.same }}/{{ _.all }}"}
        - {_id: r2, _type: request, parentId: wrk_2, name: b, method: GET,
            url: "{{ _.url }}/{{ _.same }}/{{ _.all }}"}
        - {_id: e1, _type: environment, parentId: wrk_1, data: {base: "http://s", same: x}}
        - {_id: e2, _type: environment, parentId: wrk_2, data: {base: "http://b",
            url: "{{ _.base }}/v", same: x}}
        - {_id: e3, _type: environment, parentId: e1, name: dev, data: {base: "http://sdev"}}
        - {_id: e4, _type: environment, parentId: e2, name: dev, data: {base: "http://bdev"}}
        - {_id: e5, _type: environment, parentId: wrk_3, data: {all: every, same: outer}}
      """
    let sample = try OriginSample(InsomniaImporter.self, [("shop.yaml", list)])
    let written = Written(sample.collection)
    #expect(sample.told.filter { $0.hasPrefix("variable") } == [
      "variable-renamed /resources/6/data/base"
    ])
    #expect(written.wires("Shop.http").map(\.url) == ["http://s/x/every"])
    #expect(written.wires("Back office.http").map(\.url) == ["http://b/v/x/every"])
    #expect(written.wires("Shop.http", environment: "dev").map(\.url) == ["http://sdev/x/every"])
    #expect(
      written.wires("Back office.http", environment: "dev").map(\.url) == ["http://bdev/v/x/every"])
    #expect(written.folder.environments.map(\.name) == ["$shared", "dev"])
  }

  @Test func `a file imports the requests that its variables refer to`() throws {
    let tag = "{% response 'body', 'r1', '$.token' %}"
    let written = try written(
      """
        - {name: log in, method: GET, url: "http://h", meta: {id: r1}}
        - name: A
          environment: {token: "\(tag)"}
          children:
            - {name: one, method: GET, url: "http://h/{{ _.token }}", meta: {id: r2}}
            - name: B
              children: [{name: two, method: GET, url: "http://h/{{ _.token }}", meta: {id: r3}}]
        - name: C
          children: [{name: three, method: GET, url: "http://h/{{ _.both }}", meta: {id: r4}}]
        - name: D
          children: [{name: four, method: GET, url: "http://h/4", meta: {id: r5}}]
      """, environments: "{data: {both: \"{{ _.late }}\", late: \"\(tag)\"}}")
    #expect(written.text("A.http").hasPrefix("# @import ./Shop.http\n"))
    #expect(written.text("A/B.http").hasPrefix("# @import ../Shop.http\n"))
    #expect(written.text("C.http").hasPrefix("# @import ./Shop.http\n"))
    #expect(!written.text("D.http").contains("@import"))
    #expect(written.text().contains("# @name log_in"))
  }

  @Test func `plus signs are encoded, and header names may be templates`() throws {
    let written = try written(
      """
        - name: one
          method: GET
          url: "http://h/a+b?x=1+2"
          parameters: [{name: y+, value: "3+{{ _.p }}"}]
          headers: [{name: "X-{{ _.p }}", value: v}]
          meta: {id: r1}
        - name: two
          method: GET
          url: "http://h/?x=1+2"
          settings: {encodeUrl: false}
          meta: {id: r2}
      """, environments: "{data: {p: q}}")
    let wires = written.wires()
    #expect(wires.map(\.url) == ["http://h/a+b?x=1%2B2&y%2B=3%2Bq", "http://h/?x=1+2"])
    #expect(wires[0].headers.contains("X-q: v") && written.notes.isEmpty)
  }
}
