// What goes over the pipes between the program and its script engine.

package import PostKitJSON

/// One message and the bytes that travel beside it.
///
/// As bytes: the length of what follows (32 bits, least significant byte first), the length of the
/// JSON text in the same form, the JSON text, then the blobs back to back. The member `blobs` has
/// their lengths; `{"$blob": i}` stands in the message where blob `i` belongs.
package struct ScriptFrame: Sendable, Hashable {
  /// An object whose member `kind` says what is meant.
  package var message: JSONValue
  /// Bytes that the message refers to by their index.
  package var blobs: [[UInt8]]

  /// Bytes of one frame, its first four apart, that are sent and taken.
  package static let byteLimit = 64 << 20
  /// Values and names of members in one message that are taken: each takes many times the two bytes
  /// that it needs to be sent.
  package static let valueLimit = 2 << 20
  /// How deep arrays and objects may nest in a message.
  package static let depthLimit = 512

  /// Makes a frame.
  package init(_ message: JSONValue, blobs: [[UInt8]] = []) {
    self.message = message
    self.blobs = blobs
  }

  /// The frame as bytes.
  package func encoded() -> [UInt8] {
    var message = message
    if !blobs.isEmpty, case .object(let members) = message {
      let lengths = JSONMember("blobs", .array(blobs.map { .int($0.count) }))
      message = .object(members.filter { $0.key != "blobs" } + [lengths])
    }
    return Self.encoded(json: message.bytes, blobs: blobs)
  }

  /// A message that is JSON text already, with the lengths of its blobs in it.
  package static func encoded(json: [UInt8], blobs: [[UInt8]]) -> [UInt8] {
    let total = 4 + json.count + blobs.reduce(0) { $0 + $1.count }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 + total)
    append(total, to: &bytes)
    append(json.count, to: &bytes)
    bytes += json
    for blob in blobs { bytes += blob }
    return bytes
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    // A number that has no place in four bytes is over the limit, which the reader says.
    let number = UInt32(clamping: number)
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
