// A child that runs scripts: its pipes, its thread, its end.

import Libc
import PostKitScriptFrames
import PostKitSupport
import Synchronization

/// One child process. A thread of its own starts it, reads what it says, writes what has no room in
/// the pipe, and ends with it.
final class ScriptChild: Sendable {
  /// What a child tells whoever has it.
  enum News: Sendable {
    /// A message, and the bytes that it took on its way.
    case frame(ScriptFrame, bytes: Int)
    /// It has ended: why it was killed, else how it ended by itself.
    case ended(ScriptEngineFailure)
  }

  private struct State {
    var started: ChildStart.Started?
    var listener: (@Sendable (News) -> Void)?
    /// Bytes that were not written yet.
    var waiting: [UInt8] = []
    var killReason: ScriptEngineFailure?
    var end: ScriptEngineFailure?
    var isEnding = false
    /// The system's count of the child's pages.
    var pages: Int32 = -1
    /// Whether the child's thread reads what it says; else who waits for that reads it.
    var isAttended = true
    /// What is wrong with what it has said.
    var fault: ScriptEngineFailure?
    /// What it used when somebody asked last, and when that was in microseconds.
    var lastUsed = (bytes: 0, at: Int64(0))
  }

  /// What has arrived of a message that is not complete. Who holds it may hear of messages, so no
  /// other lock may be held when it is taken.
  private struct Arrived {
    var reader = ScriptFrameReader()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
  }

  private let state = Mutex(State())
  private let arrived = Mutex(Arrived())
  private let wake: (reader: Int32, writer: Int32)?
  /// How many sessions it has served.
  let sessions = Atomic<Int>(0)

  /// Starts a child on a thread of its own, and doesn't wait for it.
  init(_ start: ChildStart) {
    wake = Descriptors.pipe()
    if let wake {
      _ = Descriptors.setNonBlocking(wake.reader)
      _ = Descriptors.setNonBlocking(wake.writer)
    }
    let hasThread = SystemThread.start { [self] in live(start) }
    if !hasThread || wake == nil {
      finish(.broken("The script engine can't be started: there is no thread or pipe for it."))
    }
  }

  deinit {
    if let wake {
      close(wake.reader)
      close(wake.writer)
    }
  }

  /// Gives what comes from now on to a listener; of a child that has ended, its end at once.
  func listen(_ listener: @escaping @Sendable (News) -> Void) {
    let end = state.withLock { state in
      state.listener = listener
      return state.end
    }
    if let end { listener(.ended(end)) }
  }

  /// Drops what comes from now on.
  func ignore() { state.withLock { $0.listener = nil } }

  /// Whether it has ended or is about to.
  var isOver: Bool { state.withLock { $0.end != nil || $0.isEnding || $0.killReason != nil } }

  /// Its process; `nil` before it has started and after its end.
  var process: Int32? {
    state.withLock { $0.end == nil ? $0.started?.process : nil }
  }

  /// Bytes that may wait for a child to read them.
  private static let waitingLimit = 2 * ScriptFrame.byteLimit

  /// Sends a message. It may still be on its way when this returns.
  func send(_ frame: ScriptFrame) { send(bytes: frame.encoded()) }

  /// Sends messages that are bytes already.
  func send(bytes: [UInt8]) {
    var isTooMuch = false
    let isRest = state.withLock { state in
      guard state.end == nil, !state.isEnding else { return false }
      isTooMuch = state.waiting.count + bytes.count > Self.waitingLimit
      if isTooMuch { return false }
      guard state.waiting.isEmpty, let started = state.started else {
        state.waiting += bytes
        return true
      }
      let written = Self.write(bytes, to: started.input)
      guard written < bytes.count else { return false }
      state.waiting = Array(bytes[written...])
      return true
    }
    if isTooMuch { kill(.broken("The script engine asks and does not read the answers.")) }
    if isRest { rouse() }
  }

  /// Kills it; whoever listens hears of that reason.
  func kill(_ reason: ScriptEngineFailure) {
    state.withLock { state in
      guard state.end == nil, state.killReason == nil else { return }
      state.killReason = reason
      // It is waited for only once it has ended, so the number is still its own.
      if let process = state.started?.process { Libc.kill(process, SIGKILL) }
    }
    rouse()
  }

