// Texts and numbers that fit a schema.

import PostKitJSON

/// A text that fits a schema.
struct SampleText {
  let text: String
  /// Whether the text is a template for a password.
  let isPassword: Bool
  /// The pattern that the text does not match.
  let unmatched: String?

  /// The longest text that `minLength` makes.
  private static let lengthLimit = 1_024

  /// What the formats of the standard look like.
  static let formats: [String: String] = [
    "date": "2026-01-31", "date-time": "2026-01-31T10:00:00Z", "time": "10:00:00Z",
    "duration": "PT1H", "uuid": "00000000-0000-4000-8000-000000000000",
    "email": "ann@example.com", "idn-email": "ann@example.com", "hostname": "example.com",
    "idn-hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
    "uri": "https://example.com", "url": "https://example.com", "iri": "https://example.com",
    "uri-reference": "/example", "iri-reference": "/example", "uri-template": "/{example}",
    "json-pointer": "/example", "relative-json-pointer": "0", "regex": "^a$",
    "byte": "aGVsbG8=", "binary": "",
  ]

  init(_ flat: FlatSchema) {
    let format = flat["format"]?.view.string
    let pattern = flat["pattern"]?.view.string
    if format == "password", pattern == nil {
      text = SchemaSampler.passwordTemplate
      isPassword = true
      unmatched = nil
      return
    }
    isPassword = false
    if let pattern, let literal = Self.literal(pattern) {
      text = literal
      unmatched = nil
      return
    }
    var text = format.flatMap { Self.formats[$0] } ?? "string"
    if flat["contentEncoding"]?.view.string == "base64" { text = "aGVsbG8=" }
    text = Self.fitted(text, flat)
    // A pattern that can't be read is checked by nobody.
    guard let pattern, let compiled = try? TextPattern(pattern),
      compiled.isFound(in: text) == false
    else {
      self.text = text
      unmatched = nil
      return
    }
    let sample = TextPattern.sample(of: pattern)
    self.text = sample ?? text
    unmatched = sample == nil ? pattern : nil
  }

  private static func fitted(_ text: String, _ flat: FlatSchema) -> String {
    var text = text
    let least = min(flat["minLength"]?.view.int ?? 0, lengthLimit)
    let most = max(0, flat["maxLength"]?.view.int ?? .max)
    let unit = text.isEmpty ? "a" : text
    while text.unicodeScalars.count < least { text += unit }
    let wanted = text.unicodeScalars.count > unit.unicodeScalars.count ? least : Int.max
    let length = min(most, max(wanted, least))
    return length < text.unicodeScalars.count
      ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(length))) : text
  }

  /// The text that a pattern without operators stands for.
  private static func literal(_ pattern: String) -> String? {
    var rest = Substring(pattern)
    if rest.hasPrefix("^") { rest.removeFirst() }
    if rest.hasSuffix("$"), !rest.hasSuffix("\\$") { rest.removeLast() }
    var result = ""
    var isEscaped = false
    for character in rest {
      if isEscaped {
        guard !character.isLetter, !character.isNumber else { return nil }
        result.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if "^$.|?*+()[]{}".contains(character) {
        return nil
      } else {
        result.append(character)
      }
    }
    return isEscaped || result.isEmpty ? nil : result
  }
}

/// A number that fits a schema, with all digits of its bounds.
enum SampleNumber {
  private struct Bound {
    let digits: String
    let isExclusive: Bool
  }

  /// The digits of the number.
  static func text(_ flat: FlatSchema, isInteger: Bool, _ dialect: SchemaDialect) -> String {
    let low = bound(flat, "minimum", "exclusiveMinimum", dialect)
    let high = bound(flat, "maximum", "exclusiveMaximum", dialect)
    let step = flat["multipleOf"]?.view.numberText
    if let low { return raised(low, step, isInteger) }
    if let high, !isMet("0", high) { return lowered(high, step, isInteger) }
    return "0"
  }

  private static func isMet(_ digits: String, _ bound: Bound) -> Bool {
    let value = JSONValue.number(digits)
    let edge = JSONValue.number(bound.digits)
    if value.isEquivalent(to: edge) { return !bound.isExclusive }
    return value.isLess(than: edge) == true
  }

  private static func bound(
    _ flat: FlatSchema, _ inclusive: String, _ exclusive: String, _ dialect: SchemaDialect
  ) -> Bound? {
    if let digits = flat[exclusive]?.view.numberText {
      return Bound(digits: digits, isExclusive: true)
    }
    guard let digits = flat[inclusive]?.view.numberText else { return nil }
    return Bound(digits: digits, isExclusive: flat.isTrue(exclusive))
  }

  /// The least number that a lower bound allows: the bound, one more, or the next step.
  private static func raised(_ low: Bound, _ step: String?, _ isInteger: Bool) -> String {
    if let whole = Int128(low.digits), step == nil || step.flatMap({ Int128($0) }) != nil {
      let step = step.flatMap { Int128($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 1
      let next = low.isExclusive ? whole + 1 : whole
      let rest = next % step
      return String(rest == 0 ? next : next > 0 ? next - rest + step : next - rest)
    }
    guard let number = Double(low.digits) else { return low.digits }
    if let step = step.flatMap(Double.init), step > 0 {
      var count = (number / step).rounded(.up)
      if low.isExclusive, count * step <= number { count += 1 }
      return digits(count * step)
    }
    if isInteger {
      return digits(low.isExclusive ? number.rounded(.down) + 1 : number.rounded(.up))
    }
    return low.isExclusive ? digits(number + 1) : low.digits
  }

  /// The greatest number that an upper bound allows.
  private static func lowered(_ high: Bound, _ step: String?, _ isInteger: Bool) -> String {
    let mirrored = high.digits.hasPrefix("-") ? String(high.digits.dropFirst()) : "-" + high.digits
    let result = raised(Bound(digits: mirrored, isExclusive: high.isExclusive), step, isInteger)
    return result.hasPrefix("-") ? String(result.dropFirst()) : result == "0" ? "0" : "-" + result
  }

  private static func digits(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? (number.isFinite ? number.description : "0")
  }
}
