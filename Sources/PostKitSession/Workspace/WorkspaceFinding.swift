// What was found in a file that is not open, and what it depends on.

import PostKitEvaluate
import PostKitJSON
import PostKitSupport

/// What is known of a file on disk.
struct WorkspaceFinding: Sendable {
  /// All that diagnostics of a file depend on beside its own text and the history.
  struct Surroundings: Sendable, Equatable {
    let world: World
    let files: [String: FileState]
  }

  /// What is the same for all files of a workspace folder.
  struct World: Sendable, Equatable {
    var root: String?
    var editorSettings = JSONValue.null
    var folderSettings: [DocumentURI: JSONValue] = [:]
    var environment: String?
    var refusal: String?
    var globals: [String: GlobalValue] = [:]
    var keptGlobals: [String: GlobalValue] = [:]
    var exampleServer: String?
    var mock: String?
  }

  /// How an environment file or the settings are.
  enum FileState: Sendable, Equatable {
    case missing
    case saved(FileVersion)
    case open([UInt8])
  }

  let id: String
  let version: FileVersion
  let surroundings: Surroundings
  /// The revision of the history where the file reads it; `nil` for one that does not.
  let history: UInt64?
}
