// Threads of our own: blocking work must never occupy the cooperative pool.

import CSystem
import Libc

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
    // A thread begins with the pace of the one that starts it, which was given to that alone.
    let isPaced = postkit_thread_pace() != POSTKIT_PACE_ORDINARY
    let box = Unmanaged.passRetained(
      Body {
        if isPaced { postkit_thread_set_pace(POSTKIT_PACE_ORDINARY) }
        body()
      })
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

extension SystemThread {
  /// Lets threads that are woken go before the calling one, which keeps its share of the time.
  package static func becomeUnurgent() { postkit_thread_set_pace(POSTKIT_PACE_UNURGENT) }

  /// Lets the calling thread go before those that run when it is woken: somebody who types waits
  /// for it, and it soon sleeps again.
  package static func becomeUrgent() { postkit_thread_set_pace(POSTKIT_PACE_URGENT) }

  /// How many threads can run at the same time.
  package static var coreCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}
