// What goes over the pipes, in pieces, cut, and made up.

import PostKitJSON
import PostKitScriptFrames
import PostKitTestSupport
import Testing

@Suite struct ScriptFrameTests {
  static let frames = [
    ScriptFrame(["kind": "stats"]),
    ScriptFrame(["kind": "answer", "value": ["$blob": 0]], blobs: [[0, 255, 10]]),
    ScriptFrame(["kind": "run", "text": "ä\u{0}\u{1F600}"], blobs: [[], [1], []]),
  ]

  private func message(_ frame: ScriptFrame) -> JSONValue {
    guard case .object(let members) = frame.message else { return frame.message }
    return .object(members.filter { $0.key != "blobs" })
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `frames come out as they went in, whatever the pieces`(size: Int) throws {
    let bytes = Self.frames.flatMap { $0.encoded() }
    var reader = ScriptFrameReader()
    var found: [ScriptFrame] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.add(bytes[start..<min(start + size, bytes.count)])
      while let frame = try reader.next() { found.append(frame) }
    }
    #expect(found.map(message) == Self.frames.map(message))
    #expect(found.map(\.blobs) == Self.frames.map(\.blobs))
    #expect(!reader.isInsideFrame)
  }

  static let wrong: [(String, [UInt8])] = [
    ("longer than the limit", [255, 255, 255, 255]),
    ("one over the limit", [1, 0, 0, 4]),
    ("without room for the second length", [3, 0, 0, 0, 1, 1, 1]),
    ("JSON longer than the frame", [6, 0, 0, 0, 9, 0, 0, 0, 123, 125]),
    ("no JSON", ScriptFrame.encoded(json: Array("{]".utf8), blobs: [])),
    ("no object", ScriptFrame.encoded(json: Array("[1]".utf8), blobs: [])),
    ("no kind", ScriptFrame.encoded(json: Array("{}".utf8), blobs: [])),
    ("bytes that no blob has", ScriptFrame.encoded(json: Array(#"{"kind":"a"}"#.utf8), blobs: [[1]])),
    ("a blob that is cut", ScriptFrame.encoded(json: Array(#"{"kind":"a","blobs":[2]}"#.utf8), blobs: [[1]])),
    ("a blob of less than nothing", ScriptFrame.encoded(json: Array(#"{"kind":"a","blobs":[-1]}"#.utf8), blobs: [])),
    ("a blob of a huge length", ScriptFrame.encoded(json: Array(#"{"kind":"a","blobs":[9223372036854775807]}"#.utf8), blobs: [])),
    ("a deep message", ScriptFrame.encoded(
      json: Array((#"{"kind":"# + String(repeating: "[", count: 600)).utf8), blobs: [])),
  ]

  @Test(arguments: wrong.map(\.0))
  func `what is no frame is refused`(name: String) throws {
    let bytes = try #require(Self.wrong.first { $0.0 == name }).1
    var reader = ScriptFrameReader()
    reader.add(bytes)
    #expect(throws: ScriptFrameFault.self) { try reader.next() }
  }

  @Test func `bytes at random are waited for or refused, and never trap`() {
    var generator = RepeatableGenerator(seed: 7)
    for _ in 0..<2_000 {
      var bytes = Self.frames[Int.random(in: 0..<3, using: &generator)].encoded()
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      var reader = ScriptFrameReader()
      reader.add(bytes)
      do throws(ScriptFrameFault) {
        while try reader.next() != nil {}
      } catch {
        #expect(!error.sentence.isEmpty)
      }
    }
  }
}
