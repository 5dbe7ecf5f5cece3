// What the command line tells the server.

import PostKitSupport

/// How the server is started.
package struct ServerOptions: Sendable, Hashable {
  /// The process whose end ends the server (`--clientProcessId`).
  package var clientProcessID: Int32?
  /// The directory that holds everything (`--store`); `nil` for the default places.
  package var storeDirectory: String?
  /// The program's version.
  package var version: String

  /// Makes options.
  package init(
    clientProcessID: Int32? = nil, storeDirectory: String? = nil, version: String = Version.number
  ) {
    self.clientProcessID = clientProcessID
    self.storeDirectory = storeDirectory
    self.version = version
  }
}
