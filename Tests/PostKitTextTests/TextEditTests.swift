// Checks changes and edits against plain strings.

import PostKitTestSupport
import PostKitText
import Testing

@Suite struct TextChangeTests {
  @Test func `changes apply in order, each on the result of the one before`() {
    let snapshot = TextSnapshot(uri: "u", version: 1, text: "one\ntwo\n")
    let after = snapshot.applying(
      [
        .ranged(from: at(0, 3), to: at(0, 3), text: "\nnew"),
        .ranged(from: at(1, 0), to: at(1, 1), text: "N"),
        .ranged(from: at(3, 0), to: at(9, 9), text: "end"),
      ], encoding: .utf16, version: 2)
    #expect(after.text == "one\nNew\ntwo\nend")
    #expect(after.version == 2 && after.uri == "u" && after.lines == LineIndex(after.bytes))
    #expect(snapshot.text == "one\ntwo\n")
  }

  @Test func `a full text may stand at any place and voids what was before it`() {
    let snapshot = TextSnapshot(uri: "u", version: 1, text: "old")
    let after = snapshot.applying(
      [
        .ranged(from: at(0, 0), to: at(0, 1), text: "x"), .full("new"),
        .ranged(from: at(0, 3), to: at(0, 3), text: "er"),
      ], encoding: .utf8, version: 5)
    #expect(after.text == "newer")
  }

  @Test func `reversed ranges are swapped`() {
    let snapshot = TextSnapshot(uri: "u", version: 1, text: "abcdef")
    let after = snapshot.applying(
      [.ranged(from: at(0, 4), to: at(0, 1), text: "-")], encoding: .utf16, version: 2)
    #expect(after.text == "a-ef")
  }

  @Test func `LF put after a lone CR joins it and moves later lines`() {
    let snapshot = TextSnapshot(uri: "u", version: 1, text: "a\rb\rc")
    let after = snapshot.applying(
      [
        .ranged(from: at(1, 0), to: at(1, 0), text: "\n"),
        .ranged(from: at(0, 1), to: at(0, 9), text: "!"),
        .ranged(from: at(2, 0), to: at(2, 1), text: "C"),
      ], encoding: .utf16, version: 2)
    #expect(after.text == "a!\r\nb\rC")
  }

  @Test(arguments: PositionEncoding.allCases)
  func `random edit scripts give the text of the model in every encoding`(
    encoding: PositionEncoding
  ) {
    var generator = RepeatableGenerator(seed: 21)
    for round in 0..<300 {
      var model = generator.text(maximumScalars: 40)
      let first = TextSnapshot(uri: "u", version: 0, text: model)
      var changes: [TextChange] = []
      for _ in 0..<generator.int(in: 1..<12) {
        let replacement = generator.text(maximumScalars: 6)
        if generator.oneIn(15) {
          model = replacement
          changes.append(.full(replacement))
          continue
        }
        let boundaries = TextModel(model).boundaries
        let ends = [generator.pick(boundaries), generator.pick(boundaries)].sorted()
        let positions = ends.map { TextModel(model).position(of: $0, encoding) }
        var bytes = Array(model.utf8)
        bytes.replaceSubrange(ends[0]..<ends[1], with: replacement.utf8)
        model = String(decoding: bytes, as: UTF8.self)
        let isSwapped = generator.oneIn(3)
        changes.append(
          .ranged(
            from: positions[isSwapped ? 1 : 0], to: positions[isSwapped ? 0 : 1],
            text: replacement))
      }
      let after = first.applying(changes, encoding: encoding, version: 1)
      #expect(after.bytes == Array(model.utf8), "seed 21, round \(round)")
    }
  }

  @Test func `changes with any positions at all keep the text valid`() {
    var generator = RepeatableGenerator(seed: 4)
    for encoding in PositionEncoding.allCases {
      var snapshot = TextSnapshot(uri: "u", version: 0, text: "aé😀\r\nb\rc\n")
      for _ in 0..<2_000 {
        let positions = (0..<4).map { _ in generator.pick([-1, 0, 1, 2, 3, 5, 8, Int.max]) }
        snapshot = snapshot.applying(
          [
            .ranged(
              from: at(positions[0], positions[1]), to: at(positions[2], positions[3]),
              text: generator.text(maximumScalars: 5))
          ], encoding: encoding, version: 1)
        #expect(String(validating: snapshot.bytes, as: UTF8.self) != nil)
        #expect(snapshot.lines == LineIndex(snapshot.bytes))
      }
    }
  }

