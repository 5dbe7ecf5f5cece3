// Requests of the history as a file that runs again.

import PostKitHTTP
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct RequestFileTests {
  /// The file of some exchanges, with the remarks; `sources` are the files as they are now.
  private func file(
    _ exchanges: [Exchange], _ sources: [String: String]
  ) -> (text: String, remarks: [String]) {
    var writer = RequestFileWriter { path in sources[path].map { Array($0.utf8) } }
    var bytes = writer.head()
    for exchange in exchanges { bytes += writer.exchange(exchange, read: Sample.read) }
    return (String(decoding: bytes + writer.tail(), as: UTF8.self), writer.remarks)
  }

  @Test func `requests come with what they need from their file`() {
    let source = """
      @host = http://{{name}}.test
      @name = a
      @unused = 1
      GET {{host}}/

      ### second
      @id = 7
      POST {{host}}/{{id}}

      ### third
      @name = c
      GET {{host}}/{{$uuid}}
      """
    let result = file(
      [
        Sample.exchange(line: 4, template: "GET {{host}}/"),
        Sample.exchange(line: 8, template: "### second\n@id = 7\nPOST {{host}}/{{id}}\n\n{}\n"),
        Sample.exchange(line: 12, template: "### third\n@name = c\nGET {{host}}/{{$uuid}}"),
        Sample.exchange(file: "/b.http", line: 1, template: "GET {{name}}"),
      ], ["/project/a.http": source, "/b.http": "@name = b\r\n"])
    #expect(result.remarks == [])
    expect(
      result.text,
      is: """
        ### From a.http
        @name = a
        @host = http://{{name}}.test

        ###
        GET {{host}}/

        ### second
        @id = 7
        POST {{host}}/{{id}}

        {}

        ### third
        @name = c
        GET {{host}}/{{$uuid}}

        ### From b.http
        @name = b

        ###
        GET {{name}}


        """)
  }

  @Test func `a name that was defined anew is defined anew`() {
    let source = "@x = 1\n\n### a\nGET /{{x}}\n\n###\n@x = 2\n\n### b\nGET /{{x}}\n"
    let result = file(
      [
        Sample.exchange(line: 4, template: "### a\nGET /{{x}}"),
        Sample.exchange(line: 10, template: "### b\nGET /{{x}}"),
      ], ["/project/a.http": source])
    expect(
      result.text,
      is: """
        ### From a.http
        @x = 1

        ### a
        GET /{{x}}

        ###
        @x = 2

        ### b
        GET /{{x}}


        """)
  }

  @Test func `what credentials are made of is not taken from the file`() {
    let source = """
      @pw = literal-1
      @apiKey = verysecretliteral{{pw}}
      @host = http://a.test
      GET {{host}}/{{pw}}

      ###
      GET {{host}}/second
      Authorization: Bearer {{apiKey}}
      """
    let result = file(
      [
        Sample.exchange(line: 4, template: "GET {{host}}/{{pw}}"),
        Sample.exchange(line: 7, template: "GET {{host}}\nAuthorization: Bearer {{apiKey}}"),
      ], ["/project/a.http": source])
    #expect(result.text.contains("@apiKey = {{masked}}{{pw}}\n"))
    #expect(result.text.contains("@pw = {{masked}}\n"))
    #expect(result.text.contains("@host = http://a.test\n"))
    #expect(!result.text.contains("literal"))
    #expect(result.remarks.count == 2)
  }

  @Test func `a mask is never written as a value`() {
    let mask = SecretMask.text
    let result = file(
      [Sample.exchange(name: "a", template: "GET http://a.test\nAuthorization: Bearer \(mask)")],
      [:])
    #expect(!result.text.contains(mask))
    #expect(result.text.contains("Authorization: Bearer {{masked}}\n"))
    #expect(result.remarks.count == 2)
    #expect(result.remarks[0].contains("/project/a.http is gone"))
    #expect(result.remarks[1].contains("`a` is masked"))
  }

  @Test func `another reading goes with the file`() {
    var exchange = Sample.exchange()
    exchange.dialect = "kulala"
    #expect(file([exchange], [:]).text.hasPrefix("# @dialect kulala\n"))
  }

  @Test func `every template is a block of the file again`() {
    for seed in 0..<200 {
      var random = RepeatableGenerator(seed: UInt64(seed))
      let source = random.requestFile()
      let document = ParsedDocument(bytes: Array(source.utf8))
      let requests = document.blocks.filter(\.isRequest)
      let exchanges = requests.enumerated().map { number, block in
        Sample.exchange(
          number, line: document.line(at: block.requestLine.lowerBound) + 1,
          template: String(decoding: document.bytes[block.range], as: UTF8.self))
      }
      let text = file(exchanges, ["/project/a.http": source]).text
      let again = ParsedDocument(bytes: Array(text.utf8))
      #expect(
        again.blocks.filter(\.isRequest).map(\.methodAndTarget) == requests.map(\.methodAndTarget),
        "seed \(seed)")
    }
  }
}
