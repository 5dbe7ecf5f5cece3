// Cuts a stream of bytes into message bodies: push bytes, pull bodies, no input or output here.

import PostKitSupport

/// What framing found next in the stream.
package enum FramingOutput: Sendable, Hashable {
  /// The body of a whole message.
  case body([UInt8])
  /// A message that was skipped as a whole; the sender is to be told with `id: null`.
  case refused(FramingRefusal)
  /// Bytes that were no message; after them the stream is in step again (PROMISES.md F5).
  case skipped(byteCount: Int)
}

/// Why a message with a usable length was not taken.
package enum FramingRefusal: Sendable, Hashable, CustomStringConvertible {
  /// A charset other than UTF-8 (PROMISES.md F2).
  case charset(String)
  /// More bytes than `Limits.messageBytes` (PROMISES.md F4).
  case tooLong(byteCount: Int)

  package var description: String {
    switch self {
    case .charset(let name):
      "The message's charset is \(name); only UTF-8 is understood. The message was skipped."
    case .tooLong(let count):
      "The message has \(count) bytes, more than the \(Limits.messageBytes) allowed. "
        + "It was skipped."
    }
  }
}

/// Why the stream can't be read any further.
package enum FramingFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The header block is longer than `Limits.messageHeaderBytes` (PROMISES.md F3).
  case headerTooLong
  /// A length that is no number of bytes of any message (PROMISES.md F4).
  case lengthTooLarge
  /// No message within `Limits.garbageBytes` (PROMISES.md F5).
  case onlyGarbage

  package var description: String {
    switch self {
    case .headerTooLong:
      "A message header is longer than \(Limits.messageHeaderBytes) bytes."
    case .lengthTooLarge: "A Content-Length is larger than any message can be."
    case .onlyGarbage:
      "Standard input holds no message with a Content-Length header. "
        + "Did something other than a language client start the server?"
    }
  }
}

/// An incremental reader of `Content-Length` frames (LSP 3.18, Base Protocol).
package struct Framing: Sendable {
  private enum State {
    case header
    case body(length: Int)
    case discarding(remaining: Int, FramingRefusal)
    case searching(skipped: Int)
    case failed(FramingFailure)
  }

  private var buffer: [UInt8] = []
  /// Where in the buffer reading goes on.
  private var at = 0
  private var state = State.header
  private var header = FrameHeader()

  /// Makes a reader at the start of a stream.
  package init() {}

  /// Whether the stream is out of step, so that more garbage must not be waited for for ever.
  package var isSearching: Bool {
    if case .searching = state { true } else { false }
  }

  /// Adds what was read; any cut will do (PROMISES.md F6).
  package mutating func push(_ bytes: some Sequence<UInt8>) {
    // The lines of an unfinished header are kept: without a length they are searched again.
    let used = at - header.byteCount
    if used == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= Limits.garbageBytes * 4)
      at = 0
    } else if used > Limits.garbageBytes {
      buffer.removeSubrange(..<used)
      at -= used
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next finding, or `nil` where more bytes are needed.
  package mutating func next() throws(FramingFailure) -> FramingOutput? {
    while true {
      switch state {
      case .header:
        guard try readHeaderLine() else { return nil }
      case .body(let length):
        guard buffer.count - at >= length else { return nil }
        let body = Array(buffer[at..<at + length])
        at += length
        restart()
        return .body(body)
      case .discarding(let remaining, let refusal):
        let count = min(remaining, buffer.count - at)
        at += count
        guard count == remaining else {
          state = .discarding(remaining: remaining - count, refusal)
          return nil
        }
        restart()
        return .refused(refusal)
      case .searching(let skipped):
        guard let output = try search(skipped) else { return nil }
        return output
      case .failed(let failure):
        throw failure
      }
    }
  }

  private mutating func restart() {
    state = .header
    header = FrameHeader()
  }

  private mutating func fail(_ failure: FramingFailure) -> FramingFailure {
    state = .failed(failure)
    return failure
  }

  /// Reads one line of the header block; `false` where it hasn't arrived as a whole.
  private mutating func readHeaderLine() throws(FramingFailure) -> Bool {
    guard let lineFeed = buffer[at...].firstIndex(of: 0x0A) else {
      if header.byteCount + buffer.count - at > Limits.messageHeaderBytes {
        throw fail(.headerTooLong)
      }
      return false
    }
    var end = lineFeed
    if end > at, buffer[end - 1] == 0x0D { end -= 1 }
    let lineLength = lineFeed + 1 - at
    header.byteCount += lineLength
    guard header.byteCount <= Limits.messageHeaderBytes else { throw fail(.headerTooLong) }
    guard end > at else {
      at = lineFeed + 1
      finishHeader()
      return true
    }
    at = lineFeed + 1
    switch header.read(buffer[at - lineLength..<end]) {
    case .field: break
    case .lengthTooLarge: throw fail(.lengthTooLarge)
    case .garbage: searchHeader()
    }
    return true
  }

  /// Goes back over a header that is none: the next one may start in the middle of it. One with
  /// two lengths is left behind, as neither can be trusted.
  private mutating func searchHeader() {
    let skipped = header.length == nil ? 1 : header.byteCount
    at -= header.byteCount - skipped
    header = FrameHeader()
    state = .searching(skipped: skipped)
  }

  private mutating func finishHeader() {
    guard header.hasFields else { return restart() }
    guard let length = header.length else { return searchHeader() }
    header = FrameHeader(foreignCharset: header.foreignCharset)
    if length > Limits.messageBytes {
      state = .discarding(remaining: length, .tooLong(byteCount: length))
    } else if let charset = header.foreignCharset {
      state = .discarding(remaining: length, .charset(charset))
    } else {
      state = .body(length: length)
    }
  }

  /// Looks for the next `Content-Length` line anywhere, also right behind other bytes.
  private mutating func search(_ skipped: Int) throws(FramingFailure) -> FramingOutput? {
    var skipped = skipped
    while at < buffer.count {
      switch FrameHeader.lengthLine(in: buffer, at: at) {
      case .found:
        restart()
        return .skipped(byteCount: skipped)
      case .incomplete:
        state = .searching(skipped: skipped)
        return nil
      case .absent:
        at += 1
        skipped += 1
      }
      guard skipped <= Limits.garbageBytes else { throw fail(.onlyGarbage) }
    }
    state = .searching(skipped: skipped)
    return nil
  }
}
