// The requests of the workspace that mean an operation of a description (IO-36).

import JSONRPC
import LanguageServerProtocol
import PostKitDescription
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitSyntax
import PostKitText

/// An operation that requests are looked for of.
struct DescribedOperation {
  /// The path of the description.
  let path: String
  /// The operation's place in the description.
  let operation: Int
}

extension Snapshot {
  /// The operation that an offset of a request file is about, or of the description itself where
  /// `openapi.inDescriptions` says so.
  func describedOperation(
    _ context: DocumentContext, at offset: Int
  ) async -> DescribedOperation? {
    if let path = context.document.uri.path.map(FilePath.normalise),
      DescriptionSigns.isName(FilePath.name(path))
    {
      guard context.settings[.openapiInDescriptions] == true,
        // What is no description has no operations.
        let description = try? await descriptions.reading(
          of: path, in: context.workspace, client
        ).get()
      else { return nil }
      let starts = description.index.operations.indices.map { operation in
        let place = description.place(of: description.index.place(ofOperationAt: operation))
        return place.path == path ? place.offset : .max
      }
      let above = starts.indices.filter { starts[$0] <= offset }
      return above.max { starts[$0] < starts[$1] }
        .map { DescribedOperation(path: path, operation: $0) }
    }
    let analysis = await analysis(of: context, withResults: false, readingResponsesOf: [])
    guard let description = await description(analysis, context, at: offset),
      case .operation? = analysis.describedPart(at: offset, in: description.index)?.kind,
      let block = analysis.document.block(at: offset),
      let match = analysis.describedRequest(of: block).flatMap(description.index.match),
      match.isExact
    else { return nil }
    return DescribedOperation(path: description.path, operation: match.operation)
  }

  /// The requests of the operation at a place of a description that is open itself; `nil` for any
  /// other document that holds no requests.
  func requestsOfDescription(
    _ params: LSP.ReferenceParams
  ) async throws(RPCError) -> [LSP.Location]? {
    let document = try document(params.textDocument.uri)
    guard isOfOtherTool(document.uri), let path = document.uri.path,
      DescriptionSigns.isName(FilePath.name(path))
    else { return nil }
    let context = await context(of: document)
    let offset = document.text.converter(client.profile.encoding).offset(params.position)
    guard let operation = await describedOperation(context, at: offset) else { return nil }
    return try await requests(of: operation, token: params.partialResultToken)
  }

  /// The request lines of the workspace that mean an operation: sent file by file under a token,
  /// else all at once.
  func requests(
    of wanted: DescribedOperation, token: LSP.ProgressToken?
  ) async throws(RPCError) -> [LSP.Location] {
    var rest: [LSP.Location] = []
    for path in await requestFiles() {
      try Abandonment.check()
      // One that is gone has no requests.
      guard let document = try? await readableDocument(DocumentURI(path: path).spelling) else {
        continue
      }
      let context = await context(of: document)
      let parsed = context.document.parsed
      let found = await descriptions.around(context, of: Array(parsed.blocks), within: nil, client)
      guard found.paths.contains(wanted.path) else { continue }
      let analysis = await analysis(of: context, withResults: false, readingResponsesOf: [])
      let converter = context.converter(self)
      let locations = parsed.blocks.compactMap { block -> LSP.Location? in
        guard let request = analysis.describedRequest(of: block),
          // Why a description can't be read is told as a diagnostic.
          let description = try? found.description(
            for: request, tag: parsed.descriptionTag(of: block)),
          description.path == wanted.path, let match = description.index.match(request),
          match.isExact, match.operation == wanted.operation
        else { return nil }
        return LSP.Location(
          uri: document.uri.spelling, range: converter.lsp(block.requestLine))
      }
      if let token, !locations.isEmpty {
        client.progress(token, PartialResult(values: locations))
      } else {
        rest += locations
      }
    }
    return rest
  }
}
