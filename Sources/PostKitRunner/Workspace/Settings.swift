// The settings of CONTRACTS.md, section 3, read from the places that may hold them.

package import PostKitEvaluate
import PostKitHTTP
package import PostKitJSON
package import PostKitScripting
package import PostKitStore
import PostKitSupport

/// What a user or a project has set.
package struct Settings: Sendable, Hashable {
  /// What was said, by the names of settings that accept it.
  private var values: [String: JSONValue] = [:]
  /// The knobs that the project turns; only `postkit.json` has any, so that a file means the same
  /// to everybody.
  package var knobs: [JSONMember] = []
  /// What the project's own file chooses, and not its user.
  package fileprivate(set) var project = ProjectChoices()
  /// The client certificates of hosts.
  package var certificates: [ClientCertificate] = []

  /// Makes settings that say nothing.
  package init() {}

  /// What was said of a setting; `nil` where nothing was.
  package subscript<Value>(key: SettingKey<Value>) -> Value? {
    values[key.name].flatMap(Value.init(setting:))
  }

  /// Reads an object whose keys are dotted (`tls.caFile`) or nested; `file` is where it stands, and
  /// `folder` what relative paths count from where it stands in no file of ours.
  package init(_ json: JSONValue, file: String? = nil, folder: String? = nil) {
    let base = file.map(FilePath.parent) ?? folder
    for setting in Setting.all {
      // An editor's settings come as they are.
      guard let value = Settings.value(json, setting.name), setting.accepts(value) else { continue }
      values[setting.name] =
        switch (setting.kind, value) {
        case (.file, .string(let path)): .string(Settings.path(path, from: base))
        case (.files, .array(let paths)):
          .array(paths.map { .string(Settings.path($0.string ?? "", from: base)) })
        default: value
        }
    }
    if case .object(let hosts) = values["tls.certificates"] {
      certificates = hosts.compactMap { host in
        ClientCertificate(
          host: host.key, host.value, folder: file.map(FilePath.parent) ?? "",
          place: file ?? "the setting tls.certificates")
      }
    }
  }

  /// What a reading says.
  package init(_ reading: FileReading) {
    values["dialect"] = .string(reading.preset.rawValue)
    knobs = reading.knobs
  }

  /// How the project's files are read; `chosen` is the preset of one run.
  package func reading(chosen: DialectPreset? = nil) -> FileReading {
    FileReading(chosen: chosen, preset: self[.dialect] ?? .auto, knobs: knobs)
  }

  /// The defaults that these settings ask for.
  package var requestDefaults: RequestDefaults {
    var options = TransferOptions()
    options.totalTimeoutMilliseconds = self[.timeout].flatMap { $0 > 0 ? $0 : nil }
    options.proxy = self[.proxy].flatMap { $0.isEmpty ? nil : $0 }
    options.certificateAuthorityFile = self[.tlsCaFile].flatMap { $0.isEmpty ? nil : $0 }
    return RequestDefaults(
      userAgent: Version.userAgent, options: options, certificates: certificates)
  }

  /// The seconds that a sign-in gives a person; 0 for as long as it takes (AU-36).
  package var signInSeconds: Int { ((self[.authTimeout] ?? 300_000) + 999) / 1_000 }

  /// What scripts may use up.
  package var scriptLimits: ScriptLimits {
    var limits = ScriptLimits()
    if let time = self[.scriptsTimeout] {
      limits.milliseconds = time > 0 ? time : ScriptLimits.longestMilliseconds
    }
    if let bytes = self[.scriptsMemory] { limits.memoryBytes = bytes }
    limits.requiresConfinement = self[.scriptsRequireConfinement] == true
    return limits
  }

  /// What the settings say of retention, and the defaults where they say nothing.
  package var retention: Retention {
    var retention = Retention()
    if let days = self[.historyMaxAgeDays] { retention.maxAgeDays = days }
    if let bytes = self[.historyMaxBytes] { retention.maxBytes = bytes }
    retention.maxEntries = self[.historyMaxEntries]
    return retention
  }

  private static func value(_ json: JSONValue, _ key: String) -> JSONValue? {
    if let direct = json[key] { return direct }
    var current: JSONValue? = json
    for part in key.split(separator: ".") { current = current?[String(part)] }
    return current
  }

  /// The path that is meant by one that is written in a folder's settings; an empty one turns off
  /// what other settings name.
  private static func path(_ written: String, from folder: String?) -> String {
    let path = FilePath.expandTilde(written, home: FileSystem.homeDirectory)
    guard let folder, !path.isEmpty, !FilePath.isAbsolute(path) else { return path }
    return FilePath.normalise(FilePath.join(folder, path))
  }

  /// These settings where they say something, else the others.
  package func over(_ other: Settings) -> Settings {
    var result = other
    result.knobs = knobs + other.knobs.filter { member in
      !knobs.contains { $0.key == member.key }
    }
    result.certificates = certificates + other.certificates
    result.values.merge(values) { _, own in own }
    if self[.proxy] != nil { result.project.proxyFile = project.proxyFile }
    if self[.tlsCaFile] != nil { result.project.authorityFile = project.authorityFile }
    return result
  }

  /// The names of the settings that a user alone sets and that say something else than others do.
  package func userNames(unlike other: Settings) -> [String] {
    Setting.all.filter(\.isOfUser).map(\.name)
      .filter { values[$0] != nil && values[$0] != other.values[$0] }
  }

  /// These settings without those that a user alone sets: what one folder says does not hold for
  /// what all folders share.
  package var withoutUserSettings: Settings {
    var result = self
    for setting in Setting.all where setting.isOfUser { result.values[setting.name] = nil }
    return result
  }
}

