// Bodies by their type: files and encodings, forms, multipart, line ends (PK-16 to PK-20, PK-98).

import PostKitEvaluate
import PostKitHTTP
import Testing

private let form = "POST http://t.test/\nContent-Type: application/x-www-form-urlencoded\n\n"

@Suite struct BodyTests {
  private static func body(
    _ source: String, _ laboratory: Laboratory = Laboratory()
  ) -> String {
    laboratory.lower(source).text
      .split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
      .joined()
  }

  @Test(
    "included text is decoded and sent as UTF-8 (PK-98)",
    arguments: [
      ("latin1", [0x67, 0xFC, 0x6E], "gün"), ("ISO-8859-1", [0xE9], "é"), ("binary", [0xE9], "é"),
      ("iso-8859-15", [0xA4, 0xE9], "€é"), ("windows-1252", [0x80, 0x93, 0xE9], "€“é"),
      ("cp1252", [0x99], "™"), ("ascii", [0x41, 0xC1], "A\u{FFFD}"),
      ("utf8", [0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é"), ("utf-16le", [0xE9, 0, 0x41, 0], "éA"),
      ("utf16be", [0, 0xE9, 0xD8, 0x3D, 0xDE, 0], "é😀"), ("ucs2", [0xFF, 0xFE, 0x41, 0], "A"),
      ("utf16", [0xFE, 0xFF, 0, 0x41], "A"), ("utf-16", [0x41, 0, 0x42], "A\u{FFFD}"),
      ("base64", [1, 2, 3], "AQID"), ("hex", [0xAB, 1], "ab01"),
    ] as [(String, [UInt8], String)])
  func encodings(_ name: String, _ bytes: [UInt8], _ expected: String) {
    var laboratory = Laboratory()
    laboratory.binaryFiles = ["f.txt": bytes]
    #expect(Self.body("POST http://t.test/\n\n<@\(name) f.txt", laboratory) == expected)
  }

  @Test func `an unknown encoding is an error that names the known ones`() throws {
    var laboratory = Laboratory()
    laboratory.files = ["f.txt": "a"]
    let failure = try #require(laboratory.lower("POST http://t.test/\n\n<@klingon f.txt").failure)
    #expect(failure.message.hasPrefix("PostKit does not know the encoding `klingon`. It reads utf-8,"))
    #expect(failure.range == 23..<30)
  }

  @Test func `references in decoded text are resolved`() {
    var laboratory = Laboratory()
    laboratory.binaryFiles = ["f.txt": [0xE9] + Array("{{x}}".utf8)]
    #expect(
      Self.body("@x = ü\nPOST http://t.test/\n\n<@latin1 f.txt", laboratory) == "éü")
  }

  @Test(
    "what a file line means depends on the dialect (PK-16)",
    arguments: [
      (DialectPreset.auto, "<a.json>", "1", "<a.txt>"),
      (.restclient, "<a.json>", "1", "<a.txt>"), (.jetbrains, "1", "1", "1"),
      (.kulala, "1", "1", "<a.txt>"), (.restnvim, "1", "<a.json>", "1"),
    ])
  func dialects(_ preset: DialectPreset, plain: String, marked: String, text: String) {
    var laboratory = Laboratory()
    laboratory.dialect = Dialect(preset)
    laboratory.files = ["a.json": "{{x}}", "a.txt": "{{x}}"]
    let head = "@x = 1\nPOST http://t.test/\nContent-Type: a/b\n\n"
    #expect(Self.body(head + "< a.json", laboratory) == plain)
    #expect(Self.body(head + "<@ a.json", laboratory) == marked)
    #expect(Self.body(head + "< a.txt", laboratory) == text)
  }

  @Test(
    "forms (PK-20)",
    arguments: [
      ("a = b c &\n d=e", "a=b%20c&d=e"), ("a=1\n&b=2", "a=1&b=2"), ("a=x\n  y&b", "a=xy&b"),
      ("a=b = c", "a=b%20=%20c"), ("a=50%&b", "a=50%26b"), ("a=100%%&b=2", "a=100%25&b=2"),
      ("a%=b=c", "a%3Db=c"), ("a=1%+1", "a=1%2B1"), ("a=1+1", "a=1+1"),
      ("a=%20%2", "a=%20%252"), ("a=ü", "a=%C3%BC"), ("a=&=b&", "a=&=b&"),
      ("# no\na=1\n// no\n&b=2", "a=1&b=2"), ("a={{x}}", "a=1%202"), ("a=x%& y", "a=x%26%20y"),
      ("", ""), ("=&==", "=&=="), ("&a&&b", "&a&&b"), ("a=1%&%=%+%%2", "a=1%26%3D%2B%252"),
      ("a=%4%%1%e9", "a=%254%251%e9"), ("a = %% ", "a=%25"), ("a=x %", "a=x%20%25"),
    ])
  func forms(_ written: String, _ expected: String) {
    #expect(Self.body("@x = 1 2\n" + form + written) == expected)
  }

  @Test func `form encoding is a knob, and a tag turns it off`() {
    var laboratory = Laboratory()
    laboratory.dialect.formEncoding = .always
    #expect(Self.body(form + "a b=c%20d+&e=/", laboratory) == "a%20b=c%2520d%2B&e=%2F")
    laboratory.dialect.formEncoding = .never
    #expect(Self.body(form + "a = b c%& d", laboratory) == "a=b c%&d")
    #expect(Self.body("# @no-auto-encoding\n" + form + "a = b c &\nd=ü") == "a=b c&d=ü")
  }

  @Test func `files between the pairs of a form are sent as they are`() {
    var laboratory = Laboratory()
    laboratory.files = ["v.txt": "x"]
    #expect(Self.body(form + "a = 1 2&b=\n< v.txt\n&c = 3", laboratory) == "a=1%202&b=<v.txt>&c=3")
  }

  @Test(
    "what is wrong with a multipart body is told, and it is sent nevertheless (PK-19)",
    arguments: [
      ("; boundary=x", "--x\nA: b\n\nc\n--x--", nil),
      ("", "--x\nA: b\n\nc\n--x--", nil),
      ("", "a=b", "nor the body has a boundary"),
      ("; boundary=y", "--x\nA: b\n\nc\n--x--", "does not contain the boundary `y`"),
      ("; boundary=x", "--x\nA: b\n\nc", "is not closed"),
      ("; boundary=x", "--x\nA: b\nc\n--x--", "A blank line is missing"),
      ("; boundary=x", "--x\n\nc\n--x\nA: b\n--x--", "A blank line is missing"),
      ("; boundary={{b}}", "--{{b}}\nA: b\n\nc\n--{{b}}--", nil),
    ] as [(String, String, String?)])
  func multipartMistakes(_ parameter: String, _ written: String, _ mistake: String?) throws {
    let lowered = Laboratory().lower(
      "@b = x\nPOST http://t.test/\nContent-Type: multipart/mixed\(parameter)\n\n\(written)")
    let sent = written.replacing("\n", with: "\r\n").replacing("{{b}}", with: "x") + "\r\n"
    #expect(lowered.text.hasSuffix("\n\n" + sent))
    #expect(lowered.problems.count == (mistake == nil ? 0 : 1))
    guard let mistake else { return }
    #expect(lowered.problems.first?.message.contains(mistake) == true)
    #expect(lowered.problems.first?.code.rawValue == "multipart-boundary")
  }

  @Test func `a multipart body that is a file has its own boundaries`() {
    let lowered = Laboratory().lower(
      "POST http://h/\nContent-Type: multipart/form-data; boundary=b\n\n< ./body.bin\n")
    #expect(!lowered.problems.contains { $0.code.rawValue == "multipart-boundary" })
  }

  @Test func `a boundary that the header lacks is taken from the body (PK-19)`() {
    let source = "POST http://t.test/\nContent-Type: multipart/form-data\n\n"
    #expect(
      Laboratory().lower(source + "--a b\nX: y\n\nz\n--a b--").spec?.headers.first("Content-Type")
        == "multipart/form-data; boundary=\"a b\"")
    #expect(
      Laboratory().lower(source + "--a-b\nX: y\n\nz\n--a-b--").spec?.headers.first("Content-Type")
        == "multipart/form-data; boundary=a-b")
  }

  @Test func `parts may hold files, parts and what looks like structure`() {
    var laboratory = Laboratory()
    laboratory.files = ["f.bin": "F"]
    let head = "POST http://t.test/\nContent-Type: multipart/form-data; boundary=o\n\n"
    let lines = [
      "--o", "Content-Type: multipart/mixed; boundary=i", "", "--i", "A: b", "", "< f.bin", "--i--",
      "--o", "C: d", "", "# kept", "GET http://t.test/ HTTP/1.1", ">> x", "", "--o--",
    ]
    let sent = lines.map { $0 == "< f.bin" ? "<f.bin>" : $0 }.joined(separator: "\r\n") + "\r\n"
    #expect(Self.body(head + lines.joined(separator: "\n"), laboratory) == sent)
  }

  @Test func `a record in a file is ended, but not twice (PK-22)`() {
    var laboratory = Laboratory()
    laboratory.files = ["ended": "{}\n", "open": "{}"]
    let head = "POST http://t.test/\nContent-Type: application/x-ndjson\n\n"
    #expect(Self.body(head + "{}\n< ended", laboratory) == "{}\n<ended>")
    #expect(Self.body(head + "< open", laboratory) == "<open>\n")
  }

  @Test func `line ends are LF unless a knob says otherwise`() {
    let source = "POST http://t.test/\r\nContent-Type: text/plain\r\n\r\na\r\nb\nc"
    var laboratory = Laboratory()
    #expect(laboratory.lower(source).text.hasSuffix("\n\na\nb\nc"))
    laboratory.dialect.bodyLineEnding = .carriageReturnLineFeed
    #expect(laboratory.lower(source).text.hasSuffix("\n\na\r\nb\r\nc"))
    laboratory.dialect.bodyLineEnding = .asWritten
    #expect(laboratory.lower(source).text.hasSuffix("\n\na\r\nb\nc"))
  }

  @Test func `the end mark of httpYac keeps the blank lines before it, elsewhere it is text`() {
    let head = "POST http://t.test/\nContent-Type: text/plain\n\n"
    var laboratory = Laboratory()
    laboratory.dialect = Dialect(.httpyac)
    #expect(Self.body(head + "a\n\n\n<--->", laboratory) == "a\n\n")
    for preset in DialectPreset.allCases where preset != .httpyac {
      laboratory.dialect = Dialect(preset)
      #expect(Self.body(head + "a\n\n<--->", laboratory) == "a\n\n<--->")
    }
  }

  @Test func `a type is invented only where the dialect does so (PK-100)`() {
    var laboratory = Laboratory()
    laboratory.files = ["a.json": "1"]
    #expect(laboratory.lower("POST http://t.test/\n\n[1]").text == "POST http://t.test/\n\n[1]")
    laboratory.dialect = Dialect(.kulala)
    for body in ["[1]", "< a.json"] {
      let spec = laboratory.lower("POST http://t.test/\n\n\(body)").spec
      #expect(spec?.headers.first("Content-Type") == "application/json")
    }
    #expect(laboratory.lower("POST http://t.test/\n\na").text == "POST http://t.test/\n\na")
  }

  @Test func `in text a blank after an angle bracket begins a file only before a path (PK-99)`() {
    let head = "POST http://t.test/\nContent-Type: text/plain\n\n"
    #expect(Self.body(head + "a\n< 5\nb") == "a\n< 5\nb")
    #expect(Self.body(head + "a\n< ./none.txt") == "")
    #expect(Laboratory().lower(head + "< none.txt").text == "error: file-not-found")
  }

  @Test func `definitions at the end of a body are no part of it (PK-26)`() {
    let head = "POST http://t.test/\nContent-Type: text/plain\n\n"
    #expect(Self.body(head + "a\n\n@b = 1\n# c\n@d := 2") == "a")
    #expect(Self.body(head + "a\n@b = 1\n\nc") == "a\n@b = 1\n\nc")
  }
}
