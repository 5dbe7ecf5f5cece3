// Requests as a collection of Postman 2.1, with an environment file for each environment.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// Writes Postman collections.
struct PostmanExport {
  private let collection: ExportedCollection
  private let notes: ExportNotes
  private let captures: CapturePlan
  private let texts: BracedTexts
  private let attached: AttachedFiles

  /// The schema that the collection follows.
  private static let schema =
    "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

  /// Makes the collection, called `file`, and the environments beside it. What can't be said is
  /// told.
  static func files(
    of collection: ExportedCollection, file: String, _ notes: ExportNotes
  ) -> [TransferFile] {
    let export = PostmanExport(collection, notes)
    var names = PortableFileNames(taken: [file])
    let environments = collection.environments.map { environment in
      TransferFile(
        path: names.name(
          for: environment.name, extension: ".postman_environment.json", fallback: "environment"),
        bytes: text(export.environment(environment)))
    }
    return [TransferFile(path: file, bytes: text(export.root()))] + environments
      + export.attached.files
  }

  private init(_ collection: ExportedCollection, _ notes: ExportNotes) {
    self.collection = collection
    self.notes = notes
    captures = CapturePlan(collection, isSaid: PostmanScripts.isSaid)
    attached = AttachedFiles("Postman", notes)
    texts = BracedTexts(
      program: "Postman", collection: collection, notes: notes, captures: captures,
      encoding: "Postman encodes a value by its own rules, not as `{{%name}}` does.",
      processPrefix: ""
    ) { "pm.variables.set(\"\($0)\", \($1));" }
  }

  private static func text(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.write(value)
    return writer.bytes + [10]
  }

  private func root() -> JSONValue {
    let items = items(of: collection.requests.indices.filter { isWritten($0) }, below: 0)
    let left = collection.omissionLines.joined(separator: "\n")
    let process = processVariables()
    var info: [JSONMember] = [
      JSONMember("_postman_id", .string(NameUUID.text("postkit:" + collection.name))),
      JSONMember("name", .string(collection.name)),
    ]
    if !left.isEmpty { info.append(JSONMember("description", .string(left))) }
    info.append(JSONMember("schema", .string(Self.schema)))
    return .object([
      JSONMember("info", .object(info)), JSONMember("item", .array(items)),
      JSONMember("variable", .array(collection.variables.map(variable) + process)),
    ])
  }

  /// Whether a request can be written at all; a disabled one can't be switched off there.
  private func isWritten(_ index: Int) -> Bool { collection.requests[index].omission == nil }

  // MARK: - Variables

  private func variable(_ variable: ExportedVariable) -> JSONValue {
    var members: [JSONMember] = [
      JSONMember("key", .string(variable.name)),
      JSONMember("value", .string(variable.value.map { texts.text($0) } ?? "")),
      JSONMember("type", "string"),
    ]
    if variable.isSecret {
      members.append(JSONMember("description", "A secret: its value is not exported."))
    }
    return .object(members)
  }

  /// The variables of the process that requests read: Postman has none, so that they are given.
  private func processVariables() -> [JSONValue] {
    var names: Set<String> = []
    for case .process(let name) in collection.requests.flatMap(\.texts).flatMap(\.references) {
      names.insert(name)
    }
    for case .process(let name) in collection.variables.compactMap(\.value).flatMap(\.references) {
      names.insert(name)
    }
    let known = Set(collection.variables.map(\.name))
    return names.subtracting(known).sorted().map {
      variable(ExportedVariable(name: $0, value: nil, isSecret: true))
    }
  }

  private func environment(_ environment: ExportedEnvironment) -> JSONValue {
    let values = environment.variables.map { variable -> JSONValue in
      [
        "key": .string(variable.name),
        "value": .string(variable.value.map { texts.text($0) } ?? ""),
        "type": variable.isSecret ? "secret" : "default", "enabled": true,
      ]
    }
    return [
      "id": .string(NameUUID.text("postkit:\(collection.name)\n\(environment.name)")),
      "name": .string(environment.name), "values": .array(values),
      "_postman_variable_scope": "environment",
    ]
  }

  // MARK: - Folders

  /// The items of requests that have so many folders in common.
  private func items(of indices: [Int], below depth: Int) -> [JSONValue] {
    var result: [JSONValue] = []
    var done: Set<String> = []
    for index in indices {
      let folder = collection.requests[index].folder
      guard folder.count > depth else {
        result.append(item(index))
        continue
      }
      guard done.insert(folder[depth]).inserted else { continue }
      let inner = indices.filter {
        let other = collection.requests[$0].folder
        return other.count > depth && other[depth] == folder[depth]
      }
      result.append([
        "name": .string(folder[depth]), "item": .array(items(of: inner, below: depth + 1)),
      ])
    }
    return result
  }

  // MARK: - Requests

