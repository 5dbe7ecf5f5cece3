// What whole lines mean, where nothing in them says more: titles, tags, header values, paths,
// checks and scripts.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

extension Analysis {
  /// The hover of the line at a place of a block; `nil` for lines that say all themselves.
  func lineHover(
    _ block: ParsedBlock, _ place: Int, _ lastBody: (LastResult) -> String?
  ) -> Hover? {
    titleHover(block, place, lastBody) ?? tagHover(block, place) ?? pathHover(block, place)
      ?? callHover(block, place, lastBody) ?? assertionHover(block, place)
      ?? scriptHover(block, place) ?? valueHover(block, place)
  }

  /// What a separator begins.
  private func titleHover(
    _ block: ParsedBlock, _ place: Int, _ lastBody: (LastResult) -> String?
  ) -> Hover? {
    guard let separator = block.syntax.separator, let request = block.request else { return nil }
    let line = separator.marker.lowerBound..<(separator.title ?? separator.marker).upperBound
    guard line.lowerBound <= place, place <= line.upperBound else { return nil }
    var hover = requestHover(block, request, lastBody)
    hover?.range = block.absolute(line)
    return hover
  }

  /// What a tag says, behind its key, too; that a tag is none.
  private func tagHover(_ block: ParsedBlock, _ place: Int) -> Hover? {
    guard
      let tag = block.syntax.metadata.first(where: {
        $0.key.lowerBound <= place && place <= $0.line.upperBound
      }), tag.region != .body
    else { return nil }
    if let entry = tag.kind?.entry {
      return Hover(
        range: block.absolute(tag.key.lowerBound..<max(tag.key.upperBound, tag.value.upperBound)),
        markdown: "\(Markdown.code("@" + entry.usage))\n\n\(entry.explanation)")
    }
    let key = block.text(tag.key)
    let nearest = Suggestion.nearest(to: key, among: MetadataTable.offered.map(\.key))
    let hint = nearest.map { " Did you mean \(Markdown.code("@" + $0))?" } ?? ""
    return Hover(
      range: block.absolute(tag.key),
      markdown: "\(Analysis.code("@" + key)) is not a tag that PostKit knows.\(hint)")
  }

  /// Where a path leads, and what for.
  private func pathHover(_ block: ParsedBlock, _ place: Int) -> Hover? {
    guard let path = block.pathRanges.first(where: { $0.touches(place) }) else { return nil }
    let range = block.absolute(path)
    let use = PathMeaning(block, path)
    var evaluator = displayEvaluator
    let shown = masked(evaluator.display(block.text(path), at: range.lowerBound), evaluator)
    var lines = [use.sentence(Analysis.code(shown))]
    if let problem = evaluator.problems.first {
      lines.append(Markdown.sentence(problem.message))
    } else if let link = linkedFile(at: range.lowerBound), case .file(let place) = link.target {
      lines.append("It is \(Analysis.code(masked(place, evaluator))).")
    } else if use.mustExist {
      lines.append("This file does not exist yet.")
    }
    return Hover(range: range, markdown: lines.joined(separator: "\n\n"))
  }

  /// The request that a `run` line sends.
  private func callHover(
    _ block: ParsedBlock, _ place: Int, _ lastBody: (LastResult) -> String?
  ) -> Hover? {
    guard
      let name = block.directives.lazy.compactMap(\.calledName).first(where: { $0.touches(place) })
    else { return nil }
    return requestHover(named: block.text(name), block.absolute(name), lastBody)
  }

  /// What a check asks for.
  private func assertionHover(_ block: ParsedBlock, _ place: Int) -> Hover? {
    guard let assertion = block.assertions.first(where: { $0.line.touches(place) })
    else { return nil }
    let range = block.absolute(assertion.line)
    guard block.form(of: assertion) != nil else {
      return Hover(
        range: range,
        markdown: "A check of the response, such as `?? status == 200`: a subject, "
          + "a comparison and a value.")
    }
    return Hover(
      range: range,
      markdown: "A check of the response: \(Analysis.code(block.text(assertion.text)))\n\n"
        + "The request has not been sent yet.")
  }

  private func scriptHover(_ block: ParsedBlock, _ place: Int) -> Hover? {
    guard let script = block.scripts.first(where: { $0.range.touches(place) }) else { return nil }
    let moment =
      switch script.kind {
      case .preRequest: "before the request"
      case .responseHandler: "after the response"
      case .block: "with the request"
      case .imports: "before the scripts of the file"
      }
    let first = document.lineRange(at: block.absolute(script.range).lowerBound)
    return Hover(
      range: first,
      markdown: "A script that runs \(moment).")
  }

  /// A header as it would be sent, and what it means.
  private func valueHover(_ block: ParsedBlock, _ place: Int) -> Hover? {
    guard
      let header = block.request?.headers.first(where: { $0.line.touches(place) && !$0.isSpread })
    else { return nil }
    let name = block.text(header.name)
    let description = HeaderCatalog.named(name)
    let value = header.value.map { block.text($0) }.joined(separator: " ")
    var lines: [String] = []
    if !SecretMask.isAlwaysMasked(name), !isSensitive(name), !value.isEmpty {
      var evaluator = displayEvaluator
      let shown = evaluator.display(value, at: block.absolute(header.line).lowerBound)
      lines.append(Analysis.code("\(name): \(masked(shown, evaluator))"))
      if let problem = evaluator.problems.first { lines.append(Markdown.sentence(problem.message)) }
    }
    if let description {
      lines.append("**\(description.name)**: \(description.summary)")
      lines.append(description.source)
    } else if lines.isEmpty {
      return nil
    }
    return Hover(range: block.absolute(header.line), markdown: lines.joined(separator: "\n\n"))
  }
}

/// What a path in a block is for.
private enum PathMeaning {
  case imported, run, script, saved, compared
  case body(isResolved: Bool)
  case value, fragment

  init(_ block: ParsedBlock, _ path: Range<Int>) {
    if let directive = block.directives.first(where: { $0.argument == path }) {
      self = directive.kind == .importFile ? .imported : .run
    } else if block.metadata.contains(where: { $0.value == path }) {
      self = .imported
    } else if block.scripts.contains(where: { $0.path == path }) {
      self = .script
    } else if block.saves.contains(where: { $0.path == path }) {
      self = .saved
    } else if block.syntax.responseReferences.contains(where: { $0.path == path }) {
      self = .compared
    } else if block.variables.contains(where: { $0.value == path }) {
      self = .value
    } else if block.syntax.fragments.contains(where: { $0.path == path }) {
      self = .fragment
    } else {
      let isResolved =
        block.request?.body?.lines.contains { line in
          guard case .file(let include) = line.kind, include.path == path else { return false }
          return include.marker == .includeSubstituted
        } ?? false
      self = .body(isResolved: isResolved)
    }
  }

  /// Whether something is read from there.
  var mustExist: Bool {
    if case .saved = self { return false }
    if case .compared = self { return false }
    return true
  }

  /// What becomes of a path.
  func sentence(_ path: String) -> String {
    switch self {
    case .imported: "Imports the variables and requests of \(path)."
    case .run: "Sends all requests of \(path)."
    case .script: "The script \(path)."
    case .saved: "Saves the body of the response to \(path)."
    case .compared: "An earlier response, saved as \(path)."
    case .body(true): "Sends the content of \(path) and resolves its references."
    case .body(false): "Sends the content of \(path)."
    case .value: "The value is the content of \(path)."
    case .fragment: "The fragment is the content of \(path)."
    }
  }
}
