// Requests as a folder of OpenCollection's YAML.

import PostKitJSON
import PostKitYAML

/// Writes folders of OpenCollection.
enum OpenCollectionExport {
  /// Makes the files. What can't be said is told.
  static func files(of collection: ExportedCollection, _ notes: ExportNotes) -> [TransferFile] {
    let items = BrunoItems(collection, notes)
    let layout = BrunoLayout(
      collection, ending: ".yml",
      taken: ["opencollection.yml", "folder.yml", "environments", "bodies"])
    var files: [TransferFile] = []
    func add(_ path: String, _ members: [JSONMember]) {
      files.append(TransferFile(path: path, bytes: YAMLWriter.text(.object(members))))
    }
    for place in layout.requests {
      add(place.path, members(of: items.item(place.index, position: place.position)))
    }
    for folder in layout.folders {
      add(
        folder.path + "folder.yml",
        [
          JSONMember(
            "info",
            ["name": .string(folder.name), "type": "folder", "seq": .int(folder.position)])
        ])
    }
    var names = PortableFileNames(taken: [])
    for environment in collection.environmentsWithSecrets {
      add(
        "environments/"
          + names.name(for: environment.name, extension: ".yml", fallback: "environment"),
        [
          JSONMember("name", .string(environment.name)),
          JSONMember("variables", .array(environment.variables.map { variable($0, items) })),
        ])
    }
    var root = [
      JSONMember("opencollection", "1.0.0"),
      JSONMember("info", ["name": .string(collection.name)]),
    ]
    let values = collection.variables.filter { $0.value != nil }
    if !values.isEmpty {
      root.append(
        JSONMember("request", ["variables": .array(values.map { variable($0, items) })]))
    }
    let left = collection.omissionLines + notes.lines
    if !left.isEmpty { root.append(JSONMember("docs", .string(left.joined(separator: "\n")))) }
    return [TransferFile(path: "opencollection.yml", bytes: YAMLWriter.text(.object(root)))] + files
      + items.attached.files
  }

  private static func variable(_ variable: ExportedVariable, _ items: BrunoItems) -> JSONValue {
    guard let value = variable.value else {
      return ["secret": true, "name": .string(variable.name)]
    }
    return ["name": .string(variable.name), "value": .string(items.text(value))]
  }

  // MARK: - Requests

  private static func members(of item: BrunoItem) -> [JSONMember] {
    var info = [
      JSONMember("name", .string(item.name)), JSONMember("type", "http"),
      JSONMember("seq", .int(item.position)),
    ]
    if !item.tags.isEmpty {
      info.append(JSONMember("tags", .array(item.tags.map { .string($0) })))
    }
    var members = [JSONMember("info", .object(info)), JSONMember("http", .object(http(item)))]
    let runtime = runtime(item)
    if !runtime.isEmpty { members.append(JSONMember("runtime", .object(runtime))) }
    // Else what is encoded here already would be encoded once more.
    var settings = item.encodesURL ? [] : [JSONMember("encodeUrl", false)]
    if let timeout = item.timeout { settings.append(JSONMember("timeout", .int(timeout))) }
    if !item.followsRedirects { settings.append(JSONMember("followRedirects", false)) }
    if let most = item.maxRedirects { settings.append(JSONMember("maxRedirects", .int(most))) }
    if !settings.isEmpty { members.append(JSONMember("settings", .object(settings))) }
    if !item.docs.isEmpty { members.append(JSONMember("docs", .string(item.docs))) }
    return members
  }

  private static func http(_ item: BrunoItem) -> [JSONMember] {
    var members = [
      JSONMember("method", .string(item.method)), JSONMember("url", .string(item.url)),
    ]
    if !item.headers.isEmpty {
      members.append(JSONMember("headers", .array(item.headers.map(pair))))
    }
    switch item.body {
    case .none: break
    case .text(let kind, let text):
      members.append(JSONMember("body", ["type": .string(kind), "data": .string(text)]))
    case .form(let pairs):
      members.append(
        JSONMember("body", ["type": "form-urlencoded", "data": .array(pairs.map(pair))]))
    case .multipart(let parts):
      members.append(
        JSONMember("body", ["type": "multipart-form", "data": .array(parts.map(part))]))
    case .file(let path, let type):
      var file = [JSONMember("filePath", .string(path))]
      if let type { file.append(JSONMember("contentType", .string(type))) }
      file.append(JSONMember("selected", true))
      members.append(JSONMember("body", ["type": "file", "data": [.object(file)]]))
    }
    guard item.auth.kind != "none" else { return members + [JSONMember("auth", "none")] }
    let fields = item.auth.fields.map { JSONMember($0.name, .string($0.value)) }
    let auth = item.auth.kind == "oauth2" ? OpenCollectionClient.nested(fields) : fields
    return members + [
      JSONMember("auth", .object([JSONMember("type", .string(item.auth.kind))] + auth))
    ]
  }

  private static func pair(_ pair: BrunoItem.Pair) -> JSONValue {
    ["name": .string(pair.name), "value": .string(pair.value)]
  }

  private static func part(_ part: BrunoItem.Part) -> JSONValue {
    var members = [
      JSONMember("name", .string(part.name)), JSONMember("type", part.isFile ? "file" : "text"),
      JSONMember("value", part.isFile ? [.string(part.value)] : .string(part.value)),
    ]
    if let type = part.contentType { members.append(JSONMember("contentType", .string(type))) }
    return .object(members)
  }

  private static func runtime(_ item: BrunoItem) -> [JSONMember] {
    var members: [JSONMember] = []
    let scripts = [("before-request", item.before), ("after-response", item.after)]
      .filter { !$0.1.isEmpty }
    if !scripts.isEmpty {
      members.append(
        JSONMember(
          "scripts",
          .array(
            scripts.map { type, lines in
              ["type": .string(type), "code": .string(lines.joined(separator: "\n"))]
            })))
    }
    if !item.assertions.isEmpty {
      members.append(
        JSONMember(
          "assertions",
          .array(
            item.assertions.map { one in
              var members = [
                JSONMember("expression", .string(one.expression)),
                JSONMember("operator", .string(one.comparison)),
              ]
              if !one.value.isEmpty { members.append(JSONMember("value", .string(one.value))) }
              return .object(members)
            })))
    }
    if !item.sets.isEmpty {
      members.append(
        JSONMember(
          "actions",
          .array(
            item.sets.map { set in
              [
                "type": "set-variable", "phase": "after-response",
                "selector": ["expression": .string(set.value), "method": "jsonq"],
                "variable": ["name": .string(set.name), "scope": "runtime"],
              ]
            })))
    }
    return members
  }
}
