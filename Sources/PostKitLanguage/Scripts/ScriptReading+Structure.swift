// Tests, brackets and paths in scripts, for outlines, folds, selections and links (SC-79).

import PostKitSyntax

extension ScriptReading {
  /// The calls that make tests.
  private static let testCalls: Set<String> = ["client.test", "test", "pm.test", "bru.test"]
  private static let testRoots = ScriptWords(["client", "test", "pm", "bru"])

  /// The tests whose titles are written as texts: the whole call, and the title.
  var tests: [(range: Range<Int>, title: Range<Int>)] {
    let chains = chains
    return chains.indices.compactMap { number in
      guard ScriptReading.testRoots.contains(tokens, chains.first(at: number)) else { return nil }
      let chain = chains[number]
      for (count, step) in chain.steps.enumerated() {
        guard case .call(let open, let close) = step else { continue }
        let callee = ScriptChain(steps: Array(chain.steps[..<count]), danglingDot: nil)
        guard count > 0, ScriptReading.testCalls.contains(path(of: callee)),
          open + 1 < tokens.count, tokens[open + 1].kind == .string,
          !tokens[open + 1].inside.isEmpty
        else { return nil }
        let end = tokens[close ?? open + 1].range.upperBound
        return (tokens[chain.first].range.lowerBound..<end, tokens[open + 1].inside)
      }
      return nil
    }
  }

  /// The brackets that are closed, with their bytes and how many are around them.
  var pairs: [(range: Range<Int>, depth: Int)] {
    var depths: [Int: Int] = [:]
    return (0..<tokens.count).compactMap { index in
      guard tokens.opens(index), let close = closer(index) else { return nil }
      let depth = opener(index).flatMap { depths[$0] }.map { $0 + 1 } ?? 0
      depths[index] = depth
      return (tokens[index].range.lowerBound..<tokens[close].range.upperBound, depth)
    }
  }

  /// What a selection at a place can grow to: texts, brackets, calls and chains.
  func ranges(around place: Int) -> [Range<Int>] {
    var result: [Range<Int>] = []
    if let token = token(at: place) { result += [tokens[token].inside, tokens[token].range] }
    for (range, _) in pairs where range.lowerBound <= place && place <= range.upperBound {
      result += [range.lowerBound + 1..<max(range.lowerBound + 1, range.upperBound - 1), range]
    }
    let chains = chains
    for number in chains.indices {
      let start = tokens[chains.first(at: number)].range.lowerBound
      if start > place { break }
      let chain = chains[number]
      for step in chain.steps {
        let range = start..<tokens[step.lastToken].range.upperBound
        if range.lowerBound <= place, place <= range.upperBound { result.append(range) }
      }
    }
    return result
  }

  /// The paths of files that a script requires or imports, without quotes.
  var paths: [Range<Int>] {
    (0..<tokens.count).compactMap { index in
      guard tokens[index].isPlain else { return nil }
      let isImported = tokens.isWord(index - 1, "from") || tokens.isWord(index - 1, "import")
      let isRequired = tokens.isMark(index - 1, "(") && tokens.isWord(index - 2, "require")
      guard isImported || isRequired, ScriptModules.isPath(tokens.text(tokens[index].inside))
      else { return nil }
      return tokens[index].inside
    }
  }
}
