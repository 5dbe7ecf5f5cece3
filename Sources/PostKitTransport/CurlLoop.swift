// The thread that owns libcurl's multi handle; all others talk to it through a mailbox.

import CCurl
import PostKitHTTP
import PostKitSupport

/// The loop. A value of this class lives on its thread alone.
final class CurlLoop {
  /// Connections that are kept when nothing uses them.
  private static let keptConnections = 32
  /// Easy handles that are kept for the next transfer.
  private static let keptHandles = 16
  /// The longest sleep; nothing depends on it, since wake-ups end it.
  private static let sleepMilliseconds: Int32 = 60_000

  private let mailbox: Mailbox
  private let multi: UnsafeMutableRawPointer
  private let features: Set<String>
  private let keepsPriorKnowledge: Bool
  private let takesCertificateBytes: Bool
  /// In the order in which they began; they are few.
  private var active: [ActiveTransfer] = []
  private var idle: [EasyHandle] = []
  private var jars = CookieShares()
  /// No transfer is overdue before this moment of the monotonic clock, in microseconds.
  private var nextCheck = Int64.max
  private var isStopping = false

  /// The body of the thread.
  static func run(_ mailbox: Mailbox) {
    let early = runTasksUntilOpened(mailbox)
    switch CurlLibrary.shared {
    case .failure(let failure):
      // Without the library the thread ends; later posts are refused in the same words.
      for command in early + mailbox.close() { refuse(command, failure) }
    case .success(let library):
      guard let multi = postkit_curl_multi_new(keptConnections) else {
        for command in early + mailbox.close() { refuse(command, noMemory) }
        return
      }
      // Where the process may open no more files, libcurl has no way to be woken.
      if postkit_curl_multi_wakeup(multi) == CURLM_OK {
        mailbox.open(Mailbox.WakeupTarget(multi: multi))
      } else {
        mailbox.noteLackOfWakeup()
      }
      let loop = CurlLoop(mailbox, library, multi)
      for command in early { loop.obey(command) }
      loop.run()
    }
  }

  /// Runs tasks while another thread still opens libcurl, since they have much to do before they
  /// send; what was asked of libcurl meanwhile is returned.
  private static func runTasksUntilOpened(_ mailbox: Mailbox) -> [LoopCommand] {
    var early: [LoopCommand] = []
    CurlLibrary.whenOpened { mailbox.libraryWasOpened() }
    while let commands = mailbox.takeBeforeOpening() {
      for command in commands {
        if case .run(let job) = command {
          job.runSynchronously(on: mailbox.asUnownedTaskExecutor())
        } else {
          early.append(command)
        }
      }
    }
    return early
  }

  /// Answers a command that can't be carried out.
  static func refuse(_ command: LoopCommand, _ failure: Failure) {
    switch command {
    case .start(let transfer): transfer.end(transfer.refused(failure))
    case .run(let job): Mailbox.runElsewhere(job)
    case .list(_, let continuation): continuation.resume(returning: [])
    case .cancel, .close, .resume, .fill, .forget, .stop: break
    }
  }

  /// The failure where the system gives no thread.
  static let noThread = Failure(
    .internal, "The system has no thread left to send with; end other programs and try again.")
  private static let noMemory = Failure(
    .internal, "libcurl has no memory left to send with; end other programs and try again.")

  private init(_ mailbox: Mailbox, _ library: CurlLibrary, _ multi: UnsafeMutableRawPointer) {
    self.mailbox = mailbox
    self.multi = multi
    features = Set(library.version.features)
    takesCertificateBytes = library.version.takesCertificateBytes
    keepsPriorKnowledge = !library.version.version.hasPrefix("7.88.")
  }

