// The structure of a text that is JSON but for references and what is being typed: brackets,
// members, texts. Nothing is refused; what isn't closed ends with the text.

/// The nodes of nearly JSON, each behind the one that holds it.
struct JSONOutline {
  /// What a node is.
  enum Kind: Sendable, Hashable { case object, array, member, key, value }

  /// One node; its range counts as the bytes that were read do.
  struct Node: Sendable, Hashable {
    var kind: Kind
    var range: Range<Int>
    /// The place of the node that holds it.
    var parent: Int?
    /// Whether it has its end; all but brackets and texts have.
    var isClosed = true
  }

  private(set) var nodes: [Node] = []
  private let bytes: [UInt8]
  private let end: Int
  /// The references in order, which are read as if they were one letter.
  private var references: ArraySlice<Range<Int>>
  /// The brackets and members that are open.
  private var open: [Int] = []
  /// How many of them are brackets of each kind.
  private var openCounts: [Kind: Int] = [:]
  private var at: Int

  /// Reads a part of a text; `references` are those that may stand in it.
  init(_ bytes: [UInt8], _ range: Range<Int>, references: [Range<Int>]) {
    self.bytes = bytes
    end = range.upperBound
    at = range.lowerBound
    self.references = references.drop { $0.upperBound <= range.lowerBound }
    while at < end { step() }
    while let last = open.popLast() {
      nodes[last].range = nodes[last].range.lowerBound..<end
      if nodes[last].kind != .member { nodes[last].isClosed = false }
    }
  }

  private mutating func step() {
    if let reference = referenceHere() { return addValue(upTo: reference.upperBound) }
    switch bytes[at] {
    case UInt8(ascii: "{"): begin(.object)
    case UInt8(ascii: "["): begin(.array)
    case UInt8(ascii: "}"): finish(.object)
    case UInt8(ascii: "]"): finish(.array)
    case UInt8(ascii: ","):
      endMember()
      at += 1
    case UInt8(ascii: "\""): readText()
    case UInt8(ascii: "#"): skipLine()
    case UInt8(ascii: "/") where at + 1 < end && bytes[at + 1] == UInt8(ascii: "/"): skipLine()
    case UInt8(ascii: ":"), 9...13, 32: at += 1
    default: readWord()
    }
  }

  /// The reference that begins here.
  private mutating func referenceHere() -> Range<Int>? {
    while let first = references.first, first.upperBound <= at { references.removeFirst() }
    guard let first = references.first, first.lowerBound <= at else { return nil }
    return at..<min(first.upperBound, end)
  }

  private mutating func begin(_ kind: Kind) {
    nodes.append(Node(kind: kind, range: at..<at + 1, parent: open.last))
    open.append(nodes.count - 1)
    openCounts[kind, default: 0] += 1
    at += 1
  }

  /// Closes the innermost bracket of a kind, and with it what is open inside.
  private mutating func finish(_ kind: Kind) {
    at += 1
    guard openCounts[kind, default: 0] > 0 else { return }
    while let last = open.popLast() {
      if nodes[last].kind != .member { openCounts[nodes[last].kind, default: 1] -= 1 }
      let isMember = nodes[last].kind == .member
      let isMeant = nodes[last].kind == kind
      nodes[last].isClosed = isMember || isMeant
      let stop = isMeant ? at : contentEnd(before: at - 1, from: nodes[last].range.lowerBound)
      nodes[last].range = nodes[last].range.lowerBound..<stop
      if isMeant { return }
    }
  }

  private mutating func endMember() {
    guard let last = open.last, nodes[last].kind == .member else { return }
    open.removeLast()
    let start = nodes[last].range.lowerBound
    nodes[last].range = start..<contentEnd(before: at, from: start)
  }

  private func contentEnd(before place: Int, from start: Int) -> Int {
    var end = place
    while end > start + 1, bytes[end - 1] <= 32 { end -= 1 }
    return end
  }

  private mutating func addValue(upTo stop: Int) {
    nodes.append(Node(kind: .value, range: at..<stop, parent: open.last))
    at = stop
  }

  /// A text: the name of a member, or a value. One without its end goes to the end of the line.
  private mutating func readText() {
    let start = at
    at += 1
    var isClosed = false
    while at < end, !isClosed, bytes[at] != 10 {
      if let reference = referenceHere() {
        at = reference.upperBound
      } else if bytes[at] == UInt8(ascii: "\\"), at + 1 < end, bytes[at + 1] != 10 {
        at += 2
      } else {
        isClosed = bytes[at] == UInt8(ascii: "\"")
        at += 1
      }
    }
    var kind = Kind.value
    if let last = open.last, nodes[last].kind == .object {
      nodes.append(Node(kind: .member, range: start..<at, parent: last))
      open.append(nodes.count - 1)
      kind = .key
    }
    nodes.append(Node(kind: kind, range: start..<at, parent: open.last, isClosed: isClosed))
  }

  private mutating func readWord() {
    var stop = at + 1
    while stop < end, !bytes[stop].endsWord,
      references.first.map({ stop < $0.lowerBound }) ?? true
    {
      stop += 1
    }
    addValue(upTo: stop)
  }

  private mutating func skipLine() {
    while at < end, bytes[at] != 10 { at += 1 }
  }
}

extension UInt8 {
  fileprivate var endsWord: Bool {
    switch self {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""), 0...32:
      true
    default: false
    }
  }
}
