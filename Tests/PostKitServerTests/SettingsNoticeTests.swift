// Mistakes in `postkit.json`: a message where the file is not open, diagnostics where it is.

import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SettingsNoticeTests {
  @Test func `mistakes are told once, and shown where the file is open`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("postkit.json", "{\n  \"dialekt\": \"kulala\"\n}")
    let text = """
      --> {"id":0,"method":"initialize","params":{"processId":null,"rootUri":"file://$DIR",\
      "initializationOptions":{"postkit":{"testing":true}},\
      "capabilities":{"textDocument":{"diagnostic":{}}}}}
      <-- {"id":0,"result":{}}
      --> {"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://$DIR/a.http",\
      "languageId":"http","version":1,"text":"GET http://a.test/\\n"}}}
      --> {"id":1,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"file://$DIR/a.http"}}}
      <-- {"method":"window/showMessage","params":{"type":2,"message":"$DIR/postkit.json:2:3: \
      Unknown setting `dialekt` has no effect. Did you mean `dialect`?"}}
      <-- {"id":1,"result":{"items":[]}}
      --> {"id":2,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"file://$DIR/a.http"}}}
      <-- {"id":2,"result":{"items":[]}}
      --> {"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://$DIR/postkit.json",\
      "languageId":"json","version":1,"text":"{\\"timeout\\": true}"}}}
      --> {"id":3,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"file://$DIR/postkit.json"}}}
      <-- {"id":3,"result":{"items":[{"code":"settings-file","severity":2,\
      "message":"`timeout` can't be `true` and has no effect. Write a number of milliseconds, such as `30000`.",\
      "range":{"start":{"line":0,"character":1},"end":{"line":0,"character":16}}}]}}
      --> {"id":4,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"file://$DIR/a.http"}}}
      <-- {"id":4,"result":{"items":[]}}
      --> {"id":5,"method":"shutdown"}
      <-- {"id":5,"result":null}
      --> {"method":"exit"}
      <== 0
      """
    let session = text.split(separator: "$DIR", omittingEmptySubsequences: false)
      .joined(separator: directory.path)
    try await Transcript(session).run("settings")
  }
}
