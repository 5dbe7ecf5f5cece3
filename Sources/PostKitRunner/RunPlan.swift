// Which requests must run before which (PK-89): explicit `@ref`s, and references to responses.

import PostKitEvaluate
package import PostKitHTTP
package import PostKitSyntax

/// The dependencies of requests inside one file.
package struct RunPlan: Sendable {
  /// The blocks in the order in which they run.
  package private(set) var order: [Int] = []
  /// What each block needs, by block.
  package private(set) var needs: [Int: [Int]] = [:]
  /// Why there is no plan.
  package private(set) var failure: Failure?

  private let document: ParsedDocument
  private let requests: RequestIndex
  private let autoRun: AutoRun
  private var onPath: [Int] = []
  private var done: Set<Int> = []

  /// Plans a run. `isKnown` says whether a response of that block is at hand already.
  package init(
    document: ParsedDocument, blocks: [Int], autoRun: AutoRun, isKnown: (Int) -> Bool
  ) {
    self.document = document
    requests = RequestIndex(document)
    self.autoRun = autoRun
    for block in blocks { visit(block, isAsked: true, isKnown) }
  }

  private mutating func visit(_ index: Int, isAsked: Bool, _ isKnown: (Int) -> Bool) {
    if failure != nil || done.contains(index) { return }
    if let start = onPath.firstIndex(of: index) {
      let names = (onPath[start...] + [index]).map { RunPlan.title(document.blocks[$0]) }
      failure = Failure(
        .includeCycle,
        "The requests need each other in a circle: \(names.joined(separator: " needs ")). "
          + "Take one of the references away.")
      return
    }
    onPath.append(index)
    for dependency in dependencies(of: document.blocks[index]) {
      if failure != nil { break }
      needs[index, default: []].append(dependency.block)
      if dependency.isExplicit || !isKnown(dependency.block) {
        visit(dependency.block, isAsked: false, isKnown)
      }
    }
    onPath.removeLast()
    if failure == nil {
      done.insert(index)
      order.append(index)
    }
  }

  private mutating func dependencies(
    of block: ParsedBlock
  ) -> [(block: Int, isExplicit: Bool)] {
    var result: [(block: Int, isExplicit: Bool)] = []
    for tag in block.dependencyTags {
      let name = block.text(tag.value)
      guard let needed = document.request(named: name) else {
        let line = document.line(at: block.absolute(tag.line).lowerBound) + 1
        let problem = EvaluationProblem(
          .requestNotFound(tag: block.text(tag.key), name: name), range: block.absolute(tag.line))
        failure = Failure(problem.code, "Line \(line): \(problem.message)")
        return []
      }
      result.append((needed.index, true))
    }
    guard autoRun == .missing else { return result }
    for (needed, _) in implicitNeeds(of: block)
    where !result.contains(where: { $0.block == needed }) {
      result.append((needed, false))
    }
    return result
  }

  /// The requests whose responses a block reads before it is sent, each with the reference.
  func implicitNeeds(of block: ParsedBlock) -> [(block: Int, reference: ReferenceSyntax)] {
    block.syntax.references.compactMap { reference in
      guard let name = reference.expression.exchangeName,
        RunPlan.isBeforeResponse(reference, block),
        let needed = requests.request(named: name), needed.index != block.index
      else { return nil }
      return (needed.index, reference)
    }
  }

  /// Definitions after the response read responses that are there by then.
  private static func isBeforeResponse(_ reference: ReferenceSyntax, _ block: ParsedBlock) -> Bool {
    !block.syntax.variables.contains {
      $0.isAfterResponse && $0.line.contains(reference.range.lowerBound)
    }
  }

  /// How a request is called where it has no name: its method and target.
  package static func title(_ block: ParsedBlock) -> String {
    if let name = block.name { return name }
    return block.isRequest
      ? "\(block.writtenMethod) \(block.writtenTarget)" : "#\(block.index + 1)"
  }
}
