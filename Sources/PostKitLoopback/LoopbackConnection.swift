// One connection on its thread: read a request, route it, write the answer, and again.

import PostKitHTTP
import PostKitSupport

/// Serves one client. It waits only with a time limit and only for its own client.
struct LoopbackConnection {
  private let descriptor: Int32
  private let connections: ConnectionList
  private let service: LoopbackService
  private let limits: LoopbackLimits
  private let begin = Clock.monotonicMicroseconds / 1_000
  private var parser: RequestParser

  /// Makes the connection of an open socket.
  init(
    _ descriptor: Int32, _ connections: ConnectionList, _ limits: LoopbackLimits,
    _ service: LoopbackService
  ) {
    self.descriptor = descriptor
    self.connections = connections
    self.service = service
    self.limits = limits
    parser = RequestParser(limits)
  }

  /// Answers requests until the connection ends. The caller closes the socket.
  mutating func serve() {
    do throws(RequestProblem) {
      while let request = try readRequest() {
        connections.mark(descriptor, isWaiting: false)
        let response = service.respond(request)
        // What comes of an answer comes of it whether or not the client took it.
        defer { response.afterwards() }
        // To a client that has gone or takes nothing there is nothing more to say.
        guard hold(response.delayMilliseconds), write(response, to: request) else { return }
        guard keepsConnection(response, request) else { break }
        connections.mark(descriptor, isWaiting: true)
      }
    } catch {
      let response = service.refuse(
        error.status, error.message, "The connection is closed now.")
      let head = response.head(
        isVersion10: false, keepsConnection: false, date: LoopbackConnection.date)
      if case .bytes(let body) = response.body { _ = send(head + body) }
    }
    linger()
  }

  /// Tells a client that there are too many.
  static func refuse(
    _ descriptor: Int32, _ limits: LoopbackLimits, _ service: LoopbackService
  ) {
    let response = service.refuse(
      503, "The server has \(limits.connections) busy connections.",
      "Try again when some have ended.")
    guard case .bytes(let body) = response.body else { return }
    let head = response.head(isVersion10: false, keepsConnection: false, date: date)
    // Who doesn't take it in one piece has lost nothing: the connection is closed anyway.
    _ = (head + body).withUnsafeBytes { Socket.transmit($0, descriptor) }
    Socket.endSending(descriptor)
    // A request that is left unread would make the close a reset, which could overtake the answer.
    _ = Socket.receive(descriptor)
  }

  /// How long the connection may wait for its client, in milliseconds; negative where its time is
  /// up.
  private func patience(_ wanted: Int64) -> Int64 {
    guard let whole = limits.connectionMilliseconds else { return wanted }
    return min(wanted, begin + whole - Clock.monotonicMicroseconds / 1_000)
  }

  private static var date: String { HTTPDate.text(seconds: Clock.wallMilliseconds / 1_000) }

  /// Whether another request may follow an answer; one of unknown length to HTTP/1.0 ends with the
  /// connection.
  private func keepsConnection(_ response: LoopbackResponse, _ request: LoopbackRequest) -> Bool {
    guard request.keepsConnection, !response.endsConnection else { return false }
    return switch response.body {
    case .lines, .pieces: !request.isVersion10
    case .bytes, .pattern, .file: true
    }
  }

  // MARK: Reading