  private func run() {
    while !isStopping {
      for command in mailbox.take() {
        obey(command)
        // Before the tasks behind it, which may take their time.
        if case .start = command { _ = postkit_curl_multi_perform(multi) }
      }
      // What begins after another is sent before the other is told of, which may take its time.
      repeat { _ = postkit_curl_multi_perform(multi) } while reapFinished()
      endOverdue()
      if !isStopping, mailbox.mayLoopSleep() {
        sleep()
        mailbox.loopIsAwake()
      }
    }
    for transfer in active { end(transfer, .cancelled) }
    for command in mailbox.close() {
      CurlLoop.refuse(command, Failure(.cancelled, "PostKit is ending."))
    }
    idle.removeAll()
    jars.removeAll()
    postkit_curl_multi_free(multi)
  }

  /// Sleeps until there is something to do.
  private func sleep() {
    let canBeWoken = mailbox.canBeWoken
    // While nothing is sent, only a command can bring work.
    if !canBeWoken, active.isEmpty { return mailbox.waitForCommands() }
    let short = min(sleepTime, Limits.sendPollMilliseconds)
    if postkit_curl_multi_poll(multi, canBeWoken ? sleepTime : short) != CURLM_OK {
      // What fails at once must not become a loop without a pause.
      mailbox.noteLackOfWakeup()
      Clock.pause(milliseconds: short)
    }
  }

  private func obey(_ command: LoopCommand) {
    switch command {
    case .start(let transfer): begin(transfer)
    case .cancel(let transfer):
      let running = active.first { $0.transfer === transfer }
      if let running { end(running, .cancelled) }
    case .close(let transfer):
      let running = active.first { $0.transfer === transfer }
      if let running { end(running, .closed) }
    case .resume(let transfer):
      active.first { $0.transfer === transfer }?.resume()
      // Its limits hold again.
      nextCheck = min(nextCheck, Clock.monotonicMicroseconds)
    case .fill(let jar, let lines):
      _ = withCookies(of: jar) { $0.addCookies(lines.map(\.text)) }
    case .list(let jar, let continuation):
      continuation.resume(returning: withCookies(of: jar) { $0.cookies } ?? [])
    case .forget(let jar): jars.remove(jar)
    case .run(let job): job.runSynchronously(on: mailbox.asUnownedTaskExecutor())
    case .stop: isStopping = true
    }
  }

  /// Starts a transfer; where that can't be done, it is told so.
  private func begin(_ transfer: Transfer) {
    if transfer.isCancelled { return transfer.end(transfer.cancelledBeforeStart) }
    do throws(Failure) {
      try start(transfer)
    } catch {
      transfer.end(transfer.refused(error))
    }
  }

  private func start(_ transfer: Transfer) throws(Failure) {
    let spec = transfer.spec
    let boundary = spec.options.fileBoundary
    let source = spec.body.isEmpty ? nil : try BodySource(spec.body, within: boundary)
    try CurlLoop.checkAuthorities(spec.options)
    let jar = spec.options.usesCookieJar ? transfer.jar : nil
    let facts = CurlOptions.Facts(
      features: features, takesCertificateBytes: takesCertificateBytes, hasJar: jar != nil,
      keepsPriorKnowledge: keepsPriorKnowledge,
      bufferBytes: transfer.configuration.bufferBytes, time: Clock.wallMilliseconds,
      environment: ProcessEnvironment.value)
    let options = try CurlOptions(spec, body: source, facts: facts)
    guard let handle = idle.popLast() ?? EasyHandle() else { throw CurlLoop.noMemory }
    let running = ActiveTransfer(
      transfer, handle, source, transfer.configuration.makeSink(), mailbox)
    do throws(Failure) {
      try handle.prepare(running, options, share: jar.flatMap { jars.share($0.id) })
      if jar != nil, let written = options.cookies {
        running.cookieMerge = CookieMerge(jar: handle.cookies, header: written)
        if let merge = running.cookieMerge { handle.useCookies(merge.kept) }
      }
      guard postkit_curl_multi_add(multi, handle.curl) == CURLM_OK else { throw CurlLoop.noMemory }
    } catch {
      recycle(handle)
      throw error
    }
    active.append(running)
    if let limit = running.limit(at: running.lastActivity) {
      nextCheck = min(nextCheck, limit.next)
    }
    running.started()
  }

