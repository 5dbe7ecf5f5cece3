// One environment file: its tool's form, its environments, and what can't be read in it.

import PostKitHTTP
package import PostKitJSON
import PostKitSyntax
import PostKitText

/// A file that defines environments, with the tool's form it has.
package struct EnvironmentSource: Sendable, Hashable {
  /// The forms of environment files.
  package enum Kind: Sendable, Hashable {
    /// `.env`.
    case dotEnv
    /// `.env.NAME` or `NAME.env`.
    case namedDotEnv(String)
    /// `.vscode/settings.json`.
    case editorSettings
    /// `NAME.code-workspace`, which holds such settings under `settings`.
    case codeWorkspace
    /// `.httpyac.json`.
    case httpyacConfiguration
    /// `http-client.env.json`.
    case publicFile
    /// `http-client.env.json.user`.
    case userFile
    /// `http-client.private.env.json`.
    case privateFile
    /// An environment that the store keeps, written like an `http-client` file; the variables with
    /// these names are secrets.
    case stored(secrets: Set<String>)
    /// What a collection or folder gives to the stored requests in it: the variables and
    /// `$default_headers` of the member `$shared`.
    case defaults

    /// Whether it holds environments and nothing else, so that it may lie in a folder for them.
    package var isEnvironmentAlone: Bool {
      switch self {
      case .editorSettings, .codeWorkspace, .httpyacConfiguration: false
      case .dotEnv, .namedDotEnv, .publicFile, .userFile, .privateFile, .stored, .defaults: true
      }
    }

    /// Whether the store keeps it, and no file does.
    package var isStored: Bool {
      if case .stored = self { true } else { self == .defaults }
    }

    /// Whether it holds the settings of VS Code.
    var isEditorSettings: Bool { self == .editorSettings || self == .codeWorkspace }

    /// Whether it is a dotenv file.
    package var isDotEnv: Bool {
      if case .namedDotEnv = self { true } else { self == .dotEnv }
    }

    /// Whether it is one of the `http-client` files.
    package var isClientFile: Bool {
      self == .publicFile || self == .userFile || self == .privateFile
    }
  }
  package var kind: Kind
  package var file: SourceFile
  /// Why the file could not be read, where it is there.
  package var failure: String?

  /// Makes a source.
  package init(kind: Kind, file: SourceFile, failure: String? = nil) {
    self.kind = kind
    self.file = file
    self.failure = failure
  }
}

extension EnvironmentSource {
  /// The objects of a file whose members are environments.
  package static func roots(of file: JSONView, _ kind: Kind) -> [JSONView] {
    let root = kind == .codeWorkspace ? file["settings"] : file
    let found: [JSONView?] =
      switch kind {
      case .editorSettings, .codeWorkspace:
        [root?["rest-client.environmentVariables"], root?["httpyac.environmentVariables"]]
      case .httpyacConfiguration: [root?["environments"]]
      case .dotEnv, .namedDotEnv, .publicFile, .userFile, .privateFile, .stored, .defaults: [root]
      }
    return found.compactMap { $0 }
  }
}

/// A source with its text parsed.
struct ParsedSource {
  let source: EnvironmentSource
  /// The lines of a dotenv file.
  private(set) var entries: [DotEnvEntry] = []
  /// The objects whose members are environments.
  private(set) var environments: [JSONView] = []
  /// Whether REST Client's settings are among them.
  private(set) var isOfRESTClient = false
  /// The headers that settings give to every request.
  private(set) var defaultHeaders: [JSONView] = []
  /// The certificates of a table of hosts.
  private(set) var certificates: [ClientCertificate] = []
  /// The scopes that REST Client's settings ask for in each sign-in; `nil` for none.
  private(set) var oidcScopes: [String]?
  private(set) var problems: [EvaluationProblem] = []
  private let lines: LineIndex

  init(_ source: EnvironmentSource) {
    self.source = source
    lines = LineIndex(source.file.bytes)
    if let failure = source.failure {
      remark(failure, at: 0)
    } else if source.kind.isDotEnv {
      entries = DotEnv.entries(source.file.bytes)
    } else {
      parse()
    }
  }

  private mutating func parse() {
    // An editor that makes a file for others writes into it when it is saved.
    if source.file.bytes.allSatisfy({ $0 <= 32 }) { return }
    do throws(JSONSyntaxError) {
      let options = JSONParsingOptions(allowsComments: true)
      let file = try JSONTree(parsing: source.file.bytes, options: options).root
      guard file.kind == .object else {
        return remark("The file is ignored: it is not an object of environments.", at: 0)
      }
      let inner = source.kind == .codeWorkspace ? file["settings"] : file
      guard let root = inner else { return }
      environments = EnvironmentSource.roots(of: file, source.kind)
      isOfRESTClient =
        source.kind.isEditorSettings && root["rest-client.environmentVariables"] != nil
      if source.kind.isEditorSettings, let scopes = root["rest-client.oidcScopes"]?.value {
        oidcScopes = scopes.elements.compactMap(\.string)
      }
      readCertificates(of: root)
      readDefaultHeaders(of: root)
    } catch {
      return problems.append(
        EvaluationProblem(
          .environmentFileBroken(
            path: source.file.path, line: line(at: error.offset), explanation: error.explanation),
          range: error.offset..<error.offset, severity: .warning, path: source.file.path))
    }
    remarkOnMembers()
  }

