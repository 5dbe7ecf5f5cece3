// What all parts of reading Postman's files share: the notes, the templates and the small values.

import PostKitHTTP
import PostKitJSON

/// What a folder hands down to what lies in it.
struct PostmanParents {
  /// The names of the folders.
  private(set) var names: [String] = []
  /// The names with what parts them from a request's, for people and in ids.
  private var (way, path) = ("", "")
  /// Settings of requests that the folders set.
  var settings = PostmanSettings()
  /// Whether one of them says who sends its requests.
  var hasAuth = false

  /// How people call something in these folders, such as `Users / Get user`.
  func origin(_ name: String) -> String { way + name }

  /// The id of something in these folders that has none of its own.
  func id(_ name: String) -> String { path + name }

  /// Goes into a folder.
  mutating func enter(_ name: String) {
    names.append(name)
    way += name + " / "
    path += name + "/"
  }
}

/// Reads what Postman exports. It is made for one import.
final class PostmanReader: OriginReader {
  /// The names of the vault that occur, in order, as secrets without values.
  private(set) var vaultVariables: [OriginVariable] = []
  /// What environments say of clients' certificates; only the first can be written.
  var certificates: [OriginVariable] = []
  /// What the table makes of scripts so far: a collection has many of the same text.
  private var translations: [OriginScriptPhase: [String: [OriginStatement]?]] = [:]

  /// What the table makes of a script; `nil` where it is kept.
  func translation(of text: String, _ phase: OriginScriptPhase) -> [OriginStatement]? {
    if let known = translations[phase]?[text] { return known }
    let statements = ScriptTranslation.statements(of: text, phase, .postman)
    if text.withBytes(\.isASCII) { translations[phase, default: [:]][text] = .some(statements) }
    return statements
  }

  /// A description: a text, or an object with one.
  func description(of object: OriginObject, _ name: String) -> String {
    if let text = object.text(name) { return text }
    guard let inner = object.object(name) else { return "" }
    let text = inner.text("content") ?? ""
    inner.ignore("type", "version")
    inner.finish()
    return text
  }

  /// Tells of a description that nothing can stand beside here.
  func tellDescription(of object: OriginObject, for what: String) {
    let text = description(of: object, "description")
    guard !text.isEmpty else { return }
    notes.tell(
      .descriptionCut, "The description of \(what) has no place here and is left out.",
      at: object.place.member("description"))
  }

  /// A text with Postman's templates in our form (IO-17).
  func template(_ text: String, at place: OriginPlace) -> String {
    guard text.hasTemplate else { return text }
    let parts = NestedTemplates(text)
    for nested in parts.nested {
      notes.tell(
        .templateUnsupported,
        "`\(nested)` puts a name together of others, which can't be said here; one plain name "
          + "stands in its place.", at: place)
    }
    if parts.isUnclosed {
      notes.tell(
        .templateUnsupported, "`{{` without `}}` is sent as it stands.", at: place,
        isWarning: false)
    }
    return TemplateText.rewriting(parts.text) { name in
      // Braces before it that never close belong to nobody.
      if name.place(ofText: "{{") != nil { return nil }
      if name.utf8.first == UInt8(ascii: "v"), name.hasPrefix("vault:") {
        let name = String(name.dropFirst("vault:".count))
        useVault(name, at: place)
        return "{{\(name)}}"
      }
      let isDynamic = name.utf8.first == UInt8(ascii: "$")
      let ours = isDynamic ? PostmanDynamics.ours[String(name.dropFirst())] : nil
      if let ours { return "{{\(ours)}}" }
      let isRandom = isDynamic && name.hasPrefix("$random")
      if isRandom { tellTemplate("{{\(name)}}", at: place) }
      return name.isEmpty ? nil : template(name, isKnown: isRandom)
    }
  }

  private func useVault(_ name: String, at place: OriginPlace) {
    guard !vaultVariables.contains(where: { $0.name == name }) else { return }
    vaultVariables.append(OriginVariable(name: name, value: nil, isSecret: true, place: place))
  }

  /// A text of a request with its templates in our form.
  func text(_ text: String, at place: OriginPlace) -> OriginText {
    guard text.hasTemplate else { return OriginText(text) }
    let result = template(text, at: place)
    // A text with braces and no template needs its braces guarded.
    let isLiteral = result.hasTemplate && !NestedTemplates(result).hasTemplate
    return isLiteral ? OriginText(literal: result) : OriginText(result)
  }

  /// The variables of a member that is a list of them.
  func variables(of object: OriginObject, _ name: String) -> [OriginVariable] {
    variables(in: object.array(name))
  }

  /// The variables of a list (IO-14).
  func variables(in list: [(value: JSONView, place: OriginPlace)]) -> [OriginVariable] {
    var result: [OriginVariable] = []
    for (value, place) in list {
      guard let object = OriginObject(value, at: place, notes: notes) else {
        tellMalformed("A variable is no object and is left out.", at: place)
        continue
      }
      guard let name = object.text("key") ?? object.text("id"), !name.isEmpty else {
        object.ignore("enabled", "disabled", "type", "value", "key", "name")
        if object.peek("value")?.anyText.isEmpty == false {
          tellMalformed("A variable without a name is left out.", at: place)
        }
        continue
      }
      var variable = OriginVariable(name: name, value: nil, place: place)
      variable.isSecret = object.text("type") == "secret"
      variable.isOn = object.bool("enabled") ?? !object.isSet("disabled")
      variable.value = object["value"].map { self.value($0, at: place) } ?? .text("")
      if variable.isSecret, variable.value?.text.isEmpty == true { variable.value = nil }
      tellDescription(of: object, for: "the variable `\(name)`")
      object.ignore("id", "name", "system", "disabled", "enabled", "sessionValue", "uuid")
      object.finish()
      result.append(variable)
    }
    return result
  }

  /// A value that keeps its type; `null` is an empty text.
  private func value(_ view: JSONView, at place: OriginPlace) -> OriginValue {
    switch view.kind {
    case .string: .text(template(view.string ?? "", at: place))
    case .null: .text("")
    case .number, .true, .false: .json(OriginJSON(text: view.anyText))
    case .array, .object: .json(OriginJSON(text: template(view.anyText, at: place)))
    }
  }
}
