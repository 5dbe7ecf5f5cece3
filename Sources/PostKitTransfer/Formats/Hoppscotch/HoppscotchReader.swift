// Hoppscotch's folders, requests and variables.

import PostKitJSON

/// Reads what Hoppscotch exports. It is made for one import.
final class HoppscotchReader: OriginReader {
  // MARK: Texts

  /// A text with `<<name>>` in our form (IO-17).
  func template(_ text: String, at place: OriginPlace) -> String {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
    return TemplateText.rewriting(text, from: "<<", to: ">>") { name in
      let ours = name.first == "$" ? PostmanDynamics.ours[String(name.dropFirst())] : nil
      if let ours { return "{{\(ours)}}" }
      if name.first == "$" { tellTemplate("<<\(name)>>", at: place) }
      return name.isEmpty ? nil : template(name, isKnown: false)
    }
  }

  /// A text of a request; braces are text in Hoppscotch.
  func text(_ text: String, at place: OriginPlace) -> OriginText {
    let result = template(text, at: place)
    return result == text && text.contains("{{") ? OriginText(literal: text) : OriginText(result)
  }

  // MARK: Variables

  /// Reads an environment.
  func environment(_ object: OriginObject) -> OriginEnvironment {
    var environment = OriginEnvironment(
      name: object.text("name") ?? "Hoppscotch", place: object.place)
    environment.variables = variables(of: object, "variables")
    object.ignore("v", "id", "_ref_id")
    object.finish()
    return environment
  }

  /// The variables of a list; a current value goes before the initial one.
  func variables(of owner: OriginObject, _ name: String) -> [OriginVariable] {
    owner.array(name).compactMap { value, place in
      guard let object = OriginObject(value, at: place, notes: notes) else {
        tellMalformed("A variable is no object and is left out.", at: place)
        return nil
      }
      let values = ["currentValue", "value", "initialValue"].compactMap(object.text)
      let name = object.text("key") ?? ""
      var variable = OriginVariable(name: name, value: nil, place: place)
      variable.isSecret = object.isSet("secret")
      variable.isOn = object.bool("active") ?? true
      let text = values.first { !$0.isEmpty } ?? ""
      variable.value = variable.isSecret && text.isEmpty ? nil : .text(template(text, at: place))
      object.ignore("id")
      object.finish()
      guard name.isEmpty else { return variable }
      if !text.isEmpty { tellMalformed("A variable without a name is left out.", at: place) }
      return nil
    }
  }

  // MARK: Folders

  /// Reads a collection or a folder.
  func folder(_ object: OriginObject, in parents: [String]) -> OriginFolder {
    let name = object.text("name") ?? ""
    let names = parents + [name]
    // The collection's own name is not part of what is in it.
    let inner = parents.isEmpty ? [] : parents.dropFirst() + [name]
    let origin = names.dropFirst().joined(separator: " / ")
    var folder = OriginFolder(name: name, place: object.place)
    folder.id = object.text("_ref_id") ?? object.text("id")
    folder.description = object.text("description") ?? ""
    folder.auth = auth(of: object, origin: origin) ?? .inherited
    folder.authPlace = object.place.member("auth")
    folder.headers = pairs(of: object, "headers", origin: origin)
    folder.variables = variables(of: object, "variables")
    folder.scripts = scripts(of: object, origin: origin)
    for (value, place) in object.array("folders") {
      guard let object = OriginObject(value, at: place, notes: notes) else {
        tellMalformed("A folder is no object and is left out.", at: place, origin: origin)
        continue
      }
      folder.folders.append(self.folder(object, in: names))
    }
    for (value, place) in object.array("requests") {
      guard let object = OriginObject(value, at: place, notes: notes) else {
        tellMalformed("A request is no object and is left out.", at: place, origin: origin)
        continue
      }
      folder.requests.append(request(object, in: Array(inner)))
    }
    object.ignore("v", "id", "_ref_id", "isExpanded", "isPublic", "slug")
    object.finish(origin: origin)
    return folder
  }

  /// The scripts of a request or folder. Nothing here has their objects, which is told.
  func scripts(of object: OriginObject, origin: String) -> [OriginScript] {
    let members: [(String, OriginScriptPhase)] = [
      ("preRequestScript", .beforeRequest), ("testScript", .afterResponse),
    ]
    return members.compactMap { name, phase in
      guard let text = object.string(name), !text.allSatisfy(\.isWhitespace) else { return nil }
      let script = OriginScript(
        phase: phase, text: text, place: object.place.member(name),
        translation: ScriptTranslation.statements(of: text, phase, .hoppscotch))
      if script.translation == nil {
        UnknownScriptAPI.tell(of: script, .hoppscotch, notes: notes, origin: origin)
      }
      return script
    }
  }

  /// The pairs of a list of headers, parameters or a form.
  func pairs(of owner: OriginObject, _ name: String, origin: String) -> [OriginPair] {
    owner.array(name).compactMap { value, place in
      guard let object = OriginObject(value, at: place, notes: notes) else {
        tellMalformed("A pair is no object and is left out.", at: place, origin: origin)
        return nil
      }
      let (name, value) = (object.text("key") ?? "", object.anyText("value") ?? "")
      let pair = OriginPair(
        name: text(name, at: place), value: text(value, at: place),
        isOn: object.bool("active") ?? true, description: object.text("description") ?? "")
      object.ignore("id", "inherited")
      object.finish(origin: origin)
      return name.isEmpty && value.isEmpty ? nil : pair
    }
  }
}
