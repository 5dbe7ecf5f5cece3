// The smaller values of OpenCollection: pairs, variables, scripts, settings.

import PostKitJSON

/// Reads values that occur in many objects.
struct OpenCollectionValues {
  let shared: BrunoShared
  var origin: String?

  private var notes: ImportNotes { shared.notes }

  /// A text for people: a string, or an object that has one.
  static func text(_ object: OriginObject, _ name: String) -> String {
    if let text = object.text(name) { return text }
    guard let inner = object.object(name) else { return "" }
    let text = inner.text("content") ?? ""
    inner.ignore("type")
    inner.finish()
    return text
  }

  /// The objects of a list; what is none is told.
  func objects(_ object: OriginObject, _ name: String) -> [OriginObject] {
    object.array(name).compactMap { value, place in
      if let inner = OriginObject(value, at: place, notes: notes) { return inner }
      notes.tell(.itemMalformed, "This is no mapping and is left out.", at: place, origin: origin)
      return nil
    }
  }

  /// Whether something is switched on; files of both times are read.
  func isOn(_ object: OriginObject) -> Bool {
    let enabled = object.bool("enabled") ?? true
    let disabled = object.bool("disabled") ?? false
    return enabled && !disabled
  }

  /// Headers, and pairs of a form.
  func pairs(_ object: OriginObject, _ name: String) -> [OriginPair] {
    objects(object, name).map { pair in
      let result = OriginPair(
        name: shared.templates.origin(pair.text("name") ?? "", at: pair.place, origin),
        value: shared.templates.origin(pair.anyText("value") ?? "", at: pair.place, origin),
        isOn: isOn(pair), description: Self.text(pair, "description"))
      pair.finish(origin: origin)
      return result
    }
  }

  /// Parameters of the query or the path, by their type.
  func parameters(
    _ object: OriginObject, _ name: String
  ) -> [(type: String, BrunoListedParameter)] {
    objects(object, name).map { parameter in
      let type = parameter.text("type") ?? "query"
      let result = BrunoListedParameter(
        name: parameter.text("name") ?? "", value: parameter.anyText("value") ?? "",
        isOn: isOn(parameter), description: Self.text(parameter, "description"),
        place: parameter.place)
      parameter.finish(origin: origin)
      return (type, result)
    }
  }

  /// Variables; those that say `secret` have no value.
  func variables(_ object: OriginObject, _ name: String) -> [OriginVariable] {
    objects(object, name).map { variable in
      let isSecret = variable.isSet("secret")
      let result = OriginVariable(
        name: variable.text("name") ?? "", value: value(variable, isSecret), isSecret: isSecret,
        isOn: isOn(variable), place: variable.place)
      variable.ignore("description", "type")
      variable.finish(origin: origin)
      return result
    }.filter { !$0.name.isEmpty }
  }

  /// The value of a variable: a text, one with its type, or the chosen one of several.
  private func value(_ variable: OriginObject, _ isSecret: Bool) -> OriginValue? {
    guard var view = variable["value"] else { return isSecret ? nil : .text("") }
    if view.kind == .array {
      let variants = view.elements
      let chosen = variants.first { $0["selected"]?.bool == true } ?? variants.first
      if variants.count > 1 {
        notes.tell(
          .disabledItem, "Of the values of the variable only the chosen one is taken.",
          at: variable.place.member("value"), origin: origin)
      }
      guard let inner = chosen?["value"] else { return .text("") }
      view = inner
    }
    let place = variable.place.member("value")
    if view.kind == .object, let data = view["data"] {
      return shared.value(data.anyText, type: view["type"]?.string, at: place, origin)
    }
    switch view.kind {
    case .string, .null: return shared.value(view.anyText, type: nil, at: place, origin)
    case .number, .true, .false, .array, .object:
      return .json(OriginJSON(text: view.value.text))
    }
  }

  /// Scripts in order; those of a kind that never runs here are told.
  func scripts(_ object: OriginObject, _ name: String) -> [OriginScript] {
    objects(object, name).compactMap { script in
      defer { script.finish(origin: origin) }
      let code = script.text("code") ?? ""
      let place = script.place.member("code")
      switch script.text("type") {
      case "before-request":
        return shared.script(.beforeRequest, code, at: place, origin: origin ?? "")
      case "after-response", "tests":
        return shared.script(.afterResponse, code, at: place, origin: origin ?? "")
      case let type:
        notes.tell(
          .scriptUnknownAPI,
          "PostKit has no time at which scripts of the kind `\(type ?? "")` run. It is left out.",
          at: script.place, origin: origin)
        return nil
      }
    }
  }

  /// How requests are sent.
  func settings(_ object: OriginObject) -> BrunoSettings {
    let names = object.names
    let fields = BrunoFields(
      names.map { ($0, object.peek($0)?.plainText ?? "", object.place.member($0)) },
      at: object.place, notes: notes)
    let settings = BrunoSettings(fields)
    for name in ["forwardAuthorizationHeader", "keepAliveInterval"] {
      guard let value = fields.filled(name), !["false", "inherit", "0"].contains(value) else {
        continue
      }
      notes.tell(
        .settingUnsupported, "PostKit has no setting like `\(name)`.",
        at: fields.place(of: name), origin: origin)
    }
    fields.finish(origin: origin)
    return settings
  }
}
