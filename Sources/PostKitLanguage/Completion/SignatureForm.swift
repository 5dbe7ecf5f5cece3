// How a dynamic variable or a metadata tag is written, read from the words that describe it.

import PostKitEvaluate
import PostKitSyntax

/// A name with its parameters, as `$randomInt [min max]` says it.
struct SignatureForm: Sendable, Hashable {
  /// What is put in.
  struct Parameter: Sendable, Hashable {
    /// A part of the label.
    var text: String
    /// Whether it may be left out.
    var isOptional: Bool

    /// What stands in its place until something else does: of alternatives the first.
    var example: String {
      let first = text.split(separator: "|").first.map(String.init) ?? text
      return first.filter { $0 != "\"" }
    }
  }

  /// All of it, as it is shown.
  let label: String
  /// What is written before the parameters.
  let name: String
  let parameters: [Parameter]
  /// Whether they stand in parentheses.
  let isCall: Bool

  /// The form of a dynamic variable.
  init(_ variable: DynamicVariable) {
    self.init(label: variable.signature, name: "$" + variable.name)
  }

  /// The forms of a metadata tag, of which ` | ` parts the arguments.
  static func forms(of tag: MetadataEntry) -> [SignatureForm] {
    var forms: [SignatureForm] = []
    var words: [Substring] = []
    for word in tag.form.words.split(separator: " ") + [Substring("|")] {
      guard word == "|" else {
        words.append(word)
        continue
      }
      let usage = "@" + ([tag.key] + words.map { String($0) }).joined(separator: " ")
      forms.append(SignatureForm(label: usage, name: "@" + tag.key))
      words = []
    }
    return forms
  }

  private init(label: String, name: String) {
    self.label = label
    self.name = name
    var rest = label.dropFirst(name.count)
    // `$xpath[:name] expression`: the first of them belongs to the name.
    if rest.hasPrefix("[:") { rest = rest.drop { $0 != " " } }
    isCall = rest.hasPrefix("(")
    var parameters: [Parameter] = []
    var depth = 0
    var word = ""
    func end() {
      if !word.isEmpty { parameters.append(Parameter(text: word, isOptional: depth > 0)) }
      word = ""
    }
    for character in rest {
      switch character {
      case "[":
        end()
        depth += 1
      case "]":
        end()
        depth -= 1
      case " ", ",", "(", ")": end()
      default: word.append(character)
      }
    }
    end()
    self.parameters = parameters
  }

  /// Whether it means nothing without arguments.
  var needsArguments: Bool { parameters.contains { !$0.isOptional } }

  /// The name and what it needs as places to fill in; `nil` where that is nothing.
  var snippet: String? {
    guard needsArguments else { return nil }
    if parameters.allSatisfy({ !$0.isOptional }) { return wholeSnippet }
    let places = parameters.filter { !$0.isOptional }.enumerated().map {
      Snippet.place($0 + 1, $1.example)
    }
    let text = Snippet.literal(name)
    return isCall
      ? "\(text)(\(places.joined(separator: ", ")))" : ([text] + places).joined(separator: " ")
  }

  /// The label with places instead of its parameters; words such as `$value:` stay.
  private var wholeSnippet: String {
    var result = Snippet.literal(name)
    var rest = label.dropFirst(name.count)
    if rest.hasPrefix("[:") { rest = rest.drop { $0 != " " } }
    var number = 0
    for parameter in parameters {
      guard let range = rest.firstRange(of: parameter.text) else { continue }
      result += Snippet.literal(String(rest[..<range.lowerBound]))
      if parameter.text.hasPrefix("$") {
        result += Snippet.literal(parameter.text)
      } else {
        number += 1
        result += Snippet.place(number, parameter.example)
      }
      rest = rest[range.upperBound...]
    }
    return result + Snippet.literal(String(rest))
  }
}
