// What an import remembers, so that the next one can tell what people have changed (IO-20).

import PostKitJSON

/// The file `postkit-import.json` of a folder. It is made for version control: a line a request,
/// sorted, without times, absolute paths, values, or anything of a secret.
struct ImportManifest: Sendable, Hashable {
  static let fileName = "postkit-import.json"
  /// The version that is written; a file of a higher one is left alone.
  static let version = 1
  /// The option that says that something was fetched.
  static let fetchOption = "fetch"

  /// Why a file is none that can be used.
  enum Failure: Error, Sendable, Hashable {
    /// It is no JSON object of this form; a clause says what is wrong.
    case garbled(String)
    /// It is of a later version.
    case newer(Int)
  }

  /// A request as it was written last.
  struct Request: Sendable, Hashable {
    var file: String
    var title: String
    /// The hash of each part; `nil` where the manifest has none that can be compared.
    var parts = EachPart<UInt64?>(nil)
    /// The short hashes of the pairs of the query and of the headers, by their names.
    var query: NamedHashes = [:]
    var headers: NamedHashes = [:]
    /// The names of variables for its credentials, by what they are for.
    var secrets: [String: String] = [:]
    /// The names of secrets that its headers and its query use, by what they are for there.
    var uses: [String: String] = [:]
    /// Of a collection of the store, the id of what the origin put it into; `nil` where that is not
    /// remembered.
    var container: String?
  }

  /// A file as it was written last.
  struct File: Sendable, Hashable {
    /// The hash of the file's head, or of the whole file where it has no requests.
    var hash: String
    /// The short hashes of the lines of its head, by their names.
    var lines: NamedHashes = [:]
  }

  /// The sources, seen from the folder.
  var sources: [String] = []
  var format = ""
  var name = ""
  var layout = WritingLayout.folder
  /// What was asked for beside the defaults, by the names of options.
  var options: [JSONMember] = []
  /// Files that got other names than their own, because these were taken.
  var renamed: [String: String] = [:]
  var requests: [String: Request] = [:]
  /// Heads of request files that are not empty, and the other files, by their paths.
  var files: [String: File] = [:]
  /// The hash of each value that everybody may read, by environment and name.
  var environments: [String: [String: String]] = [:]

  init() {}
}

extension ImportManifest {
  /// Reads a manifest.
  init(_ bytes: [UInt8]) throws(Failure) {
    let tree: JSONTree
    do throws(JSONSyntaxError) { tree = try JSONTree(parsing: bytes) } catch {
      throw .garbled("\(error.explanation) at byte \(error.offset)")
    }
    let root = tree.root
    guard root.kind == .object else { throw .garbled("it is no JSON object") }
    guard let version = root["version"]?.int else { throw .garbled("it has no `version`") }
    guard version <= Self.version else { throw .newer(version) }
    guard let requests = root["requests"], requests.kind == .object else {
      throw .garbled("it has no `requests`")
    }
    if let source = root["source"] {
      sources = source.string.map { [$0] } ?? source.elements.compactMap(\.string)
    }
    format = root["format"]?.string ?? ""
    name = root["name"]?.string ?? ""
    layout = root["layout"]?.string.flatMap(WritingLayout.init) ?? .folder
    if case .object(let members)? = root["options"]?.value { options = members }
    // A manifest comes with a project, from whomever.
    renamed = Self.texts(root["renamed"]).filter { FolderChanges.isPlain($0.value) }
    for (key, value) in requests.members {
      guard let id = key.string, let file = value["file"]?.string,
        let title = value["title"]?.string
      else { throw .garbled("a request has no `file` or `title`") }
      var request = Request(file: file, title: title)
      for (key, hash) in value["parts"]?.members ?? [] {
        if let part = key.string.flatMap(BlockPart.init) {
          request.parts[part] = hash.string.flatMap(PartHash.number(ofDigits:))
        }
      }
      request.query = Self.hashes(value["query"])
      request.headers = Self.hashes(value["headers"])
      request.secrets = Self.texts(value["secrets"])
      request.uses = Self.texts(value["uses"])
      request.container = value["container"]?.string
      self.requests[id] = request
    }
    for (key, value) in root["files"]?.members ?? [] {
      guard let path = key.string, let hash = value["hash"]?.string else { continue }
      files[path] = File(hash: hash, lines: Self.hashes(value["lines"]))
    }
    for (key, value) in root["environments"]?.members ?? [] {
      if let name = key.string { environments[name] = Self.texts(value) }
    }
  }

