// Lists of curl commands become requests, whichever shell they were written for.

import Testing

@testable import PostKitTransfer

@Suite struct CurlImportTests {
  private func read(
    _ text: String, files: [String: OriginFileAnswer] = [:]
  ) throws -> ImportedText {
    try ImportedText.read(CurlImporter.self, ("calls.sh", text), files: files)
  }

  @Test func `each command is a request, and other commands are told with their line`() throws {
    let read = try read(
      """
      #!/bin/sh
      # List users
      # All of them.
      curl -s https://a.test/users?a=1&b=2;
      echo "curl https://no.test"; curl 'https://a.test/x' \\
        -X DELETE && curl.exe b.test # gone

      # curl -H 'Authorization: Bearer secret' https://a.test
      $ curl https://a.test/last
      """)
    #expect(read.collection.root.name == "calls")
    #expect(
      read.requests.map { "\($0.method) \($0.target)" } == [
        "GET https://a.test/users?a=1&b=2", "DELETE https://a.test/x", "GET http://b.test",
        "GET https://a.test/last",
      ])
    #expect(read.requests.map(\.id) == [
        "GET https://a.test/users #1", "DELETE https://a.test/x #1", "GET http://b.test #1",
        "GET https://a.test/last #1",
      ])
    #expect(read.requests.map(\.name) == ["List users", "", "", ""])
    #expect(read.requests[0].description == "All of them.")
    #expect(read.codes == [.itemMalformed])
    #expect(read.notes[0].place == "calls.sh:5")
    #expect(read.notes[0].message == "`echo` is no curl command and is left out.")
  }

  @Test func `credentials and cookies become secrets`() throws {
    let read = try read(
      """
      curl -u ann:p-1 -b 'sid=s-1; t=t-1' https://a.test/a
      curl -H 'Authorization: Bearer t-2' -H 'X-Token: k' https://a.test/b
      curl --digest -u ann:p-2 https://a.test/c
      curl --oauth2-bearer t-3 https://u:p-4@a.test/d
      curl -u ann https://a.test/e
      """)
    #expect(
      read.requests.map(\.auth) == [
        .basic(user: "ann", password: "p-1"), .bearer(token: "t-2", prefix: "Bearer"),
        .digest(user: "ann", password: "p-2"), .bearer(token: "t-3", prefix: "Bearer"),
        .none,
      ])
    #expect(read.requests[0].headerLines == ["Cookie: sid={{sid}}; t={{t}}"])
    #expect(read.requests[1].headerLines == ["X-Token: {{xToken}}"])
    #expect(read.requests[2].headerLines == [])
    #expect(
      read.collection.shared.map { "\($0.name)=\($0.value?.text ?? "")" }
        == ["sid=s-1", "t=t-1", "xToken=k", "authorization=Basic YW5u"])
    #expect(!read.notes.contains { $0.message.contains("s-1") || $0.message.contains("YW5u") })
    #expect(read.codes.contains(.authPartial))
  }

  @Test func `bodies are what curl sends`() throws {
    let files: [String: OriginFileAnswer] = [
      "b.txt": .bytes(Array("a\r\nb\n".utf8)), "../x": .outside,
    ]
    let read = try read(
      #"""
      curl --json '{"a":"{{b}}"}' http://h/1
      curl -d a=1 -d 'b=x y' http://h/2
      curl -d @b.txt http://h/3
      curl --data-binary @b.txt http://h/4
      curl --data-urlencode 'q=a b&c' -G http://h/5?z
      curl -F 'f=@d/p.png;type=image/x' -F 't=<b.txt' -F 'u=v' http://h/6
      curl -T up.bin http://h/7
      curl -d @../x http://h/8
      curl -d $'\xff' http://h/9
      curl -G -d q=1 'http://h/10?#f'
      """#, files: files)
    let requests = read.requests
    #expect(requests[0].body == .text(OriginText(literal: #"{"a":"{{b}}"}"#)))
    #expect(requests[0].headerLines == ["Content-Type: application/json", "Accept: application/json"])
    #expect(requests[1].bodyText == "a=1&b=x y")
    #expect(requests[1].headerLines == ["Content-Type: application/x-www-form-urlencoded"])
    #expect(requests[1].metadata == ["no-auto-encoding"])
    #expect(requests[2].bodyText == "ab")
    #expect(requests[2].metadata == [])
    #expect(requests[3].body == .file("b.txt"))
    #expect(requests[4].target == "http://h/5?z&q=a+b%26c")
    #expect(requests[9].target == "http://h/10?q=1")
    guard case .multipart(let parts) = requests[5].body else {
      Issue.record("The body has no parts.")
      return
    }
    #expect(
      parts.map(\.content) == [
        .file("d/p.png"), .text(OriginText(literal: "a\r\nb\n")), .text(OriginText(literal: "v")),
      ])
    #expect(parts.map(\.fileName) == ["p.png", nil, nil])
    #expect(parts.map(\.contentType) == ["image/x", nil, nil])
    #expect(requests[6].method == "PUT")
    #expect(requests[6].body == .file("up.bin"))
    #expect(requests[7].body == .none)
    #expect(read.codes == [.fileOutside])
    #expect(requests[8].body == .bytes([255], ending: ".bin"))
  }

  @Test func `options become tags, others are told without their values`() throws {
    let read = try read(
      """
      curl -k -m 5 --connect-timeout 2 --http2 -x http://p:1 --max-redirs 3 --no-location http://h/
      curl --frobnicate=s-1 --limit-rate s-2 -E c.pem:s-3 -x http://u:s-4@p http://h/[1-3] | jq
      """)
    #expect(
      read.requests[0].metadata == [
        "insecure", "timeout 5 s", "connection-timeout 2 s", "curl-http2", "proxy http://p:1",
        "curl-max-redirs 3", "no-redirect",
      ])
    #expect(read.requests[1].metadata == ["curl-cert c.pem"])
    #expect(read.codes.allSatisfy { $0 == .curlOption })
    #expect(
      read.notes.map(\.message) == [
        "`--frobnicate` is no option of curl and is left out.",
        "`--limit-rate` has no counterpart and is left out.",
        "What the shell does with the answer, such as a pipe, is left out.",
        "The URL stands for several, which curl would ask for one by one.",
        "The password of the certificate is left out.",
        "The proxy is left out, as its URL has credentials.",
      ])
  }

  @Test func `files of options, several URLs and --next make further requests`() throws {
    let file = """
      # defaults
      header = "X-A: \\"1\\""
      user-agent: tool
      -X PUT
      """
    let read = try read(
      "curl -K o.txt http://h/1 http://h/2 --next -d x http://h/3\ncurl -K none http://h/4",
      files: ["o.txt": .bytes(Array(file.utf8))])
    #expect(
      read.requests.map { "\($0.method) \($0.target)" } == [
        "PUT http://h/1", "PUT http://h/2", "POST http://h/3", "GET http://h/4",
      ])
    #expect(read.requests[0].headerLines == ["X-A: \"1\"", "User-Agent: tool"])
    #expect(read.requests[2].headerLines == ["Content-Type: application/x-www-form-urlencoded"])
    #expect(read.codes == [.fileMissing])
  }

  @Test func `commands for Windows and PowerShell are read, too`() throws {
    let read = try read(
      #"""
      curl "https://a.test/w?x=1&y=2" ^
        -H "accept: */*" ^
        -H ^"x-q: ^\^"Chromium^\^";v=^\^"1^\^" 100^%^" ^
        --data-raw ^"^{^\^"a^\^":1^}^

      end^"
      curl.exe "https://a.test/p" `
        -H "x-q: `"a`"" -H 'it''s: b' `
        -d '{"a":1}'
      curl $'https://a.test/\u0061' -H "x: it's \"q\""
      """#)
    #expect(read.requests.map(\.target) == [
      "https://a.test/w?x=1&y=2", "https://a.test/p", "https://a.test/a",
    ])
    #expect(read.requests[0].headerLines == [
      "accept: */*", #"x-q: "Chromium";v="1" 100%"#,
      "Content-Type: application/x-www-form-urlencoded",
    ])
    #expect(read.requests[0].bodyText == "{\"a\":1}\nend")
    #expect(read.requests[1].headerLines == [
      "x-q: \"a\"", "it's: b", "Content-Type: application/x-www-form-urlencoded",
    ])
    #expect(read.requests[1].bodyText == #"{"a":1}"#)
    #expect(read.requests[2].headerLines == ["x: it's \"q\""])
    #expect(read.notes.isEmpty)
  }

  @Test func `what is no list of commands is not taken for one`() throws {
    for (text, isList) in [
      ("# a\n\n  curl x", true), ("$ curl x", true), ("curl.exe x", true), ("CURL x", true),
      ("curly x", false), ("echo\ncurl x", false), ("", false), ("{}", false),
    ] {
      let source = OriginSource(name: "a", bytes: Array(text.utf8))
      #expect(CurlImporter.recognises(source) == isList, "\(text)")
    }
    #expect(
      ImportedText.failure(CurlImporter.self, "a.sh", "curl -s\necho\ncurl 'x")
        == "a.sh has no curl command with a URL.")
    #expect(try read("curl http://h/\n$ ").requests.count == 1)
    let broken = try read("curl http://h/\ncurl 'http://h/\n")
    #expect(broken.requests.count == 1)
    #expect(broken.notes.map(\.message) == ["A quote of this command is not closed."])
    #expect(broken.notes.map(\.place) == ["calls.sh:2"])
  }

  @Test func `what the shell puts in is told, and what stands in single quotes is not`() throws {
    let read = try read(
      #"""
      curl "http://h/$A/${B:-x}" -H 'X: $C' -H "Y: \$D $(date) $" --data $'it\'s $E' $A
      curl 'http://h/{a}' "http://h/${F}" -g
      """#)
    let told = read.notes.filter { $0.code == .templateUnsupported }
    let names = told.compactMap { $0.message.split(separator: "`").dropFirst().first }
    #expect(names == ["$A", "${B:-x}", "$(…)", "${F}"])
    #expect(told.map(\.place) == ["calls.sh:1", "calls.sh:1", "calls.sh:1", "calls.sh:2"])
    #expect(!read.codes.contains(.curlOption))
  }

  @Test func `a request target has no counterpart`() throws {
    let read = try read("curl --request-target '*' http://h/ -X OPTIONS")
    #expect(
      read.notes.map(\.message) == ["`--request-target` has no counterpart and is left out."])
  }
}
