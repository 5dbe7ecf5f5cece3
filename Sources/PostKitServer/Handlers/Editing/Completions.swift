// Completion and its documentation.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitText

/// The handlers of completion. An edit does not cancel them: the answer is as good for the text
/// after it.
enum Completions {
  /// `textDocument/completion`.
  static func completion(
    _ snapshot: Snapshot, _ params: LSP.CompletionParams
  ) async throws(RPCError) -> LSP.CompletionList? {
    guard let document = try snapshot.requests(params.textDocument.uri) else { return nil }
    if let kind = document.environmentKind {
      return await environmentKeys(snapshot, document, params, kind)
    }
    if snapshot.isSurrounding(document.uri) { return nil }
    let context = await snapshot.context(of: document)
    let converter = context.converter(snapshot)
    let offset = converter.offset(params.position)
    let name = Analysis.responseName(context.document.parsed, at: offset)
    let analysis = await snapshot.analysis(
      of: context, withResults: false, readingResponsesOf: name.map { [$0] } ?? [])
    var sources = CompletionSources()
    var isComplete = await snapshot.fill(&sources, analysis.completionNeed(at: offset), context)
    if !(await snapshot.describe(&sources, context, at: offset)) { isComplete = false }
    let isRead = await GraphQLAnswers.fill(&sources, snapshot, context, analysis, at: offset)
    isComplete = isComplete && isRead
    let workspace = context.workspace
    sources.entries = { folder in
      workspace.entries(of: folder).map { FolderEntry($0.name, isFolder: $0.isFolder) }
    }
    let answer = analysis.completion(at: offset, with: sources, limit: Limits.completionItems)
    return ToProtocol.completionList(
      answer, converter, snapshot.client.profile, isIncomplete: !isComplete,
      from: CompletionOrigin(uri: params.textDocument.uri, document: document))
  }

  /// The keys of a file of environments.
  private static func environmentKeys(
    _ snapshot: Snapshot, _ document: OpenDocument, _ params: LSP.CompletionParams,
    _ kind: EnvironmentSource.Kind
  ) async -> LSP.CompletionList {
    let project = await snapshot.project()
    let converter = document.text.converter(snapshot.client.profile.encoding)
    let offset = converter.offset(params.position)
    let answer = EnvironmentFileCompletion.answer(
      document.text.bytes, of: kind, at: offset,
      others: snapshot.environmentFiles(beside: document),
      wanted: project.namesWanted(in: document.indexKey), limit: Limits.completionItems)
    return ToProtocol.completionList(
      answer, converter, snapshot.client.profile, isIncomplete: false,
      from: CompletionOrigin(uri: params.textDocument.uri, document: document))
  }

  /// `textDocument/signatureHelp`.
  static func signatureHelp(
    _ snapshot: Snapshot, _ params: LSP.SignatureHelpParams
  ) async throws(RPCError) -> LSP.SignatureHelp? {
    guard let document = try snapshot.requestFile(params.textDocument.uri) else { return nil }
    let context = await snapshot.context(of: document)
    let offset = context.converter(snapshot).offset(params.position)
    var found = SignatureHelp(context.document.parsed, at: offset)
    if found == nil, let block = context.document.parsed.block(at: offset),
      block.mayBeGraphQL || block.hasFragments
    {
      let analysis = await snapshot.analysis(of: context, withResults: false)
      let request = await GraphQLAnswers.request(
        snapshot, context, analysis, at: offset, within: Limits.completionReadMilliseconds)
      found = request?.request.signature(at: offset)
    }
    guard let help = found else { return nil }
    let isMarkdown = snapshot.client.profile.takesMarkdownInSignatures
    return LSP.SignatureHelp(
      signatures: help.signatures.map { signature in
        LSP.SignatureInformation(
          label: signature.label,
          documentation: ToProtocol.markup(signature.documentation, isMarkdown: isMarkdown),
          parameters: signature.parameters.map { LSP.ParameterInformation(label: $0) })
      }, activeSignature: help.activeSignature, activeParameter: help.activeParameter)
  }

