// Environments of Insomnia: a base, and others that inherit it.

import PostKitJSON

/// An environment as a file has it.
struct InsomniaEnvironment {
  var item: InsomniaItem
  /// Its values, in their order.
  var data: JSONView?
  /// Whether everything in it is a secret.
  var isSecret = false
  /// The names that the origin marks as secrets, and rows that are switched off.
  var secretNames: Set<String> = []
  var switchedOff: [OriginVariable] = []
}

extension InsomniaReader {
  /// The member of an environment that holds what Insomnia has encrypted.
  private static let vault = "__insomnia_vault"

  /// Reads the members of an environment.
  func environment(_ item: InsomniaItem) -> InsomniaEnvironment {
    let object = item.object
    var result = InsomniaEnvironment(item: item, isSecret: item.isPrivate)
    for (view, place) in object.array("kvPairData") {
      guard let row = OriginObject(view, at: place, notes: notes) else { continue }
      let name = row.text("name") ?? ""
      let isSecret = row.text("type") == "secret"
      if isSecret { result.secretNames.insert(name) }
      if row.bool("enabled") == false, !name.isEmpty {
        result.switchedOff.append(
          OriginVariable(name: name, value: .text(""), isOn: false, place: place))
      }
      row.ignore("id", "value")
      row.finish()
    }
    if let data = object.peek("data"), data.kind == .object {
      result.data = data
      object.ignore("data")
    }
    object.ignore("dataPropertyOrder", "color", "environmentType")
    object.finish()
    return result
  }

  /// The variables of an environment. What it overwrites of a base is merged with it, member by
  /// member, and may name what it overwrites, as in Insomnia.
  func variables(
    _ environment: InsomniaEnvironment, over base: InsomniaEnvironment? = nil
  ) -> [OriginVariable] {
    guard let data = environment.data else { return environment.switchedOff }
    let place = environment.item.object.place.member("data")
    let known = base?.data.map { variables(in: $0, at: place, isSecret: false) } ?? []
    var result: [OriginVariable] = []
    for var variable in variables(in: data, at: place, isSecret: environment.isSecret) {
      if let old = known.last(where: { $0.name == variable.name })?.value {
        variable.value = variable.value.map { Self.merged($0, over: old, variable.name) }
      }
      if environment.secretNames.contains(variable.name) { variable.isSecret = true }
      result.append(variable)
    }
    return result + environment.switchedOff
  }

  /// The members of an object as variables.
  func variables(
    in object: JSONView, at place: OriginPlace, isSecret: Bool
  ) -> [OriginVariable] {
    let use = InsomniaUse(nil)
    var result: [OriginVariable] = []
    for (key, view) in object.members {
      let name = key.string ?? ""
      let place = place.member(name)
      guard name != Self.vault else {
        // What the vault holds is encrypted or left out in exports: only the names are of use.
        for member in view.members { useVault(member.key.string ?? "", at: place) }
        continue
      }
      let isMarked = view["__isSecret"]?.bool ?? false
      result.append(
        OriginVariable(
          name: name, value: value(view, at: place, use), isSecret: isSecret || isMarked,
          place: place))
    }
    return result
  }

  /// A value of a name as it holds over an older one: objects are merged member by member.
  static func merged(
    _ value: OriginValue, over old: OriginValue, _ name: String
  ) -> OriginValue {
    switch (value, old) {
    case (.text(let text), _):
      // A value that names itself means the one it overwrites.
      let own = "{{\(name)}}"
      return text.contains(own) ? .text(text.replacing(own, with: old.text)) : value
    case (.json(let new), .json(let base)):
      // Both are JSON that was written by ourselves.
      guard let new = try? JSONTree(parsing: Array(new.text.utf8)).root.value,
        let base = try? JSONTree(parsing: Array(base.text.utf8)).root.value,
        case .object = new, case .object = base
      else { return value }
      return .json(OriginJSON(text: merged(new, over: base).text))
    default: return value
    }
  }

  private static func merged(_ value: JSONValue, over old: JSONValue) -> JSONValue {
    guard case .object(let members) = value, case .object(var result) = old else { return value }
    for member in members {
      if let index = result.firstIndex(where: { $0.key == member.key }) {
        result[index].value = merged(member.value, over: result[index].value)
      } else {
        result.append(member)
      }
    }
    return .object(result)
  }

  /// Adds a base environment and those that inherit it.
  func add(
    _ base: InsomniaEnvironment?, _ others: [InsomniaEnvironment],
    to collection: inout OriginCollection
  ) {
    if let base { collection.shared += variables(base) }
    for other in others {
      collection.environments.append(
        OriginEnvironment(
          name: other.item.name, place: other.item.object.place,
          variables: variables(other, over: base), isPrivate: other.isSecret))
    }
  }
}
