// Holds a response against the description of its API (IO-38).

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitSyntax

extension RunState {
  /// The most bytes of a body that are held against a schema; of a longer one the media type
  /// counts.
  private static let contractBytes = 64 << 20

  /// What the check of a response against its description has found, secrets masked; `nil` where
  /// there is nothing to say. `isAsked` says whether a line of the block asks for it.
  mutating func contract(
    of exchange: Exchange, _ request: PreparedRequest, isAsked: Bool, _ services: RunServices
  ) async -> ContractFindings? {
    let policy = input.contract
    guard isAsked || policy.check != .off, let response = exchange.response else { return nil }
    let block = scope.files.block(request.place)
    let document = scope.files.files[request.place.file].document
    let described = DescribedRequest(
      method: exchange.request.method, target: exchange.request.url,
      operation: document.descriptionTag(of: block)?.operation)
    let found: LoadedDescription?
    do throws(DescriptionFailure) {
      found = try await description(for: described, block, document, request.place, services)
    } catch {
      // A file that only looks like a description is named once; who asks is always answered.
      guard isAsked || book.said.insert(error.path).inserted else { return nil }
      return ContractFindings(description: error.name, obstacle: error.message)
    }
    guard let found else { return nil }
    var contract =
      book.contracts[found.path]
      ?? ResponseContract(found.index, name: found.name, isStrict: policy.isStrict)
    let isWhole = !response.isTruncated && response.body.count == response.decodedSize
    let bytes =
      isWhole && response.body.count <= RunState.contractBytes
      ? StoredBody.whole(response.body) : nil
    let findings = contract.findings(
      found.index.match(described), method: described.method, url: described.target,
      ContractedResponse(
        status: response.status, headers: response.headers, body: bytes,
        size: response.decodedSize), mustBeDescribed: isAsked)
    book.contracts[found.path] = contract
    return findings?.masked(by: mask)
  }

  /// The description that a request means: the one of the run, else the nearest that fits.
  private mutating func description(
    for described: DescribedRequest, _ block: ParsedBlock, _ document: ParsedDocument,
    _ place: RequestPlace, _ services: RunServices
  ) async throws(DescriptionFailure) -> LoadedDescription? {
    if let given = input.contract.given { return given }
    let workspace = workspace(of: place)
    let finder = DescriptionFinder(workspace, input.contract.settings)
    let candidates: DescriptionFinder.Candidates
    if document.descriptionTag(of: block) != nil {
      candidates = finder.candidates(for: block, in: document)
    } else if let known = book.surroundings[FilePath.parent(workspace.file)] {
      candidates = known
    } else {
      candidates = finder.surroundings
      book.surroundings[FilePath.parent(workspace.file)] = candidates
    }
    if let missing = candidates.missing {
      throw DescriptionFailure(
        path: missing.path, message: "There is no file \(missing.path) that `@openapi` names.")
    }
    if candidates.paths.isEmpty { return nil }
    for path in candidates.paths where book.readings[path] == nil {
      book.readings[path] = await services.description(path, workspace)
    }
    return try DescriptionShelf.chosen(
      candidates.paths.compactMap { book.readings[$0] }, for: described)
  }
}
