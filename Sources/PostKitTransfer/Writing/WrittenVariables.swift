// The variables of a collection as members of the environment files (IO-14 to IO-16).

import PostKitEvaluate
import PostKitJSON

/// Collects what the environment files say. It belongs to the one who writes a folder.
final class WrittenVariables {
  /// The member that holds in every environment.
  static let sharedName = "$shared"

  /// The names that the import has made up, of credentials and of clients.
  private(set) var namedHere: Set<String> = []
  /// Those of them that an import before has given, with what the target has of all.
  private let usedBefore: Set<String>
  /// The names that are others here, by those of the origin (IO-15).
  private(set) var renamed: [String: String] = [:]
  private var taken: Set<String> = []
  /// The names of folders' and requests' variables that are in the environments now.
  private var moved: Set<String> = []
  /// The variables whose values are sent otherwise in queries and forms, told once each.
  private let encodedSigns: EncodedSigns
  private var toldSigns: Set<String> = []
  /// Whether values of paths are samples that the origin made up, none of which is a secret.
  let hasSamples: Bool
  /// The names in the environments of what holds for several requests.
  var lasting: [OriginVariable: String] = [:]
  /// The names whose values are secrets wherever they are set: a public value would be hidden by a
  /// private one of a lower layer.
  private var secretNames: Set<String> = []
  /// The names that values of the environments use.
  private var usedNames: Set<String> = []
  private var layers: [Layer] = []
  private let notes: ImportNotes
  private let options: WritingOptions
  private var switchedOff = 0
  private var switchedOffPlace: OriginPlace?
  /// The names of `Security.Auth` for the clients that have one.
  private var clients: [(client: OriginOAuth2, name: String)] = []

  /// An environment, or what holds in all.
  private struct Layer {
    var name: String
    var variables: [WrittenVariable] = []
    var places: [String: Int] = [:]
    var secrets: Set<String> = []
    /// Members of `Security.Auth`, and those of them that are secret.
    var security: [(name: String, json: String)] = []
    var secretSecurity: [(name: String, json: String)] = []

    mutating func set(_ name: String, _ json: String, isSecret: Bool) {
      if let place = places[name] {
        variables[place].json = json
      } else {
        places[name] = variables.count
        variables.append(WrittenVariable(name: name, json: json))
      }
      if isSecret { secrets.insert(name) }
    }
  }

  /// Takes the variables of a collection; only the environments that are asked for.
  init(_ collection: OriginCollection, _ options: WritingOptions, notes: ImportNotes) {
    (self.notes, self.options) = (notes, options)
    usedBefore = Set(options.usedNames.values.joined())
    hasSamples = collection.format == .openapi
    encodedSigns = EncodedSigns(collection)
    let environments = collection.environments.filter {
      options.environments.isEmpty || options.environments.contains($0.name)
    }
    let shared = collection.shared.map { ($0, false) }
    let layered = shared + environments.flatMap { environment in
      environment.variables.map { ($0, environment.isPrivate) }
    }
    // Names that can stay are taken first, whatever comes before them.
    for (variable, _) in layered { reserve(variable) }
    reserve(collection.root)
    for variable in collection.shared where variable.isNamedHere { keepClear(variable) }
    for (variable, isPrivate) in layered {
      note(variable, isPrivate: isPrivate)
      TemplateNames.collect(variable.value?.text ?? "", into: &usedNames)
    }
    note(collection.root)
    renameUnknown(collection)
    layers = [Layer(name: Self.sharedName)]
    for variable in collection.shared { add(variable, to: 0) }
    var names: Set<String> = []
    for environment in environments {
      let name = Self.name(of: environment, &names)
      if name != environment.name {
        notes.tell(
          .variableRenamed, "The environment `\(LineText.oneLine(environment.name))` is called "
            + "`\(name)` here.", at: environment.place)
      }
      layers.append(Layer(name: name))
      for variable in environment.variables { add(variable, to: layers.count - 1) }
      for client in environment.security { addClient(client, to: layers.count - 1) }
    }
  }

  // MARK: - Names

  /// Gives names that nothing defines, and that would be worked out here, names that mean nothing.
  private func renameUnknown(_ collection: OriginCollection) {
    for name in collection.unknownNames.sorted()
    where renamed[name] == nil && !taken.contains(name) {
      let new = unused(NestedTemplates.plainName(name), separator: "_")
      renamed[name] = new
      notes.tell(
        .templateUnsupported,
        "`{{\(LineText.oneLine(name))}}` is no variable of the source; it is called `\(new)` here "
          + "and has no value.", at: collection.root.place)
    }
  }

  /// Gives a credential another name where its own has another value in the target, which would be
  /// sent with the request, unless the import has used it before.
  private func keepClear(_ variable: OriginVariable) {
    let text = variable.value?.text ?? ""
    func isOther(_ name: String) -> Bool {
      options.variablesThere.isOther(name, than: text) && !usedBefore.contains(name)
    }
    var name = variable.name
    while isOther(name) { name = unused(variable.name) }
    if name != variable.name { renamed[variable.name] = name }
    namedHere.insert(name)
  }

