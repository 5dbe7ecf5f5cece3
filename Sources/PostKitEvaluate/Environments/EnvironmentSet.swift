// Environments: the files of all tools merged into one table of definitions (PK-47 to PK-51).

import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// Environment files that are read once for questions about several environments.
package struct EnvironmentSources: Sendable {
  fileprivate let parsed: [ParsedSource]

  /// Reads sources, which come root first and nearest last.
  package init(_ sources: [EnvironmentSource]) { parsed = sources.map { ParsedSource($0) } }

  /// What is in force with an environment.
  package func set(active: String?) -> EnvironmentSet {
    EnvironmentSet(self, active: active, privateWins: true)
  }

  /// The paths of the files that define an environment.
  package func paths(defining name: String) -> [String] {
    parsed.filter { $0.environmentNames.contains(name) }.map(\.source.file.path)
  }
}

/// All environments that are in force for one request file.
package struct EnvironmentSet: Sendable {
  /// The names of the environments that can be chosen, in the order in which they were found.
  package private(set) var names: [String] = []
  /// The environment in force, or several with commas between; `nil` for none.
  package let active: String?
  /// What could not be read in the files.
  package private(set) var problems: [EvaluationProblem] = []
  /// The winning definition of each name.
  package private(set) var definitions: [String: VariableDefinition] = [:]
  /// The definitions that others cover, nearest first.
  package private(set) var shadowed: [String: [VariableDefinition]] = [:]
  /// The headers that every request has which doesn't write them itself, by their names.
  package private(set) var defaultHeaders: [VariableDefinition] = []
  /// The client certificates of the files, the nearest first; last that of the environment, which
  /// is for every host.
  package private(set) var certificates: [ClientCertificate] = []
  /// Whether the environment turns the check of the server's certificate off (PK-86).
  package private(set) var skipsVerification = false
  /// The path of the file that says whether it does; empty where none says anything.
  package private(set) var verificationPath = ""
  /// The tools that keep the values of names which can't be read here (PK-50).
  package private(set) var providers: [String: String] = [:]
  /// The clients of `Security.Auth` by their names.
  package internal(set) var clients: [String: [AuthClientField]] = [:]

  /// The scopes that settings of REST Client ask for in each sign-in; `nil` for none.
  package private(set) var oidcScopes: [String]?
  /// The tools whose own environment files are there, each with the name of one.
  package private(set) var toolFiles: [DialectPreset: String] = [:]
  /// The files that it was made of, for what other environments say.
  private let sources: EnvironmentSources
  private let first = FirstNames()
  /// What the environment's `SSLConfiguration`s say together.
  private var environmentCertificate = ClientCertificate()

  /// Members that are never variables (PK-50).
  private static let reserved: Set<String> = [
    "$schema", "$default", "$default_headers", "$kulalaDefaultHeaders", "SSLConfiguration",
    securityName,
  ]
  /// The member that holds clients of OAuth 2.
  package static let securityName = "Security"
  private static let sharedNames = ["$shared", "$kulalaShared"]
  private static let headerNames = ["$default_headers", "$kulalaDefaultHeaders"]

  /// Whether a member of an environment is never a variable.
  package static func isReserved(_ name: String) -> Bool { reserved.contains(name) }

  /// Whether a member of a file holds variables: it is an environment, or stands for all of them.
  package static func holdsVariables(_ name: String) -> Bool {
    !name.hasPrefix("$") || sharedNames.contains(name) || name == "$default"
  }

  /// Merges sources, which come root first and nearest last (PK-47).
  package init(sources: [EnvironmentSource], active: String?, privateWins: Bool = true) {
    self.init(EnvironmentSources(sources), active: active, privateWins: privateWins)
  }

  fileprivate init(_ files: EnvironmentSources, active: String?, privateWins: Bool) {
    self.active = active
    sources = files
    let selected = EnvironmentSet.selected(active)
    let parsed = files.parsed
    for source in parsed {
      problems += source.problems
      for name in source.environmentNames where !names.contains(name) { names.append(name) }
      for headers in source.defaultHeaders { add(headers: headers, source, .editorSettings) }
      for root in source.environments { addHeaders(of: root, source, .shared) }
      if let tool = source.tool { toolFiles[tool] = source.fileName }
      certificates = source.certificates + certificates
      oidcScopes = source.oidcScopes ?? oidcScopes
    }
    for step in Step.all(privateWins: privateWins) {
      merge(step, selected, parsed)
    }
    if environmentCertificate != ClientCertificate() { certificates.append(environmentCertificate) }
  }

  /// The environments that a choice names: one, or several with commas between (PK-51).
  package static func selected(_ active: String?) -> [String] {
    (active ?? "").split(separator: ",").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
  }

  /// The first names that have definitions, in order.
  var firstDefined: [String] { first.names(of: definitions.keys) }

  /// Whether a person is to be asked before a request is sent with it (`"confirm": true`).
  package var asksFirst: Bool { definitions["confirm"]?.value == .bool(true) }

  /// The environments that a person can choose in which a name has a value.
  package func environments(defining name: String) -> [String] {
    if EnvironmentSet.reserved.contains(name) { return [] }
    return names.filter { environment in
      sources.parsed.contains { $0.defines(name, in: environment) }
    }
  }

  /// The environments that a person can choose in which a client of `Security.Auth` is.
  package func environments(definingClient id: String) -> [String] {
    names.filter { name in
      sources.parsed.contains { source in
        source.environments.contains { EnvironmentSet.hasClient(id, in: $0[name]) }
      }
    }
  }

  /// Whether all environments of a choice exist.
  package func contains(_ choice: String) -> Bool { missing(in: choice) == nil }

  /// The first environment of a choice that no file defines.
  package func missing(in choice: String) -> String? {
    EnvironmentSet.selected(choice).first { !names.contains($0) }
  }

  /// The layers of PK-48.
  fileprivate enum Step {
    case dotEnv, settingsShared, settings, shared, publicFile, namedDotEnv, userFile, privateFile
    case defaults, stored

    /// The lowest first. Whether private values win is a knob (PK-49). What a person has put into
    /// the collection of a stored request stands above all files: its environment above what the
    /// collection and its folders give to all requests.
    static func all(privateWins: Bool) -> [Step] {
      let base: [Step] = [.dotEnv, .settingsShared, .settings, .shared]
      return privateWins
        ? base + [.publicFile, .namedDotEnv, .userFile, .privateFile, .defaults, .stored]
        : base + [.privateFile, .publicFile, .namedDotEnv, .userFile, .defaults, .stored]
    }
  }

  /// Adds a layer. Of several environments the later one wins, wherever its file lies.
  private mutating func merge(_ step: Step, _ selected: [String], _ sources: [ParsedSource]) {
    switch step {
    case .dotEnv:
      for source in sources where source.source.kind == .dotEnv { addDotEnv(source) }
    case .namedDotEnv:
      for name in selected {
        for source in sources where source.source.kind == .namedDotEnv(name) { addDotEnv(source) }
      }
    case .settingsShared, .shared:
      let special = EnvironmentSet.sharedNames + (selected.isEmpty ? ["$default"] : [])
      for name in special {
        for source in sources
        where source.isClientFile == (step == .shared) && source.step != .defaults {
          let isPrivate = source.source.kind == .privateFile
          addMembers(source, name, isPrivate ? .privateEnvironment : .shared)
        }
      }
    case .defaults:
      for source in sources where source.step == step {
        addMembers(source, EnvironmentSet.sharedNames[0], source.layer)
      }
    case .settings, .publicFile, .userFile, .privateFile, .stored:
      for name in selected {
        for source in sources where source.step == step {
          addMembers(source, name, source.layer)
        }
      }
    }
  }

  private mutating func addDotEnv(_ source: ParsedSource) {
    for entry in source.entries {
      let origin = VariableOrigin(
        layer: .dotEnv, path: source.source.file.path, range: entry.range, line: entry.line)
      add(
        VariableDefinition(
          name: entry.key, value: .string(entry.value), origin: origin,
          isSecret: VariableDefinition.nameIsSecret(entry.key)))
    }
  }

  private mutating func addMembers(
    _ source: ParsedSource, _ environment: String, _ layer: VariableOrigin.Layer
  ) {
    for root in source.environments {
      guard let object = root[environment], object.kind == .object else { continue }
      addHeaders(of: object, source, layer)
      addConfiguration(of: object, source)
      addClients(of: object, source, layer, environment)
      for (key, view) in object.members {
        guard let name = key.string, !EnvironmentSet.reserved.contains(name) else { continue }
        let definition = definition(name, view, source, layer, environment)
        if let provider = EnvironmentSet.provider(view) {
          withhold(definition, provider)
        } else {
          add(definition)
        }
      }
    }
  }

  private func definition(
    _ name: String, _ view: JSONView, _ source: ParsedSource, _ layer: VariableOrigin.Layer,
    _ environment: String?
  ) -> VariableDefinition {
    let isShared = environment.map(EnvironmentSet.sharedNames.contains) ?? true
    return VariableDefinition(
      name: name, value: source.resolved(view.value).keepingOwn,
      origin: VariableOrigin(
        layer: layer, path: source.source.file.path, range: view.range,
        line: source.line(at: view.range.lowerBound), environment: isShared ? nil : environment),
      isSecret: source.isSecret(name))
  }

  /// JetBrains' `SSLConfiguration`; what a nearer file says of a member counts.
  private mutating func addConfiguration(of object: JSONView, _ source: ParsedSource) {
    guard let configuration = object["SSLConfiguration"] else { return }
    if let verifies = configuration["verifyHostCertificate"]?.bool {
      (skipsVerification, verificationPath) = (!verifies, source.source.file.path)
    }
    for view in environmentCertificate.read(configuration, source.certificateFile) {
      remark(
        "`SSLConfiguration` expects the path of a file here, in quotes.",
        VariableOrigin(
          layer: source.layer, path: source.source.file.path, range: view.range,
          line: source.line(at: view.range.lowerBound)))
    }
  }

  /// The headers that an object names; a later one takes the place of an earlier one.
  private mutating func addHeaders(
    of object: JSONView, _ source: ParsedSource, _ layer: VariableOrigin.Layer
  ) {
    let layer = source.source.kind == .privateFile ? .privateEnvironment : layer
    for headers in EnvironmentSet.headerNames.compactMap({ object[$0] }) {
      if headers.kind == .object { add(headers: headers, source, layer) }
    }
  }

  /// Adds headers by their names; `null` takes one away.
  private mutating func add(
    headers: JSONView, _ source: ParsedSource, _ layer: VariableOrigin.Layer
  ) {
    for (key, view) in headers.members {
      let name = key.string ?? ""
      let header = definition(name, view, source, layer, nil)
      guard HeaderName.isToken(name) else {
        remark("`\(name)` is ignored: it is not a valid header name.", header.origin)
        continue
      }
      defaultHeaders.removeAll { $0.name.lowercased() == name.lowercased() }
      if view.kind != .null { defaultHeaders.append(header) }
    }
  }

  /// The tool that keeps a value elsewhere, as Visual Studio writes it.
  private static func provider(_ view: JSONView) -> String? {
    guard view.kind == .object, let provider = view["provider"]?.string else { return nil }
    let members: Set<String> = ["provider", "secretName", "resourceId", "keyVaultName", "value"]
    let isOther = view.members.contains { !members.contains($0.key.string ?? "") }
    return isOther || view.members.count < 2 ? nil : provider
  }

  /// Takes a name out whose value can't be read, and says so.
  private mutating func withhold(_ definition: VariableDefinition, _ provider: String) {
    definitions[definition.name] = nil
    shadowed[definition.name] = nil
    providers[definition.name] = provider
    remark(EnvironmentSet.sentence(definition.name, provider, on: .editor), definition.origin)
  }

  private mutating func remark(_ sentence: String, _ origin: VariableOrigin) {
    problems.append(
      EvaluationProblem(
        .environmentRemark(path: origin.path, line: origin.line, sentence: sentence),
        range: origin.range, severity: .warning, path: origin.path))
  }

  /// What is said of a value that another tool keeps.
  static func sentence(_ name: String, _ provider: String, on surface: Surface) -> String {
    let what =
      provider == "Encrypted"
      ? "`\(name)` is encrypted for a Windows user, so PostKit can't read it."
      : "PostKit can't read `\(name)` from `\(provider)`."
    return what + " Write the value into `http-client.private.env.json`"
      + surface.givingForOneRun(name) + "."
  }

  private mutating func add(_ definition: VariableDefinition) {
    var definition = definition
    providers[definition.name] = nil
    if let below = definitions[definition.name] {
      definition.value = EnvironmentSet.merged(below.value, definition.value)
      definition.isSecret =
        definition.isSecret || isObjectMerge(below.value, definition) && below.isSecret
      shadowed[definition.name, default: []].insert(below, at: 0)
    }
    definitions[definition.name] = definition
  }

  private func isObjectMerge(_ below: JSONValue, _ above: VariableDefinition) -> Bool {
    if case .object = below, case .object = above.value { true } else { false }
  }

  /// Objects merge member by member, anything else is replaced (PK-48).
  private static func merged(_ below: JSONValue, _ above: JSONValue) -> JSONValue {
    guard case .object(var members) = below, case .object(let newer) = above else { return above }
    for member in newer {
      if let index = members.firstIndex(where: { $0.key == member.key }) {
        members[index].value = merged(members[index].value, member.value)
      } else {
        members.append(member)
      }
    }
    return .object(members)
  }
}

