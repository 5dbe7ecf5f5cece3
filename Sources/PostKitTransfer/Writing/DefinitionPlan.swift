// Which variables a file and its requests define, and under which names (IO-14, 2.6).
//
// A request sees the nearest definition above it, else the last one below (PK-34). So a name that
// two requests mean differently, or that one defines and another has from an environment, is given
// to one of them alone.

import PostKitHTTP

/// The names and definitions of a request.
struct RequestNames {
  /// Names that are others in its texts, by those of the origin.
  var all: [String: String] = [:]
  /// The same for its URL, where the variables of the path come in.
  var url: [String: String] = [:]
  /// Its own definitions, as lines.
  var definitions: [String] = []
}

/// A request with the folder that it is in and its title in the file. It is an object because a
/// copy of a request costs as much as writing it.
final class PlannedRequest {
  var request: OriginRequest
  let frame: FolderFrame
  /// Comments of its folders that stand at its head.
  let comments: [String]
  var title = ""

  /// Plans a request of a folder.
  init(_ request: OriginRequest, in frame: FolderFrame, comments: [String] = []) {
    self.request = request
    self.frame = frame
    self.comments = comments
  }
}

/// The definitions of a file.
struct DefinitionPlan {
  /// The lines at the head of the file.
  private(set) var head: [String] = []
  /// For each request in order.
  private(set) var names: [RequestNames]

  private let variables: WrittenVariables
  private let requests: [PlannedRequest]
  private var uses: [Set<String>] = []
  private var taken: Set<String> = []

  /// A definition that a request or folders make, with all the requests for which it holds.
  private struct Claim {
    var value: String
    /// The folder that it is from; `nil` for one of a request.
    var frame: FolderFrame?
    /// Whether it holds for later requests too.
    var isForLater: Bool
    var requests: [Int]
  }

  /// A definition as it holds for a request.
  private struct Definition {
    var name: String
    var value: String
    var frame: FolderFrame?
    var isForLater = false
  }

  /// Plans a file.
  init(_ requests: [PlannedRequest], _ variables: WrittenVariables) {
    self.requests = requests
    self.variables = variables
    let common = RequestNames(all: variables.renamed, url: variables.renamed)
    names = Array(repeating: common, count: requests.count)
    let hasDefinitions = requests.contains {
      !$0.request.pathVariables.isEmpty || !$0.request.variables.isEmpty
        || $0.frame.chain.contains { !$0.folder.variables.isEmpty }
    }
    guard hasDefinitions else { return }
    uses = requests.map(\.usedNames)
    taken = uses.reduce(into: []) { $0.formUnion($1) }
    for planned in requests {
      taken.formUnion(planned.request.pathVariables.map(\.name))
    }
    let general = planGeneral()
    planPaths(general)
  }

  // MARK: - Variables of folders and requests

  /// Plans them; the result is the names that they and requests without one of them use.
  private mutating func planGeneral() -> Set<String> {
    var order: [String] = []
    var claims: [String: [Claim]] = [:]
    for index in requests.indices {
      for found in definitions(for: index) {
        if claims[found.name] == nil { order.append(found.name) }
        var known = claims[found.name] ?? []
        let same = known.firstIndex {
          $0.value == found.value && $0.frame === found.frame
            && (found.frame != nil || $0.isForLater && found.isForLater)
        }
        if let same {
          known[same].requests.append(index)
        } else {
          known.append(
            Claim(
              value: found.value, frame: found.frame, isForLater: found.isForLater,
              requests: [index]))
        }
        claims[found.name] = known
      }
    }
    for name in order { place(name, claims[name] ?? []) }
    return uses.reduce(into: Set(order)) { $0.formUnion($1) }
  }

