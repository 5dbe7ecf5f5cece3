// What each tool's environment files mean, and which of them win (PK-47 to PK-51, PK-103, PK-108).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import Testing

@Suite struct EnvironmentLayerTests {
  private func laboratory(
    _ environment: String?, _ sources: (EnvironmentSource.Kind, String)...
  ) -> Laboratory {
    var laboratory = Laboratory()
    laboratory.environment = environment
    laboratory.sources = sources
    return laboratory
  }

  private func set(
    _ environment: String?, _ sources: (EnvironmentSource.Kind, String)...
  ) -> EnvironmentSet {
    var laboratory = Laboratory()
    laboratory.environment = environment
    laboratory.sources = sources
    return laboratory.scope(ParsedDocument(bytes: [])).environments
  }

  private func value(_ name: String, _ set: EnvironmentSet) -> String? {
    set.definitions[name]?.value.substitutionText
  }

  @Test func `each layer covers the one below`() {
    let layers: [(EnvironmentSource.Kind, String)] = [
      (.dotEnv, "v=1"),
      (.editorSettings, "{\"rest-client.environmentVariables\":{\"$shared\":{\"v\":2}}}"),
      (.editorSettings, "{\"rest-client.environmentVariables\":{\"dev\":{\"v\":3}}}"),
      (.publicFile, "{\"$shared\":{\"v\":4}}"),
      (.publicFile, "{\"dev\":{\"v\":5}}"),
      (.namedDotEnv("dev"), "v=6"),
      (.userFile, "{\"dev\":{\"v\":7}}"),
      (.privateFile, "{\"dev\":{\"v\":8}}"),
    ]
    for count in 1...layers.count {
      var laboratory = Laboratory()
      laboratory.environment = "dev"
      // The order in which files are found inside of a folder does not matter.
      laboratory.sources = layers.prefix(count).reversed()
      let set = laboratory.scope(ParsedDocument(bytes: [])).environments
      #expect(value("v", set) == "\(count)")
    }
  }

  @Test func `of several environments the later one wins, and all count`() {
    let text = "{\"a\":{\"x\":\"a\",\"y\":\"a\"},\"b\":{\"x\":\"b\",\"z\":\"b\"}}"
    let both = set("a, b", (.publicFile, text))
    #expect(value("x", both) == "b")
    #expect(value("y", both) == "a")
    #expect(value("z", both) == "b")
    #expect(value("x", set("b,a", (.publicFile, text))) == "a")
    #expect(both.contains("a,b"))
    #expect(both.missing(in: "a,c,d") == "c")
  }

  @Test func `without an environment there are the shared and the default values`() {
    let text = "{\"$shared\":{\"x\":\"s\",\"y\":\"s\"},\"$default\":{\"x\":\"d\"},\"e\":{\"z\":1}}"
    let none = set(nil, (.publicFile, text))
    #expect(value("x", none) == "d")
    #expect(value("y", none) == "s")
    #expect(none.definitions["z"] == nil)
    #expect(value("x", set("e", (.publicFile, text))) == "s")
  }

  @Test func `kulala's word for shared values is one, too`() {
    #expect(value("x", set("e", (.publicFile, "{\"$kulalaShared\":{\"x\":1},\"e\":{}}"))) == "1")
  }

  @Test func `reserved members are no variables`() {
    let text = """
      {"dev":{"$schema":"s","$default_headers":{},"$kulalaDefaultHeaders":{},
        "SSLConfiguration":{},"Security":{},"$default":{},"ok":1}}
      """
    #expect(set("dev", (.publicFile, text)).definitions.keys.sorted() == ["ok"])
  }

  @Test func `settings of VS Code hold the environments of both extensions`() {
    let text = """
      {
        // comments are allowed in settings
        "rest-client.environmentVariables": {
          "$shared": { "version": "v2", "host": "h" },
          "dev": { "base": "http://{{$shared host}}/{{$shared version}}", "own": "{{$dev base}}" }
        },
        "httpyac.environmentVariables": { "$shared": { "y": 1 }, "stage": { "z": 2 } },
      }
      """
    let dev = set("dev", (.editorSettings, text))
    #expect(dev.names == ["dev", "stage"])
    #expect(value("base", dev) == "http://h/v2")
    #expect(value("y", dev) == "1")
    #expect(value("z", set("stage", (.editorSettings, text))) == "2")
  }

