// The settings of CONTRACTS.md, section 3, read from the places that may hold them.

package import PostKitEvaluate
package import PostKitJSON
import PostKitSupport

/// For whom the choice of an environment holds.
package enum EnvironmentScope: String, Sendable, Hashable, CaseIterable {
  /// For all editors that have the folder open, and from session to session.
  case project
  /// For one window, until it is closed.
  case window
}

/// What a user or a project has set; `nil` where nothing was said.
package struct Settings: Sendable, Hashable {
  package var environment: String?
  package var environmentScope: EnvironmentScope?
  package var dialect: String?
  /// The knobs that the project turns; only `postkit.json` has any, so that a file means the same
  /// to everybody.
  package var knobs: [JSONMember] = []
  /// Time for the whole transfer, in milliseconds.
  package var timeoutMilliseconds: Int?
  package var proxy: String?
  package var certificateAuthorityFile: String?
  /// What the project's own file chooses, and not its user.
  package fileprivate(set) var project = ProjectChoices()
  /// The client certificates of hosts.
  package var certificates: [ClientCertificate] = []
  package var historyIsEnabled: Bool?
  package var historyMaxBodyBytes: Int?
  package var historyMaxAgeDays: Int?
  package var historyMaxBytes: Int?
  package var historyMaxEntries: Int?
  /// Which values are shown beside references: `off`, `unresolved`, `url` or `all`.
  package var inlayVariables: String?
  package var inlayResults: Bool?
  package var codeLensIsEnabled: Bool?
  /// Whether each request has a lens that copies it as a curl line, too.
  package var codeLensCopiesAsCurl: Bool?
  /// Whether variables that nothing reads are told of.
  package var diagnosesUnused: Bool?

  /// Makes settings that say nothing.
  package init() {}

  /// Reads an object whose keys are dotted (`tls.caFile`) or nested; `file` is where it stands, and
  /// `folder` what relative paths count from where it stands in no file of ours.
  package init(_ json: JSONValue, file: String? = nil, folder: String? = nil) {
    environment = Settings.value(json, "environment")?.string
    environmentScope = (Settings.value(json, "environment.scope")?.string)
      .flatMap(EnvironmentScope.init(rawValue:))
    dialect = Settings.value(json, "dialect")?.string
    timeoutMilliseconds = Settings.count(json, "timeout")
    proxy = Settings.value(json, "proxy")?.string
    let base = file.map(FilePath.parent) ?? folder
    certificateAuthorityFile = (Settings.value(json, "tls.caFile")?.string).map {
      Settings.path($0, from: base)
    }
    if case .object(let hosts) = Settings.value(json, "tls.certificates") {
      certificates = hosts.compactMap { host in
        ClientCertificate(
          host: host.key, host.value, folder: file.map(FilePath.parent) ?? "",
          place: file ?? "the setting tls.certificates")
      }
    }
    historyIsEnabled = Settings.value(json, "history.enabled")?.bool
    historyMaxBodyBytes = Settings.count(json, "history.maxBodyBytes")
    historyMaxAgeDays = Settings.count(json, "history.maxAgeDays")
    historyMaxBytes = Settings.count(json, "history.maxBytes")
    historyMaxEntries = Settings.count(json, "history.maxEntries")
    inlayVariables = Settings.value(json, "inlay.variables")?.string
    inlayResults = Settings.value(json, "inlay.results")?.bool
    codeLensIsEnabled = Settings.value(json, "codeLens.enabled")?.bool
    codeLensCopiesAsCurl = Settings.value(json, "codeLens.copyAsCurl")?.bool
    diagnosesUnused = Settings.value(json, "diagnostics.unused")?.bool
  }

  /// What a reading says.
  package init(_ reading: FileReading) {
    dialect = reading.preset.rawValue
    knobs = reading.knobs
  }

  /// How the project's files are read; `chosen` is the preset of one run.
  package func reading(chosen: DialectPreset? = nil) -> FileReading {
    FileReading(
      chosen: chosen, preset: dialect.flatMap(DialectPreset.init(rawValue:)) ?? .auto,
      knobs: knobs)
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

  /// A number that `SettingsForm` accepts; an editor's settings did not pass it.
  private static func count(_ json: JSONValue, _ key: String) -> Int? {
    value(json, key)?.int.flatMap { SettingsForm.counts.contains($0) ? $0 : nil }
  }

  /// These settings where they say something, else the others.
  package func over(_ other: Settings) -> Settings {
    var result = other
    result.knobs = knobs + other.knobs.filter { member in
      !knobs.contains { $0.key == member.key }
    }
    result.certificates = certificates + other.certificates
    if let environment { result.environment = environment }
    if let environmentScope { result.environmentScope = environmentScope }
    if let dialect { result.dialect = dialect }
    if let timeoutMilliseconds { result.timeoutMilliseconds = timeoutMilliseconds }
    if let proxy {
      result.proxy = proxy
      result.project.proxyFile = project.proxyFile
    }
    if let certificateAuthorityFile {
      result.certificateAuthorityFile = certificateAuthorityFile
      result.project.authorityFile = project.authorityFile
    }
    if let historyIsEnabled { result.historyIsEnabled = historyIsEnabled }
    if let historyMaxBodyBytes { result.historyMaxBodyBytes = historyMaxBodyBytes }
    if let historyMaxAgeDays { result.historyMaxAgeDays = historyMaxAgeDays }
    if let historyMaxBytes { result.historyMaxBytes = historyMaxBytes }
    if let historyMaxEntries { result.historyMaxEntries = historyMaxEntries }
    if let inlayVariables { result.inlayVariables = inlayVariables }
    if let inlayResults { result.inlayResults = inlayResults }
    if let codeLensIsEnabled { result.codeLensIsEnabled = codeLensIsEnabled }
    if let codeLensCopiesAsCurl { result.codeLensCopiesAsCurl = codeLensCopiesAsCurl }
    if let diagnosesUnused { result.diagnosesUnused = diagnosesUnused }
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
        bytes = try FileSystem.read(
          path: path, limit: Limits.sourceFileBytes, inside: roots)
      }
      let (value, mistakes) = form.read(bytes)
      self.mistakes = mistakes
      guard let value else { return }
      settings = Settings(value, file: path)
      if form == .project {
        settings.knobs = DialectKnob.read(value)
        // The history is shared by all projects: none of them says what goes.
        settings.historyMaxAgeDays = nil
        settings.historyMaxBytes = nil
        settings.historyMaxEntries = nil
        settings.project.proxyFile = settings.proxy.map { _ in path }
        settings.project.authorityFile = settings.certificateAuthorityFile.map { _ in path }
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
