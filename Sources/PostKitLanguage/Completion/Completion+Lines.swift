// Completion at the beginning of lines that are neither requests nor headers: definitions, checks,
// names, and what can stand where a body begins.

import PostKitEvaluate
import PostKitSyntax

extension Analysis {
  /// Names that can be defined: those that the file uses and nothing defines, then those that an
  /// environment defines and the file may cover.
  func definitionNameItems(
    _ replaced: Range<Int>, hasValue: Bool, at caret: Int
  ) -> [CompletionItem] {
    let ending = hasValue ? "" : " = "
    let blocks = (document.block(at: caret).map { [$0] } ?? []) + blocksNear(caret)
    var items = undefinedNames(in: blocks, at: caret).enumerated().map { rank, name in
      CompletionItem(
        "@" + name, .variable, text: "@" + name + ending, replaced: replaced,
        detail: "used, not defined", rank: rank)
    }
    let typed = min(replaced.lowerBound + 1, caret)..<caret
    let prefix = String(decoding: document.bytes[typed], as: UTF8.self)
    let covered = bestDefinitions(prefix, scope(at: caret), at: caret, count: Analysis.shownCovered)
    for definition in covered where definition.origin.layer != .file {
      items.append(
        CompletionItem(
          "@" + definition.name, .variable, text: "@" + definition.name + ending,
          replaced: replaced, detail: "covers " + Analysis.detail(definition),
          origin: definition.origin.layer.rawValue, rank: 1_000 + items.count))
    }
    return items
  }

  private static let shownCovered = 100

  /// Names for a request, made of its title, and of its method and path.
  func nameItems(_ replaced: Range<Int>, at caret: Int) -> [CompletionItem] {
    guard let block = document.block(at: caret) else { return [] }
    var texts: [String] = []
    if let title = block.title { texts.append(Analysis.camelCase(title)) }
    if let request = block.request {
      let path = PathWords(pathText(block, request))
      texts.append(Analysis.camelCase(block.writtenMethod.lowercased() + " " + path.text))
    }
    let taken = Set(document.names.requests.keys)
    var seen: Set<String> = []
    let free = texts.filter { !$0.isEmpty && !taken.contains($0) && seen.insert($0).inserted }
    return free.enumerated().map { CompletionItem($1, .request, replaced: replaced, rank: $0) }
  }

  /// The words of a path that are no references.
  private struct PathWords {
    let text: String
    init(_ path: String) {
      text = path.split(separator: "/").filter { !$0.contains("{") }.joined(separator: " ")
    }
  }

  private static func camelCase(_ text: String) -> String {
    let words = text.split { !($0.isLetter || $0.isNumber) || !$0.isASCII }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    guard let first = words.first else { return "" }
    return (first.prefix(1).lowercased() + first.dropFirst()) + rest.joined()
  }

  // MARK: - Checks

  /// What a `??` line can ask for, then what must hold of it.
  func assertionItems(
    _ words: [String], _ replaced: Range<Int>, at caret: Int
  ) -> [CompletionItem] {
    guard let subject = words.first else {
      return Analysis.subjects.enumerated().map { rank, subject in
        CompletionItem(
          subject.0, .value, text: subject.2 ? subject.0 + " " : subject.0, replaced: replaced,
          detail: subject.1, rank: rank, continues: subject.2)
      }
    }
    if subject == "openapi" { return [] }
    if words.count == 1, subject == "header" {
      return HeaderCatalog.responseNames.enumerated().map {
        CompletionItem($1, .header, replaced: replaced, rank: $0)
      }
    }
    let parts =
      words.count == 1 && subject == "duration"
      ? AssertionForm.DurationPart.allCases.map(\.rawValue) : []
    if words.count > 1, let last = words.last, Analysis.predicates.contains(where: { $0.0 == last })
    {
      guard subject == "status" else { return [] }
      return ["200", "201", "204", "400", "401", "403", "404"].enumerated().map {
        CompletionItem($1, .value, replaced: replaced, rank: $0)
      }
    }
    let isSubjectWhole = ["status", "body", "duration"].contains(subject) || words.count > 1
    let texts =
      parts.map { ($0, "a part of the time") }
      + (isSubjectWhole ? Analysis.predicates : [])
    return texts.enumerated().map { rank, text in
      CompletionItem(text.0, .value, replaced: replaced, detail: text.1, rank: rank)
    }
  }

  private static let subjects = [
    ("status", "the status code", true), ("header", "the value of a header", true),
    ("body", "the body, or a member of it", true),
    ("duration", "the time it took, in milliseconds", true),
    ("xpath", "the result of an XPath", true),
    ("openapi", "that the response is as its API is described", false),
  ]

  private static let predicates = [
    ("==", "is equal"), ("!=", "is not equal"), (">", "is greater"), (">=", "is at least"),
    ("<", "is less"), ("<=", "is at most"), ("contains", "contains it"),
    ("startsWith", "begins with it"), ("endsWith", "ends with it"),
    ("matches", "matches a pattern"),
    ("exists", "exists"), ("isFalse", "is missing or false"), ("isNumber", "is a number"),
    ("isString", "is a text"), ("isBoolean", "is true or false"), ("isArray", "is a list"),
  ]

  // MARK: - Bodies

  /// What can stand on the empty line where a body would begin.
  func bodyStartItems(_ place: Int, _ sources: CompletionSources) -> [CompletionItem] {
    let here = place..<place
    var items = bodyItems(here, sources, at: place)
    let lines = [
      ("< ./", "the content of a file", true), ("### ", "separates two requests", false),
      (">> ./", "a file for the response", true),
    ]
    items += lines.enumerated().map { rank, line in
      CompletionItem(
        line.0, .metadata, replaced: here, detail: line.1, rank: 5_000 + rank, continues: line.2)
    }
    return items
  }
}
