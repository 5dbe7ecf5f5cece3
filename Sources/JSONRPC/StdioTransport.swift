// Standard input and output as a transport: one thread reads, one writes, and neither belongs to
// the cooperative pool.

import Libc
import PostKitSupport
import Synchronization

/// A transport over two file descriptors.
package final class StdioTransport: MessageTransport {
  private enum Waiting {
    case frame(OutgoingFrame)
    case flushed(@Sendable () -> Void)
    case stop
  }

  private struct Outgoing {
    var queue = OutgoingQueue()
    /// Called when the queue has run empty and its last frame is written.
    var flushes: [@Sendable () -> Void] = []
    var isWriting = false
    var isOverfull = false
    /// Whether those who work out answers were told to wait.
    var isCrowded = false
    var hasFailed = false
  }

  private let input: Int32
  private let output: Int32
  private let outgoing = Monitor(Outgoing())
  /// Has room until much waits for the client.
  package let admission = Admission()

  /// Makes a transport that owns the two descriptors.
  package init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  /// Takes standard input and output for messages alone: both move to private descriptors that no
  /// child inherits, what any library prints goes to standard error, and SIGPIPE becomes an error
  /// of the write (PROMISES.md F12, F15). `nil` where the process has no such descriptors.
  package static func claimingStandardStreams() -> StdioTransport? {
    signal(SIGPIPE, SIG_IGN)
    let input = duplicate(0)
    let output = duplicate(1)
    guard input >= 0, output >= 0 else { return nil }
    dup2(2, 1)
    let empty = open("/dev/null", O_RDONLY)
    if empty >= 0 {
      dup2(empty, 0)
      if empty > 2 { close(empty) }
    }
    return StdioTransport(input: input, output: output)
  }

  private static func duplicate(_ descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }

  /// Starts both threads.
  package func start(_ deliver: @escaping @Sendable (TransportEvent) -> Void) {
    let didStart =
      SystemThread.start {
        SystemThread.becomeUrgent()
        self.read(deliver)
      }
      && SystemThread.start {
        SystemThread.becomeUrgent()
        self.write(deliver)
      }
    if !didStart { deliver(.inputFailed("The system has no thread for the server.")) }
  }

  /// Queues a frame; what is sent after the client was given up is dropped.
  package func send(_ frame: OutgoingFrame) {
    outgoing.update { outgoing in
      guard !outgoing.hasFailed, !outgoing.isOverfull else { return }
      if !outgoing.queue.push(frame) { outgoing.isOverfull = true }
      guard !outgoing.isCrowded, outgoing.queue.byteCount > Limits.crowdedQueueBytes else { return }
      outgoing.isCrowded = true
      // Under the lock: told in another order, those who wait would wait for ever.
      admission.note(isCrowded: true)
    }
  }

  /// Waits until the queue has run empty, but no longer than that.
  package func flush(withinMilliseconds timeout: Int) async {
    await withCheckedContinuation { continuation in
      let box = Once { continuation.resume() }
      outgoing.update { outgoing in
        if outgoing.hasFailed || outgoing.queue.isEmpty && !outgoing.isWriting {
          box.run()
        } else {
          outgoing.flushes.append { box.run() }
        }
      }
      let didStart = SystemThread.start {
        poll(nil, 0, Int32(timeout))
        box.run()
      }
      if !didStart { box.run() }
    }
  }

  // MARK: The reading thread

  private func read(_ deliver: (TransportEvent) -> Void) {
    var framing = Framing()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      do throws(FramingFailure) {
        while let output = try framing.next() { report(output, deliver) }
      } catch {
        return deliver(.inputFailed(error.description))
      }
      if framing.isSearching, !isReadable(withinMilliseconds: Limits.garbageMilliseconds) {
        return deliver(.inputFailed(FramingFailure.onlyGarbage.description))
      }
      let count = chunk.withUnsafeMutableBytes { systemRead(input, $0.baseAddress, $0.count) }
      if count > 0 {
        framing.push(chunk[..<count])
      } else if count == 0 {
        return deliver(.endOfInput)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        _ = isReadable(withinMilliseconds: -1)
      } else if errno != EINTR {
        return deliver(.inputFailed("Standard input can't be read: \(systemMessage(errno))."))
      }
    }
  }

  private func report(_ output: FramingOutput, _ deliver: (TransportEvent) -> Void) {
    switch output {
    case .body(let body):
      do throws(EnvelopeProblem) {
        deliver(.message(try IncomingMessage(parsing: body), byteCount: body.count))
      } catch {
        deliver(.refused(error))
      }
    case .refused(let refusal):
      let code: RPCError.Code =
        switch refusal {
        case .charset: .parseError
        case .tooLong: .invalidRequest
        }
      deliver(.refused(EnvelopeProblem(id: nil, error: RPCError(code, refusal.description))))
    case .skipped(let count):
      deliver(.skipped(byteCount: count))
    }
  }

  private func isReadable(withinMilliseconds timeout: Int) -> Bool {
    var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    while true {
      let result = poll(&descriptor, 1, Int32(timeout))
      if result < 0, errno == EINTR { continue }
      return result != 0
    }
  }

  // MARK: The writing thread

  private func write(_ deliver: (TransportEvent) -> Void) {
    while true {
      switch nextToWrite() {
      case .frame(let frame):
        guard let problem = write(frame.bytes) else { continue }
        fail(problem, deliver)
        return
      case .flushed(let done): done()
      case .stop:
        let limit = Limits.outgoingQueueBytes >> 20
        return fail("The client does not read its messages; \(limit) MiB are waiting.", deliver)
      }
    }
  }

  private func nextToWrite() -> Waiting {
    outgoing.wait { outgoing in
      outgoing.isWriting = false
      if outgoing.isOverfull { return .stop }
      if outgoing.isCrowded, outgoing.queue.byteCount <= Limits.droppingQueueBytes {
        outgoing.isCrowded = false
        admission.note(isCrowded: false)
      }
      if let frame = outgoing.queue.pop() {
        outgoing.isWriting = true
        return .frame(frame)
      }
      return outgoing.flushes.popLast().map(Waiting.flushed)
    }
  }

  private func fail(_ problem: String, _ deliver: (TransportEvent) -> Void) {
    let flushes = outgoing.update { outgoing in
      outgoing.hasFailed = true
      outgoing.isWriting = false
      defer { outgoing.flushes = [] }
      return outgoing.flushes
    }
    for done in flushes { done() }
    deliver(.outputFailed(problem))
  }

  /// Writes a whole frame; what went wrong, else `nil`.
  private func write(_ bytes: [UInt8]) -> String? {
    bytes.withUnsafeBytes { buffer in
      var at = 0
      while at < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[at...])
        let count = systemWrite(output, rest.baseAddress, rest.count)
        if count >= 0 {
          at += count
        } else if errno == EAGAIN || errno == EWOULDBLOCK {
          var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
          poll(&descriptor, 1, -1)
        } else if errno != EINTR {
          return "Writing to the client failed: \(systemMessage(errno))."
        }
      }
      return nil
    }
  }
}

/// Runs something the first time that it is asked to, from whatever thread.
private final class Once: Sendable {
  private let body: Mutex<(@Sendable () -> Void)?>

  init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

  func run() {
    let body = body.withLock { body in
      defer { body = nil }
      return body
    }
    body?()
  }
}

// Free functions, as the class has a `read` and a `write` of its own.
private func systemRead(_ fd: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(fd, buffer, count)
}

private func systemWrite(_ fd: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(fd, buffer, count)
}

private func systemMessage(_ code: Int32) -> String {
  guard let text = strerror(code) else { return "error \(code)" }
  return String(cString: text)
}
