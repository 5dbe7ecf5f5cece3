// Which other files a request file must import, because its requests need those of others.

/// Which file has the request of which name.
struct ReferencedFiles {
  /// A request that others can refer to.
  private struct Target {
    let frame: FolderFrame
    let path: String
  }

  private var targets: [String: [Target]] = [:]
  /// The names that the values of the environments use, by the variables.
  private var uses: [String: Set<String>] = [:]
  /// Whether a variable may refer to a request, so that names have to be followed.
  private var followsVariables = false

  /// Looks at all files, and at the environments of the collection.
  init(_ files: [PlannedFile], _ collection: OriginCollection) {
    for file in files {
      for planned in file.requests {
        guard let name = planned.request.referenceName else { continue }
        targets[name, default: []].append(Target(frame: planned.frame, path: file.path))
      }
    }
    guard !targets.isEmpty else { return }
    let shared = collection.shared + collection.environments.flatMap(\.variables)
    for variable in shared where variable.isOn {
      TemplateNames.collect(variable.value?.text ?? "", into: &uses[variable.name, default: []])
    }
    followsVariables = (shared + Self.variables(collection.root)).contains { variable in
      variable.value?.text.contains(".response.") == true
    }
  }

  private static func variables(_ folder: OriginFolder) -> [OriginVariable] {
    folder.variables + folder.requests.flatMap(\.variables) + folder.folders.flatMap(variables)
  }

  /// The other files whose requests those of a file must have been answered by, relative to it.
  func imports(of file: PlannedFile) -> [String] {
    var found: [String] = []
    for planned in file.requests {
      for name in references(of: planned) {
        guard let path = path(of: name, for: planned), path != file.path else { continue }
        let up = file.directory.utf8.count { $0 == UInt8(ascii: "/") }
        let relative = (up == 0 ? "./" : String(repeating: "../", count: up)) + path
        if !found.contains(relative) { found.append(relative) }
      }
    }
    return found
  }

  /// The request of a name that is meant: one of the same folder, else the first.
  private func path(of name: String, for planned: PlannedRequest) -> String? {
    let known = targets[name] ?? []
    return (known.first { $0.frame === planned.frame } ?? known.first)?.path
  }

  /// The names of the requests that one needs: those that it says, and those that variables lead
  /// to, in order.
  private func references(of planned: PlannedRequest) -> [String] {
    let said = planned.request.references
    guard followsVariables else { return said }
    var seen = planned.usedNames
    var open = Array(seen)
    while let name = open.popLast() {
      for next in uses[name] ?? [] where seen.insert(next).inserted { open.append(next) }
    }
    return said + seen.filter { targets[$0] != nil && !said.contains($0) }.sorted()
  }
}
