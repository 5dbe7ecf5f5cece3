// The table of settings, protocol/settings.json, and what it is in JSON.

import PostKitJSON

/// A setting.
struct SettingEntry {
  /// Who may set it.
  enum Holder: String {
    /// A project, a user and an editor.
    case all
    /// A user and their editor, as it holds for all projects.
    case user
    /// A project, as it is an option of its dialect.
    case project
    /// The extension for VS Code, which alone knows it.
    case vscode
  }

  /// What its value may be.
  enum Kind: String {
    case text, file, files, flag, count, milliseconds, certificates, choice
  }

  let key: String
  let kind: Kind
  let holder: Holder
  /// The Swift type of a choice.
  let type: String?
  /// The values of a choice, with a sentence each where there are some.
  let values: [(value: JSONValue, sentence: String?)]
  let usual: JSONValue?
  let summary: String
  /// Whether a folder that is not trusted may not set it.
  let isRestricted: Bool
  /// What VS Code alone has of it: its key there, or members of its property.
  let vscode: JSONValue

  /// Reads an entry; throws where something is missing or unknown.
  init(_ view: JSONView) throws(ModelFailure) {
    key = view["key"]?.string ?? ""
    guard let kind = Kind(rawValue: view["kind"]?.string ?? ""),
      let holder = Holder(rawValue: view["in"]?.string ?? "all")
    else { throw ModelFailure("the setting \(key) has no kind or no holder that is known") }
    (self.kind, self.holder) = (kind, holder)
    type = view["type"]?.string
    let words = view["values"]
    values =
      (words?.elements ?? []).map { ($0.value, nil) }
      + (words?.members ?? []).map { (.string($0.key.string ?? ""), $0.value.string) }
    usual = view["default"]?.value
    summary = view["summary"]?.string ?? ""
    isRestricted = view["restricted"]?.bool ?? false
    vscode = view["vscode"]?.value ?? .object([])
    guard (kind == .choice) == !values.isEmpty, summary.hasSuffix("."), !summary.contains("PK-")
    else {
      throw ModelFailure("the setting \(key) needs a summary for users, and a choice its values")
    }
    if kind == .choice, holder == .all || holder == .user, type == nil {
      throw ModelFailure("the choice \(key) needs a type")
    }
  }

  /// Its name in Swift.
  var name: String {
    let parts = key.split(separator: ".")
    return (parts.first.map(String.init) ?? "")
      + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// What is said where `postkit.json` is meant, too.
  var effect: String { holder == .user ? " It has no effect in `postkit.json`." : "" }

  /// The members of a JSON schema that say what its value may be.
  var form: [JSONMember] {
    var members: [JSONMember] = []
    switch kind {
    case .text, .file: members.append(JSONMember("type", "string"))
    case .files:
      members = [
        JSONMember("type", "array"),
        JSONMember("items", .object([JSONMember("type", "string")])),
      ]
    case .flag: members.append(JSONMember("type", "boolean"))
    case .certificates: members.append(JSONMember("type", "object"))
    case .count, .milliseconds:
      members = [
        JSONMember("type", "integer"), JSONMember("minimum", 0),
        // What every reader of JSON keeps as it is.
        JSONMember("maximum", 9_007_199_254_740_991),
      ]
    case .choice: members.append(JSONMember("enum", .array(values.map(\.value))))
    }
    return members + (usual.map { [JSONMember("default", $0)] } ?? [])
  }
}

/// The table.
struct SettingsTable {
  /// What the schema says of itself.
  let title: String
  let description: String
  /// The settings, in groups as an editor shows them.
  let groups: [(title: String, settings: [SettingEntry])]

  /// All of them that the server knows, the options of a dialect last.
  var settings: [SettingEntry] { groups.flatMap(\.settings).filter { $0.holder != .vscode } }

