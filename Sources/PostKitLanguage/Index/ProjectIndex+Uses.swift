// Where something is named: all places that mean the same as one of them.

/// The places of one file that mean the same thing.
package struct FileUses: Sendable {
  package let file: FileNames
  /// In the order of the text.
  package let occurrences: [NameOccurrence]
}

extension ProjectIndex {
  /// Where what is meant is named, file by file in the order of their paths.
  package func uses(of meaning: Meaning, from occurrence: NameOccurrence, in path: String)
    -> [FileUses]
  {
    switch meaning {
    case .variable(let name): variable(name, from: occurrence, in: path)
    case .member(let name, let members): member(name, members, from: occurrence, in: path)
    case .requests(let places): requests(places)
    case .file(let target): self.paths(of: target)
    case .client(let name): clients(name, near: path)
    }
  }

  /// The places of a file that mean the same variable as one of them whatever other files say, so
  /// that they can be told before those are read; `nil` where none is so certain.
  package func certainUses(in path: String, at offset: Int) -> FileUses? {
    guard let file = files[path], let start = file.name(at: offset), start.isCertain else {
      return nil
    }
    let same = file.occurrences { $0.isCertain && $0.name == start.name }
    return FileUses(file: file, occurrences: same)
  }

  /// The paths that name a file.
  package func paths(of target: String) -> [FileUses] {
    uses { file in
      guard file.mayHold(target) else { return [] }
      return file.occurrences { $0.role.isPath && $0.name == target }
    }
  }

  private func uses(_ find: (FileNames) -> [NameOccurrence]) -> [FileUses] {
    files.values.compactMap { file in
      let found = isAbandoned() ? [] : find(file)
      return found.isEmpty ? nil : FileUses(file: file, occurrences: found)
    }.sorted { $0.file.path < $1.file.path }
  }

  // MARK: - Clients

  /// The places that name a client: environments that see each other, and the files that see one of
  /// them.
  private func clients(_ name: String, near path: String) -> [FileUses] {
    guard let start = files[path] else { return [] }
    let all = uses { file in
      file.mayHold(name) ? file.occurrences { $0.role.isOfClient && $0.name == name } : []
    }
    let own = start.isEnvironment
      ? [start] : environments.filter { environment in
        groupOfFile[path].map { sees($0, environment) } ?? false
      }
    let seen = environments.filter { other in
      own.contains { isSeen(other, with: $0) || isSeen($0, with: other) }
    }
    return all.filter { use in
      if use.file.path == path { return true }
      if use.file.isEnvironment { return seen.contains { $0.path == use.file.path } }
      guard let group = groupOfFile[use.file.path] else { return false }
      return group == groupOfFile[path] || seen.contains { sees(group, $0) }
    }
  }

  // MARK: - Requests

  private func requests(_ places: [Place]) -> [FileUses] {
    let wanted = Set(places)
    var keys: Set<String> = []
    for place in places {
      guard let request = files[place.path]?.parts[place.block].names.request else { continue }
      for name in [request.name, request.title] {
        if let name { keys.insert(FileNames.requestKey(name)) }
      }
    }
    let groups = Set(places.compactMap { groupOfFile[$0.path] })
    return uses { file in
      let isNear =
        groupOfFile[file.path].map { groups.contains($0) }
        ?? groups.contains { self.sees($0, file) }
      guard isNear, keys.contains(where: { file.mayHold($0) }) else { return [] }
      return file.occurrences {
        $0.requestNames.contains { keys.contains(FileNames.requestKey($0)) }
      }.filter { occurrence in
        guard case .requests(let found) = self.meaning(of: occurrence, in: file) else {
          return false
        }
        return !wanted.isDisjoint(with: found)
      }
    }
  }

  // MARK: - Variables

  /// Where the definitions and uses of a name in one part of the project stand.
  private enum Node: Hashable {
    /// What a file defines itself, with what means that.
    case file(String)
    /// What is seen in all files of a group.
    case group(Int)
    case environment(String)
    /// What is seen everywhere: globals.
    case everywhere
    /// `{{$dotenv name}}` in a file.
    case dotEnv(String)
  }

  private func variable(
    _ name: String, from occurrence: NameOccurrence, in path: String
  ) -> [FileUses] {
    var nodes: [(FileNames, NameOccurrence, Node)] = []
    var sets = DisjointSets<Node>()
    for file in files.values where file.mayHold(name) {
      if isAbandoned() { return [] }
      let candidates = file.occurrences {
        $0.isOfVariable && $0.path.isEmpty
          && ($0.name == name || !$0.rest.isEmpty && $0.name + $0.rest == name)
      }
      for found in candidates {
        guard case .variable(name) = meaning(of: found, in: file) else { continue }
        nodes.append((file, found.spelt(name), node(of: found, name, in: file)))
      }
    }
    for (file, found, node) in nodes { join(found, name, node, in: file, &sets) }
    joinEnvironments(nodes.map { ($0.0, $0.1.role) }, &sets)
    guard let start = nodes.first(where: {
      $0.0.path == path && $0.1.range.lowerBound == occurrence.range.lowerBound
    })
    else { return [] }
    let same = nodes.filter { sets.areJoined($0.2, start.2) }
    return Dictionary(grouping: same) { $0.0.path }.values.map { found in
      FileUses(file: found[0].0, occurrences: found.map(\.1))
    }.sorted { $0.file.path < $1.file.path }
  }

