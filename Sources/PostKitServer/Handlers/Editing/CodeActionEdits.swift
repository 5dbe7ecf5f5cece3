// Fixes and refactorings as code actions: their edits in the form that the client takes, at once or
// when one is chosen.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitText
import PostKitTransfer

/// A change that is offered, with the diagnostic that it takes away.
private struct Proposal: Sendable {
  var change: CodeChange
  var diagnostic: Diagnostic?
  var isPreferred: Bool?
}

/// The code actions that change files.
enum CodeActionEdits {
  /// What can be changed in a range, and what is sent to take a diagnostic away.
  static func actions(
    _ snapshot: Snapshot, _ document: OpenDocument, _ context: DocumentContext,
    _ analysis: Analysis, _ params: LSP.CodeActionParams
  ) async throws(RPCError) -> [LSP.CodeAction] {
    guard !document.isTooLong else { return [] }
    let converter = context.converter(snapshot)
    let range = converter.offsets(params.range)
    let found = await found(snapshot, context, analysis)
    let graphQL = await GraphQLAnswers.changes(snapshot, context, analysis, in: range)
    let proposals = unique(
      proposals(context, analysis, found, range) + graphQL.map { Proposal(change: $0) })
    return sends(snapshot, document, converter, analysis, touched(found, range))
      + selections(snapshot, context, analysis, touched(found, range))
      + (try actions(proposals, snapshot, document, converter, params.range))
  }

  /// What can be changed in a range of a file of environments.
  static func actions(
    _ snapshot: Snapshot, _ document: OpenDocument, _ environments: EnvironmentDocument,
    _ params: LSP.CodeActionParams
  ) async throws(RPCError) -> [LSP.CodeAction] {
    let context = await snapshot.context(of: document)
    let converter = context.converter(snapshot)
    let range = converter.offsets(params.range)
    let proposals = proposals(snapshot, context, environments, range)
    return try actions(proposals, snapshot, document, converter, params.range)
  }

  private static func actions(
    _ proposals: [Proposal], _ snapshot: Snapshot, _ document: OpenDocument,
    _ converter: PositionConverter, _ range: LSP.Range
  ) throws(RPCError) -> [LSP.CodeAction] {
    var actions: [LSP.CodeAction] = []
    for proposal in proposals {
      let action = try action(proposal, snapshot, document, converter, range)
      if let action { actions.append(action) }
    }
    return actions
  }

  /// `codeAction/resolve`: the edit of an action that was listed without it.
  static func resolve(
    _ snapshot: Snapshot, _ action: LSP.CodeAction
  ) async throws(RPCError) -> LSP.CodeAction {
    guard let data = action.data, let uri = data["uri"]?.string else { return action }
    let document = try snapshot.document(uri)
    let stale = RPCError(
      .contentModified, "The document has changed since this action was offered. Try again.")
    guard data["version"]?.int == document.text.version,
      let range = data["range"].flatMap(CodeActionEdits.range)
    else { throw stale }
    let context = await snapshot.context(of: document)
    let offsets = context.converter(snapshot).offsets(range)
    var proposals: [Proposal]
    if let environments = await snapshot.environmentDocument(document) {
      proposals = self.proposals(snapshot, context, environments, offsets)
    } else {
      let analysis = await snapshot.comparing(await snapshot.analysis(of: context), context)
      let found = await found(snapshot, context, analysis)
      let graphQL = await GraphQLAnswers.changes(snapshot, context, analysis, in: offsets)
      proposals = self.proposals(context, analysis, found, offsets)
        + graphQL.map { Proposal(change: $0) }
    }
    let wanted = proposals.first {
      $0.change.title.excerpt == action.title && $0.change.kind.rawValue == action.kind?.rawValue
    }
    guard let change = wanted?.change, change.disabled == nil else { throw stale }
    var resolved = action
    resolved.edit = try edit(change, snapshot, document)
    return resolved
  }

  private static func range(_ value: JSONValue) -> LSP.Range? {
    // What we did not write ourselves is as good as stale.
    guard let tree = try? JSONTree(parsing: value.bytes) else { return nil }
    return try? LSP.Range(decoding: tree.root)
  }

