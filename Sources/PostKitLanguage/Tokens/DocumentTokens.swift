// The tokens of a whole file, kept block by block: a keystroke paints one block of ten thousand.

import PostKitEvaluate
package import PostKitSyntax
package import PostKitText

/// A change of the numbers of a document's tokens.
package struct TokenEdit: Sendable, Hashable {
  /// The place of the first number that is replaced, among those before any of the edits.
  package var start: Int
  /// How many numbers are taken out.
  package var deleteCount: Int
  /// The numbers that are put in.
  package var data: [Int]
}

/// The tokens of the last look at one file.
package struct DocumentTokens: Sendable {
  /// The tokens of each block.
  package private(set) var blocks: [BlockTokens] = []
  private var document: ParsedDocument?
  private var surroundings: Surroundings?

  /// All that the meaning of names depends on apart from the text of the file.
  private struct Surroundings: Sendable, Equatable {
    var environments: [String: VariableDefinition]
    var overrides: [String: String]
    var globals: [String: GlobalValue]
    var imported: [SourceFile]
    var shared: [[UInt8]]
    var dialect: Dialect
    var paintsAllOfScripts: Bool

    init(_ analysis: Analysis) {
      let scope = analysis.scope
      environments = scope.environments.definitions
      overrides = scope.overrides
      globals = scope.globals
      imported = scope.files.files.dropFirst().map {
        SourceFile(path: $0.path, bytes: $0.document.bytes)
      }
      shared = analysis.document.sharedBlocks.map { Array($0.bytes[$0.range]) }
      dialect = scope.dialect
      paintsAllOfScripts = analysis.paintsAllOfScripts
    }
  }

  /// Makes the tokens of no file.
  package init() {}

  /// Paints what has changed since the last look, and where a name means something else now.
  /// Answers whether that was done: where nobody waits for it any more all stays as it was.
  @discardableResult
  package mutating func update(
    for analysis: Analysis, _ legend: TokenLegend, _ encoding: PositionEncoding
  ) -> Bool {
    let surroundings = Surroundings(analysis)
    let isReusable = self.surroundings == surroundings
    guard
      update(
        analysis.document, isReusable: isReusable, NameMeanings(analysis), analysis.isAbandoned,
        legend, encoding)
    else { return false }
    self.surroundings = surroundings
    return true
  }

  /// Paints a document that is only shown, so that names in it mean nothing.
  @discardableResult
  package mutating func update(
    showing document: ParsedDocument, _ legend: TokenLegend, _ encoding: PositionEncoding,
    isAbandoned: () -> Bool = { false }
  ) -> Bool {
    let isReusable = surroundings == nil
    guard update(document, isReusable: isReusable, nil, isAbandoned, legend, encoding) else {
      return false
    }
    surroundings = nil
    return true
  }

  /// Whether all names mean what they meant at the last look, but for what the file itself says.
  package func isUpToDate(with analysis: Analysis) -> Bool {
    surroundings == Surroundings(analysis)
  }

  private mutating func update(
    _ document: ParsedDocument, isReusable: Bool, _ meanings: NameMeanings?,
    _ isAbandoned: () -> Bool, _ legend: TokenLegend, _ encoding: PositionEncoding
  ) -> Bool {
    let lines = document.lines
    /// Paints blocks in order; `nil` where nobody waits for them any more.
    func paint(_ places: Range<Int>) -> [BlockTokens]? {
      var result: [BlockTokens] = []
      result.reserveCapacity(places.count)
      for block in document.blocks[places] {
        if isAbandoned() { return nil }
        result.append(DocumentTokens.paint(block, lines, legend, encoding, meanings))
      }
      return result
    }
    guard let old = self.document else {
      guard let all = paint(0..<document.blocks.count) else { return false }
      blocks = all
      self.document = document
      return true
    }
    let (front, back) = old.blocks.trees.equalEnds(with: document.blocks.trees)
    let middle = front..<document.blocks.count - back
    let changed = DocumentTokens.changedNames(
      old, front..<old.blocks.count - back, document, middle, meanings)
    guard let new = paint(middle) else { return false }
    var blocks = blocks
    blocks.replaceSubrange(front..<blocks.count - back, with: new)
    for index in blocks.indices where !(isReusable && changed.isEmpty) && !middle.contains(index) {
      let known = blocks[index]
      if isReusable, !known.names.contains(where: changed.contains) { continue }
      guard let painted = paint(index..<index + 1)?.first else { return false }
      // The same object says that nothing has changed.
      if painted.tokens != known.tokens { blocks[index] = painted }
    }
    self.blocks = blocks
    self.document = document
    return true
  }

  /// The tokens of the blocks that have a part in a range of the file: a screen of it.
  package static func data(
    in range: Range<Int>, of document: ParsedDocument, _ analysis: Analysis?,
    _ legend: TokenLegend, _ encoding: PositionEncoding
  ) -> [Int] {
    let meanings = analysis.map { NameMeanings($0) }
    var data: [Int] = []
    guard let first = document.block(at: range.lowerBound) else { return data }
    let lines = document.lines
    var gap = lines.line(at: first.range.lowerBound)
    let (firstLine, lastLine) = (lines.line(at: range.lowerBound), lines.line(at: range.upperBound))
    var line = gap
    for index in first.index..<document.blocks.count {
      let block = document.blocks[index]
      if block.range.lowerBound >= range.upperBound, index > first.index { break }
      let painted = paint(block, lines, legend, encoding, meanings)
      line = lines.line(at: block.range.lowerBound)
      for token in painted.tokens {
        line += Int(token.line)
        gap += Int(token.line)
        guard line >= firstLine, line <= lastLine else { continue }
        // The first one stands as it would behind nothing.
        token.append(to: &data, gap: gap - Int(token.line))
        gap = 0
      }
      gap += painted.linesAfter
    }
    return data
  }

  private static func paint(
    _ block: ParsedBlock, _ lines: LineIndex, _ legend: TokenLegend, _ encoding: PositionEncoding,
    _ meanings: NameMeanings?
  ) -> BlockTokens {
    let encoder = TokenEncoder(block.bytes, lines, from: block.range.lowerBound, legend, encoding)
    var painter = TokenPainter(block, encoder, meanings)
    painter.paint()
    return BlockTokens(
      painter.encoder.tokens, linesAfter: painter.encoder.lines(to: block.range.upperBound),
      names: painter.names)
  }

  /// The names that may mean something else since some blocks took the place of others.
  private static func changedNames(
    _ old: ParsedDocument, _ before: Range<Int>, _ new: ParsedDocument, _ after: Range<Int>,
    _ meanings: NameMeanings?
  ) -> Set<UInt32> {
    let isSecret = { meanings?.isSecret($0) ?? false }
    let (gone, come) = (
      before.flatMap { old.blocks[$0].givenNames(isSecret) },
      after.flatMap { new.blocks[$0].givenNames(isSecret) }
    )
    if gone == come { return [] }
    let names = Set((gone + come).map { NameNumber.number($0) })
    return meanings?.readers(of: names) ?? names
  }
}

