// Collections in the form of OpenCollection: a folder of YAML files, or one file with all in it.

import PostKitYAML

/// Reads OpenCollection.
enum OpenCollectionImporter: OriginImporter {
  static let format = OriginFormat.opencollection

  /// The file at the root of a folder.
  private static let rootNames: Set<String> = ["opencollection.yml", "opencollection.yaml"]
  /// How far a file is looked at to recognise it.
  private static let firstLook = 64 << 10

  /// Whether a source looks like one of this format (IO-4).
  static func recognises(_ source: OriginSource) -> Bool {
    if let files = source.files { return files.contains { rootNames.contains($0.path) } }
    let head = source.bytes.prefix(firstLook)
    // In YAML and in JSON it is a name at the beginning of a line.
    return head.split(separator: 0x0A).contains { line in
      let text = line.drop { [0x20, 0x09, 0x0D, 0x7B, 0x22, 0x27, 0xEF, 0xBB, 0xBF].contains($0) }
      guard text.starts(with: Array("opencollection".utf8)) else { return false }
      let rest = text.dropFirst("opencollection".utf8.count)
      return rest.first { ![0x20, 0x22, 0x27].contains($0) } == 0x3A
    }
  }

  /// Reads a collection and what stands beside it.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    guard let source = sources.first else {
      throw OriginFailure("There is nothing to import. Name a file or a folder.")
    }
    var shared = BrunoShared(notes: context.notes)
    guard let files = source.files else {
      let reader = OpenCollectionReader(shared: shared)
      let file = TransferFile(path: source.name, bytes: source.bytes)
      let root = try reader.object(of: file, at: OriginPlace())
      return reader.collection(root, name: source.lastName, files: nil).collection
    }
    let attachments = BrunoDotEnv.attach(files, context, to: &shared)
    guard let file = files.first(where: { rootNames.contains($0.path) }) else {
      throw OriginFailure(
        "\(source.name) has no opencollection.yml. Name the folder of the collection.")
    }
    let reader = OpenCollectionReader(shared: shared)
    let root = try reader.object(of: file, at: OriginPlace(file: file.path))
    let ignored = OpenCollectionReader.ignoredPaths(root)
    let found = try OpenCollectionFiles(
      files.filter { isFile($0.name) && !rootNames.contains($0.path) && !ignored($0.path) },
      reader: reader)
    var collection = reader.collection(root, name: source.lastName, files: found).collection
    collection.attachments = attachments
    return collection
  }

  private static func isFile(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix(".yml") || name.hasSuffix(".yaml")
  }
}

/// The YAML files of a folder, each taken apart.
struct OpenCollectionFiles {
  /// What a file holds.
  struct File {
    let path: String
    let object: OriginObject
  }

  /// The files of environments.
  private(set) var environments: [File] = []
  /// The file in which the folder says what it gives.
  private(set) var own: File?
  /// The other files of the folder.
  private(set) var files: [File] = []
  /// The folders in it, by their names.
  private(set) var folders: [String: OpenCollectionFiles] = [:]

  /// Takes files apart. What is no YAML fails with its line.
  init(_ files: [TransferFile], reader: OpenCollectionReader) throws(OriginFailure) {
    for file in files.sorted(by: { $0.path < $1.path }) {
      let object = try reader.object(of: file, at: OriginPlace(file: file.path))
      let parts = file.path.split(separator: "/")
      let found = File(path: file.path, object: object)
      if parts.count == 2, parts[0] == "environments" {
        environments.append(found)
      } else {
        insert(found, parts[...])
      }
    }
  }

  private init() {}

  private mutating func insert(_ file: File, _ parts: ArraySlice<Substring>) {
    guard parts.count > 1, let first = parts.first else {
      if parts.first == "folder.yml" || parts.first == "folder.yaml" {
        own = file
      } else {
        files.append(file)
      }
      return
    }
    folders[String(first), default: OpenCollectionFiles()].insert(file, parts.dropFirst())
  }
}