  private func node(of occurrence: NameOccurrence, _ name: String, in file: FileNames) -> Node {
    if file.isEnvironment { return .environment(file.path) }
    let group = groupOfFile[file.path] ?? 0
    let role = occurrence.role
    if role == .dotEnvReference { return .dotEnv(file.path) }
    let isOwn =
      role == .fileVariable
      || (role == .reference || role == .scriptReference) && file.tally.own[name] != nil
    return isOwn ? .file(file.path) : .group(group)
  }

  /// Joins an occurrence with what it may mean or be meant by.
  private func join(
    _ occurrence: NameOccurrence, _ name: String, _ node: Node, in file: FileNames,
    _ sets: inout DisjointSets<Node>
  ) {
    sets.add(node)
    guard !file.isEnvironment, let group = groupOfFile[file.path] else { return }
    let role = occurrence.role
    if role == .dotEnvReference || role == .environmentReference { return }
    if role == .fileVariable || role == .reference || role == .scriptReference,
      file.ownDefinitionsWin, !isNamed(name, beside: file, in: group)
    {
      return
    }
    if role.isOfGlobal { sets.join(.everywhere, .group(group)) }
    // A definition for one request, or for some, leaves others to what lies below it.
    if file.tally.own[name] != nil { sets.join(.file(file.path), .group(group)) }
  }

  /// Whether another file of a group may hold a name.
  private func isNamed(_ name: String, beside file: FileNames, in group: Int) -> Bool {
    groups[group].contains { $0 != file.path && files[$0]?.mayHold(name) ?? false }
  }

  /// Joins environment files with those who see them.
  private func joinEnvironments(
    _ found: [(file: FileNames, role: NameOccurrence.Role)], _ sets: inout DisjointSets<Node>
  ) {
    let isGlobal = sets.contains(.everywhere)
    let roles = Dictionary(grouping: found) { $0.file.path }.values.map { found in
      (file: found[0].file, roles: Set(found.map(\.role)))
    }
    let environments = roles.filter(\.file.isEnvironment)
    for (file, uses) in roles where !file.isEnvironment {
      guard let group = groupOfFile[file.path] else { continue }
      let (own, shared) = (Node.file(file.path), Node.group(group))
      if isGlobal, sets.contains(shared) { sets.join(.everywhere, shared) }
      if isGlobal, sets.contains(own) { sets.join(.everywhere, own) }
      for (environment, keys) in environments where sees(group, environment) {
        let node = Node.environment(environment.path)
        if sets.contains(shared) { sets.join(shared, node) }
        // What a value refers to is looked up where the value is used.
        if keys.contains(.reference), sets.contains(own) { sets.join(own, node) }
        if uses.contains(.dotEnvReference), keys.contains(.dotEnvKey) {
          sets.join(.dotEnv(file.path), node)
        }
      }
    }
    for (file, _) in environments {
      for (other, _) in environments {
        if isSeen(file, with: other) {
          sets.join(.environment(file.path), .environment(other.path))
        }
      }
    }
  }

  // MARK: - Members

  private func member(
    _ name: String, _ members: [String], from occurrence: NameOccurrence, in path: String
  ) -> [FileUses] {
    // The variable itself, found from wherever it is named near the member.
    guard let file = files[path],
      let start = file.occurrences(where: {
        $0.name == name && $0.path.isEmpty && $0.isOfVariable
          && (occurrence.role == .environmentKey || $0.rest == occurrence.rest)
      }).last(where: { $0.range.lowerBound <= occurrence.range.lowerBound })
    else { return [] }
    let seen = variable(name, from: start, in: path)
    return seen.compactMap { uses in
      var found = uses.occurrences.compactMap { use -> NameOccurrence? in
        let segments = use.segments
        guard segments.count >= members.count,
          segments.prefix(members.count).map(\.name) == members
        else { return nil }
        var result = use
        result.range = segments[members.count - 1].range
        return result
      }
      found += uses.file.occurrences {
        $0.role == .environmentKey && $0.name == name && $0.path == members
      }
      guard !found.isEmpty else { return nil }
      return FileUses(
        file: uses.file, occurrences: found.sorted { $0.range.lowerBound < $1.range.lowerBound })
    }
  }
}

extension NameOccurrence {
  /// The same with the whole of a name that has dots in it.
  fileprivate func spelt(_ whole: String) -> NameOccurrence {
    guard name != whole else { return self }
    var result = self
    result.range = range.lowerBound..<range.upperBound + whole.utf8.count - name.utf8.count
    result.name = whole
    result.rest = ""
    return result
  }
}

extension NameOccurrence {
  /// Whether it is a variable that a file either defines itself or reads from around it, as all of
  /// its name in the file do.
  fileprivate var isCertain: Bool {
    (role == .reference || role == .fileVariable) && rest.isEmpty && path.isEmpty
      && !name.hasSuffix("List")
  }
}

extension FileNames {
  /// Whether the file defines a variable for itself.
  package func defines(_ variable: String) -> Bool { tally.own[variable] != nil }

  /// Where the file reads a variable that it does not define.
  package func readings(of variable: String) -> [NameOccurrence] {
    guard mayHold(variable), !defines(variable) else { return [] }
    return occurrences {
      $0.role == .reference && $0.path.isEmpty
        && ($0.name == variable || !$0.rest.isEmpty && $0.name + $0.rest == variable)
    }
  }
}
