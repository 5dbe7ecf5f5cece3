// Renaming variables, keys and requests in all files of the workspace.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitText

/// The handlers of renaming.
enum Renaming {
  /// `textDocument/prepareRename`: the name at the caret, or why it can't be renamed.
  static func prepare(
    _ snapshot: Snapshot, _ params: LSP.PrepareRenameParams
  ) async throws(RPCError) -> LSP.PrepareRenamePlaceholder? {
    let document = try document(snapshot, params.textDocument.uri)
    let project = await snapshot.services.index.project(snapshot)
    let converter = document.text.converter(snapshot.client.profile.encoding)
    do throws(RenameRefusal) {
      let found = try project.renameable(
        in: document.indexKey, at: converter.offset(params.position))
      return LSP.PrepareRenamePlaceholder(
        range: converter.lsp(found.range), placeholder: found.name)
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
  }

  /// `textDocument/rename`.
  static func rename(
    _ snapshot: Snapshot, _ params: LSP.RenameParams
  ) async throws(RPCError) -> LSP.WorkspaceEdit? {
    let document = try document(snapshot, params.textDocument.uri)
    let kept = await keptGlobals(snapshot, document)
    let project = await snapshot.services.index.project(snapshot, isForChange: true)
    let converter = document.text.converter(snapshot.client.profile.encoding)
    do throws(RenameRefusal) {
      let files = try project.rename(
        in: document.indexKey, at: converter.offset(params.position), to: params.newName,
        kept: kept)
      return WorkspaceEdits.edit(
        files, snapshot,
        annotation: LSP.ChangeAnnotation(
          label: "Rename to `\(params.newName)` in private files", needsConfirmation: true,
          description: "Files with private values, which other programs may read, too"))
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
  }

  private static func document(
    _ snapshot: Snapshot, _ uri: String
  ) throws(RPCError) -> OpenDocument {
    let document = try snapshot.document(uri)
    guard let shown = snapshot.shown(document.uri) else { return document }
    switch shown {
    case .storedRequest:
      throw RPCError(
        .requestFailed,
        "The request is kept in a collection, whose variables other requests use. Rename in the "
          + "list of collections (`postkit.collections`), or by hand.")
    default:
      throw RPCError(.requestFailed, "\(uri) is only shown. Rename in the file that it shows.")
    }
  }

  /// The names of the globals that are kept for the document's folder, whatever the environment.
  private static func keptGlobals(
    _ snapshot: Snapshot, _ document: OpenDocument
  ) async -> Set<String> {
    let context = await snapshot.context(of: document)
    let names = context.workspace.environments(active: nil, context.dialect).names
    var kept: Set<String> = []
    for environment in [nil] + names.map(Optional.some) {
      let owner = WorkspaceEnvironment(folder: context.workspace.root, environment: environment)
      kept.formUnion(await snapshot.services.globals(of: owner, context.dialect).keys)
    }
    return kept
  }
}

/// Builds the edits of several files as the client takes them (lsp.md D12).
enum WorkspaceEdits {
  private static let annotationID = "postkit.private"

  /// Edits with the versions of open documents where the client takes versions; those of files that
  /// need a look first are annotated where the client can show that.
  static func edit(
    _ files: [RenamedFile], _ snapshot: Snapshot, annotation: LSP.ChangeAnnotation
  ) -> LSP.WorkspaceEdit {
    let profile = snapshot.client.profile
    guard profile.takesDocumentChanges else {
      var changes: [String: [LSP.TextEdit]] = [:]
      for file in files { changes[snapshot.spelling(ofIndexed: file.file)] = edits(file, snapshot) }
      return LSP.WorkspaceEdit(changes: changes)
    }
    let isAnnotated = profile.showsChangeAnnotations && files.contains(where: \.needsConfirmation)
    let changes = files.map { file -> LSP.TextDocumentEditOrCreateFile in
      let uri = snapshot.spelling(ofIndexed: file.file)
      let version = snapshot.documents[DocumentURI(uri)]?.text.version
      return .textDocumentEdit(
        LSP.TextDocumentEdit(
          textDocument: LSP.OptionalVersionedTextDocumentIdentifier(uri: uri, version: version),
          edits: edits(file, snapshot).map { edit in
            isAnnotated && file.needsConfirmation
              ? .annotatedTextEdit(
                LSP.AnnotatedTextEdit(
                  range: edit.range, newText: edit.newText, annotationId: annotationID))
              : .textEdit(edit)
          }))
    }
    return LSP.WorkspaceEdit(
      documentChanges: changes,
      changeAnnotations: isAnnotated ? [annotationID: annotation] : nil)
  }

  private static func edits(_ file: RenamedFile, _ snapshot: Snapshot) -> [LSP.TextEdit] {
    var places = NamePlaces(file.file, snapshot)
    return file.edits.map { edit in
      LSP.TextEdit(range: places.range(edit.range), newText: edit.replacement)
    }
  }
}
