// References whose values come from outside: `$input`, `$prompt`, `$password`, `$pick` ask the user
// (PK-54).

import PostKitJSON
package import PostKitSyntax

/// A question that a reference asks.
struct InputReference: Sendable, Hashable {
  /// What stands before `-askonce`.
  let kind: String
  /// The question, which is the answer's name, too (PK-111).
  let label: String
  /// The text after `$value:`; `nil` where there is none.
  let value: String?
  /// Whether the answer lasts for the session (`-askonce`).
  let asksOnce: Bool

  private static let ending = "-askonce"

  /// Reads a dynamic variable; `nil` for one that asks nothing.
  init?(name: String, arguments: String) {
    asksOnce = name.hasSuffix(InputReference.ending)
    kind = asksOnce ? String(name.dropLast(InputReference.ending.count)) : name
    guard DynamicVariables.inputs.contains(where: { [kind] in $0.name == kind }) else { return nil }
    let marker = "$value:"
    if let place = arguments.firstRange(of: marker) {
      label = arguments[..<place.lowerBound].description.trimmingBlanks
      value = arguments[place.upperBound...].description.trimmingBlanks
    } else {
      label = arguments.trimmingBlanks
      value = nil
    }
  }

  /// The words of a list: `a, b, c` or `["a", "b", "c"]`.
  var words: [String] {
    guard let value else { return [] }
    if value.hasPrefix("["), let tree = try? JSONTree(parsing: Array(value.utf8)) {
      // What is no JSON is a list of words with commas between.
      return InputReference.words(of: tree.root.value) ?? []
    }
    return value.split(separator: ",").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
  }

  /// The texts of an array's elements; `nil` for another value.
  static func words(of value: JSONValue) -> [String]? {
    if case .array(let elements) = value { elements.map(\.substitutionText) } else { nil }
  }
}

extension String {
  fileprivate func firstRange(of text: String) -> Range<String.Index>? {
    guard let first = text.first else { return nil }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      if rest[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      rest = rest[index(after: start)...]
    }
    return nil
  }
}

extension DynamicVariables {
  /// Whether a name without `$` and `-askonce` is that of one which asks the user.
  package static func asksUser(_ name: String) -> Bool { inputs.contains { $0.name == name } }

  /// Those that ask the user; each may end in `-askonce`.
  static let inputs: [DynamicVariable] = [
    input("input", "[$value: DEFAULT]", "PostKit asks for this value when it sends the request."),
    input("prompt", "[$value: DEFAULT]", "PostKit asks for this value when it sends the request."),
    input(
      "password", "[$value: DEFAULT]",
      "PostKit asks for this value when it sends the request, and never shows it."),
    input(
      "pick", "$value: A, B, C", "PostKit asks for one of these values when it sends the request."),
  ]

  private static func input(_ name: String, _ rest: String, _ summary: String) -> DynamicVariable {
    let more = "With `-askonce` after the name it asks once a session."
    return DynamicVariable(
      name: name, signature: "$\(name) LABEL \(rest)", summary: "\(summary) \(more)"
    ) { _, _, _ in nil }
  }
}

extension Evaluator {
  /// The answer to a question. One that nobody has given yet is noted, to be asked for.
  mutating func resolve(
    _ input: InputReference, at range: Range<Int>, place: TemplatePlace, offset: Int
  ) -> Resolution {
    let signature = DynamicVariables.named(input.kind)?.signature ?? ""
    let wrong = Resolution.unresolved(.dynamicArguments(name: input.kind, expected: signature))
    guard !input.label.isEmpty else { return wrong }
    var prompt = Prompt(name: input.label, label: input.label, isSecret: input.kind == "password")
    prompt.asksOnce = input.asksOnce
    if input.kind == "pick" {
      prompt.options = input.words
      if let list = input.value, let known = definition(list, at: offset),
        let words = InputReference.words(of: known.value)
      {
        prompt.options = words
      }
      guard !prompt.options.isEmpty else { return wrong }
    } else {
      prompt.proposal = input.value
    }
    if input.asksOnce, let known = definition(input.label, at: offset) {
      return use(known, at: range, place: place, offset: offset)
    }
    names.insert(input.label)
    if let answer = scope.answers.prompts[input.label] {
      return .value(.string(shown(answer, isSecret: prompt.isSecret)))
    }
    note(.prompt(prompt))
    if scope.assumesAnswers { return .value(.string(input.label)) }
    return .unresolved(.inputMissing([input.label]))
  }

  /// `$dotenv X` falls back to the variable X (PK-52).
  mutating func missingDotEnv(_ name: String, _ range: Range<Int>, _ offset: Int) -> Resolution {
    guard let definition = definition(name, at: offset) else {
      return .unresolved(.unresolvedVariable(name: "$dotenv \(name)", suggestion: nil))
    }
    return use(definition, at: range, place: .header, offset: offset)
  }
}

extension Scope {
  /// Whether a request asks for values before it is sent, by tags of its own or of shared blocks
  /// (PK-54).
  package func asksForValues(_ block: ParsedBlock) -> Bool {
    block.has(Scope.asking) || sharedBlocks(for: block).contains { $0.has(Scope.asking) }
  }

  private static let asking: [MetadataTag?] = [.prompt, .secret, .kulalaPrompt]
}

extension ParsedBlock {
  /// Whether it asks whether to be sent at all (`@note`).
  package var asksForConsent: Bool { has([.note]) }

  fileprivate func has(_ tags: [MetadataTag?]) -> Bool {
    metadata.contains { $0.region != .body && tags.contains($0.kind) }
  }
}
