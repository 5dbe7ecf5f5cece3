// Sets JSON on lines of its own without touching a digit or an escape, for readers of responses.

extension JSONTree {
  /// The text with its blanks replaced by line ends and an indent; every number and string stays as
  /// its sender wrote it, duplicates and order included. Empty arrays and objects stay on one line.
  package func indented(by width: Int = 2) -> [UInt8] { root.indented(by: width) }

  /// The same with the bytes of another text of the same length for numbers, strings and words: one
  /// whose references this one has other bytes for.
  package func indented(by width: Int = 2, writing text: [UInt8]) -> [UInt8] {
    root.laidOut(.lines(width), text)
  }

  /// The text on one line with a blank after each colon and comma, with the bytes of another text
  /// as for `indented`.
  package func onOneLine(writing text: [UInt8]) -> [UInt8] { root.laidOut(.line, text) }
}

/// Where values stand.
private enum JSONLayout {
  /// Each on a line of its own, with an indent of so many blanks a level.
  case lines(Int)
  case line
}

extension JSONView {
  /// The value set on lines of its own, as for a whole tree.
  package func indented(by width: Int = 2) -> [UInt8] { laidOut(.lines(width), tree.bytes) }

  fileprivate func laidOut(_ layout: JSONLayout, _ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(range.count + range.count / 2)
    // What is open: the index past its last node, and its closing bracket.
    var open: [(next: UInt32, closer: UInt8)] = []
    var isAfterKey = false
    var at = index
    let last = Int(tree.nodes[index].next)
    while at < last {
      let node = tree.nodes[at]
      if !isAfterKey, let container = open.last {
        let isFirst = output.last == UInt8(ascii: "[") || output.last == UInt8(ascii: "{")
        if !isFirst { output.append(UInt8(ascii: ",")) }
        layout.newLine(open.count, isFirst: isFirst, &output)
        isAfterKey = container.closer == UInt8(ascii: "}")
      } else {
        isAfterKey = false
      }
      let isContainer = node.kind == .array || node.kind == .object
      if isContainer, node.count > 0 {
        let isObject = node.kind == .object
        output.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        open.append((node.next, isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")))
      } else if isContainer {
        output += node.kind == .object ? Array("{}".utf8) : Array("[]".utf8)
      } else {
        output += text[Int(node.start)..<Int(node.end)]
      }
      if isAfterKey { output += [UInt8(ascii: ":"), 0x20] }
      at += 1
      while let container = open.last, Int(container.next) == at {
        open.removeLast()
        layout.newLine(open.count, isFirst: true, &output)
        output.append(container.closer)
      }
    }
    return output
  }

}

extension JSONLayout {
  /// Goes on to the next value, or to the bracket behind the last.
  fileprivate func newLine(_ depth: Int, isFirst: Bool, _ output: inout [UInt8]) {
    switch self {
    case .lines(let width):
      output.append(0x0A)
      output.append(contentsOf: repeatElement(0x20, count: depth * width))
    case .line:
      if !isFirst { output.append(0x20) }
    }
  }
}
