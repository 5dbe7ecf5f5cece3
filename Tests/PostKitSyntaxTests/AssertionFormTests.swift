// The parts of `??` lines (PK-78).

import Libc
import Testing

@testable import PostKitSyntax

@Suite struct AssertionFormTests {
  /// The parts of an assertion in words; `nil` where it can't be read.
  private func parts(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard let form = AssertionForm(bytes, 0..<bytes.count) else { return nil }
    let subject =
      switch form.subject {
      case .status: "status"
      case .header(let name): "header(\(bytes.string(name)))"
      case .body(let member): "body(\(member.map(bytes.string) ?? ""))"
      case .duration(let part): "duration(\(part))"
      case .xpath(let path): "xpath(\(bytes.string(path)))"
      case .expression(let text): "expression(\(bytes.string(text)))"
      case .openAPI: "openapi"
      }
    let expected = form.expected.isEmpty ? "" : " (\(bytes.string(form.expected)))"
    return "\(subject) \(form.predicate)\(expected)"
  }

  @Test(arguments: [
    ("status == 200", "status equal (200)"),
    ("openapi", "openapi isTrue"),
    ("openapi == 3", "expression(openapi) equal (3)"),
    ("status === 200", "status equal (200)"),
    ("status equals 200", "status equal (200)"),
    ("status != 404", "status notEqual (404)"),
    ("status !== 404", "status notEqual (404)"),
    ("status not equals 404", "status notEqual (404)"),
    ("status > 199", "status greater (199)"),
    ("status >= 200", "status greaterOrEqual (200)"),
    ("status < 300", "status less (300)"),
    ("status <= 299", "status lessOrEqual (299)"),
    ("header content-type startsWith text", "header(content-type) startsWith (text)"),
    ("header x-id endsWith  7 8 ", "header(x-id) endsWith (7 8)"),
    ("body includes a == b", "body() contains (a == b)"),
    ("body contains c", "body() contains (c)"),
    ("body user.name exists", "body(user.name) isTrue"),
    ("body on isTrue", "body(on) isTrue"),
    ("body on isFalse", "body(on) isFalse"),
    ("body n isNumber", "body(n) isNumber"),
    ("body n isString", "body(n) isString"),
    ("body n isBoolean", "body(n) isBoolean"),
    ("body n isArray", "body(n) isArray"),
    ("body matches ^a b$", "body() matches (^a b$)"),
    ("body sha256 q==", "body() sha256 (q==)"),
    ("body sha512 q==", "body() sha512 (q==)"),
    ("body md5 q==", "body() md5 (q==)"),
    ("duration < 5", "duration(total) less (5)"),
    ("duration firstByte < 5", "duration(firstByte) less (5)"),
    ("xpath //a[@b == 'c'] == d", "xpath(//a[@b == 'c']) equal (d)"),
    ("js a.b == 3", "expression(a.b) equal (3)"),
    ("a.b == 3", "expression(a.b) equal (3)"),
    ("status == ", "status equal"),
  ])
  func `an assertion has a left side, a predicate and a value`(_ text: String, _ parts: String) {
    #expect(self.parts(text) == parts)
  }

  @Test func `of a typed line the first operator counts, of an expression the last`() {
    #expect(parts("body note == a == b") == "body(note) equal (a == b)")
    #expect(parts("js a == b == c") == "expression(a == b) equal (c)")
    #expect(parts("a contains b equals c") == "expression(a contains b) equal (c)")
  }

  @Test func `operators inside of quotes and brackets do not count`() {
    #expect(parts(#"body list[?(@.n == 1)].m == 2"#) == "body(list[?(@.n == 1)].m) equal (2)")
    #expect(parts(#"body "a == b" == 2"#) == #"body("a == b") equal (2)"#)
    #expect(parts(#"js x['a == \' == b'] == 2"#) == #"expression(x['a == \' == b']) equal (2)"#)
    #expect(parts(#"header x-{{a == b}} == 2"#) == "header(x-{{a == b}}) equal (2)")
    // What is never closed is a character like others.
    #expect(parts("body it's == 2") == "body(it's) equal (2)")
    #expect(parts("body a(b == (2") == "body(a(b) equal ((2)")
  }

  @Test func `other letters are a second choice`() {
    #expect(parts("body x Contains y") == "body(x) contains (y)")
    #expect(parts("status NOT EQUALS 3") == "status notEqual (3)")
    #expect(parts("body Equals contains y") == "body(Equals) contains (y)")
    let bytes = Array("body x istrue".utf8)
    #expect(AssertionForm(bytes, 0..<bytes.count)?.spelling == "isTrue")
  }

  @Test(arguments: [
    "", "status", "status 200", "status==200", "what is this", "== 200", "js == 3", "header == 3",
    "xpath == 3", "status code == 3", "duration lunch < 3", "status >", "body contains",
    "body matches", "body md5", "body x exists y", "header x isTrue 1",
  ])
  func `anything else is no assertion`(_ text: String) {
    #expect(parts(text) == nil)
  }

  @Test func `the time for a long line of openings grows with its length alone`() {
    // Of the processor: what others do meanwhile meets the long line alone.
    func worked() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    func nanoseconds(_ count: Int) -> Int {
      let text = "body " + String(repeating: "([{'\"", count: count) + " == 3"
      let start = worked()
      #expect(parts(text) != nil)
      return worked() - start
    }
    let short = (0..<3).map { _ in nanoseconds(2_000) }.min() ?? 0
    // A reader that looks back at each opening would take 1,600 times as long for 40 times as much.
    #expect(nanoseconds(80_000) < short * 400)
  }
}
