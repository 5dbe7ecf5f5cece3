// Builds a tree without a text to parse: for readers of other notations, such as YAML.

/// Writes compact JSON and the nodes over it at once. Calls must be balanced, as for `JSONWriter`.
package struct JSONTreeBuilder: Sendable {
  private var bytes: [UInt8] = []
  private var nodes: [JSONNode] = []
  /// Indexes of the arrays and objects that are open.
  private var open: [Int] = []
  private var afterKey = false

  /// Makes an empty builder.
  package init() {}

  /// The number of values and of names of members so far; the next one gets this index.
  package var nodeCount: Int { nodes.count }

  /// The length of the text so far.
  package var byteCount: Int { bytes.count }

  /// How many values and bytes a finished value takes.
  package func size(ofValueAt index: Int) -> (nodes: Int, bytes: Int) {
    let node = nodes[index]
    return (Int(node.next) - index, Int(node.end - node.start))
  }

  /// The tree of what was written, which must be one value.
  package consuming func tree() -> JSONTree { JSONTree(bytes: bytes, nodes: nodes) }

  /// Makes room for a text of about that many bytes.
  package mutating func reserve(bytes count: Int) {
    bytes.reserveCapacity(count)
    nodes.reserveCapacity(count / 16)
  }

  /// Begins an array.
  package mutating func beginArray() { begin(.array, UInt8(ascii: "[")) }

  /// Begins an object.
  package mutating func beginObject() { begin(.object, UInt8(ascii: "{")) }

  /// Ends the innermost array or object and answers its index.
  @discardableResult
  package mutating func end() -> Int {
    let index = open.removeLast()
    bytes.append(nodes[index].kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    nodes[index].end = UInt32(bytes.count)
    nodes[index].next = UInt32(nodes.count)
    return index
  }

  /// Writes a member's name in UTF-8; its value must follow.
  package mutating func key(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    quote(text)
    bytes.append(UInt8(ascii: ":"))
    afterKey = true
  }

  /// Writes a string in UTF-8.
  package mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    quote(text)
  }

  /// Writes a number, whose digits must be JSON's.
  package mutating func number(_ digits: UnsafeBufferPointer<UInt8>) {
    separate()
    append(.number, digits)
  }

  /// Writes `null`.
  package mutating func null() { literal(.null, "null") }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) {
    literal(value ? .true : .false, value ? "true" : "false")
  }

  /// Writes a member's name as another tree has it; its value must follow.
  package mutating func key(copying view: JSONView) {
    copyScalar(view)
    bytes.append(UInt8(ascii: ":"))
    afterKey = true
  }

  /// Writes a value that is no array or object as another tree has it.
  package mutating func scalar(copying view: JSONView) { copyScalar(view) }

  /// Writes a value of this tree once more, with all that is in it.
  package mutating func copyValue(at index: Int) {
    separate()
    let first = nodes[index]
    let nodeShift = UInt32(nodes.count - index)
    let byteShift = UInt32(bytes.count) - first.start
    // One by one: a slice of the array in itself would make a copy of the whole.
    for at in Int(first.start)..<Int(first.end) { bytes.append(bytes[at]) }
    for at in index..<Int(first.next) {
      var node = nodes[at]
      node.start += byteShift
      node.end += byteShift
      node.next += nodeShift
      nodes.append(node)
    }
  }

  /// The indexes of the names in a finished object that stood before in it already.
  package func duplicateNames(inObjectAt index: Int) -> [Int] {
    let object = nodes[index]
    guard object.count > 1 else { return [] }
    var known = JSONNameSet(capacity: Int(object.count))
    var found: [Int] = []
    bytes.withUnsafeBufferPointer { text in
      var at = index + 1
      while at < Int(object.next) {
        let range = Int(nodes[at].start)..<Int(nodes[at].end)
        if !known.insert(UnsafeBufferPointer(rebasing: text[range])) { found.append(at) }
        at = Int(nodes[at + 1].next)
      }
    }
    return found
  }

  /// The text of a name or a string.
  package func string(at index: Int) -> String {
    JSONEscapes.decode(bytes[Int(nodes[index].start) + 1..<Int(nodes[index].end) - 1])
  }

  private mutating func begin(_ kind: JSONKind, _ bracket: UInt8) {
    separate()
    open.append(nodes.count)
    let start = bytes.count
    bytes.append(bracket)
    append(kind, from: start)
  }

  /// Puts the comma and counts: elements of arrays, and names of members.
  private mutating func separate() {
    if afterKey {
      afterKey = false
      return
    }
    guard let container = open.last else { return }
    if nodes[container].count > 0 { bytes.append(UInt8(ascii: ",")) }
    nodes[container].count += 1
  }

  private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
    let start = bytes.count
    let isEscaped = JSONEscapes.quote(text, into: &bytes)
    append(.string, from: start, isEscaped: isEscaped)
  }

  private mutating func literal(_ kind: JSONKind, _ word: StaticString) {
    separate()
    append(kind, UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  private mutating func copyScalar(_ view: JSONView) {
    separate()
    let start = bytes.count
    bytes.append(contentsOf: view.source)
    append(view.kind, from: start, isEscaped: view.tree.nodes[view.index].isEscaped)
  }

  private mutating func append(_ kind: JSONKind, _ text: UnsafeBufferPointer<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: text)
    append(kind, from: start)
  }

  private mutating func append(_ kind: JSONKind, from start: Int, isEscaped: Bool = false) {
    nodes.append(
      JSONNode(
        kind: kind, isEscaped: isEscaped, start: UInt32(start), end: UInt32(bytes.count),
        next: UInt32(nodes.count + 1), count: 0))
  }
}

/// Names in memory that does not change meanwhile.
private struct JSONNameSet {
  private var few: [UnsafeBufferPointer<UInt8>] = []
  private var many: Set<Name> = []
  private let isSmall: Bool

  private struct Name: Hashable {
    let bytes: UnsafeBufferPointer<UInt8>

    static func == (left: Name, right: Name) -> Bool { left.bytes.elementsEqual(right.bytes) }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
  }

  init(capacity: Int) {
    isSmall = capacity <= 12
    if isSmall { few.reserveCapacity(capacity) } else { many.reserveCapacity(capacity) }
  }

  /// Takes a name; answers whether it is new.
  mutating func insert(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard isSmall else { return many.insert(Name(bytes: name)).inserted }
    for other in few where other.count == name.count && other.elementsEqual(name) { return false }
    few.append(name)
    return true
  }
}
