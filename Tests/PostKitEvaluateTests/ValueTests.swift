// Dynamic values, dates, response references and redirects.

import PostKitEvaluate
import PostKitHTTP
import Testing

@Suite struct ValueTests {
  private func value(_ reference: String, _ laboratory: Laboratory = Laboratory()) -> String {
    let text = laboratory.lower("POST http://t.test/\nContent-Type: text/plain\n\n{{\(reference)}}")
      .text
    return text.components("\n\n")
  }

  @Test(
    "dynamic values",
    arguments: [
      ("$timestamp", "1770271628"), ("$timestamp -1 d", "1770185228"),
      ("$timestamp 1 M", "1772690828"), ("$timestampMs", "1770271628009"),
      ("$isoTimestamp", "2026-02-05T06:07:08.009Z"),
      ("$datetime iso8601", "2026-02-05T06:07:08.009Z"), ("$datetime", "2026-02-05T06:07:08.009Z"),
      ("$datetime rfc1123", "Thu, 05 Feb 2026 06:07:08 GMT"),
      ("$datetime \"dd-MM-yyyy\"", "05-02-2026"), ("$datetime \"YYYY/MM/DD\" -1 d", "2026/02/04"),
      ("$datetime 'DD-MM-YY HH:mm'", "05-02-26 06:07"), ("$datetime 'h:mm A'", "6:07 AM"),
      ("$localDatetime iso8601", "2026-02-05T07:07:08+01:00"),
      ("$localDatetime rfc1123", "Thu, 05 Feb 2026 07:07:08 +0100"), ("$date", "2026-02-05"),
      ("$processEnv USER_X", "ada"), ("$processEnv MISSING", ""), ("$env.USER_X", "ada"),
      ("$dotenv NAME", "from dotenv"), ("$dotEnv NAME", "from dotenv"), ("$randomInt 5 5", "5"),
      ("$projectRoot", "/project"), ("$historyFolder", "/project/.postkit/responses"),
      ("$nosuch", "{{$nosuch}}"),
    ])
  func dynamic(_ reference: String, _ expected: String) {
    var laboratory = Laboratory()
    laboratory.processEnvironment = ["USER_X": "ada"]
    laboratory.files = [".env": "NAME=from dotenv\n"]
    #expect(value(reference, laboratory) == expected)
  }

  @Test(
    "random values keep their bounds",
    arguments: [
      "$randomInt", "$randomInt -3 0", "$randomInt 0 -3", "$random.integer(5)",
    ])
  func bounds(_ reference: String) throws {
    let number = try #require(Int(value(reference)))
    #expect((-3..<1_000).contains(number))
  }

  @Test func `random texts have the length asked for`() {
    #expect(value("$random.alphabetic(12)").count == 12)
    let digits = value("$random.hexadecimal(16)")
    #expect(digits.count == 16 && !digits.contains { !$0.isHexDigit })
    #expect(value("$uuid").count == 36)
  }

  @Test(
    "leap days and years before 1970 are right",
    arguments: [
      (Int64(951_782_400_000), "2000-02-29"), (-1, "1969-12-31"),
      (253_402_300_799_000, "9999-12-31"),
      (4_107_542_400_000, "2100-03-01"),
    ])
  func dates(_ milliseconds: Int64, _ expected: String) {
    let date = CivilDate(milliseconds: milliseconds)
    #expect(DateFormat.custom("YYYY-MM-DD", date) == expected)
    #expect(date.milliseconds == milliseconds)
  }

  @Test(
    "patterns of dates",
    arguments: [
      ("YYYY-MM-DD[T]HH:mm:ss.SSS[Z]", "2000-02-29T00:00:07.045Z"), ("[[a]]b", "[a]b"),
      ("yyyy-MM-dd 'o''clock' d", "2000-02-29 o'clock 29"), ("dd.MM.yy fff", "29.02.00 045"),
      ("dddd YYYY", "Tuesday 2000"), ("DDDDD — ü MMMM", "DDDDD — ü February"), ("yyyy '[h]'", "2000 [h]"),
    ])
  func patterns(_ pattern: String, _ expected: String) {
    let date = CivilDate(milliseconds: 951_782_407_045)
    #expect(DateFormat.custom(pattern, date) == expected)
  }

