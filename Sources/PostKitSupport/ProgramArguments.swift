// The words that the program was started with.

import CSystem

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
