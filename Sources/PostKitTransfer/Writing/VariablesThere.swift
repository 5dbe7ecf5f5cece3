// What the environments of a target have already: a name that means something there is given to no
// new credential.

import PostKitJSON
import PostKitText

/// The variables of environments by their names, with their texts.
struct VariablesThere: Sendable, Hashable {
  /// The text that a name has in all environments; `nil` where it differs, or is not known.
  private var texts: [String: String?] = [:]

  /// Whether there is none.
  var isEmpty: Bool { texts.isEmpty }

  /// Adds a variable; the text is `nil` where it is not known.
  mutating func add(_ name: String, _ text: String?) {
    guard let known = texts[name] else { return texts[name] = .some(text) }
    if let known, let text, known.equalsInBytes(text) { return }
    texts[name] = .some(nil)
  }

  /// Adds the variables of an environment file.
  mutating func add(_ file: [UInt8]) {
    let text = Array(file.dropFirst(file.byteOrderMarkLength))
    // What is no JSON is told by the merge, and nothing is written then.
    let tree = try? JSONTree(parsing: text, options: JSONParsingOptions(allowsComments: true))
    for environment in FolderManifest.members(tree?.root.value) {
      for member in FolderManifest.members(environment.value) {
        add(member.key, member.value.string)
      }
    }
  }

  /// Whether a name has another value there than a credential's text.
  func isOther(_ name: String, than text: String) -> Bool {
    guard let there = texts[name] else { return false }
    return there?.equalsInBytes(text) != true
  }

  /// Whether one of the names that requests use for their credentials is there.
  func has(_ credentials: [String: [String: String]]) -> Bool {
    !isEmpty && credentials.values.contains { $0.values.contains { texts[$0] != nil } }
  }
}
