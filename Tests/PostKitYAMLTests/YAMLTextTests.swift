// What YAML texts become.

import PostKitJSON
import Testing

@testable import PostKitYAML

@Suite struct YAMLTextTests {
  @Test func `lists, mappings and all kinds of scalars become JSON`() {
    let text = """
      name: Shop  # of Ann
      list:
      - 1
      - "1"
      - 'it''s'
      - [a, {b: c}, "\\u00e9\\t"]
      folded: >
        one
        two

        three
      literal: |-
        a
          b
      empty:
      "": ""
      """
    let expected =
      #"{"name":"Shop","list":[1,"1","it's",["a",{"b":"c"},"é\t"]],"#
      + #""folded":"one two\nthree\n","literal":"a\n  b","empty":null,"":""}"#
    #expect(json(text) == expected)
  }

  @Test(arguments: [
    ("~", "null"), ("null", "null"), ("NULL", "null"), ("", "null"), ("nUll", #""nUll""#),
    ("true", "true"), ("False", "false"), ("TRUE", "true"), ("tRue", #""tRue""#),
    ("yes", #""yes""#), ("no", #""no""#), ("on", #""on""#), ("Off", #""Off""#), ("y", #""y""#),
    ("0", "0"), ("-0", "-0"), ("+12", "12"), ("0777", #""0777""#), ("-007", #""-007""#),
    ("00", #""00""#), ("1_000", #""1_000""#), ("12:30:45", #""12:30:45""#),
    ("2026-01-31", #""2026-01-31""#), ("0o17", "15"), ("0o18", #""0o18""#), ("0x1F", "31"),
    ("0xg", #""0xg""#), ("-0x1", #""-0x1""#), ("0x", #""0x""#),
    ("0xFFFFFFFFFFFFFFFFFFFF", "1208925819614629174706175"), ("0o0", "0"),
    ("9223372036854775808123", "9223372036854775808123"), ("1.0", "1.0"), (".5", "0.5"),
    ("-.5", "-0.5"), ("+1.5", "1.5"), ("5.", "5.0"), ("5.e3", "5.0e3"), ("1e3", "1e3"),
    ("1E+03", "1E+03"), (".", #"".""#), ("-", #"[null]"#), ("+", #""+""#), ("1e", #""1e""#),
    (".e5", #"".e5""#), ("1.2.3", #""1.2.3""#), ("01.5", #""01.5""#), (".inf", #"".inf""#),
    ("-.INF", #""-.INF""#), (".NaN", #"".NaN""#), ("-.nan", #""-.nan""#),
  ])
  func `plain scalars follow the core schema`(text: String, expected: String) {
    #expect(json(text) == expected)
  }

  @Test func `names of members are texts as they are written`() {
    #expect(
      json("200: a\ntrue: b\n~: c\n0x1F: d\non: e\n? f\n")
        == #"{"200":"a","true":"b","~":"c","0x1F":"d","on":"e","f":null}"#)
    #expect(json("? [a]\n: b") == "line 1, column 3: " + explanation(.keyIsNoScalar))
    #expect(json("a: &x {}\n*x : b") == "line 2, column 1: " + explanation(.keyIsNoScalar))
  }

  @Test func `YAML's own tags are obeyed where the text allows`() {
    #expect(
      json("[!!str 5, !!int '5', !!int 007, !!float 1, !!bool 'true', !!null '', !!int 0x10]")
        == #"["5",5,7,1,true,null,16]"#)
    #expect(json("!!map {a: !!seq [b]}") == #"{"a":["b"]}"#)
    #expect(notes("!!map {a: !!seq [b]}") == [])
    #expect(json("[!!int 1.5, !!bool maybe, !!seq {}, !!map x]") == #"["1.5","maybe",{},"x"]"#)
    #expect(notes("[!!int 1.5, !!bool maybe, !!seq {}]").count == 3)
    #expect(json("!Ref Bucket") == #""Bucket""#)
    #expect(
      notes("a: !Ref Bucket") == [
        "line 1, column 4: PostKit does not know the tag `!Ref` and reads what it stands at."
      ])
  }

  @Test func `infinities and huge numbers are texts, with a note`() {
    #expect(
      notes("a: .inf") == [
        "line 1, column 4: JSON has no infinite numbers and no NaN; this is read as a text."
      ])
    let digits = "0x" + String(repeating: "f", count: 257)
    #expect(json(digits) == "\"\(digits)\"")
    #expect(notes(digits).count == 1)
    #expect(notes("0x" + String(repeating: "f", count: 256)).isEmpty)
  }

  @Test func `aliases are written out`() {
    #expect(
      json("a: &x {b: [1, 2]}\nc: *x\nd: [*x, *x]")
        == #"{"a":{"b":[1,2]},"c":{"b":[1,2]},"d":[{"b":[1,2]},{"b":[1,2]}]}"#)
    #expect(json("&k 5: &v 6\n*v : *k\n") == #"{"5":6,"6":5}"#)
    #expect(json("a: &x 1\nb: &x 2\nc: *x") == #"{"a":1,"b":2,"c":2}"#)
    #expect(json("a: *x") == "line 1, column 4: no `&x` stands before `*x`")
    let tree = try? read("a: &x [\"é\\n\", 2]\nb: *x").tree
    #expect(tree?.root["b"]?[0]?.string == "é\n")
    #expect(tree?.root["b"]?[1]?.int == 2)
  }

  @Test func `an alias inside of its own anchor is a cycle`() {
    #expect(problem("a: &x [1, *x]") == .cycle("x"))
    #expect(problem("&x a: *x") == nil)
    #expect(problem("&x {a: {b: *x}}") == .cycle("x"))
    #expect(problem("a: &x [1, &x 2, *x]") == nil)
  }

  @Test func `merge keys are applied, and a mapping's own members win`() {
    let base = "base: &b {a: 1, b: 2}\nmore: &m {b: 3, c: 4}\n"
    let start = #"{"base":{"a":1,"b":2},"more":{"b":3,"c":4},"#
    #expect(json(base + "x: {<<: *b, b: 9}") == start + #""x":{"a":1,"b":9}}"#)
    #expect(json(base + "x: {b: 9, <<: *b}") == start + #""x":{"b":9,"a":1}}"#)
    #expect(json(base + "x: {<<: [*m, *b]}") == start + #""x":{"b":3,"c":4,"a":1}}"#)
    #expect(json(base + "x: {<<: {d: 5, <<: *m}}") == start + #""x":{"d":5,"b":3,"c":4}}"#)
    #expect(json("x: {<<: &d {a: 1}, b: *d}") == #"{"x":{"a":1,"b":{"a":1}}}"#)
    #expect(json("- &x {<<: {a: 1}}\n- *x") == #"[{"a":1},{"a":1}]"#)
    #expect(json(#"{"<<": {a: 1}}"#) == #"{"<<":{"a":1}}"#)
    #expect(json("{<<: 5, a: 1}") == #"{"<<":5,"a":1}"#)
    #expect(notes("{<<: 5, a: 1}").count == 1)
    #expect(json("<<: [{a: 1, a: 2}]") == #"{"a":2}"#)
    #expect(notes("{<<: {a: 1}, <<: {b: 1}}").isEmpty)
  }

  @Test func `of equal names the last counts, and the others are told`() throws {
    let text = try read("a: 1\nb: 2\n\"a\": 3\n")
    #expect(text.tree.root["a"]?.int == 3)
    #expect(
      text.notes.map { "\($0.place): \($0.message)" } == [
        "line 3, column 1: `a` stands here more than once; the last one counts."
      ])
    let many = (0..<40).map { "k\($0 % 39): \($0)\n" }.joined()
    #expect(notes(many).map { $0.prefix(16) } == ["line 40, column "])
  }

  @Test func `of several documents the first is read`() {
    #expect(json("a: 1\n---\nb: [\n") == #"{"a":1}"#)
    #expect(
      notes("a: 1\n---\nb: 2\n")
        == ["line 2, column 1: Only the first of several documents is read."])
    #expect(json("") == "null")
    #expect(json("# nothing\n") == "null")
    #expect(json("---\n...\n") == "null")
    #expect(json("%YAML 1.2\n---\na\n") == #""a""#)
  }

  @Test func `a byte order mark is skipped`() throws {
    let text = try YAMLText(parsing: [0xEF, 0xBB, 0xBF] + Array("a: é\nb: c".utf8))
    #expect(String(decoding: text.tree.bytes, as: UTF8.self) == #"{"a":"é","b":"c"}"#)
    let value = try #require(text.tree.root["b"])
    #expect(text.place(of: value) == YAMLPlace(offset: 12, line: 1, column: 3))
  }

  @Test func `what is no YAML is told with its place`() {
    #expect(json("a: b: c").hasPrefix("line 1, column 5: "))
    #expect(json("a:\n\t- b").hasPrefix("line 2, column 1: "))
    #expect(json("é: \"x").hasPrefix("line 1, column "))
    #expect(problem("a: \u{1}") == .badByte("control characters are not allowed"))
    #expect(json("é\u{0}").hasPrefix("line 1, column 3: "))
    let bad: [UInt8] = Array("a: b\nc: ".utf8) + [0xFF]
    #expect {
      try YAMLText(parsing: bad)
    } throws: {
      ($0 as? YAMLSyntaxError)?.place == YAMLPlace(offset: 8, line: 1, column: 3)
    }
  }

  private func explanation(_ problem: YAMLSyntaxError.Problem) -> String {
    YAMLSyntaxError(problem: problem, place: YAMLPlace(offset: 0, line: 0, column: 0)).explanation
  }
}
