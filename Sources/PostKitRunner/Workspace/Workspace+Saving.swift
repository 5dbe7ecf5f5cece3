// Where the body of a response is never saved: a server chooses its content, and a request file of
// somebody else where it goes.

import PostKitEvaluate
import PostKitSupport

extension Workspace {
  /// Whether a path whose links are resolved lies below the root.
  func holds(real: String) -> Bool {
    FilePath.isInside(real, directory: FileSystem.realPath(root) ?? root)
  }

  /// Why no response is saved at a path whose links are resolved, as a clause; `nil` where one may
  /// be.
  ///
  /// In every folder version control and what PostKit itself reads is out of reach. In a folder
  /// that isn't trusted hidden files are, too, since other programs read those.
  func saveObstacle(real: String, isTrusted: Bool) -> String? {
    for name in real.split(separator: "/").map(Workspace.folded)
    where Workspace.versionControl.contains(name) {
      return "`\(name)` belongs to version control"
    }
    let name = Workspace.folded(FilePath.name(real)[...])
    if Workspace.isRead(name, in: Workspace.folded(FilePath.name(FilePath.parent(real))[...])) {
      return "PostKit reads requests or settings from a file of that name"
    }
    if isTrusted { return nil }
    let root = FileSystem.realPath(root) ?? root
    guard FilePath.isInside(real, directory: root) else { return nil }
    // The folder that `$historyFolder` names is for responses.
    let history = FilePath.join(root, ".postkit/responses")
    let base = FilePath.isInside(real, directory: history) ? history : root
    let hidden = real.dropFirst(base.utf8.count).split(separator: "/").first { $0.hasPrefix(".") }
    return hidden.map { "`\($0)` is hidden, and \(root) is not trusted" }
  }

  private static let versionControl: Set<String> = [".git", ".hg", ".svn", ".bzr", ".jj"]

  /// A name as file systems compare it that take no notice of the case of letters, nor of
  /// characters that can't be seen.
  private static func folded(_ name: Substring) -> String {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    let seen = name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
    return String(String.UnicodeScalarView(seen)).lowercased()
  }

  /// Whether a file of a name, in small letters, is read for what it says of requests.
  private static func isRead(_ name: String, in folder: String) -> Bool {
    let endings = [".http", ".rest", ".env", ".code-workspace"]
    if endings.contains(where: name.hasSuffix) { return true }
    if name.hasPrefix(".env.") || name.hasPrefix("http-client.") { return true }
    return [SettingsForm.project.fileName, ".httpyac.json"].contains(name)
      || folder == ".vscode" && name == "settings.json"
  }
}
