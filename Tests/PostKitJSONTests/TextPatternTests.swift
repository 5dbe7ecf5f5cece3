// Regular expressions as JavaScript writes them, and patterns that were made to take forever.

import PostKitJSON
import Testing

struct TextPatternTests {
  /// Whether a pattern is found; the mistake's text where it is none.
  private func search(_ pattern: String, _ text: String) -> String {
    do throws(TextPattern.Mistake) {
      return try TextPattern(pattern).isFound(in: text).map { "\($0)" } ?? "too long"
    } catch {
      return error.explanation
    }
  }

  @Test(
    "found", arguments: [
      ("", ""), ("", "abc"), ("b", "abc"), ("^abc$", "abc"), ("a.c", "xaxcx"), ("h.h", "häh"),
      ("a|b|c", "xxc"), ("^(?:ab|cd)+$", "abcdab"), ("^(ab)*$", ""), ("^a{2,3}$", "aaa"),
      ("^a{2}$", "aa"), ("^a{2,}$", "aaaa"), ("^a+?b*?$", "aab"), ("^(?<year>\\d{4})-", "2026-01"),
      ("[a-c]", "zb"), ("[^a-c]", "abz"), ("[a-]", "-"), ("[-a]", "-"), ("[^]", "\n"),
      ("[\\d.]+$", "1.5"), ("[\\w-]+", "a-b"), ("\\bcat\\b", "a cat!"), ("\\Bat", "cat"),
      ("\\s\\S\\s", "\tx\u{3000}"), ("\\D\\W", "a!"), ("\\u00e4", "ä"),
      ("\\u{1F600}", "😀"), ("^.$", "😀"), ("\\x41", "A"), ("\\t\\n\\r\\f\\v\\0", "\t\n\r\u{C}\u{B}\0"),
      ("\\p{Lu}\\P{Lu}", "Ab"), ("a{,2}", "a{,2}"), ("{}", "{}"), ("]", "]"), ("\\/\\.\\-", "/.-"),
      ("(?i)STRASSE|ÄH", "häh"), ("(?i)[a-c]x", "BX"), ("(|a)b", "b"), ("a(?:)b", "ab"),
      ("[\\b]", "\u{8}"), ("$", "x"), ("^", "x"), ("a$|b", "ab"),
    ])
  func found(_ pattern: String, _ text: String) {
    #expect(search(pattern, text) == "true", "\(pattern)")
  }

  @Test(
    "not found", arguments: [
      ("b", "ac"), ("^b", "ab"), ("a$", "ab"), ("a.c", "a\nc"), ("^a{2,3}$", "aaaa"), ("[]", "a"),
      ("\\bcat\\b", "concat"), ("\\Bcat", "a cat"), ("\\d", "٣"), ("\\w", "ä"), ("[^\\w]", "abc"),
      ("STRASSE", "strasse"), ("^.$", "ab"), ("(a|b)c", "ab"),
    ])
  func notFound(_ pattern: String, _ text: String) {
    #expect(search(pattern, text) == "false", "\(pattern)")
  }

  @Test(
    "what is no pattern, and why", arguments: [
      ("a(", "a group is not closed; add `)` (character 3)"),
      ("a)", "a `)` closes nothing (character 2)"),
      ("*", "there is nothing to repeat (character 1)"),
      ("a**", "a repeat is repeated (character 4)"), ("a{2}{3}", "a repeat is repeated (character 8)"),
      ("[a", "a character class is not closed; add `]` (character 3)"),
      ("[b-a]", "the end of a character range is below its start (character 5)"),
      ("a{3,2}", "the upper bound of a repeat is below the lower one (character 7)"),
      ("a{99999}", "a repeat exceeds 20000 times (character 9)"),
      ("a{99999999999999999999}", "a repeat exceeds 20000 times (character 24)"),
      ("a\\", "a backslash is at the end (character 3)"), ("\\q", "`\\q` is not known (character 3)"),
      ("\\xZ", "hexadecimal digits are missing (character 3)"),
      ("\\p{Zebra}", "unknown character category `Zebra` (character 10)"),
      ("(?=a)", "lookaround (`(?=`) is not supported, because its time is not bounded (character 4)"),
      ("(?<!a)", "lookaround (`(?<!`) is not supported, because its time is not bounded (character 5)"),
      ("(a)\\1", "backreferences (`\\1`) are not supported, because their time is not bounded (character 6)"),
      ("(?#a)", "this kind of group is not known (character 2)"),
      ("(a{1000}){1000}", "it is too large, since repeats are written out up to 20000 steps"),
    ])
  func mistakes(_ pattern: String, _ sentence: String) {
    #expect(search(pattern, "a") == sentence, "\(pattern)")
  }

  @Test func `Groups in groups have a limit`() {
    let pattern = String(repeating: "(", count: 10_000)
    #expect(search(pattern, "a").hasPrefix("groups are nested too deeply (character "))
  }

  @Test(
    "what makes others go back and forth for years", .timeLimit(.minutes(10)),
    arguments: [
      "^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^(.*a){20}$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$",
      "(){20000}{1,20000}", "((((){20000}){20000}){20000}){20000}", "(a?){1000}a{1000}c",
    ])
  func hostile(_ pattern: String) {
    let text = String(repeating: "a", count: 2_000) + "!"
    #expect(search(pattern, text) != "true" || pattern.hasPrefix("("))
  }

  @Test func `A large pattern on a large text is refused in time`() {
    let text = String(repeating: "a", count: 20_000)
    #expect(search("(a?){6000}b", text) == "too long")
    #expect(search("b", text) == "false")
  }
}
