// Checks the JSON parser: what it keeps, what it refuses and where, and that nothing makes it trap.

import Foundation
import PostKitJSON
import PostKitTestSupport
import Testing

/// The syntax problem of a text with its offset; `nil` when it is JSON.
private func problem(
  _ bytes: [UInt8], _ options: JSONParsingOptions = JSONParsingOptions()
) -> JSONSyntaxError? {
  do {
    _ = try JSONTree(parsing: bytes, options: options)
    return nil
  } catch {
    return error
  }
}

@Suite struct JSONParserTests {
  static let sample = #"""
    {"a": [1, -0.50, 1e+3, 123456789012345678901234567890], "é": "\u00e9\n\ud83d\ude00",
     "a": null, "t": true, "f": false, "o": {}, "l": [], "": "x\/y"}
    """#

  @Test func `order, duplicates, digits and ranges survive`() throws {
    let root = try JSONTree(parsing: Array(Self.sample.utf8)).root
    #expect(root.members.map(\.key.string) == ["a", "é", "a", "t", "f", "o", "l", ""])
    #expect(root["a"]?.isNull == true && root["none"] == nil)
    let numbers = root.members[0].value.elements
    #expect(
      numbers.map(\.numberText) == ["1", "-0.50", "1e+3", "123456789012345678901234567890"])
    #expect(numbers.map(\.int) == [1, nil, 1000, nil])
    #expect(root["é"]?.string == "é\n😀" && root[""]?.string == "x/y")
    #expect(root["t"]?.bool == true && root["f"]?.bool == false && root["o"]?.bool == nil)
    #expect(root["o"]?.count == 0 && root["l"]?.elements.isEmpty == true)
    for member in root.members {
      let source = String(decoding: Array(Self.sample.utf8)[member.value.range], as: UTF8.self)
      #expect(source == String(decoding: member.value.source, as: UTF8.self))
    }
    #expect(String(decoding: root.members[0].value.source, as: UTF8.self).hasPrefix("[1, -0.50"))
  }

  @Test func `integers are written with all their digits`() {
    let values: [Int] = [
      0, 9, 10, 99, 100, 1_001, 4_294_967_295, 4_294_967_296, -1, -10, .min, .max,
    ]
    for value in values {
      var writer = JSONWriter()
      writer.int(value)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == "\(value)")
    }
    var writer = JSONWriter()
    writer.beginArray()
    writer.int(UInt64.max)
    writer.int(7)
    writer.endArray()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "[18446744073709551615,7]")
  }

  @Test func `integers beyond what floating point holds are exact`() throws {
    let root = try JSONTree(parsing: Array("[9007199254740993,-9223372036854775808]".utf8)).root
    #expect(root[0]?.int == 9_007_199_254_740_993 && root[1]?.int == Int.min && root[2] == nil)
  }

  @Test(
    "what is no JSON is refused at its place",
    arguments: [
      ("", 0, JSONSyntaxError.Problem.unexpectedEnd), (" ", 1, .unexpectedEnd),
      ("[1,]", 3, .unexpectedByte), ("[1 2]", 3, .unexpectedByte),
      ("{\"a\" 1}", 5, .unexpectedByte),
      ("{a:1}", 1, .unexpectedByte), ("{\"a\":}", 5, .unexpectedByte), ("[1", 2, .unexpectedEnd),
      ("nul", 0, .badLiteral), ("True", 0, .badLiteral), ("NaN", 0, .badLiteral),
      ("-", 1, .badNumber), ("1.", 2, .badNumber), ("1e", 2, .badNumber), ("-a", 1, .badNumber),
      (".5", 0, .unexpectedByte), ("+1", 0, .unexpectedByte), ("01", 1, .trailingText),
      ("\"\\x\"", 1, .badEscape), ("\"\\u12g4\"", 1, .badEscape), ("\"a\nb\"", 2, .controlInString),
      ("\"a", 2, .unexpectedEnd), ("1 1", 2, .trailingText), ("/**/1", 0, .unexpectedByte),
    ])
  func refused(text: String, offset: Int, expected: JSONSyntaxError.Problem) {
    let error = problem(Array(text.utf8))
    #expect(error?.offset == offset && error?.problem == expected, "\(String(describing: error))")
    #expect(error?.explanation.isEmpty == false)
  }

  @Test func `a byte order mark at the start is skipped, and is no JSON elsewhere`() throws {
    let root = try JSONTree(parsing: Array("\u{FEFF}{\"a\":[1]}".utf8)).root
    #expect(root["a"]?[0]?.int == 1 && root["a"]?.range == 8..<11)
    #expect(problem(Array("\u{FEFF}".utf8))?.problem == .unexpectedEnd)
    #expect(problem(Array("[\u{FEFF}1]".utf8))?.offset == 1)
    #expect(problem(Array("\u{FEFF}\u{FEFF}1".utf8))?.offset == 3)
  }

  @Test(
    "bytes that are no UTF-8 are refused at the first of them",
    arguments: [
      [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xFF],
    ] as [[UInt8]])
  func badUTF8(bytes: [UInt8]) {
    let error = problem([0x22, 0x61] + bytes + [0x22])
    #expect(error?.offset == 2 && error?.problem == .badUTF8)
  }

  @Test(
    "half a surrogate pair becomes U+FFFD and nothing else is lost",
    arguments: [
      (#""\ud800""#, "\u{FFFD}"), (#""\udc00x""#, "\u{FFFD}x"), (#""\ud800\u0041""#, "\u{FFFD}A"),
      (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud83d\n""#, "\u{FFFD}\n"),
    ])
  func surrogates(source: String, text: String) throws {
    #expect(try JSONTree(parsing: Array(source.utf8)).root.string == text)
  }

  @Test func `depth is limited where the option says`() {
    let nested = { (depth: Int) in
      [UInt8](repeating: UInt8(ascii: "["), count: depth)
        + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(problem(nested(256)) == nil)
    let error = problem(nested(257))
    #expect(error?.offset == 256 && error?.problem == .tooDeep)
    #expect(problem(nested(3), JSONParsingOptions(depthLimit: 2))?.problem == .tooDeep)
    #expect(problem([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20))?.problem == .tooDeep)
  }

  @Test func `comments and trailing commas are taken only when allowed`() throws {
    let text = "// head\n{ /* a */ \"a\" : [1, /**/ 2, ], // b\n } // end"
    #expect(problem(Array(text.utf8))?.problem == .unexpectedByte)
    let options = JSONParsingOptions(allowsComments: true)
    let root = try JSONTree(parsing: Array(text.utf8), options: options).root
    #expect(root["a"]?.elements.map(\.int) == [1, 2])
    for bad in ["/* 1", "/ 1", "[,]", "1 /", "{,}", "[1,,]"] {
      #expect(problem(Array(bad.utf8), options) != nil, "\(bad)")
    }
  }

  @Test func `names are compared by their bytes, whatever escapes they have`() throws {
    let root = try JSONTree(parsing: Array("{\"\\u0065\\u0301\":1,\"\\u0061\":2}".utf8)).root
    #expect(root["e\u{301}"]?.int == 1 && root["\u{e9}"] == nil && root["a"]?.int == 2)
  }

  @Test func `every prefix of a document is refused and traps nothing`() throws {
    let bytes = Array(Self.sample.utf8)
    for length in 0..<bytes.count { #expect(problem(Array(bytes[..<length])) != nil) }
  }

  @Test func `mutated documents are JSON exactly when Foundation says so, and trap nothing`() {
    var generator = RepeatableGenerator(seed: 8259)
    let options = JSONParsingOptions(allowsComments: true)
    for round in 0..<4_000 {
      var bytes = Array(Self.sample.utf8)
      for _ in 0..<generator.int(in: 1..<5) { bytes = generator.mutated(bytes) }
      _ = problem(bytes, options)
      let path = try? JSONTree(parsing: bytes)
      // The two libraries differ on lone surrogates, U+0000 at the start and duplicate names.
      if path == nil, String(validating: bytes, as: UTF8.self) != nil {
        let other = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        #expect(other == nil, "round \(round): \(String(decoding: bytes, as: UTF8.self))")
      }
      if let tree = path {
        let again = try? JSONTree(parsing: tree.root.value.bytes)
        #expect(again?.root.value == tree.root.value, "round \(round)")
        let indented = try? JSONTree(parsing: tree.indented())
        #expect(indented?.root.value == tree.root.value, "round \(round)")
      }
    }
  }
}

@Suite struct JSONWriterTests {
  @Test func `a value written and read is the same value`() throws {
    var generator = RepeatableGenerator(seed: 99)
    for _ in 0..<500 {
      let value = generator.jsonValue(depth: 4)
      #expect(try JSONTree(parsing: value.bytes).root.value == value)
      var writer = JSONWriter(indent: 2)
      writer.write(value)
      #expect(try JSONTree(parsing: writer.bytes).root.value == value)
      #expect(try JSONTree(parsing: value.bytes).indented() == writer.bytes)
    }
  }

  @Test func `numbers that JSON can't say become null`() {
    var writer = JSONWriter()
    writer.beginArray()
    for number in [1.5, 3, -0.25, .infinity, .nan, 1e300] { writer.double(number) }
    writer.endArray()
    #expect(String(decoding: writer.bytes, as: UTF8.self).hasPrefix("[1.5,3,-0.25,null,null,1"))
  }

  @Test func `control characters are escaped and nothing else`() {
    #expect(
      JSONValue.string("\u{0}\t\"\\/\u{7f}é\u{2028}").text
        == "\"\\u0000\\t\\\"\\\\/\u{7f}é\u{2028}\"")
  }

  @Test func `each control character is written in its shortest form, between what surrounds it`() {
    let short: [UInt8: String] = [8: "b", 9: "t", 10: "n", 12: "f", 13: "r"]
    for byte in UInt8(0)..<0x20 {
      let digits = String(byte, radix: 16)
      let form = short[byte] ?? "u" + String(repeating: "0", count: 4 - digits.count) + digits
      let character = Character(UnicodeScalar(byte))
      #expect(JSONValue.string("a\(character)\(character)b").text == "\"a\\\(form)\\\(form)b\"")
    }
  }

  @Test func `indenting changes no digit, escape, order or duplicate`() throws {
    let source = #"{"b":1.0e+05,"a":"\u00e9\/","b":[],"c":{},"d":[[1,2],{"x":null}], "e":-0}"#
    let indented = try JSONTree(parsing: Array(source.utf8)).indented()
    expect(String(decoding: indented, as: UTF8.self), is: #"""
      {
        "b": 1.0e+05,
        "a": "\u00e9\/",
        "b": [],
        "c": {},
        "d": [
          [
            1,
            2
          ],
          {
            "x": null
          }
        ],
        "e": -0
      }
      """#)
    #expect(try JSONTree(parsing: Array(" 12.50 ".utf8)).indented() == Array("12.50".utf8))
  }
}

extension RepeatableGenerator {
  mutating func jsonValue(depth: Int) -> JSONValue {
    switch int(in: 0..<(depth > 0 ? 7 : 5)) {
    case 0: .null
    case 1: .bool(oneIn(2))
    case 2: .number(pick(["0", "-1", "1.50", "1e9", "12345678901234567890", "-0.0E-2"]))
    case 3, 4: .string(pick(["", "a", "é", "\"", "\\", "\n", "😀", "\u{1}", "a/b", "\u{FFFD}"]))
    case 5: .array((0..<int(in: 0..<4)).map { _ in jsonValue(depth: depth - 1) })
    default:
      .object(
        (0..<int(in: 0..<4)).map { _ in
          JSONMember(pick(["a", "b", "é", ""]), jsonValue(depth: depth - 1))
        })
    }
  }
}
