// What a crash leaves behind.

import CSystem

/// Crashes of this process.
package enum Crashes {
  /// From now on a crash leaves nothing of what is in memory, where secrets are: no core file, and
  /// no list of registers from Swift's runtime. The sentence with which the runtime ends a process
  /// is still printed.
  package static func keepSilent() { postkit_keep_crashes_silent() }
}
