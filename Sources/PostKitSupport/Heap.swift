// The memory of this process.

import CSystem

/// The heap, as far as the system is concerned.
package enum Heap {
  /// Gives the system back what is free in the heap, if that is worth the while. A C library keeps
  /// what a burst of work has used, most of it for ever; it takes some milliseconds, in which other
  /// threads that allocate may wait.
  package static func giveBack() { postkit_heap_give_back(Limits.freeHeapBytes) }
}
