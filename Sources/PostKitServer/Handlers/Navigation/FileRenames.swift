// Paths follow the files that they name when these are renamed in the editor.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The handlers of files that get other names.
enum FileRenames {
  /// `workspace/willRenameFiles`: the edits after which every path leads where it led.
  static func willRename(
    _ snapshot: Snapshot, _ params: LSP.RenameFilesParams
  ) async throws(RPCError) -> LSP.WorkspaceEdit? {
    let moves = FileMoves(params)
    guard !moves.isEmpty else { return nil }
    let project = await snapshot.project(isForChange: true)
    var builder = WorkspaceEditBuilder(snapshot.client.profile)
    for path in project.files.keys.sorted() {
      guard let file = project.files[path] else { continue }
      let base = PathBase(
        file: path, folder: snapshot.folder(of: DocumentURI(path: path)),
        isJSON: file.isEnvironment || file.kind == .settings)
      let edits = file.paths.compactMap { path -> TextEdit? in
        moves.rewritten(path, in: base).map { TextEdit(path.range, $0) }
      }
      if edits.isEmpty { continue }
      builder.add(RenamedFile(file: file, edits: edits), in: snapshot, annotation: nil)
    }
    return builder.isEmpty ? nil : try builder.build()
  }

  /// The moves that a client tells of.
  static func moves(_ params: LSP.RenameFilesParams) -> [FileMove] { FileMoves(params).moves }
}

/// Where the paths in a file count from.
private struct PathBase {
  let file: String
  /// The workspace folder, which paths may count from, too.
  let folder: String?
  /// Whether paths stand in texts of JSON.
  let isJSON: Bool
}

/// Files and folders that get other names.
private struct FileMoves {
  let moves: [FileMove]

  init(_ params: LSP.RenameFilesParams) {
    moves = params.files.compactMap { file in
      guard let old = DocumentURI(file.oldUri).path, let new = DocumentURI(file.newUri).path else {
        return nil
      }
      return FileMove(from: FilePath.normalise(old), to: FilePath.normalise(new))
    }
  }

  var isEmpty: Bool { moves.isEmpty }

  /// How a path is to be written afterwards; `nil` where it can stay.
  func rewritten(_ path: NameOccurrence, in base: PathBase) -> String? {
    let (target, file) = (moves.moved(path.name), moves.moved(base.file))
    guard target != path.name || file != base.file, FileSystem.exists(path.name) else { return nil }
    let written = path.rest
    if written.hasPrefix("~") || FilePath.isAbsolute(written) {
      return target == path.name ? nil : escaped(target, path, base)
    }
    // A path that counts from the top of the workspace goes on doing so.
    let place = FileMoves.bases(of: base.file).firstIndex { folder in
      FilePath.normalise(FilePath.join(folder, written)) == path.name
    }
    let own = FileMoves.bases(of: file)
    let from = place.map { own[min($0, own.count - 1)] } ?? base.folder ?? own[0]
    if FilePath.normalise(FilePath.join(from, written)) == target { return nil }
    let relative = FilePath.relative(target, to: from)
    let hasDot = written.hasPrefix("./") || written.hasPrefix("../")
    return escaped(hasDot && !relative.hasPrefix("../") ? "./" + relative : relative, path, base)
  }

  /// The folders from which paths in a file may count: its own, and that around `.vscode`.
  private static func bases(of file: String) -> [String] {
    let folder = FilePath.parent(file)
    return FilePath.name(folder) == ".vscode" ? [folder, FilePath.parent(folder)] : [folder]
  }

  /// Blanks in the paths of bodies stand behind backslashes.
  private func escaped(_ text: String, _ path: NameOccurrence, _ base: PathBase) -> String {
    if base.isJSON { return String(JSONValue.string(text).text.dropFirst().dropLast()) }
    return path.isRequestFilePath
      ? text : text.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "\\ ")
  }
}
