// Renaming variables, keys and requests in all files of the workspace.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitText

/// The handlers of renaming.
enum Rename {
  /// `textDocument/prepareRename`: the name at the caret, or why it can't be renamed.
  static func prepare(
    _ snapshot: Snapshot, _ params: LSP.PrepareRenameParams
  ) async throws(RPCError) -> LSP.PrepareRenamePlaceholder? {
    let document = try document(snapshot, params.textDocument.uri)
    let converter = document.text.converter(snapshot.client.profile.encoding)
    let offset = converter.offset(params.position)
    if let uses = await snapshot.fragment(in: document, at: offset) {
      return LSP.PrepareRenamePlaceholder(range: converter.lsp(uses.place), placeholder: uses.name)
    }
    let project = await snapshot.project()
    do throws(RenameRefusal) {
      let found = try project.renameable(
        in: document.indexKey, at: offset)
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
    let converter = document.text.converter(snapshot.client.profile.encoding)
    let offset = converter.offset(params.position)
    let files: [RenamedFile]
    do throws(RenameRefusal) {
      if let uses = await snapshot.fragment(in: document, at: offset) {
        let edits = try uses.renamed(to: params.newName)
        files = [RenamedFile(file: await snapshot.names(of: document), edits: edits)]
      } else {
        let kept = await keptGlobals(snapshot, document)
        files = try await snapshot.project(isForChange: true).rename(
          in: document.indexKey, at: offset, to: params.newName, kept: kept)
      }
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
    let annotation = WorkspaceEditBuilder.Annotation(
      label: "Rename to `\(params.newName)` in private files", needsConfirmation: true,
      description: "Files with private values, which other programs may read, too")
    var builder = WorkspaceEditBuilder(snapshot.client.profile)
    for file in files { builder.add(file, in: snapshot, annotation: annotation) }
    return try builder.build()
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
      kept.formUnion(await snapshot.globals(of: owner, context.dialect).keys)
    }
    return kept
  }
}