  @Test func `a reference to another environment that finds nothing stays`() {
    let text = """
      {"rest-client.environmentVariables":
        {"dev":{"a":"{{$shared none}} {{$uuid}} \\\\{\\\\{$shared\\\\}\\\\}"}}}
      """
    #expect(
      value("a", set("dev", (.editorSettings, text)))
        == "{{$shared none}} {{$uuid}} \\{\\{$shared\\}\\}")
  }

  @Test func `httpYac's configuration holds environments`() {
    let text = "{\"environments\":{\"$shared\":{\"a\":1},\"$default\":{\"a\":2},\"dev\":{\"b\":3}}}"
    #expect(value("a", set(nil, (.httpyacConfiguration, text))) == "2")
    #expect(value("a", set("dev", (.httpyacConfiguration, text))) == "1")
    #expect(value("b", set("dev", (.httpyacConfiguration, text))) == "3")
  }

  @Test func `public values win over private ones where that is wanted`() {
    let sources = [
      EnvironmentSource(
        kind: .publicFile, file: SourceFile(path: "/p", bytes: Array("{\"d\":{\"a\":1}}".utf8))),
      EnvironmentSource(
        kind: .privateFile, file: SourceFile(path: "/q", bytes: Array("{\"d\":{\"a\":2}}".utf8))),
    ]
    let wins = EnvironmentSet(sources: sources, active: "d", privateWins: false)
    #expect(value("a", wins) == "1")
    #expect(value("a", EnvironmentSet(sources: sources, active: "d")) == "2")
  }

  // MARK: - Default headers

  @Test func `default headers go with every request that doesn't write them`() {
    let laboratory = laboratory(
      "dev",
      (
        .publicFile,
        """
        {"$kulalaDefaultHeaders": {"X-All": "top", "X-Over": "top"},
         "$shared": {"id": 7},
         "dev": {"$default_headers": {"x-over": "dev {{id}}", "Content-Type": "text/x"}}}
        """
      ))
    #expect(
      laboratory.lower("GET http://t.test").text
        == "GET http://t.test\nX-All: top\nx-over: dev 7\nContent-Type: text/x")
    #expect(
      laboratory.lower("POST http://t.test\ncontent-type: a/b\nX-All: own\n\nbody").text
        == "POST http://t.test\ncontent-type: a/b\nX-All: own\nx-over: dev 7\n\nbody")
  }

  @Test func `a private default header is a secret, a broken one keeps the request`() {
    let text = "{\"dev\":{\"$default_headers\":{\"X-Key\":\"hush hush\"}}}"
    let lowered = laboratory("dev", (.privateFile, text)).lower("GET http://t.test")
    #expect(lowered.secrets == ["hush hush"])
    let broken = "{\"dev\":{\"$default_headers\":{\"X-Key\":\"a\\nb\"}}}"
    #expect(laboratory("dev", (.publicFile, broken)).lower("GET http://t.test").spec == nil)
    let unresolved = "{\"dev\":{\"$default_headers\":{\"X-Key\":\"{{nobody}}\"}}}"
    #expect(
      laboratory("dev", (.publicFile, unresolved)).lower("GET http://t.test").text
        == "error: unresolved-variable")
  }

  // MARK: - What can't be read

  @Test func `values that other tools keep are not resolved, and the problem says what to do`() {
    let text = """
      {"dev": {
        "a": {"provider": "AzureKeyVault", "secretName": "n", "resourceId": "r"},
        "b": {"provider": "Encrypted", "value": "AQAA"},
        "c": {"provider": "search", "name": "an object like any other"}
      }}
      """
    let laboratory = laboratory("dev", (.publicFile, text))
    let lowered = laboratory.lower("GET http://t.test/{{a}}")
    #expect(lowered.text == "error: unresolved-variable")
    #expect(
      lowered.failure?.message
        == "PostKit can't read `a` from `AzureKeyVault`. Write the value into "
        + "`http-client.private.env.json`.")
    #expect(
      lowered.failure?.message(on: .commandLine)
        == "PostKit can't read `a` from `AzureKeyVault`. Write the value into "
        + "`http-client.private.env.json`, or give it for one run with `--var a=VALUE`.")
    let problems = laboratory.scope(ParsedDocument(bytes: [])).environments.problems
    #expect(problems.count == 2)
    #expect(
      problems.first?.message.hasPrefix("/project/publicFile:2: PostKit can't read `a`") == true)
    #expect(problems.map(\.severity) == [.warning, .warning])
    #expect(
      problems.last?.message.contains(":3: `b` is encrypted for a Windows user") == true)
    #expect(laboratory.lower("GET http://t.test/{{c.name}}").spec != nil)
  }

  @Test func `a value from elsewhere covers one that another tool keeps`() {
    let laboratory = laboratory(
      "dev",
      (.publicFile, "{\"dev\":{\"a\":{\"provider\":\"Encrypted\",\"value\":\"x\"}}}"),
      (.privateFile, "{\"dev\":{\"a\":\"mine\"}}"))
    #expect(laboratory.lower("GET http://t.test/{{a}}").text == "GET http://t.test/mine")
  }

  @Test(
    "files of another form",
    arguments: [
      ("[1]", ":1: The file is ignored: it is not an object of environments."),
      ("{\n\"dev\": 3}", ":2: `dev` is ignored: it is not an object of variables."),
      (
        "{\"dev\":{\"$default_headers\":{\"a b\":\"c\"}}}",
        ":1: `a b` is ignored: it is not a valid header name."
      ),
    ])
  func otherForms(_ text: String, _ message: String) {
    let problems = set("dev", (.publicFile, text)).problems
    #expect(problems.map(\.severity) == [.warning])
    #expect(problems.first?.message == "/project/publicFile" + message)
    #expect(problems.first?.code.rawValue == "environment-file")
  }

  @Test func `a file that can't be read is a warning with its reason`() {
    let source = EnvironmentSource(
      kind: .publicFile, file: SourceFile(path: "/p/x.json", bytes: []), failure: "It is locked.")
    let set = EnvironmentSet(sources: [source], active: nil)
    #expect(set.problems.map(\.message) == ["/p/x.json:1: It is locked."])
  }
}
