// The names of environment files: the keys of environments and dotenv files, and what their values
// refer to.

package import PostKitEvaluate
import PostKitJSON
import PostKitSyntax

extension EnvironmentSource.Kind {
  /// The form of an environment file by its path; `nil` for any other file.
  package init?(path: String) {
    let parts = path.split(separator: "/")
    let name = parts.last.map(String.init) ?? ""
    switch name {
    case ".env": self = .dotEnv
    case "http-client.env.json": self = .publicFile
    case "http-client.env.json.user": self = .userFile
    case "http-client.private.env.json": self = .privateFile
    case ".httpyac.json": self = .httpyacConfiguration
    case "settings.json" where parts.dropLast().last == ".vscode": self = .editorSettings
    case _ where name.hasSuffix(".code-workspace"): self = .codeWorkspace
    case _ where name.hasPrefix(".env."): self = .namedDotEnv(String(name.dropFirst(5)))
    case _ where name.hasSuffix(".env") && name != ".env":
      self = .namedDotEnv(String(name.dropLast(4)))
    default: return nil
    }
  }
}

extension BlockNames {
  /// Reads the names of an environment file; one that is broken has none.
  convenience init(
    _ bytes: [UInt8], of kind: EnvironmentSource.Kind, resolve: (String) -> String?
  ) {
    var reader = EnvironmentNamesReader(bytes: bytes)
    if kind.isDotEnv {
      reader.readDotEnv()
    } else {
      reader.readJSON(kind)
      reader.resolvePaths(resolve)
    }
    self.init(reader.occurrences, count: bytes.count)
  }

  /// Reads the paths in the settings of a project; one that is broken has none.
  convenience init(settings bytes: [UInt8], resolve: (String) -> String?) {
    var reader = EnvironmentNamesReader(bytes: bytes)
    reader.readSettings()
    reader.resolvePaths(resolve)
    self.init(reader.occurrences, count: bytes.count)
  }
}

extension JSONView {
  /// The clients of `Security.Auth` of an environment, by their names.
  var clients: [(key: JSONView, value: JSONView)] {
    guard let all = self["Security"]?["Auth"], all.kind == .object else { return [] }
    return all.members.filter { $0.value.kind == .object && $0.key.string != nil }
      .map { ($0.key, $0.value) }
  }
}

/// Collects the names of one environment file.
private struct EnvironmentNamesReader {
  let bytes: [UInt8]
  var occurrences: [NameOccurrence] = []

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func readDotEnv() {
    for place in DotEnv.places(bytes) {
      let name = String(decoding: bytes[place.key], as: UTF8.self)
      occurrences.append(NameOccurrence(name: name, role: .dotEnvKey, range: place.key))
      readReferences(in: place.value, owner: name)
    }
  }

  mutating func readJSON(_ kind: EnvironmentSource.Kind) {
    let options = JSONParsingOptions(allowsComments: true)
    // A file that can't be read is told of where its environments are used.
    guard let file = try? JSONTree(parsing: bytes, options: options).root else { return }
    switch kind {
    case .editorSettings: readCertificates(file["rest-client.certificates"], from: "../")
    case .codeWorkspace: readCertificates(file["settings"]?["rest-client.certificates"])
    case .httpyacConfiguration: readCertificates(file["clientCertificates"])
    case .dotEnv, .namedDotEnv, .publicFile, .userFile, .privateFile, .stored, .defaults: break
    }
    for root in EnvironmentSource.roots(of: file, kind) {
      for (key, value) in root.members {
        let environment = key.string ?? ""
        guard value.kind == .object else { continue }
        if EnvironmentSet.holdsVariables(environment) {
          readEnvironment(value, environment)
        } else {
          readValue(value, owner: environment)
        }
      }
    }
  }

  /// Reads the paths in the settings of a project.
  mutating func readSettings() {
    let options = JSONParsingOptions(allowsComments: true)
    // A file that can't be read has a diagnostic of its own.
    guard let file = try? JSONTree(parsing: bytes, options: options).root else { return }
    readCertificates(file["tls.certificates"] ?? file["tls"]?["certificates"])
    if let authority = file["tls.caFile"] ?? file["tls"]?["caFile"] { readPath(authority) }
  }

  /// Reads the paths in a table of hosts; `base` leads from the file's folder to that from which
  /// they count.
  private mutating func readCertificates(_ table: JSONView?, from base: String = "") {
    guard let table, table.kind == .object else { return }
    for (_, entry) in table.members where entry.kind == .object {
      for path in [entry["pfx"], entry["cert"], entry["key"]].compactMap({ $0 }) {
        readPath(path, from: base)
      }
    }
  }