  /// The definitions that hold for a request: its own, and those of its folders that it uses or
  /// that lie directly around it. Those that can't stand in a file become variables of all
  /// environments.
  private mutating func definitions(for index: Int) -> [Definition] {
    let planned = requests[index]
    var found: [Definition] = []
    var seen: Set<String> = []
    for variable in planned.request.variables.reversed() {
      guard variable.isOn, !variable.name.isEmpty, seen.insert(variable.name).inserted else {
        continue
      }
      let word = Self.word(planned.title)
      if let known = variables.lasting[variable] {
        rename(variable.name, to: known, in: index)
      } else if let new = moved(variable, word, planned.frame.origin(of: planned.request)) {
        if variable.isForLater { variables.lasting[variable] = new }
        rename(variable.name, to: new, in: index)
      } else {
        found.append(
          Definition(
            name: variable.name, value: variable.value?.text ?? "",
            isForLater: variable.isForLater))
      }
    }
    found.reverse()
    for frame in planned.frame.chain.reversed() {
      for variable in frame.folder.variables.reversed() where variable.isOn {
        let isWanted = frame === planned.frame || uses[index].contains(variable.name)
        guard !variable.name.isEmpty, isWanted, seen.insert(variable.name).inserted else {
          continue
        }
        if let known = frame.moved[variable.name] {
          rename(variable.name, to: known, in: index)
        } else if let new = moved(variable, Self.word(frame.folder.name), frame.path) {
          frame.moved[variable.name] = new
          rename(variable.name, to: new, in: index)
        } else {
          found.append(
            Definition(name: variable.name, value: variable.value?.text ?? "", frame: frame))
        }
      }
    }
    return found
  }

  /// The name that a variable has in the environments, if it can't stand in a file: because it is
  /// a secret, or because no line can hold its value.
  private func moved(_ variable: OriginVariable, _ word: String, _ origin: String) -> String? {
    let text = variable.value?.text ?? ""
    let isSecret = Self.isSecret(variable)
    let isStructure = if case .json(let json)? = variable.value {
      json.text.utf8.first == UInt8(ascii: "{") || json.text.utf8.first == UInt8(ascii: "[")
    } else {
      false
    }
    guard isSecret || isStructure || Self.line("x", text) == nil else { return nil }
    let plain = variables.name(variable.name)
    let name = variables.isFreeInEnvironments(plain)
      ? plain : variables.unused("\(word)_\(plain)", separator: "_")
    variables.addShared(name, variable.value, isSecret: isSecret)
    if isSecret {
      variables.tellSecret(name, isEmpty: text.isEmpty, at: variable.place, origin: origin)
    }
    return name
  }

  /// Whether a value must not stand in a file. What is read from elsewhere is a secret there.
  private static func isSecret(_ variable: OriginVariable) -> Bool {
    let text = variable.value?.text ?? ""
    return variable.isSecret || variable.value == nil || variable.holdsSecret
      || WrittenVariables.isSecretName(variable.name)
        && (text.isEmpty || Credential.isLiteral(text))
  }

  private mutating func rename(_ name: String, to new: String, in index: Int) {
    uses[index].remove(name)
    guard name != new else { return }
    names[index].all[name] = new
    names[index].url[name] = new
  }

  /// Gives a name to the definition that may have it, and others to the rest.
  private mutating func place(_ name: String, _ claims: [Claim]) {
    let defined = Set(claims.flatMap(\.requests))
    let isOpen = requests.indices.contains {
      uses[$0].contains(name) && !defined.contains($0)
    }
    // What a folder defines is for the most requests.
    let keeper = isOpen ? nil : claims.first { $0.frame != nil } ?? claims.first
    // The nearest definition above counts, so that each may hold until the next.
    let areInTurn = !isOpen && Self.areInTurn(claims)
    let plain = variables.name(name)
    for claim in claims {
      var new = plain
      if areInTurn {
        new = plain
      } else if let keeper, keeper.value == claim.value {
        new = plain
      } else {
        let word = claim.frame.map { Self.word($0.folder.name) }
          ?? Self.word(requests[claim.requests[0]].title)
        new = unused("\(word)_\(plain)")
      }
      for index in claim.requests where new != name {
        names[index].all[name] = new
        names[index].url[name] = new
      }
      let renamed = names[claim.requests[0]].all
      let value = TemplateNames.renaming(claim.value, renamed)
      guard let line = Self.line(new, value) else { continue }
      if claim.frame == nil {
        names[claim.requests[0]].definitions.append(line)
      } else if !head.contains(line) {
        head.append(line)
      }
    }
  }

