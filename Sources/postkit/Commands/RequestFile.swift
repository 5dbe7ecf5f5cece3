// A request file as the command line reads it.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax

/// A `.http`, `.rest` or Markdown file, read and parsed.
struct RequestFile: Sendable {
  let workspace: Workspace
  let document: ParsedDocument

  /// The absolute path.
  var path: String { workspace.file }

  /// Reads a file; the failure says why it can't be read.
  static func read(_ path: String) -> Result<RequestFile, Failure> {
    do throws(FileFailure) {
      let bytes = try FileSystem.read(path: path, limit: Limits.sourceFileBytes)
      let document = ParsedDocument(bytes: bytes, format: ParsedDocument.format(ofPath: path))
      return .success(RequestFile(workspace: Workspace(file: path), document: document))
    } catch {
      return .failure(Failure(.usage, "\(error)"))
    }
  }

  /// The file as a dialect reads its lines.
  func read(as dialect: Dialect) -> RequestFile {
    let rules = SyntaxRules(preset: dialect.preset.rawValue)
    if rules == document.rules { return self }
    let again = ParsedDocument(bytes: document.bytes, format: document.format, rules: rules)
    return RequestFile(workspace: workspace, document: again)
  }

  /// What the project and the user have set; broken files are noted.
  func settings(_ invocation: Invocation) -> Settings {
    let project = Settings.project(FilePath.join(workspace.root, "postkit.json"))
    let user = Settings.file(invocation.storeLocation.configPath)
    for notice in project.notices + [user.notice].compactMap({ $0 }) {
      invocation.console.complain(notice)
    }
    return project.settings.over(user.settings)
  }

  /// How the file is read: as the command line says, else the file, else the settings.
  func dialect(_ preset: DialectPreset?, _ settings: Settings) -> Dialect {
    settings.dialect(of: document, chosen: preset)
  }

  /// The block whose lines hold a line, counted from 1.
  func block(atLine line: Int) -> ParsedBlock? {
    guard line >= 1, let offset = document.offset(ofLine: line - 1) else { return nil }
    return document.block(at: offset).flatMap { $0.isRunnable ? $0 : nil }
  }
}
