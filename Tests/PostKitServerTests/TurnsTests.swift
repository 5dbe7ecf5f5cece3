// Who waits for whom among messages that change, need or show what requests mean.

import LanguageServerProtocol
import Synchronization
import Testing

@testable import PostKitServer
@testable import PostKitSession

@Suite struct TurnsTests {
  /// Waits in a task of its own; what comes of it is the task's value.
  private func waiting(_ turn: Turn?) -> Task<Turn.Wait, Never> {
    Task { await turn?.wait() ?? .due }
  }

  @Test func `sends go on together, a change alone and in its place`() async throws {
    let turns = Turns(patience: 3_600_000)
    let early = try [#require(turns.enter(.sends, "a")), #require(turns.enter(.sends, "b"))]
    let change = try #require(turns.enter(.changes, "c"))
    let late = try #require(turns.enter(.sends, "d"))
    for turn in early { #expect(await turn.wait() == .due) }
    let changing = waiting(change)
    let isLate = Mutex(true)
    let sending = Task {
      let wait = await late.wait()
      isLate.withLock { $0 = false }
      return wait
    }
    early[0].pass()
    early[1].pass()
    #expect(await changing.value == .due)
    #expect(isLate.withLock { $0 })
    change.pass()
    #expect(await sending.value == .due)
  }

  @Test func `what only shows waits for a change, and no change for it`() async throws {
    let turns = Turns(patience: 3_600_000)
    #expect(turns.enter(.shows, "a") == nil)
    #expect(turns.enter(.none, "a") == nil)
    let change = try #require(turns.enter(.changes, "b"))
    let shown = try #require(turns.enter(.shows, "c"))
    let next = try #require(turns.enter(.changes, "d"))
    let showing = waiting(shown)
    #expect(await change.wait() == .due)
    change.pass()
    #expect(await showing.value == .due)
    #expect(await next.wait() == .due)
  }

  @Test func `what only shows does not wait for long`() async throws {
    let turns = Turns(patience: 3_600_000)
    let change = try #require(turns.enter(.changes, "postkit.selectEnvironment"))
    let shown = try #require(turns.enter(.shows, "a"))
    #expect(await shown.wait() == .late("postkit.selectEnvironment"))
    change.pass()
  }

  @Test func `who asks a person steps aside, and changes what comes after the answer`()
    async throws
  {
    let turns = Turns(patience: 3_600_000)
    let change = try #require(turns.enter(.changes, "a"))
    let send = try #require(turns.enter(.sends, "b"))
    #expect(await change.wait() == .due)
    change.stepAside()
    #expect(await send.wait() == .due)
    send.pass()
    change.comeBack()
    let later = try #require(turns.enter(.sends, "c"))
    #expect(await change.wait() == .due)
    let sending = waiting(later)
    change.pass()
    #expect(await sending.value == .due)
    // What has passed comes back no more.
    change.stepAside()
    change.comeBack()
    #expect(await waiting(turns.enter(.sends, "d")).value == .due)
  }

  @Test func `a wait that is cancelled ends`() async throws {
    let turns = Turns(patience: 3_600_000)
    let change = try #require(turns.enter(.changes, "a"))
    let sending = waiting(turns.enter(.sends, "b"))
    sending.cancel()
    #expect(await sending.value == .cancelled)
    change.pass()
  }
}
