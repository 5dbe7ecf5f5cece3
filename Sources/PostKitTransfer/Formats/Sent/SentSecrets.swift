// Secrets of requests as they were sent, moved to variables of the private file (IO-16).

/// Names the secret values of an import: one variable for each different value, in the order of
/// first use.
struct SentSecrets {
  /// The variables, in the order of first use.
  private(set) var variables: [OriginVariable] = []
  /// The variable of each value, by the word that its name is made of.
  private var names: [String: [String: String]] = [:]
  private var taken: Set<String>

  /// Makes a table; `taken` are names that other variables of the import have.
  init(taken: Set<String> = []) { self.taken = taken }

  /// The name of the variable that holds a value, made of a word such as that of a cookie.
  mutating func name(for value: String, like word: String, at place: OriginPlace) -> String {
    if let name = names[word]?[value] { return name }
    let stem = Self.stem(of: word)
    var name = stem
    var number = 2
    while taken.contains(name) {
      name = "\(stem)\(number)"
      number += 1
    }
    taken.insert(name)
    names[word, default: [:]][value] = name
    variables.append(
      OriginVariable(
        name: name, value: .text(value), isSecret: true, isNamedHere: true, place: place))
    return name
  }

  /// A word with only what every dialect takes in a name.
  private static func stem(of word: String) -> String {
    var stem = ""
    for scalar in word.unicodeScalars.prefix(64) {
      switch scalar {
      case "A"..."Z", "a"..."z", "0"..."9", "_": stem.unicodeScalars.append(scalar)
      default: stem += "_"
      }
    }
    guard let first = stem.unicodeScalars.first else { return "secret" }
    return ("0"..."9").contains(first) ? "_" + stem : stem
  }
}
