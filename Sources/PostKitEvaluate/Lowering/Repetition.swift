// How often a request is sent: `@loop`, and references that stand for collections (PK-71).

package import PostKitJSON
package import PostKitSyntax

extension ParsedBlock {
  /// The tag that repeats the request.
  package var loopTag: MetadataSyntax? {
    // Asked of each block several times; most tags are told by their length.
    metadata.first { $0.kind == .loop && $0.region != .body }
  }

  /// The first tag that may keep the request from being sent: `@disabled` or `@if`.
  package var disabledTag: MetadataSyntax? { metadata.first { $0.isCondition } }
}

extension MetadataSyntax {
  /// Whether it says when the request is sent: `@disabled`, or `@if`, which says the contrary.
  fileprivate var isCondition: Bool {
    (kind == .disabled || kind == .onlyIf) && region != .body
  }
}

/// What a `@loop` says.
package enum LoopSyntax: Sendable, Hashable {
  /// `for 3`.
  case count(Int)
  /// `for item of path.to.array`.
  case items(name: String, path: String)
  /// `while expression`.
  case `while`(String)
  /// `for item of expression`, which is JavaScript.
  case script(name: String, expression: String)
  /// None of these.
  case malformed

  /// Reads the value of the tag.
  package init(_ text: String) {
    let words = text.utf8.split(separator: 32).map { String(Substring($0)) }
    if words.first == "while", words.count > 1 {
      self = .while(words.dropFirst().joined(separator: " "))
    } else if words.first == "for", words.count == 2 {
      self = Int(words[1]).flatMap { $0 >= 0 ? .count($0) : nil } ?? .malformed
    } else if words.first == "for", words.count > 3, words[2] == "of" {
      var path = words[3...].joined(separator: " ")
      if path.hasPrefix("{{"), path.hasSuffix("}}") {
        path = String(path.dropFirst(2).dropLast(2)).trimmingBlanks
      }
      guard case .path = ReferenceExpression(parsing: path) else {
        self = .script(name: words[1], expression: path)
        return
      }
      self = .items(name: words[1], path: path)
    } else {
      self = .malformed
    }
  }

  /// The expression that it reads.
  package var expression: ReferenceExpression? {
    switch self {
    case .items(_, let path): ReferenceExpression(parsing: path)
    case .script(_, let text), .while(let text): ReferenceExpression(parsing: text)
    case .count, .malformed: nil
    }
  }
}

/// How often a request is sent, and with which items.
package struct Repetitions: Sendable, Hashable {
  package var count: Int
  /// Whether the turns are those of a `@loop`, so that `$index` counts them and each has a name.
  package var isLoop: Bool
  /// The name of the loop's variable.
  package var itemName: String?
  package var items: [JSONValue] = []
  /// What must hold before each turn.
  package var condition: String?
  /// The values that references with wildcards stand for, by their text; shorter lists begin anew.
  package var collections: [String: [JSONValue]] = [:]

  /// The request is sent once.
  package static let once = Repetitions(count: 1, isLoop: false)

  /// How many turns references with wildcards may give (PK-71).
  package static let limit = 1_000

  /// Whether it is sent as if there were no turns at all.
  package var isPlain: Bool { !isLoop && collections.isEmpty }

  /// Gives the names of a turn their values.
  package func enter(_ index: Int, _ scope: inout Scope) {
    if isLoop { scope.loop["$index"] = .int(index) }
    if let itemName { scope.loop[itemName] = items[index] }
    for (text, values) in collections { scope.iteration[text] = values[index % values.count] }
  }
}

extension Evaluator {
  /// Whether the condition of a `@loop while` holds; the turn counts for the place of the use.
  package mutating func holds(_ condition: String, of block: ParsedBlock) -> Bool {
    guard let tag = block.loopTag else { return false }
    return value(ofExpression: condition, at: block.absolute(tag.line))?.isTruthy ?? false
  }
}

/// What the tags of a block say before it is sent.
package enum Readiness: Sendable {
  case ready
  /// A `@disabled` holds, or an `@if` does not.
  case disabled
}

extension Evaluator {
  /// Whether a block is to be run, by its `@disabled` and `@if`.
  package mutating func readiness(of block: ParsedBlock) -> Readiness {
    for tag in block.metadata where tag.isCondition {
      if case .disabled = readiness(tag, block) { return .disabled }
    }
    return .ready
  }

