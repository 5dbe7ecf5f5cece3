// Threads and conditions of our own, for work that blocks (architecture.md, decision 14).

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Starts threads that may block.
package enum SystemThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a detached thread of its own; `false` where the system has none to give.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let context = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let result = pthread_create(
      &thread, &attributes,
      { context in
        let pointer: UnsafeMutableRawPointer? = context
        if let pointer {
          Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
        }
        return nil
      }, context.toOpaque())
    if result != 0 { context.release() }
    return result == 0
  }
}

/// A value that threads share under a lock, and on whose change they can wait.
final class Monitor<State>: @unchecked Sendable {
  // The proof of Sendable: `state` is touched only between lock and unlock, and the pointers are set
  // once in `init` and freed in `deinit`, when nobody can hold a reference.
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init(_ state: sending State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes the state and wakes those who wait for it.
  func update<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Waits, on a thread that may block, until `body` returns something.
  func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}

/// Holds a producing thread back while its consumer is behind (architecture.md, D4).
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