  /// Members that are hashes; of equal names the last.
  private static func hashes(_ view: JSONView?) -> NamedHashes {
    guard let view else { return [:] }
    return NamedHashes(
      view.members.reversed().compactMap { key, value in
        value.string.map { PartItem(name: key.string ?? "", text: $0) }
      })
  }

  /// Members that are texts.
  private static func texts(_ view: JSONView?) -> [String: String] {
    var result: [String: String] = [:]
    for (key, value) in view?.members ?? [] {
      if let name = key.string { result[name] = value.string }
    }
    return result
  }
}

extension ImportManifest {
  /// The file; the same content gives the same bytes.
  var bytes: [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.key("version")
    writer.int(Self.version)
    writer.key("source")
    if sources.count == 1 {
      writer.string(sources[0])
    } else {
      writer.raw(JSONValue.array(sources.map(JSONValue.string)).bytes)
    }
    for (key, value) in [("format", format), ("name", name), ("layout", layout.rawValue)] {
      writer.key(key)
      writer.string(value)
    }
    writer.key("options")
    writer.raw(JSONValue.object(options.sorted { $0.key < $1.key }).bytes)
    if !renamed.isEmpty {
      writer.key("renamed")
      writer.onOneLine { Self.write(renamed, to: &$0) }
    }
    Self.write(requests, "requests", to: &writer, Self.write)
    Self.write(files, "files", to: &writer, Self.write)
    Self.write(environments, "environments", to: &writer, Self.write)
    writer.endObject()
    writer.raw("\n".utf8)
    return writer.bytes
  }

  /// A member that is an object with a line for each of its own.
  private static func write<Value>(
    _ values: [String: Value], _ key: String, to writer: inout JSONWriter,
    _ line: (Value, inout JSONWriter) -> Void
  ) {
    writer.key(key)
    writer.beginObject()
    for name in values.keys.sorted(by: { $0.precedesInBytes($1) }) {
      guard let value = values[name] else { continue }
      writer.key(name)
      writer.onOneLine { line(value, &$0) }
    }
    writer.endObject()
  }

  private static func write(_ request: Request, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("file")
    writer.string(request.file)
    writer.key("title")
    writer.string(request.title)
    if let container = request.container {
      writer.key("container")
      writer.string(container)
    }
    writer.key("parts")
    writer.beginObject()
    for part in BlockPart.allCases {
      guard let hash = request.parts[part] else { continue }
      writer.key(part.rawValue)
      writer.string(PartHash.hex(hash, digits: 16))
    }
    writer.endObject()
    for (key, hashes) in [("query", request.query), ("headers", request.headers)]
    where !hashes.isEmpty {
      writer.key(key)
      write(hashes, to: &writer)
    }
    for (key, names) in [("secrets", request.secrets), ("uses", request.uses)]
    where !names.isEmpty {
      writer.key(key)
      write(names, to: &writer)
    }
    writer.endObject()
  }

  private static func write(_ file: File, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("hash")
    writer.string(file.hash)
    if !file.lines.isEmpty {
      writer.key("lines")
      write(file.lines, to: &writer)
    }
    writer.endObject()
  }

  private static func write(_ hashes: NamedHashes, to writer: inout JSONWriter) {
    writer.beginObject()
    for pair in hashes.pairs {
      writer.key(pair.name)
      writer.string(pair.text)
    }
    writer.endObject()
  }

  private static func write(_ texts: [String: String], to writer: inout JSONWriter) {
    writer.beginObject()
    for name in texts.keys.sorted(by: { $0.precedesInBytes($1) }) {
      writer.key(name)
      writer.string(texts[name] ?? "")
    }
    writer.endObject()
  }
}
