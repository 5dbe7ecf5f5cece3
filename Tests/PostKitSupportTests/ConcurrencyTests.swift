// Checks the executor, the monitor, the log and bug reports.

import Libc
import PostKitSupport
import PostKitTestSupport
import Synchronization
import Testing

/// An actor as the store has one.
private actor Counter {
  let executor = SerialQueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private(set) var count = 0

  func add() -> Bool {
    count += 1
    return executor.isCurrent
  }

  nonisolated func addAssumingIsolation() {
    assumeIsolated { $0.count += 1 }
  }
}

@Suite struct SerialQueueExecutorTests {
  @Test(.timeLimit(.minutes(10))) func `an actor runs on the thread of its executor`() async {
    let counter = Counter()
    let wereOnThread = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 { group.addTask { await counter.add() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(wereOnThread.count == 200 && wereOnThread.allSatisfy { $0 })
    #expect(await counter.count == 200)
    #expect(!counter.executor.isCurrent)
  }

  @Test(.timeLimit(.minutes(10))) func `isolation can be assumed on the thread`() async {
    let counter = Counter()
    await counter.executor.perform { counter.addAssumingIsolation() }
    #expect(await counter.count == 1)
  }

  @Test(.timeLimit(.minutes(10))) func `work is done in order and gives values and errors`() async {
    let executor = SerialQueueExecutor()
    #expect(await executor.perform { 42 } == 42)
    await #expect(throws: FileFailure.notFound(path: "x")) {
      try await executor.perform { () throws(FileFailure) in throw .notFound(path: "x") }
    }
  }

  @Test(.timeLimit(.minutes(10))) func `after draining, a later job starts a new thread`() async {
    let executor = SerialQueueExecutor()
    for round in 0..<50 {
      #expect(await executor.perform { round } == round)
      let other = SerialQueueExecutor()
      await other.perform { executor.drain() }
    }
  }

  @Test(.timeLimit(.minutes(10))) func `executors may end with their last reference on any thread`()
    async
  {
    for round in 0..<100 {
      let value = await SerialQueueExecutor().perform { round }
      #expect(value == round)
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct WorkerPoolTests {
  @Test func `what hangs leaves others a thread`() async {
    let pool = WorkerPool(limit: 3)
    let isOver = Monitor(false)
    let hanging = (0..<2).map { _ in
      Task(executorPreference: pool) { isOver.wait { $0 ? () : nil } }
    }
    for round in 0..<20 {
      #expect(await Task(executorPreference: pool) { round }.value == round)
    }
    isOver.update { $0 = true }
    for task in hanging { await task.value }
  }

  @Test func `no more is worked on at once than there are threads`() async {
    let pool = WorkerPool(limit: 2)
    let counts = Monitor((now: 0, most: 0))
    let tasks = (0..<40).map { _ in
      Task(executorPreference: pool) {
        counts.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        sched_yield()
        counts.update { $0.now -= 1 }
      }
    }
    for task in tasks { await task.value }
    #expect(1...2 ~= counts.update { $0.most })
  }

  @Test func `all that was given to it is done, also where nobody else holds it`() async {
    let done = Monitor(0)
    let tasks = (0..<100).map { _ in
      Task(executorPreference: WorkerPool(limit: 2)) { done.update { $0 += 1 } }
    }
    for task in tasks { await task.value }
    #expect(done.update { $0 } == 100)
  }
}

@Suite(.timeLimit(.minutes(10))) struct AlarmTests {
  @Test func `what is due first is done first, whenever it was asked for`() async {
    var order: [Int] = []
    var isKnown = false
    // Each is due after its own time from when it was asked for, so that which is due first is known
    // where this thread stood still for less than what lies between two of them.
    while !isKnown {
      let done = Monitor<[Int]>([])
      let start = Clock.monotonicMicroseconds
      for number in [3, 1, 4, 0, 2] {
        Alarm.shared.schedule(afterMicroseconds: 50_000 + 20_000 * Int64(number)) {
          done.update { $0.append(number) }
        }
      }
      isKnown = Clock.monotonicMicroseconds - start < 20_000
      order = await SerialQueueExecutor().perform { done.wait { $0.count == 5 ? $0 : nil } }
    }
    #expect(order == [0, 1, 2, 3, 4])
  }

  @Test func `what is called off is not done, nor is anything else left out for it`() async {
    let left = Array(stride(from: 0, to: 100, by: 3))
    var isInTime = false
    // Again where this thread stood still until they were due.
    while !isInTime {
      let done = Monitor<[Int]>([])
      let start = Clock.monotonicMicroseconds
      let appointments = (0..<100).map { number in
        Alarm.shared.schedule(afterMicroseconds: 1_000_000) { done.update { $0.append(number) } }
      }
      for number in 0..<100 where number % 3 != 0 { Alarm.shared.cancel(appointments[number]) }
      isInTime = Clock.monotonicMicroseconds - start < 1_000_000
      let found = await SerialQueueExecutor().perform {
        done.wait { $0.last == 99 ? $0 : nil }
      }
      #expect(!isInTime || found == left)
      // It is over; nothing is taken from others.
      for appointment in appointments { Alarm.shared.cancel(appointment) }
    }
  }

  @Test func `a sleep lasts as long as it should`() async throws {
    let start = Clock.monotonicMicroseconds
    try await Alarm.sleep(milliseconds: 30)
    #expect(Clock.monotonicMicroseconds - start >= 30_000)
  }

  @Test func `many sleep at once, and all awake`() async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<1_000 {
        group.addTask { try? await Alarm.sleep(microseconds: Int64(number * 7 % 50) * 1_000) }
      }
    }
  }

  @Test func `who is cancelled sleeps no longer`() async {
    for round in 0..<200 {
      let task = Task { try await Alarm.sleep(milliseconds: 3_600_000) }
      // The cancel comes before the sleep or while it lasts.
      if round % 2 == 0 { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}

@Suite struct MonitorTests {
  @Test(.timeLimit(.minutes(10))) func `a waiting thread sees every change`() async {
    let monitor = Monitor(0)
    SystemThread.start { for _ in 0..<1_000 { monitor.update { $0 += 1 } } }
    let seen = await SerialQueueExecutor().perform {
      monitor.wait { $0 == 1_000 ? $0 : nil }
    }
    #expect(seen == 1_000)
  }
}

@Suite struct SystemThreadTests {
  @Test(.timeLimit(.minutes(10))) func `work finds a thread, whether one was prepared or not`() {
    SystemThread.prepare(2)
    let begun = Monitor(0)
    for _ in 0..<5 {
      let hasStarted = SystemThread.start {
        begun.update { $0 += 1 }
        // None ends before all have begun, so that each needs a thread of its own.
        begun.wait { $0 == 5 ? () : nil }
      }
      #expect(hasStarted)
    }
    begun.wait { $0 == 5 ? () : nil }
  }
}

@Suite(.serialized) struct LogTests {
  @Test func `lines go to the sink when they are grave enough`() {
    let lines = Mutex<[String]>([])
    let level = Log.level
    Log.level = .info
    Log.setSink { level, text in lines.withLock { $0.append("\(level.word) \(text)") } }
    defer {
      Log.resetSink()
      Log.level = level
    }
    Log.error("a")
    Log.info("b")
    Log.debug("\(Issue.record("the text of an unwanted line was made"))")
    _ = orLog("try") { throw FileFailure.notFound(path: "/p") }
    let seen = lines.withLock { $0 }
    #expect(seen.contains("error a") && seen.contains("info b"))
    #expect(seen.contains { $0.hasPrefix("error try: /p doesn't exist") })
    #expect(!seen.contains { $0.hasPrefix("debug") })
  }

  @Test func `a reported bug reaches the recorder of the test and doesn't trap`() {
    let outcome = Bug.recorded {
      bug("impossible")
      return 7
    }
    #expect(outcome.value == 7)
    #expect(outcome.reports.count == 1 && outcome.reports[0].hasPrefix("impossible ("))
  }

  @Test func `the first of several answers counts, whether or not somebody waits already`() async {
    let early = First<Int>()
    early.give(1)
    early.give(2)
    #expect(await early.value == 1)
    let late = First<Int>()
    async let answer = late.value
    await Task.yield()
    late.give(3)
    late.give(4)
    #expect(await answer == 3)
  }
}
