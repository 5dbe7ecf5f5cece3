// Any text, any selection: changes that can be applied, that show no secret, and that send the same
// where they promise to.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

private let sample = """
  @base = https://dev.test/{{tenant}}

  ### Log in
  # @name login
  # @timeout 5
  POST https://api.test/login?a=1&b={{user}}&c=ü x
  Content-Type: application/x-www-form-urlencoded
  Authorization: Bearer abcdefghijklmnopqrstuvwxyz
  X-A: {{nothing}} {{pin}}

  name={{user}}&n=1%202

  ?? status == 200

  ### other
  # @ref login
  GET {{host}}/x?q={{user}}
    &r={{token}}
  Content-Length: 3
  X-B: "a b"

  {"a": "{{user}}", "b": 1}
  """

/// What is sent by each request of a text; `nil` for one that can't be.
private func sent(_ bytes: [UInt8]) -> [String?] {
  let analysis = Bench().analysis(bytes)
  return analysis.document.requests.map { block in
    analysis.lowered(block).spec.map { "\($0.method) \($0.url) \($0.headers.fields) \($0.body)" }
  }
}

private func checkChanges(_ bytes: [UInt8], in range: Range<Int>) {
  let analysis = Bench().analysis(bytes)
  let files = EnvironmentFiles(
    publicFile: SourceFile(path: "/e.json", bytes: Array(Bench().sources[0].1.utf8)),
    privateFile: nil, publicPath: "/e.json", privatePath: "/p.json")
  let before = sent(bytes)
  let found = analysis.diagnostics(limit: 50)
  var changes = analysis.refactorings(in: range, files)
  changes += found.flatMap { analysis.fileFixes(for: $0, in: files) }
  changes += analysis.fixAll(found).map { [$0] } ?? []
  let kinds = analysis.refactorings(in: range, files).map { "\($0.kind) \($0.title)" }
  #expect(Set(kinds).count == kinds.count, "\(kinds)")
  for change in changes {
    if change.disabled != nil {
      #expect(change.edits.isEmpty && change.files.isEmpty)
      continue
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let after = TextEdit.apply(change.edits, to: bytes)
    #expect(after != nil, "\(change.title) of \(range) in \(text)")
    for edit in change.edits {
      let isSecret = edit.replacement.contains("s3cr3t-value") || edit.replacement.contains("4711")
      #expect(!isSecret || text.contains("4711"), "\(change.title) shows \(edit)")
    }
    for case .edits(let edits, let old) in change.files.map(\.content) {
      #expect(TextEdit.apply(edits, to: old) != nil, "\(change.title)")
    }
    let isSame = change.kind == .extract || change.kind == .inline
      || change.title == "Put each parameter on its own line" || change.title == "Put the URL on one line"
      || change.title == "Encode the URL"
    guard isSame, change.files.isEmpty, let after, !before.contains(nil) else { continue }
    #expect(sent(after) == before, "\(change.title) of \(range) in \(text)")
  }
  let all = 0..<bytes.count
  for hint in analysis.inlayHints(in: all, variables: .all) {
    #expect(hint.offset <= bytes.count)
    #expect(!hint.text.contains("s3cr3t"))
  }
}

struct ChangeRobustnessTests {
  @Test func `Every change of every place of the sample can be made`() {
    for text in [sample, sample.split(separator: "\n").joined(separator: "\r\n")] {
      let bytes = Array(text.utf8)
      for offset in stride(from: 0, to: bytes.count, by: 7) {
        checkChanges(bytes, in: offset..<offset)
      }
    }
  }

  @Test(arguments: 0..<24)
  func `Every change of a selection in a broken text can be made`(seed: Int) {
    var random = RepeatableGenerator(seed: UInt64(seed))
    var bytes = Array(sample.utf8)
    for _ in 0..<random.int(in: 0..<6) { bytes = random.mutated(bytes) }
    guard !bytes.isEmpty else { return }
    for _ in 0..<12 {
      let start = random.int(in: 0..<bytes.count)
      checkChanges(bytes, in: start..<min(bytes.count, start + random.int(in: 0..<12)))
    }
  }
}
