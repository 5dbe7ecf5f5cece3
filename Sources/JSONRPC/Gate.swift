// Bounds what a thread may produce before it is taken up.

import PostKitSupport

/// Holds a producing thread back while its consumer is behind (PROMISES.md F13).
package final class Gate: Sendable {
  private struct Load {
    var count = 0
    var byteCount = 0
  }

  private let load = Monitor(Load())
  private let countLimit: Int
  private let byteLimit: Int

  /// Makes a gate that lets this many messages and bytes through before some have left; a single
  /// message may always pass.
  package init(countLimit: Int, byteLimit: Int) {
    self.countLimit = countLimit
    self.byteLimit = byteLimit
  }

  /// Waits until there is room; to be called on a thread that may block.
  package func enter(byteCount: Int) {
    load.wait { (load: inout Load) -> Void? in
      guard load.count == 0 || load.count < countLimit && load.byteCount < byteLimit else {
        return nil
      }
      load.count += 1
      load.byteCount += byteCount
      return ()
    }
  }

  /// Makes room; never blocks for long.
  package func leave(byteCount: Int) {
    load.update { load in
      load.count -= 1
      load.byteCount -= byteCount
    }
  }
}
