// The environments of OpenCollection, and what its configuration says of connections.

import PostKitJSON

/// Collects environments, those of files and those of the configuration.
struct OpenCollectionEnvironments {
  private let reader: OpenCollectionReader
  private var environments: [OriginEnvironment] = []
  /// By name, the environment that one builds on.
  private var bases: [String: String] = [:]

  private var notes: ImportNotes { reader.notes }

  /// Begins without any.
  init(reader: OpenCollectionReader) { self.reader = reader }

  /// Reads the configuration of a collection.
  mutating func read(_ config: OriginObject) {
    let values = OpenCollectionValues(shared: reader.shared)
    for environment in values.objects(config, "environments") { read(environment, fallback: "") }
    if let proxy = config.object("proxy") { BrunoConnection.tell(proxy: proxy, notes) }
    for certificate in values.objects(config, "clientCertificates") {
      BrunoConnection.tell(certificate: certificate, isOn: true, notes)
    }
    if let protobuf = config.object("protobuf") { BrunoConnection.tell(protobuf: protobuf, notes) }
  }

  /// Reads an environment; without a name it is called as its file.
  mutating func read(_ object: OriginObject, fallback: String) {
    let values = OpenCollectionValues(shared: reader.shared)
    let stem = fallback.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    let name = object.text("name") ?? stem ?? ""
    var environment = OriginEnvironment(name: name, place: object.place)
    environment.variables = values.variables(object, "variables")
    object.ignore("color", "description")
    if let base = object.text("extends"), !base.isEmpty { bases[name] = base }
    if let path = object.text("dotEnvFilePath"), !path.isEmpty {
      notes.tell(
        .settingUnsupported,
        "The variables in `\(path)` are not read. Copy the file to `.env` beside the requests.",
        at: object.place.member("dotEnvFilePath"))
    }
    if let secrets = object.object("externalSecrets") {
      environment.variables += external(secrets, values)
    }
    for certificate in values.objects(object, "clientCertificates") {
      BrunoConnection.tell(certificate: certificate, isOn: true, notes)
    }
    object.finish()
    environments.append(environment)
  }

  /// The names of secrets that another program keeps; they have no value.
  private func external(
    _ secrets: OriginObject, _ values: OpenCollectionValues
  ) -> [OriginVariable] {
    let provider = secrets.text("type") ?? ""
    let variables = values.objects(secrets, "variables").map { secret in
      let variable = OriginVariable(
        name: secret.text("name") ?? "", value: nil, isSecret: true, isOn: values.isOn(secret),
        place: secret.place)
      secret.ignore("description", "path", "secretName", "vaultName", "projectId")
      secret.finish()
      return variable
    }.filter { !$0.name.isEmpty }
    if !variables.isEmpty {
      let names = variables.map { "`\($0.name)`" }.joined(separator: ", ")
      notes.tell(
        .templateUnsupported,
        "PostKit can't ask `\(provider)` for secrets. Put values for \(names) into the private "
          + "environment file.",
        at: secrets.place)
    }
    secrets.finish()
    return variables
  }

  /// The environments, each with what it has of those that it builds on.
  func resolved() -> [OriginEnvironment] {
    environments.map { environment in
      var environment = environment
      var names = Set(environment.variables.map(\.name))
      var seen: Set<String> = [environment.name]
      var next = bases[environment.name]
      while let base = next, seen.insert(base).inserted {
        guard let found = environments.first(where: { $0.name == base }) else {
          notes.tell(
            .refMissing, "There is no environment `\(base)` to build on.", at: environment.place)
          break
        }
        for variable in found.variables where names.insert(variable.name).inserted {
          environment.variables.append(variable)
        }
        next = bases[base]
      }
      return environment
    }
  }
}
