// A request file as the command line reads it.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax
import Synchronization

/// A `.http`, `.rest` or Markdown file, read and parsed.
struct RequestFile: Sendable {
  let workspace: Workspace
  let document: ParsedDocument
  /// What the project and the user have set.
  let settings: Settings

  private init(_ workspace: Workspace, _ document: ParsedDocument, _ settings: Settings) {
    self.workspace = workspace
    self.document = document
    self.settings = settings
  }

  /// The absolute path.
  var path: String { workspace.file }

  /// How the file is read: as the command line says, else the file, else the settings.
  var dialect: Dialect { workspace.reading.dialect(of: document) }

  /// Reads a file with the settings around it; the failure says why it can't be read. Broken
  /// settings are noted. `-` is standard input, where that is allowed.
  static func read(
    _ path: String, _ invocation: Invocation, dialect: DialectPreset? = nil,
    allowsInput: Bool = false
  ) -> Result<RequestFile, Failure> {
    do throws(FileFailure) {
      let bytes = allowsInput && path == "-"
        ? try FileSystem.readStandardInput(limit: Limits.sourceFileBytes)
        : try FileSystem.read(path: path, limit: Limits.sourceFileBytes)
      return .success(RequestFile(bytes, at: path, invocation, dialect: dialect))
    } catch {
      return .failure(Failure(.usage, "\(error)"))
    }
  }

  /// A text with the settings around the path where it stands, or stood.
  init(_ bytes: [UInt8], at path: String, _ invocation: Invocation, dialect: DialectPreset?) {
    var workspace = Workspace(file: path)
    settings = RequestFile.settings(root: workspace.root, invocation)
    workspace.reading = settings.reading(chosen: dialect)
    document = workspace.reading.document(bytes, format: ParsedDocument.format(ofPath: path))
    workspace.pathBase = workspace.reading.dialect(of: document).pathBase
    self.workspace = workspace
  }

  /// Another text in the same place.
  func with(_ bytes: [UInt8]) -> RequestFile {
    RequestFile(workspace, workspace.reading.document(bytes, format: document.format), settings)
  }

  /// Reads a stored request with the settings around the file that it was saved from, or around
  /// the working directory. `secrets` are the values of its secret variables by their ids; with
  /// `nil` masks stand for them.
  init(
    _ stored: StoredRequestFile, secrets: [String: String]?, _ invocation: Invocation,
    dialect: DialectPreset?
  ) {
    var workspace = Workspace(file: stored.path(otherwise: FileSystem.absolute(".")))
    settings = RequestFile.settings(root: workspace.root, invocation)
    workspace.reading = stored.reading(settings.reading(chosen: dialect))
    document = workspace.reading.document(stored.text, format: .http)
    workspace.pathBase = workspace.reading.dialect(of: document).pathBase
    workspace.storedEnvironments = stored.sources(secrets: secrets)
    self.workspace = workspace
  }

  /// What was said of settings already; several files may have the same.
  private static let told = Mutex<Set<String>>([])

  /// What the project around a folder and the user have set.
  static func settings(root: String, _ invocation: Invocation) -> Settings {
    let project = SettingsFile(projectIn: root)
    let user = SettingsFile(user: invocation.storeLocation.configPath)
    for notice in project.notices + user.notices {
      if told.withLock({ $0.insert(notice).inserted }) { invocation.console.complain(notice) }
    }
    return project.settings.over(user.settings)
  }

  /// What can be asked about the file, with an environment or the one of the settings. Nothing is
  /// known of earlier exchanges.
  func analysis(_ environment: String?) -> Analysis {
    let environment = environment ?? settings[.environment]
    var analysis = Analysis(
      document: document,
      scope: workspace.scope(of: document, environment: environment, dialect: dialect),
      context: workspace.analysisContext(environment: environment) { _ in nil },
      defaults: settings.requestDefaults)
    analysis.surface = .commandLine
    return analysis
  }

  /// The block whose lines hold a line, counted from 1.
  func block(atLine line: Int) -> ParsedBlock? {
    guard line >= 1, let offset = document.offset(ofLine: line - 1) else { return nil }
    return document.block(at: offset).flatMap { $0.isRunnable ? $0 : nil }
  }
}
