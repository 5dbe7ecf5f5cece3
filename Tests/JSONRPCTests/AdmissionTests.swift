// Who works out answers waits while nobody reads them.

import PostKitSupport
import Testing

@testable import JSONRPC

@Suite struct AdmissionTests {
  @Test func `some may be inside at once, and one of each thread`() async {
    let admission = Admission()
    for _ in 0..<Limits.answersAtOnce { await admission.enter() }
    let thread = ObjectIdentifier(admission)
    await admission.enter(thread)
    let others = [nil, thread].map { room in
      Task { await admission.enter(room) }
    }
    while admission.waitingCount < 2 { await Task.yield() }
    admission.leave()
    await others[0].value
    #expect(admission.waitingCount == 1)
    admission.leave(thread)
    await others[1].value
    #expect(!admission.takeCrowded())
  }

  @Test func `those who wait enter in their order, as fast as is read`() async {
    let admission = Admission()
    let thread = ObjectIdentifier(admission)
    admission.note(isCrowded: true)
    let (order, told) = AsyncStream<Int>.makeStream()
    let (begun, begins) = AsyncStream<Void>.makeStream()
    var beginnings = begun.makeAsyncIterator()
    for number in 0..<3 {
      Task {
        begins.yield()
        await admission.enter(thread)
        told.yield(number)
      }
      await beginnings.next()
      while admission.waitingCount <= number { await Task.yield() }
    }
    admission.note(isCrowded: false)
    var entered = order.makeAsyncIterator()
    #expect(await entered.next() == 0)
    #expect(admission.waitingCount == 2)
    // What came of the first is so much that the others go on waiting.
    admission.note(isCrowded: true)
    admission.leave(thread)
    #expect(admission.waitingCount == 2)
    admission.note(isCrowded: false)
    #expect(await entered.next() == 1)
    admission.leave(thread)
    #expect(await entered.next() == 2)
    #expect(admission.takeCrowded())
    #expect(!admission.takeCrowded())
  }

  @Test func `who is cancelled waits no longer`() async {
    let admission = Admission()
    admission.note(isCrowded: true)
    let waiting = Task { await admission.enter() }
    while admission.waitingCount == 0 { await Task.yield() }
    waiting.cancel()
    await waiting.value
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      await admission.enter()
    }
    late.cancel()
    await late.value
    #expect(admission.waitingCount == 0)
  }
}