extension DocumentTokens {
  /// The numbers of all tokens.
  package var data: [Int] {
    var data: [Int] = []
    data.reserveCapacity(5 * blocks.reduce(0) { $0 + $1.tokens.count })
    DocumentTokens.append(blocks[...], gap: 0, to: &data)
    return data
  }

  /// Adds the numbers of blocks, with lines before the first one; the lines behind the last token.
  @discardableResult private static func append(
    _ blocks: ArraySlice<BlockTokens>, gap: Int, to data: inout [Int]
  ) -> Int {
    var gap = gap
    for block in blocks {
      for token in block.tokens {
        token.append(to: &data, gap: gap)
        gap = 0
      }
      gap += block.linesAfter
    }
    return gap
  }

  /// What turns the numbers of some blocks into those of others, in order of the places.
  package static func edits(from old: [BlockTokens], to new: [BlockTokens]) -> [TokenEdit] {
    var builder = TokenEditBuilder()
    if old.count == new.count {
      var index = 0
      while index < old.count {
        let first = index
        while index < old.count, old[index] !== new[index] { index += 1 }
        if index > first {
          builder.replace(old[first..<index], by: new[first..<index])
        } else {
          builder.keep(old[index])
          index += 1
        }
      }
      return builder.edits
    }
    let most = min(old.count, new.count)
    var (front, back) = (0, 0)
    while front < most, old[front] === new[front] { front += 1 }
    while back < most - front, old[old.count - 1 - back] === new[new.count - 1 - back] {
      back += 1
    }
    for block in old[..<front] { builder.keep(block) }
    builder.replace(old[front..<old.count - back], by: new[front..<new.count - back])
    for block in old[(old.count - back)...] { builder.keep(block) }
    return builder.edits
  }

