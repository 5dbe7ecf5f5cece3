// What hovers tell from outside of the file: other environments, samples, statuses and what the
// last run brought.

import PostKitEvaluate
import PostKitSyntax

extension Analysis {
  // MARK: - Values

  /// What a name is in other environments; nothing where none of them defines it.
  func valuesElsewhere(
    of name: String, _ environments: () -> [EnvironmentSet], at offset: Int
  ) -> [String] {
    let others = environments().filter { $0.active != scope.environments.active }
    guard others.contains(where: { $0.definitions[name] != nil }) else { return [] }
    let lines = others.map { set -> String in
      let shown = set.definitions[name].map { read(in: set).value($0, at: offset) }
      return "- \(Analysis.code(set.active ?? "none")): " + (shown ?? "not defined")
    }
    return ["In other environments:", lines.joined(separator: "\n")]
  }

  /// The same file where another environment is in force.
  private func read(in environments: EnvironmentSet) -> Analysis {
    Analysis(
      document: document,
      scope: Scope(
        files: scope.files, environments: environments, dialect: scope.dialect(of: 0),
        overrides: scope.overrides),
      context: context, defaults: defaults)
  }

  /// Dynamic variables that make their values up; all others read something, which a sample would
  /// show.
  private static let readers: Set<String> = ["processEnv", "dotenv", "exampleServer"]

  /// What a dynamic variable might stand for; `nil` where that would show what it reads.
  func sample(of name: String, _ written: String, at offset: Int) -> String? {
    guard !Analysis.readers.contains(name) else { return nil }
    var evaluator = displayEvaluator
    let value = evaluator.display(written, at: offset)
    guard evaluator.problems.isEmpty, evaluator.needs.isEmpty, !value.isEmpty, value != written
    else { return nil }
    return "Example: \(Analysis.code(masked(value, evaluator)))."
  }

  /// The headers that a request has from its collection and the folders around it, with where each
  /// of them is set.
  func defaultLines(_ block: ParsedBlock) -> [String] {
    let own = Set((block.request?.headers ?? []).map { block.text($0.name).lowercased() })
    let lines = scope.environments.defaultHeaders.compactMap { header -> String? in
      guard let owner = header.origin.defaultsOwner, !own.contains(header.name.lowercased()) else {
        return nil
      }
      let value = value(header, at: block.absolute(block.leadingLine).lowerBound)
      return "- \(Analysis.code(header.name)): \(value) from the defaults of "
        + Analysis.code(owner)
    }
    return lines.isEmpty
      ? [] : ["Headers that it doesn't have itself:", lines.joined(separator: "\n")]
  }

  // MARK: - What the last run brought

  /// The last result with the beginning of its body.
  func resultLines(_ result: LastResult, _ lastBody: (LastResult) -> String?) -> [String] {
    var lines = ["Last result: " + Markdown.text(result.summary)]
    guard let body = lastBody(result), !body.isEmpty else { return lines }
    let all = body.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = all.prefix(10).map { line -> String in
      line.utf8.count > 200 ? line.prefix(199) + "…" : String(line)
    }
    let rest = all.count > shown.count ? ["…"] : []
    lines.append(Markdown.block(shown + rest))
    return lines
  }

  /// The last result of the request that `@ref` and its like name.
  func dependencyHover(
    _ block: ParsedBlock, _ place: Int, _ lastBody: (LastResult) -> String?
  ) -> Hover? {
    guard let tag = block.dependencyTags.first(where: { $0.value.touches(place) })
    else { return nil }
    return requestHover(named: block.text(tag.value), block.absolute(tag.value), lastBody)
  }

  /// The request that a name stands for, with its last result.
  func requestHover(
    named name: String, _ range: Range<Int>, _ lastBody: (LastResult) -> String?
  ) -> Hover? {
    guard let found = scope.files.place(referredToAs: name, from: scope.file) else {
      return Hover(range: range, markdown: "Request \(Analysis.code(name)) not found.")
    }
    let request = scope.files.block(found)
    var lines = [Analysis.code(request.methodAndTarget ?? name)]
    if found.file == 0 {
      lines += result(of: request).map { resultLines($0, lastBody) } ?? ["Not sent yet."]
    }
    return Hover(range: range, markdown: lines.joined(separator: "\n\n"))
  }

  // MARK: - Statuses

  /// What a status code means: in a status line, a check or a tag that asks for it.
  func statusHover(_ block: ParsedBlock, _ place: Int) -> Hover? {
    guard let number = statusNumber(block, place),
      let description = StatusCatalog.described(Int(block.text(number)) ?? 0)
    else { return nil }
    return Hover(range: block.absolute(number), markdown: description)
  }

  /// The three digits at a place where a status can stand.
  private func statusNumber(_ block: ParsedBlock, _ place: Int) -> Range<Int>? {
    let line = document.lineRange(at: block.range.lowerBound + place)
    let text = document.bytes[line]
    let offset = block.range.lowerBound + place
    var start = offset
    while start > line.lowerBound, (48...57).contains(document.bytes[start - 1]) { start -= 1 }
    var end = offset
    while end < line.upperBound, (48...57).contains(document.bytes[end]) { end += 1 }
    guard end - start == 3 else { return nil }
    let found = start - block.range.lowerBound..<end - block.range.lowerBound
    let isCheck = block.syntax.assertions.contains {
      $0.line.contains(found.lowerBound) && block.form(of: $0)?.subject == .status
    }
    let isTag = block.syntax.metadata.contains {
      $0.kind == .expectStatusCode && $0.value.lowerBound <= found.lowerBound
        && found.upperBound <= $0.value.upperBound
    }
    let isResponse =
      block.syntax.kind == .response
      || block.syntax.inlineResponse.map { $0.contains(found.lowerBound) } ?? false
    let isStatusLine = isResponse && text.starts(with: "HTTP/".utf8)
    return isCheck || isTag || isStatusLine ? found : nil
  }
}
