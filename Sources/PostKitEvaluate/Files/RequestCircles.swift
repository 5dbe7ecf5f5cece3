// Requests that name each other in a circle: a run of any of them ends before it begins.

import PostKitSyntax

extension Scope {
  /// The circles that `@ref`, `@forceRef` and `run` lines make, each at the line of this file that
  /// closes it. References to responses make none: a response may be there already.
  package var requestCircles: [EvaluationProblem] {
    guard files.files.contains(where: { $0.document.blocks.hasAny(.namesRequests) }) else {
      return []
    }
    var search = CircleSearch(scope: self)
    for block in document.blocks.having(.namesRequests) {
      search.visit(RequestPlace(file: file, block: block.index))
    }
    return search.found
  }
}

/// A walk along the lines that name requests, each request once.
private struct CircleSearch {
  let scope: Scope
  private(set) var found: [EvaluationProblem] = []
  private var path: [Step] = []
  /// Where on the way the requests stand that are on it.
  private var places: [RequestPlace: Int] = [:]
  private var seen: Set<RequestPlace> = []

  init(scope: Scope) { self.scope = scope }

  /// A request on the way, with the lines of it that are still to be followed.
  private struct Step {
    var place: RequestPlace
    var needs: ArraySlice<(place: RequestPlace, range: Range<Int>)>
    /// The line that was followed last.
    var line = 0..<0
  }

  /// Follows all lines from a request. The way is kept in a list: a file may hold a chain that is
  /// longer than the stack of a thread.
  mutating func visit(_ start: RequestPlace) {
    enter(start)
    while let step = path.last {
      guard let need = step.needs.first else {
        path.removeLast()
        places[step.place] = nil
        continue
      }
      path[path.count - 1].needs.removeFirst()
      path[path.count - 1].line = need.range
      if let start = places[need.place] {
        note(path[start...])
      } else {
        enter(need.place)
      }
    }
  }

  private mutating func enter(_ place: RequestPlace) {
    guard seen.insert(place).inserted else { return }
    places[place] = path.count
    path.append(Step(place: place, needs: needs(of: place)[...]))
  }

  /// Notes a circle at its last line in the file that was asked for.
  private mutating func note(_ circle: ArraySlice<Step>) {
    guard let first = circle.first,
      let last = circle.last(where: { $0.place.file == scope.file })
    else { return }
    let titles = (circle.map(\.place) + [first.place]).map { scope.files.block($0).caption }
    found.append(EvaluationProblem(.requestCycle(titles), range: last.line))
  }

  private func needs(of place: RequestPlace) -> [(place: RequestPlace, range: Range<Int>)] {
    let block = scope.files.block(place)
    let naming = RequestNaming(scope, place.file)
    var result: [(place: RequestPlace, range: Range<Int>)] = []
    for tag in block.dependencyTags {
      if let needed = naming.place(of: tag, in: block) {
        result.append((needed, block.absolute(tag.line)))
      }
    }
    for directive in block.syntax.directives where directive.kind != .importFile {
      guard case .success(let targets) = naming.targets(of: directive, in: block) else { continue }
      result += targets.map { ($0, block.absolute(directive.line)) }
    }
    return result
  }
}
