// The settings of contracts.md, section 3, read from the places that may hold them.

package import PostKitEvaluate
package import PostKitJSON
import PostKitSupport

/// What a user or a project has set; `nil` where nothing was said.
package struct Settings: Sendable, Hashable {
  package var environment: String?
  package var dialect: String?
  /// The knobs that the project turns; only `postkit.json` has any, so that a file means the same
  /// to everybody.
  package var knobs: [JSONMember] = []
  /// Time for the whole transfer, in milliseconds.
  package var timeoutMilliseconds: Int?
  package var proxy: String?
  package var certificateAuthorityFile: String?
  /// The client certificates of hosts.
  package var certificates: [ClientCertificate] = []
  package var historyIsEnabled: Bool?
  package var historyMaxBodyBytes: Int?
  package var historyMaxAgeDays: Int?
  package var historyMaxBytes: Int?
  /// Which values are shown beside references: `off`, `unresolved`, `url` or `all`.
  package var inlayVariables: String?
  package var inlayResults: Bool?
  package var codeLensIsEnabled: Bool?

  /// Makes settings that say nothing.
  package init() {}

  /// Reads an object whose keys are dotted (`tls.caFile`) or nested; `file` is where it stands.
  package init(_ json: JSONValue, file: String? = nil) {
    environment = Settings.value(json, "environment")?.string
    dialect = Settings.value(json, "dialect")?.string
    timeoutMilliseconds = Settings.value(json, "timeout")?.int
    proxy = Settings.value(json, "proxy")?.string
    certificateAuthorityFile = Settings.value(json, "tls.caFile")?.string
    if case .object(let hosts) = Settings.value(json, "tls.certificates") {
      certificates = hosts.compactMap { host in
        ClientCertificate(
          host: host.key, host.value, folder: file.map(FilePath.parent) ?? "",
          place: file ?? "the setting tls.certificates")
      }
    }
    historyIsEnabled = Settings.value(json, "history.enabled")?.bool
    historyMaxBodyBytes = Settings.value(json, "history.maxBodyBytes")?.int
    historyMaxAgeDays = Settings.value(json, "history.maxAgeDays")?.int
    historyMaxBytes = Settings.value(json, "history.maxBytes")?.int
    inlayVariables = Settings.value(json, "inlay.variables")?.string
    inlayResults = Settings.value(json, "inlay.results")?.bool
    codeLensIsEnabled = Settings.value(json, "codeLens.enabled")?.bool
  }

  /// Reads `postkit.json`, with the knobs of the dialect.
  package static func project(_ path: String) -> (settings: Settings, notices: [String]) {
    let (json, notice) = read(path)
    guard let json else { return (Settings(), [notice].compactMap { $0 }) }
    var settings = Settings(json, file: path)
    let (knobs, mistakes) = DialectKnob.read(json)
    settings.knobs = knobs
    return (settings, mistakes.map { "\(path): \($0)" })
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

  /// These settings where they say something, else the others.
  package func over(_ other: Settings) -> Settings {
    var result = other
    result.knobs = knobs + other.knobs.filter { member in
      !knobs.contains { $0.key == member.key }
    }
    result.certificates = certificates + other.certificates
    if let environment { result.environment = environment }
    if let dialect { result.dialect = dialect }
    if let timeoutMilliseconds { result.timeoutMilliseconds = timeoutMilliseconds }
    if let proxy { result.proxy = proxy }
    if let certificateAuthorityFile { result.certificateAuthorityFile = certificateAuthorityFile }
    if let historyIsEnabled { result.historyIsEnabled = historyIsEnabled }
    if let historyMaxBodyBytes { result.historyMaxBodyBytes = historyMaxBodyBytes }
    if let historyMaxAgeDays { result.historyMaxAgeDays = historyMaxAgeDays }
    if let historyMaxBytes { result.historyMaxBytes = historyMaxBytes }
    if let inlayVariables { result.inlayVariables = inlayVariables }
    if let inlayResults { result.inlayResults = inlayResults }
    if let codeLensIsEnabled { result.codeLensIsEnabled = codeLensIsEnabled }
    return result
  }

  /// Reads `config.json` or `postkit.json`; a missing file says nothing, a broken one is noted.
  package static func file(_ path: String) -> (settings: Settings, notice: String?) {
    let (json, notice) = read(path)
    return (json.map { Settings($0, file: path) } ?? Settings(), notice)
  }

  private static func read(_ path: String) -> (json: JSONValue?, notice: String?) {
    guard FileSystem.isRegularFile(path) else { return (nil, nil) }
    do {
      let bytes = try FileSystem.read(path: path, limit: Limits.sourceFileBytes)
      let options = JSONParsingOptions(allowsComments: true)
      return (try JSONTree(parsing: bytes, options: options).root.value, nil)
    } catch let error as JSONSyntaxError {
      return (nil, "\(path) is skipped: \(error.explanation) (byte \(error.offset)).")
    } catch {
      return (nil, "\(path) is skipped: \(error).")
    }
  }
}
