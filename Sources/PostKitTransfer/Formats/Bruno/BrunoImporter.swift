// Collections of Bruno: a folder with `bruno.json`, or a single `.bru` file.

/// Reads what Bruno keeps.
enum BrunoImporter: OriginImporter {
  static let format = OriginFormat.bruno

  /// Whether a source looks like one of this format (IO-4).
  static func recognises(_ source: OriginSource) -> Bool {
    guard let files = source.files else { return isFile(source.lastName) }
    return files.contains { $0.path == BrunoConfig.fileName }
  }

  /// Whether a source may stand beside a collection of this format.
  static func accompanies(_ source: OriginSource) -> Bool {
    // What can't be read is refused when it is imported, not when it is looked at.
    guard source.files == nil, isFile(source.lastName),
      let text = try? BrunoFile.source(TransferFile(path: source.name, bytes: source.bytes)),
      let file = try? BruText(text)
    else { return false }
    return BrunoEnvironmentReader.isEnvironment(file)
  }

  /// Reads a collection and what stands beside it.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    var collection: OriginCollection?
    var environments: [OriginEnvironment] = []
    for source in sources {
      if let files = source.files {
        collection = try folder(files, source, context)
      } else {
        let file = try BrunoFile(
          TransferFile(path: source.name, bytes: source.bytes), notes: context.notes)
        let shared = BrunoShared(notes: context.notes)
        if BrunoEnvironmentReader.isEnvironment(file.text) {
          environments.append(try BrunoEnvironmentReader(file: file, shared: shared).read())
        } else {
          collection = try single(file, source.lastName, shared)
        }
      }
    }
    var result =
      collection
      ?? OriginCollection(
        format: format,
        root: OriginFolder(name: environments.first?.name ?? "", place: OriginPlace()))
    result.environments += environments
    return result
  }

  private static func isFile(_ name: String) -> Bool { name.lowercased().hasSuffix(".bru") }

  // MARK: One file

  /// A request by itself, or what a collection or a folder gives.
  private static func single(
    _ file: BrunoFile, _ fileName: String, _ shared: BrunoShared
  ) throws(OriginFailure) -> OriginCollection {
    var root = OriginFolder(name: file.stem, place: file.place())
    if BrunoRequestReader.isRequest(file.text) {
      var request = try BrunoRequestReader(file, shared, BrunoPosition()).read()
      // The path by which the file was called may be another the next time.
      request.id = fileName
      root.name = request.name
      root.requests = [request]
      return OriginCollection(format: format, root: root)
    }
    let known = ["meta", "headers", "auth", "docs", "vars:pre-request", "script:pre-request"]
    guard file.text.blocks.contains(where: { known.contains($0.name) }) else {
      throw OriginFailure(
        "\(file.path) holds no request and no environment of Bruno's. Import the folder that has "
          + "\(BrunoConfig.fileName).")
    }
    let meta = try file.fields("meta")
    if let name = meta?.filled("name") { root.name = name }
    try BrunoFolderReader(shared: shared).fill(&root, from: file, root.name)
    return OriginCollection(format: format, root: root)
  }

  // MARK: A folder

  private static func folder(
    _ files: [TransferFile], _ source: OriginSource, _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    guard let file = files.first(where: { $0.path == BrunoConfig.fileName }) else {
      throw OriginFailure(
        "\(source.name) has no \(BrunoConfig.fileName). Name the folder of the collection.")
    }
    let config = try BrunoConfig(file, notes: context.notes)
    var shared = BrunoShared(notes: context.notes)
    let attachments = BrunoDotEnv.attach(files, context, to: &shared)
    var tree = BrunoTree()
    var environmentFiles: [TransferFile] = []
    for file in files where isFile(file.name) && !config.ignores(file.path) {
      let parts = file.path.split(separator: "/")
      if parts.count == 2, parts[0] == BrunoEnvironmentReader.folder {
        environmentFiles.append(file)
      } else {
        tree.insert(file, parts[...])
      }
    }
    var environments: [OriginEnvironment] = []
    for file in environmentFiles.sorted(by: { $0.path < $1.path }) {
      let file = try BrunoFile(file, notes: context.notes)
      environments.append(try BrunoEnvironmentReader(file: file, shared: shared).read())
    }
    let name = config.name ?? source.lastName
    var root = try BrunoFolderReader(shared: shared).read(
      tree, name: name, path: "", BrunoPosition()
    ).folder
    // What the whole collection defines lies below its environments, as in Bruno.
    let variables = root.variables
    root.variables = []
    return OriginCollection(
      format: format, root: root, environments: environments, shared: variables,
      attachments: attachments)
  }
}
