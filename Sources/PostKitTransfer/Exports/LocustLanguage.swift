// The words of a Locust file (IO-30).

import PostKitSyntax

/// Python as Locust runs it.
struct LocustLanguage: LoadLanguage {
  let program = "Locust"
  let literal = PythonCode.literal
  let helpers = LocustHelpers.table
  let taken = LocustHelpers.taken
  let processReader = "process"

  /// The line that defines a constant.
  func definition(_ constant: String, _ value: String) -> String { "\(constant) = \(value)" }

  /// The arguments of `setting` that say why a variable has no value.
  func arguments(reason: String) -> [String] { ["reason=\(literal.short(reason))"] }

  /// A value that is made anew at each use.
  func dynamic(_ value: ExportedDynamic, _ helpers: inout CodeHelpers) -> String? {
    value.python(&helpers)
  }

  /// A value with all signs encoded that mean something in a URL.
  func encoded(_ value: String) -> CodePhrase { CodePhrase("component(\(value))", "component") }

  /// What is kept of the response of a function.
  func kept(_ part: ExportedPart, of word: String) -> CodePhrase? {
    switch part {
    case .body: CodePhrase("self.\(word)_text")
    case .status: CodePhrase("str(self.\(word)_status)")
    case .header(let name):
      CodePhrase("self.\(word)_headers.get(\(literal.short(name)), MISSING)", "MISSING")
    case .member: CodePhrase("self.\(word)_value")
    case .other: nil
    }
  }

  /// What a check looks at in `response`.
  func subject(of check: ExportedCheck) -> CodePhrase? {
    switch check.subject {
    case .part(.status): CodePhrase("response.status_code")
    case .part(.body): CodePhrase("response.text or \"\"")
    case .part(.header(let name)):
      CodePhrase("(response.headers or {}).get(\(literal.short(name)), MISSING)", "MISSING")
    case .duration:
      check.predicate.comparesNumbers ? CodePhrase("round(milliseconds)") : nil
    case .part(.member), .part(.other), .other: nil
    }
  }

  /// Whether a value is as a check wants it.
  func condition(
    _ predicate: AssertionForm.Predicate, _ subject: String, _ expected: String
  ) -> CodePhrase {
    func compared(_ name: String) -> CodePhrase {
      CodePhrase("compared(\(subject), operator.\(name), \(expected))", "compared")
    }
    func digest(_ name: String) -> CodePhrase {
      CodePhrase("digest(\"\(name)\", \(subject)) == \(expected)", "digest")
    }
    return switch predicate {
    case .equal: CodePhrase("same(\(subject), \(expected))", "same")
    case .notEqual: CodePhrase("not same(\(subject), \(expected))", "same")
    case .greater: compared("gt")
    case .greaterOrEqual: compared("ge")
    case .less: compared("lt")
    case .lessOrEqual: compared("le")
    case .startsWith: CodePhrase("text(\(subject)).startswith(\(expected))", "text")
    case .endsWith: CodePhrase("text(\(subject)).endswith(\(expected))", "text")
    case .contains: CodePhrase("contains(\(subject), \(expected))", "contains")
    case .matches:
      CodePhrase(
        "re.search(\(expected), text(\(subject))) is not None", "text", imports: ["import re"])
    case .isTrue: CodePhrase("truthy(\(subject))", "truthy")
    case .isFalse: CodePhrase("not truthy(\(subject))", "truthy")
    case .isNumber: CodePhrase("is_number(\(subject))", "is_number")
    case .isString: CodePhrase("isinstance(\(subject), str)")
    case .isBoolean: CodePhrase("isinstance(\(subject), bool)")
    case .isArray: CodePhrase("isinstance(\(subject), list)")
    case .sha256: digest("sha256")
    case .sha512: digest("sha512")
    case .md5: digest("md5")
    }
  }
}

extension AssertionForm.Predicate {
  /// Whether it compares numbers.
  fileprivate var comparesNumbers: Bool {
    switch self {
    case .greater, .greaterOrEqual, .less, .lessOrEqual: true
    default: false
    }
  }
}
