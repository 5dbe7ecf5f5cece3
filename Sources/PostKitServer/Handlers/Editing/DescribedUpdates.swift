// What can be done with requests whose API is described: they are made, brought up to date, and
// seen in the description (IO-37).

import JSONRPC
import LanguageServerProtocol
import PostKitDescription
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitText
import PostKitTransfer

/// The actions that a description gives, and two tasks of `postkit.describe`.
enum DescribedUpdates {
  /// What can be done by the description around a document; `block` has the request there.
  static func actions(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis, _ block: ParsedBlock?,
    _ position: LSP.Position
  ) async -> [LSP.CodeAction] {
    guard analysis.descriptions != nil else { return [] }
    let (own, uri) = (snapshot.initialization, context.document.uri.spelling)
    func action(_ title: String, _ task: LSP.PostkitDescribeTask?) -> LSP.CodeAction {
      CodeActions.action(
        "refactor.rewrite", title,
        CommandID.describe.command(
          title, own, LSP.PostkitDescribeArguments(uri: uri, position: position, task: task)))
    }
    var actions: [LSP.CodeAction] = []
    let isMeant = block.flatMap { analysis.description(of: $0) }?.match?.isExact == true
    if isMeant, block?.request?.curl == nil, snapshot.client.profile.appliesEdits {
      actions.append(action("Update this request from the description", .update))
    }
    actions.append(action("Create a request for an operation…", nil))
    // Why a description can't be read is told as a diagnostic.
    let description = try? await DescribedRequests.description(snapshot, context, analysis, block)
    if let path = description?.path, FilePath.isAbsolute(path) {
      let title = "Import all operations of `\(FilePath.name(path))`"
      var order = LSP.PostkitImportArguments(uri: DocumentURI(path: path).spelling)
      // What an import has made is brought up to date.
      order.target = DescriptionFinder(context.workspace, context.settings)
        .importFolder(of: path).map { DocumentURI(path: $0).spelling }
      actions.append(
        CodeActions.action("postkit.import", title, CommandID.import.command(title, own, order)))
    }
    return actions
  }

  /// A request with the operation that it means.
  private struct Meant {
    let document: OpenDocument
    let context: DocumentContext
    let analysis: Analysis
    let block: ParsedBlock
    let offset: Int
    let description: LoadedDescription
    let match: OperationMatch
  }

  /// What an order is about.
  ///
  /// Throws where there is no request, or its operation is not described.
  private static func meant(
    _ snapshot: Snapshot, _ order: LSP.PostkitDescribeArguments, in document: OpenDocument
  ) async throws(RPCError) -> Meant {
    guard let position = order.position else {
      throw RPCError(.invalidParams, "arguments[0].position: expected a place in a request.")
    }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.comparing(
      await snapshot.analysis(of: context, withResults: false), context)
    let offset = context.converter(snapshot).offset(position)
    guard let block = document.parsed.block(at: offset), block.isRequest else {
      throw RPCError(.requestFailed, "There is no request at this place.")
    }
    let description = try await DescribedRequests.description(snapshot, context, analysis, block)
    guard let match = analysis.describedRequest(of: block).flatMap(description.index.match),
      match.isExact
    else {
      throw RPCError(
        .requestFailed, "\(description.name) has no operation for this request. Correct its "
          + "method or its path.")
    }
    return Meant(
      document: document, context: context, analysis: analysis, block: block, offset: offset,
      description: description, match: match)
  }

  /// Shows the operation of a request where it is described.
  static func show(
    _ snapshot: Snapshot, _ order: LSP.PostkitDescribeArguments
  ) async throws(RPCError) -> Bool {
    let meant = try await meant(snapshot, order, in: snapshot.document(order.uri))
    let place = meant.description.place(of: meant.description.index.place(of: meant.match))
    let target = DefinitionPlace(
      origin: 0..<0, path: place.path, range: place.offset..<place.offset
    ).fetched(.openAPI, environment: nil)
    var texts = FileTexts(snapshot)
    guard let (uri, range) = await texts.target(target.path ?? place.path, target.range) else {
      throw RPCError(.requestFailed, "\(place.path) can't be read.")
    }
    SendResults.open(snapshot, uri, takesFocus: true, selection: range)
    return true
  }

  // MARK: - Bringing up to date

  /// Brings a request up to date with its description: by what the import that made it remembers,
  /// else by adding what is missing.
  static func update(
    _ snapshot: Snapshot, _ order: LSP.PostkitDescribeArguments, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> Bool {
    let otherwise = "`postkit import` brings all requests of a folder up to date."
    let document = try DocumentCommands.editable(snapshot, order.uri, otherwise: otherwise)
    let meant = try await meant(snapshot, order, in: document)
    let merged = try await merged(snapshot, meant, token)
    let edits = merged?.edits ?? meant.analysis.descriptionUpdate(of: meant.block)
    if edits.isEmpty {
      // Why the request's own stays was said.
      if merged?.isTold == true { return false }
      let hints = meant.analysis.descriptionDifferences(of: meant.block)
      snapshot.client.showMessage(.info, unchanged(meant.description.name, hints: hints))
      return false
    }
    var builder = WorkspaceEditBuilder(snapshot.client.profile)
    builder.add(edits, to: document)
    try await DocumentCommands.apply(
      snapshot, builder, "Update a request", otherwise: otherwise)
    return true
  }

  /// What is said where nothing was changed, of a description by its name and the differences from
  /// it that are left.
  static func unchanged(_ description: String, hints: Int) -> String {
    switch hints {
    case 0: "The request has all that \(description) says for sure."
    case 1: "Nothing can be changed without a choice; 1 hint is left."
    default: "Nothing can be changed without a choice; \(hints) hints are left."
    }
  }

  /// The edits by which a request takes over what has changed in its description since it was
  /// imported, and whether people were told what of theirs stays; `nil` where no import remembers
  /// it.
  private static func merged(
    _ snapshot: Snapshot, _ meant: Meant, _ token: LSP.ProgressToken?
  ) async throws(RPCError) -> (edits: [TextEdit], isTold: Bool)? {
    let path = meant.description.path
    let finder = DescriptionFinder(meant.context.workspace, meant.context.settings)
    guard let folder = finder.importFolder(of: path) else { return nil }
    var order = OriginImport([.path(path, called: path)], in: FilePath.parent(folder))
    order.target = FilePath.name(folder)
    order.openFiles = snapshot.documents.files
    let (job, offset) = (order, meant.offset)
    let operation = meant.description.index.operations[meant.match.operation]
    let ids = [operation.id, "\(operation.method) \(operation.path)"].compactMap { $0 }
    let bytes = meant.document.text.bytes
    let title = "Read \(meant.description.name)"
    let update = try await snapshot.session.transfer(
      snapshot.client, token: token, title: title
    ) { report in
      .success(
        await ImportWatch.perform(report: report) { job.update(ids, at: offset, of: bytes, $0) })
    }
    switch update {
    case .unknown: return nil
    case .failed(let message): throw RPCError(.requestFailed, message)
    case .merged(let file, let kept):
      if !kept.isEmpty {
        let words = ["line": "request line", "tail": "scripts and checks", "head": "comments"]
        snapshot.client.showMessage(
          .info, "Both the request and its description have changed the "
            + "\(kept.map { words[$0] ?? $0 }.joined(separator: ", the ")). The request's stays.")
      }
      let edits = TextEdit.minimal(from: bytes, to: file).map { [$0] } ?? []
      return (edits: edits, isTold: !kept.isEmpty)
    }
  }
}
