// Texts that were made to take all time or memory.

import PostKitJSON
import Testing

@testable import PostKitYAML

@Suite struct YAMLHostileTests {
  @Test func `aliases that grow without end are refused before they are written out`() {
    var lists = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    var mappings = "a: &a {x: 1, y: 2}\n"
    var merges = "a: &a {x: 1, y: 2}\n"
    for (last, next) in zip("abcdefghi", "bcdefghij") {
      let ten = Array(repeating: "*\(last)", count: 10).joined(separator: ", ")
      lists += "\(next): &\(next) [\(ten)]\n"
      mappings += "\(next): &\(next) {p: *\(last), q: *\(last), r: *\(last), s: *\(last)}\n"
      merges += "\(next): &\(next) {<<: [\(ten)]}\n"
    }
    #expect(problem(lists) == .expansion)
    #expect(problem(merges) == .expansion)
    #expect(problem(mappings) == .expansion || Self.output(mappings) < 4 * mappings.count + 1 << 20)
    // One text of half a mebibyte that is used again and again.
    let long = String(repeating: "x", count: 1 << 19)
    let uses = String(repeating: "- *a\n", count: 100)
    #expect(problem("- &a \(long)\n\(uses)") == .expansion)
  }

  @Test func `the work of an expansion is bounded by the size of its text`() throws {
    // Before each alias its size is known, so that no more is written than is allowed.
    var limits = YAMLLimits()
    limits.output = { _ in 100 }
    #expect(
      problem("a: &a [\(String(repeating: "1, ", count: 30))1]\nb: *a", limits: limits)
        == .expansion)
    let fits = "a: &a [1, 2]\nb: *a\nc: *a"
    #expect(try read(fits, limits: limits).tree.bytes.count <= 100)
    limits.nodes = 8
    #expect(problem(fits, limits: limits) == .expansion)
    #expect(problem("[1, 2, 3, 4, 5, 6, 7, 8, 9]", limits: limits) == .tooManyValues)
    limits.scalarBytes = 3
    #expect(problem("abcd", limits: limits) == .scalarTooLong)
  }

  @Test func `depth counts what aliases bring`() throws {
    #expect(problem(String(repeating: "[", count: 256) + String(repeating: "]", count: 256)) == nil)
    #expect(problem(String(repeating: "[", count: 257)) == .tooDeep)
    #expect(problem(String(repeating: "{a: ", count: 257)) == .tooDeep)
    #expect(problem(String(repeating: "- ", count: 257) + "a") == .tooDeep)
    var text = "a: &a []\n"
    for (last, next) in zip("abcdefgh", "bcdefghi") {
      text += "\(next): &\(next) \(String(repeating: "[", count: 40))*\(last)"
      text += String(repeating: "]", count: 40) + "\n"
    }
    #expect(problem(text) == .tooDeep)
    let opened = String(repeating: "[", count: 128)
    let closed = String(repeating: "]", count: 128)
    let fits = "- &a \(opened)\(closed)\n- \(opened.dropFirst())*a\(closed.dropFirst())"
    let tree = try read(fits).tree
    #expect(try JSONTree(parsing: tree.bytes) == tree)
    #expect(problem("- &a \(opened)\(closed)\n- \(opened)*a\(closed)") == .tooDeep)
  }

  /// Texts of a mebibyte, of which each was made so that a reader of it is slow or large.
  private static let texts: [(name: String, text: String)] = {
    let size = 1 << 20
    func filled(_ part: String) -> String {
      String(repeating: part, count: size / part.utf8.count)
    }
    func numbered(_ part: (Int) -> String) -> String {
      var text = ""
      var index = 0
      while text.utf8.count < size {
        text += part(index)
        index += 1
      }
      return text
    }
    return [
      ("brackets", filled("[")), ("braces", filled("{")), ("pairs", filled("{a: ")),
      ("dashes", filled("- ")), ("question marks", filled("? ")), ("colons", filled(": ")),
      ("closed lists", "[" + filled("[],") + "]"), ("quotes", filled("\"")),
      ("an open quote", "\"" + filled("a ")), ("an open quote of lines", "\"" + filled("\n")),
      ("escapes", "\"" + filled("\\u0000") + "\""), ("one word", filled("a")),
      ("words on lines", filled("a\n")), ("a block", "|\n" + filled(" a\n")),
      ("a folded block", ">\n" + filled(" a\n\n")), ("comments", filled("#\n")),
      ("blanks", filled(" ")), ("tabs", filled("\t")), ("documents", filled("---\n")),
      ("anchors", numbered { "- &a\($0) x\n" }), ("tags", numbered { "- !t\($0) x\n" }),
      ("equal names", filled("a: 1\n")), ("different names", numbered { "a\($0): 1\n" }),
      (
        "200 levels, opened and closed again",
        filled(String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "\n")
      ),
      ("directives", filled("%TAG !a! b\n")), ("merges", "- &a {b: 1}\n" + filled("- {<<: *a}\n")),
    ]
  }()

  @Test(arguments: texts.indices)
  func `a hostile text is read or refused`(index: Int) throws {
    let text = Self.texts[index].text
    do throws(YAMLSyntaxError) {
      let tree = try read(text).tree
      #expect(tree.bytes.count <= 8 * text.utf8.count)
      #expect(try! JSONTree(parsing: tree.bytes) == tree)
    } catch {
      #expect(error.place.offset <= text.utf8.count)
      #expect(!error.explanation.isEmpty)
    }
  }

  private static func output(_ text: String) -> Int { (try? read(text).tree.bytes.count) ?? .max }
}
