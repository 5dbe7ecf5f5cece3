// Which folders of a target name each other: found by the names of types, so a lower bound.

/// The folders inside each target, and which of them names what another one declares.
struct FolderGraph {
  /// That a folder names another one of its target.
  struct Edge: Hashable, Comparable, CustomStringConvertible {
    let target: String
    /// The folder whose files name something; what is in no folder is one of its own, `.`.
    let from: String
    /// The folder that declares it.
    let to: String

    init(_ target: String, _ from: String, _ to: String) {
      (self.target, self.from, self.to) = (target, from, to)
    }

    /// Such as `PostKitStore: Files names History`.
    var description: String { "\(target): \(from) names \(to)" }

    static func < (left: Edge, right: Edge) -> Bool { left.description < right.description }
  }

  /// Each edge with what is named, and where first.
  private(set) var edges: [Edge: (name: String, path: String, line: Int)] = [:]

  /// Reads the files of targets.
  init(_ files: [SourceText]) {
    let targets = Dictionary(grouping: files) { Repository.target(of: $0.path) }
    for (target, files) in targets { read(target, files) }
  }

  /// The edges that lie on a cycle when those of `exceptions` are left out.
  func cyclic(without exceptions: some Collection<Edge>) -> [Edge] {
    let left = Set(edges.keys).subtracting(exceptions)
    var next: [String: Set<String>] = [:]
    for edge in left { next[edge.target + "/" + edge.from, default: []].insert(edge.to) }
    func reaches(_ target: String, _ start: String, _ goal: String) -> Bool {
      var seen: Set = [start]
      var waiting = [start]
      while let folder = waiting.popLast() {
        if folder == goal { return true }
        waiting += (next[target + "/" + folder] ?? []).filter { seen.insert($0).inserted }
      }
      return false
    }
    return left.filter { reaches($0.target, $0.to, $0.from) }.sorted()
  }

  /// The cycles that remain without the exceptions.
  func violations(without exceptions: some Collection<Edge>) -> [Violation] {
    cyclic(without: exceptions).compactMap { edge in
      edges[edge].map {
        Violation(
          path: $0.path, line: $0.line, rule: "\(edge), by `\($0.name)`, and that leads back")
      }
    }
  }

  /// The exceptions without which there would be no cycle, either.
  func needless(_ exceptions: some Collection<Edge>) -> [Edge] {
    exceptions.filter { edge in
      edges[edge] == nil || cyclic(without: exceptions.filter { $0 != edge }).isEmpty
    }.sorted()
  }

  private mutating func read(_ target: String, _ files: [SourceText]) {
    // A name that several folders declare tells nothing.
    var owners: [String: Set<String>] = [:]
    for file in files {
      for declaration in file.outline.declarations
      where declaration.scopes.isEmpty && !declaration.isPrivate && Self.declares(declaration) {
        owners[declaration.name, default: []].insert(Self.folder(of: file.path))
      }
    }
    let sole = owners.compactMapValues { $0.count == 1 ? $0.first : nil }
    for file in files.sorted(by: { $0.path < $1.path }) {
      let own = Self.folder(of: file.path)
      // A type inside of another one hides that of a folder.
      let hidden = Set(file.outline.declarations.filter(Self.declares).map(\.name))
      for (line, text) in file.code.enumerated() {
        for name in Self.names(in: text) where !hidden.contains(name) {
          guard let owner = sole[name], owner != own else { continue }
          let edge = Edge(target, own, owner)
          if edges[edge] == nil { edges[edge] = (name, file.path, line + 1) }
        }
      }
    }
  }

  private static func declares(_ declaration: Declaration) -> Bool {
    switch declaration.keyword {
    case "extension": false
    case "func": declaration.scopes.isEmpty
    default: Declaration.typeKeywords.contains(declaration.keyword)
      || declaration.keyword == "typealias"
    }
  }

  /// The folder of a file inside of its target; `.` where it is in none.
  private static func folder(of path: String) -> String {
    let steps = path.split(separator: "/")
    return steps.count > 3 ? String(steps[2]) : "."
  }

  /// The words of a line that are no members of something.
  private static func names(in line: String) -> [String] {
    var names: [String] = []
    var word: [UInt8] = []
    var isMember = false
    for byte in line.utf8 + [0x20] {
      let isWord =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == 0x5F
      if isWord {
        word.append(byte)
        continue
      }
      if !word.isEmpty, !isMember { names.append(String(decoding: word, as: UTF8.self)) }
      word = []
      isMember = byte == UInt8(ascii: ".")
    }
    return names
  }
}
