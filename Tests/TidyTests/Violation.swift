// What a check found, said so that one can go there and mend it.

import PostKitTestSupport
import Testing

/// One place that breaks a rule.
struct Violation: Hashable, CustomStringConvertible {
  /// The path from the root of the repository.
  let path: String
  /// The line from 1; 0 means the file as a whole.
  let line: Int
  /// The rule, in words.
  let rule: String

  /// Such as `Sources/A/B.swift:3: has no doc comment`.
  var description: String { line > 0 ? "\(path):\(line): \(rule)" : "\(path): \(rule)" }

  /// Fails the test with all violations, one a line.
  static func expectNone(_ violations: [Violation]) {
    let list = violations.map(\.description).joined(separator: "\n")
    #expect(violations.isEmpty, "\(violations.count) violations\n\(list)")
  }
}
