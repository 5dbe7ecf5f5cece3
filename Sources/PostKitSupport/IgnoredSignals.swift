// The signals that whoever started the program wants to do nothing.

import CSystem

/// What is known of signals that are ignored.
package enum IgnoredSignals {
  /// Whether the program was started so that a signal does nothing, as by `nohup`.
  package static func contains(_ number: Int32) -> Bool { postkit_signal_is_ignored(number) }
}
