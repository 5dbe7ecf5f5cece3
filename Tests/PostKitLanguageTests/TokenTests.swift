// What each piece of a file is painted as, and what must hold of the tokens of any text.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

/// A client that knows all names.
let everything = TokenLegend(
  types: SemanticTokenType.allCases.map(\.rawValue), modifiers: SemanticTokenModifiers.names)

/// A token with its bytes and what it is called.
struct PaintedToken: Hashable {
  var range: Range<Int>
  var label: String
}

/// Reads the numbers of tokens as a client does; `nil` where they are no tokens of the text.
func painted(
  _ data: [Int], _ bytes: [UInt8], _ encoding: PositionEncoding, _ legend: TokenLegend = everything
) -> [PaintedToken]? {
  guard data.count % 5 == 0 else { return nil }
  let lines = LineIndex(bytes)
  let converter = PositionConverter(bytes: bytes, lines: lines, encoding: encoding)
  var result: [PaintedToken] = []
  var (line, column, end) = (0, 0, 0)
  for at in stride(from: 0, to: data.count, by: 5) {
    if data[at] < 0 || data[at + 2] <= 0 { return nil }
    column = data[at] > 0 ? data[at + 1] : column + data[at + 1]
    line += data[at]
    let start = TextPosition(line: line, column: column)
    let stop = TextPosition(line: line, column: column + data[at + 2])
    let range = converter.offset(of: start)..<converter.offset(of: stop)
    // A place that the converter had to clamp or to round is none of the text.
    guard converter.position(of: range.lowerBound) == start,
      converter.position(of: range.upperBound) == stop, range.lowerBound >= end,
      legend.types.indices.contains(data[at + 3])
    else { return nil }
    end = range.upperBound
    let modifiers = legend.modifiers.indices.filter { data[at + 4] & 1 << $0 != 0 }
    result.append(
      PaintedToken(
        range: range,
        label: ([legend.types[data[at + 3]]] + modifiers.map { legend.modifiers[$0] })
          .joined(separator: ".")))
  }
  return result
}

/// The tokens of a text.
private func tokens(
  _ text: String, _ bench: Bench = Bench(), _ legend: TokenLegend = everything
) -> [PaintedToken] {
  let analysis = bench.analysis(text)
  var tokens = DocumentTokens()
  tokens.update(for: analysis, legend, .utf8)
  return painted(tokens.data, analysis.document.bytes, .utf8, legend) ?? []
}

/// The labels of a text's tokens, each behind what it paints.
private func labels(
  _ text: String, _ bench: Bench = Bench(), _ legend: TokenLegend = everything
) -> [String] {
  let bytes = Array(text.utf8)
  return tokens(text, bench, legend).map {
    "\(String(decoding: bytes[$0.range], as: UTF8.self)) \($0.label)"
  }
}

@Suite struct TokenTests {
  @Test func `Each piece of a file has its type, the same in every encoding`() throws {
    let bytes = try Golden.bytes("tokens/all.http")
    let analysis = Bench().analysis(bytes)
    let all = PositionEncoding.allCases.map { encoding in
      var tokens = DocumentTokens()
      tokens.update(for: analysis, everything, encoding)
      return painted(tokens.data, bytes, encoding)
    }
    let first = try #require(all[0])
    #expect(all.allSatisfy { $0 == first })
    Golden.check(
      CaretAnnotations.render(
        String(decoding: bytes, as: UTF8.self),
        first.map { CaretAnnotation($0.range, $0.label) }), "tokens/all.txt")
  }

