// From references to definitions, and from paths to files.

import PostKitEvaluate
import PostKitLanguage
import PostKitTestSupport
import Testing

/// Compares what is defined for the caret with the selections of the text, in their order, and the
/// other files' ranges with `elsewhere`.
private func checkDefinition(
  _ marked: String, elsewhere expected: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let bench = Bench()
  let text = MarkedText(marked)
  let places = bench.analysis(text.bytes).definitions(at: text.offset())
  #expect(
    places.filter { $0.path == nil }.map(\.range) == text.selections,
    sourceLocation: sourceLocation)
  let elsewhere = places.compactMap { place -> String? in
    guard let path = place.path,
      let source = bench.sources.first(where: { path == "/project/\($0.0).json" })
    else { return nil }
    return String(decoding: Array(source.1.utf8)[place.range], as: UTF8.self)
  }
  #expect(elsewhere == expected, sourceLocation: sourceLocation)
}

struct NavigationTests {
  @Test func `A variable leads to the definition in force, then to those that it covers`() {
    checkDefinition("@⏩user⏪ = a\nGET /{{1️⃣user}}\n\n###\n@user = b", elsewhere: [#""ann""#])
    checkDefinition("@⏩e⏪ =\nGET /{{e1️⃣}}")
    checkDefinition("@⏩e⏪ =\n###\nGET /{{e.x1️⃣}}")
    checkDefinition("GET /{{tok1️⃣en}}", elsewhere: [#""s3cr3t-value""#])
    checkDefinition("GET /{{nothing1️⃣}}{{$uuid}}")
    checkDefinition("GET /{{$uuid1️⃣}}")
    checkDefinition("1️⃣")
  }

  @Test func `A definition leads to itself and to what it covers`() {
    checkDefinition("@⏩us1️⃣er⏪ = a\nGET /", elsewhere: [#""ann""#])
  }

  @Test func `A variable has an implementation in each environment that gives it a value`() {
    var bench = Bench()
    bench.sources[0].1 = #"{"$shared": {"a": 0}, "dev": {"a": 1}, "prod": {"b": 2}}"#
    let sets = ["dev", "prod", "dev"].map { name in
      bench.environment = name
      return bench.analysis("").scope.environments
    }
    func implementations(_ marked: String) -> [String] {
      let text = MarkedText(marked)
      let places = bench.analysis(text.bytes).implementations(at: text.offset(), in: sets)
      #expect(places.allSatisfy { $0.origin == text.selections.first })
      return places.map { String(decoding: Array(bench.sources[0].1.utf8)[$0.range], as: UTF8.self) }
    }
    #expect(implementations("GET /⏩{{a.1️⃣x}}⏪") == ["1", "0"])
    #expect(implementations("@⏩b1️⃣⏪ = 1\nGET /") == ["2"])
    #expect(implementations("GET /{{c1️⃣}}") == [])
    #expect(implementations("1️⃣") == [])
  }

  @Test func `A path into an object leads to the member at which it was asked about`() {
    var bench = Bench()
    bench.sources[0].1 = #"{"dev": {"db": {"at": {"host": "h"}, "port": 1}, "db.x": 2}}"#
    func definitions(_ marked: String) -> [String] {
      let text = MarkedText(marked)
      let bytes = Array(bench.sources[0].1.utf8)
      return bench.analysis(text.bytes).definitions(at: text.offset()).map {
        String(decoding: bytes[$0.narrowed(in: bytes).range], as: UTF8.self)
      }
    }
    let whole = #"{"at": {"host": "h"}, "port": 1}"#
    #expect(definitions("GET /{{d1️⃣b.at.host}}") == [whole])
    #expect(definitions("GET /{{db.a1️⃣t.host}}") == [#"{"host": "h"}"#])
    #expect(definitions("GET /{{db.at.hos1️⃣t}}") == [#""h""#])
    #expect(definitions("GET /{1️⃣{ db.at.host }}") == [#""h""#])
    #expect(definitions("GET /{{db.non1️⃣e}}") == [whole])
    #expect(definitions("GET /{{db.1️⃣x}}") == ["2"])
  }

  @Test func `A reference to an answer leads to the request's name`() {
    checkDefinition("### ⏩log in⏪\nGET /\n\n###\nGET /\n\n{{login.1️⃣response.body}}")
    checkDefinition("###\n# @name ⏩a⏪\nGET /\n\n###\n# @ref a1️⃣\nGET /")
  }

  @Test func `Paths of files that exist are links`() {
    var bench = Bench()
    bench.files = ["./a b.json", "./ann.json", "./x.js"]
    let text = MarkedText(
      """
      # @file-to-variable note ⏩./ann.json⏪
      POST /

      < ⏩./a\\ b.json⏪
      < ./missing.json
      < ./{{token}}.json
      <@ ⏩./{{user}}.json⏪

      > ⏩./x.js⏪
      """)
    let links = bench.analysis(text.bytes).documentLinks()
    #expect(links.map(\.range) == text.selections)
    #expect(
      links.map(\.target)
        == ["./ann.json", "./a b.json", "./ann.json", "./x.js"].map { .file($0) })
  }

  @Test func `URLs are links, and those of requests are worked out when they are asked for`() {
    let text = MarkedText(
      """
      # @docs ⏩https://docs.test/a⏪
      GET ⏩https://a.test/é⏪

      ###
      POST ⏩{{host}}/x?a=b⏪
        &c={{user}}

      {"$schema": "⏩https://schema.test/a.json⏪", "x": "https://b.test"}

      ###
      GET ⏩{{host}}/{{token}}⏪

      ###
      GET https://user:password@a.test/

      ###
      GET /relative
      """)
    let analysis = Bench().analysis(text.bytes)
    let links = analysis.documentLinks()
    #expect(links.map(\.range) == text.selections)
    #expect(
      links.map(\.target) == [
        .url("https://docs.test/a"), .url("https://a.test/é"), .request,
        .url("https://schema.test/a.json"), .request,
      ])
    let resolved = analysis.resolvedLink(at: text.selections[2].lowerBound)
    #expect(resolved?.url == "https://dev.test/x?a=b&c=ann")
    #expect(resolved?.tooltip == "https://dev.test/x?a=b&c=ann")
    let secret = analysis.resolvedLink(at: text.selections[4].lowerBound)
    #expect(secret?.url == nil)
    #expect(secret?.tooltip == "https://dev.test/••••••")
  }

  @Test func `The URLs of an answer are links, without what only ends a sentence`() {
    let text = MarkedText(
      "# GET ⏩http://a.test/x⏪\n\n{\"u\": \"⏩https://b.test/é?c=d⏪\", \"t\": \"see "
        + "⏩https://c.test⏪.\"}\nhttps://a:b@c.test https:// xhttp ⏩http://d⏪")
    #expect(TextLinks.urls(in: text.bytes) == text.selections)
  }
}
