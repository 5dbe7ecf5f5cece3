// Which requests the names in `@ref`, `run` lines and references mean.

import PostKitJSON
package import PostKitSyntax

/// Finds requests by name, as seen from one of the files.
package struct RequestNaming: Sendable {
  private let scope: Scope
  private let file: Int

  /// Looks from a file.
  package init(_ scope: Scope, _ file: Int) {
    self.scope = scope
    self.file = file
  }

  /// The request that a `@ref` or `@forceRef` means.
  package func place(of tag: MetadataSyntax, in block: ParsedBlock) -> RequestPlace? {
    place(named: tag.value, in: block)
  }

  /// The requests that a `run` line means, in order.
  package func targets(
    of directive: DirectiveSyntax, in block: ParsedBlock
  ) -> Result<[RequestPlace], EvaluationProblem> {
    let range = block.absolute(directive.argument)
    if directive.kind == .runRequest {
      if let place = place(named: directive.argument, in: block) { return .success([place]) }
      let name = block.text(directive.argument)
      return .failure(EvaluationProblem(.runUnresolved(name: name), range: range))
    }
    let link = scope.files.files[file].link(at: range)
    if let problem = link?.problem { return .failure(problem) }
    guard let target = link?.target else { return .success([]) }
    if let request = directive.request {
      if let place = place(named: request, in: block, of: target) { return .success([place]) }
      let kind = EvaluationProblem.Kind.runNotInFile(
        name: block.text(request), path: block.text(directive.argument))
      return .failure(EvaluationProblem(kind, range: block.absolute(request)))
    }
    let blocks = scope.files.files[target].document.batch(
      sharesBlocks: scope.dialect(of: target).sharesBlocks)
    return .success(blocks.map { RequestPlace(file: target, block: $0.index) })
  }

  /// The request of a name as written, or with the references in it resolved, as far as
  /// definitions go; `target` is the file that it is looked for in, the block's own unless another
  /// one is named.
  private func place(
    named range: Range<Int>, in block: ParsedBlock, of target: Int? = nil
  ) -> RequestPlace? {
    let text = block.text(range)
    if text.isEmpty { return nil }
    let home = target ?? file
    if let place = scope.files.place(named: text, from: home) { return place }
    guard text.utf8.contains(UInt8(ascii: "{")), text.contains("{{") else { return nil }
    var scope = scope
    scope.file = file
    var evaluator = Evaluator(context: .inert, scope: scope)
    let name = evaluator.display(text, at: block.absolute(range).lowerBound)
    return scope.files.place(named: name, from: home)
  }
}

extension Scope {
  /// The first of the requests that the names in an expression may mean.
  func requests(referredToAs name: String) -> [RequestPlace] {
    Evaluator.requestNames(in: name).lazy.compactMap {
      files.place(referredToAs: $0, from: file)
    }.first.map { [$0] } ?? []
  }
}