  /// OpenSSL would wait for ever for a pipe that nobody writes to, and never end to read a device.
  private static func checkAuthorities(_ options: TransferOptions) throws(Failure) {
    // Of a file that is not there libcurl tells.
    guard let path = options.certificateAuthorityFile, FileSystem.exists(path) else { return }
    do throws(FileFailure) {
      _ = try FileSystem.size(path)
    } catch {
      throw CurlOptions.unreadableAuthorities(error)
    }
  }

  /// Ends what is done; answers whether another transfer began in its place.
  private func reapFinished() -> Bool {
    var code = CURLE_OK
    var hasBegun = false
    while let curl = postkit_curl_multi_next_done(multi, &code) {
      guard let transfer = EasyHandle.owner(of: curl)?.receiver else {
        bug("libcurl reported a transfer that is not running")
        continue
      }
      if end(transfer, .done(code)) { hasBegun = true }
    }
    return hasBegun
  }

  /// Ends a transfer; answers whether the one that was to come after it has begun.
  @discardableResult
  private func end(_ transfer: ActiveTransfer, _ reason: ActiveTransfer.Reason) -> Bool {
    let outcome = transfer.finish(reason)
    transfer.endItems()
    // Before its end this closes the connection, or resets the stream where others share it.
    _ = postkit_curl_multi_remove(multi, transfer.handle.curl)
    active.removeAll { $0 === transfer }
    if let merge = transfer.cookieMerge { carryOver(merge, transfer, outcome) }
    recycle(transfer.handle)
    let next = transfer.transfer.successor(after: outcome)
    if let next { begin(next) }
    transfer.transfer.end(outcome)
    return next != nil
  }

  /// Brings what a server did to the copy of a jar into the jar.
  private func carryOver(
    _ merge: CookieMerge, _ transfer: ActiveTransfer, _ outcome: TransferOutcome
  ) {
    let lines = merge.changes(
      copy: transfer.handle.cookies,
      setCookies: outcome.response?.headers.values("Set-Cookie") ?? [],
      host: Endpoint(url: transfer.transfer.spec.url)?.host ?? "")
    guard !lines.isEmpty, let jar = transfer.transfer.jar else { return }
    _ = withCookies(of: jar.id) { $0.addCookies(lines) }
  }

  /// Works with a handle that uses the cookies of a jar; `nil` where there is no memory.
  private func withCookies<Result>(of jar: Int, _ work: (EasyHandle) -> Result) -> Result? {
    guard let share = jars.share(jar), let handle = idle.popLast() ?? EasyHandle() else {
      return nil
    }
    defer { recycle(handle) }
    handle.useCookies(of: share)
    return work(handle)
  }

  private func recycle(_ handle: EasyHandle) {
    handle.release()
    if handle.hasOwnCookies { return }
    if idle.count < CurlLoop.keptHandles { idle.append(handle) }
  }

  /// Ends the transfers whose time is over.
  private func endOverdue() {
    guard nextCheck != .max else { return }
    let now = Clock.monotonicMicroseconds
    guard now >= nextCheck else { return }
    nextCheck = .max
    for transfer in active {
      guard let limit = transfer.limit(at: now) else { continue }
      if let reason = limit.reason {
        end(transfer, reason)
      } else {
        nextCheck = min(nextCheck, limit.next)
      }
    }
  }

  private var sleepTime: Int32 {
    guard nextCheck != .max else { return CurlLoop.sleepMilliseconds }
    let left = (nextCheck - Clock.monotonicMicroseconds + 999) / 1_000
    return Int32(clamping: max(0, min(left, Int64(CurlLoop.sleepMilliseconds))))
  }
}
