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
    /// The settings of a project.
    case settings
    /// A file that requests send with its references resolved, or run as a script.
    case attached
  }

  /// The absolute path, or the URI of a document without one.
  package let path: String
  /// The path where it counts as lying: its own, but for a document without one.
  let place: String
  package let kind: Kind
  /// The lines of the file.
  package let lines: LineIndex
  /// The bytes, where columns can't be told without them, or the file is open.
  package let bytes: [UInt8]
  /// Whether a definition of the file's own always stands above those of other files.
  let ownDefinitionsWin: Bool
  /// The names of each block with the block's start.
  let parts: [(start: Int, names: BlockNames)]
  /// What can be looked up in it.
  let tally: NameTally
  /// The request files that it imports or runs, and the files with names that it sends or runs.
  let links: [String]
  /// The scripts among them.
  package let scripts: [String]
  /// The files that it sends with their references resolved.
  package var templates: [String] {
    links.filter { !ParsedDocument.isRequestFile($0) && !scripts.contains($0) }
  }
  /// Whether all projects of the user read it.
  package let isShared: Bool
  /// Whether the references in every file that is sent are resolved.
  let substitutes: Bool
  /// The blocks, whose trees tell whether they have changed.
  private let blocks: BlockList?

  /// Reads a request file; blocks with the trees of those of `previous` are taken over. `resolve`
  /// says what a path in the file means, `place` where a document without a path counts as lying.
  package init(
    path: String, document: ParsedDocument, dialect: Dialect, place: String? = nil,
    reusing previous: FileNames? = nil, keepsBytes: Bool = false, resolve: (String) -> String?
  ) {
    self.path = path
    self.place = place ?? path
    kind = .requests
    isShared = false
    lines = document.lines
    bytes = keepsBytes || !lines.isASCII ? document.bytes : []
    ownDefinitionsWin =
      dialect.precedence == .fileFirst
      && (dialect.redefinition == .nearestAbove || dialect.redefinition == .lastInFile)
    let blocks = document.blocks
    // What an edit did not touch stands at the front and at the back.
    let (front, back) = previous?.blocks?.trees.equalEnds(with: blocks.trees) ?? (0, 0)
    let oldParts = previous?.parts ?? []
    let gone = oldParts[front..<oldParts.count - back]
    let new = blocks[front..<blocks.count - back].map { block in
      (start: block.range.lowerBound, names: BlockNames(block, resolve: resolve))
    }
    var tally = previous?.tally ?? NameTally()
    // Most keys change no name, and a change of one count copies all of them.
    if !gone.elementsEqual(new, by: { $0.names.hasSameKeys(as: $1.names) }) {
      for part in gone { tally.add(part.names, -1) }
      for part in new { tally.add(part.names, 1) }
    }
    var parts: [(start: Int, names: BlockNames)] = []
    parts.reserveCapacity(blocks.count)
    parts += oldParts.prefix(front)
    parts += new
    for (index, part) in oldParts.enumerated().suffix(back) {
      let place = index + blocks.count - oldParts.count
      parts.append((blocks[place].range.lowerBound, part.names))
    }
    self.parts = parts
    self.tally = tally
    self.blocks = keepsBytes ? blocks : nil
    substitutes = dialect.fileBody != .rawPlain || tally.substituting > 0
    if let previous, previous.substitutes == substitutes,
      !gone.contains(where: \.names.hasPaths), !new.contains(where: \.names.hasPaths)
    {
      (links, scripts) = (previous.links, previous.scripts)
    } else {
      (links, scripts) = FileNames.links(parts, substitutes)
    }
  }

  /// Reads an environment file; one that is shared counts for all files wherever they are.
  /// `resolve` says what a path in the file means.
  package init(
    path: String, bytes: [UInt8], of kind: EnvironmentSource.Kind, keepsBytes: Bool = false,
    isShared: Bool = false, resolve: (String) -> String? = { _ in nil }
  ) {
    (self.path, place) = (path, path)
    self.kind = .environment(kind)
    self.isShared = isShared
    lines = LineIndex(bytes)
    self.bytes = keepsBytes || !lines.isASCII ? bytes : []
    ownDefinitionsWin = false
    substitutes = false
    parts = [(0, BlockNames(bytes, of: kind, resolve: resolve))]
    tally = NameTally(parts.map(\.names))
    (links, scripts) = ([], [])
    blocks = nil
  }

  /// Reads the settings of a project.
  package convenience init(
    path: String, settings bytes: [UInt8], keepsBytes: Bool = false,
    resolve: (String) -> String? = { _ in nil }
  ) {
    let names = BlockNames(settings: bytes, resolve: resolve)
    self.init(path: path, bytes, names, keepsBytes, kind: .settings)
  }

  /// Reads a file that requests send with its references resolved.
  package convenience init(path: String, template bytes: [UInt8], keepsBytes: Bool = false) {
    self.init(path: path, bytes, BlockNames(template: bytes), keepsBytes, kind: .attached)
  }

  /// Reads a file with a script that requests run.
  package convenience init(path: String, script bytes: [UInt8], keepsBytes: Bool = false) {
    let names = BlockNames(script: bytes, isLua: path.hasSuffix(".lua"))
    self.init(path: path, bytes, names, keepsBytes, kind: .attached)
  }

  private init(
    path: String, _ bytes: [UInt8], _ names: BlockNames, _ keepsBytes: Bool, kind: Kind
  ) {
    (self.path, place) = (path, path)
    self.kind = kind
    isShared = false
    lines = LineIndex(bytes)
    self.bytes = keepsBytes || !lines.isASCII ? bytes : []
    ownDefinitionsWin = false
    substitutes = false
    parts = [(0, names)]
    tally = NameTally(parts.map(\.names))
    (links, scripts) = ([], [])
    blocks = nil
  }

  /// All names in the order of the text.
  package var occurrences: [NameOccurrence] {
    parts.flatMap { part in part.names.occurrences.map { $0.moved(by: part.start) } }
  }

  /// The name that an offset stands in or behind, else the one of the reference around it.
  package func name(at offset: Int) -> NameOccurrence? {
    occurrence(at: offset) ?? occurrence(inReferenceAt: offset)
  }

  /// The name that an offset stands in or behind, but for what may be none.
  func occurrence(at offset: Int) -> NameOccurrence? {
    occurrences(around: offset).first { $0.range.touches(offset) }
  }

  /// The name in the reference that an offset stands in, be it at its braces; between two of them
  /// the caret is on the second.
  func occurrence(inReferenceAt offset: Int) -> NameOccurrence? {
    occurrences(around: offset).last { $0.reference.touches(offset) }
  }

  /// The names of the block at an offset; at the border of two blocks the caret belongs to the one
  /// below.
  private func occurrences(around offset: Int) -> some BidirectionalCollection<NameOccurrence> {
    let part = parts[max(0, parts.lastIndex { $0.start <= offset } ?? 0)...].first
    return (part?.names.occurrences ?? []).lazy.map { $0.moved(by: part?.start ?? 0) }
      .filter { $0.role != .scriptWord && $0.role != .openName }
  }

  /// The paths of other files in it.
  package var paths: [NameOccurrence] { occurrences { $0.role.isPath } }

  /// The index of the block that holds an offset.
  package func block(at offset: Int) -> Int? { parts.lastIndex { $0.start <= offset } }

  /// Whether a name may be in the file: a variable's, or a folded one of a request.
  func mayHold(_ name: String) -> Bool { tally.keys[name] != nil }

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
    if isShared { return "/" }
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    let name = folder.split(separator: "/").last ?? ""
    guard name == "env" || name == ".vscode" else { return String(folder) }
    return String(folder.dropLast(name.count + 1))
  }

  /// What stands among the keys for a request of a name.
  static func requestKey(_ name: String) -> String { "\u{0}" + ParsedDocument.foldedName(name) }

  private static func links(
    _ parts: [(start: Int, names: BlockNames)], _ substitutes: Bool
  ) -> (links: [String], scripts: [String]) {
    var (links, scripts): ([String], [String]) = ([], [])
    for part in parts {
      for occurrence in part.names.occurrences where occurrence.role.isPath {
        let isLink =
          occurrence.role == .templatePath || occurrence.role == .scriptPath
          || substitutes && occurrence.role == .includePath
          || ParsedDocument.isRequestFile(occurrence.name)
        guard isLink, !links.contains(occurrence.name) else { continue }
        links.append(occurrence.name)
        if occurrence.role == .scriptPath { scripts.append(occurrence.name) }
      }
    }
    return (links, scripts)
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
    if role.isOfRequest { return [name] }
    guard role == .exchangeReference
      || role == .reference && (!rest.isEmpty || name.hasSuffix("List"))
    else { return [] }
    let names = Evaluator.requestNames(in: name)
    return names + names.compactMap(LoopName.base)
  }
}

extension NameOccurrence {
  /// Whether it is the path of a request file, in which blanks stand as they are.
  package var isRequestFilePath: Bool { role.isPath && ParsedDocument.isRequestFile(name) }
}
