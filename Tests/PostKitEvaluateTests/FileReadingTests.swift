// Who decides how a file is read: the run, the file, the project.

import PostKitEvaluate
import PostKitJSON
import PostKitSyntax
import Testing

@Suite struct FileReadingTests {
  @Test(
    "the run stands above the file, the file above the project",
    arguments: [
      (nil, "", .auto, .auto), (nil, "", .kulala, .kulala),
      (nil, "# @dialect httpyac", .kulala, .httpyac),
      (nil, "# @dialect auto", .kulala, .auto), (nil, "# @dialect unheard", .kulala, .kulala),
      (.restclient, "# @dialect httpyac", .kulala, .restclient), (.auto, "", .kulala, .auto),
    ] as [(DialectPreset?, String, DialectPreset, DialectPreset)])
  func order(
    _ chosen: DialectPreset?, _ file: String, _ project: DialectPreset, _ expected: DialectPreset
  ) {
    let reading = FileReading(chosen: chosen, preset: project)
    let document = reading.document(Array(file.utf8), format: .http)
    #expect(reading.dialect(of: document).preset == expected)
    #expect(document.rules == SyntaxRules(preset: expected.rawValue))
  }

  @Test func `the knobs of the project hold for files that name a preset, too`() {
    let reading = FileReading(preset: .kulala, knobs: [JSONMember("timestamp", "ms")])
    for text in ["", "# @dialect restclient"] {
      let document = reading.document(Array(text.utf8), format: .http)
      #expect(reading.dialect(of: document).timestampInMilliseconds)
    }
  }

  @Test func `a file that was parsed by its own rules is not parsed again`() {
    let text = Array("POST http://a.test\n\nGET http://b.test\n".utf8)
    let parsed = ParsedDocument(bytes: text)
    #expect(parsed.requests.count == 2)
    func unasked() -> ParsedDocument? {
      Issue.record("nothing is to be parsed")
      return nil
    }
    let same = FileReading().document(parsed, reusing: unasked())
    #expect(same.requests.count == 2)
    let other = FileReading(preset: .kulala).document(parsed, reusing: nil)
    #expect(other.requests.count == 1)
  }
}
