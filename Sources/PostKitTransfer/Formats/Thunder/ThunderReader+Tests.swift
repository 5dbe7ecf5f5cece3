// Thunder Client's tests, which are rows of a table, as `??` lines.

import PostKitJSON

extension ThunderReader {
  /// Reads the tests of a request; what has no line of ours is told.
  func readTests(of object: OriginObject, into request: inout OriginRequest, origin: String) {
    for (value, place) in object.array("tests") {
      guard let test = OriginObject(value, at: place, notes: notes) else {
        tellMalformed("A test is no object and is left out.", at: place, origin: origin)
        continue
      }
      let type = test.text("type") ?? ""
      let (custom, action) = (test.text("custom") ?? "", test.text("action") ?? "")
      let expected = test.anyText("value") ?? ""
      let isOn = !test.isSet("isDisabled")
      test.finish(origin: origin)
      if !isOn {
        notes.tell(
          .disabledItem, "A test is switched off and is left out.", at: place, origin: origin)
      } else if type == "set-env-var" {
        set(custom, expected, into: &request, at: place, origin: origin)
      } else if let line = line(type, custom, action, expected, at: place) {
        request.checks.append(OriginCheck(line: line))
      } else {
        let words = [type, custom, action].filter { !$0.isEmpty }.joined(separator: " ")
        notes.tell(
          .testUnsupported, "The test `\(words)` has no equivalent and is left out.", at: place,
          origin: origin)
      }
    }
  }

  private static let actions = [
    "equal": "==", "notequal": "!=", "contains": "contains", "regex": "matches",
    ">": ">", "<": "<", ">=": ">=", "<=": "<=", "isgreaterthan": ">", "islessthan": "<",
    "startswith": "startsWith", "endswith": "endsWith",
  ]

  private static let kinds = [
    "string": "isString", "number": "isNumber", "boolean": "isBoolean", "array": "isArray",
  ]

  /// The line that a row says; `nil` where there is none.
  private func line(
    _ type: String, _ custom: String, _ action: String, _ expected: String, at place: OriginPlace
  ) -> String? {
    let left: String?
    switch type.lowercased() {
    case "res-code": left = "status"
    case "res-time": left = "duration"
    case "res-body": left = "body"
    case "content-type": left = "header Content-Type"
    case "content-length": left = "header Content-Length"
    case "content-encoding": left = "header Content-Encoding"
    case "header", "res-header": left = ScriptSubject.isHeader(custom) ? "header \(custom)" : nil
    case "json-query": left = subject(custom)?.leftSide
    default: left = nil
    }
    guard let left else { return nil }
    switch action.lowercased() {
    case "istype": return Self.kinds[expected.lowercased()].map { "\(left) \($0)" }
    case "isexists", "exists":
      return expected.lowercased() == "false" ? "\(left) isFalse" : "\(left) exists"
    case "isarray": return "\(left) isArray"
    default: break
    }
    let value = template(expected, at: place)
    guard let predicate = Self.actions[action.lowercased()],
      value.unicodeScalars.allSatisfy({ $0.value >= 0x20 }), value.first != " ", value.last != " "
    else { return nil }
    if value.isEmpty {
      return ["==", "!="].contains(predicate) ? "\(left) \(predicate) \"\"" : nil
    }
    return "\(left) \(predicate) \(value)"
  }

  /// What a path such as `json.a[0].b` reads.
  private func subject(_ path: String) -> ScriptSubject? {
    guard path == "json" || path.hasPrefix("json.") || path.hasPrefix("json[") else { return nil }
    return ScriptTranslation.subject(of: "res.body" + path.dropFirst("json".count), .bruno)
  }

  /// A variable that is set from the response becomes a handler.
  private func set(
    _ custom: String, _ value: String, into request: inout OriginRequest, at place: OriginPlace,
    origin: String
  ) {
    let name = value.hasPrefix("{{") && value.hasSuffix("}}") ? value.dropFirst(2).dropLast(2) : ""
    let path =
      custom.hasPrefix("header.") ? "res.headers." + custom.dropFirst("header.".count) : nil
    let subject = path.flatMap { ScriptTranslation.subject(of: $0, .bruno) } ?? subject(custom)
    guard let expression = subject?.expression, !name.isEmpty else {
      notes.tell(
        .testUnsupported, "`set-env-var` of `\(custom)` has no equivalent and is left out.",
        at: place, origin: origin)
      return
    }
    let handler = StatementParser.call("set", String(name[...].trimmed), expression)
    request.scripts.append(
      OriginScript(
        phase: .afterResponse, text: handler, place: place, translation: [.handler(handler)]))
  }
}