  private func item(_ index: Int) -> JSONValue {
    let request = collection.requests[index]
    notes.begin(request)
    PostmanParts.tell(request, notes)
    var before = PostmanScripts.form.lines(of: request, isBefore: true, notes)
    let inner = requestMembers(request, &before)
    let after = testLines(index)
    var members: [JSONMember] = [
      JSONMember("name", .string(request.title)),
      JSONMember("id", .string(NameUUID.text("postkit:" + request.id))),
    ]
    let behaviour = PostmanParts.behaviour(request)
    if !behaviour.isEmpty {
      members.append(JSONMember("protocolProfileBehavior", .object(behaviour)))
    }
    let events = [("prerequest", before), ("test", after)].filter { !$0.1.isEmpty }
    if !events.isEmpty {
      members.append(
        JSONMember(
          "event",
          .array(
            events.map { listen, lines in
              [
                "listen": .string(listen),
                "script": ["type": "text/javascript", "exec": .array(lines.map { .string($0) })],
              ]
            })))
    }
    let remarks = notes.remarks(of: request)
    let description = ([request.description] + remarks).filter { !$0.isEmpty }
    var own = inner
    if !description.isEmpty {
      own.append(JSONMember("description", .string(description.joined(separator: "\n"))))
    }
    let responses = request.examples.map { PostmanParts.response($0, to: inner) }
    members += [
      JSONMember("request", .object(own)), JSONMember("response", .array(responses)),
    ]
    return .object(members)
  }

  private func requestMembers(
    _ request: ExportedRequest, _ before: inout [String]
  ) -> [JSONMember] {
    var made: [String] = []
    let string = { (text: ExportedText) -> String in
      texts.text(text, of: request, &made)
    }
    var members = [JSONMember("method", .string(string(request.method)))]
    members.append(
      JSONMember(
        "header",
        .array(
          request.collectionHeaders.map { header in
            ["key": .string(string(header.name)), "value": .string(string(header.value))]
          })))
    if let auth = PostmanAuth.member(of: request, notes, string) {
      members.append(JSONMember("auth", auth))
    }
    if let body = body(request, string) { members.append(JSONMember("body", body)) }
    members.append(JSONMember("url", PostmanParts.url(string(request.url))))
    before = made + before
    if request.delayMilliseconds > 0 {
      before.append("setTimeout(() => {}, \(request.delayMilliseconds));")
    }
    return members
  }

  private func body(
    _ request: ExportedRequest, _ string: (ExportedText) -> String
  ) -> JSONValue? {
    switch request.content {
    case .none: return nil
    case .file(let path): return ["mode": "file", "file": ["src": .string(path)]]
    case .text(let text):
      var members = [JSONMember("mode", "raw"), JSONMember("raw", .string(string(text)))]
      let type = request.mediaType
      let language = type?.isJSON == true ? "json" : type?.isXML == true ? "xml" : "text"
      members.append(JSONMember("options", ["raw": ["language": .string(language)]]))
      return .object(members)
    case .form(let pairs):
      let values = pairs.map { pair -> JSONValue in
        [
          "key": .string(string(pair.name)),
          "value": .string(pair.value.map(string) ?? ""), "type": "text",
        ]
      }
      return ["mode": "urlencoded", "urlencoded": .array(values)]
    case .multipart(let parts):
      let parts = attached.parts(parts, of: request, keepsNames: true)
      return ["mode": "formdata", "formdata": .array(parts.map { part($0, string) })]
    case .mixed:
      notes.tell(
        .fileMissing,
        "Postman can't put a body together of texts and files; it is left out.", of: request)
      return nil
    }
  }

  private func part(
    _ part: ExportedBody.Part, _ string: (ExportedText) -> String
  ) -> JSONValue {
    var members = [JSONMember("key", .string(part.name))]
    switch part.content {
    case .text(let text):
      members += [JSONMember("value", .string(string(text))), JSONMember("type", "text")]
    case .file(let path):
      // What an import writes where the collection names no file.
      let isMissing = path.hasSuffix("FILE-NAME-MISSING")
      members += [
        JSONMember("type", "file"), JSONMember("src", isMissing ? .null : .string(path)),
      ]
    }
    if let name = part.fileName, !part.isNamedByPath {
      members.append(JSONMember("fileName", .string(name)))
    }
    if let type = part.contentType { members.append(JSONMember("contentType", .string(type))) }
    return .object(members)
  }

  // MARK: - Scripts

  private func testLines(_ index: Int) -> [String] {
    let request = collection.requests[index]
    var values: [String] = []
    let scripts = PostmanScripts { text in
      if let literal = text.literal { return JavaScriptCode.literal.short(literal) }
      let written = texts.text(text, of: request, &values)
      return "pm.variables.replaceIn(\(JavaScriptCode.literal.short(written)))"
    }
    var lines = PostmanScripts.lines(of: captures.captures[index] ?? [])
    var checks: [String] = []
    for check in request.checks {
      guard let made = scripts.lines(of: check) else {
        notes.tell(
          .testUnsupported, "The check `\(check.title)` is left out: Postman can't be asked that.",
          of: request)
        continue
      }
      checks += made
    }
    if request.checks.contains(where: \.readsMember) {
      lines.append("const jsonData = pm.response.json();")
    }
    return lines + values + checks + PostmanScripts.form.lines(of: request, isBefore: false, notes)
  }
}
