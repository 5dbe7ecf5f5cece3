// The names of all files that belong together, and what each name means where it stands.

import PostKitSyntax

/// The names of the files of a workspace. Files that import, run or send each other form groups:
/// what one of them defines may be seen in any other.
package struct ProjectIndex: Sendable {
  /// A block of a file.
  package struct Place: Sendable, Hashable, Comparable {
    package var path: String
    package var block: Int

    /// Makes a place.
    package init(path: String, block: Int) {
      self.path = path
      self.block = block
    }

    /// The order of paths, then that of blocks.
    package static func < (left: Place, right: Place) -> Bool {
      (left.path, left.block) < (right.path, right.block)
    }
  }

  /// The files by path.
  package let files: [String: FileNames]
  /// The paths of each group, sorted.
  let groups: [[String]]
  /// The number of the group of each file that is no environment file.
  let groupOfFile: [String: Int]
  /// The names of the variables that each group defines.
  private let definitions: [Set<String>]
  /// The names of the globals that requests set.
  private let globals: Set<String>
  /// The environment files, sorted by path.
  let environments: [FileNames]
  /// The files that are sent with their references resolved and can't be looked into.
  let unread: Set<String>
  /// Why files are missing in it; `nil` where all are there.
  package let gap: String?
  /// The innermost workspace folder of each file, where some lie in others.
  private let folderOfFile: [String: String]
  /// Whether nobody wants the answer any more: what looks through all files ends early then, with
  /// a part of it.
  package var isAbandoned: @Sendable () -> Bool = { false }

  /// Puts files together. `folders` are those of the workspace: nothing in one of them sees the
  /// environments of another around it.
  package init(
    _ all: [FileNames], unread: Set<String> = [], gap: String? = nil, folders: [String] = []
  ) {
    self.unread = unread
    self.gap = gap
    let files = Dictionary(all.map { ($0.path, $0) }) { _, last in last }
    self.files = files
    let areNested = folders.contains { inner in
      folders.contains { FilePathText.isInside(inner, $0) }
    }
    folderOfFile =
      areNested
      ? files.mapValues { file in
        folders.filter { FilePathText.isInside(file.place, $0) }.max { $0.count < $1.count } ?? ""
      } : [:]
    environments = files.values.filter(\.isEnvironment).sorted { $0.path < $1.path }
    var sets = DisjointSets<String>()
    for file in files.values where !file.isEnvironment {
      sets.add(file.path)
      for link in file.links where files[link].map({ !$0.isEnvironment }) ?? false {
        sets.join(file.path, link)
      }
    }
    groups = sets.all.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    definitions = groups.map { paths in
      paths.reduce(into: Set<String>()) { names, path in
        if let tally = files[path]?.tally { names.formUnion(tally.definitions.keys) }
      }
    }
    globals = files.values.reduce(into: Set<String>()) { $0.formUnion($1.tally.globals.keys) }
    groupOfFile = Dictionary(
      uniqueKeysWithValues: groups.enumerated().flatMap { number, paths in
        paths.map { ($0, number) }
      })
  }

  /// Whether anything in a group sees an environment file.
  func sees(_ group: Int, _ environment: FileNames) -> Bool {
    let folder = environment.environmentFolder
    return groups[group].contains {
      FilePathText.isInside(files[$0]?.place ?? $0, folder) && isOneFolder($0, environment)
    }
  }

  /// Whether what sees an environment file may see another one, too.
  func isSeen(_ inner: FileNames, with outer: FileNames) -> Bool {
    let (folder, above) = (inner.environmentFolder, outer.environmentFolder)
    return (folder == above || FilePathText.isInside(folder, above))
      && isOneFolder(inner.path, outer)
  }

  private func isOneFolder(_ path: String, _ environment: FileNames) -> Bool {
    environment.isShared || folderOfFile[path] == folderOfFile[environment.path]
  }

  // MARK: - Meanings

  /// What a name means.
  package enum Meaning: Sendable, Hashable {
    /// A variable; a name with dots in it where a key is written so.
    case variable(String)
    /// A member of a variable whose value is an object in an environment.
    case member(String, [String])
    /// Requests; more than one where several files that may be meant have one of that name.
    case requests([Place])
    /// The file at a path.
    case file(String)
    /// A client of `Security.Auth`.
    case client(String)
  }

  /// What stands at an offset of a file, with its place; `nil` where no name is.
  package func meaning(
    in path: String, at offset: Int
  ) -> (meaning: Meaning, occurrence: NameOccurrence)? {
    guard let file = files[path] else { return nil }
    // A caret in a definition's own line is about what is defined.
    if let found = file.occurrence(at: offset) { return (meaning(of: found, in: file), found) }
    if let found = member(in: file, at: offset) { return found }
    // Braces, which editors with a caret on a character put it on, stand for all between them.
    guard let found = file.occurrence(inReferenceAt: offset) else { return nil }
    return member(in: file, at: found.range.upperBound + found.rest.utf8.count)
      ?? (meaning(of: found, in: file), found)
  }

  /// What an occurrence means in a file.
  func meaning(of occurrence: NameOccurrence, in file: FileNames) -> Meaning {
    switch occurrence.role {
    case .filePath, .runPath, .includePath, .templatePath, .scriptPath, .openIncludePath,
      .openPath:
      return .file(occurrence.name)
    case .client, .clientReference: return .client(occurrence.name)
    case .requestName, .requestTitle:
      let block = file.block(at: occurrence.range.lowerBound) ?? 0
      return .requests([Place(path: file.path, block: block)])
    case .requestCall, .exchangeReference, .scriptCall:
      return .requests(requests(of: occurrence, in: file))
    case .environmentKey where !occurrence.path.isEmpty:
      return .member(occurrence.name, occurrence.path)
    case .reference where !occurrence.rest.isEmpty:
      let whole = occurrence.name + occurrence.rest
      if definesVariable(whole, seenIn: file) { return .variable(whole) }
      // Where a text is called as a request is, the path leads into the request's exchange.
      if occurrence.readsExchange || !definesVariable(occurrence.name, seenIn: file) {
        let places = requests(of: occurrence, in: file)
        if !places.isEmpty { return .requests(places) }
      }
      return .variable(occurrence.name)
    case .reference where occurrence.name.hasSuffix("List"):
      guard !definesVariable(occurrence.name, seenIn: file) else { break }
      let places = requests(of: occurrence, in: file)
      if !places.isEmpty { return .requests(places) }
    case .fileVariable, .globalVariable, .responseVariable, .prompt, .loopVariable, .override,
      .environmentKey, .dotEnvKey, .reference, .globalReference, .dotEnvReference, .scriptGlobal,
      .scriptVariable, .scriptReference, .environmentReference, .scriptWord, .openName:
      break
    }
    return .variable(occurrence.name)
  }

  /// The member of an object that a segment behind a variable's name means.
  private func member(
    in file: FileNames, at offset: Int
  ) -> (meaning: Meaning, occurrence: NameOccurrence)? {
    for occurrence in file.occurrences(where: { $0.role == .reference && !$0.rest.isEmpty })
    where occurrence.range.upperBound < offset
      && offset <= occurrence.range.upperBound + occurrence.rest.utf8.count
    {
      guard case .variable(occurrence.name) = meaning(of: occurrence, in: file) else { continue }
      let segments = occurrence.segments
      guard let index = segments.firstIndex(where: { $0.range.touches(offset) }) else { continue }
      var found = occurrence
      found.range = segments[index].range
      return (.member(occurrence.name, segments[...index].map(\.name)), found)
    }
    return nil
  }

  /// Whether a variable is defined anywhere that may be seen in a file.
  func definesVariable(_ name: String, seenIn file: FileNames) -> Bool {
    guard let group = groupOfFile[file.path] else {
      return environments.contains { $0.tally.definitions[name] != nil }
    }
    return definitions[group].contains(name) || globals.contains(name)
      || environments.contains { $0.tally.definitions[name] != nil && sees(group, $0) }
  }

  /// The requests that a name may mean.
  func requests(of occurrence: NameOccurrence, in file: FileNames) -> [Place] {
    occurrence.requestNames.lazy.map { self.requests(named: $0, in: file) }
      .first { !$0.isEmpty } ?? []
  }

  /// The requests of a name: the one of the file itself, else those of the files that belong to it,
  /// one of each.
  func requests(named name: String, in file: FileNames) -> [Place] {
    if let own = file.block(named: name) { return [Place(path: file.path, block: own)] }
    guard let group = groupOfFile[file.path] else {
      // What a value of an environment reads is looked for where the value is used.
      return groups.indices.filter { sees($0, file) }.flatMap { requests(named: name, in: $0) }
    }
    return requests(named: name, in: group)
  }

  private func requests(named name: String, in group: Int) -> [Place] {
    groups[group].compactMap { path in
      files[path]?.block(named: name).map { Place(path: path, block: $0) }
    }
  }
}

