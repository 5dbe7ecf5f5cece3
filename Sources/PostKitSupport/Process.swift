// This process: its environment, its arguments, its signals, its memory and its end.

import CSystem
import Libc

/// Reads the environment variables of this process.
package enum ProcessEnvironment {
  /// The value of a variable; `nil` where it isn't set.
  package static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// All variables by name, in no order.
  package static var all: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text)
      if let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(pair[..<equals])
        if result[name] == nil { result[name] = String(pair[pair.utf8.index(after: equals)...]) }
      }
      entry += 1
    }
    return result
  }

  /// The names of all variables, sorted.
  package static var names: [String] { all.keys.sorted() }
}

/// The command line. The Swift runtime reads it from `/proc`, which a container may lack.
package enum ProgramArguments {
  /// The program's name, then its arguments; bytes that are no UTF-8 become U+FFFD.
  package static var all: [String] { handedOver ?? CommandLine.arguments }

  /// The same as the C library hands it over; `nil` where it doesn't.
  package static var handedOver: [String]? {
    let count = postkit_argument_count()
    guard count > 0 else { return nil }
    return (0..<count).compactMap { postkit_argument($0).map { String(cString: $0) } }
  }
}

/// What is known of signals that are ignored.
package enum IgnoredSignals {
  /// Whether the program was started so that a signal does nothing, as by `nohup`.
  package static func contains(_ number: Int32) -> Bool { postkit_signal_is_ignored(number) }
}

/// The heap, as far as the system is concerned.
package enum Heap {
  /// Gives the system back what is free in the heap, if that is at least so many bytes. A C library
  /// keeps what a burst of work has used, most of it for ever; it takes some milliseconds, in which
  /// other threads that allocate may wait.
  package static func giveBack(ifAtLeast least: Int = Limits.freeHeapBytes) {
    postkit_heap_give_back(least)
  }
}

/// The code of the program and of its libraries, which the system maps as it is called.
package enum MappedCode {
  /// Lets go of what is mapped: most of what a start and a first send call is never called again,
  /// but counts as memory of the process as long as it stays mapped. What is called again is mapped
  /// again in some microseconds, as the files stay in the system's cache.
  package static func letGo() { postkit_code_let_go() }
}

/// Crashes of this process.
package enum Crashes {
  /// From now on a crash leaves nothing of what is in memory, where secrets are: no core file, and
  /// no list of registers from Swift's runtime. The sentence with which the runtime ends a process
  /// is still printed.
  package static func keepSilent() { postkit_keep_crashes_silent() }
}
