// Checks positions against a slow and obvious model, in all three encodings.

import PostKitTestSupport
import PostKitText
import Testing

@Suite struct PositionTests {
  @Test(
    "positions that don't exist are clamped, and none lies inside CRLF or a scalar",
    arguments: [
      // encoding, line, column, offset in "aé😀\r\nb\rc\n"
      (PositionEncoding.utf16, 0, 0, 0), (.utf16, 0, 1, 1), (.utf16, 0, 2, 3), (.utf16, 0, 3, 3),
      (.utf16, 0, 4, 7), (.utf16, 0, 5, 7), (.utf16, 0, 99, 7), (.utf16, 1, 0, 9),
      (.utf16, 1, 1, 10), (.utf16, 1, 2, 10), (.utf16, 2, 1, 12), (.utf16, 3, 0, 13),
      (.utf16, 3, 5, 13), (.utf16, 9, 9, 13), (.utf16, -1, 5, 0), (.utf16, 1, -1, 9),
      (.utf8, 0, 2, 1), (.utf8, 0, 3, 3), (.utf8, 0, 5, 3), (.utf8, 0, 7, 7), (.utf8, 0, 8, 7),
      (.utf32, 0, 2, 3), (.utf32, 0, 3, 7), (.utf32, 0, 4, 7), (.utf32, Int.max, Int.max, 13),
      (.utf16, 0, Int.max, 7), (.utf16, Int.min, Int.min, 0),
    ])
  func clamping(encoding: PositionEncoding, line: Int, column: Int, offset: Int) {
    let snapshot = TextSnapshot(uri: "u", version: 1, text: "aé😀\r\nb\rc\n")
    let position = TextPosition(line: line, column: column)
    #expect(snapshot.converter(encoding).offset(of: position) == offset)
  }

  @Test func `the end of a range inside a scalar is rounded up, and reversed ends are swapped`() {
    let converter = TextSnapshot(uri: "u", version: 1, text: "a😀b").converter(.utf16)
    let inside = TextPosition(line: 0, column: 2)
    #expect(converter.range(from: inside, to: inside) == 1..<1)
    #expect(converter.range(from: TextPosition(line: 0, column: 0), to: inside) == 0..<5)
    #expect(converter.range(from: TextPosition(line: 0, column: 4), to: inside) == 1..<6)
  }

  @Test func `an offset between CR and LF is at the end of its line`() {
    let converter = TextSnapshot(uri: "u", version: 1, text: "ab\r\nc").converter(.utf16)
    #expect(converter.position(of: 3) == TextPosition(line: 0, column: 2))
    #expect(converter.position(of: 4) == TextPosition(line: 1, column: 0))
    #expect(converter.position(of: -5) == TextPosition(line: 0, column: 0))
    #expect(converter.position(of: 99) == TextPosition(line: 1, column: 1))
  }

  @Test func `bytes that are no UTF-8 count as one unit each`() {
    let snapshot = TextSnapshot(uri: "u", version: 1, bytes: [0xFF, 0x61, 0xE2, 0x82, 0x62])
    for encoding in PositionEncoding.allCases {
      let converter = snapshot.converter(encoding)
      for offset in 0...5 {
        #expect(converter.position(of: offset) == TextPosition(line: 0, column: offset))
        #expect(converter.offset(of: TextPosition(line: 0, column: offset)) == offset)
      }
    }
  }

  @Test(arguments: PositionEncoding.allCases)
  func `conversion agrees with the model at every offset of random texts`(
    encoding: PositionEncoding
  ) {
    var generator = RepeatableGenerator(seed: 9)
    for _ in 0..<300 {
      let text = generator.text(maximumScalars: 30)
      let snapshot = TextSnapshot(uri: "u", version: 1, text: text)
      let converter = snapshot.converter(encoding)
      let model = TextModel(text)
      for offset in model.boundaries {
        let position = converter.position(of: offset)
        #expect(position == model.position(of: offset, encoding), "\(text.debugDescription)")
        #expect(converter.offset(of: position) == offset, "\(text.debugDescription)")
      }
      var cursor = snapshot.cursor(encoding)
      for _ in 0..<40 {
        let offset = generator.int(in: -1..<snapshot.bytes.count + 2)
        #expect(cursor.position(of: offset) == converter.position(of: offset))
      }
      for offset in 0...snapshot.bytes.count {
        #expect(cursor.position(of: offset) == converter.position(of: offset))
        let there = converter.offset(of: converter.position(of: offset))
        #expect(there <= offset && model.boundaries.contains(there))
        #expect(model.boundaries.last { $0 <= offset } == there)
      }
    }
  }
}

/// The obvious way to do it, on arrays of scalars.
struct TextModel {
  /// Lines with their line ends.
  var lines: [[Unicode.Scalar]] = [[]]

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      lines[lines.count - 1].append(scalar)
      let isCRBeforeLF =
        scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if scalar == "\n" || scalar == "\r" && !isCRBeforeLF { lines.append([]) }
    }
  }

  /// Offsets that a position can have: scalar starts, not inside CRLF.
  var boundaries: [Int] {
    var result: [Int] = []
    var offset = 0
    for line in lines {
      for (index, scalar) in line.enumerated() {
        if !(scalar == "\n" && index > 0 && line[index - 1] == "\r") { result.append(offset) }
        offset += UTF8.width(scalar)
      }
    }
    return result + [offset].filter { $0 != result.last }
  }

  func position(of offset: Int, _ encoding: PositionEncoding) -> TextPosition {
    var start = 0
    for (number, line) in lines.enumerated() {
      let length = line.reduce(0) { $0 + UTF8.width($1) }
      if offset < start + length || number == lines.count - 1 {
        let before = String(decoding: String(line).utf8.prefix(offset - start), as: UTF8.self)
        return TextPosition(line: number, column: encoding.length(of: before))
      }
      start += length
    }
    return TextPosition(line: 0, column: 0)
  }
}

extension String {
  init(_ scalars: [Unicode.Scalar]) {
    var view = UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}

extension RepeatableGenerator {
  /// A text of scalars that make trouble.
  mutating func text(maximumScalars: Int) -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "b", "{", "é", "\u{301}", "€", "😀", "\u{10FFFF}", "\r", "\n", "\r", "\n", "\u{2028}",
      "\u{85}", "\0",
    ]
    return String((0..<int(in: 0..<maximumScalars + 1)).map { _ in pick(alphabet) })
  }
}