  /// Whether each of several definitions holds from its request up to that of the next.
  private static func areInTurn(_ claims: [Claim]) -> Bool {
    zip(claims, claims.dropFirst()).allSatisfy { claim, next in
      (claim.requests.last ?? 0) < next.requests[0]
    } && claims.allSatisfy(\.isForLater)
  }

  // MARK: - Variables of paths

  private mutating func planPaths(_ general: Set<String>) {
    var values: [String: [String: String]] = [:]
    for (index, planned) in requests.enumerated() {
      for variable in planned.request.pathVariables where variable.isOn {
        let (name, value) = (variable.name, variable.value?.text ?? "")
        if name.isEmpty { continue }
        let plain = WrittenVariables.plainName(name)
        var new: String
        if let known = values[name]?[value] {
          new = known
        } else {
          let isFree = values[name] == nil && !general.contains(name)
            && !(name != plain && taken.contains(plain)) && !variables.isUsedInEnvironments(plain)
          new = isFree ? plain : unused("\(Self.word(planned.title))_\(plain)")
          let text = TemplateNames.renaming(value, names[index].all)
          let isSecret = variables.hasSamples ? variable.isSecret : Self.isSecret(variable)
          if !isSecret, let line = Self.line(new, text) {
            head.append(line)
          } else {
            new = variables.unused(new, separator: "_")
            variables.addShared(new, .text(text), isSecret: isSecret)
            if isSecret {
              variables.tellSecret(
                new, isEmpty: value.isEmpty, at: variable.place,
                origin: planned.frame.origin(of: planned.request))
            }
          }
          values[name, default: [:]][value] = new
        }
        if new == name { names[index].url[name] = nil } else { names[index].url[name] = new }
      }
    }
  }

  // MARK: - Texts

  /// A name that nothing of the file has.
  private mutating func unused(_ name: String) -> String {
    var (candidate, number) = (name, 2)
    while !taken.insert(candidate).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }

  /// A title as a part of a name: small letters, digits and `_`.
  static func word(_ title: String) -> String {
    let gap = UInt8(ascii: "_")
    var word: [UInt8] = []
    for byte in title.utf8 where word.count < 40 {
      switch byte {
      case 48...57, 97...122: word.append(byte)
      case 65...90: word.append(byte | 0x20)
      default: if let last = word.last, last != gap { word.append(gap) }
      }
    }
    if word.last == gap { word.removeLast() }
    return word.isEmpty ? "request" : String(decoding: word, as: UTF8.self)
  }

  /// The line of a definition; `nil` where no line holds the value (PK-33).
  static func line(_ name: String, _ value: String) -> String? {
    if value.isEmpty { return "@\(name) =" }
    let isPlain = value.withBytes { $0.isOnePlainLine && $0.place(of: UInt8(ascii: "\\")) == nil }
    if isPlain { return LineText.trimmed(value) == value ? "@\(name) = \(value)" : nil }
    let bytes = Array(value.utf8)
    guard bytes.first != 32, bytes.last != 32, !value.hasEscapedBraces, !bytes.contains(0) else {
      return nil
    }
    let isPath = bytes.count > 2 && bytes[1] == UInt8(ascii: ":") && bytes[2] == UInt8(ascii: "\\")
      || value.hasPrefix("\\\\")
    if isPath { return nil }
    let escaped = value.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
      .replacing("\r", with: "\\r").replacing("\t", with: "\\t")
    return LineText.oneLine(escaped) == escaped ? "@\(name) = \(escaped)" : nil
  }
}
