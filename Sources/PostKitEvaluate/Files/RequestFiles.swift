// A request file with the files that it imports and runs (PK-39, PK-40).

package import PostKitSyntax
import PostKitText

/// Where a request stands: in which file, and in which of its blocks.
package struct RequestPlace: Sendable, Hashable, Comparable {
  /// The file's place among the files; 0 is the file that was asked for.
  package var file: Int
  /// The block's place in the file.
  package var block: Int

  /// Makes a place.
  package init(file: Int = 0, block: Int) {
    self.file = file
    self.block = block
  }

  /// The order of files, then that of blocks.
  package static func < (left: RequestPlace, right: RequestPlace) -> Bool {
    (left.file, left.block) < (right.file, right.block)
  }
}

/// How files are found and read; the closures are the caller's.
package struct RequestFileLoader: Sendable {
  /// Finds what a path in a file means; `nil` where nothing is there.
  package var resolve: @Sendable (_ path: String, _ file: String) -> String?
  /// Reads and parses the file at an absolute path.
  package var read: @Sendable (_ path: String) -> Loaded
  /// Resolves the references in a path that stands at an offset of a file.
  package var expand: Expand

  /// Resolves the references of a text; the dialect is that of the file, `nil` for that of the run.
  package typealias Expand = @Sendable (
    _ text: String, _ in: ParsedDocument, _ offset: Int, _ dialect: Dialect?
  ) -> String

  /// What became of reading a file.
  package enum Loaded: Sendable {
    /// The file, cut into requests and to be read as its own project and tag have it.
    case parsed(ParsedDocument, Dialect)
    /// It can't be read; the text says why and what to do.
    case unreadable(String)
    /// It lies where nothing may be read; the text says why and what to do.
    case outside(String)
  }

  /// Makes a loader.
  package init(
    resolve: @escaping @Sendable (String, String) -> String?,
    read: @escaping @Sendable (String) -> Loaded,
    expand: @escaping Expand = { text, _, _, _ in text }
  ) {
    self.resolve = resolve
    self.read = read
    self.expand = expand
  }
}

