// The cache against its absence: after any edit, the same diagnostics.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

private let pieces = [
  "###", "\n", "\n\n", "### a\n", "# @name b\n", "@x = 1\n", "@x = {{y}}\n", "@y = {{x}}\n",
  "GET https://a.test/{{x}}\n", "GET /\n", "GET https://a.test/{{a.response.body.$.t}}\n",
  "X-A: {{user}}{{y}}\n", "@host = {{x}}.test\n", "@y = 2\n", "X-B: {{$dotenv x}}\n",
  "{{z}}", "> {% %}\n@z = 1\n", "# @prompt y\n", "{{", "}}", "é", "< ./f\n", "# @ref b\n",
  "X-C: {{a.response.body.$.*}}{{aResponse.status}}\n", "@w = {{a.response.body.$.t}}\n",
  "{{w}}{{response.body.$.t}}", "X-D: {{$xpath:a //t}}{{$xpath //t}}\n",
  "# @loop for t of a.response.body.$.l\n", "# @env-json-key y a.b\n",
  "# @file-to-variable x ./f\n",
  "# @env-header-key x\n",
]

/// A text with one random change.
private func edited(_ bytes: [UInt8], _ random: inout RepeatableGenerator) -> [UInt8] {
  if random.oneIn(3) { return random.mutated(bytes) }
  var result = bytes
  let starts = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
  let at = random.oneIn(4) ? random.int(in: 0..<bytes.count + 1) : random.pick(starts)
  result.insert(contentsOf: Array(random.pick(pieces).utf8), at: at)
  return result
}

struct DiagnosticsCacheTests {
  @Test(arguments: 0..<20)
  func `Cached diagnostics are those without a cache`(seed: Int) {
    var random = RepeatableGenerator(seed: UInt64(seed))
    var bench = Bench()
    if seed % 2 == 1 { bench.description = ShopDescription.text }
    var bytes = Array(pieces.shuffled(using: &random).joined().utf8)
    var cache = DiagnosticsCache()
    var ids: [String: String] = [:]
    var previous: ParsedDocument?
    for step in 0..<60 {
      if bytes.count > 2_000 { bytes.removeSubrange(0..<1_000) }
      bytes = edited(bytes, &random)
      if random.oneIn(10) { bench.environment = bench.environment == nil ? "dev" : nil }
      if random.oneIn(10) { bench.files = bench.files.isEmpty ? ["./f"] : [] }
      if random.oneIn(10) {
        let name = random.pick(["a", "b", ""])
        ids[name] = ids[name] == nil ? "\(step)" : nil
        let body = random.pick(["{}", #"{"t": "v1", "l": [1, 2]}"#, "<t>1</t>"])
        bench.exchanges[name] = ids[name] == nil ? nil : Bench.exchange(body, headers: [:])
        bench.exchangeSecrets = random.oneIn(2) ? ["v1"] : []
      }
      let limit = random.oneIn(4) ? 3 : 1_000
      var analysis = bench.analysis(bytes, reusing: previous)
      analysis.exchangeIDs = ids
      previous = analysis.document
      let cached = analysis.diagnostics(limit: limit, reusing: &cache)
      var fresh = bench.analysis(bytes)
      fresh.exchangeIDs = ids
      let plain = fresh.diagnostics(limit: limit)
      #expect(cached == plain, "step \(step): \(String(decoding: bytes, as: UTF8.self))")
      if cached != plain { return }
    }
  }

  @Test func `An edit of one request looks at no other`() {
    let block = "###\nGET https://a.test/{{login.response.body.$.id}}\n"
    var cache = DiagnosticsCache()
    let looks = Looks()
    let counting = Bench().typing(into: block, &cache).inContext {
      $0.exchange = { name in
        looks.note(name)
        return nil
      }
    }
    _ = counting.diagnostics(limit: 1_000, reusing: &cache)
    #expect(looks.names == ["login"])
  }

  @Test func `A new response looks at the requests that read it`() {
    var bench = Bench()
    var text = "@t = {{b.response.body.$.t}}\n"
    for name in ["a", "b", "c"] {
      text += "\n### \(name)\nGET https://a.test/{{\(name).response.body.$.t}}\n"
    }
    text += "\n###\nGET https://a.test/{{t}}\n\n###\nGET https://a.test/{{bResponse.body.$.t}}\n"
    for name in ["a", "b", "c"] {
      bench.exchanges[name] = Bench.exchange(#"{"t": 1}"#, headers: [:])
    }
    var cache = DiagnosticsCache()
    var first = bench.analysis(text)
    first.exchangeIDs = ["a": "1", "b": "1", "c": "1"]
    _ = first.diagnostics(limit: 1_000, reusing: &cache)
    let looks = Looks()
    let read = first.context.exchange
    var second = first.inContext {
      $0.exchange = { name in
        looks.note(name)
        return read(name)
      }
    }
    second.exchangeIDs = ["a": "1", "b": "2", "c": "1"]
    _ = second.diagnostics(limit: 1_000, reusing: &cache)
    #expect(Set(looks.names) == ["b", "bResponse"])
  }

  @Test(arguments: [
    ("@a = 1", "@a = 2", ["a"]), ("@a = 1", "", ["a"]), ("@c = {{b}}", "@c = {{b}}{{a}}", ["c"]),
    // A definition that stands in the value of another is a part of it.
    ("@b = 1", "@b = 22", ["b", "c"]), ("@d = 1", "@d = 2", []),
  ] as [(String, String, [String])])
  func `An edit of a definition looks at the requests that use it`(
    written: String, instead: String, users: [String]
  ) {
    let bench = Bench()
    var text = "@a = 1\n@b = 1\n@c = {{b}}\n@d = 1\n"
    for name in ["a", "b", "c"] {
      text += "\n### \(name)\nGET https://a.test/{{$processEnv SEEN_\(name)}}/{{\(name)}}\n"
    }
    var cache = DiagnosticsCache()
    let first = bench.analysis(Array(text.utf8))
    _ = first.inContext { $0.processEnvironment = { _ in "x" } }
      .diagnostics(limit: 1_000, reusing: &cache)
    let edited = text.replacing(written, with: instead)
    let second = bench.analysis(Array(edited.utf8), reusing: first.document)
    let looks = Looks()
    let counting = second.inContext {
      $0.processEnvironment = { name in
        looks.note(name)
        return "x"
      }
    }
    _ = counting.diagnostics(limit: 1_000, reusing: &cache)
    #expect(looks.names == users.map { "SEEN_\($0)" })
  }
}
