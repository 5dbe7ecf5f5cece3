// Renaming requests.

import PostKitSyntax
import PostKitText

/// Gives a request another name.
struct RequestRenaming {
  let index: ProjectIndex
  let places: [ProjectIndex.Place]
  let newName: String
  let uses: [FileUses]
  /// Where the caret is.
  let caret: NameOccurrence

  /// The name as references write it: blanks don't count there.
  private var referenceName: String { newName.filter { !$0.isWhitespace } }

  /// The edits of all files.
  func edits() throws(RenameRefusal) -> [RenamedFile] {
    guard places.count == 1, let file = index.files[places[0].path] else {
      let names = places.map { place in index.files[place.path].map(index.shortName) ?? place.path }
      throw RenameRefusal(
        "`\(caret.name)` may mean a request of \(names.joined(separator: " or of ")). Rename it "
          + "where it is defined.")
    }
    let own = file.occurrences(inBlock: places[0].block)
    let tag = own.first { $0.role == .requestName }
    guard let definition = tag ?? own.first(where: { $0.role == .requestTitle }) else { return [] }
    if caret.role == .requestTitle, tag != nil {
      throw RenameRefusal(
        "`# @name` names the request, not this title, which you can change freely. Place the "
          + "caret on that name.")
    }
    if definition.name == newName { return [] }
    try requireName()
    let touched = index.files(touchedBy: [FileUses(file: file, occurrences: [definition])])
    try index.requireKnown(touched)
    for other in touched { try requireFree(in: other, but: places[0]) }
    try index.requireNoLiterals(uses, in: touched)
    return try uses.map { use throws(RenameRefusal) in
      var edits: [TextEdit] = []
      for occurrence in use.occurrences {
        let isOther =
          occurrence.isDefinition && (use.file.path != file.path || occurrence != definition)
        if !isOther { edits.append(try edit(occurrence, in: use.file)) }
      }
      return RenamedFile(file: use.file, edits: edits)
    }.filter { !$0.edits.isEmpty }
  }

  private func requireName() throws(RenameRefusal) {
    let bytes = Array(newName.utf8)
    let isName =
      newName.contains { $0.isLetter || $0.isNumber } && bytes.allSatisfy { $0 >= 32 }
      && bytes.first != 32 && bytes.last != 32 && bytes.first != UInt8(ascii: "#")
      && !newName.contains("{{")
    if !isName {
      throw RenameRefusal(
        "`\(newName)` can't be the name of a request. Use one line with a letter or a digit in it, "
          + "without `{{`, blanks around it or `#` before it.")
    }
  }

  /// Refuses where something else is called so, or is looked for by that name.
  private func requireFree(in file: FileNames, but own: ProjectIndex.Place) throws(RenameRefusal) {
    let folded = ParsedDocument.foldedName(newName)
    if let call = file.occurrences(where: { $0.role == .requestCall && $0.name.contains("{{") })
      .first
    {
      throw RenameRefusal(
        "\(index.place(call, in: file)) names a request by `\(call.name)`, which can mean any. "
          + "Rename by hand.")
    }
    try requireOneMeaning(in: file, own)
    let taken = file.occurrences { occurrence in
      if occurrence.isOfVariable, occurrence.isDefinition, occurrence.path.isEmpty {
        return occurrence.name == referenceName
      }
      return occurrence.requestNames.contains { ParsedDocument.foldedName($0) == folded }
    }.first { occurrence in
      let block = file.block(at: occurrence.range.lowerBound) ?? -1
      let isOwn = ProjectIndex.Place(path: file.path, block: block) == own
      // Another spelling of the same name is no clash.
      return !(isOwn && occurrence.isDefinition)
        && !uses.contains { $0.file.path == file.path && $0.occurrences.contains(occurrence) }
    }
    if let taken {
      throw RenameRefusal(
        "`\(taken.name)` is \(taken.isDefinition ? "defined" : "used") at "
          + "\(index.place(taken, in: file)) already. Choose a name that is free.")
    }
  }

  /// Refuses where a reference reads the request in one environment and a variable in another.
  private func requireOneMeaning(
    in file: FileNames, _ own: ProjectIndex.Place
  ) throws(RenameRefusal) {
    let twofold = file.occurrences { $0.role == .reference && !$0.requestNames.isEmpty }.first {
      index.definesVariable($0.name, seenIn: file) && index.requests(of: $0, in: file).contains(own)
    }
    if let twofold {
      throw RenameRefusal(
        "`{{\(twofold.name)\(twofold.rest)}}` at \(index.place(twofold, in: file)) can mean the "
          + "request or a variable of that name. Rename by hand.")
    }
  }

  private func edit(
    _ occurrence: NameOccurrence, in file: FileNames
  ) throws(RenameRefusal) -> TextEdit {
    if case .requests(let found) = index.meaning(of: occurrence, in: file), found.count > 1 {
      throw RenameRefusal(
        "`\(occurrence.name)` at \(index.place(occurrence, in: file)) may mean requests of several "
          + "files. Rename by hand.")
    }
    if occurrence.role == .scriptCall, newName.contains(where: { "\"'`\\$".contains($0) }) {
      throw RenameRefusal(
        "The script at \(index.place(occurrence, in: file)) names the request in quotes. Use a "
          + "name without quotes, `\\` and `$`.")
    }
    guard occurrence.role == .reference || occurrence.role == .exchangeReference else {
      return TextEdit(occurrence.range, newName)
    }
    // `loginResponse`, `login0` and `loginList` are named after `login`.
    let base = occurrence.requestNames.first { !index.requests(named: $0, in: file).isEmpty }
    let suffix = occurrence.name.utf8.dropFirst(base?.utf8.count ?? occurrence.name.utf8.count)
    let name = referenceName
    guard VariableName.mistake(name) == nil,
      suffix.isEmpty || !(48...57).contains(name.utf8.last ?? 48)
    else {
      throw RenameRefusal(
        "`\(newName)` can't stand in `{{…}}`, where \(index.place(occurrence, in: file)) reads the "
          + "answer of the request. Use letters, digits, `_`, `-` and blanks, beginning with a "
          + "letter.")
    }
    return TextEdit(occurrence.range, name + (String(suffix) ?? ""))
  }
}
