// Frames out of bytes that arrive in pieces of any size.

package import PostKitJSON

/// Why bytes are no frames. Nothing that follows can be read.
package enum ScriptFrameFault: Error, Sendable, Hashable {
  /// The frame is longer than `ScriptFrame.byteLimit`.
  case tooLong(bytes: Int)
  /// The message has more than `ScriptFrame.valueLimit` values.
  case tooMany
  /// The lengths of the JSON text or of the blobs are not those of the frame.
  case lengths
  /// The message is no JSON object with a `kind`.
  case message(String)

  /// Says what is wrong in a sentence.
  package var sentence: String {
    switch self {
    case .tooLong(let bytes): "A message has \(bytes) bytes, more than \(ScriptFrame.byteLimit)."
    case .tooMany: "A message has more than \(ScriptFrame.valueLimit) values."
    case .lengths: "The lengths in a message contradict each other."
    case .message(let reason): "A message can't be read: \(reason)."
    }
  }
}

/// Takes bytes as they come and gives the frames that are complete.
package struct ScriptFrameReader: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0
  /// Bytes of memory that the latest frame takes, roughly.
  package private(set) var latestSize = 0

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

  /// Bytes that have arrived and are in no frame that was given.
  package var waitingBytes: Int { buffer.count - start }
  /// Whether the end of the bytes would cut a frame.
  package var isInsideFrame: Bool { waitingBytes > 0 }

  /// The next frame; `nil` where it isn't complete.
  package mutating func next() throws(ScriptFrameFault) -> ScriptFrame? {
    guard let (tree, blobs) = try nextTree() else { return nil }
    return ScriptFrame(tree.root.value, blobs: blobs)
  }

  /// The next frame, its message as it was parsed; `nil` where it isn't complete.
  package mutating func nextTree() throws(ScriptFrameFault) -> (JSONTree, blobs: [[UInt8]])? {
    guard buffer.count - start >= 4 else { return nil }
    let total = number(at: start)
    guard total <= ScriptFrame.byteLimit else { throw .tooLong(bytes: total) }
    guard total >= 4 else { throw .lengths }
    guard buffer.count - start >= 4 + total else { return nil }
    let (json, end) = (start + 8, start + 4 + total)
    let jsonLength = number(at: start + 4)
    guard jsonLength <= total - 4 else { throw .lengths }
    guard Self.isModest(buffer[json..<json + jsonLength]) else { throw .tooMany }
    defer { drop(until: end) }
    let tree: JSONTree
    do throws(JSONSyntaxError) {
      let options = JSONParsingOptions(depthLimit: ScriptFrame.depthLimit)
      tree = try JSONTree(parsing: Array(buffer[json..<json + jsonLength]), options: options)
    } catch {
      throw .message(error.explanation)
    }
    guard tree.root["kind"]?.string != nil else { throw .message("it has no kind") }
    latestSize = total + tree.nodeCount * Self.bytesOfValue
    return (tree, try Self.blobs(of: tree.root, in: buffer[json + jsonLength..<end]))
  }

  /// What a value takes in memory beside its text.
  private static let bytesOfValue = 24

  /// Whether a JSON text has no more values than are taken; looked at before it is parsed, as each
  /// takes memory then.
  private static func isModest(_ json: ArraySlice<UInt8>) -> Bool {
    // One of so few bytes can't have too many.
    if json.count / 2 <= ScriptFrame.valueLimit { return true }
    return json.withUnsafeBufferPointer { bytes in
      var (count, isInString, index) = (1, false, 0)
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "\""): isInString.toggle()
        case UInt8(ascii: "\\"): index += 1
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"):
          if !isInString { count += 1 }
        default: break
        }
        index += 1
      }
      return count <= ScriptFrame.valueLimit
    }
  }

  private mutating func drop(until end: Int) {
    start = end
    guard start > 1 << 20 else { return }
    buffer.removeFirst(start)
    start = 0
  }

  /// The blobs of a message, cut out of the bytes behind it.
  private static func blobs(
    of message: JSONView, in rest: ArraySlice<UInt8>
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