  private mutating func readEnvironment(_ object: JSONView, _ environment: String) {
    for (key, value) in object.members {
      guard let name = key.string, !name.isEmpty else { continue }
      if EnvironmentSet.isReserved(name) {
        readValue(value, owner: name)
        if name == "SSLConfiguration" { readPaths(of: value) }
        if name == "Security" { readClients(of: object, environment) }
      } else {
        readKey(key, value, name, [], environment)
      }
    }
  }

  /// Reads the names of the clients of an environment.
  private mutating func readClients(of object: JSONView, _ environment: String) {
    for (key, _) in object.clients {
      let inside = key.range.lowerBound + 1..<key.range.upperBound - 1
      occurrences.append(
        NameOccurrence(
          name: key.string ?? "", role: .client, range: inside, owner: environment))
    }
  }

  /// Reads the paths of certificates and keys: texts, or objects with them.
  private mutating func readPaths(of configuration: JSONView) {
    for (name, value) in configuration.members
    where name.string == "clientCertificate" || name.string == "clientCertificateKey" {
      let paths = value.kind == .object ? [value["path"], value["keyPath"]] : [value]
      for path in paths.compactMap({ $0 }) { readPath(path) }
    }
  }

  private mutating func readPath(_ value: JSONView, from base: String = "") {
    guard value.kind == .string, let text = value.string, !text.isEmpty, !text.contains("{{")
    else { return }
    let inside = value.range.lowerBound + 1..<value.range.upperBound - 1
    // A range is that of the path only where nothing in it is written in another way.
    guard bytes[inside].elementsEqual(text.utf8) else { return }
    let isRelative = !text.hasPrefix("/") && !text.hasPrefix("~")
    occurrences.append(
      NameOccurrence(
        name: isRelative ? base + text : text, role: .filePath, range: inside, rest: text))
  }

  /// Says what the paths mean, and forgets those that mean nothing.
  mutating func resolvePaths(_ resolve: (String) -> String?) {
    occurrences = occurrences.compactMap { occurrence in
      guard occurrence.role == .filePath else { return occurrence }
      var result = occurrence
      guard let path = resolve(occurrence.name) else { return nil }
      result.name = path
      return result
    }
  }

  private mutating func readKey(
    _ key: JSONView, _ value: JSONView, _ name: String, _ path: [String], _ environment: String
  ) {
    let inside = key.range.lowerBound + 1..<key.range.upperBound - 1
    occurrences.append(
      NameOccurrence(
        name: name, role: .environmentKey, range: inside, path: path, owner: environment))
    guard value.kind == .object else { return readValue(value, owner: name, depth: path.count) }
    for (inner, value) in value.members {
      readKey(inner, value, name, path + [inner.string ?? ""], environment)
    }
  }

  /// Reads the references in all texts of a value.
  private mutating func readValue(_ value: JSONView, owner: String, depth: Int = 0) {
    switch value.kind {
    case .string:
      let range = value.range
      readReferences(in: range.lowerBound + 1..<range.upperBound - 1, owner: owner, depth)
    case .array:
      // No path by names leads to an element.
      for element in value.elements { readValue(element, owner: owner, depth: .max) }
    case .object:
      for member in value.members { readValue(member.value, owner: owner, depth: .max) }
    case .null, .true, .false, .number: break
    }
  }

  private mutating func readReferences(in range: Range<Int>, owner: String, _ depth: Int = 0) {
    guard bytes[range].contains(UInt8(ascii: "{")) else { return }
    for case .reference(let reference) in TemplateParser.pieces(bytes, in: range) {
      // REST Client's `{{$shared name}}` and `{{$NAME name}}` read other environments of the file.
      if case .dynamic(let word, let key) = reference.expression, !key.isEmpty,
        DynamicVariables.named(word) == nil, word != "processEnv", word != "dotenv"
      {
        let end = reference.inner.upperBound
        occurrences.append(
          NameOccurrence(
            name: key, role: .reference,
            range: max(reference.inner.lowerBound, end - key.utf8.count)..<end, owner: owner,
            depth: depth, in: reference.range))
      } else if let found = NamedReference(reference.expression, reference.inner, in: bytes[...]) {
        occurrences.append(NameOccurrence(found, in: reference.range, owner: owner, depth: depth))
      }
    }
  }
}

extension BlockNames {
  /// Reads the references in a file that a request sends with its references resolved.
  convenience init(template bytes: [UInt8]) {
    var occurrences: [NameOccurrence] = []
    for case .reference(let reference) in TemplateParser.pieces(bytes, in: 0..<bytes.count) {
      if let found = NamedReference(reference.expression, reference.inner, in: bytes[...]) {
        occurrences.append(NameOccurrence(found, in: reference.range))
      }
    }
    self.init(occurrences, count: bytes.count)
  }

  /// Reads the names in a file with a script.
  convenience init(script bytes: [UInt8], isLua: Bool) {
    let names = ScriptReading.of(bytes[...], isLua: isLua).names(withWords: !isLua)
    self.init(names.map { NameOccurrence($0) }, count: bytes.count)
  }
}
