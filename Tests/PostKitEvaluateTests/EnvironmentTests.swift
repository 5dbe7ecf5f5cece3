// Environments: layers, secrets and provenance.

import PostKitEvaluate
import PostKitSyntax
import Testing

@Suite struct EnvironmentTests {
  private func laboratory(_ environment: String?) -> Laboratory {
    var laboratory = Laboratory()
    laboratory.environment = environment
    laboratory.sources = [
      (.dotEnv, "A=dotenv\nB=dotenv\nAPI_KEY=hidden\n"),
      (
        .publicFile,
        """
        {
          "$shared": { "A": "shared", "C": "shared" },
          "dev": { "A": "dev", "o": { "x": 1, "y": 2 } },
          "prod": { "A": "prod" }
        }
        """
      ),
      (.privateFile, "{\"dev\":{\"A\":\"private\",\"o\":{\"y\":3}}}"),
    ]
    return laboratory
  }

  private func values(_ environment: String?) -> [String: String] {
    laboratory(environment).scope(ParsedDocument(bytes: [])).environments.definitions
      .mapValues { $0.value.substitutionText }
  }

  @Test func `private beats public, public beats shared, shared beats dotenv`() {
    #expect(values("dev")["A"] == "private")
    #expect(values("prod")["A"] == "prod")
    #expect(values("dev")["C"] == "shared")
    #expect(values("dev")["B"] == "dotenv")
    #expect(values(nil)["A"] == "shared")
  }

  @Test func `objects merge member by member`() {
    #expect(values("dev")["o"] == "{\"x\":1,\"y\":3}")
  }

  @Test func `private values and dotenv values with telling names are secrets`() {
    let set = laboratory("dev").scope(ParsedDocument(bytes: [])).environments
    #expect(set.definitions["A"]?.isSecret == true)
    #expect(set.definitions["C"]?.isSecret == false)
    #expect(set.definitions["API_KEY"]?.isSecret == true)
    #expect(set.definitions["B"]?.isSecret == false)
  }

  @Test func `a definition knows its file and line, and what it covers`() {
    let set = laboratory("dev").scope(ParsedDocument(bytes: [])).environments
    #expect(set.definitions["B"]?.origin.line == 2)
    #expect(set.shadowed["A"]?.map(\.value.substitutionText) == ["dev", "shared", "dotenv"])
    #expect(set.names == ["dev", "prod"])
  }

  @Test func `the file wins over the environment, but not in JetBrains' reading`() {
    var laboratory = laboratory("dev")
    let source = "@A = file\nGET http://t.test/{{A}}"
    #expect(laboratory.lower(source).text == "GET http://t.test/file")
    laboratory.dialect = Dialect(.jetbrains)
    #expect(laboratory.lower(source).text == "GET http://t.test/private")
  }

  @Test func `members of object variables can be read`() {
    #expect(laboratory("dev").lower("GET http://t.test/{{o.y}}").text == "GET http://t.test/3")
  }

  @Test func `used secrets are reported for masking`() {
    let lowered = laboratory("dev").lower("GET http://t.test/{{A}}")
    #expect(lowered.secrets == ["private"])
  }

  @Test func `a broken environment file is a warning with its line`() {
    var laboratory = Laboratory()
    laboratory.sources = [(.publicFile, "{\n  \"dev\": {,\n}")]
    let problems = laboratory.scope(ParsedDocument(bytes: [])).environments.problems
    #expect(problems.count == 1)
    #expect(problems[0].severity == .warning)
    #expect(problems[0].message.contains(":2 is not valid JSON"))
  }

  @Test(
    "dotenv lines",
    arguments: [
      ("K=v", "v"), ("export K=v", "v"), ("K = v # c", "v"), ("K='a #b'", "a #b"),
      ("K=\"a\\nb\"", "a\nb"), ("K=a=b", "a=b"), ("K=\r", ""), ("K=\"open", "\"open"),
    ])
  func dotEnv(_ line: String, _ value: String) {
    var laboratory = Laboratory()
    laboratory.sources = [(.dotEnv, line + "\n")]
    let set = laboratory.scope(ParsedDocument(bytes: [])).environments
    #expect(set.definitions["K"]?.value.substitutionText == value)
  }

  @Test(
    "a byte order mark before an environment is no part of it",
    arguments: [
      (.publicFile, #"{"dev": {"K": "v"}}"#), (.dotEnv, "K=v\r\nL=w\r\n"),
      (.httpyacConfiguration, #"{"environments": {"dev": {"K": "v"}}}"#),
    ] as [(EnvironmentSource.Kind, String)])
  func byteOrderMark(_ kind: EnvironmentSource.Kind, _ text: String) {
    var laboratory = Laboratory()
    laboratory.environment = "dev"
    laboratory.sources = [(kind, "\u{FEFF}" + text)]
    let set = laboratory.scope(ParsedDocument(bytes: [])).environments
    #expect(set.definitions["K"]?.value.substitutionText == "v")
    #expect(set.problems.isEmpty)
  }
}
