// Environment files that only one tool writes.

import PostKitEvaluate
import PostKitSyntax
import Testing

@Suite struct ToolFileTests {
  @Test(arguments: [
    (.userFile, "{}", .visualstudio), (.httpyacConfiguration, "{}", .httpyac),
    (.editorSettings, #"{"rest-client.environmentVariables": {}}"#, .restclient),
    (.editorSettings, #"{"httpyac.environmentVariables": {}}"#, nil),
    (.publicFile, #"{"$kulalaShared": {}}"#, .kulala),
    (.publicFile, #"{"$kulalaDefaultHeaders": {}}"#, .kulala),
    (.publicFile, #"{"dev": {"k": {"provider": "AspnetUserSecrets", "secretName": "s"}}}"#, .visualstudio),
    (.privateFile, #"{"dev": {"Security": {"Auth": {}}}}"#, .jetbrains),
    (.publicFile, #"{"$shared": {"a": 1}, "dev": {"a": 1}}"#, nil), (.publicFile, "[1]", nil),
    (.dotEnv, "a=1", nil),
  ] as [(EnvironmentSource.Kind, String, DialectPreset?)])
  func `a file tells its tool`(
    _ kind: EnvironmentSource.Kind, _ text: String, _ tool: DialectPreset?
  ) {
    var laboratory = Laboratory()
    laboratory.sources = [(kind, text)]
    let files = laboratory.scope(ParsedDocument(bytes: [])).environments.toolFiles
    #expect(files.keys.first == tool)
    #expect(files.count == (tool == nil ? 0 : 1))
  }
}
