// What version control leaves out, as the files of a folder and of those above say.

package import PostKitSupport

/// Questions about version control.
package enum VersionControl {
  /// Whether it leaves a file of a folder out: what the `.gitignore` files of the folder and of
  /// those above say, up to that of the repository. `open` has the texts of files that an editor
  /// has not saved yet, by their paths.
  package static func ignores(
    in path: String, _ name: String, open: [String: [UInt8]] = [:]
  ) throws(FileFailure) -> Bool {
    var files: [(text: String, path: String)] = []
    var (folder, inner) = (path, name)
    while true {
      let file = FilePath.join(folder, ".gitignore")
      var bytes = open[file]
      if bytes == nil, FileSystem.isRegularFile(file) {
        bytes = try FileSystem.read(path: file, limit: Limits.sourceFileBytes)
      }
      if let bytes { files.append((String(decoding: bytes, as: UTF8.self), inner)) }
      if FileSystem.exists(FilePath.join(folder, ".git")) { return IgnoreRules.ignores(files) }
      if folder == "/" { break }
      inner = "\(FilePath.name(folder))/\(inner)"
      folder = FilePath.parent(folder)
    }
    // In no repository the folder's own file alone counts.
    return IgnoreRules.ignores(files.filter { $0.path == name })
  }
}
