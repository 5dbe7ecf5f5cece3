// Sends requests, one hop each; redirects, retries and history are for others to decide.

import CCurl
package import PostKitHTTP
import PostKitSupport
import Synchronization

/// How a transport treats what it receives.
package struct TransportConfiguration: Sendable, Hashable {
  /// Where bodies above `memoryBytes` are written, as files of mode 0600. It is made when needed;
  /// the files belong to whoever takes the outcome.
  package var spoolDirectory: String
  /// Body bytes that are kept; of a longer body the head is kept and the rest is thrown away.
  package var keptBodyBytes: Int
  /// Body bytes that are held in memory.
  package var memoryBytes = Limits.responseMemoryBytes
  /// The size of libcurl's receive buffer; `nil` for its default of 16 KiB.
  package var bufferBytes: Int?

  /// Makes a configuration; history keeps 64 MiB of a body unless the user says otherwise.
  package init(spoolDirectory: String, keptBodyBytes: Int = 64 << 20) {
    self.spoolDirectory = spoolDirectory
    self.keptBodyBytes = keptBodyBytes
  }

  /// A place for one response body.
  func makeSink() -> BodySink {
    BodySink(directory: spoolDirectory, memoryBytes: memoryBytes, keptBytes: keptBodyBytes)
  }
}

/// Sends requests with libcurl. Connections are kept and used again by all sends of one transport.
///
/// Its thread starts with the first send, and ends with `shutdown` or with the transport.
package final class Transport: Sendable {
  private let configuration: TransportConfiguration
  let mailbox = Mailbox()
  private let nextJar = Atomic(0)

  /// Makes a transport; nothing is opened yet.
  package init(_ configuration: TransportConfiguration) { self.configuration = configuration }

  deinit { shutdown() }

  /// Prepares the heap for a program one of whose threads does nearly all the work, such as sending
  /// a request; to be called before it has threads. Where many are sent, the threads would wait for
  /// each other at it.
  package static func prepareHeap() { postkit_share_heap() }

  /// Opens libcurl, so that the first send need not wait for it. This takes some milliseconds, in
  /// which no other thread can be started; a failure is told by the first send.
  package static func prewarm() { _ = CurlLibrary.shared }

  /// What the libcurl of this machine is; where there is none, a failure that says how to get it.
  /// The first call may take some milliseconds.
  package static var libraryVersion: Result<CurlVersion, Failure> {
    CurlLibrary.shared.map(\.version)
  }

  /// Lets the next transport look for libcurl again where this machine had none.
  package static func forgetMissingLibrary() { CurlLibrary.forgetFailure() }

  /// A jar for the cookies of one run, with those of earlier ones; it is for sends of this
  /// transport.
  package func makeCookieJar(_ cookies: [Cookie] = []) -> CookieJar {
    let (_, id) = nextJar.add(1, ordering: .relaxed)
    let lines = cookies.compactMap { CookieLine($0) }
    if !lines.isEmpty { _ = mailbox.post(.fill(jar: id, lines)) }
    return CookieJar(id: id, mailbox: mailbox)
  }

  /// Puts cookies into a jar, before the next request that uses it.
  package func add(_ cookies: [Cookie], to jar: CookieJar) {
    _ = mailbox.post(.fill(jar: jar.id, cookies.compactMap { CookieLine($0) }))
  }

  /// What a jar holds now; nothing after the end of the transport.
  package func cookies(of jar: CookieJar) async -> [Cookie] {
    let lines = await withCheckedContinuation { continuation in
      if !mailbox.post(.list(jar: jar.id, continuation)) { continuation.resume(returning: []) }
    }
    // One that was removed stays in libcurl's list, long expired, until the next request.
    let now = Clock.wallMilliseconds / 1_000
    return lines.map(\.cookie).filter { $0.expires.map { $0 > now } ?? true }
  }

  /// Removes the file of a body that was spooled and that nobody reads any more; the history has
  /// a name of its own for what it keeps. Any other body is left alone.
  package func discard(_ body: BodyContent) {
    guard case .file(let path, _) = body,
      FilePath.isInside(path, directory: configuration.spoolDirectory)
    else { return }
    _ = orLog("removing the spooled body \(path)") { try FileSystem.remove(path) }
    SpoolDirectory.leave(configuration.spoolDirectory)
  }

  /// Sends one request and waits for the end of its response; a redirect is a response like others.
  ///
  /// It never throws: failures are values, and cancelling the task gives an outcome whose state is
  /// `cancelled`, with the connection closed. `onEvent` is called on the loop's thread, which must
  /// not be held up, and no more once `send` has returned.
  package func send(
    _ spec: RequestSpec, jar: CookieJar?, saves: SaveOrder? = nil,
    onEvent: (@Sendable (TransferEvent) -> Void)? = nil
  ) async -> TransferOutcome {
    await prepare(spec, jar: jar, saves: saves, onEvent: onEvent).outcome()
  }

  /// A send that has not begun; the rest is as with `send`. With `tellsBody` the events have the
  /// bytes of the body's beginning; `items` is given the body as it comes in.
  package func prepare(
    _ spec: RequestSpec, jar: CookieJar?, saves: SaveOrder? = nil, tellsBody: Bool = false,
    items: ItemStream? = nil, onEvent: (@Sendable (TransferEvent) -> Void)? = nil
  ) -> Sending {
    Sending(
      transfer: Transfer(
        spec, jar, saves, configuration, tellsBody: tellsBody, items: items, onEvent),
      mailbox: mailbox)
  }

  /// Runs tasks on the thread that sends: for a run of many requests one after the other.
  package var executor: any TaskExecutor { mailbox }

  /// Cancels what runs and closes all connections, without waiting for that; later sends fail.
  package func shutdown() { _ = mailbox.post(.stop) }
}
