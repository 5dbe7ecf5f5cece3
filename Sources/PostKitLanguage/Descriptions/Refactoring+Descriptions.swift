// What a description has for a request: a sample of its body, and the parameters that it lacks
// (IO-37).

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
package import PostKitSyntax
package import PostKitText

extension Refactoring {
  /// Samples of the body, with all members and with those alone that must be there.
  var sampleBodies: [CodeChange] {
    let body = request.body.map { block.slice($0.range) } ?? []
    guard body.allSatisfy({ $0 <= 32 }), let described = analysis.description(of: block),
      let match = described.match, match.isExact
    else { return [] }
    var files: [String] = []
    let all = sampleBody(described.index, match, requiredOnly: false, &files)
    let least = sampleBody(described.index, match, requiredOnly: true, &files)
    return [
      all.map { CodeChange(.rewrite, "Insert sample body", [$0]) },
      all == least
        ? nil
        : least.map {
          CodeChange(.rewrite, "Insert sample body with the required members only", [$0])
        },
    ].compactMap { $0 }
  }

  /// All parameters that the operation needs and the request does not have.
  var missingParameters: CodeChange? {
    guard request.curl == nil, !request.target.isEmpty else { return nil }
    let target = ResolvedTarget(analysis, block, request)
    guard let described = analysis.description(of: block, target.text) else { return nil }
    var remarks = DescriptionRemarks(
      analysis, block, request, described, target, analysis.lowered(block).spec)
    _ = remarks.findings()
    let edits = remarks.addition()
    guard !edits.isEmpty, addWords(edits) else { return nil }
    return CodeChange(.rewrite, "Add missing parameters", edits)
  }

  /// All that makes the request fit its description without a choice: what it lacks, and the slash
  /// at the end of its path.
  fileprivate var descriptionUpdate: [TextEdit] {
    guard request.curl == nil, !request.target.isEmpty else { return [] }
    let target = ResolvedTarget(analysis, block, request)
    guard let described = analysis.description(of: block, target.text),
      let match = described.match
    else { return [] }
    var remarks = DescriptionRemarks(
      analysis, block, request, described, target, analysis.lowered(block).spec)
    let findings = remarks.findings()
    var edits: [TextEdit] = []
    func add(_ new: [TextEdit]) {
      let new = new.filter { !edits.contains($0) }
      if TextEdit.sorted(edits + new) != nil { edits += new }
    }
    for finding in findings where finding.diagnostic.code != .openAPIMissing {
      // Nothing of what people wrote goes but for a slash.
      guard let fix = finding.certain,
        fix.edits.allSatisfy({ !$0.replacement.isEmpty || $0.range.count < 2 })
      else { continue }
      add(fix.edits)
    }
    add(remarks.addition())
    var files: [String] = []
    if findings.contains(where: \.lacksBody),
      let body = sampleBody(described.index, match, requiredOnly: false, &files)
    {
      add([body])
    }
    return edits.isEmpty || addWords(edits, files: files) ? edits : []
  }

  /// Whether edits add nothing but words to the request, whatever the description has in them.
  private func addWords(_ edits: [TextEdit], files: [String] = []) -> Bool {
    TextEdit.apply(edits, to: document.bytes)
      .map { document.isSame($0, butFor: block, files: files) } ?? false
  }

  private func sampleBody(
    _ index: DescriptionIndex, _ match: OperationMatch, requiredOnly: Bool,
    _ files: inout [String]
  ) -> TextEdit? {
    var failures: [ReferenceFailure] = []
    let media = index.description.body(of: index.operation(match), &failures)?.media ?? []
    let written = self.header("content-type")?.value.first.map { block.text($0) }
    let candidates = written.map { written in
      media.filter { DescriptionRemarks.meet($0.type, written) }
    } ?? media
    var sampler = SchemaSampler(
      index.description.documents, index.description.version.schemaDialect)
    sampler.isRequiredOnly = requiredOnly
    var writer = BodySample(sampler: sampler)
    guard let (type, text) = writer.best(of: candidates) else { return nil }
    let header = written == nil ? "\(lineEnd)Content-Type: \(type)" : ""
    let end = endOfHead
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let body = header + lineEnd + lineEnd + lines.joined(separator: lineEnd)
    // A check or a script is part of a body that it follows without a blank line.
    let following = document.bytes[end...].drop { $0 == 13 }.dropFirst()
      .prefix { $0 != 10 }
    let isClose = following.contains { $0 > 32 }
    let edit = TextEdit(end..<end, isClose ? body + lineEnd : body)
    files = writer.files
    return addWords([edit], files: files) ? edit : nil
  }
}

extension Analysis {
  /// The edits by which a request fits its description: those that leave no choice.
  package func descriptionUpdate(of block: ParsedBlock) -> [TextEdit] {
    guard let request = block.request else { return [] }
    return Refactoring(
      analysis: self, block: block, request: request, selection: block.range
    ).descriptionUpdate
  }

  /// How many differences of a request from its description there are.
  package func descriptionDifferences(of block: ParsedBlock) -> Int {
    guard let request = block.request, request.curl == nil, !request.target.isEmpty else {
      return 0
    }
    let target = ResolvedTarget(self, block, request)
    guard let described = description(of: block, target.text) else { return 0 }
    var remarks = DescriptionRemarks(
      self, block, request, described, target, lowered(block).spec)
    // What is deprecated has all that it needs.
    return remarks.findings().filter { $0.diagnostic.code.isAboutDescription }.count
  }
}