  /// Takes the name of a variable where it can stay as it is.
  private func reserve(_ variable: OriginVariable) {
    let name = variable.name
    if Self.isSetting(variable) || Self.plainName(name) == name { taken.insert(name) }
  }

  private func reserve(_ folder: OriginFolder) {
    for variable in folder.variables + folder.requests.flatMap(\.variables) where variable.isOn {
      reserve(variable)
    }
    for child in folder.folders { reserve(child) }
  }

  /// What is secret only because all of its environment is stays open elsewhere.
  private func note(_ variable: OriginVariable, isPrivate: Bool = false) {
    let name = variable.name
    if variable.isOn, variable.isSecret && !isPrivate || variable.value == nil
      || VariableDefinition.nameIsSecret(name)
      || !Self.isSetting(variable) && variable.holdsSecret
    {
      secretNames.insert(self.name(name))
    }
    guard !name.isEmpty, renamed[name] == nil else { return }
    let plain = Self.isSetting(variable) ? name : Self.plainName(name)
    guard plain != name else { return }
    let new = unused(plain, separator: "_")
    renamed[name] = new
    if variable.isSecret && !isPrivate || VariableDefinition.nameIsSecret(name) {
      secretNames.insert(new)
    }
    notes.tell(
      .variableRenamed,
      "The variable `\(LineText.oneLine(name))` is called `\(new)` here: request files can't have "
        + "its name.", at: variable.place)
  }

  private func note(_ folder: OriginFolder) {
    func note(_ variables: [OriginVariable]) {
      for variable in variables {
        if variable.isOn { self.note(variable) } else { leaveOut(variable) }
      }
    }
    note(folder.variables)
    // A request is a large value; none is copied for the few that have variables.
    for place in folder.requests.indices { note(folder.requests[place].variables) }
    for child in folder.folders { self.note(child) }
  }

  /// The name that a variable of the origin has here.
  func name(_ origin: String) -> String { renamed[origin] ?? origin }

  /// Whether no environment has a variable of that name; it is taken from now on.
  func isFreeInEnvironments(_ name: String) -> Bool {
    guard !layers.contains(where: { $0.places[name] != nil }) else { return false }
    return moved.insert(name).inserted
  }

  /// Whether the value of a variable of the environments uses a name, so that a file that defines
  /// it would change that value.
  func isUsedInEnvironments(_ name: String) -> Bool { usedNames.contains(name) }

  /// A name that nothing has yet: with a number behind it where it is taken.
  func unused(_ name: String, separator: String = "") -> String {
    var (candidate, number) = (name, 2)
    while !taken.insert(candidate).inserted {
      candidate = "\(name)\(separator)\(number)"
      number += 1
    }
    return candidate
  }

  private static func name(
    of environment: OriginEnvironment, _ taken: inout Set<String>
  ) -> String {
    var name = LineText.cut(LineText.oneLine(environment.name), to: LineText.nameLimit)
    // Several are chosen with commas between them (PK-51), and `$` begins what is none.
    name = name.replacing(",", with: "-")
    while name.hasPrefix("$") { name.removeFirst() }
    if name.isEmpty { name = "environment" }
    var (candidate, number) = (name, 2)
    while !taken.insert(candidate).inserted {
      candidate = "\(name) \(number)"
      number += 1
    }
    return candidate
  }

  // MARK: - Values

  private func add(_ variable: OriginVariable, to layer: Int) {
    guard variable.isOn else { return leaveOut(variable) }
    guard !variable.name.isEmpty else { return }
    let name = name(variable.name)
    let json = json(variable.value)
    if let place = layers[layer].places[name], layers[layer].variables[place].json != json {
      notes.tell(
        .variableDuplicate, "`\(name)` is set more than once; the last value counts.",
        at: variable.place)
    }
    let isSecret = variable.isSecret || secretNames.contains(name)
    layers[layer].set(name, json, isSecret: isSecret)
    if isSecret { tellSecret(name, isEmpty: json == "\"\"", at: variable.place) }
  }

  /// Counts a variable that is switched off.
  private func leaveOut(_ variable: OriginVariable) {
    switchedOff += 1
    if switchedOffPlace == nil { switchedOffPlace = variable.place }
  }

  /// Sets a variable for all environments under a name that is free.
  func addShared(_ name: String, _ value: OriginValue?, isSecret: Bool) {
    layers[0].set(name, json(value), isSecret: isSecret)
  }

  /// Tells of values that the origin encodes where a request uses them, and that are sent here as
  /// they stand.
  func tellSigns(in request: OriginRequest, _ origin: String) {
    guard !encodedSigns.isEmpty else { return }
    for (name, signs) in encodedSigns.differing(in: request)
    where toldSigns.insert(name).inserted {
      let shown = signs.map { "`\($0)`" }.joined(separator: ", ")
      notes.tell(
        .encodingDiffers,
        "The value of `\(self.name(name))` has \(shown), which the source's tool encodes in "
          + "queries and forms; it is sent as it stands. Write it encoded, such as `%26` for `&`.",
        at: request.place, origin: origin)
    }
  }

