// The names that scripts see, found by path; the table itself is generated.

import PostKitSyntax

/// All names of the table `protocol/script-api.json`.
package enum ScriptAPI {
  /// The entries by their paths.
  package static let byPath: [String: ScriptEntry] = Dictionary(
    entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })

  /// The names at the top: objects, functions and properties of the global object.
  package static let globals: [ScriptEntry] = entries.filter { entry in
    !entry.path.contains(".") && !types.contains(entry.path)
  }

  /// Their names, looked for among the words of scripts.
  static let roots = ScriptWords(Set(globals.map(\.path)))

  /// The entries below each path.
  private static let below: [Substring: [ScriptEntry]] = Dictionary(
    grouping: entries.filter { $0.path.contains(".") },
    by: { $0.path.prefix(upTo: $0.path.lastIndex(of: ".") ?? $0.path.endIndex) })

  /// The entry of a name at the top.
  static func global(_ name: String) -> ScriptEntry? {
    types.contains(name) ? nil : byPath[name]
  }

  /// The entry of a chain of names as a script writes it, such as `client.variables.global.get`.
  package static func entry(_ path: some StringProtocol) -> ScriptEntry? {
    let names = path.split(separator: ".")
    guard let first = names.first, var entry = global(String(first)) else { return nil }
    for name in names.dropFirst() {
      guard let next = member(String(name), of: entry) else { return nil }
      entry = next
    }
    return entry
  }

  /// The same, found by the names of the members.
  private static let named = below.mapValues { entries in
    // What is called itself is no member.
    Dictionary(
      entries.filter { $0.name != "()" }.map { (String($0.name), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The member of an entry that has a name.
  static func member(_ name: String, of entry: ScriptEntry) -> ScriptEntry? {
    named[entry.path[...]]?[name]
      ?? entry.type.flatMap { types.contains($0) ? named[$0[...]]?[name] : nil }
  }

  /// The members of an entry: its own and those of its type, without what is called itself.
  package static func members(of entry: ScriptEntry) -> [ScriptEntry] {
    let own = below[entry.path[...]] ?? []
    let type = entry.type.map { $0.hasPrefix("typeof ") ? $0.dropFirst(7) : $0[...] }
    let inherited = type.flatMap { below[$0] } ?? []
    return (own + inherited).filter { $0.name != "()" }
  }
}