  /// Lets it end by itself.
  func end() {
    state.withLock { $0.isEnding = true }
    rouse()
  }

  /// How old a figure of the memory may be for a job that begins, in microseconds.
  private static let recent: Int64 = 50_000

  /// Bytes of memory that it used a moment ago.
  var recentlyUsedBytes: Int {
    let now = Clock.monotonicMicroseconds
    let last = state.withLock { $0.lastUsed }
    if last.bytes > 0, now <= last.at + Self.recent { return last.bytes }
    let bytes = usedBytes
    state.withLock { $0.lastUsed = (bytes, now) }
    return bytes
  }

  /// Bytes of memory that it uses; 0 where the system doesn't say.
  var usedBytes: Int {
    state.withLock { state in
      guard state.pages >= 0, state.end == nil else { return 0 }
      var text = [UInt8](repeating: 0, count: 128)
      let count = pread(state.pages, &text, text.count, 0)
      guard count > 0 else { return 0 }
      let words = text[..<count].split(separator: UInt8(ascii: " "))
      guard words.count > 1, let resident = Int(String(decoding: words[1], as: UTF8.self)) else {
        return 0
      }
      return resident * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  }

  private func rouse() {
    guard let wake else { return }
    var byte: UInt8 = 1
    _ = Libc.write(wake.writer, &byte, 1)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Libc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
      }
      if count > 0 {
        done += count
      } else if count < 0, errno == EINTR {
        continue
      } else {
        break
      }
    }
    return done
  }

  private func finish(_ failure: ScriptEngineFailure) {
    let (listener, reason) = state.withLock { state in
      let reason = state.killReason ?? failure
      state.end = state.end ?? reason
      state.waiting = []
      if state.pages >= 0 { close(state.pages) }
      state.pages = -1
      return (state.listener, reason)
    }
    listener?(.ended(reason))
  }
}

/// What the child's own thread does.
extension ScriptChild {
  private func live(_ start: ChildStart) {
    guard let wake else { return }
    let started: ChildStart.Started
    switch start.start() {
    case .success(let child): started = child
    case .failure(let failure): return finish(failure)
    }
    let isUnwanted = state.withLock { state in
      state.started = started
      state.pages = open("/proc/\(started.process)/statm", O_RDONLY | O_CLOEXEC)
      return state.killReason != nil
    }
    if isUnwanted { Libc.kill(started.process, SIGKILL) }
    let failure = attend(started, wake.reader)
    // Whatever it was doing: nobody hears of it any more.
    Libc.kill(started.process, SIGKILL)
    var status: Int32 = 0
    while waitpid(started.process, &status, 0) < 0, errno == EINTR {}
    // Nobody reads a descriptor that is closed, and may be another one's by now.
    let isEnding = arrived.withLock { _ in
      state.withLock { state in
        for descriptor in [started.input, started.output, started.error] { close(descriptor) }
        state.started = nil
        return state.isEnding
      }
    }
    // Whoever is let go has not crashed.
    let usual: ScriptEngineFailure =
      isEnding ? .broken("The script engine was ended.") : .crashed(how: Self.shown(status))
    finish(failure ?? usual)
  }

  /// Microseconds that a child that is let go has to read what it was told before.
  private static let endGrace: Int64 = 1_000_000

