// The example server, started when the first request asks for it (CONTRACTS.md, section 4).

import PostKitExampleServer
import PostKitLoopback
import PostKitSupport
import Synchronization

/// Owns the example server of a process.
package final class LazyExampleServer: Sendable {
  private let server = Mutex<LoopbackServer?>(nil)

  /// Makes the owner; nothing is started yet.
  package init() {}

  /// The base URL of the server, started now if need be; `nil` where it can't be started.
  package var url: String? {
    server.withLock { server in
      if let server { return server.url }
      server = orLog("starting the example server") { try ExampleServer.start() }
      return server?.url
    }
  }

  /// The base URL of the server where it runs already.
  package var runningURL: String? { server.withLock { $0?.url } }

  /// Ends the server if it runs.
  package func stop() {
    server.withLock { server in
      server?.stop()
      server = nil
    }
  }
}
