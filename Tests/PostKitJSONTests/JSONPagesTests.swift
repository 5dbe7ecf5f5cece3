// Long JSON in pages: nothing is lost between them, and each is JSON of its own.

import PostKitTestSupport
import Testing

@testable import PostKitJSON

/// A text that is read in pieces of some bytes.
private func pages(
  _ text: [UInt8], lines: ClosedRange<Int> = 8...12, bytes: ClosedRange<Int> = 4_000...8_000,
  piece: Int = 1 << 20
) -> JSONPages? {
  JSONPages(count: text.count, size: .init(lines: lines, bytes: bytes)) { offset, count in
    Array(text[offset..<offset + min(count, piece)])
  }
}

private func page(
  _ number: Int, of pages: JSONPages, _ text: [UInt8], longest: Int = 1_000, piece: Int = 1 << 20
) -> (text: String, cut: Int) {
  let found = pages.text(of: number, count: text.count, longest: longest) { offset, count in
    Array(text[offset..<offset + min(count, piece)])
  }
  return (String(decoding: found.text, as: UTF8.self), found.cut)
}

@Suite struct JSONPagesTests {
  @Test func `a short text is one page, laid out as ever`() throws {
    let text = Array(#"{"b":[1.50,{}, []],"a":"ä\u00e4","b":null, "c":{"d":{"e":[[1],[2]]}}}"#.utf8)
    let found = try #require(pages(text, lines: 100...200))
    #expect(found.starts.count == 1)
    #expect(found.isComplete)
    let whole = String(decoding: try JSONTree(parsing: text).indented(), as: UTF8.self) + "\n"
    for piece in [1, 2, 3, 5, 1_000] {
      #expect(page(0, of: found, text, piece: piece).text == whole)
    }
  }

  @Test func `a page begins between two elements, below the brackets around them`() throws {
    let items = (1...10).map { #"{"id":\#($0),"tags":["x","y"]}"# }.joined(separator: ",")
    let text = Array(#"{"count":10,"items":[\#(items)]}"#.utf8)
    let found = try #require(pages(text, lines: 8...16))
    #expect(
      found.starts.map { $0.frames.map(\.count) } == [
        [], [2, 2], [2, 4], [2, 6], [2, 8], [2, 10],
      ])
    let second = page(1, of: found, text).text
    #expect(second.hasPrefix("{\n  \"items\": [\n    {\n      \"id\": 2,\n"))
    #expect(second.hasSuffix("\n    }\n  ]\n}\n"))
    #expect(!second.contains("\"id\": 4"))
  }

  @Test func `all lines of a text are on its pages, once and in order`() throws {
    var random = RepeatableGenerator(seed: 20_261_123)
    var several = 0
    for _ in 0..<300 {
      let values = (0..<random.int(in: 1..<9)).map { _ in random.jsonValue(depth: 5) }
      let text = JSONValue.array(values).bytes
      let piece = random.pick([1, 7, 64, 1 << 20])
      let found = try #require(
        pages(text, lines: 4...9, bytes: 60...120, piece: piece),
        "\(String(decoding: text, as: UTF8.self))")
      if found.starts.count > 1 { several += 1 }
      var lines: [String] = []
      for (number, start) in found.starts.enumerated() {
        let shown = page(number, of: found, text, piece: piece).text
        #expect(throws: Never.self, "\(shown)") { try JSONTree(parsing: Array(shown.utf8)) }
        let next = number + 1 < found.starts.count ? found.starts[number + 1].frames.count : 0
        lines += shown.split(separator: "\n").dropFirst(start.frames.count).dropLast(next)
          .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
      }
      let whole = String(decoding: try JSONTree(parsing: text).indented(), as: UTF8.self)
        .split(separator: "\n").map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
      #expect(lines == whole)
    }
    #expect(several > 50)
  }

  @Test func `a long string is cut where no character and no escape is`() throws {
    for (body, shown) in [
      (String(repeating: "a", count: 40), "aaaaaaaaa"), ("ääääääääää", "ääää"),
      (#"abcdef\ud83d\ude00 and more"#, "abcdef"), (#"abc\\\\\\\\\\\\\\ and more"#, "abc"),
    ] {
      let text = Array("[\"\(body)\",12345678901234567890]".utf8)
      let found = try #require(pages(text))
      let (part, cut) = page(0, of: found, text, longest: 10, piece: 3)
      #expect(cut == 1)
      #expect(part == "[\n  \"\(shown)…\",\n  12345678901234567890\n]\n")
    }
  }

  @Test func `what is cut off is shown as far as it goes`() throws {
    for (text, shown) in [
      (#"{"a":[1,2"#, "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n"),
      (#"{"a":"xy"#, "{\n  \"a\": \"xy…\"\n}\n"), ("[1,", "[\n  1\n]\n"),
    ] {
      let found = try #require(pages(Array(text.utf8)))
      #expect(!found.isComplete)
      #expect(page(0, of: found, Array(text.utf8)).text == shown)
    }
  }

  @Test(arguments: [
    "", " ", "<html>", "{a:1}", "[1 2]", "[1,]", "{\"a\" 1}", "[1]]", "{]", "[NaN]",
  ])
  func `what is no JSON has no pages`(text: String) {
    #expect(pages(Array(text.utf8)) == nil)
  }

  @Test func `brackets deeper than a tree may have are refused`() {
    #expect(pages(Array(String(repeating: "[", count: 256).utf8)) != nil)
    #expect(pages(Array(String(repeating: "[", count: 257).utf8)) == nil)
  }

  @Test func `a byte order mark is passed over`() throws {
    let text = [0xEF, 0xBB, 0xBF] + Array("[1]".utf8)
    #expect(page(0, of: try #require(pages(text)), text).text == "[\n  1\n]\n")
  }
}