  /// The tables of REST Client, whose paths count from the folder around `.vscode`, and of httpYac.
  private mutating func readCertificates(of root: JSONView) {
    let (table, folder): (JSONView?, String) =
      switch source.kind {
      case .editorSettings:
        (root["rest-client.certificates"], ParsedSource.folder(of: folder))
      case .codeWorkspace: (root["rest-client.certificates"], folder)
      case .httpyacConfiguration: (root["clientCertificates"], folder)
      case .dotEnv, .namedDotEnv, .publicFile, .userFile, .privateFile, .stored, .defaults:
        (nil, "")
      }
    for (key, view) in table?.members ?? [] {
      let host = key.string ?? ""
      let entry = ClientCertificate(host: host, view.value, folder: folder, place: place(of: view))
      if let entry {
        certificates.append(entry)
      } else {
        remark("`\(host)` is ignored: it has neither `cert` nor `pfx`.", at: view.range.lowerBound)
      }
    }
  }

  /// The headers of REST Client's settings and of httpYac's configuration.
  private mutating func readDefaultHeaders(of root: JSONView) {
    let keys: [String] =
      switch source.kind {
      case .editorSettings, .codeWorkspace:
        ["rest-client.defaultHeaders", "httpyac.requestDefaultHeaders"]
      case .httpyacConfiguration: ["defaultHeaders"]
      case .dotEnv, .namedDotEnv, .publicFile, .userFile, .privateFile, .stored, .defaults: []
      }
    for key in keys {
      guard let headers = root[key] else { continue }
      if headers.kind == .object {
        defaultHeaders.append(headers)
      } else {
        remark("`\(key)` is ignored: it is not an object of headers.", at: headers.range.lowerBound)
      }
    }
  }

  /// A path that stands in this file.
  func certificateFile(_ path: JSONView) -> ClientCertificate.File {
    ClientCertificate.File(path: path.string ?? "", folder: folder, place: place(of: path))
  }

  private var folder: String { ParsedSource.folder(of: source.file.path) }

  private static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  private func place(of view: JSONView) -> String {
    "\(source.file.path):\(line(at: view.range.lowerBound))"
  }

  /// Environments must be objects; what begins with `$` has a meaning of its own.
  private mutating func remarkOnMembers() {
    for root in environments {
      for (key, value) in root.members {
        guard let name = key.string, !name.hasPrefix("$"), value.kind != .object else { continue }
        remark(
          "`\(name)` is ignored: it is not an object of variables.", at: value.range.lowerBound)
      }
    }
  }

  /// Notes something about the file that does not keep the rest of it from being used.
  mutating func remark(_ sentence: String, at offset: Int) {
    problems.append(
      EvaluationProblem(
        .environmentRemark(path: source.file.path, line: line(at: offset), sentence: sentence),
        range: offset..<offset, severity: .warning, path: source.file.path))
  }

  /// The environments that a person can choose in this file.
  var environmentNames: [String] {
    if case .namedDotEnv(let name) = source.kind { return [name] }
    return environments.flatMap(\.members).compactMap { member in
      guard let name = member.key.string, !name.hasPrefix("$"), member.value.kind == .object else {
        return nil
      }
      return name
    }
  }

  /// Whether an environment that a person can choose in this file has a variable.
  func defines(_ name: String, in environment: String) -> Bool {
    if source.kind == .namedDotEnv(environment) { return entries.contains { $0.key == name } }
    return environments.contains { $0[environment]?[name] != nil }
  }

  /// The name of the file without its folders.
  var fileName: String { source.file.path.split(separator: "/").last.map(String.init) ?? "" }

  /// The line of an offset, counted from 1; 0 where no file holds it.
  func line(at offset: Int) -> Int {
    if source.kind.isStored { return 0 }
    return lines.line(at: offset) + 1
  }

  /// Whether a variable must never be shown.
  func isSecret(_ name: String) -> Bool {
    switch source.kind {
    case .privateFile: true
    case .stored(let secrets): secrets.contains(name)
    case .defaults: VariableDefinition.defaultIsSecret(name)
    case .dotEnv, .namedDotEnv, .editorSettings, .codeWorkspace, .httpyacConfiguration,
      .publicFile, .userFile:
      false
    }
  }

  /// A value with REST Client's references to other environments resolved: `{{$shared key}}` and
  /// `{{$NAME key}}` stand for the value in the same settings. What they don't find stays.
  func resolved(_ value: JSONValue) -> JSONValue {
    guard source.kind == .editorSettings || source.kind == .codeWorkspace,
      case .string(let text) = value, text.contains("{{$")
    else { return value }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    for piece in TemplateParser.pieces(bytes, in: 0..<bytes.count) {
      switch piece {
      case .literal(let range): result += bytes[range]
      case .escapedReference(let inner):
        // The backslashes stand right before and behind each brace.
        result += bytes[inner.lowerBound - 4..<inner.upperBound + 4]
      case .reference(let reference):
        if case .dynamic(let name, let key) = reference.expression,
          let found = member(key, of: name)
        {
          result += found.substitutionText.utf8
        } else {
          result += bytes[reference.range]
        }
      }
    }
    return .string(String(decoding: result, as: UTF8.self))
  }

  private func member(_ key: String, of environment: String) -> JSONValue? {
    for root in environments {
      for name in ["$" + environment, environment] {
        if let value = root[name]?[key]?.value { return value }
      }
    }
    return nil
  }
}