  @Test(
    "parts of an earlier exchange",
    arguments: [
      ("login.response.body.$.token", "T-1"), ("login.response.body.$.user.id", "7"),
      ("login.response.body.token", "T-1"), ("login.response.body.$.items[?(@.n==2)].id", "b"),
      ("login.response.body.$.items[0]", "{\"id\":\"a\",\"n\":1}"),
      ("login.response.body.$.big", "12345678901234567890"), ("login.response.body.$.none", "null"),
      ("login.response.headers.X-Session", "s-9"), ("login.response.headers['x-session']", "s-9"),
      ("login.response.status", "201"), ("login.response.cookies.sid.value", "abc"),
      ("login.request.body.$.who", "ann"), ("login.request.method", "POST"), ("login.token", "T-1"),
      ("login.response.body.$.absent", "{{login.response.body.$.absent}}"),
    ])
  func references(_ reference: String, _ expected: String) {
    var laboratory = Laboratory()
    laboratory.exchanges["login"] = Laboratory.exchange(
      """
      {"token":"T-1","user":{"id":7},"items":[{"id":"a","n":1},{"id":"b","n":2}],
       "big":12345678901234567890,"none":null}
      """,
      headers: [
        "Content-Type": "application/json", "X-Session": "s-9", "Set-Cookie": "sid=abc; Path=/",
      ], requestBody: "{\"who\":\"ann\"}")
    #expect(value(reference, laboratory) == expected)
  }

  @Test func `a mask is never sent`() {
    var laboratory = Laboratory()
    var exchange = Laboratory.exchange("{\"token\":\"\(SecretMask.text)\"}")
    exchange.isRedacted = true
    laboratory.exchanges["login"] = exchange
    let lowered = laboratory.lower("GET http://t.test/{{login.response.body.$.token}}")
    #expect(lowered.text == "error: unresolved-variable")
  }

  @Test(
    "redirects",
    arguments: [
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "PUT", "GET"), (307, "POST", "POST"),
      (308, "PUT", "PUT"), (302, "PUT", "PUT"), (303, "HEAD", "HEAD"),
    ])
  func redirects(_ status: Int, _ method: String, _ next: String) {
    let spec = RequestSpec(
      method: method, url: "http://a.test/x/y?q", headers: ["Content-Type": "text/plain"],
      body: [.bytes([1])])
    let decision = Redirects.decide(
      after: spec, status: status, headers: ["Location": "../z"], secrets: [])
    guard case .follow(let request) = decision else {
      Issue.record("not followed")
      return
    }
    #expect(request.method == next)
    #expect(request.url == "http://a.test/z")
    #expect(request.body.isEmpty == (next == "GET"))
  }

  @Test func `another origin gets no secrets`() {
    let spec = RequestSpec(
      method: "GET", url: "http://a.test/",
      headers: ["Authorization": "Bearer t", "X-Key": "k=hush-hush", "X-Other": "1"])
    for location in ["http://b.test/", "https://a.test/", "http://a.test:81/"] {
      guard
        case .follow(let next) = Redirects.decide(
          after: spec, status: 302, headers: ["Location": location], secrets: ["hush-hush"])
      else {
        Issue.record("not followed")
        continue
      }
      #expect(next.headers.fields.map(\.name) == ["X-Other"])
    }
  }
}

extension String {
  /// What follows the first separator.
  fileprivate func components(_ separator: String) -> String {
    firstRange(of: separator).map { String(self[$0.upperBound...]) } ?? ""
  }

  @Test(
    "values that double within values are stopped before they fill the memory",
    arguments: [(uses: 2, bytes: 1_000_000), (uses: 9, bytes: 1)])
  func doubling(_ uses: Int, _ bytes: Int) {
    let last = String(repeating: "x", count: bytes)
    let definitions = (0..<9).map { number in
      "@v\(number)=\(String(repeating: "{{v\(number + 1)}}", count: uses))\n"
    }
    let lowered = Laboratory().lower(
      definitions.joined() + "@v9=\(last)\nPOST http://t.test/\n\n{{v0}}\n")
    #expect(lowered.spec == nil)
    #expect(lowered.problems.map(\.code) == [.syntax])
    #expect(lowered.problems.first?.message.contains("exceed 64 MB") == true)
  }

  @Test func `a method of a megabyte is refused like a URL of one`() {
    let method = String(repeating: "X", count: 1_000_000)
    let lowered = Laboratory().lower("\(method) http://t.test/\n")
    #expect(lowered.problems.map(\.code) == [.syntax])
  }
}