extension FileNames {
  /// Whether it is an environment file.
  package var isEnvironment: Bool { if case .environment = kind { true } else { false } }

  /// The block that a name means in the file: by name, else by title, else by what is equal when
  /// folded (PK-7).
  func block(named name: String) -> Int? {
    guard kind == .requests, mayHold(FileNames.requestKey(name)) else { return nil }
    let folded = ParsedDocument.foldedName(name)
    var best: (rank: Int, block: Int)?
    for (index, part) in parts.enumerated() {
      guard let request = part.names.request else { continue }
      let rank =
        (request.isRequest ? 0 : 3)
        + (request.name == name
          ? 0
          : request.title == name
            ? 1
            : request.name.map(ParsedDocument.foldedName) == folded
              || request.title.map(ParsedDocument.foldedName) == folded ? 2 : 10)
      if rank < min(best?.rank ?? 6, 6) { best = (rank, index) }
    }
    return best?.block
  }
}

extension NameOccurrence {
  /// Whether what follows the name is a path into an exchange, as it is written in full.
  var readsExchange: Bool { rest.hasPrefix(".response") || rest.hasPrefix(".request") }

  /// Whether a reference names that many members one by one.
  func leadsThrough(_ depth: Int) -> Bool {
    let segments = segments
    return segments.count >= depth
      && segments.reduce(0) { $0 + $1.name.utf8.count + 1 } == rest.utf8.count
  }

