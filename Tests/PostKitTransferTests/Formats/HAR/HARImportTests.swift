// Captures become requests: which entries are taken, and what of them is sent again.

import Testing

@testable import PostKitTransfer

@Suite struct HARImportTests {
  private func entry(
    _ request: String, time: String = "2026-01-01T00:00:00Z", more: String = "",
    type: String = "application/json"
  ) -> String {
    """
    {"startedDateTime":"\(time)","time":1,"cache":{},"timings":{}\(more),
     "response":{"status":200,"statusText":"OK","headers":[{"name":"Set-Cookie","value":"s=1"},
      {"name":"X","value":"y"}],"content":{"mimeType":"\(type)","text":"e30=","encoding":"base64"}},
     "request":\(request)}
    """
  }

  private func read(
    _ entries: String..., options: OriginOptions = OriginOptions()
  ) throws -> ImportedText {
    let list = entries.joined(separator: ",")
    let text = #"{"log":{"version":"1.2","creator":{"name":"x"},"entries":["# + list + "]}}"
    return try ImportedText.read(HARImporter.self, ("rec.har", text), options: options)
  }

  @Test func `calls are taken in the order of time, a folder for each origin`() throws {
    let read = try read(
      entry(#"{"method":"POST","url":"http://b.test:81/x"}"#, time: "2026-01-01T02:00:00+01:00"),
      entry(#"{"method":"GET","url":"https://a.test/y?q=1%2B1&q&z="}"#, time: "2026-01-01T00:30:00Z"))
    #expect(read.collection.root.name == "rec")
    #expect(read.collection.version == "1.2")
    #expect(read.collection.root.folders.map(\.name) == ["a.test", "b.test:81"])
    #expect(
      read.collection.root.folders.flatMap(\.variables).map { "\($0.name)=\($0.value?.text ?? "")" }
        == ["host=https://a.test", "host2=http://b.test:81"])
    #expect(read.requests.map(\.target) == ["{{host}}/y?q=1%2B1&q&z=", "{{host2}}/x"])
    #expect(read.requests.map(\.id) == ["GET https://a.test/y #1", "POST http://b.test:81/x #1"])
    #expect(read.notes.isEmpty)
  }

  @Test func `what a page is made of is left out and counted`() throws {
    let picture = entry(#"{"method":"GET","url":"http://a.test/logo"}"#, type: "image/png")
    let script = entry(
      #"{"method":"GET","url":"http://a.test/app"}"#, more: #","_resourceType":"script""#)
    let call = entry(
      #"{"method":"GET","url":"http://a.test/chart"}"#, more: #","_resourceType":"xhr""#,
      type: "image/png")
    let inline = entry(#"{"method":"GET","url":"data:text/plain,x"}"#)
    let some = try read(picture, script, call, inline)
    #expect(some.requests.map(\.target) == ["{{host}}/chart"])
    #expect(some.codes == [.disabledItem])
    #expect(some.notes[0].message.hasPrefix("3 entries"))
    var options = OriginOptions()
    options.types = ["all"]
    #expect(try read(picture, script, call, options: options).requests.count == 3)
    options.types = ["image"]
    let pictures = try read(picture, script, call, options: options)
    #expect(pictures.requests.map(\.target) == ["{{host}}/logo"])
  }

  @Test func `fields of the connection go, secrets move, the rest stays`() throws {
    let read = try read(
      entry(
        #"""
        {"method":"GET","url":"https://u:p%40w@a.test/","httpVersion":"h2","headers":[
         {"name":":authority","value":"a.test"},{"name":"Host","value":"a.test"},
         {"name":"sec-ch-ua","value":"x"},{"name":"Content-Length","value":"0"},
         {"name":"Accept","value":"{{a}}"},{"name":"Cookie","value":"sid=s1; th.eme=; sid=s2"},
         {"name":"X-Api-Key","value":"k-1"}]}
        """#),
      entry(
        #"""
        {"method":"GET","url":"https://a.test/b","headers":[
         {"name":"authorization","value":"Bearer t-1"}],"cookies":[{"name":"sid","value":"s2",
         "path":"/"}]}
        """#))
    let first = read.requests[0]
    #expect(
      first.headerLines
        == ["Accept: {{a}}", "Cookie: sid={{sid}}; th.eme=; sid={{sid2}}", "X-Api-Key: {{xApiKey}}"])
    #expect(first.headers[0].value?.isLiteral == true)
    #expect(first.headers[1].value?.isLiteral == false)
    #expect(first.auth == .basic(user: "u", password: "p@w"))
    #expect(read.requests[1].auth == .bearer(token: "t-1", prefix: "Bearer"))
    #expect(read.requests[1].headerLines == ["Cookie: sid={{sid2}}"])
    #expect(
      read.collection.shared.map { "\($0.name)=\($0.value?.text ?? "")" }
        == ["sid=s1", "sid2=s2", "xApiKey=k-1"])
    #expect(read.collection.shared.allSatisfy { $0.isSecret })
    #expect(read.notes.isEmpty)
  }

  @Test func `the text of a body is the truth, its parameters count without one`() throws {
    func body(_ data: String, headers: String = "") throws -> OriginRequest {
      try read(
        entry(
          #"{"method":"POST","url":"http://a.test/","headers":["# + headers + #"],"postData":"#
            + data + "}")
      ).requests[0]
    }
    let text = try body(#"{"mimeType":"application/json","text":"{\"a\": 1.0}","params":[{"name":"x"}]}"#)
    #expect(text.body == .text(OriginText(literal: #"{"a": 1.0}"#)))
    #expect(text.headerLines == ["Content-Type: application/json"])
    let form = try body(
      #"{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a","value":"b=c"}]}"#)
    #expect(
      form.body
        == .form([OriginPair(name: OriginText(literal: "a"), value: OriginText(literal: "b=c"))]))
    let parts = try body(
      #"{"mimeType":"multipart/form-data","params":[{"name":"f","fileName":"d/x.txt","contentType":"text/plain"},{"name":"g","value":"1"}]}"#,
      headers: #"{"name":"content-type","value":"multipart/form-data"}"#)
    #expect(parts.headers.isEmpty)
    guard case .multipart(let list) = parts.body else {
      Issue.record("The body has no parts.")
      return
    }
    #expect(list.map(\.content) == [.file("d/x.txt"), .text(OriginText(literal: "1"))])
    #expect(list.map(\.fileName) == ["x.txt", nil])
    #expect(list[0].contentType == "text/plain")
    let bytes = try body(#"{"mimeType":"image/png","text":"/wA=","encoding":"base64"}"#)
    #expect(bytes.body == .bytes([255, 0], ending: ".png"))
    #expect(try body(#"{"mimeType":"","text":""}"#).body == .none)
  }

  @Test func `equal requests are one, and say how often they were sent`() throws {
    let once = #"{"method":"POST","url":"http://a.test/","postData":{"text":"1"}}"#
    let other = #"{"method":"POST","url":"http://a.test/","postData":{"text":"2"}}"#
    let read = try read(entry(once), entry(other), entry(once))
    #expect(read.requests.map(\.bodyText) == ["1", "2"])
    #expect(read.requests.map(\.id) == ["POST http://a.test/ #1", "POST http://a.test/ #2"])
    #expect(read.requests.map(\.comments) == [["Sent 2 times in the capture."], []])
  }

  @Test func `recorded answers are examples if somebody asks for them`() throws {
    var options = OriginOptions()
    let plain = try read(entry(#"{"method":"GET","url":"http://a.test/"}"#))
    #expect(plain.requests[0].examples == [])
    options.takesExamples = true
    let example = try read(
      entry(#"{"method":"GET","url":"http://a.test/"}"#), options: options
    ).requests[0].examples[0]
    #expect(example.status == 200)
    #expect(example.body == Array("{}".utf8))
    #expect(example.headers.map(\.name.text) == ["X"])
  }

  @Test func `a list of parameters counts where the URL has no query`() throws {
    let list = #""queryString":[{"name":"a b","value":"1+1"},{"name":"c","value":""}]"#
    let alone = try read(entry(#"{"method":"GET","url":"http://a.test/",\#(list)}"#))
    #expect(alone.requests[0].target == "{{host}}/?a%20b=1%2B1&c=")
    let both = try read(entry(#"{"method":"GET","url":"http://a.test/?a+b=1%2b1",\#(list)}"#))
    #expect(both.requests[0].target == "{{host}}/?a+b=1%2b1")
    #expect(both.codes == [.urlDiffersFromRaw])
  }

  @Test func `entries without a URL and members that nobody knows are told with their place`() throws {
    let read = try read(
      entry(#"{"method":"GET","url":"","postData":{}}"#), "7",
      entry(#"{"method":"GET","url":"http://a.test/","colour":1,"_own":2}"#))
    #expect(read.requests.count == 1)
    #expect(read.codes == [.itemMalformed, .itemMalformed, .memberUnknown])
    #expect(
      read.notes.map(\.place)
        == ["/log/entries/0/request", "/log/entries/1", "/log/entries/2/request/colour"])
  }

  @Test func `a WebSocket is taken with the texts that were sent`() throws {
    let read = try read(
      entry(
        #"{"method":"GET","url":"wss://a.test/s","headers":[{"name":"Upgrade","value":"websocket"}]}"#,
        more: #","_resourceType":"websocket","_webSocketMessages":[{"type":"send","opcode":1,"data":"hi"},{"type":"receive","opcode":1,"data":"ho"}]"#))
    #expect(read.requests[0].kind == .webSocket)
    #expect(read.requests[0].body == .messages([OriginText(literal: "hi")]))
    #expect(read.requests[0].headers.isEmpty)
  }

  @Test func `a request of its own is read, and other texts are not`() throws {
    let text = #"{"method":"GET","url":"http://a.test/{{x}}?y={{z}}","headers":[]}"#
    let read = try ImportedText.read(HARImporter.self, ("one.json", text))
    #expect(read.requests.map(\.target) == ["{{host}}/%7B%7Bx%7D%7D?y=%7B%7Bz%7D%7D"])
    for (text, isRead) in [
      (text, true), (#"{"log":{"entries":[]}}"#, true), (#"{"method":"GET","url":"x"}"#, false),
      ("[]", false), ("{", false), (#"{"log":{}}"#, false),
    ] {
      let source = OriginSource(name: "a", bytes: Array(text.utf8))
      #expect(HARImporter.recognises(source) == isRead)
    }
    #expect(
      ImportedText.failure(HARImporter.self, "a.har", "{\"log\":")?.hasPrefix(
        "a.har is not JSON at byte 7") == true)
    #expect(
      ImportedText.failure(HARImporter.self, "a.har", "{}")
        == "a.har is neither an HTTP Archive nor a request of one.")
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:01.5Z", 1_500),
    ("1970-01-01T01:00:00.123456+01:00", 123), ("1969-12-31T23:00:00-0100", 0), ("", nil),
    ("2026-13-01T00:00:00Z", nil), ("2026-02-30T00:00:00Z", nil), ("2026-01-01T00:00:00+1", nil),
  ] as [(String, Int64?)])
  func `times have fractions and zones`(_ text: String, _ milliseconds: Int64?) {
    #expect(HARTime.milliseconds(text) == milliseconds)
  }
}