/// A file of settings, read.
package struct SettingsFile: Sendable {
  /// The file's path.
  package let path: String
  /// Whether there is one.
  private(set) var isThere = false
  /// What it says.
  package private(set) var settings = Settings()
  /// What in it has no effect.
  package private(set) var mistakes: [SettingsMistake] = []
  /// Whether it was not read because it lies outside of a folder that is not trusted.
  package private(set) var isRefused = false
  /// Why it could not be read at all.
  private var failure: String?

  /// Reads `postkit.json` of a folder, with the knobs of the dialect; a missing file says nothing.
  /// What an editor has of it stands above what is on the disk. `refusal` says why a file is not
  /// read, as a clause; with `roots` it has to lie in one of these folders when it is opened.
  package init(
    projectIn root: String, inside roots: [String]? = nil,
    refusal: (_ path: String) -> String? = { _ in nil },
    open: (_ path: String) -> [UInt8]? = { _ in nil }
  ) {
    let path = FilePath.join(root, SettingsForm.project.fileName)
    self.init(path, .project, open(path), roots, refusal)
  }

  /// Reads a user's `config.json`; a missing file says nothing.
  package init(user path: String) { self.init(path, .user, nil, nil) { _ in nil } }

  private init(
    _ path: String, _ form: SettingsForm, _ open: [UInt8]?, _ roots: [String]?,
    _ refusal: (String) -> String?
  ) {
    self.path = path
    isThere = open != nil || FileSystem.exists(path)
    guard isThere else { return }
    if open == nil, let refusal = refusal(path) {
      isRefused = true
      failure = Workspace.ignored("the link \(path)", refusal)
      return
    }
    do throws(FileFailure) {
      var bytes = open ?? []
      if open == nil {
        bytes = try FileSystem.read(path: path, limit: Limits.sourceFileBytes, inside: roots)
      }
      let (value, mistakes) = form.read(bytes)
      self.mistakes = mistakes
      guard let value else { return }
      settings = Settings(value, file: path)
      if form == .project {
        settings = settings.withoutUserSettings
        settings.knobs = DialectKnob.read(value)
        settings.project.proxyFile = settings[.proxy].map { _ in path }
        settings.project.authorityFile = settings[.tlsCaFile].map { _ in path }
      }
    } catch {
      if case .outside = error { isRefused = true }
      failure = "\(path) is ignored. \(error.remark)"
    }
  }

  /// A sentence with its place for each mistake.
  package var notices: [String] {
    [failure].compactMap { $0 }
      + mistakes.map {
        "\(path):\($0.position.line):\($0.position.column): \($0.sentence)"
      }
  }
}