  /// Adds what an item's `data` stands for, without state: that of the catalogs also after a
  /// restart, that of a variable while its document is as it was.
  static func resolve(
    _ snapshot: Snapshot, _ item: LSP.CompletionItem
  ) async throws(RPCError) -> LSP.CompletionItem {
    guard let kind = item.data?["k"]?.string, let id = item.data?["id"]?.string else {
      return item
    }
    var text: String?
    switch kind {
    case "method": text = MethodCatalog.named(id)?.summary
    case "header": text = HeaderCatalog.named(id)?.summary
    case "metadata": text = MetadataTag(key: id)?.entry.summary
    case "dynamicVariable":
      text = DynamicVariables.named(String(id.drop { $0 == "$" }))?.summary
    case "script": text = ScriptAPI.byPath[id]?.documentation
    case "variable": text = try await variable(id, item, snapshot)
    default: break
    }
    var resolved = item
    resolved.documentation = text.map {
      ToProtocol.documentation($0, snapshot.client.profile)
    }
    return resolved
  }

  /// What is known of a variable: its value, masked where it is a secret, and where that is from.
  ///
  /// Throws `contentModified` where its place is gone, so that the editor asks anew. Who types on
  /// narrows the same list, of which each item is resolved.
  private static func variable(
    _ name: String, _ item: LSP.CompletionItem, _ snapshot: Snapshot
  ) async throws(RPCError) -> String? {
    let uri = item.data?["uri"]?.string ?? ""
    let offset = item.data?["at"]?.int ?? 0
    guard let document = snapshot.documents[DocumentURI(uri)],
      item.data?["rev"]?.int == document.text.version
        || CompletionOrigin.isSame(document, at: offset, trace: item.data?["line"]?.int)
    else {
      throw RPCError(
        .contentModified,
        "\(uri) is not what it was when the item `\(name)` was offered. Ask for completion again.")
    }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context, withResults: false, readingResponsesOf: [])
    return analysis.variableText(name, at: offset)
  }
}

extension Snapshot {
  /// The texts of the files that define the same variables as an environment file, as the editor
  /// has them.
  fileprivate func environmentFiles(beside document: OpenDocument) -> [[UInt8]] {
    guard let path = document.uri.path else { return [] }
    let folder = FilePath.parent(path)
    let (workspace, isTrusted) = (workspace(of: document.uri), initialization.trusted == true)
    // A folder that can't be listed has nothing to add.
    let isListed = isTrusted || workspace.holds(folder)
    let entries = isListed ? (try? FileSystem.list(folder)) ?? [] : []
    let siblings = EnvironmentFileCompletion.siblings(of: FilePath.name(path), among: entries)
    let open = documents.files
    return (siblings ?? []).compactMap { name in
      let other = FilePath.normalise(FilePath.join(folder, name))
      // One that can't be read has nothing to add, nor has a link to somewhere else.
      return open[other]
        ?? (try? FileSystem.read(
          path: other, limit: Limits.sourceFileBytes, inside: isTrusted ? nil : [workspace.root]))
    }
  }

  /// Fetches what an answer needs of the history, in one read; whether that came in time.
  fileprivate func fill(
    _ sources: inout CompletionSources, _ need: CompletionNeed, _ context: DocumentContext
  ) async -> Bool {
    guard need != .nothing, let store = await store.atHand() else { return true }
    let owner = context.owner
    let found = await Waiting.value(within: Limits.completionReadMilliseconds) {
      await CompletionSources(need, store, owner)
    }
    guard let found else { return false }
    sources = found
    return true
  }
}

extension CompletionSources {
  /// Reads what is needed; nothing where the store can't be read, which its own messages tell.
  fileprivate init(_ need: CompletionNeed, _ store: Store, _ owner: WorkspaceEnvironment) async {
    self.init()
    do throws(StoreFailure) {
      switch need {
      case .nothing: break
      case .targets(let host):
        targets = try await store.seenTargets(host: host)
          .map { SentTarget(method: $0.method, url: $0.url) }
      case .fields(let host):
        fields = try await store.seenFields(host: host).map { SentField($0.name, $0.value) }
      case .bodies(let host, let path):
        let shape = PathShape(path)
        bodies = try await store.seenBodies(host: host) { shape.distance(to: PathShape($0)) }.map {
          SentBodies(
            method: $0.method, request: Array($0.request.utf8), response: Array($0.response.utf8))
        }
      case .cookies(let host):
        var names: Set<String> = []
        for cookie in try await store.cookies(of: owner)
        where host.map({ cookie.isFor(host: $0) }) ?? true {
          names.insert(cookie.key.name)
        }
        cookieNames = names.sorted()
      }
    } catch {
      Log.warning("Completion does without the history: \(error.message)")
    }
  }
}

extension Cookie {
  /// Whether a host gets it, whatever the path.
  fileprivate func isFor(host: String) -> Bool {
    key.domain == host || includesSubdomains && host.hasSuffix("." + key.domain)
  }
}
