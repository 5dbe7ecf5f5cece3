// A target with its names resolved as far as they can be, and where each part of it is written.

import PostKitEvaluate
import PostKitSyntax

/// The target of a request as it is sent, with the places of what the author wrote. What stands for
/// a reference has no place, because a remark there would be about another line.
struct ResolvedTarget {
  /// A step of the path.
  struct Step {
    /// Its bytes in the target.
    let range: Range<Int>
    let text: String
    /// The same in the file; `nil` where a reference is part of it.
    let source: Range<Int>?

    /// Whether a name in it is not known, so that it may be anything.
    var isOpen: Bool { text.contains("{{") }
  }

  private(set) var bytes: [UInt8] = []
  /// For each byte its place in the file; below zero for what stands for a reference.
  private var sources: [Int] = []
  /// The pieces of it.
  let shape: TargetShape
  /// The names that were looked up for it.
  private(set) var names: Set<String> = []

  /// Resolves the target of a request.
  init(_ analysis: Analysis, _ block: ParsedBlock, _ request: RequestSyntax) {
    let scope = analysis.scope(of: block)
    var bytes: [UInt8] = []
    var sources: [Int] = []
    func add(_ text: [UInt8]) {
      bytes += text
      sources += repeatElement(-1, count: text.count)
    }
    for piece in request.target {
      for part in TemplateParser.pieces(block.bytes, in: block.absolute(piece)) {
        switch part {
        case .literal(let range):
          bytes += block.bytes[range]
          sources += range
        case .escapedReference(let range): add(Array("{{".utf8) + block.bytes[range] + "}}".utf8)
        case .reference(let reference):
          let written = Array(block.bytes[reference.range])
          var evaluator = Evaluator(context: analysis.context, scope: scope)
          let text = evaluator.display(
            String(decoding: written, as: UTF8.self), at: reference.range.lowerBound)
          names.formUnion(evaluator.names)
          let isKnown = evaluator.problems.isEmpty && evaluator.needs.isEmpty && !text.isEmpty
          add(isKnown ? Array(text.utf8) : written)
        }
      }
    }
    // A target that begins with a host (PK-11).
    let text = String(decoding: bytes, as: UTF8.self)
    if !text.hasPrefix("/"), !text.hasPrefix("{{"), !text.contains("://") {
      let scheme = Array("https://".utf8)
      bytes = scheme + bytes
      sources = Array(repeating: -1, count: scheme.count) + sources
    }
    self.bytes = bytes
    self.sources = sources
    shape = TargetShape(bytes)
  }

  /// All of it.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The text of a part.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Where a part is written; `nil` where a reference is in it, where it goes on in another line,
  /// and for one that is empty.
  func source(_ range: Range<Int>) -> Range<Int>? {
    guard let first = range.first, sources[first] >= 0 else { return nil }
    let distance = sources[first] - first
    guard range.allSatisfy({ sources[$0] == $0 + distance }) else { return nil }
    return range.lowerBound + distance..<range.upperBound + distance
  }

  /// The steps of the path.
  var steps: [Step] {
    var result: [Step] = []
    var start: Int?
    let slash = UInt8(ascii: "/")
    func add(_ end: Int) {
      guard let start else { return }
      result.append(
        Step(range: start..<end, text: text(start..<end), source: source(start..<end)))
    }
    for at in shape.originEnd..<shape.pathEnd where bytes[at] == slash {
      add(at)
      start = at + 1
    }
    add(shape.pathEnd)
    return result
  }
}
