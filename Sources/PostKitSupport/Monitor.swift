// A lock one can wait at, and threads: blocking work must never occupy the cooperative pool.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A value behind a mutex, with a condition for threads that wait until it changes.
///
/// `@unchecked Sendable`: `state` is only touched while `mutex` is held, and the pointers never
/// change between `init` and `deinit`.
package final class Monitor<State>: @unchecked Sendable {
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  /// Makes a monitor that owns a value.
  package init(_ state: sending State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Changes the value and wakes every thread that waits for a change.
  package func update<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlockAndWake() }
    return try body(&state)
  }

  /// Blocks this thread until `body` gives a result; it is asked again after each change.
  package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlockAndWake() }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// The other way round, those who wake would only go to sleep at the mutex.
  private func unlockAndWake() {
    pthread_mutex_unlock(mutex)
    pthread_cond_broadcast(condition)
  }
}

/// Starts threads of our own.
package enum SystemThread {
  /// The threads that were started ahead: what they shall run, and how many have nothing yet.
  private struct Reserve {
    var idle = 0
    var bodies: [@Sendable () -> Void] = []
  }

  private static let reserve = Monitor(Reserve())

  /// Starts threads that wait for what `start` will give them. The system starts none while a
  /// library is being loaded, so a program that loads one makes its threads first.
  package static func prepare(_ count: Int) {
    for _ in 0..<count {
      let hasStarted = create {
        let body = reserve.wait { $0.bodies.popLast() }
        body()
      }
      if hasStarted { reserve.update { $0.idle += 1 } }
    }
  }

  /// Runs `body` on a detached thread, a prepared one if there is one; it ends with it. Answers
  /// whether the system gave one.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = reserve.update { reserve in
      guard reserve.idle > 0 else { return false }
      reserve.idle -= 1
      reserve.bodies.append(body)
      return true
    }
    return isTaken || create(body)
  }

  private static func create(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Body(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // musl's default stack of 128 KiB is too small for SQLite and TLS libraries.
    pthread_attr_setstacksize(&attributes, 2 << 20)
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, &attributes, SystemThread.main, box.toOpaque())
    #else
      var thread = pthread_t()
      let code = pthread_create(&thread, &attributes, SystemThread.main, box.toOpaque())
    #endif
    if code != 0 { box.release() }
    return code == 0
  }

  #if canImport(Darwin)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? =
      {
        Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run()
        return nil
      }
  #else
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
      {
        if let box = $0 { Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run() }
        return nil
      }
  #endif

  /// What a thread runs, in a form that goes through a C pointer.
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