  // MARK: - What is offered

  /// The diagnostics that may have fixes.
  private static func found(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis
  ) async -> [Diagnostic] {
    await Diagnostics.found(snapshot, context.document, analysis)
      + GraphQLAnswers.diagnostics(snapshot, context, analysis)
  }

  private static func proposals(
    _ context: DocumentContext, _ analysis: Analysis, _ found: [Diagnostic], _ range: Range<Int>
  ) -> [Proposal] {
    let files = files(context)
    var result = touched(found, range).flatMap { diagnostic -> [Proposal] in
      let fixes = analysis.fixes(for: diagnostic).map { CodeChange($0) }
      return CodeActionEdits.fixes(
        of: diagnostic, fixes + analysis.fileFixes(for: diagnostic, in: files))
    }
    result += analysis.refactorings(in: range, files).map { Proposal(change: $0) }
    if let all = analysis.fixAll(found) { result.append(Proposal(change: all)) }
    return unique(result)
  }

  private static func proposals(
    _ snapshot: Snapshot, _ context: DocumentContext, _ environments: EnvironmentDocument,
    _ range: Range<Int>
  ) -> [Proposal] {
    let found = touched(environments.diagnostics, range)
    var files = files(context)
    if found.contains(where: { $0.code == .authSecretPublic }) { ignore(&files, snapshot) }
    return unique(found.flatMap { fixes(of: $0, environments.fixes(for: $0, in: files)) })
  }

  /// Looks whether version control would take the private file in.
  private static func ignore(_ files: inout EnvironmentFiles, _ snapshot: Snapshot) {
    let path = files.privateFile?.path ?? files.privatePath
    let folder = FilePath.parent(path)
    let open = snapshot.documents.files
    // Where nobody can tell, a line too many does no harm.
    let isIgnored = try? VersionControl.ignores(in: folder, FilePath.name(path), open: open)
    guard isIgnored != true else { return }
    let ignoring = FilePath.join(folder, ".gitignore")
    // One that can't be read can't be changed either.
    let bytes =
      open[ignoring] ?? (try? FileSystem.read(path: ignoring, limit: Limits.sourceFileBytes))
    guard bytes != nil || !FileSystem.exists(ignoring) else { return }
    files.ignoringPath = ignoring
    files.ignoringFile = bytes.map { SourceFile(path: ignoring, bytes: $0) }
  }

  private static func touched(_ found: [Diagnostic], _ range: Range<Int>) -> [Diagnostic] {
    found.filter {
      $0.range.lowerBound <= range.upperBound && range.lowerBound <= $0.range.upperBound
    }
  }

  /// The fixes of a diagnostic, of which the first is the likeliest.
  private static func fixes(of diagnostic: Diagnostic, _ changes: [CodeChange]) -> [Proposal] {
    changes.enumerated().map {
      Proposal(change: $1, diagnostic: diagnostic, isPreferred: $0 == 0)
    }
  }

  /// Two diagnostics of one place may have the same fix, which may be a refactoring as well.
  private static func unique(_ proposals: [Proposal]) -> [Proposal] {
    var titles: Set<String> = []
    return proposals.filter { titles.insert($0.change.title).inserted }
  }

  /// Sending the request whose response a reference reads, for who can have a command carried out.
  private static func sends(
    _ snapshot: Snapshot, _ document: OpenDocument, _ converter: PositionConverter,
    _ analysis: Analysis, _ touched: [Diagnostic]
  ) -> [LSP.CodeAction] {
    var titles: Set<String> = []
    return touched.compactMap { diagnostic in
      guard let request = analysis.requestToSend(for: diagnostic) else { return nil }
      let title = "Send `\(request.title)` first"
      guard titles.insert(title).inserted else { return nil }
      let command = CommandID.send.command(
        title, snapshot.initialization,
        LSP.PostkitSendArguments(
          uri: document.uri.spelling, position: converter.lsp(request.offset)))
      return LSP.CodeAction(
        title: title, kind: .quickFix,
        diagnostics: [ToProtocol.diagnostic(diagnostic, converter, snapshot.client.profile)],
        command: command)
    }
  }