  /// Reads and writes until the child has ended, or says what it must not.
  private func attend(_ child: ChildStart.Started, _ wake: Int32) -> ScriptEngineFailure? {
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    var complaint: [UInt8] = []
    defer {
      if !complaint.isEmpty {
        Log.debug("script engine: \(String(decoding: complaint, as: UTF8.self))")
      }
    }
    var hasError = true
    var endOfPatience: Int64?
    while true {
      let (hasRest, isEnding, isAttended, fault) = state.withLock {
        (!$0.waiting.isEmpty, $0.isEnding, $0.isAttended, $0.fault)
      }
      if let fault { return fault }
      if isEnding {
        let now = Clock.monotonicMicroseconds
        endOfPatience = endOfPatience ?? now + Self.endGrace
        if !hasRest || endOfPatience ?? now <= now { return nil }
      }
      // At its end the child closes its error, so that nobody need wait for more to hear of it.
      let reads = isAttended || isEnding || !hasError
      var polls = [
        pollfd(fd: reads ? child.output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hasRest ? child.input : -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: hasError ? child.error : -1, events: Int16(POLLIN), revents: 0),
      ]
      let timeout: Int32 = isEnding ? 100 : -1
      guard poll(&polls, nfds_t(polls.count), timeout) >= 0 || errno == EINTR else { return nil }
      if polls[1].revents != 0 { while Libc.read(wake, &buffer, buffer.count) > 0 {} }
      if polls[2].revents != 0 { writeRest(child.input) }
      if polls[3].revents != 0 {
        let count = Libc.read(child.error, &buffer, buffer.count)
        if count > 0 {
          complaint += buffer[..<min(count, max(0, (64 << 10) - complaint.count))]
        } else if count == 0 || errno != EAGAIN {
          hasError = false
        }
      }
      guard polls[0].revents != 0 else { continue }
      switch arrived.withLock({ takeIn(child.output, &$0) }) {
      case .nothing, .messages: continue
      case .end: return nil
      case .fault(let failure): return failure
      }
    }
  }

  /// What reading came to.
  private enum Reading { case nothing, messages, end, fault(ScriptEngineFailure) }

  /// Reads what is there and tells of the messages that are complete.
  private func takeIn(_ output: Int32, _ arrived: inout Arrived) -> Reading {
    let count = Libc.read(output, &arrived.buffer, arrived.buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    guard count > 0 else { return .end }
    arrived.reader.add(arrived.buffer[..<count])
    var reading = Reading.nothing
    do throws(ScriptFrameFault) {
      while let frame = try arrived.reader.next() {
        tell(.frame(frame, bytes: arrived.reader.latestSize))
        reading = .messages
      }
    } catch {
      return .fault(.broken("The script engine can't be understood: \(error.sentence)"))
    }
    return reading
  }

  /// Has the child's thread read what the child says, or leaves that to who waits for it.
  func attend(_ isAttended: Bool) {
    let wasAttended = state.withLock { state in
      defer { state.isAttended = isAttended }
      return state.isAttended
    }
    if isAttended, !wasAttended { rouse() }
  }

  /// How long whoever waits for a message reads himself, in milliseconds.
  private static let patience: Int32 = 1

  /// Reads what the child says on the calling thread, unless the child's own does, until there is a
  /// message or some time is over. Most jobs end at once: the way through another thread takes
  /// longer than they do.
  func readHere() {
    let reading = arrived.withLock { arrived -> Reading in
      while let output = state.withLock({ $0.isAttended ? nil : $0.started?.output }) {
        var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Self.patience) > 0 else { return .nothing }
        let reading = takeIn(output, &arrived)
        if case .nothing = reading { continue }
        return reading
      }
      return .nothing
    }
    switch reading {
    case .nothing, .messages: break
    case .end: attend(true)
    case .fault(let failure):
      state.withLock { $0.fault = failure }
      rouse()
    }
  }

  private func writeRest(_ input: Int32) {
    state.withLock { state in
      let written = Self.write(state.waiting, to: input)
      // Where the child reads no more, its end is about to be seen.
      state.waiting.removeFirst(written)
    }
  }

  private func tell(_ news: News) {
    let listener = state.withLock { $0.listener }
    listener?(news)
  }

  private static func shown(_ status: Int32) -> String {
    let signal = status & 0x7F
    guard signal != 0 else { return "exit code \((status >> 8) & 0xFF)" }
    let names = [
      SIGSEGV: "SIGSEGV", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGILL: "SIGILL",
      SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGTRAP: "SIGTRAP", SIGTERM: "SIGTERM",
      SIGSYS: "SIGSYS",
    ]
    return names[signal] ?? "signal \(signal)"
  }
}