  /// Tells where a secret's value is, or has to be written.
  func tellSecret(
    _ name: String, isEmpty: Bool, at place: OriginPlace, origin: String? = nil
  ) {
    let (code, words) = options.secretWords(isEmpty: isEmpty)
    notes.tell(code, "`\(name)` is a secret\(words).", at: place, origin: origin)
  }

  private func json(_ value: OriginValue?) -> String {
    switch value {
    case nil: return "\"\""
    case .json(let json)?: return TemplateNames.renaming(json.text, renamed)
    case .text(let text)?: return Self.quoted(TemplateNames.renaming(text, renamed))
    }
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  // MARK: - OAuth 2

  /// The name by which requests ask a client for its token; equal clients have one.
  func clientName(_ client: OriginOAuth2) -> String {
    if let known = clients.first(where: { $0.client == client }) { return known.name }
    return addClient(client, to: 0)
  }

  @discardableResult private func addClient(_ client: OriginOAuth2, to layer: Int) -> String {
    var base = ""
    for scalar in (client.name ?? "").unicodeScalars {
      let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9") ~= scalar)
      if isKept || scalar == "_" { base.unicodeScalars.append(scalar) } else { base += "-" }
    }
    while base.hasPrefix("-") { base.removeFirst() }
    while base.hasSuffix("-") { base.removeLast() }
    if base.isEmpty { base = "oauth2" }
    var fields = client.fields.filter(\.isOn).map { (name: $0.name, json: json($0.value)) }
    if !fields.contains(where: { $0.name == "Type" }) { fields.append(("Type", "\"OAuth2\"")) }
    let taken = Set(layers[layer].security.map(\.name))
    let candidates = (1...).lazy.map { $0 == 1 ? base : "\(base)-\($0)" }
      .filter { !taken.contains($0) }
    // What an import before has given stays, as people may have put values under that name.
    let before = candidates.prefix(usedBefore.isEmpty ? 0 : 100).first {
      layer == 0 && usedBefore.contains(OriginOAuth2.token(of: $0))
    }
    let name = before
      ?? candidates.first { layer > 0 || !options.variablesThere.isOtherClient($0, than: fields) }
      ?? base
    if layer == 0 {
      clients.append((client, name))
      namedHere.insert(name)
    }
    var (open, secret) = (JSONWriter(), JSONWriter())
    open.beginObject()
    secret.beginObject()
    if !client.fields.contains(where: { $0.name == "Type" }) {
      open.key("Type")
      open.string("OAuth2")
    }
    var hasSecret = false
    for field in client.fields where field.isOn {
      let json = json(field.value)
      let isSecret = client.secretFields.contains(field.name) || field.isSecret
      if isSecret, !Credential.isTemplate(field.value?.text ?? "") {
        secret.key(field.name)
        secret.raw(json.utf8)
        hasSecret = true
        tellSecret("\(name): \(field.name)", isEmpty: json == "\"\"", at: field.place)
      } else {
        open.key(field.name)
        open.raw(json.utf8)
      }
    }
    open.endObject()
    secret.endObject()
    layers[layer].security.append((name, String(decoding: open.bytes, as: UTF8.self)))
    if hasSecret {
      layers[layer].secretSecurity.append((name, String(decoding: secret.bytes, as: UTF8.self)))
    }
    return name
  }

  // MARK: - The result

  /// The environments as files have them; tells what was switched off.
  func written(withSecrets: Bool) -> [WrittenEnvironment] {
    if let switchedOffPlace {
      let words = switchedOff == 1 ? "variable is" : "variables are"
      notes.tell(
        .disabledItem, "\(switchedOff) switched-off \(words) left out.", at: switchedOffPlace)
    }
    return layers.compactMap { layer in
      var environment = WrittenEnvironment(name: layer.name)
      for variable in layer.variables {
        if !layer.secrets.contains(variable.name) {
          environment.values.append(variable)
        } else if withSecrets {
          environment.secrets.append(variable)
        }
      }
      if !layer.security.isEmpty {
        environment.values.append(Self.security(layer.security))
      }
      if withSecrets, !layer.secretSecurity.isEmpty {
        environment.secrets.append(Self.security(layer.secretSecurity))
      }
      let isEmpty = environment.values.isEmpty && environment.secrets.isEmpty
      return isEmpty && layer.name == Self.sharedName ? nil : environment
    }
  }

  private static func security(_ clients: [(name: String, json: String)]) -> WrittenVariable {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("Auth")
    writer.beginObject()
    for client in clients {
      writer.key(client.name)
      writer.raw(client.json.utf8)
    }
    writer.endObject()
    writer.endObject()
    return WrittenVariable(name: "Security", json: String(decoding: writer.bytes, as: UTF8.self))
  }
}
