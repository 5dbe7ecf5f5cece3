// What is wrong with the files and requests that a block names, and with its repetition.

package import PostKitSyntax

extension Evaluator {
  /// Records what is wrong with lines that name other files and requests, and with `@disabled` and
  /// `@loop`: each keeps the block from being run.
  package mutating func reportNames(of block: ParsedBlock) {
    let (directives, metadata) = (block.directives, block.metadata)
    if directives.isEmpty && metadata.isEmpty { return }
    for link in scope.files.files[scope.file].links(of: block.index) {
      if let problem = problem(of: link) { report(problem) }
    }
    for directive in directives where directive.calledName != nil {
      let naming = RequestNaming(scope, scope.file)
      // A file that can't be had was reported by its path.
      if case .failure(let problem) = naming.targets(of: directive, in: block),
        directive.calledName.map({ block.absolute($0) }) == problem.range
      {
        report(problem)
      }
    }
    _ = readiness(of: block)
    guard let tag = block.loopTag else { return }
    // In a turn of the loop its array was read already.
    if case .items = LoopSyntax(block.text(tag.value)), !scope.loop.isEmpty { return }
    _ = turns(of: block)
  }

  /// What is wrong with a line that names a file; a circle is shown in each of its files.
  private func problem(of link: RequestFiles.Link) -> EvaluationProblem? {
    if let problem = link.problem { return problem }
    guard link.isImport, let target = link.target else { return nil }
    return scope.files.files[target].importCycle.map { EvaluationProblem($0, range: link.range) }
  }
}
