// What a chain of names means by the table of what scripts can name.

import PostKitSyntax

/// What is known of a value.
enum ScriptMeaning: Sendable, Hashable {
  /// A name of the table.
  case entry(ScriptEntry)
  /// A value of a type of the table.
  case type(String)
  /// A name that such an object lacks: the object and the number of the token.
  case missing(of: ScriptEntry, token: Int)
  /// Anything.
  case unknown
}

extension ScriptAPI {
  /// The members of what a chain's object is.
  static func members(of meaning: ScriptMeaning) -> [ScriptEntry] {
    switch meaning {
    case .entry(let entry): members(of: entry)
    case .type(let name): membersOfTypes[name] ?? []
    case .missing, .unknown: []
    }
  }

  /// The member of what a chain's object is that has a name.
  static func member(_ name: String, of meaning: ScriptMeaning) -> ScriptEntry? {
    switch meaning {
    case .entry(let entry): member(name, of: entry)
    case .type(let type): membersOfTypes[type]?.first { $0.name == name }
    case .missing, .unknown: nil
    }
  }

  private static let membersOfTypes: [String: [ScriptEntry]] = Dictionary(
    grouping: entries.filter { entry in
      !entry.path.hasSuffix(".()") && types.contains { entry.path.hasPrefix($0 + ".") }
    }, by: { String($0.path.prefix { $0 != "." }) })

  /// What a call of something returns.
  static func result(of meaning: ScriptMeaning) -> ScriptMeaning {
    guard case .entry(let entry) = meaning else { return .unknown }
    let called = entry.type.flatMap { byPath[$0 + ".()"] } ?? entry
    guard var name = called.signatures.first?.returns[...] else { return .unknown }
    for nothing in [" | null", " | undefined"] where name.hasSuffix(nothing) {
      name = name.dropLast(nothing.count)
    }
    // What can be chained answers itself.
    if name == "this" { name = called.path.prefix { $0 != "." } }
    return types.contains(String(name)) ? .type(String(name)) : .unknown
  }
}

/// What chains mean that are written again and again, as `client.log(…)` is.
struct ScriptMeanings {
  private var known: [Int: (chain: ScriptChain, meanings: [ScriptMeaning])] = [:]

  /// What each beginning of a chain means, as `ScriptReading.meanings` says.
  mutating func of(_ chain: ScriptChain, _ reading: ScriptReading) -> [ScriptMeaning] {
    let key = reading.number(of: chain)
    if let found = known[key], reading.isSame(chain, found.chain) { return found.meanings }
    let meanings = reading.meanings(of: chain)
    // A name that is missing is shown where it stands.
    if case .missing = meanings.last { return meanings }
    known[key] = (chain, meanings)
    return meanings
  }
}

extension ScriptReading {
  /// A number that chains with other names and brackets hardly have.
  fileprivate func number(of chain: ScriptChain) -> Int {
    chain.steps.reduce(0) { number, step in
      let next = switch step {
      case .member(let token): Int(tokens[token].number)
      case .call: 1
      case .element: 2
      }
      return number &* 31 &+ next
    }
  }

  /// Whether two chains have the same names, and brackets of the same kinds.
  fileprivate func isSame(_ left: ScriptChain, _ right: ScriptChain) -> Bool {
    left.steps.count == right.steps.count
      && zip(left.steps, right.steps).allSatisfy { left, right in
        switch (left, right) {
        case (.member(let one), .member(let other)):
          tokens.slice(tokens[one].range).elementsEqual(tokens.slice(tokens[other].range))
        case (.call, .call), (.element, .element): true
        default: false
        }
      }
  }

  /// What a chain means, as far as its first `count` steps go.
  func meaning(of chain: ScriptChain, steps count: Int? = nil) -> ScriptMeaning {
    meanings(of: chain, steps: count ?? chain.steps.count).last ?? .unknown
  }

  /// What each beginning of a chain means, the shortest first; nothing is said behind one that may
  /// be anything or that lacks its last name.
  func meanings(of chain: ScriptChain, steps count: Int? = nil) -> [ScriptMeaning] {
    guard let first = tokens.word(chain.first), let root = ScriptAPI.global(first) else {
      return []
    }
    var result = [ScriptMeaning.entry(root)]
    for step in chain.steps.prefix(count ?? chain.steps.count).dropFirst() {
      switch (step, result[result.count - 1]) {
      case (_, .unknown), (_, .missing): return result
      case (.element, _): result.append(.unknown)
      case (.call, let known): result.append(ScriptAPI.result(of: known))
      case (.member(let token), let known):
        if let found = ScriptAPI.member(tokens.text(token), of: known) {
          result.append(.entry(found))
        } else if case .entry(let owner) = known, owner.isClosed {
          result.append(.missing(of: owner, token: token))
        } else {
          result.append(.unknown)
        }
      }
    }
    return result
  }

  /// The entry of a name in a chain; `nil` where the table has none, or where the script declares
  /// the first name itself.
  func entry(naming token: Int) -> ScriptEntry? {
    guard let chain = chain(naming: token), let step = chain.steps.firstIndex(of: .member(token)),
      declaration(of: chain.first) == nil,
      case .entry(let entry) = meaning(of: chain, steps: step + 1)
    else { return nil }
    return entry
  }

  /// The names that lead to one of a chain, with dots between them; `nil` where there are calls
  /// among them.
  func path(upTo token: Int) -> String? {
    guard let chain = chain(naming: token), let step = chain.steps.firstIndex(of: .member(token))
    else { return nil }
    let path = path(of: ScriptChain(steps: Array(chain.steps[...step]), danglingDot: nil))
    return path.isEmpty ? nil : path
  }

  /// What a chain is called as the table writes it, such as `client.global.get`; empty where there
  /// is more in it than names.
  func path(of chain: ScriptChain) -> String {
    var names: [String] = []
    for step in chain.steps {
      guard case .member(let token) = step else { return "" }
      names.append(tokens.text(token))
    }
    return names.joined(separator: ".")
  }
}

extension ScriptEntry {
  /// Whether all its members stand in the table: others are `undefined`.
  var isClosed: Bool {
    // `$random` has the whole vocabulary of dynamic variables, `request` the members that httpYac's
    // own scripts give it.
    if path == "$random" || path == "module" || path.hasPrefix("http") { return false }
    if type.map({ !ScriptAPI.types.contains($0) }) ?? false { return false }
    return kind == .object || type.map { $0.hasSuffix("Variables") } ?? false
  }
}
