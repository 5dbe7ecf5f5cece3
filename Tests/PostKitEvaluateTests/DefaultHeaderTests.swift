// Headers that settings give to every request which doesn't write them.

import PostKitEvaluate
import PostKitSyntax
import Testing

@Suite struct DefaultHeaderTests {
  private func sent(
    _ sources: [(EnvironmentSource.Kind, String)], _ file: String = "GET http://t.test/"
  ) -> String {
    var laboratory = Laboratory()
    laboratory.sources = sources
    return laboratory.lower(file).text
  }

  @Test(arguments: [
    (.editorSettings, #"{"rest-client.defaultHeaders": {"X-A": "1"}}"#),
    (.editorSettings, #"{"httpyac.requestDefaultHeaders": {"X-A": "1"}}"#),
    (.codeWorkspace, #"{"settings": {"rest-client.defaultHeaders": {"X-A": 1}}}"#),
    (.httpyacConfiguration, #"{"defaultHeaders": {"X-A": "1"}}"#),
    (.publicFile, #"{"$default_headers": {"X-A": "1"}}"#),
  ] as [(EnvironmentSource.Kind, String)])
  func `each tool has its place for them`(_ kind: EnvironmentSource.Kind, _ text: String) {
    #expect(sent([(kind, text)]) == "GET http://t.test/\nX-A: 1")
    #expect(
      sent([(kind, text)], "GET http://t.test/\nx-a: own") == "GET http://t.test/\nx-a: own")
  }

  @Test func `a later file takes the place of an earlier one, and null takes a header away`() {
    let low = (
      EnvironmentSource.Kind.codeWorkspace,
      #"{"settings": {"rest-client.defaultHeaders": {"X-A": "1", "X-B": "1", "X-C": "{{v}}"}}}"#
    )
    let high = (
      EnvironmentSource.Kind.editorSettings,
      #"{"rest-client.defaultHeaders": {"x-a": null, "X-B": "2"}}"#
    )
    #expect(
      sent([low, high], "@v = 3\nGET http://t.test/")
        == "GET http://t.test/\nX-C: 3\nX-B: 2")
  }

  @Test(arguments: [
    (#"{"rest-client.defaultHeaders": ["X-A"]}"#, "is not an object of headers"),
    (#"{"rest-client.defaultHeaders": {"a b": "1"}}"#, "it is not a valid header name"),
  ])
  func `what can't be a header is told`(_ text: String, _ words: String) {
    var laboratory = Laboratory()
    laboratory.sources = [(.editorSettings, text)]
    let problems = laboratory.scope(ParsedDocument(bytes: [])).environments.problems
    #expect(problems.map(\.message).allSatisfy { $0.contains(words) })
    #expect(problems.count == 1)
    #expect(laboratory.lower("GET http://t.test/").text == "GET http://t.test/")
  }
}
