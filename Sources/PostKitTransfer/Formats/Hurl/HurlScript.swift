// Queries, filters and checks of Hurl as JavaScript of JetBrains' client.

/// Writes JavaScript.
enum HurlScript {
  /// A text as a literal.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 32 || scalar.value == 0x2028 || scalar.value == 0x2029:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    // Else it would end the script.
    return result.replacing("%}", with: "\\u0025}") + "\""
  }

  private static func regex(_ pattern: String, flags: String = "") -> String {
    let flags = flags.isEmpty ? "" : ", \"\(flags)\""
    return "new RegExp(\(literal(pattern))\(flags))"
  }

  /// The body as a text, whatever type it has.
  private static let text =
    "(typeof response.body === \"string\" ? response.body : JSON.stringify(response.body))"

  /// The value of a query with its filters; `nil` where there is none.
  static func value(of query: HurlQuery) -> String? {
    guard var value = start(of: query) else { return nil }
    for filter in query.filters {
      guard let next = apply(filter, to: value) else { return nil }
      value = next
    }
    return value
  }

  private static func start(of query: HurlQuery) -> String? {
    let argument: String
    switch query.argument {
    case .text(let text)?, .regex(let text)?: argument = text
    case nil: argument = ""
    default: return nil
    }
    // References inside of an argument have no value in a script.
    guard !argument.contains("{{") else { return nil }
    switch query.kind {
    case "status": return "response.status"
    case "body": return text
    case "header": return "response.headers.valueOf(\(literal(argument)))"
    case "cookie":
      guard !argument.contains("[") else { return nil }
      return "response.cookiesByName(\(literal(argument)))[0]?.value"
    case "jsonpath": return "jsonPath(response.body, \(literal(argument)))"
    case "regex": return "\(text).match(\(regex(argument)))?.[1]"
    case "variable": return "client.global.get(\(literal(argument)))"
    default: return nil
    }
  }

  private static func apply(_ filter: HurlFilter, to value: String) -> String? {
    let arguments = filter.arguments.map { argument -> String? in
      switch argument {
      case .text(let text), .regex(let text): text.contains("{{") ? nil : text
      case .literal(let word): word
      default: nil
      }
    }
    guard !arguments.contains(nil) else { return nil }
    let first = arguments.first.flatMap(\.self) ?? ""
    let second = arguments.last.flatMap(\.self) ?? ""
    switch filter.name {
    case "count": return "[].concat(\(value) ?? []).length"
    case "first": return "[].concat(\(value) ?? [])[0]"
    case "last": return "[].concat(\(value) ?? []).at(-1)"
    case "nth": return "[].concat(\(value) ?? []).at(\(first))"
    case "regex": return "String(\(value)).match(\(regex(first)))?.[1]"
    case "jsonpath":
      let parsed = "typeof v === \"string\" ? JSON.parse(v) : v"
      return "jsonPath(((v) => \(parsed))(\(value)), \(literal(first)))"
    case "replace":
      return "String(\(value)).replaceAll(\(literal(first)), () => \(literal(second)))"
    case "replaceRegex":
      return "String(\(value)).replace(\(regex(first, flags: "g")), \(literal(second)))"
    case "split": return "String(\(value)).split(\(literal(first)))"
    case "toInt": return "parseInt(\(value), 10)"
    case "toFloat": return "parseFloat(\(value))"
    case "toString": return "String(\(value))"
    case "urlEncode": return "encodeURIComponent(\(value))"
    case "urlDecode": return "decodeURIComponent(\(value))"
    default: return nil
    }
  }

  /// Whether a check holds; `nil` where a script can't tell.
  static func condition(of assert: HurlAssert) -> String? {
    guard let value = value(of: assert.query) else { return nil }
    var expected = "undefined"
    switch assert.value {
    case .text(let text)?, .regex(let text)?:
      guard !text.contains("{{") else { return nil }
      expected = literal(text)
    case .literal(let word)?: expected = word
    case .template(let name)?: expected = "client.global.get(\(literal(name)))"
    case .bytes?, .file?: return nil
    case nil: break
    }
    guard let condition = condition(assert, value, expected) else { return nil }
    return assert.isNegated ? "!(\(condition))" : condition
  }

  private static func condition(
    _ assert: HurlAssert, _ value: String, _ expected: String
  ) -> String? {
    switch assert.predicate {
    case "==": "\(value) === \(expected)"
    case "!=": "\(value) !== \(expected)"
    case ">", ">=", "<", "<=": "\(value) \(assert.predicate) \(expected)"
    case "startsWith", "endsWith": "String(\(value)).\(assert.predicate)(\(expected))"
    case "contains": "((v) => Array.isArray(v) ? v : String(v))(\(value)).includes(\(expected))"
    case "matches": "new RegExp(\(expected)).test(\(value))"
    case "exists": "(\(value) ?? undefined) !== undefined"
    case "isEmpty": "((v) => (typeof v === \"object\" ? Object.keys(v) : v).length === 0)(\(value))"
    case "isNumber": "typeof \(value) === \"number\""
    case "isInteger": "Number.isInteger(\(value))"
    case "isFloat": "((v) => typeof v === \"number\" && !Number.isInteger(v))(\(value))"
    case "isString": "typeof \(value) === \"string\""
    case "isBoolean": "typeof \(value) === \"boolean\""
    case "isCollection": "((v) => typeof v === \"object\" && v !== null)(\(value))"
    case "isList": "Array.isArray(\(value))"
    case "isObject":
      "((v) => typeof v === \"object\" && v !== null && !Array.isArray(v))(\(value))"
    case "isDate": "!isNaN(Date.parse(\(value)))"
    case "isUuid":
      "/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(\(value))"
    case "isIpv4": "/^[0-9]{1,3}([.][0-9]{1,3}){3}$/.test(\(value))"
    case "isIpv6": "/^[0-9a-f.:]*:[0-9a-f.:]+$/i.test(\(value))"
    default: nil
    }
  }
}
