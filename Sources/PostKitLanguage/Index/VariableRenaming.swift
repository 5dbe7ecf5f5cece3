// Renaming variables, and members of objects in environments.

import PostKitEvaluate
import PostKitText

/// Gives a variable another name.
struct VariableRenaming {
  let index: ProjectIndex
  let name: String
  let newName: String
  let uses: [FileUses]

  /// The edits of all files.
  func edits(kept: Set<String>) throws(RenameRefusal) -> [RenamedFile] {
    guard uses.contains(where: { $0.occurrences.contains(where: \.isDefinition) }) else {
      throw RenameRefusal(
        "No file of the workspace defines `\(name)`. Save the files that define it, or rename it "
          + "by hand.")
    }
    if name == newName { return [] }
    if VariableName.hasMeaning(name) {
      throw RenameRefusal("PostKit gives `\(name)` a meaning that no other name has.")
    }
    if let mistake = VariableName.mistake(newName) { throw RenameRefusal(mistake) }
    for name in [name, newName] where kept.contains(name) {
      throw RenameRefusal(
        "The global `\(name)` of an earlier run overrides what files define. Forget it with "
          + "`postkit session forget global:\(name)`, then rename.")
    }
    try requireSameMasks()
    let touched = index.files(touchedBy: uses)
    try index.requireKnown(touched)
    try index.requireNoLiterals(uses, in: touched)
    try index.requireNoWords([name, newName], in: touched)
    for file in touched { try requireUndefined(in: file) }
    for file in touched { try requireFree(in: file) }
    return uses.map { use in
      RenamedFile(file: use.file, edits: use.occurrences.map { TextEdit($0.range, newName) })
    }
  }

  /// What is masked because of its name must go on being masked.
  private func requireSameMasks() throws(RenameRefusal) {
    let roles = Set(uses.flatMap { $0.occurrences.map(\.role) })
    let isHidden = { (name: String) in ["password", "passwd", "pass"].contains(name.lowercased()) }
    let losesMask =
      roles.contains(.dotEnvKey) && VariableDefinition.nameIsSecret(name)
      && !VariableDefinition.nameIsSecret(newName)
      || roles.contains(.prompt) && isHidden(name) && !isHidden(newName)
    if losesMask {
      throw RenameRefusal(
        "PostKit masks the value of `\(name)` because of its name, and would show that of "
          + "`\(newName)`. Use a name with `token`, `secret`, `password` or `key` in it"
          + (roles.contains(.prompt) ? ", for a prompt `password`." : "."))
    }
  }

  /// Refuses where the new name has a meaning already.
  private func requireUndefined(in file: FileNames) throws(RenameRefusal) {
    let taken = file.occurrences {
      $0.isDefinition && $0.isOfVariable && $0.path.isEmpty
        && ($0.name == newName || $0.name.hasPrefix(newName + "."))
    }.first
    if let taken {
      throw RenameRefusal(
        "`\(taken.name)` is defined at \(index.place(taken, in: file)) already. Choose a name that "
          + "is free.")
    }
    if file.block(named: newName) != nil {
      throw RenameRefusal(
        "A request of \(index.shortName(file)) is called `\(newName)` already. Choose a name that "
          + "is free.")
    }
  }

  /// Refuses where the new name would get a meaning, or the old one has two.
  private func requireFree(in file: FileNames) throws(RenameRefusal) {
    if let use = file.occurrences(where: { $0.isOfVariable && $0.name == newName }).first {
      throw RenameRefusal(
        "`\(newName)` is used at \(index.place(use, in: file)) already. Choose a name that is "
          + "free.")
    }
    let first = name.split(separator: ".").first.map(String.init) ?? name
    for use in file.occurrences(where: { $0.name == first && !$0.rest.isEmpty }) {
      let whole = use.name + use.rest
      let isTwofold =
        index.definesVariable(use.name, seenIn: file)
        && (index.definesVariable(whole, seenIn: file)
          || !index.requests(of: use, in: file).isEmpty)
      if isTwofold {
        throw RenameRefusal(
          "`{{\(whole)}}` at \(index.place(use, in: file)) can mean a member of the variable "
            + "`\(use.name)` or something else of that name. Rename by hand.")
      }
    }
  }
}

/// Gives a member of an object in environments another name.
struct MemberRenaming {
  let index: ProjectIndex
  let name: String
  let members: [String]
  let newName: String
  let uses: [FileUses]
  /// All places that name the variable.
  let whole: [FileUses]

  private var path: String { ([name] + members).joined(separator: ".") }

  /// The edits of all files.
  func edits() throws(RenameRefusal) -> [RenamedFile] {
    if members.last == newName { return [] }
    if let mistake = VariableName.mistake(newName) { throw RenameRefusal(mistake) }
    guard uses.contains(where: { $0.occurrences.contains(where: \.isDefinition) }) else {
      throw RenameRefusal(
        "No environment of the workspace has the key `\(path)`. Rename it by hand.")
    }
    let touched = index.files(touchedBy: whole)
    try index.requireKnown(touched)
    try index.requireNoWords([name], in: touched)
    for use in whole {
      for occurrence in use.occurrences { try requirePlain(occurrence, in: use.file) }
    }
    let siblings = Array(members.dropLast()) + [newName]
    for file in touched {
      let taken = file.occurrences {
        $0.role == .environmentKey && $0.name == name && $0.path == siblings
          || $0.isDefinition && $0.isOfVariable
            && $0.name == ([name] + siblings).joined(separator: ".")
      }.first
      if let taken {
        throw RenameRefusal(
          "The same object has a key `\(newName)` at \(index.place(taken, in: file)). Choose a "
            + "name that is free.")
      }
    }
    return uses.map { use in
      RenamedFile(file: use.file, edits: use.occurrences.map { TextEdit($0.range, newName) })
    }
  }

  /// Refuses where the object is used in a way that shows its keys.
  private func requirePlain(
    _ occurrence: NameOccurrence, in file: FileNames
  ) throws(RenameRefusal) {
    if occurrence.isDefinition {
      if occurrence.role == .environmentKey { return }
      throw RenameRefusal(
        "`\(name)` is defined at \(index.place(occurrence, in: file)), too, and not as an object "
          + "with keys. Rename by hand.")
    }
    let segments = occurrence.segments.map(\.name)
    let common = zip(segments, members).prefix { $0 == $1 }.count
    if common == members.count { return }
    let rest = occurrence.rest.utf8.count - segments.reduce(0) { $0 + $1.utf8.count + 1 }
    if common < segments.count { return }
    let way = rest == 0 ? "as a whole" : "by a path that may name any key"
    throw RenameRefusal(
      "`{{\(occurrence.name)\(occurrence.rest)}}` at \(index.place(occurrence, in: file)) uses the "
        + "object \(way), so another key changes what is sent. Rename by hand.")
  }
}

extension ProjectIndex {
  /// The name of a file without its folders.
  func shortName(_ file: FileNames) -> String {
    file.path.split(separator: "/").last.map(String.init) ?? file.path
  }

  /// All places that name a variable, found from one that names it or one of its members.
  func wholeUses(of name: String, near occurrence: NameOccurrence, in path: String) -> [FileUses] {
    let start = files[path]?.occurrences {
      $0.name == name && $0.path.isEmpty && $0.isOfVariable
        && $0.range.lowerBound <= occurrence.range.lowerBound
    }.last
    guard let start else { return [] }
    return uses(of: .variable(name), from: start, in: path)
  }
}
