// How long descriptions are kept that nobody asks for any more.

import PostKitTestSupport
import Synchronization
import Testing

@testable import PostKitRunner
@testable import PostKitSession

/// A clock that a test turns: what is to be done later is done when it says so.
private final class TurnedClock: Sendable {
  private let due = Mutex<[(microseconds: Int64, act: @Sendable () -> Void)]>([])

  /// How long each waits that waits now.
  var spans: [Int64] { due.withLock { $0.map(\.microseconds) } }

  /// Takes something to be done.
  func later(_ microseconds: Int64, _ act: @escaping @Sendable () -> Void) {
    due.withLock { $0.append((microseconds, act)) }
  }

  /// Does all that waits.
  func turn() {
    let now = due.withLock { due in
      defer { due = [] }
      return due
    }
    for entry in now { entry.act() }
  }
}

@Suite(.timeLimit(.minutes(20))) struct DescriptionsTests {
  private let clock = TurnedClock()
  private let place: TemporaryDirectory
  private let descriptions: Descriptions

  init() throws {
    place = try TemporaryDirectory()
    try place.write(
      "openapi.json", #"{"openapi": "3.1.0", "paths": {"/orders": {"get": {"summary": "all"}}}}"#)
    descriptions = Descriptions(later: clock.later)
  }

  private func read() async throws -> Int {
    let client = ClientProxy(
      profile: ClientProfile(), transport: MemoryTransport(), events: NoticeSink { _ in })
    let workspace = Workspace(file: place.path("a.http"), workspaceFolder: place.path)
    let path = place.path("openapi.json")
    return try await descriptions.reading(of: path, in: workspace, client).get().number
  }

  /// Waits until it is known or forgotten; the suite's limit ends a wait for what never comes.
  private func isKnown(_ wanted: Bool) async {
    while (await descriptions.known(place.path("openapi.json")) != nil) != wanted {
      await Task.yield()
    }
  }

  @Test func `a minute after the last document was closed all is forgotten`() async throws {
    let number = try await read()
    #expect(try await read() == number)
    #expect(clock.spans.isEmpty)
    await descriptions.rest(true)
    #expect(clock.spans == [60_000_000])
    clock.turn()
    await isKnown(false)
    #expect(clock.spans.isEmpty)
    #expect(try await read() != number)
  }

  @Test func `who asks in that minute, or opens a document, keeps it`() async throws {
    let number = try await read()
    await descriptions.rest(true)
    _ = try await read()
    clock.turn()
    // It is looked for again a minute later.
    while clock.spans.isEmpty { await Task.yield() }
    #expect(try await read() == number)
    await descriptions.rest(false)
    clock.turn()
    #expect(try await read() == number)
    await descriptions.rest(true)
    clock.turn()
    await isKnown(false)
  }
}
