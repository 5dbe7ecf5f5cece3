// The words of a k6 script (IO-30).

import PostKitSyntax

/// JavaScript as k6 runs it.
struct K6Language: LoadLanguage {
  let program = "k6"
  let literal = JavaScriptCode.literal
  let helpers = K6Helpers.table
  let taken = K6Helpers.taken
  let processReader = "environment"

  /// The line that defines a constant.
  func definition(_ constant: String, _ value: String) -> String { "const \(constant) = \(value);" }

  /// The arguments of `setting` that say why a variable has no value.
  func arguments(reason: String) -> [String] { ["undefined", literal.short(reason)] }

  /// A value that is made anew at each use.
  func dynamic(_ value: ExportedDynamic, _ helpers: inout CodeHelpers) -> String? {
    value.k6(&helpers)
  }

  /// A value with all signs encoded that mean something in a URL.
  func encoded(_ value: String) -> CodePhrase { CodePhrase("encodeURIComponent(\(value))") }

  /// What is kept of the response of a function.
  func kept(_ part: ExportedPart, of word: String) -> CodePhrase? {
    switch part {
    case .body: CodePhrase("kept.\(word)_text")
    case .status: CodePhrase("String(kept.\(word)_status)")
    case .header(let name):
      CodePhrase("header(kept.\(word)_headers, \(literal.short(name)))", "header")
    case .member: CodePhrase("decoded(kept.\(word)_text)", "decoded")
    case .other: nil
    }
  }

  /// What a check looks at in `response`.
  func subject(of check: ExportedCheck) -> CodePhrase? {
    switch check.subject {
    case .part(.status): CodePhrase("response.status")
    case .part(.body): CodePhrase("response.body")
    case .part(.header(let name)):
      CodePhrase("header(response.headers, \(literal.short(name)))", "header")
    case .duration: CodePhrase("response.timings.duration")
    case .part(.member), .part(.other), .other: nil
    }
  }

  /// Whether a value is as a check wants it.
  func condition(
    _ predicate: AssertionForm.Predicate, _ subject: String, _ expected: String
  ) -> CodePhrase {
    func compared(_ sign: String) -> CodePhrase {
      CodePhrase("number(\(subject)) \(sign) number(\(expected))", "numbers")
    }
    func digest(_ name: String) -> CodePhrase {
      CodePhrase("digest(\"\(name)\", \(subject)) === \(expected)", "digest")
    }
    return switch predicate {
    case .equal: CodePhrase("same(\(subject), \(expected))", "same")
    case .notEqual: CodePhrase("!same(\(subject), \(expected))", "same")
    case .greater: compared(">")
    case .greaterOrEqual: compared(">=")
    case .less: compared("<")
    case .lessOrEqual: compared("<=")
    case .startsWith: CodePhrase("text(\(subject)).startsWith(\(expected))", "text")
    case .endsWith: CodePhrase("text(\(subject)).endsWith(\(expected))", "text")
    case .contains: CodePhrase("contains(\(subject), \(expected))", "contains")
    case .matches: CodePhrase("new RegExp(\(expected)).test(text(\(subject)))", "text")
    case .isTrue: CodePhrase("truthy(\(subject))", "truthy")
    case .isFalse: CodePhrase("!truthy(\(subject))", "truthy")
    // The numbers of a body are digits, those of the response itself are numbers.
    case .isNumber:
      CodePhrase("(typeof \(subject) === \"number\" || \(subject) instanceof Digits)", "decoded")
    case .isString: CodePhrase("typeof \(subject) === \"string\"")
    case .isBoolean: CodePhrase("typeof \(subject) === \"boolean\"")
    case .isArray: CodePhrase("Array.isArray(\(subject))")
    case .sha256: digest("sha256")
    case .sha512: digest("sha512")
    case .md5: digest("md5")
    }
  }
}