  /// The members that a reference names behind its variable, up to the first that is no name.
  var segments: [(name: String, range: Range<Int>)] {
    var result: [(name: String, range: Range<Int>)] = []
    let bytes = Array(rest.utf8)
    var at = 0
    while at < bytes.count, bytes[at] == UInt8(ascii: ".") {
      var end = at + 1
      while end < bytes.count, bytes[end] != UInt8(ascii: "."), bytes[end] != UInt8(ascii: "[") {
        end += 1
      }
      guard end > at + 1, bytes[at + 1] != UInt8(ascii: "*") else { break }
      let start = range.upperBound + at + 1
      result.append(
        (String(decoding: bytes[at + 1..<end], as: UTF8.self), start..<start + end - at - 1))
      at = end
    }
    return result
  }
}

/// Questions about paths that need no files.
enum FilePathText {
  /// Whether a path lies in or below a folder.
  static func isInside(_ path: String, _ folder: String) -> Bool {
    path.utf8.count > folder.utf8.count && path.hasPrefix(folder)
      && (folder.hasSuffix("/") || path.utf8.dropFirst(folder.utf8.count).first == 0x2F)
  }
}

/// Things of which some belong together.
struct DisjointSets<Element: Hashable> {
  private var numbers: [Element: Int] = [:]
  private var parents: [Int] = []

  /// Adds an element by itself, unless it is there.
  @discardableResult
  mutating func add(_ element: Element) -> Int {
    if let number = numbers[element] { return number }
    let number = parents.count
    numbers[element] = number
    parents.append(number)
    return number
  }

  /// Puts the sets of two elements together.
  mutating func join(_ left: Element, _ right: Element) {
    let (left, right) = (root(add(left)), root(add(right)))
    if left != right { parents[right] = left }
  }

  /// Whether two elements belong together.
  mutating func areJoined(_ left: Element, _ right: Element) -> Bool {
    root(add(left)) == root(add(right))
  }

  /// Whether an element is there.
  func contains(_ element: Element) -> Bool { numbers[element] != nil }

  /// The sets.
  var all: [[Element]] {
    var copy = self
    var sets: [Int: [Element]] = [:]
    for (element, number) in numbers { sets[copy.root(number), default: []].append(element) }
    return Array(sets.values)
  }

  private mutating func root(_ number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }
}
