// Renaming: the edits that give a name another spelling and change nothing else, or why there are
// none.

import PostKitEvaluate
package import PostKitText

/// Why something can't be renamed, and what to do instead.
package struct RenameRefusal: Error, Sendable, Hashable {
  package let message: String

  /// Words a refusal.
  init(_ message: String) { self.message = message }
}

/// The edits of one file.
package struct RenamedFile: Sendable {
  package let file: FileNames
  /// In the order of the text; none overlap.
  package let edits: [TextEdit]

  /// Puts edits together.
  package init(file: FileNames, edits: [TextEdit]) {
    self.file = file
    self.edits = edits
  }

  /// Whether it is one that a person should look at before it is changed: it holds what is private,
  /// or other programs read it, too.
  package var needsConfirmation: Bool {
    guard case .environment(let kind) = file.kind else { return false }
    return kind == .privateFile || kind == .userFile || kind.isDotEnv || file.isShared
  }
}

extension ProjectIndex {
  /// The name that would be renamed at an offset, with its place.
  package func renameable(
    in path: String, at offset: Int
  ) throws(RenameRefusal) -> (range: Range<Int>, name: String) {
    let (meaning, occurrence) = try target(in: path, at: offset)
    switch meaning {
    case .file(let path):
      throw RenameRefusal(
        "Rename the file `\(path)` in your editor; PostKit then changes the paths to it.")
    case .member(_, let members): return (occurrence.range, members.last ?? "")
    case .client(let name): return (occurrence.range, name)
    case .requests(let places):
      guard !places.isEmpty else {
        throw RenameRefusal(
          "No request is called `\(occurrence.name)`. Name one so, or correct the name here.")
      }
      return (occurrence.range, occurrence.name)
    case .variable(let name):
      guard name != occurrence.name else { return (occurrence.range, name) }
      let end = occurrence.range.lowerBound + name.utf8.count
      return (occurrence.range.lowerBound..<end, name)
    }
  }

  /// The edits that rename what stands at an offset. `kept` are the globals that requests of
  /// earlier runs have left behind, which no file says.
  package func rename(
    in path: String, at offset: Int, to newName: String, kept: Set<String>
  ) throws(RenameRefusal) -> [RenamedFile] {
    let files = try edits(in: path, at: offset, to: newName, kept: kept)
    for file in files where TextEdit.sorted(file.edits) == nil {
      throw RenameRefusal(
        "Two changes of \(shortName(file.file)) would overlap, so nothing is renamed. Rename by "
          + "hand.")
    }
    return files
  }

  private func edits(
    in path: String, at offset: Int, to newName: String, kept: Set<String>
  ) throws(RenameRefusal) -> [RenamedFile] {
    _ = try renameable(in: path, at: offset)
    let (meaning, occurrence) = try target(in: path, at: offset)
    if let gap {
      throw RenameRefusal("PostKit has not read all files, so it renames nothing. \(gap)")
    }
    let uses = uses(of: meaning, from: occurrence, in: path)
    switch meaning {
    case .file: return []
    case .client(let name):
      return try ClientRenaming(name: name, newName: newName, uses: uses).edits()
    case .variable(let name):
      let renaming = VariableRenaming(index: self, name: name, newName: newName, uses: uses)
      return try renaming.edits(kept: kept)
    case .member(let name, let members):
      guard let start = uses.first?.occurrences.first(where: { $0.name == name }) else { return [] }
      let whole = wholeUses(of: name, near: start, in: uses[0].file.path)
      return try MemberRenaming(
        index: self, name: name, members: members, newName: newName, uses: uses, whole: whole
      ).edits()
    case .requests(let places):
      return try RequestRenaming(
        index: self, places: places, newName: newName, uses: uses, caret: occurrence
      ).edits()
    }
  }

  private func target(
    in path: String, at offset: Int
  ) throws(RenameRefusal) -> (meaning: Meaning, occurrence: NameOccurrence) {
    if let found = meaning(in: path, at: offset) { return found }
    if let name = dynamicName(in: path, at: offset) {
      throw RenameRefusal(
        "`$\(name)` is a dynamic variable, whose name is fixed. Define a variable with its value "
          + "to have a name of your own: `@name = {{$\(name)}}`.")
    }
    throw RenameRefusal(
      "There is no name here that can be changed. Place the caret on a variable, a key of an "
        + "environment, or the name of a request.")
  }

  /// The dynamic variable around an offset.
  private func dynamicName(in path: String, at offset: Int) -> String? {
    guard let bytes = files[path]?.bytes, offset <= bytes.count else { return nil }
    var start = offset
    while start > 1, bytes[start - 1] != 0x0A,
      bytes[start - 1] != UInt8(ascii: "{") || bytes[start - 2] != UInt8(ascii: "{")
    {
      start -= 1
    }
    let inside = bytes[start...].drop { $0 == 32 || $0 == UInt8(ascii: "%") }
    guard start > 1, inside.first == UInt8(ascii: "$") else { return nil }
    let name = inside.dropFirst().prefix { byte in
      (65...90).contains(byte & 0xDF) || (48...57).contains(byte)
    }
    return name.isEmpty || offset > name.endIndex ? nil : String(decoding: name, as: UTF8.self)
  }

