// Merging the parts of one request: what the user made of it, and what the origin says now.

/// What comes of a request's three versions, of which the first is known by its hashes.
struct BlockMerge {
  /// What both have changed, and what the origin now says of it.
  struct Conflict: Sendable, Hashable {
    var part: String
    var theirs: String
  }

  private(set) var title: String
  private(set) var parts: PartTexts
  private(set) var conflicts: [Conflict] = []
  private let takesTheirs: Bool

  /// Merges; a conflict is decided by `rule`, of which `stop` is as `mine`.
  init(
    mine: BlockParts, theirs: OriginBlock, base: ImportManifest.Request, rule: ConflictRule
  ) {
    (title, parts) = (mine.title, mine.parts)
    takesTheirs = rule == .theirs
    merge(title: theirs.title, base: base.title)
    for part in BlockPart.allCases { merge(part, theirs.parts[part], base) }
  }

  private mutating func merge(title theirs: String, base: String) {
    if title.equalsInBytes(theirs) || theirs.equalsInBytes(base) { return }
    if !title.equalsInBytes(base) {
      conflicts.append(Conflict(part: "title", theirs: theirs))
      if !takesTheirs { return }
    }
    title = theirs
  }

  private mutating func merge(
    _ part: BlockPart, _ theirs: String, _ base: ImportManifest.Request
  ) {
    let mine = parts[part]
    if mine.equalsInBytes(theirs) { return }
    if PartHash.number(of: mine) == base.parts[part] { return parts[part] = theirs }
    if PartHash.number(of: theirs) == base.parts[part] { return }
    switch part {
    case .headers:
      let merge = PairMerge(
        mine: PartItems.headers(mine), theirs: PartItems.headers(theirs), base: base.headers,
        takesTheirs: takesTheirs)
      parts[part] = PartItems.text(merge.items)
      if !merge.conflicts.isEmpty { conflicts.append(Conflict(part: "headers", theirs: theirs)) }
    case .line:
      guard let own = RequestLineItems.items(mine), let new = RequestLineItems.items(theirs) else {
        return decide(part, theirs)
      }
      // A line without pairs is an item as a whole.
      let whole = base.parts[.line].map { PartHash.hex($0 >> 32, digits: 8) } ?? ""
      let query: NamedHashes = base.query.isEmpty ? ["": whole] : base.query
      let merge = PairMerge(mine: own, theirs: new, base: query, takesTheirs: takesTheirs)
      parts[part] = RequestLineItems.text(merge.items)
      if !merge.conflicts.isEmpty { conflicts.append(Conflict(part: "line", theirs: theirs)) }
    case .head, .body, .tail: decide(part, theirs)
    }
  }

  private mutating func decide(_ part: BlockPart, _ theirs: String) {
    conflicts.append(Conflict(part: part.rawValue, theirs: theirs))
    if takesTheirs { parts[part] = theirs }
  }
}

extension ImportManifest.Request {
  /// What is remembered of a request as the origin has it.
  init(_ block: OriginBlock, _ known: inout KnownHashes) {
    self.init(file: block.file, title: block.title)
    for part in BlockPart.allCases {
      let text = block.parts[part]
      parts[part] = part == .line || part == .body
        ? PartHash.number(of: text) : known.number(of: text)
    }
    if let items = RequestLineItems.items(block.parts.line), items.count > 1 {
      query = known.short(items)
    }
    headers = known.short(PartItems.headers(block.parts.headers))
  }

  /// Whether a block is still what was written.
  func isUntouched(_ block: BlockParts) -> Bool {
    block.title == title
      && BlockPart.allCases.allSatisfy { PartHash.number(of: block.parts[$0]) == parts[$0] }
  }

  /// Whether the origin says what it said.
  func isUnchanged(_ block: OriginBlock) -> Bool {
    block.title == title
      && BlockPart.allCases.allSatisfy { PartHash.number(of: block.parts[$0]) == parts[$0] }
  }
}
