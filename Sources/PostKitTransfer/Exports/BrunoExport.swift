// Requests as a folder of `.bru` files.

import PostKitJSON

/// Writes folders for Bruno.
enum BrunoExport {
  /// Makes the files. What can't be said is told.
  static func files(of collection: ExportedCollection, _ notes: ExportNotes) -> [TransferFile] {
    let items = BrunoItems(collection, notes)
    let layout = BrunoLayout(
      collection, ending: ".bru", taken: ["collection.bru", "folder.bru", "environments", "bodies"])
    var files: [TransferFile] = []
    func add(_ path: String, _ blocks: [String]) {
      files.append(TransferFile(path: path, bytes: Array(blocks.joined(separator: "\n").utf8)))
    }
    for place in layout.requests {
      add(place.path, blocks(of: items.item(place.index, position: place.position)))
    }
    for folder in layout.folders {
      add(
        folder.path + "folder.bru",
        [
          pairs(
            "meta", [("name", ExportNotes.oneLine(folder.name)), ("seq", "\(folder.position)")])
        ])
    }
    let values = collection.variables.filter { $0.value != nil }.map {
      ($0.name, items.text($0.value ?? ExportedText()))
    }
    var root: [String] = []
    if !values.isEmpty { root.append(pairs("vars:pre-request", values)) }
    let left = collection.omissionLines + notes.lines
    if !left.isEmpty { root.append(text("docs", left.joined(separator: "\n"))) }
    if !root.isEmpty { add("collection.bru", root) }
    var names = PortableFileNames(taken: [])
    for environment in collection.environmentsWithSecrets {
      add(
        "environments/"
          + names.name(for: environment.name, extension: ".bru", fallback: "environment"),
        self.environment(environment, items))
    }
    return [TransferFile(path: "bruno.json", bytes: configuration(collection.name))] + files
      + items.attached.files
  }

  private static func configuration(_ name: String) -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.write([
      "version": "1", "name": .string(name), "type": "collection",
      "ignore": ["node_modules", ".git"],
    ])
    return writer.bytes + [10]
  }

  private static func environment(
    _ environment: ExportedEnvironment, _ items: BrunoItems
  ) -> [String] {
    let values = environment.variables.filter { $0.value != nil }
    let secrets = environment.variables.filter { $0.value == nil }
    var blocks = [pairs("vars", values.map { ($0.name, items.text($0.value ?? ExportedText())) })]
    if !secrets.isEmpty {
      let names = secrets.map { "  \($0.name)" }.joined(separator: ",\n")
      blocks.append("vars:secret [\n\(names)\n]\n")
    }
    return blocks
  }

  // MARK: - Requests

  /// The methods that have a block of their own name.
  private static let methods: Set<String> = [
    "get", "post", "put", "delete", "patch", "options", "head", "connect", "trace",
  ]

  private static func blocks(of item: BrunoItem) -> [String] {
    var meta = [("name", item.name), ("type", "http"), ("seq", "\(item.position)")]
    if !item.tags.isEmpty {
      meta.append(("tags", "[\n" + item.tags.map { "    \($0)\n" }.joined() + "  ]"))
    }
    var blocks = [pairs("meta", meta, keepsLines: true), head(item)]
    if !item.headers.isEmpty {
      blocks.append(pairs("headers", item.headers.map { ($0.name, $0.value) }))
    }
    if item.auth.kind != "none" {
      blocks.append(pairs("auth:" + item.auth.kind, item.auth.fields.map { ($0.name, $0.value) }))
    }
    blocks += body(item.body)
    if !item.sets.isEmpty {
      blocks.append(pairs("vars:post-response", item.sets.map { ($0.name, $0.value) }))
    }
    if !item.assertions.isEmpty {
      blocks.append(
        pairs(
          "assert",
          item.assertions.map { one in
            (one.expression, one.comparison + (one.value.isEmpty ? "" : " " + one.value))
          }))
    }
    if !item.before.isEmpty {
      blocks.append(text("script:pre-request", item.before.joined(separator: "\n")))
    }
    if !item.after.isEmpty {
      blocks.append(text("script:post-response", item.after.joined(separator: "\n")))
    }
    // Bruno would encode once more what is encoded here already, so that it is asked for nowhere.
    var settings = item.encodesURL ? [] : [("encodeUrl", "false")]
    if let timeout = item.timeout { settings.append(("timeout", "\(timeout)")) }
    if !item.followsRedirects { settings.append(("followRedirects", "false")) }
    if let most = item.maxRedirects { settings.append(("maxRedirects", "\(most)")) }
    if !settings.isEmpty { blocks.append(pairs("settings", settings)) }
    if !item.docs.isEmpty { blocks.append(text("docs", item.docs)) }
    return blocks
  }

  private static func head(_ item: BrunoItem) -> String {
    let word = item.method.lowercased()
    let isKnown = methods.contains(word) && item.method == item.method.uppercased()
    let body =
      switch item.body {
      case .none: "none"
      case .text(let kind, _): kind
      case .form: "formUrlEncoded"
      case .multipart: "multipartForm"
      case .file: "file"
      }
    let fields = [("url", item.url), ("body", body), ("auth", item.auth.kind)]
    return isKnown ? pairs(word, fields) : pairs("http", [("method", item.method)] + fields)
  }

  private static func body(_ body: BrunoItem.Body) -> [String] {
    switch body {
    case .none: []
    case .text(let kind, let content): [text("body:" + kind, content)]
    case .form(let fields): [pairs("body:form-urlencoded", fields.map { ($0.name, $0.value) })]
    case .multipart(let parts):
      [
        pairs(
          "body:multipart-form",
          parts.map { part in
            let type = part.contentType.map { " @contentType(\($0))" } ?? ""
            return (part.name, (part.isFile ? "@file(\(part.value))" : part.value) + type)
          })
      ]
    case .file(let path, let type):
      [
        pairs(
          "body:file", [("file", "@file(\(path))" + (type.map { " @contentType(\($0))" } ?? ""))])
      ]
    }
  }

  // MARK: - Blocks

  private static func pairs(
    _ name: String, _ pairs: [(String, String)], keepsLines: Bool = false
  ) -> String {
    "\(name) {\n"
      + pairs.map { "  \(key($0.0)): \(keepsLines ? $0.1 : value($0.1))\n" }.joined() + "}\n"
  }

  /// A key, in quotes where it has signs that end or change one.
  private static func key(_ name: String) -> String {
    let isPlain =
      !name.isEmpty && !name.contains(where: \.isNewline)
      && !name.utf8.contains { " \t:\"{}[]~@#'".utf8.contains($0) }
    guard !isPlain, !name.hasPrefix("res.") || name.contains(":") else { return name }
    return "\"" + ExportNotes.oneLine(name).replacing("\"", with: "\\\"") + "\""
  }

  private static func value(_ text: String) -> String {
    guard text.contains(where: \.isNewline) else { return text }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return "'''\n" + lines.map { "    \($0)\n" }.joined() + "  '''"
  }

  private static func text(_ name: String, _ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return "\(name) {\n" + lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined() + "}\n"
  }
}