extension ParsedSource {
  fileprivate var isClientFile: Bool { source.kind.isClientFile }

  /// The layer of the environments that are chosen by name; `nil` for dotenv files.
  fileprivate var step: EnvironmentSet.Step? {
    switch source.kind {
    case .dotEnv, .namedDotEnv: nil
    case .editorSettings, .codeWorkspace, .httpyacConfiguration: .settings
    case .publicFile: .publicFile
    case .userFile: .userFile
    case .privateFile: .privateFile
    case .defaults: .defaults
    case .stored: .stored
    }
  }

  /// The tool that alone writes what the source holds.
  fileprivate var tool: DialectPreset? {
    if source.failure != nil { return nil }
    switch source.kind {
    case .userFile: return .visualstudio
    case .httpyacConfiguration: return .httpyac
    case .editorSettings, .codeWorkspace: return isOfRESTClient ? .restclient : nil
    case .publicFile, .privateFile: break
    case .dotEnv, .namedDotEnv, .stored, .defaults: return nil
    }
    guard let root = environments.first else { return nil }
    if root["$kulalaShared"] != nil || root["$kulalaDefaultHeaders"] != nil { return .kulala }
    for (_, environment) in root.members {
      let clients = environment[EnvironmentSet.securityName]
      if source.kind == .privateFile, clients != nil { return .jetbrains }
      for (_, value) in environment.members
      where value.kind == .object && value["provider"]?.string == "AspnetUserSecrets" {
        return .visualstudio
      }
    }
    return nil
  }

  fileprivate var layer: VariableOrigin.Layer {
    switch source.kind {
    case .dotEnv, .namedDotEnv: .dotEnv
    case .editorSettings, .codeWorkspace, .httpyacConfiguration: .editorSettings
    case .publicFile: .publicEnvironment
    case .userFile: .userEnvironment
    case .privateFile: .privateEnvironment
    case .stored, .defaults: .collection
    }
  }
}