  @Test func `A client gets only names that it knows, or what stands for them`() {
    let old = TokenLegend(
      types: ["type", "class", "keyword", "variable", "operator"], modifiers: ["declaration"])
    #expect(old.types == ["variable", "class", "keyword", "operator"])
    #expect(old.modifiers == ["declaration", "unresolved", "secret"])
    #expect(
      labels("# @name a\nGET /{{x}}{{host}}", Bench(), old) == [
        "# @name keyword", "a class.declaration", "{{ operator", "x variable.unresolved",
        "}} operator", "{{ operator", "host variable", "}} operator",
      ])
  }

  @Test func `A name says where its value comes from and whether it has one`() {
    func meaning(_ name: String, _ bench: Bench = Bench()) -> String? {
      labels("@own = 1\n###\n# @name a\nGET /\n\n###\nGET /{{\(name)}}", bench)
        .dropFirst(12).first { $0.hasPrefix(name.prefix { $0 != "." }) }
    }
    #expect(meaning("own") == "own variable")
    #expect(meaning("user") == "user variable.readonly")
    #expect(meaning("token") == "token variable.readonly.secret")
    #expect(meaning("tokn") == "tokn variable.unresolved")
    #expect(meaning("a.response.body.x") == "a label")
    #expect(meaning("b.response.body.x") == "b variable.unresolved")
    #expect(meaning("$uuid") == "$uuid function.defaultLibrary")
    #expect(meaning("$uid") == "$uid function.unresolved")
    var kulala = Bench()
    kulala.dialect = Dialect(.kulala)
    #expect(meaning("API_KEY", kulala) == "API_KEY variable.readonly.secret")
    #expect(meaning("API_KEY") == "API_KEY variable.unresolved")
  }

  @Test func `What is asked for as a secret is one wherever it is used`() {
    let text = "###\n# @secret who\n@own = {{who}}\nGET /{{who}}"
    #expect(
      labels(text).filter { $0.hasPrefix("who") } == [
        "who variable.declaration.secret", "who variable.secret", "who variable.secret",
      ])
  }

  @Test(arguments: [
    ("@a = Bearer {{token}}", true), ("@a = {{b}}\n@b = x{{token}}", true),
    ("@a = s3cr3t-value", true), ("@a = {{$processEnv API_KEY}}", true),
    ("@a = {{b}}\n@b = {{a}}", false), ("@a = {{user}}", false), ("@a = {{b}}", false),
    ("# @secret w\n@a = {{w}}", false),
  ])
  func `What has a secret in its value is one, be it by way of other names`(
    definitions: String, isSecret: Bool
  ) {
    let found = labels("\(definitions)\n###\nGET /{{a}}").last { $0.hasPrefix("a ") }
    #expect(found == (isSecret ? "a variable.secret" : "a variable"))
  }

  @Test func `A value that comes to have a secret in it changes what reads it`() {
    var cache = DocumentTokens()
    for text in [
      "@a = {{b}}\n\n###\n@b = x\n\n###\nGET /{{a}}",
      "@a = {{b}}\n\n###\n@b = {{token}}\n\n###\nGET /{{a}}",
      "@a = {{b}}\n\n###\n@b = {{user}}\n\n###\nGET /{{a}}",
      "@a = {{b}}\n\n###\n@b = s3cr3t-value\n\n###\nGET /{{a}}",
      "@a = {{b}}\n\n###\n@c = s3cr3t-value\n\n###\nGET /{{a}}",
    ] {
      let analysis = Bench().analysis(text)
      cache.update(for: analysis, everything, .utf8)
      var fresh = DocumentTokens()
      fresh.update(for: analysis, everything, .utf8)
      #expect(cache.data == fresh.data, "\(text)")
    }
  }

  @Test func `A name that only its request is asked for means nothing in others`() {
    let text = "###\n# @prompt who\nGET /{{who}}\n\n###\nGET /{{who}}"
    #expect(
      labels(text).filter { $0.hasPrefix("who") } == [
        "who variable.declaration", "who variable", "who variable.unresolved",
      ])
  }

  @Test func `A response that is only shown has its head painted, and no name`() {
    let text = "# GET http://a.test\nHTTP/1.1 404 Not Found\nA: {{b}}\n\n{\"a\": \"{{c}}\"}\n"
    let document = ParsedDocument(bytes: Array(text.utf8))
    var tokens = DocumentTokens()
    tokens.update(showing: document, everything, .utf16)
    let found = painted(tokens.data, document.bytes, .utf16) ?? []
    #expect(
      found.map { "\(String(decoding: document.bytes[$0.range], as: UTF8.self)) \($0.label)" } == [
        "# GET http://a.test comment", "HTTP/1.1 keyword", "404 number", "Not Found string",
        "A property", "{{b}} string",
      ])
  }

  @Test func `A lone carriage return ends a line for the client and a token with it`() {
    #expect(
      labels("# a\rb\nGET /") == [
        "# a comment", "b comment", "GET method.defaultLibrary", "/ string",
      ])
  }

  @Test func `A screen has the tokens of its lines`() throws {
    let bytes = try Golden.bytes("tokens/all.http")
    let analysis = Bench().analysis(bytes)
    var tokens = DocumentTokens()
    tokens.update(for: analysis, everything, .utf16)
    let all = try #require(painted(tokens.data, bytes, .utf16))
    let lines = LineIndex(bytes)
    for first in 0..<lines.lineCount {
      for last in first..<min(first + 12, lines.lineCount) {
        let (start, end) = (lines.range(ofLine: first), lines.range(ofLine: last))
        let data = DocumentTokens.data(
          in: start.lowerBound..<max(start.lowerBound, end.upperBound - 1), of: analysis.document,
          analysis, everything, .utf16)
        let here = all.filter { (first...last).contains(lines.line(at: $0.range.lowerBound)) }
        #expect(painted(data, bytes, .utf16) == here, "lines \(first) to \(last)")
      }
    }
  }
}

