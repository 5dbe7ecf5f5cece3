// What a folder of request files can't say by itself: names that are no file names, order, secrets.

import PostKitEvaluate
import PostKitJSON
import PostKitText

/// The file `postkit-folder.json` of a folder.
struct FolderManifest: Hashable {
  static let fileName = "postkit-folder.json"
  /// The environments of a collection, as JetBrains' tools call their files.
  static let environmentFile = "http-client.env.json"
  static let privateFile = "http-client.private.env.json"
  /// What is read beside request files.
  static let ownFiles: Set<String> = [fileName, environmentFile, privateFile]

  /// The name of the collection or folder.
  var name: String?
  /// The names of the directories, and of the request files that are folders of requests, in order;
  /// others come behind them.
  var folders: [String] = []
  /// The names of the files that are each one request, in order.
  var requests: [String] = []
  /// The presets of request files that are read otherwise than usual, by file name; such a file
  /// begins with a line that says so and that is none of its request's.
  var dialects: [JSONMember] = []
  /// Of the collection: the environment in use.
  var activeEnvironment: String?
  /// Of the collection: the secrets of each environment, each with its place among the variables.
  var secrets: [JSONMember] = []

  init() {}

  /// Reads a manifest; `nil` where it is none.
  init?(_ bytes: [UInt8]) {
    // What is no JSON is told by whoever asked.
    guard let root = try? JSONTree(parsing: bytes).root.value, case .object = root else {
      return nil
    }
    name = root["name"]?.string
    folders = (root["folders"]?.elements ?? []).compactMap(\.string)
    requests = (root["requests"]?.elements ?? []).compactMap(\.string)
    dialects = FolderManifest.members(root["dialects"])
    activeEnvironment = root["activeEnvironment"]?.string
    secrets = FolderManifest.members(root["secrets"])
  }

  /// The manifest as a file; an entry a line, so that changes of it can be merged.
  var bytes: [UInt8] {
    var members: [JSONMember] = []
    if let name { members.append(JSONMember("name", .string(name))) }
    func add(_ key: String, _ names: [String]) {
      if !names.isEmpty { members.append(JSONMember(key, .array(names.map(JSONValue.string)))) }
    }
    add("folders", folders)
    add("requests", requests)
    if !dialects.isEmpty { members.append(JSONMember("dialects", .object(dialects))) }
    if let activeEnvironment {
      members.append(JSONMember("activeEnvironment", .string(activeEnvironment)))
    }
    if !secrets.isEmpty { members.append(JSONMember("secrets", .object(secrets))) }
    return FolderManifest.lines(.object(members))
  }

  /// The preset that is noted for a file; one that there isn't is told.
  func dialect(of file: TransferFile, _ warnings: inout [String]) -> DialectPreset? {
    guard let noted = dialects.last(where: { $0.key == file.name })?.value else { return nil }
    if let preset = noted.string.flatMap(DialectPreset.init(rawValue:)) { return preset }
    let known = DialectPreset.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    warnings.append(
      "\(file.path) is to be read as `\(noted.substitutionText)`, which is none of \(known), so it "
        + "is read as usual.")
    return nil
  }

  /// JSON on lines of its own, with a line end.
  static func lines(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.write(value)
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// The members of an object; none of anything else.
  static func members(_ value: JSONValue?) -> [JSONMember] {
    if case .object(let members) = value { members } else { [] }
  }
}

/// The line `# @dialect PRESET` at the beginning of a file, so that whoever opens it reads it so;
/// the manifest notes that it is none of the request's own.
enum DialectLine {
  /// The file with the line; one that names a preset itself stays as it is.
  static func added(_ preset: DialectPreset, to bytes: [UInt8]) -> [UInt8] {
    let end = bytes.firstIndex(of: 10) ?? 0
    let isCRLF = end > 0 && bytes[end - 1] == 13
    let mark = bytes.byteOrderMarkLength
    return bytes[..<mark] + line(preset, isCRLF ? "\r\n" : "\n") + bytes[mark...]
  }

  /// The file without the line; one that begins otherwise stays as it is.
  static func removed(_ preset: DialectPreset, from bytes: [UInt8]) -> [UInt8] {
    let mark = bytes.byteOrderMarkLength
    for lineEnd in ["\n", "\r\n"] {
      let line = line(preset, lineEnd)
      guard bytes[mark...].starts(with: line) else { continue }
      return Array(bytes[..<mark] + bytes[(mark + line.count)...])
    }
    return bytes
  }

  private static func line(_ preset: DialectPreset, _ lineEnd: String) -> [UInt8] {
    Array("# @dialect \(preset.rawValue)\(lineEnd)".utf8)
  }
}
