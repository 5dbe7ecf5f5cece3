// Variables of paths beside those of environments, and what values are sent otherwise.

import Testing

@testable import PostKitTransfer

@Suite struct PathVariableTests {
  private typealias Sample = WrittenSample

  private func request(_ name: String, _ value: String, url: String = "/{{id}}") -> OriginRequest {
    Sample.request(name, "{{base}}" + url) { $0.pathVariables = [Sample.variable("id", value)] }
  }

  @Test func `a variable of a path leaves values of environments alone`() {
    let collection = Sample.collection([request("One", "42")]) {
      $0.shared = [Sample.variable("id", "7")]
      $0.environments = [
        OriginEnvironment(
          name: "dev", place: Sample.place,
          variables: [Sample.variable("base", "http://a.test/{{id}}")])
      ]
    }
    #expect(Written(collection).wires(environment: "dev").map(\.url) == ["http://a.test/7/42"])
  }

  @Test func `a secret of a path is in the private file`() {
    let one = Sample.request("One", "http://a.test/{{token}}/{{pin}}") {
      $0.pathVariables = [
        Sample.variable("token", "abc-123"), Sample.variable("pin", "0000", isSecret: true),
      ]
    }
    let two = Sample.request("Two", "http://a.test/{{token}}") {
      $0.pathVariables = [Sample.variable("token", "{{other}}")]
    }
    let written = Written(
      Sample.collection([one, two]) { $0.shared = [Sample.variable("other", "o")] })
    #expect(written.wires().map(\.url) == ["http://a.test/abc-123/0000", "http://a.test/o"])
    #expect(!written.text().contains("abc-123") && !written.text().contains("0000"))
    #expect(!written.json(EnvironmentFilesWriter.publicFile).contains("abc-123"))
    #expect(written.codes == [.secretMoved, .secretMoved])
    // What a description calls so is a sample.
    let sample = Written(Sample.collection([one]) { $0.format = .openapi })
    #expect(sample.text().contains("@token = abc-123") && sample.codes == [.secretMoved])
  }

  @Test func `values that the origin encodes are told once`() {
    let query = Sample.request("Q") {
      $0.query = [Sample.pair("a", "{{v}}"), Sample.pair("b", "{{w}}"), Sample.pair("c", "{{x}}")]
    }
    let off = Sample.request("O") { $0.query = [Sample.pair("a", "{{y}}", isOn: false)] }
    let form = Sample.request("F", method: "POST") {
      $0.body = .form([Sample.pair("a", "{{v}}"), Sample.pair("b", "{{w}}")])
    }
    let collection = Sample.collection([query, off, form]) {
      $0.shared = [
        Sample.variable("v", "hunter&22"), Sample.variable("w", "1+2"),
        Sample.variable("x", "{{v}}-/?="), Sample.variable("y", "&"),
      ]
    }
    let notes = Written(collection).notes
    #expect(notes.map(\.code) == [.encodingDiffers, .encodingDiffers])
    #expect(notes.map(\.origin) == ["Q", "F"])
    #expect(notes[0].message.contains("`v` has `&`") && notes[1].message.contains("`w` has `+`"))
    #expect(!notes.contains { $0.message.contains("hunter") })
    var other = collection
    other.format = .bruno
    #expect(Written(other).notes.map(\.origin) == ["F", "F"])
    other.format = .har
    #expect(Written(other).notes.isEmpty)
  }
}
