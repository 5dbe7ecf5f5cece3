// What the description that a request means says of it.

package import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
package import PostKitSyntax
import PostKitText

/// A request with the description that it means.
package struct RequestDescription: Sendable {
  /// The request as descriptions see it.
  package let request: DescribedRequest
  package let index: DescriptionIndex
  /// Its operation; `nil` where the description has none of its path.
  package let match: OperationMatch?
}

extension Analysis {
  /// The description that a request means, and what of it; `nil` without one.
  package func description(of block: ParsedBlock) -> RequestDescription? {
    guard let request = block.request else { return nil }
    if request.curl != nil {
      var evaluator = Evaluator(context: context, scope: scope(of: block))
      return description(
        of: block, evaluator.display(block.writtenTarget, at: block.requestLine.lowerBound))
    }
    return description(of: block, ResolvedTarget(self, block, request).text)
  }

  /// The same with the target resolved.
  func description(of block: ParsedBlock, _ target: String) -> RequestDescription? {
    guard let descriptions else { return nil }
    let method = MethodCatalog.canonical(block.writtenMethod)
    guard !target.isEmpty, !method.contains("{{"), method != "GRAPHQL",
      MethodCatalog.isHTTP(method) || !MethodCatalog.isKnown(method)
    else { return nil }
    let request = DescribedRequest(
      method: method, target: target, operation: document.descriptionTag(of: block)?.operation)
    guard let index = descriptions.index(block, request) else { return nil }
    return RequestDescription(request: request, index: index, match: index.match(request))
  }

  /// The operation that a request means, with the statuses of its answers: `GET /users/{id} · 200
  /// 404`; `nil` where none is described.
  func operationTitle(of block: ParsedBlock) -> String? {
    guard let described = description(of: block), let match = described.match, match.isExact
    else { return nil }
    var failures: [ReferenceFailure] = []
    let entry = described.index.operations[match.operation]
    let statuses = described.index.description
      .responses(of: described.index.operation(match), &failures).prefix(Self.shownStatuses)
      .map(\.status).joined(separator: " ")
    return "\(entry.method) \(entry.path)" + (statuses.isEmpty ? "" : " · \(statuses)")
  }

  /// How many statuses of an operation are named above a request.
  private static let shownStatuses = 12

  /// Where a request differs from its description, with what can be done about it, and the names
  /// that this depends on beside those of the request itself. `spec` is what would be sent, where
  /// that is known.
  func descriptionFindings(
    _ block: ParsedBlock, _ spec: RequestSpec?
  ) -> (findings: [DescriptionRemarks.Finding], names: Set<String>) {
    let tag = tagFinding(block).map { [$0] } ?? []
    guard let severity = descriptions?.severity, let request = block.request,
      request.curl == nil, !request.target.isEmpty, !onlyLendsHeaders(block)
    else { return (tag, []) }
    let target = ResolvedTarget(self, block, request)
    var findings: [DescriptionRemarks.Finding] = []
    if let described = description(of: block, target.text) {
      var remarks = DescriptionRemarks(self, block, request, described, target, spec)
      findings = remarks.findings()
    }
    let (paths, names) = responsePathFindings(block)
    findings += paths
    for place in findings.indices where findings[place].diagnostic.code != .deprecated {
      findings[place].diagnostic.severity = severity
    }
    return (tag + findings, names.union(target.names))
  }

  /// Why the description that the block's own tag names can't be used, or has no such operation.
  private func tagFinding(_ block: ParsedBlock) -> DescriptionRemarks.Finding? {
    guard let descriptions, let tag = document.descriptionTag(of: block),
      block.range.contains(tag.range.lowerBound)
    else { return nil }
    switch descriptions.tagged(tag) {
    case .unknown: return nil
    case .failed(let message):
      return DescriptionRemarks.Finding(diagnostic: Diagnostic(.openAPIFile, tag.range, message))
    case .known(let index):
      let ids = index.operations.compactMap(\.id)
      guard let operation = tag.operation, !ids.contains(operation) else { return nil }
      let nearest = Suggestion.nearest(to: operation, among: ids.filter(DescribedWords.isPlain))
      let advice = nearest.map { "Did you mean `\($0)`?" } ?? "Correct it, or remove it."
      let name = tag.range.upperBound - operation.utf8.count..<tag.range.upperBound
      return DescriptionRemarks.Finding(
        diagnostic: Diagnostic(
          .openAPIFile, name,
          "`\(URLCredentials.without(tag.path))` has no operation `\(operation)`. \(advice)"),
        fixes: nearest.map { [QuickFix("Write `\($0)`", TextEdit(name, $0))] } ?? [])
    }
  }
}

extension FixPlace {
  /// The changes by which a request fits its description again.
  func described(_ code: DiagnosticCode) -> [QuickFix] {
    let found = analysis.descriptionFindings(block, analysis.lowered(block).spec).findings
      .filter { $0.diagnostic.code == code && $0.diagnostic.range == range }
    var fixes = found.flatMap(\.fixes)
    if found.contains(where: \.lacksBody), let request = block.request {
      let place = Refactoring(
        analysis: analysis, block: block, request: request, selection: range)
      fixes += place.sampleBodies.map { QuickFix($0) }
    }
    return fixes
  }
}
