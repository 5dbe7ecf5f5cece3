// Folders of request files as collections: those that PostKit wrote, and those that people have.

package import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitSyntax
import PostKitText

/// Reads folders of `.http` and `.rest` files with the environments beside them.
package struct RequestFolderReader: Importer {
  package static let format = "http"
  package static let title = "request files"
  package static let endings = [".http", ".rest"]
  package static let expectation =
    "Give one with a line such as `GET https://example.com`, a curl command or a URL."

  /// The folder on the disk; `nil` where the files are from elsewhere.
  private var root: String?
  /// How the project reads files that name no preset.
  let reading: FileReading
  /// Told the path of each file that is taken apart: a folder may have thousands.
  package var onFile: @Sendable (String) -> Void = { _ in }

  /// Makes a reader for files that a project reads in a way.
  package init(reading: FileReading = FileReading()) { self.reading = reading }

  /// Whether there is a request file among the files.
  package func recognises(_ files: [TransferFile]) -> Bool {
    files.contains { FolderFiles.isRequestFile($0.name) }
  }

  /// Whether any request of a file was meant as one: to the parser any line is one, with GET
  /// before it.
  package func holdsRequest(_ file: TransferFile) -> Bool {
    reading.document(file.bytes, format: .http).blocks.contains(where: \.isMeant)
  }

  /// Reads a folder.
  package func read(_ files: [TransferFile], name: String) -> ImportResult {
    var tree = Directory(name: name)
    for file in files.sorted(by: { $0.path < $1.path }) {
      tree.add(file, file.path.split(separator: "/").map(String.init)[...])
    }
    var warnings: [String] = []
    let manifest = manifest(of: tree, "", &warnings)
    let folder = self.folder(tree, manifest, "", &warnings)
    return ImportResult(
      collection: ImportedCollection(
        name: folder.name, folders: folder.folders, requests: folder.requests,
        environments: environments(tree, manifest, &warnings),
        activeEnvironment: manifest.activeEnvironment),
      // A name of a file may have line feeds.
      warnings: warnings.map(\.oneLine))
  }

  /// The files as they lie in directories.
  private struct Directory {
    var name: String
    var files: [TransferFile] = []
    var directories: [Directory] = []

    /// Adds a file behind those whose paths sort before its own.
    mutating func add(_ file: TransferFile, _ path: ArraySlice<String>) {
      guard let first = path.first, path.count > 1 else { return files.append(file) }
      if directories.last?.name != first { directories.append(Directory(name: first)) }
      directories[directories.count - 1].add(file, path.dropFirst())
    }

    func file(_ name: String) -> TransferFile? { files.first { $0.name == name } }
  }

  /// Reads what was found at a path, a folder or one request file, by whose name the collection is
  /// called where it does not say another.
  package func read(_ found: FolderFiles.Contents, at path: String) -> ImportResult {
    let name = FilePath.name(path)
    var result: ImportResult
    var reader = self
    if let file = found.files.first, found.isOneFile {
      reader.root = FilePath.parent(path)
      result = reader.read(file, name: FolderFiles.title(ofRequestFile: name))
    } else {
      reader.root = path
      result = reader.read(found.files, name: name)
    }
    result.warnings = found.warnings.map(\.oneLine) + result.warnings
    return result
  }

  /// Reads one request file: its requests are those of the collection.
  package func read(_ file: TransferFile, name: String) -> ImportResult {
    var result = read([file], name: name)
    if let folder = result.collection.folders.first {
      (result.collection.requests, result.collection.folders) = (folder.requests, [])
    }
    return result
  }

  /// Whether a file is to be read as requests; one that can't be is told.
  private func isReadable(_ file: TransferFile, _ warnings: inout [String]) -> Bool {
    guard FolderFiles.isRequestFile(file.name) else { return false }
    let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]
    guard marks.contains(where: { file.bytes.starts(with: $0) }) else { return true }
    warnings.append("\(file.path) is left out: it is UTF-16. Save it as UTF-8.")
    return false
  }

  private func manifest(
    of directory: Directory, _ path: String, _ warnings: inout [String]
  ) -> FolderManifest {
    guard let file = directory.file(FolderManifest.fileName) else { return FolderManifest() }
    if let manifest = FolderManifest(file.bytes) { return manifest }
    warnings.append("\(path)\(FolderManifest.fileName) is ignored: it is not a JSON object.")
    return FolderManifest()
  }

  private func folder(
    _ directory: Directory, _ manifest: FolderManifest, _ path: String,
    _ warnings: inout [String]
  ) -> ImportedFolder {
    var folder = ImportedFolder(name: manifest.name ?? directory.name)
    let files = directory.files.filter { isReadable($0, &warnings) }
    let listed = (requests: Set(manifest.requests), folders: Set(manifest.folders))
    var folders: [(name: String, folder: ImportedFolder)] = []
    for file in ordered(files, by: manifest.requests, \.name) {
      onFile(file.path)
      // What PostKit has written is one request, whatever it says, and read as its manifest says.
      let isRequest = listed.requests.contains(file.name)
      let noted = manifest.dialect(of: file, &warnings)
      let project = reading.preset == .auto ? nil : reading.preset
      let preset = isRequest ? noted : noted ?? project
      let document = FileReading(preset: preset ?? .auto).document(file.bytes, format: .http)
      if isRequest || !listed.folders.contains(file.name) && isOneText(document) {
        let bytes = noted.map { DialectLine.removed($0, from: file.bytes) } ?? file.bytes
        let isNamed = DialectPreset.named(by: bytes) != nil
        folder.requests.append(
          ImportedRequest(
            source: String(keeping: bytes), dialect: isNamed ? nil : preset?.rawValue,
            file: origin(of: file), path: file.path))
      } else {
        folders.append((file.name, requests(of: file, document, preset, &warnings)))
      }
    }
    for child in directory.directories {
      let isListed = listed.folders.contains(child.name)
      let place = "\(path)\(child.name)/"
      let inner = self.folder(child, self.manifest(of: child, place, &warnings), place, &warnings)
      // The file of a folder and the directory with its folders are one.
      if isListed, let place = folders.firstIndex(where: {
        listed.folders.contains($0.name) && $0.name == child.name + ".http"
      }) {
        folders[place].folder.name = inner.name
        folders[place].folder.folders += inner.folders
        folders[place].folder.requests += inner.requests
        continue
      }
      // Directories of other things, such as pictures, are none of ours.
      if isListed || !inner.folders.isEmpty || !inner.requests.isEmpty {
        folders.append((child.name, inner))
      }
    }
    folder.folders = ordered(folders, by: manifest.folders, \.name).map(\.folder)
    // The environments of a collection lie at its top.
    let own = path.isEmpty ? FolderManifest.ownFiles : [FolderManifest.fileName]
    for file in directory.files
    where !FolderFiles.isRequestFile(file.name) && !own.contains(file.name) {
      warnings.append("\(file.path) is left out: collections have no place for it.")
    }
    return folder
  }

  /// Things in the order of their names in a list; the others behind them as they are.
  private func ordered<Thing>(
    _ things: [Thing], by names: [String], _ name: (Thing) -> String
  ) -> [Thing] {
    let places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    return things.enumerated().sorted { left, right in
      (places[name(left.element)] ?? .max, left.offset)
        < (places[name(right.element)] ?? .max, right.offset)
    }.map(\.element)
  }

  /// Where a file lies on the disk.
  private func origin(of file: TransferFile) -> String? {
    root.map { FilePath.join($0, file.path) }
  }

  /// Whether a file is kept as it is: one request, or several blocks of which none is one.
  private func isOneText(_ document: ParsedDocument) -> Bool {
    document.blocks.count == 1 || !document.blocks.contains(where: \.isRunnable)
  }

  /// The requests of a file of several, each with what it needs of the file.
  private func requests(
    of file: TransferFile, _ document: ParsedDocument, _ preset: DialectPreset?,
    _ warnings: inout [String]
  ) -> ImportedFolder {
    let reading = FileReading(preset: preset ?? .auto, knobs: reading.knobs)
    let splitter = RequestSplitter(document, reading.dialect(of: document))
    var folder = ImportedFolder(name: FolderFiles.title(ofRequestFile: file.name))
    let dialect = DialectPreset.named(by: file.bytes) ?? preset
    folder.requests = splitter.texts.map { text in
      let isNamed = DialectPreset.named(by: text.keptBytes) == dialect
      return ImportedRequest(
        source: text, dialect: isNamed ? nil : dialect?.rawValue, file: origin(of: file))
    }
    warnings += splitter.changedLines.map {
      "\(file.path):\($0): this request can't be taken out of its file unchanged, because names "
        + "that it uses are defined more than once. Compare what both send, and correct the "
        + "stored one."
    }
    if let first = splitter.leftLines.first {
      let more = splitter.leftLines.count - 1
      warnings.append(
        "\(file.path):\(first): text between the requests becomes a comment of the first"
          + (more == 0 ? "." : ", \(more) more line\(more == 1 ? "" : "s") of the file too."))
    }
    return folder
  }

  /// The environments beside the top of the folder; what stands in the private file is secret, and
  /// is so in place of a plain value of the same name.
  private func environments(
    _ tree: Directory, _ manifest: FolderManifest, _ warnings: inout [String]
  ) -> [ImportedEnvironment] {
    var result: [ImportedEnvironment] = []
    for (name, isSecret) in [
      (FolderManifest.environmentFile, false), (FolderManifest.privateFile, true),
    ] {
      guard let file = tree.file(name) else { continue }
      // What can't be read is told below.
      guard let root = try? JSONTree(parsing: file.bytes).root.value, case .object = root else {
        warnings.append("\(name) is not a JSON object, so its environments are left out.")
        continue
      }
      for member in FolderManifest.members(root) {
        let variables = FolderManifest.members(member.value).map { variable in
          ImportedVariable(
            name: variable.key, value: variable.value.string ?? variable.value.text,
            isSecret: isSecret)
        }
        if let place = result.firstIndex(where: { $0.name == member.key }) {
          result[place].override(with: variables)
        } else {
          result.append(ImportedEnvironment(name: member.key, variables: variables))
        }
      }
    }
    for index in result.indices {
      let secrets = manifest.secrets.last { $0.key == result[index].name }?.value
      for secret in FolderManifest.members(secrets) {
        if result[index].makeSecret(secret.key) { continue }
        let place = min(max(secret.value.int ?? .max, 0), result[index].variables.count)
        result[index].variables.insert(
          ImportedVariable(name: secret.key, value: nil, isSecret: true), at: place)
      }
    }
    return result
  }
}

