// What waits to be recorded: in groups, in order, and not without limit.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct RecordQueueTests {
  @Test func `what has piled up is taken in groups and in order`() {
    let queue = RecordQueue()
    let needs = (0..<150).map { queue.add(Sample.exchange($0)) }
    // One commit is on its way from the first full group on, and sees to the others.
    #expect(needs.first == .timer && needs[63] == .commit)
    #expect(needs.filter { $0 != .nothing }.count == 2)
    var groups: [[Exchange]] = []
    while let group = Optional(queue.take()), !group.isEmpty { groups.append(group) }
    #expect(groups.map(\.count) == [64, 64, 22])
    #expect(groups.joined().map(\.id) == (0..<150).map { Sample.exchange($0).id })
  }

  @Test func `a group has about a megabyte of bodies`() {
    let queue = RecordQueue()
    for number in 0..<8 {
      _ = queue.add(Sample.exchange(number, body: .bytes(large(1, count: 400_000))))
    }
    #expect((0..<4).map { _ in queue.take().count } == [3, 3, 2, 0])
  }

  @Test func `after a commit the rest waits for a group or a moment`() {
    let queue = RecordQueue()
    for number in 0..<130 { _ = queue.add(Sample.exchange(number)) }
    #expect(queue.timerHasFired() == .nothing)
    _ = queue.take()
    #expect(queue.hasCommitted() == .commit)
    _ = queue.take()
    #expect(queue.hasCommitted() == .timer)
    #expect(queue.timerHasFired() == .commit)
    #expect(queue.take().count == 2)
    #expect(queue.hasCommitted() == .nothing)
  }

  @Test func `who sends is told when the store is far behind`() {
    let queue = RecordQueue()
    for number in 0..<81 {
      _ = queue.add(Sample.exchange(number, body: .bytes(large(1, count: 400_000))))
    }
    #expect(!queue.isCrowded)
    for number in 81..<85 {
      _ = queue.add(Sample.exchange(number, body: .bytes(large(1, count: 400_000))))
    }
    #expect(queue.isCrowded)
    while !queue.take().isEmpty {}
    #expect(!queue.isCrowded)
  }
}
