// Back-pressure: what waits, what gives way, what is awaited.

import JSONRPC
import PostKitJSON
import PostKitSupport
import Synchronization
import Testing

@Suite struct QueueTests {
  private func frame(
    _ text: String, _ importance: OutgoingFrame.Importance = .required
  ) -> OutgoingFrame {
    OutgoingFrame(Array(text.utf8), importance)
  }

  private func push(_ frame: OutgoingFrame, _ queue: inout OutgoingQueue) {
    let isTaken = queue.push(frame)
    #expect(isTaken)
  }

  private func drain(_ queue: inout OutgoingQueue) -> String {
    var texts: [String] = []
    while let frame = queue.pop() { texts.append(String(decoding: frame.bytes, as: UTF8.self)) }
    return texts.joined(separator: " ")
  }

  @Test func `frames leave in order and replaceable ones give way to newer ones`() {
    var queue = OutgoingQueue()
    for (text, key) in [("a1", "a"), ("r", nil), ("b1", "b"), ("a2", "a"), ("b2", "b")] {
      let importance: OutgoingFrame.Importance = key.map { .replaceable(key: $0) } ?? .required
      push(frame(text, importance), &queue)
    }
    #expect(queue.byteCount == 5)
    let drained1 = drain(&queue)
    #expect(drained1 == "a2 r b2")
    #expect(queue.byteCount == 0)
    push(frame("a3", .replaceable(key: "a")), &queue)
    let drained2 = drain(&queue)
    #expect(drained2 == "a3")
  }

  @Test func `many frames through a short queue keep their keys`() {
    var queue = OutgoingQueue()
    for number in 0..<5_000 {
      push(frame("\(number)"), &queue)
      push(frame("k\(number)", .replaceable(key: "k\(number % 3)")), &queue)
      if number % 2 == 1 {
        let frame = queue.pop()
        #expect(frame != nil)
      }
    }
    let rest = drain(&queue).split(separator: " ")
    #expect(rest.last == "4999")
    #expect(queue.isEmpty)
    #expect(queue.byteCount == 0)
  }

  @Test func `log messages are dropped while much waits, required frames never`() {
    var queue = OutgoingQueue()
    let large = String(repeating: "x", count: Limits.droppingQueueBytes + 1)
    push(frame("log", .droppable), &queue)
    push(frame(large), &queue)
    push(frame("late log", .droppable), &queue)
    push(frame("reply"), &queue)
    let drained3 = drain(&queue)
    #expect(drained3 == "log \(large) reply")
  }

  @Test func `a client that never reads is given up`() {
    var queue = OutgoingQueue()
    let piece = frame(String(repeating: "x", count: 1 << 20))
    var isTaken = true
    var count = 0
    while isTaken, count < 1_000 {
      isTaken = queue.push(piece)
      count += 1
    }
    #expect(count == (Limits.outgoingQueueBytes >> 20) + 1)
  }

  @Test func `answers reach the right waiter once, late and unknown ones nobody`() {
    let seen = Mutex<[String]>([])
    var requests = OutgoingRequests()
    func register(_ name: String) -> Int {
      requests.register { result in
        switch result {
        case .success(let view): seen.withLock { $0.append("\(name) \(view?.int ?? -1)") }
        case .failure(let error): seen.withLock { $0.append("\(name) \(error.code.rawValue)") }
      }
      }
    }
    let ids = ["a", "b", "c"].map(register)
    #expect(Set(ids).count == 3)
    let view = try? JSONTree(parsing: Array("7".utf8)).root
    let isTaken1 = requests.finish(.int(ids[1]), .success(view))
    #expect(isTaken1)
    let isTaken2 = requests.finish(.int(ids[1]), .success(view))
    #expect(!isTaken2)
    let isTaken3 = requests.finish(.string(String(ids[0])), .success(view))
    #expect(!isTaken3)
    let isTaken4 = requests.finish(.int(99), .success(view))
    #expect(!isTaken4)
    requests.failAll(RPCError(.requestCancelled, "Bye."))
    #expect(seen.withLock { $0 } == ["b 7", "a -32800", "c -32800"])
    #expect(requests.count == 0)
  }
}
