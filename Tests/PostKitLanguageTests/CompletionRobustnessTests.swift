// Any text, asked at every offset with all that can be known: edits of one line around the caret, no
// secret anywhere, nothing but blanks changed by typing.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

private let sample = """
  import ./b.http (@x=1, @y
  run #login (@own=
  @base = https://dev.test/{{tenant}}
  # @timeout 5 s

  ### login
  # @tag smoke
  POST {{host}}/users?a=1&b={{user}}#c HTTP/1.1
    &d
  Accept: text/plain;q=1, a/b; c
  Content-Type: application/json; charset=utf-8
  Authorization: Bearer {{token}}
  Cookie: sid=1; the

  {"name": "ü", "n": {{pin}}, "list": [{"a": 1}, {"é": "{{login.response.body.$.user[0].id}}"
  # a comment
    "open: 1, {{us
  }
  >>! ./out/a.json
  > {% client.log(1) %}

  ###
  POST {{host}}/form
  Content-Type: application/x-www-form-urlencoded

  color=red&size
  &x={{$randomInt 1 2}}

  ###
  POST {{host}}/part
  Content-Type: multipart/form-data; boundary=XX

  --XX
  Content-Disposition: form-data; name="a"

  < ./data/x.json
  --XX--
  """

private let secret = "s3cr3t-value"

private let sources: CompletionSources = {
  var sources = CompletionSources()
  sources.targets = [
    SentTarget(method: "POST", url: "https://dev.test/users?a=2&token=\(secret)"),
    SentTarget(method: "GET", url: "https://dev.test"), SentTarget(method: "GET", url: "no URL"),
    SentTarget(method: "GET", url: "https://dev.test/\(secret)/x?y=\u{2022}"),
    SentTarget(method: "", url: ""), SentTarget(method: "GET", url: "https://ü.test/ö?ä=1&&=&b"),
  ]
  sources.fields = [SentField("X-Own", secret), SentField("", ""), SentField("X-Ü", "a\nb")]
  sources.bodies = [
    SentBodies(
      method: "POST", request: Array(#"{"name": "\#(secret)", "role": "x", "": 1"#.utf8),
      response: [0xFF, 0x7B, 0x22])
  ]
  sources.cookieNames = ["sid", secret, "", "theme"]
  sources.entries = { _ in [FolderEntry("a b"), FolderEntry("ü", isFolder: true)] }
  sources.described = { _ in [DescribedText(secret), DescribedText("/d", detail: "x")] }
  return sources
}()

/// Asks at some offsets of a text, at the end among them.
private func check(
  _ bytes: [UInt8], at offsets: some Sequence<Int>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var bench = Bench()
  bench.requestFiles = ["./b.http": "### two words\nGET /{{q}}\n"]
  bench.exchanges["login"] = Bench.exchange(
    #"{"user": [{"id": "\#(secret)"}]}"#, headers: ["X-A": secret])
  let analysis = bench.analysis(bytes)
  let document = analysis.document
  for offset in Array(offsets) + [bytes.count] {
    // A caret inside of a line end belongs to the line before it.
    let line = document.lineRange(at: offset)
    let caret = min(offset, line.upperBound)
    for item in analysis.completion(at: offset, with: sources).items {
      let isAround =
        line.lowerBound <= item.replaced.lowerBound
        && item.replaced.lowerBound <= caret && caret <= item.replaced.upperBound
        && item.replaced.upperBound <= line.upperBound
      #expect(isAround, "\(item) at \(offset) of \(line)", sourceLocation: sourceLocation)
      let shown = [item.label, item.text, item.detail ?? "", item.snippet ?? "", item.filterText]
      #expect(!shown.joined().contains(secret), "\(item)", sourceLocation: sourceLocation)
    }
    _ = analysis.completionNeed(at: offset)
    if let help = SignatureHelp(document, at: offset) {
      let active = help.signatures[help.activeSignature]
      #expect(help.activeParameter < active.parameters.count, sourceLocation: sourceLocation)
      #expect(
        active.parameters.allSatisfy(active.label.contains), "\(active)",
        sourceLocation: sourceLocation)
    }
    for character in TypingEdits.triggers {
      for edit in TypingEdits.edits(
        document, after: character, at: offset, indenting: Indentation(width: 2, usesTabs: false))
      {
        let isBlank =
          bytes[edit.range].allSatisfy { $0 == 32 || $0 == 9 }
          && edit.replacement.utf8.allSatisfy { $0 == 32 || $0 == 9 }
        #expect(isBlank, "\(edit)", sourceLocation: sourceLocation)
      }
    }
    for kind in [EnvironmentSource.Kind.publicFile, .dotEnv] {
      let answer = EnvironmentFileCompletion.answer(
        bytes, of: kind, at: offset, others: [bytes], wanted: ["x"], limit: 9)
      for item in answer.items {
        let isAround = item.replaced.lowerBound <= offset && offset <= item.replaced.upperBound
        #expect(isAround, "\(item) at \(offset)", sourceLocation: sourceLocation)
      }
    }
  }
}

struct CompletionRobustnessTests {
  @Test func `Every offset of the sample has exact items without secrets, also with CRLF`() {
    check(Array(sample.utf8), at: 0..<sample.utf8.count)
    let lines = sample.split(separator: "\n", omittingEmptySubsequences: false)
    let bytes = Array(lines.joined(separator: "\r\n").utf8)
    check(bytes, at: stride(from: 0, to: bytes.count, by: 5))
  }

  @Test(arguments: 0..<16)
  func `A broken text has exact items without secrets`(seed: Int) {
    var random = RepeatableGenerator(seed: UInt64(seed))
    let whole = Array(sample.utf8)
    let start = random.int(in: 0..<whole.count)
    var bytes = Array(whole[start..<random.int(in: start..<whole.count)])
    for _ in 0..<random.int(in: 0..<8) { bytes = random.mutated(bytes) }
    check(bytes, at: (0..<40).map { _ in random.int(in: 0..<bytes.count + 1) })
  }
}
