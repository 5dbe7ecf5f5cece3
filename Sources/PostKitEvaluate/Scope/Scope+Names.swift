// The names of a scope for those who choose among them first and look only the chosen ones up:
// there may be thousands.

import PostKitHTTP
import PostKitSyntax
import PostKitText

extension Scope {
  /// The names that can have a value, in groups of one kind of source each; a name may be in
  /// several.
  package var nameGroups: [[String]] {
    givenNames + writtenNames(\.definitions.keys) + [Array(environments.definitions.keys)]
  }

  /// The names that have values in this run alone.
  private var givenNames: [[String]] {
    [
      Array(loop.keys), Array(overrides.keys), Array(prompted.keys), Array(afterResponse.keys),
      Array(globals.keys), scripted.names(in: file),
    ]
  }

  /// Some names of each file whose names can be used, the nearest first.
  func writtenNames(_ keys: (NameIndex) -> some Sequence<String>) -> [[String]] {
    ([file] + files.files[file].visible).map { Array(keys(files.files[$0].content.names)) }
  }

  /// The definitions at an offset whose value begins with one of some texts and is no secret, by
  /// name.
  package func definitions(at offset: Int, beginningWith starts: [String]) -> [VariableDefinition] {
    var names: Set<String> = []
    for index in [file] + files.files[file].visible {
      let content = files.files[index].content
      for (name, places) in content.names.definitions {
        let begins = places.contains { place in
          let block = content.blocks[place.block]
          let value = block.slice(block.variables[place.index].value)
          return starts.contains { value.starts(with: $0.utf8) }
        }
        if begins { names.insert(name) }
      }
    }
    func begins(_ definition: VariableDefinition) -> Bool {
      !definition.isSecret && starts.contains(where: definition.value.substitutionText.hasPrefix)
    }
    for (name, definition) in environments.definitions where begins(definition) {
      names.insert(name)
    }
    names.formUnion(givenNames.joined())
    return names.sorted().compactMap { lookup($0, at: offset) }.filter(begins)
  }

  /// The name that can be used at an offset and that another one was probably meant to be.
  package func nameResembling(_ name: String, at offset: Int) -> String? {
    let groups = writtenNames(\.firstDefined) + givenNames + [environments.firstDefined]
    let names = FirstNames.pick(groups.joined())
    return Suggestion.nearest(to: name, among: names) { lookup($0, at: offset) != nil }
  }

  /// The name for which an identifier of scripts stands at an offset: `who-am-i` for `whoAmI`.
  package func nameFolded(to identifier: String, at offset: Int) -> String? {
    guard identifier.utf8.contains(where: { (65...90).contains($0) }) else { return nil }
    return Set(nameGroups.joined()).sorted().first {
      $0 != identifier && ScriptVariableName.folded($0) == identifier
        && lookup($0, at: offset) != nil
    }
  }

  /// The globals that are known at an offset, by name.
  package func globalDefinitions(at offset: Int) -> [VariableDefinition] {
    Set(writtenNames(\.globals.keys).joined()).union(globals.keys).sorted()
      .compactMap { global($0, at: offset) }
  }

  /// The script that sets a name, in words that begin a sentence; `nil` where none does.
  package func scriptSetting(_ name: String) -> String? {
    script { $0.blocks[name] }
  }

  /// The script that sets a variable whose name it puts together, in the same words.
  package var scriptSettingAnyName: String? { script(\.openBlock) }

  /// The first script whose block is found in the file or in one that is seen from it.
  private func script(_ find: (ScriptVariables) -> Int?) -> String? {
    for index in [file] + files.files[file].visible {
      let content = files.files[index].content
      guard let place = find(content.document.scriptVariables) else { continue }
      let block = content.blocks[place]
      if let request = block.name ?? block.title { return "The script of `\(request)`" }
      return index == 0 ? "A script of this file" : "A script of `\(files.files[index].path)`"
    }
    return nil
  }

  /// What tells a definition from all others of a run, and is the same after the file that it
  /// stands in was laid out: its name, where it comes from, and which one of that name it is.
  func stream(of definition: VariableDefinition) -> String {
    let origin = definition.origin
    var words = [definition.name, "\(origin.layer.rawValue)", origin.environment ?? ""]
    if origin.layer == .file || origin.layer == .importedFile {
      let content = files.files[definition.file ?? file].content
      let number = (content.names.definitions[definition.name] ?? []).firstIndex { place in
        let block = content.blocks[place.block]
        return block.absolute(block.variables[place.index].value) == origin.range
      }
      words.append("\(definition.file ?? 0) \(number ?? 0)")
    }
    return words.joined(separator: " ")
  }
}

extension EvaluationContext {
  /// The names that `$dotenv` knows, each once; not their values.
  package var dotEnvNames: [String] {
    var seen: Set<String> = []
    return dotEnvFiles.flatMap { EnvironmentSource.dotEnvNames(in: $0.bytes) }
      .filter { seen.insert($0).inserted }
  }
}

extension EnvironmentSource {
  /// The names that a dotenv file defines, in its order.
  package static func dotEnvNames(in bytes: [UInt8]) -> [String] {
    DotEnv.entries(bytes).map(\.key)
  }
}