  /// Collects edits while it goes along both lists.
  private struct TokenEditBuilder {
    var edits: [TokenEdit] = []
    /// How many numbers of the old list were passed.
    private var place = 0
    /// The lines since the last token of each list.
    private var oldGap = 0
    private var newGap = 0

    /// Passes a block that both have.
    mutating func keep(_ block: BlockTokens) {
      if let first = block.tokens.first {
        if oldGap != newGap {
          var data: [Int] = []
          first.append(to: &data, gap: newGap)
          add(TokenEdit(start: place, deleteCount: 5, data: data))
        }
        (oldGap, newGap) = (0, 0)
        place += 5 * block.tokens.count
      }
      oldGap += block.linesAfter
      newGap += block.linesAfter
    }

    /// Passes blocks of both, as far as they differ at all.
    mutating func replace(_ old: ArraySlice<BlockTokens>, by new: ArraySlice<BlockTokens>) {
      var (before, after): ([Int], [Int]) = ([], [])
      oldGap = DocumentTokens.append(old, gap: oldGap, to: &before)
      newGap = DocumentTokens.append(new, gap: newGap, to: &after)
      let most = min(before.count, after.count)
      var (front, back) = (0, 0)
      while front < most, before[front..<front + 5] == after[front..<front + 5] { front += 5 }
      while back < most - front,
        before[(before.count - back - 5)..<before.count - back]
          == after[(after.count - back - 5)..<after.count - back]
      {
        back += 5
      }
      if front + back < before.count || front + back < after.count {
        add(
          TokenEdit(
            start: place + front, deleteCount: before.count - front - back,
            data: Array(after[front..<after.count - back])))
      }
      place += before.count
    }

    /// Adds an edit, to the one before where they meet.
    private mutating func add(_ edit: TokenEdit) {
      if let last = edits.last, last.start + last.deleteCount == edit.start {
        edits[edits.count - 1].deleteCount += edit.deleteCount
        edits[edits.count - 1].data += edit.data
      } else {
        edits.append(edit)
      }
    }
  }
}

extension ParsedBlock {
  /// The names that others can use because of this block, and how it gives them: also values that
  /// may have secrets in them.
  fileprivate func givenNames(_ isSecret: (String) -> Bool) -> [String] {
    var result: [String] = []
    for variable in variables {
      result.append(name(of: variable))
      let value = text(variable.value)
      if value.contains("{{") || isSecret(value) { result.append("=" + value) }
      // Where a definition must stand above its use, one for the whole file is found anyway.
      if syntax.kind == .global { result.append("") }
      if variable.isAfterResponse { result.append(" ") }
    }
    guard isRequest || !result.isEmpty || name != nil else { return result }
    if let name { result.append(name) }
    if let title, title != name { result.append(title) }
    return result
  }
}
