// What the environments of a target have already: a name that means something there is given to no
// new credential.

import PostKitEvaluate
import PostKitJSON
import PostKitText

/// The variables of environments by their names, with their texts.
struct VariablesThere: Sendable, Hashable {
  /// The text that a name has in all environments; `nil` where it differs, or is not known.
  private var texts: [String: String?] = [:]

  /// The fields of the clients of OAuth 2 by their names, as JSON; several where files and
  /// environments differ.
  private var clients: [String: [String: Set<String>]] = [:]

  /// Whether there is none.
  var isEmpty: Bool { texts.isEmpty && clients.isEmpty }

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
        if member.key == EnvironmentSet.securityName {
          addClients(of: member.value)
        } else {
          add(member.key, member.value.string)
        }
      }
    }
  }

  /// Whether a name has another value there than a credential's text.
  func isOther(_ name: String, than text: String) -> Bool {
    guard let there = texts[name] else { return false }
    return there?.equalsInBytes(text) != true
  }

  private mutating func addClients(of security: JSONValue) {
    for client in FolderManifest.members(security["Auth"]) {
      for field in FolderManifest.members(client.value) where field.value != .string("") {
        clients[client.key, default: [:]][field.key, default: []].insert(field.value.text)
      }
    }
  }

  /// Whether a client of that name is there with a field that this one has not: what is kept of it
  /// there would be sent to where this one gets its tokens.
  func isOtherClient(_ name: String, than fields: [(name: String, json: String)]) -> Bool {
    (clients[name] ?? [:]).contains { field, values in
      values != Set(fields.filter { $0.name == field }.map(\.json))
    }
  }

  /// Whether one of the names that requests use for their credentials is there.
  func has(_ credentials: [String: [String: String]]) -> Bool {
    !isEmpty && credentials.values.contains { $0.values.contains { texts[$0] != nil } }
  }

  /// Whether one of the names that an import has made up is there.
  func has(_ names: Set<String>) -> Bool {
    names.contains { texts[$0] != nil || clients[$0] != nil }
  }
}
