// The names of a file: kept over edits that change none, and always those of a fresh parse.

import PostKitSyntax
import Testing

private let pieces = [
  "### a\n", "### b c\n", "###\n", "### ---\n", "### é Ü\n", "# @name B-C\n", "# @name\n",
  "@x = 1\n", "@x = 2\n", "@y := {{x}}\n", "GET http://a.test\n", "\n", "> {% %}\n", "text\n",
]
private let names = ["a", "b c", "bc", "B-C", "éü", "É Ü", "x", "", "---"]

/// What an index says, as text.
private func summary(_ document: ParsedDocument) -> String {
  let index = document.names
  let requests = names.map { "\($0): \(index.place(ofRequest: $0) ?? -1)" }
  let definitions = index.definitions.sorted { $0.key < $1.key }.map { name, places in
    "\(name) \(places.map { "\($0.block).\($0.index)" })"
  }
  return "\(requests) \(definitions) \(index.definedAfterResponse.sorted { $0.key < $1.key }) "
    + "\(index.definingBlocks) \(index.duplicates)"
}

struct NameIndexTests {
  @Test(arguments: 0..<10)
  func `An index that outlived edits says what a fresh one says`(seed: Int) {
    var file = EditedDocument(pieces, seed: seed)
    var kept = 0
    for _ in 0..<80 {
      let before = file.document
      file.edit()
      if file.document.names === before.names { kept += 1 }
      #expect(summary(file.document) == summary(ParsedDocument(bytes: file.bytes)))
    }
    #expect(kept > 10)
  }

  @Test func `Requests are found by name, title and folded name`() {
    let document = ParsedDocument(
      bytes: Array("### Get user\n# @name login\nGET /\n\n### É-x\nGET /\n\n### Get user\nGET /".utf8))
    let place = { document.request(referredToAs: $0)?.index }
    #expect(place("login") == 0)
    #expect(place("Get user") == 2, "a name beats a title")
    #expect(place("getuser") == 0)
    #expect(place("éX") == 1)
    #expect(place("nobody") == nil)
  }
}
