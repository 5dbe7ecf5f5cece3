// What is no race: four threads count in one variable behind a lock for which they have to wait.

import Foundation
import Synchronization

final class Counter: Sendable {
  let count = Mutex(0)
}

let counter = Counter()
let threads = (0..<4).map { _ in
  Thread { for _ in 0..<20_000 { counter.count.withLock { $0 += 1 } } }
}
for thread in threads { thread.start() }
for thread in threads { while !thread.isFinished { usleep(1_000) } }
