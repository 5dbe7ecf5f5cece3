// The names of one file, block by block, so that an edit reads one block again.

package import PostKitEvaluate
package import PostKitSyntax
package import PostKitText

/// The names of a file, with what it takes to say where they are.
package final class FileNames: Sendable {
  /// What kind of names a file has.
  package enum Kind: Sendable, Hashable {
    /// A request file.
    case requests
    /// An environment file of a form.
    case environment(EnvironmentSource.Kind)
    /// A file that requests send with its references resolved.
    case template
  }

  /// The absolute path, or the URI of a document without one.
  package let path: String
  package let kind: Kind
  /// The lines of the file.
  package let lines: LineIndex
  /// The bytes, where columns can't be told without them, or the file is open.
  package let bytes: [UInt8]
  /// Whether a definition of the file's own always stands above those of other files.
  let ownDefinitionsWin: Bool
  /// The names of each block with the block's start.
  let parts: [(start: Int, names: BlockNames)]
  /// What is said of the file by its name: every name in it, and the folded names of requests.
  let keys: Set<String>
  /// The names of the variables that it defines, but for keys inside of objects.
  let definitions: Set<String>
  /// Those of them that are globals.
  let globals: Set<String>
  /// The request files that it imports or runs, and the templates that it sends.
  let links: [String]
  /// The files that it sends with their references resolved.
  package var templates: [String] { links.filter { !ParsedDocument.isRequestFile($0) } }
  /// Whether the references in every file that is sent are resolved.
  private let substitutes: Bool
  /// The blocks, whose trees tell whether they have changed.
  private let blocks: BlockList?

  /// Reads a request file; blocks with the trees of those of `previous` are taken over. `resolve`
  /// says what a path in the file means.
  package init(
    path: String, document: ParsedDocument, dialect: Dialect, reusing previous: FileNames? = nil,
    keepsBytes: Bool = false, resolve: (String) -> String?
  ) {
    self.path = path
    kind = .requests
    lines = document.lines
    bytes = keepsBytes || !lines.isASCII ? document.bytes : []
    ownDefinitionsWin =
      dialect.precedence == .fileFirst
      && (dialect.redefinition == .nearestAbove || dialect.redefinition == .lastInFile)
    let blocks = document.blocks
    let substitutes =
      dialect.fileBody != .rawPlain
      || blocks.contains { $0.metadata.contains { $0.foldedKey == "injectvariables" } }
    self.substitutes = substitutes
    let old = previous?.substitutes == substitutes ? previous?.blocks : nil
    let fromEnd = (old?.count ?? 0) - blocks.count
    parts = blocks.enumerated().map { index, block in
      if let old, let previous {
        for place in [index, index + fromEnd] where old.indices.contains(place) {
          if old[place].hasSameTree(as: block) {
            return (block.range.lowerBound, previous.parts[place].names)
          }
        }
      }
      return (block.range.lowerBound, BlockNames(block, substitutes: substitutes, resolve: resolve))
    }
    self.blocks = keepsBytes ? blocks : nil
    (keys, definitions, globals) = FileNames.sets(parts)
    links = FileNames.links(parts)
  }

  /// Reads an environment file.
  package init(
    path: String, bytes: [UInt8], of kind: EnvironmentSource.Kind, keepsBytes: Bool = false
  ) {
    self.path = path
    self.kind = .environment(kind)
    lines = LineIndex(bytes)
    self.bytes = keepsBytes || !lines.isASCII ? bytes : []
    ownDefinitionsWin = false
    substitutes = false
    parts = [(0, BlockNames(bytes, of: kind))]
    (keys, definitions, globals) = FileNames.sets(parts)
    links = []
    blocks = nil
  }

  /// Reads a file that requests send with its references resolved.
  package init(path: String, template bytes: [UInt8], keepsBytes: Bool = false) {
    self.path = path
    kind = .template
    lines = LineIndex(bytes)
    self.bytes = keepsBytes || !lines.isASCII ? bytes : []
    ownDefinitionsWin = false
    substitutes = false
    parts = [(0, BlockNames(template: bytes))]
    (keys, definitions, globals) = FileNames.sets(parts)
    links = []
    blocks = nil
  }

  /// All names in the order of the text.
  package var occurrences: [NameOccurrence] {
    parts.flatMap { part in part.names.occurrences.map { $0.moved(by: part.start) } }
  }

  /// The names that an offset stands in or behind.
  package func occurrences(at offset: Int) -> [NameOccurrence] {
    let index = parts.lastIndex { $0.start <= offset } ?? 0
    // At the border of two blocks the caret belongs to the one below.
    guard parts.indices.contains(index) else { return [] }
    return parts[index].names.occurrences.lazy.map { $0.moved(by: self.parts[index].start) }
      .filter { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
  }

  /// The paths of other files in it.
  package var paths: [NameOccurrence] { occurrences { $0.role.isPath } }

  /// The index of the block that holds an offset.
  package func block(at offset: Int) -> Int? { parts.lastIndex { $0.start <= offset } }

  /// Whether a name may be in the file: a variable's, or a folded one of a request.
  func mayHold(_ name: String) -> Bool { keys.contains(name) }

  /// The names that are accepted, in the order of the text.
  func occurrences(where isWanted: (NameOccurrence) -> Bool) -> [NameOccurrence] {
    parts.flatMap { part in
      part.names.occurrences.filter(isWanted).map { $0.moved(by: part.start) }
    }
  }

  /// The names of a block that are accepted.
  func occurrences(inBlock block: Int) -> [NameOccurrence] {
    parts[block].names.occurrences.map { $0.moved(by: parts[block].start) }
  }

  /// The folder in which, and below which, an environment file counts.
  var environmentFolder: String {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    let name = folder.split(separator: "/").last ?? ""
    guard name == "env" || name == ".vscode" else { return String(folder) }
    return String(folder.dropLast(name.count + 1))
  }

  private static func sets(
    _ parts: [(start: Int, names: BlockNames)]
  ) -> (keys: Set<String>, definitions: Set<String>, globals: Set<String>) {
    var (keys, definitions, globals): (Set<String>, Set<String>, Set<String>) = ([], [], [])
    var seen: Set<ObjectIdentifier> = []
    for part in parts where seen.insert(ObjectIdentifier(part.names)).inserted {
      for occurrence in part.names.occurrences {
        keys.insert(occurrence.name)
        if occurrence.role == .reference, !occurrence.rest.isEmpty {
          keys.insert(occurrence.name + occurrence.rest)
        }
        for name in occurrence.requestNames { keys.insert(FileNames.requestKey(name)) }
        if occurrence.isDefinition, occurrence.isOfVariable, occurrence.path.isEmpty {
          definitions.insert(occurrence.name)
          if occurrence.role == .globalVariable { globals.insert(occurrence.name) }
        }
      }
    }
    return (keys, definitions, globals)
  }

  /// What stands among the keys for a request of a name.
  static func requestKey(_ name: String) -> String { "\u{0}" + ParsedDocument.foldedName(name) }

  private static func links(_ parts: [(start: Int, names: BlockNames)]) -> [String] {
    var links: [String] = []
    for part in parts {
      for occurrence in part.names.occurrences where occurrence.role.isPath {
        let isLink =
          occurrence.role == .templatePath || ParsedDocument.isRequestFile(occurrence.name)
        if isLink, !links.contains(occurrence.name) { links.append(occurrence.name) }
      }
    }
    return links
  }
}

extension ParsedDocument {
  /// Whether a path is that of a request file.
  package static func isRequestFile(_ path: String) -> Bool {
    let small = path.lowercased()
    return small.hasSuffix(".http") || small.hasSuffix(".rest")
  }
}

extension NameOccurrence {
  /// The names of requests that it gives or may mean, the most likely first.
  var requestNames: [String] {
    switch role {
    case .requestName, .requestTitle, .requestCall: return [name]
    case .exchangeReference,
      .reference where !rest.isEmpty || name.hasSuffix("List"):
      let names = Evaluator.requestNames(in: name)
      return names + names.compactMap(LoopName.base)
    default: return []
    }
  }
}

extension NameOccurrence {
  /// Whether it is the path of a request file, in which blanks stand as they are.
  package var isRequestFilePath: Bool { role.isPath && ParsedDocument.isRequestFile(name) }
}
