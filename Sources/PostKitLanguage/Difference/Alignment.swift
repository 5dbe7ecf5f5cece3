// Which elements of two sequences belong together: their longest common subsequence, by the greedy
// algorithm of E. W. Myers ("An O(ND) Difference Algorithm and Its Variations", 1986), in bounds.

/// What stands between equal elements of two sequences; one of the ranges may be empty.
struct Gap: Sendable, Hashable {
  var old: Range<Int>
  var new: Range<Int>
}

/// Aligns sequences.
enum Alignment {
  /// The most elements that are taken out or put in before the rest is given up as one gap.
  private static let editLimit = 1_000
  /// Steps along equal elements that may be taken in all, about a tenth of a second.
  private static let stepLimit = 20_000_000

  /// The gaps between the elements that both sequences have, in order. Sequences that have too
  /// little in common give one gap, between their common beginning and their common end.
  static func gaps<Element: Equatable>(_ old: [Element], _ new: [Element]) -> [Gap] {
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    let whole = Gap(old: head..<old.count - tail, new: head..<new.count - tail)
    if whole.old.isEmpty, whole.new.isEmpty { return [] }
    if whole.old.isEmpty || whole.new.isEmpty { return [whole] }
    return gaps(old[whole.old], new[whole.new]) ?? [whole]
  }

  /// The gaps of two slices; `nil` where they have too little in common.
  private static func gaps<Element: Equatable>(
    _ old: ArraySlice<Element>, _ new: ArraySlice<Element>
  ) -> [Gap]? {
    let limit = min(editLimit, stepLimit / (old.count + new.count), old.count + new.count)
    // By diagonal, the furthest place in `old` that so many edits reach; the diagonal is the place
    // in `old` less the place in `new`.
    var furthest = [Int](repeating: 0, count: 2 * limit + 3)
    var steps: [[Int]] = []
    for edits in 0...max(0, limit) {
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let at = diagonal + limit + 1
        let isInsertion =
          diagonal == -edits || diagonal != edits && furthest[at - 1] < furthest[at + 1]
        var x = isInsertion ? furthest[at + 1] : furthest[at - 1] + 1
        while x < old.count, x - diagonal < new.count,
          old[old.startIndex + x] == new[new.startIndex + x - diagonal]
        {
          x += 1
        }
        furthest[at] = x
        if x >= old.count, x - diagonal >= new.count {
          return gaps(along: steps, old.indices, new.indices)
        }
      }
      steps.append(Array(furthest[limit + 1 - edits...limit + 1 + edits]))
    }
    return nil
  }

  /// Walks back from the ends over what each edit had reached, and keeps what is not equal.
  private static func gaps(along steps: [[Int]], _ old: Range<Int>, _ new: Range<Int>) -> [Gap] {
    var result: [Gap] = []
    var gap = Gap(old: old.upperBound..<old.upperBound, new: new.upperBound..<new.upperBound)
    var (x, y) = (old.count, new.count)
    for edits in stride(from: steps.count, to: 0, by: -1) {
      let reached = steps[edits - 1]
      let diagonal = x - y
      let at = diagonal + edits - 1
      let isInsertion = diagonal == -edits || diagonal != edits && reached[at - 1] < reached[at + 1]
      let from = isInsertion ? reached[at + 1] : reached[at - 1]
      let afterEdit = isInsertion ? from : from + 1
      if x > afterEdit {
        // Equal elements lie between this edit and what was found so far.
        if !gap.old.isEmpty || !gap.new.isEmpty { result.append(gap) }
        let (oldEnd, newEnd) = (old.lowerBound + afterEdit, new.lowerBound + afterEdit - diagonal)
        gap = Gap(old: oldEnd..<oldEnd, new: newEnd..<newEnd)
      }
      (x, y) = (from, isInsertion ? from - diagonal - 1 : from - diagonal + 1)
      gap.old = old.lowerBound + x..<gap.old.upperBound
      gap.new = new.lowerBound + y..<gap.new.upperBound
    }
    if !gap.old.isEmpty || !gap.new.isEmpty { result.append(gap) }
    return result.reversed()
  }
}