private let pieces = [
  "###", "\n", "\r\n", "\r", "### a😀\n", "# @name b\n", "@x = 1\n", "@x = {{y}}\n",
  "@global.y = 2\n",
  "GET https://a.test/{{x}}?a={{y}}\n", "GET /\n", "POST /{{b.response.body.$.t}}\n", "é", "😀",
  "X-A: {{user}}{{y}}\n", "{{z}}", "> {% %}\n@z = 1\n", "# @prompt y\n", "{{", "}}", "# @ref b\n",
  "# @env-json-key y a.b\n", "?? status == 200\n", "curl -X a \\\n 'b\n c'\n", "HTTP/1.1 200 OK\n",
  "# @dialect httpyac\n", "run #b (@x=1)\n", "# @loop for i of x\n", "...y\n",
]

@Suite struct TokenPropertyTests {
  @Test(arguments: 0..<12)
  func `After any edits the tokens are those of a first look, and the edits give them`(
    seed: Int
  ) throws {
    var random = RepeatableGenerator(seed: UInt64(seed))
    let encoding = PositionEncoding.allCases[seed % 3]
    var bench = Bench()
    var bytes = Array(random.requestFile().utf8)
    var cache = DocumentTokens()
    var (previous, data): (ParsedDocument?, [Int]) = (nil, [])
    var looks: [[BlockTokens]] = [[]]
    for step in 0..<60 {
      if bytes.count > 2_000 { bytes.removeSubrange(0..<1_000) }
      let at = random.int(in: 0..<bytes.count + 1)
      if random.oneIn(3) {
        bytes = random.mutated(bytes)
      } else {
        bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: at)
      }
      if random.oneIn(10) { bench.environment = bench.environment == nil ? "dev" : nil }
      let analysis = bench.analysis(bytes, reusing: random.oneIn(20) ? nil : previous)
      previous = analysis.document
      if random.oneIn(3) {
        // A look that is given up leaves no trace.
        var abandoned = analysis
        abandoned.isAbandoned = Waiting(for: random.int(in: 0..<4)).isOver
        cache.update(for: abandoned, everything, encoding)
      }
      cache.update(for: analysis, everything, encoding)
      var fresh = DocumentTokens()
      fresh.update(for: bench.analysis(bytes), everything, encoding)
      let now = cache.data
      let text = "step \(step): \(String(decoding: bytes, as: UTF8.self))"
      try #require(now == fresh.data, "\(text)")
      try #require(painted(now, bytes, encoding) != nil, "\(text)")
      let edits = DocumentTokens.edits(from: looks[0], to: cache.blocks)
      try #require(apply(edits, to: data) == now, "\(text)")
      (looks, data) = ([cache.blocks], now)
    }
  }

  @Test func `One letter typed into a large file changes a few numbers`() {
    var bytes = Array(Bench.large(300).utf8)
    let bench = Bench()
    var cache = DocumentTokens()
    var previous = bench.analysis(bytes)
    cache.update(for: previous, everything, .utf16)
    let at = bytes.count / 2
    for letter in "x\n" {
      let before = cache.blocks
      bytes.insert(contentsOf: String(letter).utf8, at: at)
      previous = bench.analysis(bytes, reusing: previous.document)
      cache.update(for: previous, everything, .utf16)
      let edits = DocumentTokens.edits(from: before, to: cache.blocks)
      #expect(edits.count <= 2)
      #expect(edits.reduce(0) { $0 + $1.data.count + $1.deleteCount } <= 60)
      let kept = zip(before, cache.blocks).filter { $0 === $1 }.count
      #expect(kept >= before.count - 2)
    }
  }

  @Test func `A definition that goes takes the meaning of its uses with it, and of nothing else`() {
    let text = Bench.large(50)
    let bench = Bench()
    var cache = DocumentTokens()
    let first = bench.analysis(text)
    cache.update(for: first, everything, .utf16)
    let before = cache.blocks
    let second = bench.analysis(
      Array(("@bas " + text.dropFirst(6)).utf8), reusing: first.document)
    cache.update(for: second, everything, .utf16)
    #expect(zip(before, cache.blocks).allSatisfy { $0 !== $1 })
    let third = bench.analysis(Array(text.utf8), reusing: second.document)
    cache.update(for: third, everything, .utf16)
    var fresh = DocumentTokens()
    fresh.update(for: bench.analysis(text), everything, .utf16)
    #expect(cache.data == fresh.data)
  }

  /// The numbers after edits, as a client makes them; `nil` where edits overlap.
  private func apply(_ edits: [TokenEdit], to data: [Int]) -> [Int]? {
    var result = data
    var end = Int.max
    for edit in edits.reversed() {
      guard edit.start >= 0, edit.start + edit.deleteCount <= min(end, result.count) else {
        return nil
      }
      result.replaceSubrange(edit.start..<edit.start + edit.deleteCount, with: edit.data)
      end = edit.start
    }
    return result
  }
}
