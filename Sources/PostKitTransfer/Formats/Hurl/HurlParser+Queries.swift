// Queries, filters, predicates and values of Hurl.

import PostKitHTTP

/// The words of Hurl's checks.
enum HurlWords {
  /// What values are taken from.
  static let queries: Set<String> = [
    "status", "version", "url", "header", "certificate", "cookie", "body", "xpath", "jsonpath",
    "regex", "variable", "duration", "bytes", "rawbytes", "sha256", "md5", "ip", "redirects",
  ]

  /// The queries that take a text.
  static let argumentQueries: Set<String> = [
    "header", "certificate", "cookie", "xpath", "jsonpath", "regex", "variable",
  ]

  /// The filters and the number of their arguments.
  static let filters: [String: Int] = [
    "base64Decode": 0, "base64Encode": 0, "base64UrlSafeDecode": 0, "base64UrlSafeEncode": 0,
    "charsetDecode": 1, "count": 0, "daysAfterNow": 0, "daysBeforeNow": 0, "dateFormat": 1,
    "decode": 1, "first": 0, "format": 1, "htmlEscape": 0, "htmlUnescape": 0, "jsonpath": 1,
    "last": 0, "location": 0, "nth": 1, "regex": 1, "replace": 2, "replaceRegex": 2, "split": 1,
    "toDate": 1, "toFloat": 0, "toHex": 0, "toInt": 0, "toString": 0, "urlDecode": 0,
    "urlEncode": 0, "urlQueryParam": 1, "utf8Decode": 0, "utf8Encode": 0, "xpath": 1,
  ]

  /// The predicates and whether a value follows; words of old versions stand for signs.
  static let predicates: [String: (sign: String, takesValue: Bool)] = [
    "==": ("==", true), "!=": ("!=", true), ">": (">", true), ">=": (">=", true),
    "<": ("<", true), "<=": ("<=", true), "equals": ("==", true), "notEquals": ("!=", true),
    "greaterThan": (">", true), "greaterThanOrEquals": (">=", true), "lessThan": ("<", true),
    "lessThanOrEquals": ("<=", true), "startsWith": ("startsWith", true),
    "endsWith": ("endsWith", true), "contains": ("contains", true),
    "includes": ("contains", true), "matches": ("matches", true), "exists": ("exists", false),
    "isEmpty": ("isEmpty", false), "isNumber": ("isNumber", false),
    "isInteger": ("isInteger", false), "isFloat": ("isFloat", false),
    "isString": ("isString", false), "isBoolean": ("isBoolean", false),
    "isCollection": ("isCollection", false), "isList": ("isList", false),
    "isObject": ("isObject", false), "isDate": ("isDate", false),
    "isIsoDate": ("isDate", false), "isUuid": ("isUuid", false), "isIpv4": ("isIpv4", false),
    "isIpv6": ("isIpv6", false),
  ]
}

extension HurlParser {
  /// Reads a query with its filters.
  mutating func query() throws(OriginFailure) -> HurlQuery {
    let start = scanner.at
    let kind = scanner.word()
    guard HurlWords.queries.contains(kind) else {
      throw scanner.failure("`\(kind)` is no query of Hurl.", at: start)
    }
    var query = HurlQuery(kind: kind)
    if HurlWords.argumentQueries.contains(kind) {
      scanner.skipBlanks()
      query.argument = try value()
    }
    while true {
      let before = scanner
      scanner.skipBlanks()
      let name = scanner.word()
      guard let count = HurlWords.filters[name] else {
        scanner = before
        return query
      }
      var filter = HurlFilter(name: name)
      for _ in 0..<count {
        scanner.skipBlanks()
        filter.arguments.append(try value())
      }
      query.filters.append(filter)
    }
  }

  /// Reads a predicate; its value follows.
  mutating func predicate() throws(OriginFailure) -> (isNegated: Bool, predicate: String) {
    var start = scanner.at
    var word = scanner.word(also: "=!<>")
    let isNegated = word == "not"
    if isNegated {
      scanner.skipBlanks()
      start = scanner.at
      word = scanner.word(also: "=!<>")
    }
    guard let known = HurlWords.predicates[word] else {
      throw scanner.failure(
        word.isEmpty ? "A predicate is expected here, such as `==`."
          : "`\(word)` is no predicate of Hurl.", at: start)
    }
    return (isNegated, known.sign)
  }

  /// Reads the value of a predicate, where it has one.
  mutating func predicateValue(of sign: String) throws(OriginFailure) -> HurlValue? {
    guard HurlWords.predicates[sign]?.takesValue == true else { return nil }
    scanner.skipBlanks()
    return try value()
  }

  /// Reads a value of any kind.
  mutating func value() throws(OriginFailure) -> HurlValue {
    let start = scanner.at
    if scanner.take("```") { return .text(try fencedText(from: start).text) }
    if scanner.take("{{") {
      let inner = scanner.at
      while !scanner.take("}}") {
        guard let byte = scanner.byte, byte != 10 else {
          throw scanner.failure("This reference is not closed.", at: start)
        }
        scanner.at += 1
      }
      let text = String(decoding: scanner.bytes[inner..<scanner.at - 2], as: UTF8.self)
      return .template(text.trimmingASCIIBlanks())
    }
    switch scanner.byte {
    case UInt8(ascii: "\""): return .text(try scanner.hurlQuoted())
    case UInt8(ascii: "`"): return .text(try scanner.hurlOneLine())
    case UInt8(ascii: "/"): return .regex(try regex())
    default: break
    }
    if let bytes = try encodedBytes() { return .bytes(bytes) }
    if scanner.take("file,") { return .file(try upToSemicolon(from: start)) }
    let word = scanner.word(also: "+-.")
    let isNumber = word.first.map { $0 == "-" || $0.isNumber } == true && Double(word) != nil
    guard isNumber || ["true", "false", "null"].contains(word) else {
      throw scanner.failure("A value is expected here, such as `\"text\"` or `7`.", at: start)
    }
    return .literal(word)
  }

  private mutating func regex() throws(OriginFailure) -> String {
    let start = scanner.at
    scanner.at += 1
    var text: [UInt8] = []
    while let byte = scanner.byte, byte != UInt8(ascii: "/") {
      guard byte != 10 else { break }
      scanner.at += 1
      if byte == UInt8(ascii: "\\"), scanner.byte == UInt8(ascii: "/") {
        text.append(UInt8(ascii: "/"))
        scanner.at += 1
      } else {
        text.append(byte)
        if byte == UInt8(ascii: "\\"), let next = scanner.byte, next != 10 {
          text.append(next)
          scanner.at += 1
        }
      }
    }
    guard scanner.take("/") else {
      throw scanner.failure("This regular expression is not closed.", at: start)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
