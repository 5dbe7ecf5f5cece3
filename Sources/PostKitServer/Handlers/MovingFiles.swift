// Paths follow the files that they name when these are renamed in the editor.

import JSONRPC
import LanguageServerProtocol
import PostKitLanguage
import PostKitSupport
import PostKitText

/// The handlers of files that get other names.
enum MovingFiles {
  /// `workspace/willRenameFiles`: the edits after which every path leads where it led.
  static func willRename(
    _ snapshot: Snapshot, _ params: LSP.RenameFilesParams
  ) async throws(RPCError) -> LSP.WorkspaceEdit? {
    let moves = FileMoves(params)
    guard !moves.isEmpty else { return nil }
    let project = await snapshot.services.index.project(snapshot, isForChange: true)
    var files: [RenamedFile] = []
    for path in project.files.keys.sorted() {
      guard let file = project.files[path] else { continue }
      let base = PathBase(file: path, folder: snapshot.folder(of: DocumentURI(path: path)))
      let edits = file.paths.compactMap { path -> TextEdit? in
        moves.rewritten(path, in: base).map { TextEdit(path.range, $0) }
      }
      if !edits.isEmpty { files.append(RenamedFile(file: file, edits: edits)) }
    }
    if files.isEmpty { return nil }
    return WorkspaceEdits.edit(
      files, snapshot, annotation: LSP.ChangeAnnotation(label: "Paths of renamed files"))
  }

  /// `workspace/didRenameFiles`: the index looks again.
  static func didRename(_ state: inout ServerState, _ params: LSP.RenameFilesParams) {
    state.services.index.changed(nil)
    state.filesChanged()
  }
}

/// Where the paths in a file count from.
private struct PathBase {
  let file: String
  /// The workspace folder, which paths may count from, too.
  let folder: String?
}

/// Files and folders that get other names.
private struct FileMoves {
  private let pairs: [(old: String, new: String)]

  init(_ params: LSP.RenameFilesParams) {
    pairs = params.files.compactMap { file in
      guard let old = DocumentURI(file.oldUri).path, let new = DocumentURI(file.newUri).path else {
        return nil
      }
      return (FilePath.normalise(old), FilePath.normalise(new))
    }
  }

  var isEmpty: Bool { pairs.isEmpty }

  /// What a path is afterwards.
  private func moved(_ path: String) -> String {
    for (old, new) in pairs {
      if path == old { return new }
      if FilePath.isInside(path, directory: old) {
        return FilePath.join(new, FilePath.relative(path, to: old))
      }
    }
    return path
  }

  /// How a path is to be written afterwards; `nil` where it can stay.
  func rewritten(_ path: NameOccurrence, in base: PathBase) -> String? {
    let (target, file) = (moved(path.name), moved(base.file))
    guard target != path.name || file != base.file, FileSystem.exists(path.name) else { return nil }
    let written = path.rest
    if written.hasPrefix("~") || FilePath.isAbsolute(written) {
      return target == path.name ? nil : escaped(target, path)
    }
    let folder = FilePath.parent(base.file)
    // A path that counts from the top of the workspace goes on doing so.
    let isOfFile = FilePath.normalise(FilePath.join(folder, written)) == path.name
    let from = isOfFile ? FilePath.parent(file) : base.folder ?? FilePath.parent(file)
    if FilePath.normalise(FilePath.join(from, written)) == target { return nil }
    let relative = FilePath.relative(target, to: from)
    let hasDot = written.hasPrefix("./") || written.hasPrefix("../")
    return escaped(hasDot && !relative.hasPrefix("../") ? "./" + relative : relative, path)
  }

  /// Blanks in the paths of bodies stand behind backslashes.
  private func escaped(_ text: String, _ path: NameOccurrence) -> String {
    path.isRequestFilePath
      ? text : text.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "\\ ")
  }
}