/// A request file and all files that it reaches through `import`, `# @import` and `run` lines.
package struct RequestFiles: Sendable {
  /// A line that names another file.
  package struct Link: Sendable {
    /// The block that the line stands in.
    package let block: Int
    /// The bytes of the path in the file.
    package let range: Range<Int>
    /// Whether the other file's names become visible; else its requests are run.
    package let isImport: Bool
    /// The other file; `nil` where it can't be had.
    package fileprivate(set) var target: Int?
    /// Why it can't be had, or must not be.
    package fileprivate(set) var problem: EvaluationProblem?
  }

  /// One of the files.
  package struct File: Sendable {
    /// The absolute path.
    package let path: String
    fileprivate(set) var content: Content
    /// Whose reading it has; `nil` for that of the run, which the file that was asked for has.
    package let dialect: Dialect?
    package fileprivate(set) var links: [Link] = []
    /// The files whose names are seen here after the file's own, the nearest first: those it
    /// imports, then those that import it.
    package fileprivate(set) var visible: [Int] = []
    /// The first circle among the imports of this file, and of the files it imports.
    fileprivate(set) var importCycle: EvaluationProblem.Kind?
    /// The first line of this file that closes a circle of imports.
    fileprivate var ownImportCycle: EvaluationProblem.Kind? {
      links.lazy.filter(\.isImport).compactMap(\.problem?.kind).first {
        if case .importCycle = $0 { true } else { false }
      }
    }

    fileprivate init(path: String, document: ParsedDocument, dialect: Dialect? = nil) {
      self.path = path
      self.dialect = dialect
      content = Content(document)
    }

    package var document: ParsedDocument { content.document }

    /// The links of a block.
    func links(of block: Int) -> ArraySlice<Link> {
      links[firstLink { $0.block >= block }..<firstLink { $0.block > block }]
    }

    /// The link whose path stands at a range.
    func link(at range: Range<Int>) -> Link? {
      let place = firstLink { $0.range.lowerBound >= range.lowerBound }
      return links[place...].first.flatMap { $0.range == range ? $0 : nil }
    }

    /// The place of the first link from which on a condition holds; the links are in order.
    private func firstLink(where holds: (Link) -> Bool) -> Int {
      var (low, high) = (0, links.count)
      while low < high {
        let middle = (low + high) / 2
        if holds(links[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }

  /// A document for those who look things up in it again and again, without a copy of it.
  final class Content: Sendable {
    let document: ParsedDocument
    let names: NameIndex
    let blocks: BlockList
    let lines: LineIndex
    let called = CalledBlocks()
    /// The shared blocks at the top of the document.
    let sharedBlocks: [ParsedBlock]
    /// Whether a variable that says something for all requests is defined: each request asks.
    let definesSettings: Bool

    fileprivate init(_ document: ParsedDocument) {
      self.document = document
      names = document.names
      blocks = document.blocks
      lines = document.lines
      sharedBlocks = document.sharedBlocks
      definesSettings = RequestSettings.variables.contains { document.names.definitions[$0] != nil }
    }
  }

  /// How deep files may import files (PK-40).
  package static let depthLimit = 16
  /// How many files may belong together.
  package static let countLimit = 256

  /// The files; the first is the one that was asked for.
  package private(set) var files: [File]
  /// The paths of the files that must not be read.
  package private(set) var outside: [String] = []
  private var places: [String: Int]

  /// A file that reaches no other one.
  package init(_ document: ParsedDocument, path: String = "") {
    files = [File(path: path, document: document)]
    places = [path: 0]
  }

  /// Reads the files that a file reaches.
  package init(_ document: ParsedDocument, path: String, loader: RequestFileLoader) {
    self.init(document, path: path)
    follow(0, imports: [0], depth: 1, loader)
    if files.count > 1 { join() }
  }

  /// Finds out whose names are seen where.
  private mutating func join() {
    let graph = FileGraph(files)
    for index in files.indices { files[index].visible = graph.visible(from: index) }
    let cycles = files.map(\.ownImportCycle)
    for index in files.indices {
      files[index].importCycle =
        ([index] + graph.imported(by: index)).lazy.compactMap { cycles[$0] }.first
    }
  }

  /// Makes the names of another file seen in a file, as an `import` line at its end would; `nil`
  /// where that was possible, else why it was not.
  mutating func add(
    importOf path: String, in file: Int, _ loader: RequestFileLoader
  ) -> EvaluationProblem.Kind? {
    guard let found = loader.resolve(path, files[file].path) else {
      return .importUnresolved(path: path, explanation: nil)
    }
    let end = files[file].document.bytes.count
    var link = Link(block: .max, range: end..<end, isImport: true)
    link.target = places[found]
    if link.target == nil {
      switch loader.read(found) {
      case .unreadable(let why), .outside(let why):
        return .importUnresolved(path: path, explanation: why)
      case .parsed(let document, let dialect):
        let next = files.count
        files.append(File(path: found, document: document, dialect: dialect))
        places[found] = next
        link.target = next
        follow(next, imports: [file, next], depth: 2, loader)
      }
    }
    files[file].links.append(link)
    join()
    return nil
  }

  /// The document that was asked for.
  package var main: ParsedDocument { files[0].document }

  /// Puts another reading of its text in the place of the document that was asked for.
  mutating func replaceMain(by document: ParsedDocument) { files[0].content = Content(document) }

  /// The block at a place.
  package func block(_ place: RequestPlace) -> ParsedBlock {
    files[place.file].content.blocks[place.block]
  }

  /// What is wrong with the imports of a file, and of the files it imports, each with the file that
  /// the line stands in.
  package func importProblems(of file: Int) -> [(file: Int, problem: EvaluationProblem)] {
    ([file] + FileGraph(files).imported(by: file)).flatMap { index in
      files[index].links.filter(\.isImport).compactMap { link in
        link.problem.map { (index, $0) }
      }
    }
  }

  // MARK: - Names

  /// The request that `@ref` and `run #` mean by a name: of the file itself, else of a file whose
  /// names are seen there. Named blocks without a request can be meant, too (PK-40).
  package func place(named name: String, from file: Int) -> RequestPlace? {
    for index in [file] + files[file].visible {
      let content = files[index].content
      if let block = content.document.request(referredToAs: name)?.index
        ?? content.called.place(named: name, in: content.document)
      {
        return RequestPlace(file: index, block: block)
      }
    }
    return nil
  }

  /// The request that a reference means by its first segment; found in constant time. A loop's
  /// turns are meant by `name0` and so on, all of them by `nameList`.
  package func place(referredToAs name: String, from file: Int) -> RequestPlace? {
    if let place = place(ofRequest: name, from: file) { return place }
    guard let base = LoopName.base(of: name), let place = place(ofRequest: base, from: file),
      block(place).loopTag != nil
    else { return nil }
    return place
  }

  /// The same without the turns of loops.
  package func place(ofRequest name: String, from file: Int) -> RequestPlace? {
    if let block = files[file].document.request(referredToAs: name) {
      return RequestPlace(file: file, block: block.index)
    }
    if files.count == 1 { return nil }
    let visible = files[file].visible
    let others = files.indices.filter { $0 != file && !visible.contains($0) }
    for index in visible + others {
      if let block = files[index].document.request(referredToAs: name) {
        return RequestPlace(file: index, block: block.index)
      }
    }
    return nil
  }

  // MARK: - Files

  /// Reads what a file names, and what that names.
  private mutating func follow(
    _ index: Int, imports: [Int], depth: Int, _ loader: RequestFileLoader
  ) {
    for (block, range, isImport) in files[index].document.fileNames {
      var link = Link(block: block.index, range: range, isImport: isImport)
      let written = String(decoding: block.bytes[range], as: UTF8.self)
      let path = loader.expand(
        written, files[index].document, range.lowerBound, files[index].dialect)
      func refuse(_ kind: EvaluationProblem.Kind) {
        link.problem = EvaluationProblem(kind, range: range)
        files[index].links.append(link)
      }
      func unresolved(_ explanation: String?) -> EvaluationProblem.Kind {
        isImport
          ? .importUnresolved(path: path, explanation: explanation)
          : .runFileUnresolved(path: path, explanation: explanation)
      }
      guard let found = loader.resolve(path, files[index].path) else {
        refuse(unresolved(nil))
        continue
      }
      if let known = places[found] {
        if isImport, let start = imports.firstIndex(of: known) {
          let names = (imports[start...] + [known]).map { name(of: files[$0].path) }
          refuse(.importCycle(names))
        } else {
          link.target = known
          files[index].links.append(link)
        }
        continue
      }
      guard depth <= RequestFiles.depthLimit, files.count < RequestFiles.countLimit else {
        refuse(
          unresolved(
            "files import each other more than \(RequestFiles.depthLimit) deep, or there are more "
              + "than \(RequestFiles.countLimit) of them"))
        continue
      }
      switch loader.read(found) {
      case .unreadable(let explanation):
        refuse(unresolved(explanation))
      case .outside(let explanation):
        outside.append(found)
        refuse(unresolved(explanation))
      case .parsed(let document, let dialect):
        let next = files.count
        files.append(File(path: found, document: document, dialect: dialect))
        places[found] = next
        link.target = next
        files[index].links.append(link)
        follow(next, imports: isImport ? imports + [next] : [next], depth: depth + 1, loader)
      }
    }
  }

  private func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// The names of a loop's turns.
package enum LoopName {
  /// The request's name in `name3` and `nameList`; `nil` for other names.
  package static func base(of name: String) -> String? {
    if name.hasSuffix("List") { return name == "List" ? nil : String(name.dropLast(4)) }
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
    return digits == 0 || digits == name.count ? nil : String(name.dropLast(digits))
  }
}

extension ParsedDocument {
  /// Whether what is in other request files matters here.
  package var namesRequestFiles: Bool { blocks.hasAny(.namesFiles) }

  /// The paths of other request files that the file names, in order.
  fileprivate var fileNames: [(block: ParsedBlock, range: Range<Int>, isImport: Bool)] {
    blocks.having(.namesFiles).flatMap {
      block -> [(block: ParsedBlock, range: Range<Int>, isImport: Bool)] in
      let lines = block.directives.filter { $0.kind != .runRequest }.map {
        (block: block, range: block.absolute($0.argument), isImport: $0.kind == .importFile)
      }
      let tags = block.metadata.filter { $0.kind == .importFile && $0.region != .body }.map {
        (block: block, range: block.unquoted($0.value), isImport: true)
      }
      if tags.isEmpty { return lines }
      return (lines + tags).sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
  }
}

extension ParsedBlock {
  /// A range of the block without quotes around it, as a range of the file.
  fileprivate func unquoted(_ range: Range<Int>) -> Range<Int> {
    let whole = absolute(range)
    guard whole.count >= 2, let first = bytes[whole].first, first == bytes[whole].last,
      first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
    else { return whole }
    return whole.lowerBound + 1..<whole.upperBound - 1
  }
}
