// JSON as a flat array of nodes over the bytes it was read from: ranges, member order, duplicate
// keys and the exact digits of numbers all survive.

/// What a JSON node is.
package enum JSONKind: UInt8, Sendable, Hashable {
  case null, `true`, `false`, number, string, array, object
}

/// One node: its kind, its bytes, and where its subtree ends.
package struct JSONNode: Sendable, Hashable {
  package var kind: JSONKind
  /// Whether a string has escapes, so that its bytes aren't its text.
  package var isEscaped: Bool
  /// Offsets of the node's source, quotes and brackets included.
  package var start: UInt32
  package var end: UInt32
  /// The index just past the last node of this subtree.
  package var next: UInt32
  /// The number of elements or members.
  package var count: UInt32
}

/// A parsed JSON text.
package struct JSONTree: Sendable, Hashable {
  /// The source.
  package let bytes: [UInt8]
  /// All values and names of members, each before what is in it: for walks of large trees, which
  /// views would make slow because each of them owns the tree.
  package let nodes: [JSONNode]

  /// Parses one JSON text with nothing but blanks around it (RFC 8259).
  package init(
    parsing bytes: [UInt8], options: JSONParsingOptions = JSONParsingOptions()
  ) throws(JSONSyntaxError) {
    guard bytes.count < Int(UInt32.max) else {
      throw JSONSyntaxError(offset: 0, problem: .tooLong)
    }
    var parser = JSONParser(options: options)
    let result: Result<[JSONNode], JSONSyntaxError> = bytes.withUnsafeBufferPointer { buffer in
      do throws(JSONSyntaxError) {
        return .success(try parser.parse(buffer))
      } catch {
        return .failure(error)
      }
    }
    self.nodes = try result.get()
    self.bytes = bytes
  }

  /// Makes the tree that a builder wrote.
  init(bytes: [UInt8], nodes: [JSONNode]) {
    self.bytes = bytes
    self.nodes = nodes
  }

  /// The number of values and of names of members in it.
  package var nodeCount: Int { nodes.count }

  /// The outermost value.
  package var root: JSONView { view(at: 0) }

  /// The value or name at an index of `nodes`.
  package func view(at index: Int) -> JSONView { JSONView(tree: self, index: index) }
}

/// What the parser accepts beyond RFC 8259, and its limits.
package struct JSONParsingOptions: Sendable, Hashable {
  /// How deep arrays and objects may nest.
  package var depthLimit = 256
  /// Whether `//` and `/* */` comments and trailing commas are accepted, as in editor settings.
  package var allowsComments = false

  /// Makes the default options.
  package init(depthLimit: Int = 256, allowsComments: Bool = false) {
    self.depthLimit = depthLimit
    self.allowsComments = allowsComments
  }
}

/// Why a text is not JSON, and where.
package struct JSONSyntaxError: Error, Sendable, Hashable {
  /// The kinds of mistake.
  package enum Problem: Sendable, Hashable {
    case unexpectedEnd, unexpectedByte, badNumber, badLiteral, badEscape, badUTF8, controlInString
    case tooDeep, tooLong, trailingText
  }

  /// The byte at which reading stopped.
  package let offset: Int
  package let problem: Problem

  /// Says what is wrong in a clause, such as "a value is missing".
  package var explanation: String {
    switch problem {
    case .unexpectedEnd: "the text ends too early"
    case .unexpectedByte: "unexpected character"
    case .badNumber: "this is not a JSON number"
    case .badLiteral: "only true, false and null need no quotes"
    case .badEscape: "this is not an escape that JSON knows"
    case .badUTF8: "this is not valid UTF-8"
    case .controlInString: "a control character must be written as an escape"
    case .tooDeep: "arrays and objects are nested too deeply"
    case .tooLong: "the text is too long"
    case .trailingText: "there is text after the end of the value"
    }
  }
}

