// Collections to write, and what the written folders mean.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

@testable import PostKitTransfer

/// Collections and folders for tests.
enum WrittenSample {
  static let place = OriginPlace().member("item")

  static func request(
    _ name: String, _ url: String = "http://a.test/x", method: String = "GET",
    change: (inout OriginRequest) -> Void = { _ in }
  ) -> OriginRequest {
    var request = OriginRequest(
      id: name, name: name, place: place.member(name), url: OriginText(url))
    request.method = method
    change(&request)
    return request
  }

  static func folder(
    _ name: String, _ requests: [OriginRequest] = [], _ folders: [OriginFolder] = [],
    change: (inout OriginFolder) -> Void = { _ in }
  ) -> OriginFolder {
    var folder = OriginFolder(name: name, place: place.member(name))
    folder.requests = requests
    folder.folders = folders
    change(&folder)
    return folder
  }

  static func collection(
    _ requests: [OriginRequest] = [], _ folders: [OriginFolder] = [],
    change: (inout OriginCollection) -> Void = { _ in }
  ) -> OriginCollection {
    var collection = OriginCollection(format: .postman, root: folder("Shop", requests, folders))
    change(&collection)
    return collection
  }

  static func variable(
    _ name: String, _ value: String?, isSecret: Bool = false, isOn: Bool = true
  ) -> OriginVariable {
    OriginVariable(
      name: name, value: value.map { .text($0) }, isSecret: isSecret, isOn: isOn, place: place)
  }

  static func pair(
    _ name: String, _ value: String?, isOn: Bool = true, description: String = ""
  ) -> OriginPair {
    OriginPair(
      name: OriginText(name), value: value.map { OriginText($0) }, isOn: isOn,
      description: description)
  }
}

/// A folder that was written, with what was told.
struct Written {
  let folder: WrittenFolder
  let notes: [ImportNote]

  init(
    _ collection: OriginCollection, _ options: WritingOptions = WritingOptions(),
    files: [String: OriginFileAnswer] = [:]
  ) {
    let notes = ImportNotes()
    folder = FolderWriter.write(
      collection, options: options, notes: notes, file: { files[$0] ?? .missing },
      haveParts: FileParts.haveParts)
    self.notes = notes.notes
  }

  var paths: [String] { folder.files.map(\.path) }
  var codes: [ImportNoteCode] { notes.map(\.code) }

  func text(_ path: String = "Shop.http") -> String {
    folder.files.first { $0.path == path }?.text ?? "no \(path) but \(paths)"
  }

  func attachment(_ path: String) -> String? {
    folder.attachments.first { $0.path == path }.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  func json(_ file: ([WrittenEnvironment]) -> [UInt8]?) -> String {
    file(folder.environments).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// What a request of a file sends.
  struct Wire: Equatable {
    var method = ""
    var url = ""
    var headers: [String] = []
    var body = ""
    var problems: [String] = []
  }

  /// What each request of a file sends, with the environment files beside it.
  func wires(_ path: String = "Shop.http", environment: String? = nil) -> [Wire] {
    let bytes = Array(text(path).utf8)
    let document = ParsedDocument(bytes: bytes)
    var sources: [EnvironmentSource] = []
    if let file = EnvironmentFilesWriter.publicFile(folder.environments) {
      sources.append(
        EnvironmentSource(
          kind: .publicFile, file: SourceFile(path: "/http-client.env.json", bytes: file)))
    }
    if let file = EnvironmentFilesWriter.privateFile(folder.environments) {
      sources.append(
        EnvironmentSource(
          kind: .privateFile,
          file: SourceFile(path: "/http-client.private.env.json", bytes: file)))
    }
    let scope = Scope(
      document: document, environments: EnvironmentSet(sources: sources, active: environment),
      dialect: FileReading().dialect(of: document))
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let attachments = Dictionary(
      uniqueKeysWithValues: folder.attachments.map { ($0.path, $0.bytes) })
    let context = EvaluationContext(
      now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 7 }, processEnvironment: { _ in nil },
      readFile: { attachments[$0].map { .bytes($0) } ?? .missing },
      resolvePath: { $0.hasPrefix("./") ? directory + $0.dropFirst(2) : $0 },
      exampleServer: { nil }, exchange: { _ in nil })
    return document.requests.map { block in
      let lowered = Lowering.lower(
        block, evaluator: Evaluator(context: context, scope: scope),
        defaults: RequestDefaults(userAgent: ""))
      var wire = Wire()
      wire.problems = lowered.problems.map { "\($0.code)" }
      guard let spec = lowered.spec else { return wire }
      wire.method = spec.method
      wire.url = spec.url
      wire.headers = spec.headers.fields.map { "\($0.name): \($0.value)" }
        .filter { $0 != "Accept: */*" && $0 != "User-Agent: " }
      for chunk in spec.body {
        switch chunk {
        case .bytes(let bytes): wire.body += String(decoding: bytes, as: UTF8.self)
        case .file(let path):
          wire.body += attachments[path].map { String(decoding: $0, as: UTF8.self) } ?? "<\(path)>"
        }
      }
      return wire
    }
  }
}
