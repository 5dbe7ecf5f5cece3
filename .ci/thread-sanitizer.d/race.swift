// A race that the thread sanitizer has to find: two threads count in one variable without a lock.

import Foundation

nonisolated(unsafe) var count = 0
let threads = (0..<2).map { _ in Thread { for _ in 0..<1_000_000 { count += 1 } } }
for thread in threads { thread.start() }
for thread in threads { while !thread.isFinished { usleep(1_000) } }
