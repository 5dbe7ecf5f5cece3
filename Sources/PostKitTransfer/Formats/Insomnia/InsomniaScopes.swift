// Variables of Insomnia's folders that say something of those around them: a text that names
// itself means the outer one, and an object is merged with it. Neither can be said under one name
// here, so the inner one gets its own.

import PostKitJSON

/// Gives names of their own to variables of folders that build on outer ones.
struct InsomniaScopes {
  /// The environments around the folders; merged objects are added to them.
  private(set) var collection: OriginCollection
  private var taken: Set<String> = []

  /// What holds where a folder stands.
  private struct Scope {
    /// The values that folders around it give.
    var values: [String: OriginValue] = [:]
    /// The names that others stand for.
    var renamed: [String: String] = [:]
  }

  /// Settles the variables of all folders of a collection.
  init(_ collection: OriginCollection) {
    self.collection = collection
    let variables = collection.shared + collection.environments.flatMap(\.variables)
    taken = Set(variables.map(\.name))
    note(collection.root)
    var root = collection.root
    settle(&root, Scope())
    self.collection.root = root
  }

  private mutating func note(_ folder: OriginFolder) {
    taken.formUnion(folder.variables.map(\.name))
    for child in folder.folders { note(child) }
  }

  private mutating func settle(_ folder: inout OriginFolder, _ outer: Scope) {
    var scope = outer
    for variable in folder.variables where variable.isOn {
      let name = variable.name
      guard buildsOnOuter(variable, outer) else {
        scope.renamed[name] = nil
        continue
      }
      scope.renamed[name] = unused("\(DefinitionPlan.word(folder.name))_\(name)")
    }
    let children = folder.folders
    let variables = folder.variables
    (folder.folders, folder.variables) = ([], [])
    folder = folder.renaming(scope.renamed)
    for variable in variables {
      var names = scope.renamed
      names[variable.name] = outer.renamed[variable.name]
      var new = variable.renaming(names)
      new.name = variable.isOn ? scope.renamed[variable.name] ?? variable.name : variable.name
      if variable.isOn, let value = new.value, isMerged(value, variable.name, outer) {
        addMerged(new, over: outer.renamed[variable.name] ?? variable.name, &scope)
      } else {
        if variable.isOn { scope.values[new.name] = new.value }
        folder.variables.append(new)
      }
    }
    for child in children {
      var child = child
      settle(&child, scope)
      folder.folders.append(child)
    }
  }

  /// Whether a variable needs the outer one of its name.
  private func buildsOnOuter(_ variable: OriginVariable, _ outer: Scope) -> Bool {
    guard let value = variable.value else { return false }
    var names: Set<String> = []
    TemplateNames.collect(value.text, into: &names)
    return names.contains(variable.name) || isMerged(value, variable.name, outer)
  }

  /// Whether a value is an object that an outer one of its name is merged with.
  private func isMerged(_ value: OriginValue, _ name: String, _ outer: Scope) -> Bool {
    guard value.isObject else { return false }
    let name = outer.renamed[name] ?? name
    if let known = outer.values[name] { return known.isObject }
    return (collection.shared + collection.environments.flatMap(\.variables)).contains {
      $0.name == name && $0.isOn && $0.value?.isObject == true
    }
  }

  /// Adds an object to the environments, merged with what each of them has.
  private mutating func addMerged(
    _ variable: OriginVariable, over name: String, _ scope: inout Scope
  ) {
    guard let value = variable.value else { return }
    func last(_ variables: [OriginVariable]) -> OriginVariable? {
      variables.last { $0.name == name && $0.isOn }
    }
    func merged(_ old: OriginVariable?) -> OriginVariable {
      var new = variable
      new.isSecret = new.isSecret || old?.isSecret == true
      new.value = old?.value.map { InsomniaReader.merged(value, over: $0, name) } ?? value
      return new
    }
    if let known = scope.values[name] {
      var old = variable
      old.value = known
      collection.shared.append(merged(old))
      return
    }
    collection.shared.append(merged(last(collection.shared)))
    for index in collection.environments.indices {
      guard let old = last(collection.environments[index].variables) else { continue }
      collection.environments[index].variables.append(merged(old))
    }
  }

  private mutating func unused(_ name: String) -> String {
    var (candidate, number) = (name, 2)
    while !taken.insert(candidate).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }
}

extension OriginValue {
  /// Whether it is an object.
  fileprivate var isObject: Bool {
    if case .json(let json) = self { json.text.utf8.first == UInt8(ascii: "{") } else { false }
  }
}
