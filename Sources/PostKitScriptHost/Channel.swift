// The two pipes to the program that started the engine.

import Libc
import PostKitJSON
import PostKitScriptFrames
import PostKitSupport

/// A message from the program.
struct Incoming {
  let tree: JSONTree
  let blobs: [[UInt8]]

  /// What is meant.
  var kind: String { tree.root["kind"]?.string ?? "" }
  /// The message as it was sent.
  var json: [UInt8] { tree.bytes }

  /// An integer of the message.
  func int(_ name: String) -> Int? { tree.root[name]?.int }
}

/// Reads messages from standard input and writes them to standard output.
final class Channel {
  private var reader = ScriptFrameReader()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// Messages that were read before anybody wanted them.
  private var waiting: [Incoming] = []

  /// The first message that a test accepts, others keep their order; waits for it at most so many
  /// milliseconds, and for ever where that is negative. `nil` where the time is over. At the end of
  /// the pipe the process ends.
  func next(within milliseconds: Int = -1, where isWanted: (Incoming) -> Bool = { _ in true })
    -> Incoming?
  {
    let span = Int64(milliseconds) * 1_000
    let end = span < 0 ? Int64.max : Clock.monotonicMicroseconds + span
    while true {
      if let place = waiting.firstIndex(where: isWanted) { return waiting.remove(at: place) }
      let left = (end - Clock.monotonicMicroseconds + 999) / 1_000
      if end != .max, left <= 0 {
        if !receive(within: 0) { return nil }
      } else if !receive(within: end == .max ? -1 : Int32(clamping: left)) {
        if end != .max { return waiting.firstIndex(where: isWanted).map { waiting.remove(at: $0) } }
      }
    }
  }

  /// Whether a message that a test accepts has arrived; it stays.
  func has(where isWanted: (Incoming) -> Bool) -> Bool {
    while receive(within: 0) {}
    return waiting.contains(where: isWanted)
  }

  /// Takes away messages that a test accepts.
  func drop(where isUnwanted: (Incoming) -> Bool) { waiting.removeAll(where: isUnwanted) }

  /// Reads what there is; `false` where nothing came in time.
  private func receive(within milliseconds: Int32) -> Bool {
    // Reading waits by itself where there is no end to it.
    if milliseconds >= 0 {
      var wait = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wait, 1, milliseconds)
      guard ready != 0 else { return false }
      if ready < 0 { return errno == EINTR }
    }
    let count = buffer.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { return true }
    guard count > 0 else { _exit(0) }
    reader.add(buffer[..<count])
    do throws(ScriptFrameFault) {
      while let (tree, blobs) = try reader.nextTree() {
        waiting.append(Incoming(tree: tree, blobs: blobs))
      }
    } catch {
      StandardStream.writeAll("\(error.sentence)\n", to: 2)
      _exit(65)
    }
    return true
  }

  /// Sends a message.
  func send(_ message: JSONValue) { send(bytes: ScriptFrame(message).encoded()) }

  /// Sends a message whose text is complete up to the lengths of its blobs: `json` is an object
  /// without its first brace, to which `members` are put.
  func send(_ members: [JSONMember], _ json: [UInt8], blobs: [[UInt8]]) {
    let lengths = JSONMember("blobs", .array(blobs.map { .int($0.count) }))
    var head = JSONValue.object(members + [lengths]).bytes
    head.removeLast()
    head.append(UInt8(ascii: ","))
    send(bytes: ScriptFrame.encoded(json: head + json, blobs: blobs))
  }

  /// Bytes that a message would have; one over the limit must not be sent.
  static func length(_ json: [UInt8], _ blobs: [[UInt8]]) -> Int {
    json.count + 1_024 + blobs.reduce(0) { $0 + $1.count + 12 }
  }

  private func send(bytes: [UInt8]) {
    // Who reads no more has ended, and so does this process.
    if !bytes.withUnsafeBytes({ StandardStream.writeAll($0, to: 1) }) { _exit(0) }
  }
}
