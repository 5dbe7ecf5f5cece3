// Variables, their names, and secrets of written folders.

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct WrittenVariableTests {
  private typealias Sample = WrittenSample

  /// Layers with secrets, clashes and odd names.
  private var layered: OriginCollection {
    Sample.collection([Sample.request("r", "{{base}}/{{region name}}")]) {
      $0.shared = [
        Sample.variable("tier", "global"), Sample.variable("base", "http://a.test"),
        Sample.variable("tier", "collection"), Sample.variable("region name", "eu"),
        Sample.variable("off", "x", isOn: false),
        OriginVariable(
          name: "n", value: .json(OriginJSON(text: "{\"a\":[1,2.50]}")), place: Sample.place),
      ]
      $0.environments = [
        OriginEnvironment(
          name: "dev", place: Sample.place,
          variables: [
            Sample.variable("tier", "dev"), Sample.variable("apiSecret", "s3cret-1"),
            Sample.variable("plain", "hidden-2", isSecret: true), Sample.variable("later", nil),
            Sample.variable("off2", "x", isOn: false),
          ]),
        OriginEnvironment(name: "$a,b", place: Sample.place),
        OriginEnvironment(name: "dev", place: Sample.place),
      ]
    }
  }

  @Test func `layers become members and secrets are private`() {
    let written = Written(layered)
    expect(
      written.json(EnvironmentFilesWriter.publicFile),
      is: """
        {
          "$shared": {
            "tier": "collection",
            "base": "http://a.test",
            "region_name": "eu",
            "n": {"a":[1,2.50]}
          },
          "dev": {
            "tier": "dev"
          },
          "a-b": {},
          "dev 2": {}
        }

        """)
    expect(
      written.json(EnvironmentFilesWriter.privateFile),
      is: """
        {
          "dev": {
            "apiSecret": "s3cret-1",
            "plain": "hidden-2",
            "later": ""
          }
        }

        """)
    #expect(
      Set(written.codes) == [
        .variableDuplicate, .variableRenamed, .secretMoved, .secretEmpty, .disabledItem,
      ])
    #expect(written.notes.contains { $0.message.hasPrefix("2 switched-off variables") })
    #expect(!written.notes.contains { $0.message.contains("s3cret-1") })
    #expect(written.wires(environment: "dev")[0].url == "http://a.test/eu")
    #expect(written.folder.hasSecrets)
    var options = WritingOptions()
    options.writesSecrets = false
    options.environments = ["none"]
    let open = Written(layered, options)
    #expect(!open.folder.hasSecrets && open.folder.environments.map(\.name) == ["$shared"])
  }

  @Test func `names that fall together differ, and scripts follow`() {
    let request = Sample.request("r", "http://a.test/{{a b}}/{{a:b}}/{{a_b}}") {
      $0.scripts = [
        OriginScript(
          phase: .beforeRequest,
          text: "pm.variables.set('a b', pm.environment.get(\"a:b\")); pm.test('a b', f)",
          place: Sample.place)
      ]
    }
    let collection = Sample.collection([request]) {
      $0.shared = [
        Sample.variable("a_b", "1"), Sample.variable("a b", "2"), Sample.variable("a:b", "3"),
        Sample.variable("$x", "4"), Sample.variable("Security", "5"),
      ]
    }
    let written = Written(collection)
    #expect(
      written.folder.environments[0].values.map(\.name) == [
        "a_b", "a_b_2", "a_b_3", "_x", "_Security",
      ])
    #expect(written.wires()[0].url == "http://a.test/2/3/1")
    #expect(
      written.text().contains(
        "pm.variables.set('a_b_2', pm.environment.get(\"a_b_3\")); pm.test('a b', f)"))
  }

  @Test func `a secret is one in every layer`() {
    let collection = Sample.collection {
      $0.shared = [Sample.variable("pin", "0000")]
      $0.environments = [
        OriginEnvironment(
          name: "dev", place: Sample.place,
          variables: [Sample.variable("pin", "1234", isSecret: true)])
      ]
    }
    let environments = Written(collection).folder.environments
    #expect(environments.map(\.values.count) == [0, 0])
    #expect(environments.map(\.secrets.count) == [1, 1])
  }

  @Test func `variables of a path are defined at the head of the file`() {
    func request(_ name: String, _ id: String?, header: String? = nil) -> OriginRequest {
      Sample.request(name, "{{base}}/u/{{id}}") {
        $0.pathVariables = [Sample.variable("id", id)]
        if let header { $0.headers = [Sample.pair("X", header)] }
      }
    }
    let collection = Sample.collection([
      request("One", "42"), request("Two", "43"), request("Three", "42"), request("Four", "43"),
    ]) { $0.shared = [Sample.variable("base", "http://a.test")] }
    let written = Written(collection)
    #expect(written.folder.files[0].head == "@id = 42\n@two_id = 43")
    #expect(written.wires().map { String($0.url.suffix(2)) } == ["42", "43", "42", "43"])
    // Where the name is also one of the environment, the path gets another.
    let other = Sample.collection([request("One", "42", header: "{{id}}")]) {
      $0.shared = [Sample.variable("base", "http://a.test"), Sample.variable("id", "7")]
    }
    let both = Written(other).wires()[0]
    #expect(both.url == "http://a.test/u/42" && both.headers == ["X: 7"])
  }

  @Test func `variables of a request are its own`() {
    let requests = [
      Sample.request("A", "http://a.test/{{x}}") { $0.variables = [Sample.variable("x", "1")] },
      Sample.request("B", "http://a.test/{{x}}"),
      Sample.request("C", "http://a.test/{{x}}") { $0.variables = [Sample.variable("x", "3")] },
    ]
    let collection = Sample.collection(requests) { $0.shared = [Sample.variable("x", "env")] }
    #expect(
      Written(collection).wires().map(\.url) == [
        "http://a.test/1", "http://a.test/env", "http://a.test/3",
      ])
  }

  @Test(arguments: WritingLayout.allCases) func `what a folder sets holds in it and below`(
    layout: WritingLayout
  ) {
    let inner = Sample.folder(
      "Inner", [Sample.request("C", "http://a.test/{{v}}/{{w}}/{{key}}")]
    ) { $0.variables = [Sample.variable("v", "inner")] }
    let users = Sample.folder("Users", [Sample.request("B", "http://a.test/{{v}}/{{w}}/")], [inner])
    {
      $0.variables = [
        Sample.variable("v", "users"), Sample.variable("w", "line\nend\\n "),
        Sample.variable("key", "abc"),
      ]
    }
    let collection = Sample.collection([Sample.request("A", "http://a.test/{{v}}")], [users]) {
      $0.root.variables = [Sample.variable("v", "root")]
    }
    var options = WritingOptions()
    options.layout = layout
    let written = Written(collection, options)
    #expect(
      written.paths.flatMap { written.wires($0) }.map(\.url) == [
        "http://a.test/root", "http://a.test/users/line%0Aend%5Cn%20/",
        "http://a.test/inner/line%0Aend%5Cn%20/abc",
      ])
    // A secret leaves the file.
    #expect(!written.paths.contains { written.text($0).contains("abc") })
  }

  @Test func `what is read from a response stays in the file`() {
    let request = Sample.request("r") {
      $0.variables = [Sample.variable("token", "{{login.response.body.$.token}}")]
      $0.references = ["login"]
    }
    let written = Written(Sample.collection([request]))
    #expect(
      written.folder.files[0].blocks[0].head
        == "# @ref login\n@token = {{login.response.body.$.token}}")
    #expect(written.folder.environments.isEmpty)
  }

  @Test func `settings of environments stay what they are`() {
    let collection = Sample.collection {
      $0.shared = [
        OriginVariable(
          name: "SSLConfiguration", value: .json(OriginJSON(text: "{\"verify\":false}")),
          place: Sample.place),
        Sample.variable("$schema", "x"),
      ]
    }
    #expect(
      Written(collection).folder.environments[0].values.map(\.name) == [
        "SSLConfiguration", "_schema",
      ])
  }

  @Test func `values of definitions are read back as they are`() {
    let values = [
      "plain", "", "a\\nb", "two\nlines", "\ttab", "C:\\new", "\\\\host\\share", " blank ",
      "{{y}}", "\\{\\{x\\}\\}", "ünï",
    ]
    for value in values {
      let request = Sample.request("r", method: "POST") {
        $0.variables = [Sample.variable("x", value)]
        $0.headers = [Sample.pair("Content-Type", "text/plain")]
        $0.body = .text("[{{x}}]")
      }
      let written = Written(
        Sample.collection([request]) { $0.shared = [Sample.variable("y", "why")] })
      let sent = written.wires()[0].body
      let expected = value == "{{y}}" ? "why" : value.hasPrefix("\\{") ? "{{x}}" : value
      #expect(sent == "[\(expected)]")
    }
  }

  @Test func `names that fall together differ by a number, whichever comes first`() {
    let values = ["a b": "1", "a_b": "2", "a:b": "3"]
    for names in [["a b", "a_b", "a:b"], ["a_b", "a b", "a:b"]] {
      let written = Written(
        Sample.collection([Sample.request("r", "http://h/{{a b}}/{{a_b}}/{{a:b}}")]) {
          $0.shared = names.map { Sample.variable($0, values[$0]) }
        })
      #expect(written.wires()[0].url == "http://h/1/2/3")
      #expect(Set(written.codes) == [.variableRenamed])
      #expect(written.text().contains("/{{a_b_2}}/{{a_b}}/{{a_b_3}}"))
    }
  }

  @Test func `what one environment hides as a whole stays open in others`() {
    let written = Written(
      Sample.collection([Sample.request("r", "{{base}}")]) {
        $0.shared = [Sample.variable("base", "http://a.test")]
        $0.environments = [
          OriginEnvironment(
            name: "mine", place: Sample.place,
            variables: [
              Sample.variable("base", "http://b.test", isSecret: true),
              Sample.variable("apiKey", "k", isSecret: true),
            ], isPrivate: true),
          OriginEnvironment(
            name: "all", place: Sample.place, variables: [Sample.variable("apiKey", "l")]),
        ]
      })
    let environments = written.folder.environments
    #expect(environments.map { $0.values.map(\.name) } == [["base"], [], []])
    #expect(environments.map { $0.secrets.map(\.name) } == [[], ["base", "apiKey"], ["apiKey"]])
    #expect(written.wires(environment: "mine")[0].url == "http://b.test")
  }
}
