// A variable with its provenance: what it is and where it comes from.

import PostKitHTTP
package import PostKitJSON
import PostKitText

/// Where a value comes from, for hovers, completion and `env --json`.
package struct VariableOrigin: Sendable, Hashable {
  /// The layers of PK-60, the highest first.
  package enum Layer: String, Sendable, Hashable {
    case override = "command line"
    case prompt = "prompt"
    case loop = "loop"
    case script = "script"
    case global = "globals"
    case response = "after a response"
    case file = "file"
    case importedFile = "imported file"
    case collection = "collection"
    case privateEnvironment = "private environment"
    case userEnvironment = "user environment"
    case publicEnvironment = "environment"
    case editorSettings = "editor settings"
    case shared = "shared"
    case dotEnv = "dotenv"
    case process = "process environment"
  }
  package var layer: Layer
  /// The path of the file, empty where no file holds it; the request file itself is empty, too.
  package var path = ""
  /// The bytes of the value in that file.
  package var range = 0..<0
  /// The line of the value in that file, counted from 1; 0 where no file holds it.
  package var line = 0
  /// The environment's name; `nil` for layers without one.
  package var environment: String?

  /// Stands in `path` before that of a collection or folder which gives something to its requests.
  package static let defaultsFolder = "postkit:/defaults/"

  /// The path of the collection or folder that gives it to its requests; `nil` for anything else.
  package var defaultsOwner: String? {
    guard layer == .collection, path.hasPrefix(VariableOrigin.defaultsFolder) else { return nil }
    return String(path.dropFirst(VariableOrigin.defaultsFolder.count))
  }
}

/// A variable as one layer defines it.
package struct VariableDefinition: Sendable, Hashable {
  package var name: String
  /// The value as written; references in strings are not resolved.
  package var value: JSONValue
  package var origin: VariableOrigin
  /// Whether the value must never be shown (CONTRACTS.md, section 5).
  package var isSecret = false
  /// Whether references in it are evaluated anew at each use (`:=`, PK-35).
  package var isLazy = false
  /// Whether the value is the path of a file whose content is meant.
  package var isFile = false
  /// The file that holds it, among those of the scope, where names are looked up in another one.
  package var file: Int?
  /// Whether braces in the value are no references: it came with an answer, whose server must not
  /// read what only the user's files may.
  package var isLiteral = false
  /// Where its references are looked up, where that is not the place of its use (PK-96).
  package var fixedAt: Int?

  /// The texts that must be masked where the value is a secret.
  package var secretTexts: [String] { value.leaves }

  /// The value as written, for displays.
  package var shownText: String { value.substitutionText.shown }

  /// Whether a process or dotenv name is that of a secret (CONTRACTS.md, section 5).
  package static func nameIsSecret(_ name: String) -> Bool {
    let folded = Array(name.lowercased().utf8)[...]
    return secretWords.contains { folded.holds($0) }
  }

  private static let secretWords: [StaticString] = ["token", "secret", "password", "key"]

  /// Whether a default of a collection or folder, a header or a variable, is named like a secret:
  /// headers that carry credentials are, too.
  package static func defaultIsSecret(_ name: String) -> Bool {
    nameIsSecret(name)
      || ["authorization", "proxy-authorization", "cookie"].contains(name.lowercased())
  }
}

extension JSONValue {
  /// The text that a value stands for: strings raw, `null` literally, the rest as compact JSON
  /// (PK-57).
  package var substitutionText: String {
    if case .string(let text) = self { text } else { text }
  }

  /// The texts of all strings and numbers in the value.
  var leaves: [String] {
    switch self {
    case .string(let text): [text]
    case .number(let digits): [digits]
    case .array(let elements): elements.flatMap(\.leaves)
    case .object(let members): members.flatMap(\.value.leaves)
    case .null, .bool: []
    }
  }
}
