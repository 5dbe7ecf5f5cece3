// The command line as values (CONTRACTS.md, section 1).

/// An option that a subcommand knows.
struct Option {
  let names: [String]
  /// What stands for the value in the usage line; `nil` for a switch.
  let value: String?
  /// What it does; made where it is shown alone.
  let help: @Sendable () -> String
  let isRepeatable: Bool

  init(
    names: [String], value: String?, help: @autoclosure @escaping @Sendable () -> String,
    isRepeatable: Bool = false
  ) {
    self.names = names
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
  }
}

/// The words of a command line, sorted.
struct Arguments {
  private(set) var positional: [String] = []
  private var values: [String: [String]] = [:]

  /// A command line that can't be understood; the text says why.
  struct Problem: Error { let message: String }

  /// Sorts words by the options that a subcommand knows. After `--` everything is positional.
  init(_ words: [String], options: [Option]) throws(Problem) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        positional.append(word)
        continue
      }
      if word == "--" {
        positional += rest
        break
      }
      let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let inlineValue = word.hasPrefix("--") && halves.count > 1 ? String(halves[1]) : nil
      let name = inlineValue == nil ? word : String(halves[0])
      guard let option = options.first(where: { $0.names.contains(name) }) else {
        throw Problem(message: "unknown option `\(name)`")
      }
      let key = option.names[0]
      if option.value == nil {
        guard inlineValue == nil else { throw Problem(message: "`\(name)` takes no value") }
        values[key] = []
        continue
      }
      guard let value = inlineValue ?? rest.popFirst() else {
        throw Problem(message: "`\(name)` needs a value, \(option.value ?? "")")
      }
      if values[key] != nil, !option.isRepeatable {
        throw Problem(message: "`\(name)` is given twice")
      }
      values[key, default: []].append(value)
    }
  }

  /// Gives an option a value, as if it were written.
  mutating func choose(_ name: String, _ value: String) { values[name] = [value] }

  /// Whether an option, named by its first name, was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of an option that is given at most once.
  func value(_ name: String) -> String? { values[name]?.last }

  /// All values of a repeatable option.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The environment that `--env` chooses; given more than once, the later ones win.
  var environment: String? {
    let names = all("--env")
    return names.isEmpty ? nil : names.joined(separator: ",")
  }

  /// The `KEY=VALUE` pairs of a repeatable option.
  func pairs(_ name: String) throws(Problem) -> [String: String] {
    var result: [String: String] = [:]
    for text in all(name) {
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
        throw Problem(message: "`\(name) \(text)`: write KEY=VALUE")
      }
      result[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    return result
  }

  /// Refuses operands; for commands that take none.
  func refuseOperands() throws(Problem) {
    if let word = positional.first { throw Problem(message: "unexpected argument `\(word)`") }
  }

  /// Refuses the options that a form of a subcommand does not have; `--store` goes with all.
  func allow(_ names: Set<String>, in form: String) throws(Problem) {
    let others = values.keys.filter { !names.contains($0) && $0 != "--store" }
    if let name = others.min() { throw Problem(message: "`\(form)` has no option `\(name)`") }
  }

  /// A number of at least `minimum`.
  func integer(_ name: String, minimum: Int) throws(Problem) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), number >= minimum else {
      throw Problem(message: "`\(name) \(text)`: write a whole number of at least \(minimum)")
    }
    return number
  }
}
