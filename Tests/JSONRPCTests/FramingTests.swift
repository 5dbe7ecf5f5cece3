// Every way to cut, spell and break the frames of a session.

import JSONRPC
import PostKitSupport
import Testing

@Suite struct FramingTests {
  /// Feeds pieces and collects all findings; a failure ends the list.
  private func run(_ pieces: [[UInt8]]) -> (found: [FramingOutput], failure: FramingFailure?) {
    var framing = Framing()
    var found: [FramingOutput] = []
    for piece in pieces {
      framing.push(piece)
      do throws(FramingFailure) {
        while let output = try framing.next() { found.append(output) }
      } catch {
        return (found, error)
      }
    }
    return (found, nil)
  }

  private func run(_ text: String) -> (found: [FramingOutput], failure: FramingFailure?) {
    run([Array(text.utf8)])
  }

  private func body(_ text: String) -> FramingOutput { .body(Array(text.utf8)) }

  @Test func `a session gives the same messages for every cut in two and three`() {
    let session = Array(
      ("Content-Length: 2\r\n\r\n{}" + "junk\r\n" + "content-length:8\n\n{\"é\":1}"
        + "Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 3\r\n\r\n[1]")
        .utf8)
    let whole = run([session])
    #expect(whole.failure == nil)
    #expect(whole.found == [body("{}"), .skipped(byteCount: 6), body("{\"é\":1}"), body("[1]")])
    for first in 0...session.count {
      for second in first...min(session.count, first + 40) {
        let cut = run([
          Array(session[..<first]), Array(session[first..<second]), Array(session[second...]),
        ])
        #expect(cut.found == whole.found, "cut at \(first) and \(second)")
      }
    }
    let single = run(session.map { [$0] })
    #expect(single.found == whole.found)
  }

  @Test(arguments: ["Content-Length", "content-length", "CONTENT-LENGTH", "cOnTeNt-LeNgTh"])
  func `names match in any case, with any blanks, any order and any other fields`(name: String) {
    for spacing in [":", ": ", " : ", ":\t", ":   "] {
      for end in ["\r\n", "\n"] {
        let length = "\(name)\(spacing)2\(end)"
        let others = ["", "Content-Type: x/y; charset=utf-8\(end)", "X-A: b\(end)"]
        for before in others {
          for after in others {
            let result = run(before + length + after + end + "{}")
            #expect(result.found == [body("{}")], "\(before)|\(length)|\(after)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    "charset=utf-8", "charset=UTF-8", "charset=utf8", "charset=\"utf-8\"", "charset = utf-8", "a=b",
  ])
  func `charsets that mean UTF-8 are taken`(parameter: String) {
    let header = "Content-Length: 2\r\nContent-Type: x/y; \(parameter)\r\n\r\n"
    #expect(run(header + "{}").found == [body("{}")])
  }

  @Test func `a message in another charset is skipped and the next one read`() {
    let result = run(
      "Content-Length: 2\r\nContent-Type: x/y; charset=utf-16\r\n\r\n{}Content-Length: 2\r\n\r\n[]")
    #expect(result.found == [.refused(.charset("utf-16")), body("[]")])
  }

  @Test func `a message over the limit is thrown away without being kept`() throws {
    let length = Limits.messageBytes + 1
    var framing = Framing()
    framing.push(Array("Content-Length: \(length)\r\n\r\n".utf8))
    var found: [FramingOutput] = []
    let chunk = [UInt8](repeating: 0x20, count: 1 << 20)
    var left = length
    while left > 0 {
      framing.push(chunk[..<min(left, chunk.count)])
      left -= min(left, chunk.count)
      while let output = try framing.next() { found.append(output) }
    }
    framing.push(Array("Content-Length: 2\r\n\r\n{}".utf8))
    while let output = try framing.next() { found.append(output) }
    #expect(found == [.refused(.tooLong(byteCount: length)), body("{}")])
  }

  @Test(arguments: [
    "99999999999999999999999", "18446744073709551616", "9223372036854775808", "1073741825",
  ])
  func `a length that no message can have ends the session`(length: String) {
    #expect(run("Content-Length: \(length)\r\n\r\n{}").failure == .lengthTooLarge)
  }

  @Test(arguments: [
    "Content-Length: -2", "Content-Length: abc", "Content-Length:", "Content-Length: 2x",
    "no colon",
    ": 5", "X Y: 5", "X-Only: 1", "Content-Length: 2\r\nContent-Length: 3", "\u{0}\u{1}\u{2}",
    "{\"jsonrpc\":\"2.0\"}",
  ])
  func `a bad header is skipped up to the next message`(header: String) {
    let result = run(header + "\r\n\r\n{}" + "Content-Length: 4\r\n\r\ntrue")
    #expect(result.failure == nil)
    #expect(result.found.last == body("true"), "\(result.found)")
  }

  @Test func `equal lengths twice are one length`() {
    #expect(run("Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}").found == [body("{}")])
  }

  @Test func `an empty body and blank lines between messages are taken`() {
    let result = run("Content-Length: 0\r\n\r\n\r\n\nContent-Length: 2\r\n\r\n{}\r\n")
    #expect(result.found == [body(""), body("{}")])
  }

  @Test func `a header block without end ends the session`() {
    let long = "X: " + String(repeating: "a", count: Limits.messageHeaderBytes)
    #expect(run(long).failure == .headerTooLong)
    let many = String(repeating: "X: a\r\n", count: Limits.messageHeaderBytes / 6 + 1)
    #expect(run(many).failure == .headerTooLong)
    #expect(run([Array(many.utf8), Array(long.utf8)]).failure == .headerTooLong)
  }

  @Test func `garbage without end ends the session and says so again`() {
    var framing = Framing()
    framing.push(Array(String(repeating: "lorem ipsum\n", count: 6_000).utf8))
    #expect(throws: FramingFailure.onlyGarbage) { while try framing.next() != nil {} }
    #expect(throws: FramingFailure.onlyGarbage) { try framing.next() }
  }

  @Test func `garbage shorter than the limit is waited out`() throws {
    var framing = Framing()
    framing.push(Array("hello\n".utf8))
    #expect(try framing.next() == nil)
    #expect(framing.isSearching)
    framing.push(Array("Content-Length: 2\r\n\r\n{}".utf8))
    #expect(try framing.next() == .skipped(byteCount: 6))
    #expect(try framing.next() == body("{}"))
    #expect(!framing.isSearching)
  }

  @Test func `random bytes never trap and never hang`() {
    var generator = SeededGenerator(seed: 2)
    let alphabet = Array("Content-Length: 0123456789\r\n\r\n{}é\u{0};=".utf8)
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...200, using: &generator)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      let whole = run([bytes])
      let single = run(bytes.map { [$0] })
      #expect(whole.found == single.found)
      #expect(whole.failure == single.failure)
    }
  }
}

/// SplitMix64, so that a failing case comes back.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