extension ImportedEnvironment {
  /// Adds variables, which stand for those of the same names that are there.
  fileprivate mutating func override(with others: [ImportedVariable]) {
    for other in others {
      if let place = variables.firstIndex(where: { $0.name == other.name }) {
        let value = Self.joined(variables[place].value, other.value)
        variables[place] = other
        variables[place].value = value
      } else {
        variables.append(other)
      }
    }
  }

  /// The members of two objects in one, as those of a sign-in that is public in part; the second
  /// value where they are none.
  private static func joined(_ value: String?, _ other: String?) -> String? {
    guard let value, let other,
      // What is no JSON is no object.
      case .object(let members)? = try? JSONTree(parsing: Array(value.utf8)).root.value,
      case .object(let others)? = try? JSONTree(parsing: Array(other.utf8)).root.value
    else { return other }
    return joined(members, others).text
  }

  private static func joined(_ members: [JSONMember], _ others: [JSONMember]) -> JSONValue {
    var result = members
    for other in others {
      guard let place = result.firstIndex(where: { $0.key == other.key }) else {
        result.append(other)
        continue
      }
      if case .object(let mine) = result[place].value, case .object(let theirs) = other.value {
        result[place].value = joined(mine, theirs)
      } else {
        result[place] = other
      }
    }
    return .object(result)
  }

