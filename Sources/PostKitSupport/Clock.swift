// The time, read in one place.

import Libc

/// Reads the system's clocks.
package enum Clock {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package static var wallMilliseconds: Int64 { wallNanoseconds / 1_000_000 }

  /// Nanoseconds since 1970-01-01T00:00:00Z.
  package static var wallNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Microseconds of a clock that never goes back; its zero means nothing.
  package static var monotonicMicroseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Holds the calling thread for a time, or until a signal comes.
  package static func pause(milliseconds: Int32) {
    var time = timespec()
    time.tv_sec = time_t(milliseconds / 1_000)
    time.tv_nsec = Int(milliseconds % 1_000) * 1_000_000
    nanosleep(&time, nil)
  }

  /// How many seconds local time is ahead of UTC at a moment given in seconds since 1970.
  package static func localOffsetSeconds(at seconds: Int64) -> Int {
    var moment = time_t(seconds)
    var parts = tm()
    localtime_r(&moment, &parts)
    return Int(parts.tm_gmtoff)
  }
}
