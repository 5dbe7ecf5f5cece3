// Header and query lines are switched off and on again, so that they stay where they are.

import PostKitSyntax
import PostKitText

extension Analysis {
  /// Switches the header and query lines of a selection off, or on where all of them are off.
  package func switching(in range: Range<Int>) -> CodeChange? {
    guard let block = request(at: range.lowerBound), let request = block.syntax.request,
      range.upperBound <= block.range.upperBound, request.curl == nil
    else { return nil }
    return Refactoring(analysis: self, block: block, request: request, selection: range).switching
  }
}

extension Refactoring {
  /// Switches the lines of the selection off, or on where all of them are off.
  var switching: CodeChange? {
    guard request.curl == nil else { return nil }
    let headers = request.headers.filter { touches($0.line) && isOfOneLine($0) }
    let queries = linesOfQuery.filter { touches($0) }
    let lines = headers.map(\.line) + queries
    if !lines.isEmpty {
      let edits = lines.map { range -> TextEdit in
        let start = block.absolute(range).lowerBound
        return TextEdit(start..<start, "# ")
      }
      let names = headers.map { block.text($0.name) } + queries.map(parameter)
      return CodeChange(
        .rewrite, title("off", names, headers.count, queries.count),
        edits + marks(without: Set(queries), with: []))
    }
    let off = block.switchedOffLines.filter { touches($0.comment) }
    guard !off.isEmpty else { return nil }
    let edits = off.map { line in
      TextEdit(block.absolute(line.comment.lowerBound..<line.line.lowerBound), "")
    }
    let parameters = off.filter { $0.content == .query }.map(\.line)
    let names = off.map { line in
      if case .header(let name, _) = line.content { block.text(name) } else { parameter(line.line) }
    }
    return CodeChange(
      .rewrite, title("on", names, off.count - parameters.count, parameters.count),
      edits + marks(without: [], with: parameters))
  }

  /// A comment can't be continued on a second line, nor be one of several.
  private func isOfOneLine(_ header: HeaderSyntax) -> Bool {
    !header.isSpread && header.value.count <= 1
      && block.slice(header.line).contains(UInt8(ascii: ":"))
  }

  /// The lines of the query that stand below the request line.
  private var linesOfQuery: [Range<Int>] {
    request.target.filter { part in
      part.lowerBound >= request.line.upperBound
        && block.slice(part).first.map { "?&".utf8.contains($0) } == true
    }
  }

  /// The edits after which the first part of the query begins with `?` and all others with `&`,
  /// once some lines are switched off and others on.
  private func marks(without off: Set<Range<Int>>, with on: [Range<Int>]) -> [TextEdit] {
    let lines = Set(linesOfQuery)
    let parts = (Array(request.target) + on).sorted { $0.lowerBound < $1.lowerBound }
    var hasQuery = false
    var edits: [TextEdit] = []
    for part in parts where !off.contains(part) {
      let text = block.slice(part)
      if lines.contains(part) || on.contains(part) {
        let mark = hasQuery ? "&" : "?"
        if text.first != mark.utf8.first {
          let start = block.absolute(part).lowerBound
          edits.append(TextEdit(start..<start + 1, mark))
        }
        hasQuery = true
      } else if text.contains(UInt8(ascii: "?")) {
        hasQuery = true
      }
    }
    return edits
  }

  /// The name of the first parameter of a line.
  private func parameter(_ line: Range<Int>) -> String {
    let text = block.text(line).dropFirst()
    return String(text.prefix { $0 != "=" && $0 != "&" })
  }

  private func title(
    _ word: String, _ names: [String], _ headers: Int, _ parameters: Int
  ) -> String {
    if names.count == 1 {
      return "Switch \(word) \(headers == 1 ? "header" : "parameter") `\(names[0])`"
    }
    let parts = [(headers, "header"), (parameters, "parameter")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return "Switch \(word) \(parts.joined(separator: " and "))"
  }
}
