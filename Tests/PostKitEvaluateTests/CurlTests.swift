// Curl commands as requests (PK-30).

import PostKitEvaluate
import PostKitHTTP
import Testing

@Suite struct CurlTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var command: String
    var expected: String
    var testDescription: String { command }

    init(_ command: String, _ expected: String) {
      self.command = command
      self.expected = expected
    }
  }

  private static let laboratory: Laboratory = {
    var laboratory = Laboratory()
    laboratory.files = ["d.txt": "a=1\r\n&b 2\n", "h.pem": "x", "k.pem": "x", "p.PNG": "png"]
    return laboratory
  }()

  private static let typed = "Content-Type: application/x-www-form-urlencoded"

  @Test(
    "a command becomes a request",
    arguments: [
      Case("curl http://t.test/a", "GET http://t.test/a"),
      Case("$ curl t.test", "GET http://t.test"),
      Case("curl -XDELETE http://t.test/", "DELETE http://t.test/"),
      Case("curl --request=PATCH --url http://t.test/", "PATCH http://t.test/"),
      Case("curl -I http://t.test/", "HEAD http://t.test/"),
      Case("curl -sSLi -H'A: b' http://t.test/", "GET http://t.test/\nA: b"),
      Case(
        "curl http://t.test/ \\\n  -H 'A: b' \\\n  -H \"C: \\\"d\\\" \\$e\" -H F\\ G", "error: malformed-header"),
      Case(
        "curl http://t.test/ \\\r\n  -H \"C: \\\"d\\\" \\$e \\x\" -H 'E;' -H 'accept: x/y'",
        "GET http://t.test/\nC: \"d\" $e \\x\nE: \naccept: x/y"),
      Case("curl http://t.test/?a=1&b=2", "GET http://t.test/?a=1&b=2"),
      Case("curl -d a=1 -d 'b=  2' http://t.test/", "POST http://t.test/\n\(typed)\n\na=1&b=  2"),
      Case(
        "curl -X PUT https://t.test/1 -H 'A: b' --data '{\"k\":  1}'",
        "PUT https://t.test/1\nA: b\n\(typed)\n\n{\"k\":  1}"),
      Case("curl -d 'a\r\nb' http://t.test/", "POST http://t.test/\n\(typed)\n\na\nb"),
      Case("curl -d @d.txt http://t.test/", "POST http://t.test/\n\(typed)\n\na=1&b 2"),
      Case("curl --data-binary @d.txt http://t.test/", "POST http://t.test/\n\(typed)\n\n<d.txt>"),
      Case("curl --data-raw @d.txt http://t.test/", "POST http://t.test/\n\(typed)\n\n@d.txt"),
      Case(
        "curl --data-urlencode 'a=b c&ü' --data-urlencode '=x y' --data-urlencode 'p q' "
          + "--data-urlencode n@d.txt http://t.test/",
        "POST http://t.test/\n\(typed)\n\na=b+c%26%C3%BC&x+y&p+q&n=a%3D1%0D%0A%26b+2%0A"),
      Case("curl -G -d a=1 -d b=2 'http://t.test/?c'", "GET http://t.test/?c&a=1&b=2"),
      Case("curl --url-query 'a=b c' http://t.test/", "GET http://t.test/?a=b+c"),
      Case(
        "curl --json '{\"a\":' --json '1}' http://t.test/",
        "POST http://t.test/\nContent-Type: application/json\nAccept: application/json\n\n{\"a\":1}"),
      Case("curl -u ann:p:q http://t.test/", "GET http://t.test/\nAuthorization: Basic YW5uOnA6cQ=="),
      Case("curl -u ann http://t.test/", "error: syntax"),
      Case("curl -b 'a=1' -b b=2 http://t.test/", "GET http://t.test/\nCookie: a=1;b=2"),
      Case(
        "curl -A me -e http://r/ --oauth2-bearer t -r 0-9 http://t.test/",
        "GET http://t.test/\nUser-Agent: me\nReferer: http://r/\nAuthorization: Bearer t\n"
          + "Range: bytes=0-9"),
      Case("curl -H 'Content-Type:' -d a http://t.test/", "POST http://t.test/\n\na"),
      Case("curl -T d.txt http://t.test/", "PUT http://t.test/\n\n<d.txt>"),
      Case("curl --path-as-is http://t.test/a/../b", "GET http://t.test/a/../b"),
      Case("curl $'http://t.test/' --data-raw $'a\\n\\'\\u00e9\\x41'", "POST http://t.test/\n\(typed)\n\na\n'éA"),
      Case("curl http://t.test/ # a 'remark", "GET http://t.test/"),
      Case("curl -d @none http://t.test/", "error: file-not-found"),
      Case("curl -d 'a", "error: syntax\nerror: syntax"), Case("curl -s", "error: syntax"),
      Case("curl --digest -u a:b http://t.test/", "GET http://t.test/"),
      Case("curl --anyauth -u a:b http://t.test/", "error: protocol-unsupported"),
      Case("curl http://t.test/ -H", "error: curl-option"),
      Case("curl -m soon http://t.test/", "error: syntax"),
    ])
  func lowers(_ example: Case) {
    #expect(Self.laboratory.lower(example.command).text == example.expected)
  }

  @Test func `a form is set as curl sets it`() throws {
    let text = Self.laboratory.lower(
      "curl -F 'a=b;c' -F 'f=@p.PNG' -F 'g=@d.txt;type=x/y;charset=z;filename=\"q.\"' "
        + "-F 'h=<d.txt' --form-string 'i=@j' -F 'k=\"l;m\";type=n/o' http://t.test/"
    ).text
    let mark = try #require(text.firstRange(of: "boundary="))
    let boundary = String(text[mark.upperBound...].prefix { $0 != "\n" })
    #expect(boundary.count == 40)
    let expected = [
      "--B", "Content-Disposition: form-data; name=\"a\"", "", "b;c", "--B",
      "Content-Disposition: form-data; name=\"f\"; filename=\"p.PNG\"", "Content-Type: image/png",
      "", "<p.PNG>", "--B", "Content-Disposition: form-data; name=\"g\"; filename=\"q.\"",
      "Content-Type: x/y;charset=z", "", "<d.txt>", "--B",
      "Content-Disposition: form-data; name=\"h\"", "", "<d.txt>", "--B",
      "Content-Disposition: form-data; name=\"i\"", "", "@j", "--B",
      "Content-Disposition: form-data; name=\"k\"", "Content-Type: n/o", "", "l;m", "--B--", "",
    ].joined(separator: "\r\n")
    #expect(
      text.replacing(boundary, with: "B")
        == "POST http://t.test/\nContent-Type: multipart/form-data; boundary=B\n\n" + expected)
  }

  @Test func `references stand anywhere and never split a word`() {
    #expect(
      Laboratory().lower(
        "@h = http://t.test\n@v = a b\"'&c\n"
          + "curl {{h}}/{{$randomInt 1 2}} -H \"X: {{v}}\" -d '{\"a\":{{v}}}'"
      ).text == "POST http://t.test/1\nX: a b\"'&c\n\(Self.typed)\n\n{\"a\":a b\"'&c}")
  }

  @Test func `options of the transfer`() throws {
    let settings = Self.laboratory.lower(
      "curl -k -x socks5://p:1 --http2 -m 1.5 --connect-timeout 2 --max-redirs 3 --no-location "
        + "--cacert h.pem -E 'h.pem:secret' --key k.pem --compressed http://t.test/"
    ).settings.options
    var expected = TransferOptions()
    expected.verifiesTLS = false
    expected.proxy = "socks5://p:1"
    expected.httpVersion = .http2
    expected.totalTimeoutMilliseconds = 1_500
    expected.connectTimeoutMilliseconds = 2_000
    expected.redirectLimit = 3
    expected.followsRedirects = false
    expected.certificateAuthorityFile = "h.pem"
    expected.clientCertificateFile = "h.pem"
    expected.clientKeyPassphrase = "secret"
    expected.clientKeyFile = "k.pem"
    #expect(settings == expected)
  }

  @Test(
    "what has no counterpart is told and left out",
    arguments: [
      ("--retry 3", 21..<30), ("--nope", 21..<27), ("http://b", 21..<29),
      ("| jq .", 21..<27), ("> out", 21..<26), ("-b jar.txt", 24..<31), ("-f", 21..<23),
    ])
  func leftOut(_ words: String, _ range: Range<Int>) throws {
    let lowered = Laboratory().lower("curl http://t.test/a \(words)")
    #expect(lowered.spec?.url == "http://t.test/a")
    let problem = try #require(lowered.problems.first)
    #expect(problem.code.rawValue == "curl-option")
    #expect(problem.severity == .warning)
    #expect(problem.range == range)
  }
}
