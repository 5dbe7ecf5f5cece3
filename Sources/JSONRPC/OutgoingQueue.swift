// Frames that wait for the client to read, bounded (PROMISES.md F13).

import PostKitSupport

/// A queue of frames; pure, so that its rules can be tested without a client.
package struct OutgoingQueue: Sendable {
  private var frames: [OutgoingFrame?] = []
  /// The place in `frames` of the first that waits.
  private var head = 0
  /// Where the frame of a key waits, counted from the first frame ever.
  private var places: [String: Int] = [:]
  /// How many frames have been taken out of `frames` for good.
  private var removed = 0

  /// The bytes that wait.
  package private(set) var byteCount = 0

  /// Makes an empty queue.
  package init() {}

  /// Whether nothing waits.
  package var isEmpty: Bool { head == frames.count }

  /// Adds a frame; `false` where too much waits and the client must be given up.
  package mutating func push(_ frame: OutgoingFrame) -> Bool {
    switch frame.importance {
    case .droppable where byteCount > Limits.droppingQueueBytes:
      return true
    case .replaceable(let key):
      if let place = places[key] {
        let index = place - removed
        byteCount += frame.bytes.count - (frames[index]?.bytes.count ?? 0)
        frames[index] = frame
        return byteCount <= Limits.outgoingQueueBytes
      }
      places[key] = removed + frames.count
    default: break
    }
    frames.append(frame)
    byteCount += frame.bytes.count
    return byteCount <= Limits.outgoingQueueBytes
  }

  /// Takes the first frame.
  package mutating func pop() -> OutgoingFrame? {
    guard head < frames.count, let frame = frames[head] else { return nil }
    frames[head] = nil
    head += 1
    byteCount -= frame.bytes.count
    if case .replaceable(let key) = frame.importance { places[key] = nil }
    if head == frames.count || head > 1_024 {
      removed += head
      frames.removeSubrange(..<head)
      head = 0
    }
    return frame
  }
}