  @Test func `after each edit of many the lines are those of the whole text`() {
    var generator = RepeatableGenerator(seed: 12)
    let pieces = ["", "x", "\n", "\r\n", "\r", "one\ntwo\n", "a\rb", "é", "long line of text "]
    for _ in 0..<200 {
      let text = (0..<20).map { _ in generator.pick(pieces) }.joined()
      // Few texts would do without a lone CR or a letter beyond ASCII.
      var snapshot = TextSnapshot(
        uri: "u", version: 0,
        text: generator.oneIn(2) ? text : text.replacing("\r", with: "").replacing("é", with: "e"))
      for _ in 0..<20 {
        let lines = (0..<2).map { _ in generator.int(in: 0..<snapshot.lines.lineCount + 1) }
        let columns = (0..<2).map { _ in generator.int(in: 0..<12) }
        snapshot = snapshot.applying(
          [
            .ranged(
              from: at(lines[0], columns[0]),
              to: generator.oneIn(2) ? at(lines[0], columns[0]) : at(lines[1], columns[1]),
              text: generator.pick(pieces))
          ], encoding: .utf16, version: 1)
        #expect(snapshot.lines == LineIndex(snapshot.bytes))
      }
    }
  }

  private func at(_ line: Int, _ column: Int) -> TextPosition {
    TextPosition(line: line, column: column)
  }
}

@Suite struct TextEditTests {
  @Test func `edits mean the text before them, whatever their order`() {
    let edits = [
      TextEdit(4..<6, "Z"), TextEdit(0..<0, "1"), TextEdit(0..<0, "2"), TextEdit(0..<1, "A"),
    ]
    #expect(TextEdit.apply(edits, to: Array("abcdef".utf8)) == Array("12AbcdZ".utf8))
    #expect(TextEdit.apply([], to: [1]) == [1])
  }

  @Test func `edits that overlap or leave the text change nothing`() {
    #expect(TextEdit.apply([TextEdit(0..<2, ""), TextEdit(1..<3, "")], to: [1, 2, 3]) == nil)
    #expect(TextEdit.apply([TextEdit(0..<2, ""), TextEdit(1..<1, "x")], to: [1, 2, 3]) == nil)
    #expect(TextEdit.apply([TextEdit(3..<4, "")], to: [1, 2, 3]) == nil)
    #expect(TextEdit.apply([TextEdit(-1..<0, "")], to: [1, 2, 3]) == nil)
  }

  @Test(arguments: [
    (TextEdit(3..<5, "abcd"), [0, 3, 4, 7, 8]), (TextEdit(3..<5, ""), [0, 3, 3, 3, 4]),
    (TextEdit(3..<3, "ab"), [0, 5, 6, 7, 8]),
  ])
  func `an edit moves the offsets behind it`(edit: TextEdit, expected: [Int]) {
    #expect([0, 3, 4, 5, 6].map(edit.moved) == expected)
  }

  @Test func `the minimal edit turns one text into the other on whole scalars`() {
    var generator = RepeatableGenerator(seed: 77)
    for _ in 0..<2_000 {
      let old = Array(generator.text(maximumScalars: 8).utf8)
      let new = Array(generator.text(maximumScalars: 8).utf8)
      guard let edit = TextEdit.minimal(from: old, to: new) else {
        #expect(old == new)
        continue
      }
      #expect(TextEdit.apply([edit], to: old) == new)
      let boundaries = TextModel(String(decoding: old, as: UTF8.self)).boundaries
      #expect(boundaries.contains(edit.range.lowerBound))
      #expect(boundaries.contains(edit.range.upperBound))
    }
    let edit = TextEdit.minimal(from: Array("a\r\nb".utf8), to: Array("a\rb".utf8))
    #expect(edit == TextEdit(1..<3, "\r"))
  }
}

@Suite struct LineIndexTests {
  @Test func `LF, CRLF and lone CR end lines; other separators don't`() {
    let snapshot = TextSnapshot(uri: "u", version: nil, text: "a\nb\r\nc\rd\u{2028}\u{85}e\n\r")
    #expect(
      (0..<snapshot.lines.lineCount).map(snapshot.line) == [
        "a", "b", "c", "d\u{2028}\u{85}e", "", "",
      ])
    #expect(snapshot.line(-1) == "" && snapshot.line(99) == "")
    #expect(snapshot.lineEnd == "\n")
    #expect(TextSnapshot(uri: "u", version: nil, text: "a\r\nb\n").lineEnd == "\r\n")
    #expect(TextSnapshot(uri: "u", version: nil, text: "").lines.lineCount == 1)
  }

  @Test func `every offset is in the line whose range holds it`() {
    var generator = RepeatableGenerator(seed: 3)
    for _ in 0..<200 {
      let bytes = Array(generator.text(maximumScalars: 30).utf8)
      let index = LineIndex(bytes)
      let covered = (0..<index.lineCount).flatMap { index.range(ofLine: $0) }
      #expect(covered == Array(0..<bytes.count))
      for offset in bytes.indices {
        #expect(index.range(ofLine: index.line(at: offset)).contains(offset))
      }
    }
  }
}
