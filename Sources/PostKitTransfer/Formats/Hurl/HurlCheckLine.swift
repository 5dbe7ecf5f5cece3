// A check of Hurl as a `??` line, where one says exactly the same.

import PostKitHTTP

/// Writes one check.
struct HurlCheckLine {
  /// The line without `??`; `nil` where none says the same.
  let line: String?

  /// Writes a check; references in its value come into our form.
  init(_ assert: HurlAssert, _ templates: HurlTemplates, at place: OriginPlace) {
    guard let subject = Self.subject(of: assert.query) else {
      line = nil
      return
    }
    guard let rest = Self.predicate(of: assert, templates, at: place) else {
      line = nil
      return
    }
    line = subject + " " + rest
  }

  /// The left side.
  private static func subject(of query: HurlQuery) -> String? {
    guard query.filters.isEmpty else { return nil }
    let argument: String
    switch query.argument {
    case .text(let text)?: argument = text
    case nil: argument = ""
    default: return nil
    }
    guard !argument.contains("{{"), !argument.contains(where: \.isNewline) else { return nil }
    switch query.kind {
    case "status", "body", "duration": return query.kind
    case "header": return argument.contains(" ") ? nil : "header \(argument)"
    case "jsonpath":
      // A path that finds several is a list for a script.
      let isOne = !argument.contains("*") && !argument.contains("?") && !argument.contains("..")
      return argument.hasPrefix("$") && isOne ? "body \(argument)" : nil
    case "xpath": return "xpath \(argument)"
    case "variable": return "{{\(argument)}}"
    case "sha256", "md5": return "body \(query.kind)"
    default: return nil
    }
  }

  /// Predicate and value.
  private static func predicate(
    of assert: HurlAssert, _ templates: HurlTemplates, at place: OriginPlace
  ) -> String? {
    if assert.query.kind == "sha256" || assert.query.kind == "md5" {
      guard assert.predicate == "==", !assert.isNegated, case .bytes(let digest)? = assert.value
      else { return nil }
      return Base64.encode(digest)
    }
    let value = assert.value.flatMap { written($0, templates, at: place) }
    switch (assert.predicate, assert.isNegated) {
    // What is there may be empty or zero, which `exists` of the language takes for nothing.
    case ("exists", false): return assert.query.kind == "header" ? "exists" : "!= undefined"
    case ("exists", true): return "== undefined"
    case ("==", let isNegated), ("!=", let isNegated):
      let isEqual = (assert.predicate == "==") != isNegated
      return value.map { "\(isEqual ? "==" : "!=") \($0)" }
    case (">", false), (">=", false), ("<", false), ("<=", false):
      guard case .literal? = assert.value else { return nil }
      return value.map { "\(assert.predicate) \($0)" }
    case (">", true): return value.map { "<= \($0)" }
    case (">=", true): return value.map { "< \($0)" }
    case ("<", true): return value.map { ">= \($0)" }
    case ("<=", true): return value.map { "> \($0)" }
    case ("startsWith", false), ("endsWith", false), ("contains", false), ("matches", false):
      // Only as it stands: in quotes it would be another text.
      guard let value, !value.hasPrefix("\"") else { return nil }
      return "\(assert.predicate) \(value)"
    case ("isNumber", false), ("isString", false), ("isBoolean", false): return assert.predicate
    case ("isList", false): return "isArray"
    default: return nil
    }
  }

  private static func written(
    _ value: HurlValue, _ templates: HurlTemplates, at place: OriginPlace
  ) -> String? {
    switch value {
    case .text(let text): HurlChecks.written(templates.text(text, at: place))
    case .literal(let word): word
    case .regex(let pattern): HurlChecks.written(pattern)
    case .template(let expression): "{{\(templates.expression(expression, at: place))}}"
    case .bytes, .file: nil
    }
  }
}