  /// The next request; `nil` where the client has gone or was silent for too long.
  private mutating func readRequest() throws(RequestProblem) -> LoopbackRequest? {
    var headDeadline: Int64?
    while true {
      if let request = try parser.next() { return request }
      if parser.takeContinue() && !send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) { return nil }
      let now = Clock.monotonicMicroseconds / 1_000
      var wait = patience(limits.idleMilliseconds)
      if !parser.isBetweenRequests && !parser.isInBody {
        let deadline = headDeadline ?? now + limits.headMilliseconds
        headDeadline = deadline
        wait = min(wait, deadline - now)
      }
      guard wait > 0, Socket.isReady(descriptor, toRead: true, milliseconds: wait) else {
        if parser.isBetweenRequests { return nil }
        throw RequestProblem("The request took too long to arrive.", status: 408)
      }
      guard receive() else { return nil }
    }
  }

  /// Takes what has arrived; `false` where the client has gone.
  private mutating func receive() -> Bool {
    switch Socket.receive(descriptor) {
    case .bytes(let bytes): parser.append(bytes)
    case .nothingYet: break
    case .ended: return false
    }
    return true
  }

  /// Waits before an answer; `false` where the client left meanwhile.
  private mutating func hold(_ milliseconds: Int64) -> Bool {
    guard milliseconds > 0 else { return true }
    let deadline = Clock.monotonicMicroseconds + milliseconds * 1_000
    while true {
      let left = deadline - Clock.monotonicMicroseconds
      if left <= 0 { return true }
      // A client that goes on sending is read no further than one head would need.
      let hasRoom = parser.pendingBytes < limits.headBytes
      let isReady = Socket.isReady(descriptor, toRead: hasRoom, milliseconds: (left + 999) / 1_000)
      if isReady && (!hasRoom || !receive()) { return false }
    }
  }

  /// Lets the client read the answer: closing while bytes of it are unread would reset the
  /// connection and could destroy what it hasn't read (RFC 9112, section 9.6).
  private func linger() {
    if connections.isStopped { return }
    connections.mark(descriptor, isWaiting: true)
    Socket.endSending(descriptor)
    let deadline = Clock.monotonicMicroseconds / 1_000 + patience(limits.lingerMilliseconds)
    while true {
      let left = deadline - Clock.monotonicMicroseconds / 1_000
      guard left > 0, Socket.isReady(descriptor, toRead: true, milliseconds: left) else { return }
      if case .ended = Socket.receive(descriptor) { return }
    }
  }

  // MARK: Writing

  private mutating func write(_ response: LoopbackResponse, to request: LoopbackRequest) -> Bool {
    let head = response.head(
      isVersion10: request.isVersion10,
      keepsConnection: keepsConnection(response, request),
      date: LoopbackConnection.date)
    if request.method == "HEAD" { return send(head) }
    switch response.body {
    case .bytes(let bytes): return send(head + bytes)
    case .pattern(let pattern, let count): return sendPattern(head, pattern, count)
    case .lines(let count, let line):
      return sendLines(head, count, isChunked: !request.isVersion10, line)
    case .file(let path, let range, let milliseconds):
      return send(head) && sendFile(path, range, milliseconds)
    case .pieces(let pieces): return send(head) && sendPieces(pieces, !request.isVersion10)
    }
  }

  private func sendPattern(_ head: [UInt8], _ pattern: [UInt8], _ count: Int) -> Bool {
    guard send(head) else { return false }
    var left = count
    while left > 0 {
      let step = min(left, pattern.count)
      guard send(pattern[..<step]) else { return false }
      left -= step
    }
    return true
  }

  private func sendLines(
    _ head: [UInt8], _ count: Int, isChunked: Bool, _ line: @Sendable (Int) -> [UInt8]
  ) -> Bool {
    var output = head
    for number in 0..<count {
      let bytes = line(number)
      if isChunked { output += Array((String(bytes.count, radix: 16) + "\r\n").utf8) }
      output += bytes
      if isChunked { output += [13, 10] }
      if output.count >= LoopbackLimits.stepBytes {
        guard send(output) else { return false }
        output.removeAll(keepingCapacity: true)
      }
    }
    if isChunked { output += Array("0\r\n\r\n".utf8) }
    return send(output)
  }

  /// Sends a file in steps, as many of its bytes as the head has said, in the time that it took.
  private mutating func sendFile(
    _ path: String, _ range: Range<Int>, _ milliseconds: Int64
  ) -> Bool {
    // A file that has gone since leaves the answer cut off, as a broken connection would.
    guard let file = try? OpenFile(path) else { return false }
    let steps = max(1, (range.count + LoopbackLimits.stepBytes - 1) / LoopbackLimits.stepBytes)
    var at = range.lowerBound
    while at < range.upperBound {
      let wanted = min(range.upperBound - at, LoopbackLimits.stepBytes)
      let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        filled = max(0, file.read(into: UnsafeMutableRawBufferPointer(buffer), at: at))
      }
      guard !bytes.isEmpty, hold(milliseconds / Int64(steps)), send(bytes) else { return false }
      at += bytes.count
    }
    return true
  }

  private mutating func sendPieces(
    _ pieces: [(pause: Int64, bytes: [UInt8])], _ isChunked: Bool
  ) -> Bool {
    for piece in pieces where !piece.bytes.isEmpty {
      var output = piece.bytes
      if isChunked {
        output = Array((String(output.count, radix: 16) + "\r\n").utf8) + output + [13, 10]
      }
      guard hold(piece.pause), send(output) else { return false }
    }
    return !isChunked || send(Array("0\r\n\r\n".utf8))
  }

  /// Sends all bytes; `false` where the client has gone or takes none for too long.
  private func send(_ bytes: some Collection<UInt8>) -> Bool {
    // Arrays and slices have contiguous storage, so this copies nothing.
    bytes.withContiguousStorageIfAvailable { buffer in
      let raw = UnsafeRawBufferPointer(buffer)
      var sent = 0
      while sent < raw.count {
        let rest = UnsafeRawBufferPointer(rebasing: raw[sent...])
        guard let count = Socket.transmit(rest, descriptor) else { return false }
        sent += count
        if count == 0 {
          let isReady = Socket.isReady(
            descriptor, toRead: false, toWrite: true,
            milliseconds: patience(limits.idleMilliseconds))
          if !isReady { return false }
        }
      }
      return true
    } ?? false
  }
}