  /// Makes the variables of a name secrets; whether there is one.
  fileprivate mutating func makeSecret(_ name: String) -> Bool {
    var isThere = false
    for place in variables.indices where variables[place].name == name {
      variables[place].isSecret = true
      isThere = true
    }
    return isThere
  }
}

extension ParsedBlock {
  /// Whether the block has what only a request has: a known method, a curl command, a line that
  /// runs others, or a target that can be a URL. Prose has none of them.
  fileprivate var isMeant: Bool {
    guard isRunnable else { return false }
    guard let request else { return true }
    if request.curl != nil { return true }
    if let method = request.method {
      let word = text(method)
      if word.hasPrefix("{{") || MethodCatalog.isKnown(word.uppercased()) { return true }
    }
    return ParsedBlock.canBeURL(writtenTarget)
  }

  private static func canBeURL(_ target: String) -> Bool {
    guard let first = target.unicodeScalars.first else { return false }
    if target.hasPrefix("{{") || target.contains("://") || first == "/" { return true }
    // A host alone, with a port, a path or a domain.
    let isHost = first == "[" || first.properties.isAlphabetic || ("0"..."9").contains(first)
    return isHost && !target.contains(" ") && target.contains { "./:".contains($0) }
      && !target.hasSuffix(".") && !target.hasSuffix(":")
  }
}
