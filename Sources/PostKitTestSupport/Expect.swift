// Expectations that stand in the test and rewrite themselves.
// A static release build compiles this target too, and has no Testing.

#if canImport(Testing)
import Foundation
import Synchronization
package import Testing

/// Compares a rendered result with the literal after `is:`. `«any»` in it matches one run of text
/// within a line. With `POSTKIT_UPDATE=1` a literal that differs is rewritten in the source and the
/// test fails once, so that a recorded run is never green.
package func expect(
  _ actual: String, is expected: String, file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if TextDifference.matches(expected: expected, actual: actual) { return }
  guard TestEnvironment.isUpdating else {
    Issue.record(
      """
      the result differs; POSTKIT_UPDATE=1 rewrites the expectation.
      \(TextDifference.lines(expected: expected, actual: actual))
      """, sourceLocation: sourceLocation)
    return
  }
  do {
    let column = sourceLocation.column
    try ExpectationRewriter.shared.rewrite(
      file: file, line: sourceLocation.line, column: column, to: actual)
    Issue.record("the expectation was rewritten; run again.", sourceLocation: sourceLocation)
  } catch {
    Issue.record(
      "the expectation could not be rewritten: \(error)", sourceLocation: sourceLocation)
  }
}

/// Rewrites literals in source files; remembers how earlier rewrites moved the lines below them.
final class ExpectationRewriter: Sendable {
  static let shared = ExpectationRewriter()

  /// A source file that can't be rewritten.
  struct Unwritable: Error, CustomStringConvertible {
    let description: String
  }

  /// For each file the rewritten places in the numbering of the compiled source.
  private let moves = Mutex<[String: [(line: Int, column: Int, added: Int)]]>([:])

  /// Puts the actual text in place of the expected one.
  func rewrite(file: String, line: Int, column: Int, to actual: String) throws {
    try moves.withLock { moves in
      let known = moves[file] ?? []
      guard !known.contains(where: { $0.line == line && $0.column == column }) else {
        throw Unwritable(description: "it is used for several cases with different results")
      }
      let shift = known.filter { $0.line < line }.reduce(0) { $0 + $1.added }
      let source = try String(contentsOfFile: file, encoding: .utf8)
      let result = try ExpectationRewriter.replacing(
        in: source, line: line + shift, column: column, with: actual)
      try result.write(toFile: file, atomically: true, encoding: .utf8)
      let added = result.utf8.count(of: 10) - source.utf8.count(of: 10)
      moves[file] = known + [(line, column, added)]
    }
  }

  /// The source with the literal after `is:` of the call at a line and column from 1 replaced.
  static func replacing(
    in source: String, line: Int, column: Int, with actual: String
  ) throws -> String {
    let bytes = Array(source.utf8)
    var at = 0
    for _ in 1..<max(line, 1) {
      guard let end = bytes[at...].firstIndex(of: 10) else { break }
      at = end + 1
    }
    let indent = bytes[at...].prefix { $0 == 32 }.count
    at += column - 1
    guard let literal = literalAfterLabel(bytes, from: at) else {
      throw Unwritable(description: "there is no string literal after `is:`")
    }
    let text = render(actual, indent: indent + 2)
    return String(
      decoding: bytes[..<literal.lowerBound] + Array(text.utf8) + bytes[literal.upperBound...],
      as: UTF8.self)
  }

  /// The literal that renders a text: multi-line unless it is short and plain.
  static func render(_ text: String, indent: Int) -> String {
    let isPlain = !text.contains("\n") && !text.contains("\"") && !text.contains("\\")
    if isPlain, text.utf8.count + indent < 80 { return "\"\(text)\"" }
    let mark = text.contains("\\") || text.contains("\"\"\"") ? "#" : ""
    let blanks = String(repeating: " ", count: indent)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let body = lines.map { $0.isEmpty ? "" : blanks + $0 }.joined(separator: "\n")
    return "\(mark)\"\"\"\n\(body)\n\(blanks)\"\"\"\(mark)"
  }

  private static func literalAfterLabel(_ bytes: [UInt8], from start: Int) -> Range<Int>? {
    var at = start
    var isWanted = false
    while at < bytes.count {
      if let literal = literal(bytes, at: at) {
        if isWanted { return literal }
        at = literal.upperBound
      } else {
        if bytes[at...].starts(with: Array("is:".utf8)) {
          isWanted = true
          at += 3
        } else {
          if isWanted, bytes[at] != 32, bytes[at] != 10 { return nil }
          at += 1
        }
      }
    }
    return nil
  }

  private static func literal(_ bytes: [UInt8], at start: Int) -> Range<Int>? {
    let hashes = bytes[start...].prefix { $0 == UInt8(ascii: "#") }.count
    let quote = UInt8(ascii: "\"")
    guard start + hashes < bytes.count, bytes[start + hashes] == quote else { return nil }
    let isLong = bytes[(start + hashes)...].starts(with: [quote, quote, quote])
    let marks = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let closing = [UInt8](repeating: quote, count: isLong ? 3 : 1) + marks
    let escape = [UInt8(ascii: "\\")] + marks
    var at = start + hashes + (isLong ? 3 : 1)
    while at < bytes.count {
      if bytes[at...].starts(with: closing) { return start..<at + closing.count }
      at += bytes[at...].starts(with: escape) ? escape.count + 1 : 1
    }
    return nil
  }
}

extension Sequence where Element == UInt8 {
  fileprivate func count(of byte: UInt8) -> Int { reduce(0) { $0 + ($1 == byte ? 1 : 0) } }
}
#endif
