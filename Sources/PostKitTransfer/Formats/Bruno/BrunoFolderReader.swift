// The folders of a collection of Bruno's: what `collection.bru` and `folder.bru` give, and the
// requests below.

/// The files of a folder and the folders in it.
struct BrunoTree {
  private(set) var files: [TransferFile] = []
  private(set) var folders: [String: BrunoTree] = [:]

  /// Puts a file at its place, of whose path only the parts from `depth` on are looked at.
  mutating func insert(_ file: TransferFile, _ parts: ArraySlice<Substring>) {
    guard parts.count > 1, let first = parts.first else {
      files.append(file)
      return
    }
    folders[String(first), default: BrunoTree()].insert(file, parts.dropFirst())
  }

  /// The file of that name directly in the folder.
  func file(_ name: String) -> TransferFile? { files.first { $0.name == name } }
}

/// Reads a folder and all below.
struct BrunoFolderReader {
  let shared: BrunoShared

  /// The file in which a folder says what it gives, and that of the whole collection.
  static let ownFile = "folder.bru"
  static let rootFile = "collection.bru"

  /// Reads the folder that lies at a path; the whole collection has the path "".
  func read(
    _ tree: BrunoTree, name: String, path: String, _ position: BrunoPosition
  ) throws(OriginFailure) -> (folder: OriginFolder, order: Double) {
    let own = tree.file(path.isEmpty ? Self.rootFile : Self.ownFile)
    let file: BrunoFile? =
      if let own { try BrunoFile(own, notes: shared.notes) } else { nil }
    var folder = OriginFolder(
      name: name, place: file?.place() ?? OriginPlace(file: path.isEmpty ? nil : path))
    folder.id = path.isEmpty ? nil : path
    var order = Double.infinity
    if let file {
      let meta = try file.fields("meta")
      if !path.isEmpty, let name = meta?.filled("name") { folder.name = name }
      if let number = meta?["seq"].flatMap(Double.init) { order = number }
      meta?.ignore("type", "name")
      meta?.finish(origin: position.origin(folder.name))
      try fill(&folder, from: file, position.origin(folder.name))
    }
    let inside = path.isEmpty
      ? BrunoPosition(headers: BrunoHeaders.names(folder.headers)) : position.inside(folder)
    var folders: [(folder: OriginFolder, order: Double)] = []
    for (name, tree) in tree.folders.sorted(by: { $0.key < $1.key }) {
      let found = try read(
        tree, name: name, path: path.isEmpty ? name : "\(path)/\(name)", inside)
      if found.folder.requestCount > 0 || tree.file(Self.ownFile) != nil { folders.append(found) }
    }
    folder.folders = folders.sorted {
      ($0.order, $0.folder.name) < ($1.order, $1.folder.name)
    }.map(\.folder)
    folder.requests = try requests(tree, inside)
    return (folder, order)
  }

  private func requests(
    _ tree: BrunoTree, _ position: BrunoPosition
  ) throws(OriginFailure) -> [OriginRequest] {
    var found: [(request: OriginRequest, order: Double)] = []
    for file in tree.files.sorted(by: { $0.path < $1.path })
    where file.name != Self.ownFile && file.name != Self.rootFile {
      let file = try BrunoFile(file, notes: shared.notes)
      guard BrunoRequestReader.isRequest(file.text) else {
        shared.notes.tell(
          .itemMalformed, "The file has no request, such as `get {`, and is left out.",
          at: file.place())
        continue
      }
      let reader = try BrunoRequestReader(file, shared, position)
      found.append((try reader.read(), try BrunoRequestReader.order(file)))
    }
    return found.sorted {
      ($0.order, $0.request.name, $0.request.id) < ($1.order, $1.request.name, $1.request.id)
    }.map(\.request)
  }

  // MARK: What a folder gives

  /// Puts what a file gives to all requests below into a folder.
  func fill(
    _ folder: inout OriginFolder, from file: BrunoFile, _ origin: String
  ) throws(OriginFailure) {
    folder.description = file.content("docs")?.text ?? ""
    let headers = try file.pairs("headers")
    file.checkAnnotations(headers, origin: origin)
    folder.headers = headers.map { pair in
      let place = file.place(pair.line)
      return OriginPair(
        name: shared.templates.origin(pair.key, at: place, origin),
        value: shared.templates.origin(pair.value, at: place, origin), isOn: pair.isOn,
        description: pair.description)
    }
    let auth = try file.fields("auth")
    let mode = auth?["mode"] ?? "inherit"
    folder.auth = try BrunoAuthReader(file: file, shared: shared, origin: origin).read(
      mode, at: auth?.place(of: "mode") ?? file.place())
    folder.authPlace = auth?.place(of: "mode")
    auth?.finish(origin: origin)
    for pair in try file.pairs("vars:pre-request") {
      folder.variables.append(Self.variable(pair, of: file, shared, origin: origin))
    }
    folder.scripts = try Self.scripts(of: file, shared, origin: origin)
    let known: Set<String> = [
      "meta", "headers", "docs", "vars:pre-request", "vars:post-response", "script:pre-request",
      "script:post-response", "tests",
    ]
    for block in file.text.blocks
    where !known.contains(block.name) && !BrunoAuthReader.knows(block.name) {
      shared.notes.tell(
        .memberUnknown, "PostKit does not know the block `\(block.name)` here and leaves it out.",
        at: file.place(block.line), origin: origin)
    }
    for pair in file.text.pairs {
      shared.notes.tell(
        .memberUnknown, "PostKit does not know what `\(pair.key)` means and leaves it out.",
        at: file.place(pair.line), origin: origin)
    }
  }

  /// A variable; an annotation such as `@number` says the type of its value.
  static func variable(
    _ pair: BruPair, of file: BrunoFile, _ shared: BrunoShared, origin: String?
  ) -> OriginVariable {
    file.checkAnnotations([pair], origin: origin)
    let type = pair.annotations.map(\.name).last { ["number", "boolean", "object"].contains($0) }
    let place = file.place(pair.line)
    return OriginVariable(
      name: pair.variableName,
      value: shared.value(pair.value, type: type, at: place, origin), isOn: pair.isOn,
      place: place)
  }

  /// The scripts of a file in the order in which Bruno runs them.
  static func scripts(
    of file: BrunoFile, _ shared: BrunoShared, origin: String
  ) throws(OriginFailure) -> [OriginScript] {
    func script(_ phase: OriginScriptPhase, _ block: String) -> OriginScript? {
      file.content(block).flatMap {
        shared.script(phase, $0.text, at: file.place($0.line), origin: origin)
      }
    }
    var scripts = [script(.beforeRequest, "script:pre-request")]
    let pairs = try file.pairs("vars:post-response")
    file.checkAnnotations(pairs, origin: origin)
    let on = pairs.filter(\.isOn)
    scripts.append(
      shared.setting(
        on.map { ($0.variableName, $0.value) }, at: file.place(on.first?.line ?? 1)))
    for pair in pairs where !pair.isOn {
      shared.notes.tell(
        .disabledItem, "The variable `\(pair.variableName)` is switched off and left out.",
        at: file.place(pair.line), origin: origin)
    }
    scripts.append(script(.afterResponse, "script:post-response"))
    scripts.append(script(.afterResponse, "tests"))
    return scripts.compactMap { $0 }
  }
}
