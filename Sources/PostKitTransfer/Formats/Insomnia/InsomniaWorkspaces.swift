// Several workspaces of one export: each is a folder, and what they call alike and set differently
// gets a name in each.

/// Puts workspaces together.
struct InsomniaWorkspaces {
  private let notes: ImportNotes
  private var parts: [OriginCollection] = []
  /// Environments that lie around all workspaces.
  private var globals: [OriginCollection] = []

  /// Begins with none.
  init(_ notes: ImportNotes) { self.notes = notes }

  /// Takes a workspace with what belongs to it; `isGlobal` says that it holds for the others.
  mutating func add(_ part: OriginCollection, isGlobal: Bool) {
    if isGlobal { globals.append(part) } else { parts.append(part) }
  }

  /// Writes them into a collection: one is the collection itself, several are folders of it.
  func write(to result: inout OriginCollection) {
    var all = OriginCollection(format: result.format, root: result.root)
    for var part in parts {
      keepApart(&part, from: all)
      all.shared += part.shared
      for environment in part.environments { Self.add(environment, to: &all.environments) }
      all.attachments += part.attachments
      all.root.folders.append(part.root)
    }
    for part in globals.reversed() {
      all.shared = part.shared + all.shared
      for environment in part.environments { Self.add(environment, to: &all.environments) }
      all.attachments += part.attachments
      if part.root.requestCount > 0 || parts.isEmpty { all.root.folders.append(part.root) }
    }
    let workspaces = all.root.folders
    if workspaces.count == 1 {
      result.root = workspaces[0]
      result.root.auth = .none
    } else {
      result.root.folders = workspaces.filter { $0.requestCount > 0 }
    }
    result.shared = all.shared
    result.environments = all.environments
    result.attachments = all.attachments
  }

  /// Adds an environment: one of a name that is there belongs to another workspace and holds with
  /// it.
  private static func add(
    _ environment: OriginEnvironment, to environments: inout [OriginEnvironment]
  ) {
    if let index = environments.firstIndex(where: { $0.name == environment.name }) {
      environments[index].variables += environment.variables
    } else {
      environments.append(environment)
    }
  }

  /// Renames the variables of a workspace that mean something else in the ones before.
  private func keepApart(_ part: inout OriginCollection, from others: OriginCollection) {
    let (old, new) = (Self.values(others), Self.values(part))
    var taken = Set(old.keys).union(new.keys)
    var names: [String: String] = [:]
    for variable in part.shared + part.environments.flatMap(\.variables) {
      let name = variable.name
      guard names[name] == nil, let known = old[name], known != new[name] else { continue }
      let base = "\(DefinitionPlan.word(part.root.name))_\(name)"
      var (candidate, number) = (base, 2)
      while !taken.insert(candidate).inserted {
        candidate = "\(base)_\(number)"
        number += 1
      }
      names[name] = candidate
      notes.tell(
        .variableRenamed,
        "Another workspace sets `\(name)` differently; that of `\(part.root.name)` is called "
          + "`\(candidate)` here.", at: variable.place)
    }
    guard !names.isEmpty else { return }
    func renamed(_ variable: OriginVariable) -> OriginVariable {
      var variable = variable.renaming(names)
      variable.name = names[variable.name] ?? variable.name
      return variable
    }
    part.root = part.root.renaming(names)
    part.shared = part.shared.map(renamed)
    for index in part.environments.indices {
      part.environments[index].variables = part.environments[index].variables.map(renamed)
    }
  }

  /// The values of each variable by the environments that set it; `$` stands for all of them.
  private static func values(
    _ collection: OriginCollection
  ) -> [String: [String: OriginValue?]] {
    var result: [String: [String: OriginValue?]] = [:]
    for variable in collection.shared where variable.isOn {
      result[variable.name, default: [:]]["$"] = .some(variable.value)
    }
    for environment in collection.environments {
      for variable in environment.variables where variable.isOn {
        result[variable.name, default: [:]][environment.name] = .some(variable.value)
      }
    }
    return result
  }
}
