// The memory of this process.

import CSystem

/// The heap, as far as the system is concerned.
package enum Heap {
  /// Gives the system back what is free in the heap, if that is worth the while. A C library keeps
  /// what a burst of work has used, most of it for ever; it takes some milliseconds, in which other
  /// threads that allocate may wait.
  package static func giveBack() { postkit_heap_give_back(Limits.freeHeapBytes) }
}

/// The code of the program and of its libraries, which the system maps as it is called.
package enum MappedCode {
  /// Lets go of what is mapped: most of what a start and a first send call is never called again,
  /// but counts as memory of the process as long as it stays mapped. What is called again is mapped
  /// again in some microseconds, as the files stay in the system's cache.
  package static func letGo() { postkit_code_let_go() }
}