/// A window on one node of a tree.
package struct JSONView: Sendable {
  let tree: JSONTree
  let index: Int

  private var node: JSONNode { tree.nodes[index] }

  /// The position of the value among all values and names of the tree, in the order of the text.
  package var nodeIndex: Int { index }

  /// What the value is.
  package var kind: JSONKind { node.kind }

  /// The bytes of the value in the source, quotes and brackets included.
  package var range: Range<Int> { Int(node.start)..<Int(node.end) }

  /// The source of the value as written.
  package var source: ArraySlice<UInt8> { tree.bytes[range] }

  /// Whether the value is `null`.
  package var isNull: Bool { kind == .null }

  /// The value of a `true` or `false`.
  package var bool: Bool? { kind == .true ? true : kind == .false ? false : nil }

  /// The text of a string, escapes resolved; a lone surrogate becomes U+FFFD.
  package var string: String? {
    guard kind == .string else { return nil }
    let inner = Int(node.start) + 1..<Int(node.end) - 1
    guard node.isEscaped else { return String(decoding: tree.bytes[inner], as: UTF8.self) }
    return JSONEscapes.decode(tree.bytes[inner])
  }

  /// The digits of a number exactly as written.
  package var numberText: String? {
    kind == .number ? String(decoding: source, as: UTF8.self) : nil
  }

  /// The number as an integer; also `1.0` and `1e2`, as the number's value counts.
  package var int: Int? {
    guard let text = numberText else { return nil }
    if let exact = Int(text) { return exact }
    guard let double = Double(text) else { return nil }
    return Int(exactly: double)
  }

  /// The number as a floating-point value.
  package var double: Double? { numberText.flatMap(Double.init) }

  /// The number of elements of an array or members of an object.
  package var count: Int { Int(node.count) }

  /// The elements of an array; none for any other value.
  package var elements: [JSONView] {
    guard kind == .array else { return [] }
    var result: [JSONView] = []
    result.reserveCapacity(count)
    var position = index + 1
    while position < Int(node.next) {
      result.append(JSONView(tree: tree, index: position))
      position = Int(tree.nodes[position].next)
    }
    return result
  }

  /// The members of an object in order, duplicates included; none for any other value.
  package var members: [(key: JSONView, value: JSONView)] {
    guard kind == .object else { return [] }
    var result: [(key: JSONView, value: JSONView)] = []
    result.reserveCapacity(count)
    var position = index + 1
    while position < Int(node.next) {
      let value = position + 1
      result.append((JSONView(tree: tree, index: position), JSONView(tree: tree, index: value)))
      position = Int(tree.nodes[value].next)
    }
    return result
  }

  /// The member of that name; of duplicates the last (PROMISES.md F8).
  package subscript(name: String) -> JSONView? { member(name) { _ in } }

  /// The member of that name, of duplicates the last; `found` is told the position of each among
  /// the members, from 0.
  package func member(_ name: String, _ found: (Int) -> Void) -> JSONView? {
    memberIndex(name, found).map { JSONView(tree: tree, index: $0) }
  }

  private func memberIndex(_ name: String, _ found: (Int) -> Void) -> Int? {
    guard kind == .object else { return nil }
    var name = name
    return name.withUTF8 { name in
      tree.nodes.withUnsafeBufferPointer { nodes in
        tree.bytes.withUnsafeBufferPointer { bytes in
          var (result, member): (Int?, Int) = (nil, 0)
          var at = index + 1
          let end = Int(nodes[index].next)
          while at < end {
            if Self.isKey(nodes[at], name, bytes) {
              result = at + 1
              found(member)
            }
            member += 1
            at = Int(nodes[at + 1].next)
          }
          return result
        }
      }
    }
  }

  /// The element at that place of an array.
  package subscript(position: Int) -> JSONView? {
    guard kind == .array, position >= 0, position < count else { return nil }
    var at = index + 1
    for _ in 0..<position { at = Int(tree.nodes[at].next) }
    return JSONView(tree: tree, index: at)
  }

  /// The tree that the value stands in.
  package var wholeTree: JSONTree { tree }

  /// A copy that stands on its own.
  package var value: JSONValue {
    switch kind {
    case .null: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .number: .number(numberText ?? "0")
    case .string: .string(string ?? "")
    case .array: .array(elements.map(\.value))
    case .object:
      .object(members.map { JSONMember($0.key.string ?? "", $0.value.value) })
    }
  }

  private static func isKey(
    _ node: JSONNode, _ name: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    // Bytes decide: `==` of strings takes different spellings of an accent for equal.
    let (start, end) = (Int(node.start) + 1, Int(node.end) - 1)
    if node.isEscaped {
      return JSONEscapes.decode(bytes[start..<end]).utf8.elementsEqual(name)
    }
    guard end - start == name.count else { return false }
    var at = 0
    while at < name.count, bytes[start + at] == name[at] { at += 1 }
    return at == name.count
  }
}
