// Where the store is: the one place that knows the default directories (CONTRACTS.md, section 4).

import PostKitSupport

/// The places of everything that PostKit keeps.
package struct StoreLocation: Sendable, Hashable {
  /// The directory of both databases and of the bodies.
  package let directory: String
  /// The directory of the files that editors open to show a response.
  package let viewDirectory: String
  /// The user's settings.
  package let configPath: String

  /// A place that the user named with `--store`: it holds everything.
  package init(directory: String) {
    self.directory = directory
    viewDirectory = directory + "/view"
    configPath = directory + "/config.json"
  }

  /// The place that the environment gives: `POSTKIT_HOME`, else the directories of the XDG Base
  /// Directory Specification (on macOS `Library/Application Support`). Relative values of the
  /// `XDG_` variables are ignored, as that specification asks for.
  package init(environment: (String) -> String?) {
    if let home = environment("POSTKIT_HOME"), !home.isEmpty {
      self = StoreLocation(directory: home)
      return
    }
    let home = environment("HOME").flatMap { $0.isEmpty ? nil : $0 } ?? "/"
    func place(_ variable: String, _ fallback: String) -> String {
      if let value = environment(variable), value.hasPrefix("/") { return value }
      return home == "/" ? "/" + fallback : home + "/" + fallback
    }
    #if canImport(Darwin)
      let data = place("XDG_DATA_HOME", "Library/Application Support")
      let state = place("XDG_STATE_HOME", "Library/Application Support")
      let config = place("XDG_CONFIG_HOME", "Library/Application Support")
    #else
      let data = place("XDG_DATA_HOME", ".local/share")
      let state = place("XDG_STATE_HOME", ".local/state")
      let config = place("XDG_CONFIG_HOME", ".config")
    #endif
    self = StoreLocation(
      directory: data + "/postkit", viewDirectory: state + "/postkit/view",
      configPath: config + "/postkit/config.json")
  }

  private init(directory: String, viewDirectory: String, configPath: String) {
    self.directory = directory
    self.viewDirectory = viewDirectory
    self.configPath = configPath
  }

  /// Whether the user has named the directory, which then holds everything.
  var isNamed: Bool { FilePath.parent(configPath) == directory }

  /// The database of exchanges, session values, cookies and tokens; it never leaves the machine.
  package var historyPath: String { directory + "/history.sqlite" }
  /// The database of collections.
  package var collectionsPath: String { directory + "/collections.sqlite" }
  /// The file whose `flock` orders the processes.
  package var lockPath: String { directory + "/store.lock" }
  /// The values of secret variables where no keyring has them; apart from the databases.
  package var secretsPath: String { directory + "/secrets.json" }
  /// The file whose `flock` orders the processes that change secrets.
  package var secretsLockPath: String { directory + "/secrets.lock" }
  /// Large bodies as files with the names of their content.
  package var bodiesDirectory: String { directory + "/bodies" }
  /// Where the transport spools large responses, so that they are kept without being copied.
  package var spoolDirectory: String { bodiesDirectory + "/incoming" }
}
