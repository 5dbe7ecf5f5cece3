// Copied calls of `Invoke-WebRequest` become requests.

import Testing

@testable import PostKitTransfer

@Suite struct PowerShellImportTests {
  private func read(_ text: String) throws -> ImportedText {
    try ImportedText.read(PowerShellImporter.self, ("calls.ps1", text))
  }

  @Test func `a call is a request with the fields of its session`() throws {
    let read = try read(
      #"""
      $session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
      $session.UserAgent = "Mozilla/5.0 (X11)"
      $session.Cookies.Add((New-Object System.Net.Cookie("sid", "s-1", "/", "a.test")))
      $session.Cookies.Add((New-Object System.Net.Cookie("b", "2", "/", "a.test")))
      Invoke-WebRequest -UseBasicParsing -Uri "https://a.test/x?y=1" `
      -Method "POST" `
      -WebSession $session `
      -Headers @{
      "authority"="a.test"
        "method"="POST"
        "path"="/x"
        "accept"="*/*"
        "x-q"="`"q`" $([char]228)$([char]55357)$([char]56832) `$x 5$"
      } `
      -ContentType "application/json" `
      -Body ([System.Text.Encoding]::UTF8.GetBytes("{`"a`":1,`n`"b`":""q""}"))
      """#)
    let request = read.requests[0]
    #expect("\(request.method) \(request.target)" == "POST https://a.test/x?y=1")
    #expect(
      request.headerLines == [
        "accept: */*", "x-q: \"q\" ä😀 $x 5$", "Content-Type: application/json",
        "User-Agent: Mozilla/5.0 (X11)", "Cookie: sid={{sid}}; b={{b}}",
      ])
    #expect(request.bodyText == "{\"a\":1,\n\"b\":\"q\"}")
    #expect(read.notes.isEmpty)
    #expect(read.collection.shared.map(\.place.description) == ["calls.ps1:5", "calls.ps1:5"])
  }

  @Test func `forms, switches and variables with literals are read`() throws {
    let read = try read(
      """
      # two calls
      $head = @{ Accept = 'a''b'; 'X' = 5 }
      $null = 1
      Invoke-RestMethod http://h/1 -Headers $head -Method post -Body @{a='b c'; d=$true} -TimeoutSec 5
      irm -Uri 'http://h/2' -Body @{q='a b'} -MaximumRedirection 0 -SkipCertificateCheck:$true; iwr http://h/3 -InFile up.bin -Method Put -Certificate x | Out-Null
      """)
    let requests = read.requests
    #expect(requests.map { "\($0.method) \($0.target)" }
      == ["POST http://h/1", "GET http://h/2?q=a%20b", "PUT http://h/3"])
    #expect(
      requests[0].headerLines
        == ["Accept: a'b", "X: 5", "Content-Type: application/x-www-form-urlencoded"])
    #expect(
      requests[0].body
        == .form([
          OriginPair(name: OriginText(literal: "a"), value: OriginText(literal: "b c")),
          OriginPair(name: OriginText(literal: "d"), value: OriginText(literal: "true")),
        ]))
    #expect(requests[0].metadata == ["timeout 5 s"])
    #expect(requests[1].metadata == ["no-redirect", "insecure"])
    #expect(requests[2].body == .file("up.bin"))
    #expect(read.notes.map(\.message)
      == ["`-certificate` of this form has no counterpart and is left out."])
  }

  @Test(arguments: [
    ("iwr $url", "1:5: Only literal values can be read here."),
    ("iwr \"http://$host/\"", "1:13: Only literal values can be read here, and `$` begins none."),
    ("iwr \"$(Get-Date)\"", "1:6: Only literal values can be read here, and `$` begins none."),
    ("irm http://h/ -Body (Get-Content x)", "1:22: Only literal values can be read here."),
    ("iwr 'x", "1:5: This text is not closed."),
    ("$x = 1\nGet-Date", "2:1: Only `Invoke-WebRequest` and its like can be read."),
    ("$s.Cookies.Add((\"a\"))", "1:15: This cookie has no name and value."),
    ("$s = New-Object Thing", "1:1: Only literal values can be read here."),
    ("$s.Other = 1", "1:1: Only literal values can be read here."),
    ("iwr http://h -Headers @{=1}", "1:25: A name or `}` is expected here."),
    ("$x 1", "1:4: `=` is expected here."),
    ("iwr " + String(repeating: "(", count: 100_000), "1:68: This is nested too deeply."),
  ])
  func `what is no literal is told with its place`(_ text: String, _ message: String) {
    #expect(ImportedText.failure(PowerShellImporter.self, "f.ps1", text) == "f.ps1:" + message)
  }

  @Test func `other scripts are not taken for calls`() {
    for (text, isCall) in [
      ("Invoke-WebRequest -Uri x", true), ("$s = 1\ninvoke-webrequest x", true),
      ("irm x", true), ("$ curl x", false), ("curl x", false), ("", false),
    ] {
      let source = OriginSource(name: "a", bytes: Array(text.utf8))
      #expect(PowerShellImporter.recognises(source) == isCall, "\(text)")
    }
  }
}
