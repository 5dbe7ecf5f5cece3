// Where a path leaves the paths of a description, and which of them was meant.

import PostKitDescription
import PostKitEvaluate
import PostKitText

/// The step at which no path of a description goes on as a request does.
struct PathDivergence {
  /// The step of the request's path.
  let step: ResolvedTarget.Step
  /// What a description has there, the likeliest alone; with the path it is from.
  let nearest: (text: String, path: String)?

  /// Looks for it; `nil` where a path may be meant.
  init?(_ steps: [ResolvedTarget.Step], _ index: DescriptionIndex) {
    var best: (depth: Int, alive: [[Substring]], steps: ArraySlice<ResolvedTarget.Step>)?
    let patterns = Set(index.operations.map(\.path)).sorted().map(Self.pieces)
    for base in index.basePaths {
      let pieces = Self.pieces(base)
      guard pieces.count <= steps.count,
        zip(pieces, steps).allSatisfy({ $1.isOpen || $0 == $1.text })
      else { continue }
      let rest = steps[pieces.count...]
      var alive = patterns
      var depth = 0
      for step in rest {
        let next = alive.filter { $0.count > depth && Self.fits($0[depth], step) }
        if next.isEmpty { break }
        alive = next
        depth += 1
      }
      if depth == rest.count, alive.contains(where: { $0.count == depth }) { return nil }
      if depth > best?.depth ?? -1 { best = (depth, alive, rest) }
    }
    guard let best, !best.steps.isEmpty else { return nil }
    let place = best.steps.startIndex + min(best.depth, best.steps.count - 1)
    step = best.steps[place]
    let further = best.alive.filter { $0.count > best.depth && !$0[best.depth].contains("{") }
    let whole = further.filter { pattern in
      pattern.count == best.steps.count
        && zip(pattern, best.steps).dropFirst(best.depth + 1).allSatisfy(Self.fits)
    }
    let candidates = whole.isEmpty ? further : whole
    guard best.depth < best.steps.count, !step.isOpen,
      let text = Suggestion.nearest(
        to: step.text, among: Self.unique(candidates.map { String($0[best.depth]) })),
      let pattern = candidates.first(where: { $0[best.depth] == text })
    else {
      nearest = nil
      return
    }
    nearest = (text, "/" + pattern.joined(separator: "/"))
  }

  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  /// The steps of a description's path, without what a slash at its end begins.
  static func steps(of path: String) -> [Substring] {
    let steps = pieces(path)
    return steps.last?.isEmpty == true ? steps.dropLast() : steps
  }

  private static func pieces(_ path: String) -> [Substring] {
    Array(
      path.prefix { $0 != "?" && $0 != "#" }
        .split(separator: "/", omittingEmptySubsequences: false).dropFirst())
  }

  private static func fits(_ pattern: Substring, _ step: ResolvedTarget.Step) -> Bool {
    step.isOpen || (pattern.contains("{") ? !step.text.isEmpty : pattern == step.text)
  }
}
