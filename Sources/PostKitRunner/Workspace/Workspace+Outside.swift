// What lies outside of the root: it is found by paths alone, so that nothing of it is opened before
// the user has agreed (PROMISES.md R4).

package import PostKitEvaluate
import PostKitSupport
package import PostKitSyntax

extension Workspace {
  /// Why a file is not read; `nil` for one that may be. What the user has opened may be.
  func refusal(_ path: String) -> String? {
    guard let outsideRefusal, openFile(path) == nil, !holds(path) else { return nil }
    return outsideRefusal
  }

  /// Why an environment file is not read; `nil` for one that may be. The folder that `HTTPYAC_ENV`
  /// names was chosen by the user, wherever its links lead.
  func environmentRefusal(_ path: String) -> String? {
    FilePath.parent(path) == sharedFolder ? nil : refusal(path)
  }

  /// Says that the file to which a link leads counts for nothing, and why.
  static func ignored(_ link: String, _ refusal: String) -> String {
    "PostKit ignores the file behind \(link): \(refusal)."
  }

  /// What the disk has of a file, as far as it may be read. What was found to lie below the root is
  /// looked at again when it is opened, since a link may have changed meanwhile.
  func savedBytes(_ path: String) throws(FileFailure) -> [UInt8] {
    let isFree = outsideRefusal == nil || FilePath.parent(path) == sharedFolder
    return try FileSystem.read(
      path: path, limit: Limits.sourceFileBytes, inside: isFree ? nil : [root])
  }

  /// The settings of a project in a folder; those in a file from outside say nothing.
  package func settingsFile(in folder: String) -> SettingsFile {
    SettingsFile(
      projectIn: folder, inside: outsideRefusal == nil ? nil : [root], refusal: refusal,
      open: openFile)
  }

  /// The files outside of the root that sending requests of a document would read.
  package func outsideFiles(
    of document: ParsedDocument, environment: String?, _ dialect: Dialect
  ) -> [String] {
    let sources = environmentSources(active: environment, search: dialect.environmentSearch)
    let set = EnvironmentSet(
      sources: sources, active: environment, privateWins: dialect.privateEnvironmentWins)
    return outsideFiles(sources, active: environment, requestFiles(of: document, set, dialect))
  }

  /// The files outside of the root that a run would read before it evaluates anything: environment
  /// files and settings to which links lead, and request files that are imported from there.
  func outsideFiles(_ sources: [EnvironmentSource], active: String?, _ files: RequestFiles)
    -> [String]
  {
    if outsideRefusal == nil { return [] }
    // What the store keeps lies in no folder.
    var paths = sources.filter { !$0.kind.isStored }.map(\.file.path) + dotEnvPaths(active: active)
    paths = paths.filter { environmentRefusal($0) != nil && FileSystem.exists($0) }
    let imported = files.files.dropFirst().map(\.path)
    paths += imported.flatMap(settingsAbove).filter { refusal($0) != nil && FileSystem.exists($0) }
    // One that is open in the editor is sent from all the same.
    paths += imported.filter { !holds($0) } + files.outside
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }

  /// Whether the user has chosen a file for all projects, or keeps its values in the store.
  func isChosenByUser(_ path: String) -> Bool {
    FilePath.parent(path) == sharedFolder || storedEnvironments.contains { $0.file.path == path }
  }

  /// The environment files that somebody else may have put into the project, where it isn't
  /// trusted: neither those of the store nor those of the folder that `HTTPYAC_ENV` names.
  func projectFiles(_ sources: [EnvironmentSource]) -> Set<String> {
    if outsideRefusal == nil { return [] }
    let paths = sources.filter { !$0.kind.isStored }.map(\.file.path)
    return Set(paths.filter { FilePath.parent($0) != sharedFolder })
  }

  /// The settings that say how a file below the root is read.
  private func settingsAbove(_ path: String) -> [String] {
    var folder = FilePath.parent(path)
    var result: [String] = []
    while folder != root, FilePath.isInside(folder, directory: root) {
      result.append(FilePath.join(folder, SettingsForm.project.fileName))
      folder = FilePath.parent(folder)
    }
    return result
  }
}
