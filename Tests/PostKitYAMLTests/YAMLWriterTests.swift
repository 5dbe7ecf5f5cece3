// That what is written is read as what it was, and looks as people write it.

import PostKitJSON
import PostKitTestSupport
import Testing

@testable import PostKitYAML

@Suite struct YAMLWriterTests {
  @Test func `values are written in blocks`() {
    let value: JSONValue = [
      "name": "Get user", "count": 3, "ratio": .number("1.50"), "on": true, "none": nil,
      "list": ["a", ["b", "c"], ["d": 1, "e": []], [:]],
      "text": "one\n  two\n\nthree\n", "cut": "one\ntwo",
    ]
    let expected = """
      name: Get user
      count: 3
      ratio: 1.50
      "on": true
      none: null
      list:
        - a
        - - b
          - c
        - d: 1
          e: []
        - {}
      text: |
        one
          two

        three
      cut: |-
        one
        two

      """
    #expect(String(decoding: YAMLWriter.text(value), as: UTF8.self) == expected)
  }

  @Test(arguments: [
    "", " ", "a ", " a", "5", "0777", "1_000", "1e3", "true", "Yes", "off", "null", "~", "<<", "=",
    "2026-01-31", "12:30", ".inf", "- a", "-", "? a", ": a", "a: b", "a:", "a #b", "a#b", "#a",
    "&a",
    "*a", "!a", "|", ">", "@a", "`a", "%a", "'a'", "\"a\"", "[a]", "{a}", "a, b", "a\tb", "\t",
    "---", "...", "--- a", "\u{0}", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{1F600}",
    "a\r\nb", "a\n", "\n", "a\n\n", "\na", "a\n \nb", "a\n ", " a\nb", "a\n\tb", "a\n---\nb",
    "a\n# b\n", "\ta\nb", "{{x}}", "https://x.y/z?a=b&c", "a\\b", "a\"b", "a\u{0}\nb",
  ])
  func `every text is read back as it was`(text: String) throws {
    for value: JSONValue in [
      .string(text), [.string(text)], .object([JSONMember(text, .string(text))]),
      ["a": ["b": .string(text), "c": [.object([JSONMember(text, [.string(text)])])]]],
    ] {
      let written = YAMLWriter.text(value)
      let read = try YAMLText(parsing: written, limits: YAMLLimits(), prefersJSON: false)
      #expect(read.tree.root.value == value, "\(String(decoding: written, as: UTF8.self))")
      #expect(read.notes.isEmpty)
    }
  }

  @Test func `long names are read back`() throws {
    let name = String(repeating: "n", count: 3_000)
    let value: JSONValue = .object([
      JSONMember(name, "a"), JSONMember(name + "2", ["b": 1]), JSONMember(name + "3", [1, 2]),
    ])
    #expect(try YAMLText(parsing: YAMLWriter.text(value)).tree.root.value == value)
  }

  @Test func `any value is read back as it was`() throws {
    var random = RepeatableGenerator(seed: 18)
    for _ in 0..<400 {
      let value = Self.value(&random, depth: 0)
      let written = YAMLWriter.text(value)
      let read = try YAMLText(parsing: written, limits: YAMLLimits(), prefersJSON: false)
      #expect(read.tree.root.value == value, "\(String(decoding: written, as: UTF8.self))")
    }
  }

  private static func value(_ random: inout RepeatableGenerator, depth: Int) -> JSONValue {
    switch random.int(in: 0..<(depth > 4 ? 4 : 8)) {
    case 0: return .null
    case 1: return .bool(random.oneIn(2))
    case 2: return .number(random.pick(["0", "-1", "1.5", "1e9", "18446744073709551616"]))
    case 3: return .string(text(&random))
    case 4, 5:
      return .array((0..<random.int(in: 0..<4)).map { _ in value(&random, depth: depth + 1) })
    default:
      return .object(
        (0..<random.int(in: 0..<4)).map { index in
          JSONMember(text(&random) + String(index), value(&random, depth: depth + 1))
        })
    }
  }

  private static func text(_ random: inout RepeatableGenerator) -> String {
    let parts = [
      "a", "b", " ", ":", "#", "-", "\n", "\t", "'", "\"", "[", "}", ",", "1", "é", "😀", "|",
      "\\",
      "\r",
    ]
    return (0..<random.int(in: 0..<8)).map { _ in random.pick(parts) }.joined()
  }
}