  private mutating func readiness(_ tag: MetadataSyntax, _ block: ParsedBlock) -> Readiness {
    let isContrary = tag.kind == .onlyIf
    let range = block.absolute(tag.value)
    let written = block.text(tag.value)
    if written.isEmpty { return isContrary ? .ready : .disabled }
    let marks = written.utf8.prefix { $0 == UInt8(ascii: "!") || $0 == 32 || $0 == 9 }
    let isNegated = !marks.count { $0 == UInt8(ascii: "!") }.isMultiple(of: 2)
    var text = String(written[marks.endIndex...])
    if text.hasPrefix("{{"), text.hasSuffix("}}") {
      text = String(text.dropFirst(2).dropLast(2)).trimmingBlanks
    }
    guard let value = value(ofExpression: text, at: range) else { return .ready }
    return value.isTruthy != (isNegated != isContrary) ? .disabled : .ready
  }

  /// How often a block's request is sent. Problems are recorded.
  package mutating func turns(of block: ParsedBlock) -> Repetitions {
    let collections = collections(of: block)
    guard let tag = block.loopTag else {
      guard let most = collections.values.map(\.count).max() else { return .once }
      let isEmpty = collections.values.contains { $0.isEmpty }
      return Repetitions(count: isEmpty ? 0 : most, isLoop: false, collections: collections)
    }
    let range = block.absolute(tag.line)
    if !collections.isEmpty {
      report(
        EvaluationProblem(
          .syntax(
            "`@loop` and a wildcard reference can't repeat the same request. Remove the "
              + "wildcard or the loop."), range: range))
      return .once
    }
    var syntax = LoopSyntax(block.text(tag.value))
    if case .malformed = syntax {
      syntax = LoopSyntax(
        String(decoding: expand(tag.value, of: block, place: .metadata), as: UTF8.self))
    }
    switch syntax {
    case .count(let count):
      return Repetitions(count: count, isLoop: true)
    case .items(let name, let path):
      return loop(name, over: path, at: range)
    case .script(let name, let expression):
      return loop(name, over: expression, at: range)
    case .while(let expression):
      return Repetitions(count: .max, isLoop: true, condition: expression)
    case .malformed:
      report(
        .syntax("Write `@loop for 3`, `@loop for item of items` or `@loop while condition`."),
        range)
    }
    return .once
  }

  private mutating func loop(
    _ name: String, over path: String, at range: Range<Int>
  ) -> Repetitions {
    guard let value = value(ofExpression: path, at: range) else { return .once }
    guard let items = value.arrayElements else {
      // Who only looks doesn't know what JavaScript comes to.
      if scope.assumesAnswers, case .script = ReferenceExpression(parsing: path) { return .once }
      report(.syntax("`\(path)` is not an array, so `@loop` can't repeat over it."), range)
      return .once
    }
    return Repetitions(count: items.count, isLoop: true, itemName: name, items: items)
  }

  /// The values that the references with wildcards in a block stand for.
  private mutating func collections(of block: ParsedBlock) -> [String: [JSONValue]] {
    var result: [String: [JSONValue]] = [:]
    guard block.isRequest else { return result }
    for reference in block.references {
      guard case .path(let name, let rest) = reference.expression, Wildcard.isIn(rest),
        let values = matches(name, rest, at: block.absolute(reference.range))
      else { continue }
      result[name + rest] = values
    }
    return result
  }
}

extension ParsedBlock {
  /// Whether a reference may stand for the elements of a collection (PK-71).
  package var hasWildcards: Bool {
    references.contains {
      if case .path(_, let rest) = $0.expression { Wildcard.isIn(rest) } else { false }
    }
  }

  /// Whether it may be sent other than once; to know how often takes an evaluator.
  package var mayRepeat: Bool { loopTag != nil || hasWildcards }
}

/// Paths with more than one match.
package enum Wildcard {
  /// Whether a path may have more than one match.
  package static func isIn(_ path: String) -> Bool {
    // Asked of each reference of a file, most of which have no path.
    !path.isEmpty && (path.contains("[*]") || path.contains("..") || path.contains(".*"))
  }

  /// The variable that a path goes into: `users` in `users[*].id` and in `$.users..id`.
  static func variable(_ name: String, _ rest: String) -> String {
    name == "$" ? String(rest.drop { $0 == "." }.prefix { $0 != "." && $0 != "[" }) : name
  }
}

extension JSONValue {
  /// Whether the value counts as true; the texts `true` and `false` are read as what they say.
  var isTruthy: Bool {
    switch self {
    case .null: false
    case .bool(let flag): flag
    case .number(let digits): Double(digits) != 0
    case .string(let text): !text.isEmpty && text != "false"
    case .array, .object: true
    }
  }

  /// The elements of an array, or of a text that is one.
  fileprivate var arrayElements: [JSONValue]? {
    switch self {
    case .array(let elements): return elements
    case .string(let text):
      // A text that is no JSON is no array either.
      guard let tree = try? JSONTree(parsing: Array(text.utf8)), tree.root.kind == .array else {
        return nil
      }
      return tree.root.value.elements
    case .null, .bool, .number, .object: return nil
    }
  }
}
