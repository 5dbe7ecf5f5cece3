// Frames out of bytes that arrive in pieces of any size.

import PostKitJSON

/// Why bytes are no frames. Nothing that follows can be read.
package enum ScriptFrameFault: Error, Sendable, Hashable {
  /// The frame is longer than `ScriptFrame.byteLimit`.
  case tooLong(bytes: Int)
  /// The lengths of the JSON text or of the blobs are not those of the frame.
  case lengths
  /// The message is no JSON object with a `kind`.
  case message(String)

  /// Says what is wrong in a sentence.
  package var sentence: String {
    switch self {
    case .tooLong(let bytes): "A message has \(bytes) bytes, more than \(ScriptFrame.byteLimit)."
    case .lengths: "The lengths in a message contradict each other."
    case .message(let reason): "A message can't be read: \(reason)."
    }
  }
}

/// Takes bytes as they come and gives the frames that are complete.
package struct ScriptFrameReader: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0

  /// Makes a reader that has nothing yet.
  package init() {}

  /// Adds bytes that have arrived.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    if start > 0, start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Whether the end of the bytes would cut a frame.
  package var isInsideFrame: Bool { start < buffer.count }

  /// The next frame as JSON text and blobs; `nil` where it isn't complete.
  package mutating func nextRaw() throws(ScriptFrameFault) -> (
    json: ArraySlice<UInt8>, rest: ArraySlice<UInt8>
  )? {
    guard buffer.count - start >= 4 else { return nil }
    let total = number(at: start)
    guard total <= ScriptFrame.byteLimit else { throw .tooLong(bytes: total) }
    guard total >= 4 else { throw .lengths }
    guard buffer.count - start >= 4 + total else { return nil }
    let jsonLength = number(at: start + 4)
    guard jsonLength <= total - 4 else { throw .lengths }
    let json = start + 8
    let end = start + 4 + total
    let result = (buffer[json..<json + jsonLength], buffer[json + jsonLength..<end])
    start = end
    if start > 1 << 20 {
      buffer.removeFirst(start)
      start = 0
    }
    return result
  }

  /// The next frame; `nil` where it isn't complete.
  package mutating func next() throws(ScriptFrameFault) -> ScriptFrame? {
    guard let (json, rest) = try nextRaw() else { return nil }
    let message: JSONValue
    do throws(JSONSyntaxError) {
      let options = JSONParsingOptions(depthLimit: ScriptFrame.depthLimit)
      message = try JSONTree(parsing: Array(json), options: options).root.value
    } catch {
      throw .message(error.explanation)
    }
    guard message["kind"]?.string != nil else { throw .message("it has no kind") }
    return ScriptFrame(message, blobs: try Self.blobs(of: message, in: rest))
  }

  /// The blobs of a message, cut out of the bytes behind it.
  private static func blobs(
    of message: JSONValue, in rest: ArraySlice<UInt8>
  ) throws(ScriptFrameFault) -> [[UInt8]] {
    var blobs: [[UInt8]] = []
    var at = rest.startIndex
    for element in message["blobs"]?.elements ?? [] {
      guard let length = element.int, length >= 0, length <= rest.endIndex - at else {
        throw .lengths
      }
      blobs.append(Array(rest[at..<at + length]))
      at += length
    }
    guard at == rest.endIndex else { throw .lengths }
    return blobs
  }

  private func number(at index: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(buffer[index + $1]) << (8 * $1) }
  }
}
