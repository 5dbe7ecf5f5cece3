// Where a person works with PostKit, which decides the words in which remedies are given.

/// What a person has at hand to follow an advice: the one place that knows the words of each.
package enum Surface: Sendable, Hashable {
  /// An editor, which shows what the language server says.
  case editor
  /// The command line.
  case commandLine

  /// How many names a sentence lists.
  private static let listedNames = 5

  /// How answers are given to what a request asks for, after those that nobody gave. An editor that
  /// shows no field is told how a shell does it.
  package func giving(_ names: [String], wasDeclined: Bool) -> String {
    let (it, one) = names.count == 1 ? ("it", "one") : ("them", "some")
    let options = names.map { name in
      name.contains(" ") ? "--input '\(name)=VALUE'" : "--input \(name)=VALUE"
    }.joined(separator: " ")
    switch self {
    case .commandLine: return "Give \(it) with `\(options)`."
    case .editor where wasDeclined: return "You entered none. Send it again to enter \(one)."
    case .editor:
      return "This editor can't ask for \(it). Send it in a terminal: "
        + "`postkit run FILE \(options)`."
    }
  }

  /// How another place is named for what PostKit keeps.
  package var namingStore: String {
    switch self {
    case .editor: "in POSTKIT_HOME"
    case .commandLine: "with --store or POSTKIT_HOME"
    }
  }

  /// How a value is given without being written anywhere, as the end of a sentence.
  package func givingForOneRun(_ name: String) -> String {
    switch self {
    case .editor: ""
    case .commandLine: ", or give it for one run with `--var \(name)=VALUE`"
    }
  }

  /// What is said of names that environments define while none of these is selected, or another
  /// one: which environments they are, and how one is selected.
  package func choosing(
    _ environments: [String], for names: [String], selected: String?
  ) -> String {
    let name = names.first ?? ""
    let isOne = environments.count == 1
    let (subject, verb) =
      switch names.count {
      case 1: ("`\(name)`", "is")
      case 2: ("`\(name)` and 1 more name", "are")
      default: ("`\(name)` and \(names.count - 1) more names", "are")
      }
    let state =
      selected.map { "not in the selected environment `\($0)`" } ?? "no environment is selected"
    let choice =
      switch (self, selected) {
      case (.editor, nil): isOne ? "Choose it" : "Choose one"
      case (.editor, _): "Choose another"
      case (.commandLine, _):
        "Choose \(isOne ? "it" : "one") with `-e \(environments.first ?? "NAME")`"
      }
    return "\(subject) \(verb) defined in \(Surface.list(environments)), but \(state). "
      + "\(choice), or add `@\(name) = …`."
  }

  /// The first of some names, and how many more there are.
  private static func list(_ names: [String]) -> String {
    let more = names.count - Surface.listedNames
    let first = names.prefix(Surface.listedNames).map { "`\($0)`" }
    let all = more > 0 ? first + ["\(more) more"] : first
    return all.listed("and")
  }

  /// What is said of a request whose response is read and isn't there, apart from a run.
  package func needing(_ request: String, isSentFirst: Bool) -> String {
    switch self {
    case .editor:
      "Request `\(request)` has no response yet. Send `\(request)` first."
    case .commandLine where isSentFirst:
      "This reads the response of `\(request)`, so `postkit run` sends `\(request)` first."
    case .commandLine:
      "This reads the response of `\(request)`. Send `\(request)` before it in the same run, "
        + "such as with `postkit run --all`."
    }
  }
}
