// Paths as the user reads them.

/// Shows the paths of other files in the form in which the user has named one: who writes
/// `api/a.http` reads `api/check.js`, and who names a file from the root reads all from there.
package struct ShownPaths: Sendable {
  /// The folder of the file that was named, as it was written, and from the root.
  private let folder: (written: String, absolute: String)?

  /// Takes the path of a file as the user has written it.
  package init(besides file: String) {
    if file.isEmpty || FilePath.isAbsolute(file) {
      folder = nil
    } else {
      let absolute = FilePath.normalise(FileSystem.absolute(file))
      folder = (FilePath.parent(file), FilePath.parent(absolute))
    }
  }

  /// An absolute path as it is shown; one that begins elsewhere stays as it is.
  package func shown(_ path: String) -> String {
    guard let folder, FilePath.isAbsolute(path) else { return path }
    let relative = FilePath.relative(path, to: folder.absolute)
    let result = FilePath.normalise(FilePath.join(folder.written, relative))
    return result.utf8.count < path.utf8.count ? result : path
  }
}