  /// Reads the table; throws where something is wrong with it.
  init(_ view: JSONView) throws(ModelFailure) {
    title = view["title"]?.string ?? ""
    description = view["description"]?.string ?? ""
    var groups: [(String, [SettingEntry])] = []
    var keys: Set<String> = []
    for group in view["groups"]?.elements ?? [] {
      var settings: [SettingEntry] = []
      for item in group["settings"]?.elements ?? [] {
        let entry = try SettingEntry(item)
        guard !entry.key.isEmpty, keys.insert(entry.key).inserted else {
          throw ModelFailure("the setting \(entry.key) stands in the table twice")
        }
        settings.append(entry)
      }
      groups.append((group["title"]?.string ?? "", settings))
    }
    self.groups = groups
  }

  /// The JSON schema of `postkit.json`, a line for each setting.
  var schema: String {
    var lines = [(name: "$schema", value: JSONValue.object([JSONMember("type", "string")]))]
    for entry in settings {
      let members = entry.form + [JSONMember("description", .string(entry.summary + entry.effect))]
      lines.append((entry.key, .object(members)))
    }
    let keys = settings.map(\.key)
    for group in prefixes {
      let members = keys.filter { $0.hasPrefix(group + ".") }.map { key in
        JSONMember(String(key.dropFirst(group.count + 1)), ["$ref": .string("#/properties/\(key)")])
      }
      lines.append(
        (group, ["type": "object", "properties": .object(members), "additionalProperties": false]))
    }
    let properties = lines.map { "    \(quoted($0.name)): \($0.value.line())" }
    return """
      {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": \(quoted(title)),
        "description": \(quoted(description)),
        "type": "object",
        "properties": {
      \(properties.joined(separator: ",\n"))
        },
        "additionalProperties": false
      }

      """
  }

  /// What settings can be members of, in the order in which they come.
  private var prefixes: [String] {
    let keys = settings.map(\.key)
    var found: [String] = []
    for key in keys {
      guard let dot = key.firstIndex(of: "."), !keys.contains(String(key[..<dot])) else { continue }
      if found.last != String(key[..<dot]) { found.append(String(key[..<dot])) }
    }
    return found
  }

  private func quoted(_ text: String) -> String { JSONValue.string(text).text }
}

extension SettingsTable {
  /// The block `configuration` of the extension's manifest.
  var configuration: JSONValue {
    var order = 0
    let shown = groups.map { ($0.title, $0.settings.filter { $0.holder != .project }) }
      .filter { !$0.1.isEmpty }
    return .array(
      shown.enumerated().map { place, group in
        let properties = group.1.map { entry in
          defer { order += 1 }
          return JSONMember("postkit." + entry.vscodeKey, .object(entry.property(order: order)))
        }
        return ["title": .string(group.0), "order": .int(place), "properties": .object(properties)]
      })
  }

  /// The settings that no folder without trust may set, as the manifest lists them.
  var restricted: JSONValue {
    .array(
      groups.flatMap(\.settings).filter { $0.isRestricted || $0.holder == .user }
        .map { "postkit." + $0.vscodeKey }.sorted().map(JSONValue.string))
  }
}

extension SettingEntry {
  /// Its key in VS Code.
  fileprivate var vscodeKey: String { vscode["key"]?.string ?? key }

  /// Its property in VS Code.
  fileprivate func property(order: Int) -> [JSONMember] {
    var members = form
    if kind == .choice { members.insert(JSONMember("type", "string"), at: 0) }
    if let place = members.firstIndex(where: { $0.key == "enum" }) {
      let sentences = values.compactMap(\.sentence).map(JSONValue.string)
      members.insert(JSONMember("enumDescriptions", .array(sentences)), at: place + 1)
    }
    let name =
      vscodeKey == key ? "" : " Other editors and `postkit.json` call this setting `\(key)`."
    members += [
      JSONMember("scope", holder == .user ? "application" : "resource"),
      JSONMember("order", .int(order)),
      JSONMember("markdownDescription", .string(summary + name)),
    ]
    guard case .object(let own) = vscode else { return members }
    for member in own where member.key != "key" {
      if let place = members.firstIndex(where: { $0.key == member.key }) {
        members[place] = member
      } else {
        members.append(member)
      }
    }
    return members
  }
}