  /// Selecting one of the environments that define what a diagnostic says is missing.
  private static func selections(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis,
    _ touched: [Diagnostic]
  ) -> [LSP.CodeAction] {
    let converter = context.converter(snapshot)
    return touched.flatMap { diagnostic in
      analysis.environmentsToSelect(for: diagnostic).compactMap { name in
        let title = "Select the environment `\(name)`"
        return Environments.command(title, name, snapshot, context).map { command in
          LSP.CodeAction(
            title: title, kind: .quickFix,
            diagnostics: [ToProtocol.diagnostic(diagnostic, converter, snapshot.client.profile)],
            command: command)
        }
      }
    }
  }

  /// The environment files in force, and where they would be made.
  private static func files(_ context: DocumentContext) -> EnvironmentFiles {
    let sources = context.workspace.environmentSources(active: context.environment)
      .filter { $0.failure == nil }
    let publicFile = sources.last { $0.kind == .publicFile }?.file
    let privateFile = sources.last { $0.kind == .privateFile }?.file
    // A new one belongs beside the one that is there.
    let other = publicFile ?? privateFile
    let folder = other.map { FilePath.parent($0.path) } ?? context.workspace.folder
    return EnvironmentFiles(
      publicFile: publicFile, privateFile: privateFile,
      publicPath: FilePath.join(folder, "http-client.env.json"),
      privatePath: FilePath.join(folder, "http-client.private.env.json"))
  }

  // MARK: - In the protocol's form

  private static func action(
    _ proposal: Proposal, _ snapshot: Snapshot, _ document: OpenDocument,
    _ converter: PositionConverter, _ range: LSP.Range
  ) throws(RPCError) -> LSP.CodeAction? {
    let profile = snapshot.client.profile
    let change = proposal.change
    var action = LSP.CodeAction(
      title: change.title.excerpt, kind: LSP.CodeActionKind(rawValue: change.kind.rawValue),
      diagnostics: proposal.diagnostic.map { [ToProtocol.diagnostic($0, converter, profile)] },
      isPreferred: proposal.isPreferred)
    let needsFile = change.files.contains { if case .new = $0.content { true } else { false } }
    let reason =
      needsFile && !profile.createsFiles
      ? "This editor can't create files for a server. Create the file, then try again."
      : change.disabled
    if let reason {
      guard profile.showsDisabledActions else { return nil }
      action.isPreferred = nil
      action.disabled = LSP.CodeActionDisabled(reason: reason)
    } else if profile.resolvesCodeActionEdits {
      var data = [
        JSONMember("uri", .string(document.uri.spelling)), JSONMember("range", JSONValue(range)),
      ]
      if let version = document.text.version { data.append(JSONMember("version", .int(version))) }
      action.data = .object(data)
    } else {
      action.edit = try edit(change, snapshot, document)
    }
    return action
  }

  private static func edit(
    _ change: CodeChange, _ snapshot: Snapshot, _ document: OpenDocument
  ) throws(RPCError) -> LSP.WorkspaceEdit {
    var builder = WorkspaceEditBuilder(snapshot.client.profile)
    if !change.edits.isEmpty { builder.add(change.edits, to: document) }
    for file in change.files {
      let uri = DocumentURI(path: file.path)
      let annotation = WorkspaceEditBuilder.Annotation(
        label: "Write to \(file.name)", description: file.path)
      switch file.content {
      case .new(let text):
        guard builder.create(uri, text: text, annotation: annotation) else {
          throw RPCError(
            .requestFailed,
            "This editor can't create \(file.path). Create it, then try again.")
        }
      case .edits(let edits, let bytes):
        let open = snapshot.documents[uri]
        let text = open?.text ?? TextSnapshot(uri: uri.spelling, version: nil, bytes: bytes)
        guard text.bytes == bytes else {
          throw RPCError(.contentModified, "\(file.path) has changed meanwhile. Try again.")
        }
        builder.add(edits, to: open?.uri ?? uri, text: text, annotation: annotation)
      }
    }
    return try builder.build()
  }
}
