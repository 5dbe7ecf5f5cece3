// Checks, captures and scripts of requests as scripts of Postman: the table of IO-19 backwards.

import PostKitEvaluate
import PostKitJSON
import PostKitSyntax

/// Writes the scripts of one request.
struct PostmanScripts {
  /// A text as an expression of JavaScript.
  let expression: (ExportedText) -> String

  /// The lines that keep parts of a response.
  static func lines(of captures: [CapturePlan.Capture]) -> [String] {
    captures.map { capture in
      let name = JavaScriptCode.literal.short(capture.name)
      return "pm.collectionVariables.set(\(name), \(value(of: capture.part)));"
    }
  }

  /// A part of the response as an expression.
  static func value(of part: ExportedPart) -> String {
    switch part {
    case .body: "pm.response.text()"
    case .status: "pm.response.code"
    case .header(let name): "pm.response.headers.get(\(JavaScriptCode.literal.short(name)))"
    case .member(let path): "pm.response.json()" + (path.members ?? "")
    case .other: "undefined"
    }
  }

  /// Whether a part can be had.
  static func isSaid(_ part: ExportedPart) -> Bool {
    switch part {
    case .body, .status, .header: true
    case .member(let path): path.steps != nil
    case .other: false
    }
  }

  /// The lines of a check; `nil` where Postman can't be asked that.
  func lines(of check: ExportedCheck) -> [String]? {
    guard let statement = statement(check) else { return nil }
    let name = JavaScriptCode.literal.short(check.line)
    return ["pm.test(\(name), function () {", "    \(statement)", "});"]
  }

  private func statement(_ check: ExportedCheck) -> String? {
    switch (check.subject, check.predicate) {
    case (.part(.status), .equal):
      guard let code = check.expected.literal, code.allSatisfy(\.isNumber) else { break }
      return "pm.response.to.have.status(\(code));"
    case (.part(.header(let name)), .isTrue):
      return "pm.response.to.have.header(\(JavaScriptCode.literal.short(name)));"
    case (.part(.header(let name)), .equal):
      let words = [JavaScriptCode.literal.short(name), expression(check.expected)]
      return "pm.response.to.have.header(\(words.joined(separator: ", ")));"
    default: break
    }
    return subject(check.subject).flatMap { subject in
      claim(check).map { "pm.expect(\(subject)).\($0);" }
    }
  }

  private func subject(_ subject: ExportedCheck.Subject) -> String? {
    switch subject {
    case .duration: "pm.response.responseTime"
    case .part(.member(let path)): path.members.map { "jsonData" + $0 }
    case .part(let part): Self.isSaid(part) ? Self.value(of: part) : nil
    case .other: nil
    }
  }

  private func claim(_ check: ExportedCheck) -> String? {
    let typed = typed(check)
    switch check.predicate {
    case .equal: return "to.eql(\(typed))"
    case .notEqual: return "to.not.eql(\(typed))"
    case .greater: return "to.be.above(\(typed))"
    case .greaterOrEqual: return "to.be.at.least(\(typed))"
    case .less: return "to.be.below(\(typed))"
    case .lessOrEqual: return "to.be.at.most(\(typed))"
    case .contains: return "to.include(\(expression(check.expected)))"
    case .startsWith, .endsWith:
      guard let text = check.expected.literal else { return nil }
      let pattern = text.reduce(into: "") { result, character in
        if "\\^$.|?*+()[]{}/".contains(character) { result += "\\" }
        result.append(character)
      }
      return "to.match(/\(check.predicate == .startsWith ? "^" + pattern : pattern + "$")/)"
    case .matches: return "to.match(new RegExp(\(expression(check.expected))))"
    case .isTrue: return check.line.hasSuffix("isTrue") ? "to.be.ok" : "to.exist"
    case .isFalse: return "to.not.be.ok"
    case .isNumber: return "to.be.a(\"number\")"
    case .isString: return "to.be.a(\"string\")"
    case .isBoolean: return "to.be.a(\"boolean\")"
    case .isArray: return "to.be.an(\"array\")"
    case .sha256, .sha512, .md5: return nil
    }
  }

  /// The value that is expected: JSON by its own type, all else as a text.
  private func typed(_ check: ExportedCheck) -> String {
    guard let written = check.expected.literal else { return expression(check.expected) }
    if written.count > 1, written.hasPrefix("'"), written.hasSuffix("'") {
      return JavaScriptCode.literal.short(String(written.dropFirst().dropLast()))
    }
    switch check.subject {
    case .part(.header), .part(.body): return JavaScriptCode.literal.short(written)
    default: break
    }
    // What is no JSON is a text.
    guard let tree = try? JSONTree(parsing: Array(written.utf8)) else {
      return JavaScriptCode.literal.short(written)
    }
    return tree.root.value.text
  }

  /// How Postman runs scripts.
  static let form = ScriptForm(
    program: "Postman",
    own: ["pm.", "postman.", "tests[", "responseBody", "responseCode", "responseTime"],
    shim: shim, responseShim: responseShim)

  /// What scripts of JetBrains' form find in Postman.
  private static let shim = #"""
    // What request files call `client` and `response`.
    const client = {
        global: {
            set: (name, value) => pm.collectionVariables.set(name, value),
            get: (name) => pm.collectionVariables.get(name),
            clear: (name) => pm.collectionVariables.unset(name),
            isEmpty: () => Object.keys(pm.collectionVariables.toObject()).length === 0,
        },
        test: (name, run) => pm.test(name, run),
        assert: (holds, message) => pm.expect(Boolean(holds), message).to.equal(true),
        log: (...values) => console.log(...values),
    };
    """#

  /// The rest of it, which there is after the response alone.
  private static let responseShim = #"""
    const response = {
        status: pm.response.code,
        body: (() => {
            try {
                return pm.response.json();
            } catch {
                return pm.response.text();
            }
        })(),
        headers: {
            valueOf: (name) => pm.response.headers.get(name),
            valuesOf: (name) =>
            pm.response.headers.filter((one) => one.key === name).map((one) => one.value),
        },
        contentType: { mimeType: (pm.response.headers.get("Content-Type") || "").split(";")[0] },
    };
    """#
}
