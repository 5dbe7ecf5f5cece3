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
    case .editor where wasDeclined: return "You gave none. Send it again to enter \(one)."
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

  /// How one of the environments is chosen in which a name has a value.
  package func choosing(_ environments: [String], for name: String) -> String {
    let more = environments.count - Surface.listedNames
    let list = environments.prefix(Surface.listedNames).map { "`\($0)`" }
    let others = more > 0 ? list + ["\(more) more"] : list
    let joined = others.dropLast().joined(separator: ", ")
      + (others.count > 1 ? " and " : "") + (others.last ?? "")
    let isOne = environments.count == 1
    let place = "It has a value in the environment\(isOne ? "" : "s") \(joined)"
    let choice =
      switch self {
      case .editor: isOne ? "choose that environment" : "choose one of them"
      case .commandLine: "choose \(isOne ? "it" : "one") with `-e \(environments.first ?? "NAME")`"
      }
    return "\(place): \(choice), or define `@\(name) = value`."
  }

  /// What is said of a request whose response is read and isn't there, apart from a run.
  package func needing(_ request: String, isSentFirst: Bool) -> String {
    switch self {
    case .editor:
      "The request `\(request)` has not been sent yet, so there is no response to read. "
        + "Send `\(request)` first."
    case .commandLine where isSentFirst:
      "The response of `\(request)` is read here, so `postkit run` sends `\(request)` first."
    case .commandLine:
      "The response of `\(request)` is read here. Send `\(request)` before it in the same run, "
        + "such as with `postkit run --all`."
    }
  }
}
