// Expected ranges drawn under the text as compilers do.

/// One range of a text with what is said about it.
package struct CaretAnnotation: Sendable, Hashable {
  /// The range in bytes; within one line.
  package let range: Range<Int>
  /// What stands after the carets.
  package let label: String

  /// Makes an annotation.
  package init(_ range: Range<Int>, _ label: String) {
    self.range = range
    self.label = label
  }
}

/// A text whose lines of the form `#   ^^^ label` annotate the line above them.
///
/// The caret columns count Unicode scalars. The hash covers column 0, so a range that starts there
/// is drawn with `<`: `#<` is one column, `#<<` two, `#<^^` four. `|` marks a position of no width.
package struct CaretAnnotations: Sendable, Hashable {
  /// The text without annotations.
  package let text: String
  /// The annotations in order.
  package let annotations: [CaretAnnotation]

  /// Takes the annotations out of a text.
  package init(_ source: String) {
    var kept: [Substring] = []
    var annotations: [CaretAnnotation] = []
    var lineStart = 0
    var next = 0
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      if let mark = Mark(line), let above = kept.last {
        annotations.append(CaretAnnotation(mark.range(in: above, from: lineStart), mark.label))
      } else {
        lineStart = next
        next += line.utf8.count + 1
        kept.append(line)
      }
    }
    self.text = kept.joined(separator: "\n")
    self.annotations = annotations
  }

  /// Draws annotations into a text; the inverse of reading them. Ranges that span lines are cut at
  /// the end of their first line, which a label then says.
  package static func render(_ text: String, _ annotations: [CaretAnnotation]) -> String {
    var output: [String] = []
    var start = 0
    let sorted = annotations.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }.map(\.element)
    var rest = sorted[...]
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      output.append(String(line))
      let end = start + line.utf8.count
      while let annotation = rest.first,
        annotation.range.lowerBound <= end || number == lines.count - 1
      {
        rest.removeFirst()
        output.append(draw(annotation, line: line, start: start))
      }
      start = end + 1
    }
    return output.joined(separator: "\n")
  }

  private static func draw(_ annotation: CaretAnnotation, line: Substring, start: Int) -> String {
    let length = line.utf8.count
    let from = column(line, annotation.range.lowerBound - start)
    let to = column(line, min(annotation.range.upperBound - start, length))
    let isCut = annotation.range.upperBound > start + length + 1
    let label = annotation.label + (isCut ? " (goes on)" : "")
    let drawing: String
    if to <= from {
      drawing = from == 0 ? "|" : String(repeating: " ", count: from - 1) + "|"
    } else if from == 0 {
      drawing =
        to <= 2
        ? String(repeating: "<", count: to)
        : "<" + String(repeating: "^", count: to - 2)
    } else {
      drawing =
        String(repeating: " ", count: from - 1) + String(repeating: "^", count: to - from)
    }
    return label.isEmpty ? "#" + drawing : "#\(drawing) \(label)"
  }

  private static func column(_ line: Substring, _ offset: Int) -> Int {
    String(decoding: Array(line.utf8).prefix(max(0, offset)), as: UTF8.self).unicodeScalars.count
  }

  /// A line that annotates.
  private struct Mark {
    var columns: Range<Int>
    var label: String

    init?(_ line: Substring) {
      guard line.first == "#" else { return nil }
      let drawing = line.dropFirst().prefix { " <^|".contains($0) }
      let marks = drawing.reversed().drop { $0 == " " }.reversed().map { $0 }
      guard let first = marks.firstIndex(where: { $0 != " " }),
        marks[first...].allSatisfy({ $0 != " " })
      else { return nil }
      let end = marks.count + 1
      switch marks[first] {
      case "|": columns = first == 0 ? 0..<0 : first + 1..<first + 1
      case "<": columns = 0..<(marks.last == "<" ? marks.count : end)
      default: columns = first + 1..<end
      }
      label = String(line.dropFirst(1 + marks.count).drop { $0 == " " })
    }

    func range(in line: Substring, from start: Int) -> Range<Int> {
      let scalars = line.unicodeScalars
      let length = { (count: Int) in
        scalars.prefix(count).reduce(0) { $0 + UTF8.width($1) }
      }
      return start + length(columns.lowerBound)..<start + length(columns.upperBound)
    }
  }
}
