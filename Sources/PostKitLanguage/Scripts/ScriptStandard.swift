// What JavaScript itself gives to scripts: the members of its objects and of its values, as they
// are offered while somebody types. The table of `protocol/script-api.json` has PostKit's own.

import PostKitSyntax

/// The members of the language's own objects.
enum ScriptStandard {
  /// The objects by name, each with its members: functions with their parameters, then values.
  static let objects: [String: [String]] = [
    "Array": ["from(items, map?)", "isArray(value)", "of(...items)"],
    "BigInt": ["asIntN(bits, value)", "asUintN(bits, value)"],
    "Date": ["now()", "parse(text)", "UTC(year, month?, day?)"],
    "JSON": ["parse(text, reviver?)", "stringify(value, replacer?, indent?)"],
    "Math": [
      "abs(x)", "ceil(x)", "floor(x)", "max(...values)", "min(...values)", "pow(base, exponent)",
      "random()", "round(x)", "sign(x)", "sqrt(x)", "trunc(x)", "cbrt(x)", "cos(x)", "exp(x)",
      "hypot(...values)", "log(x)", "log10(x)", "log2(x)", "sin(x)", "tan(x)", "atan2(y, x)", "E",
      "PI",
    ],
    "Number": [
      "isFinite(value)", "isInteger(value)", "isNaN(value)", "isSafeInteger(value)",
      "parseFloat(text)", "parseInt(text, radix?)", "EPSILON", "MAX_SAFE_INTEGER", "MAX_VALUE",
      "MIN_SAFE_INTEGER", "MIN_VALUE", "NaN",
    ],
    "Object": [
      "assign(target, ...sources)", "entries(object)", "freeze(object)", "fromEntries(entries)",
      "groupBy(items, key)", "hasOwn(object, key)", "is(a, b)", "keys(object)", "values(object)",
      "create(prototype)", "defineProperty(object, key, descriptor)", "getPrototypeOf(object)",
    ],
    "Promise": [
      "all(promises)", "allSettled(promises)", "any(promises)", "race(promises)",
      "reject(reason)", "resolve(value)",
    ],
    "String": ["fromCharCode(...codes)", "fromCodePoint(...codes)", "raw(strings, ...values)"],
  ]

  /// The members of texts.
  static let ofTexts = [
    "length", "includes(text)", "startsWith(text)", "endsWith(text)", "indexOf(text)",
    "split(separator)", "slice(start, end?)", "substring(start, end?)", "replace(what, by)",
    "replaceAll(what, by)", "trim()", "trimStart()", "trimEnd()", "toLowerCase()", "toUpperCase()",
    "match(pattern)", "matchAll(pattern)", "search(pattern)", "padStart(length, fill?)",
    "padEnd(length, fill?)", "repeat(count)", "charAt(index)", "charCodeAt(index)",
    "codePointAt(index)", "at(index)", "concat(...texts)", "lastIndexOf(text)",
    "localeCompare(text)", "normalize(form?)",
  ]

  /// The members of lists.
  static let ofLists = [
    "length", "map(item => …)", "filter(item => …)", "find(item => …)", "some(item => …)",
    "every(item => …)", "forEach(item => …)", "includes(value)", "join(separator?)",
    "reduce((sum, item) => …, start?)", "findIndex(item => …)", "findLast(item => …)",
    "flatMap(item => …)", "flat(depth?)", "slice(start?, end?)", "sort((a, b) => …)",
    "toSorted((a, b) => …)", "reverse()", "toReversed()", "indexOf(value)", "at(index)",
    "concat(...lists)", "push(...values)", "pop()", "shift()", "unshift(...values)",
    "splice(start, count?, ...values)", "keys()", "values()", "entries()",
  ]

  /// The members of moments.
  static let ofDates = [
    "toISOString()", "getTime()", "toJSON()", "getFullYear()", "getMonth()", "getDate()",
    "getDay()", "getHours()", "getMinutes()", "getSeconds()", "getMilliseconds()",
    "getTimezoneOffset()",
    "getUTCFullYear()", "getUTCMonth()", "getUTCDate()", "getUTCHours()", "getUTCMinutes()",
    "setDate(day)", "setMonth(month)", "setFullYear(year)", "setHours(hours)",
    "setMinutes(minutes)", "setSeconds(seconds)", "setTime(milliseconds)", "toLocaleString()",
    "toString()",
  ]

  /// The members of numbers.
  static let ofNumbers = ["toFixed(digits?)", "toString(radix?)", "toPrecision(digits?)"]

  /// Names of the language that stand alone.
  static let globals = [
    "Array", "BigInt", "Boolean", "Date", "Error", "JSON", "Map", "Math", "Number", "Object",
    "Promise", "RegExp", "Set", "String", "decodeURIComponent(text)", "encodeURIComponent(text)",
    "isNaN(value)", "parseFloat(text)", "parseInt(text, radix?)",
  ]

  /// The items of members or names that are written as above.
  static func items(
    _ written: [String], _ replaced: Range<Int>, rank: Int = 0
  ) -> [CompletionItem] {
    written.enumerated().map { place, text in
      guard let open = text.firstIndex(of: "(") else {
        let kind: CompletionKind = objects[text] == nil ? .member : .object
        return CompletionItem(
          text, kind, replaced: replaced, origin: "JavaScript", rank: rank + place)
      }
      let name = String(text[..<open])
      let takes = text[open...] != "()"
      return CompletionItem(
        name, .function, text: name, snippet: name + (takes ? "($1)" : "()"), replaced: replaced,
        detail: String(text[open...]), origin: "JavaScript", rank: rank + place)
    }
  }
}

extension ScriptReading {
  /// The members that the language gives to what stands before a dot; none where nothing is known.
  func standardMembers(behind dot: Int) -> [String] {
    guard dot > 0 else { return [] }
    let before = dot - 1
    switch tokens[before].kind {
    case .string: return ScriptStandard.ofTexts
    case .template: return tokens[before].range.upperBound > 0 ? ScriptStandard.ofTexts : []
    case .number, .pattern: return []
    case .mark:
      guard let open = partner(before) else { return [] }
      if tokens.isMark(open, "["), isListLiteral(open) { return ScriptStandard.ofLists }
      let isDate = tokens.isWord(open - 1, "Date") && tokens.isWord(open - 2, "new")
      return isDate && tokens.isMark(open, "(") ? ScriptStandard.ofDates : []
    case .word:
      guard !tokens.isDot(before - 1), declaration(of: before) == nil else { return [] }
      return ScriptStandard.objects[tokens.text(before)] ?? []
    }
  }

  /// Whether a bracket begins a list, and not a member of what stands before it.
  private func isListLiteral(_ open: Int) -> Bool {
    guard open > 0 else { return true }
    switch tokens[open - 1].kind {
    case .word: return isKeyword(open - 1)
    case .number, .string, .pattern, .template: return tokens.opens(open - 1)
    case .mark: return !tokens.closes(open - 1)
    }
  }
}
