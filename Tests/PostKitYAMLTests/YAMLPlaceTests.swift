// That every value knows where it stands, whatever characters are before it.

import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitYAML

@Suite struct YAMLPlaceTests {
  @Test func `values and names stand where they are written`() throws {
    let text = try read("a: &x [é, 😀,\r\n  b]\r\n\r\nc: *x\rd: {e: \"f\"}\n")
    let root = text.tree.root
    #expect(text.place(of: root).description == "line 1, column 1")
    #expect(text.place(of: try #require(root["a"]?[0])).description == "line 1, column 8")
    #expect(
      text.place(of: try #require(root["a"]?[2])) == YAMLPlace(offset: 20, line: 1, column: 2))
    #expect(
      text.place(of: try #require(root["c"]?[2])) == YAMLPlace(offset: 20, line: 1, column: 2))
    #expect(text.place(of: root.members[2].key).line == 4)
    let last = try #require(root["d"]?["e"])
    #expect(text.place(of: last) == YAMLPlace(offset: 39, line: 4, column: 7))
  }

  @Test func `what a merge key brings stands where it is written`() throws {
    let text = try read("base: &b\n  a: 1\nx:\n  <<: *b\n  c: 2\n")
    let merged = try #require(text.tree.root["x"]?["a"])
    #expect(text.place(of: merged) == YAMLPlace(offset: 14, line: 1, column: 5))
    let own = try #require(text.tree.root["x"]?["c"])
    #expect(text.place(of: own).line == 4)
  }

  @Test func `JSON has places, too`() throws {
    let text = try YAMLText(parsing: Array("{\n  \"a\": [1,\n 2]}".utf8))
    let value = try #require(text.tree.root["a"]?[1])
    #expect(text.place(of: value) == YAMLPlace(offset: 14, line: 2, column: 1))
  }

  @Test func `places agree with a count of lines that is kept while a text is written`() throws {
    var random = RepeatableGenerator(seed: 26)
    for _ in 0..<200 {
      var text = PlacedText()
      if random.oneIn(4) { text.add("\u{FEFF}") }
      for index in 0..<random.int(in: 1..<30) { text.addMember(index, &random) }
      let yaml = try YAMLText(parsing: text.bytes, limits: YAMLLimits(), prefersJSON: false)
      let members = yaml.tree.root.members
      try #require(members.count == text.places.count)
      for (member, expected) in zip(members, text.places) {
        #expect(yaml.place(of: member.key) == expected.key)
        #expect(yaml.place(of: member.value) == expected.value)
      }
    }
  }
}

/// A text that counts lines and columns byte by byte while it grows.
private struct PlacedText {
  var bytes: [UInt8] = []
  var places: [(key: YAMLPlace, value: YAMLPlace)] = []
  private var line = 0
  private var column = 0

  private var here: YAMLPlace { YAMLPlace(offset: bytes.count, line: line, column: column) }

  /// Adds a text without line ends.
  mutating func add(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    column += text.utf8.count
  }

  private mutating func end(_ mark: String) {
    // A line feed behind it would make one line end of two.
    let mark = bytes.last == 0x0D ? "\r" : mark
    bytes.append(contentsOf: mark.utf8)
    line += 1
    column = 0
  }

  mutating func addMember(_ index: Int, _ random: inout RepeatableGenerator) {
    if random.oneIn(3) {
      add("# é😀\t ü")
      end(random.pick(["\n", "\r\n", "\r"]))
    }
    if random.oneIn(3) { end(random.pick(["\n", "\r\n", "\r"])) }
    let key = here
    add(random.pick(["k", "\"é", "\"😀\\t", "'it''s"]))
    let quote = bytes[key.offset]
    add(String(index))
    if quote != UInt8(ascii: "k") { add(String(Unicode.Scalar(quote))) }
    add(random.pick([": ", ":\t ", ":   "]))
    let value = here
    add(random.pick(["v", "é x", "\"\t😀\"", "[a, é]", "{b: ü}", "12", "'a b'"]))
    places.append((key, value))
    end(random.pick(["\n", "\r\n", "\r"]))
  }
}