  // MARK: - What all renamings ask

  /// The groups in which a change of some places can be seen.
  func groups(touchedBy uses: [FileUses]) -> Set<Int> {
    var result: Set<Int> = []
    let isGlobal = uses.contains { $0.occurrences.contains { $0.role.isOfGlobal } }
    if isGlobal { return Set(groups.indices) }
    for use in uses {
      if let group = groupOfFile[use.file.path] {
        result.insert(group)
      } else {
        result.formUnion(groups.indices.filter { sees($0, use.file) })
      }
    }
    return result
  }

  /// The files in which a change of some places can be seen.
  func files(touchedBy uses: [FileUses]) -> [FileNames] {
    let groups = groups(touchedBy: uses)
    var paths = Set(groups.flatMap { self.groups[$0] })
    paths.formUnion(uses.map(\.file.path))
    for environment in environments where groups.contains(where: { sees($0, environment) }) {
      paths.insert(environment.path)
    }
    return paths.sorted().compactMap { files[$0] }
  }

  /// Refuses where something is read whose names can't be known.
  func requireKnown(_ files: [FileNames]) throws(RenameRefusal) {
    for file in files {
      let open = file.occurrences {
        $0.role == .openPath || file.substitutes && $0.role == .openIncludePath
      }
      if let path = open.first {
        throw RenameRefusal(
          "\(place(path, in: file)) names a file by the path `\(path.name)`, which "
            + "depends on the environment. PostKit can't find all uses; rename by hand.")
      }
      if let path = file.links.first(where: { unread.contains($0) }) {
        let use = file.scripts.contains(path) ? "is run" : "is sent with its references resolved"
        throw RenameRefusal(
          "PostKit can't search `\(path)`, which \(use): it lies outside of the workspace or is "
            + "too large. Rename by hand.")
      }
      if let open = file.occurrences(where: { $0.role == .openName }).first {
        throw RenameRefusal(
          "The script at \(place(open, in: file)) builds the name of a variable, which can be any. "
            + "Rename by hand.")
      }
    }
  }

  /// Refuses where a script may read a variable by its bare name, which can be another thing.
  func requireNoWords(_ names: [String], in files: [FileNames]) throws(RenameRefusal) {
    for file in files where names.contains(where: { file.mayHold($0) }) {
      let word = file.occurrences { $0.role == .scriptWord && names.contains($0.name) }.first
      guard let word else { continue }
      throw RenameRefusal(
        "The script at \(place(word, in: file)) has the word `\(word.name)`, which may be this "
          + "variable or something of its own. Rename by hand.")
    }
  }

  /// Refuses where a reference stands in an object or a list that is used as a whole: there its
  /// braces are sent as they are written.
  func requireNoLiterals(_ uses: [FileUses], in files: [FileNames]) throws(RenameRefusal) {
    for use in uses {
      for occurrence in use.occurrences where occurrence.depth > 0 {
        guard let owner = occurrence.owner else { continue }
        for file in files where file.mayHold(owner) {
          let whole = file.occurrences {
            $0.name == owner && !$0.isDefinition && $0.isOfVariable
              && !$0.leadsThrough(occurrence.depth)
          }.first
          guard let whole else { continue }
          throw RenameRefusal(
            "`{{\(whole.name)\(whole.rest)}}` at \(place(whole, in: file)) sends the text at "
              + "\(place(occurrence, in: use.file)) with its braces. Rename by hand.")
        }
      }
    }
  }

  /// `file:line`, as people write it.
  func place(_ occurrence: NameOccurrence, in file: FileNames) -> String {
    let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
    return "\(name):\(file.lines.line(at: occurrence.range.lowerBound) + 1)"
  }
}

/// What a name of a variable may be.
enum VariableName {
  /// Why a text can't be one; `nil` where it can.
  static func mistake(_ name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      (65...90).contains(byte & 0xDF) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "-")
    }
    let first = name.utf8.first ?? 0
    guard isPlain, (65...90).contains(first & 0xDF) || first == UInt8(ascii: "_") else {
      return "`\(name)` can't be the name of a variable. Use letters, digits, `_` and `-`, "
        + "beginning with a letter or `_`."
    }
    if hasMeaning(name) { return "`\(name)` has a meaning of its own. Use another name." }
    return nil
  }

  /// Whether a name means something wherever it is defined.
  static func hasMeaning(_ name: String) -> Bool {
    EnvironmentSet.isReserved(name) || RequestSettings.isSetting(name)
      || ["true", "false", "null", "response", "request"].contains(name)
  }
}
