// Requests taken out of a file are sent as they were in it.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct RequestSplitterTests {
  /// Reads one file as an import does.
  private func requests(_ source: String) -> (requests: [ImportedRequest], warnings: [String]) {
    let file = TransferFile(path: "a.http", bytes: Array(source.utf8))
    let result = RequestFolderReader().read(file, name: "a")
    return (result.collection.requests, result.warnings)
  }

  private func texts(_ source: String) -> String {
    requests(source).requests.map(\.source).joined(separator: "----\n")
  }

  @Test func `each has the definition that holds where it stands`() {
    expect(
      texts(
        """
        @host = http://a.test
        ### one
        GET {{host}}/1

        ### two
        @host = http://b.test
        GET {{host}}/2

        ### three
        GET {{host}}/3

        """),
      is: """
        ### one
        @host = http://a.test
        GET {{host}}/1

        ----
        ### two
        @host = http://b.test
        GET {{host}}/2

        ----
        ### three
        @host = http://b.test
        GET {{host}}/3

        """)
  }

  @Test func `what another request answers is asked of it still`() {
    expect(
      texts(
        """
        @host = http://a.test
        @bearer = Bearer {{login.response.body.token}}

        ### login
        POST {{host}}/login

        ### use
        GET {{host}}/use
        Authorization: {{bearer}}

        """),
      is: """
        ### login
        @host = http://a.test
        POST {{host}}/login

        ----
        ### use
        @host = http://a.test
        @bearer = Bearer {{login.response.body.token}}
        GET {{host}}/use
        Authorization: {{bearer}}

        ### login
        POST {{host}}/login


        """)
  }

  @Test func `what is said for all requests of a file goes into each`() {
    expect(
      texts(
        """
        import ./base.http
        @request_timeout = 9

        ### Shared
        X-Shared: {{team}}

        ### one
        # @ref first
        GET http://a.test/1

        ### first
        GET http://a.test/first

        """),
      is: """
        ### Shared
        @request_timeout = 9
        X-Shared: {{team}}

        ### one
        import ./base.http
        # @ref first
        GET http://a.test/1

        ### first
        GET http://a.test/first
        ----
        ### Shared
        @request_timeout = 9
        X-Shared: {{team}}

        ### first
        import ./base.http
        GET http://a.test/first

        """)
  }

  @Test func `a file that is read into a body may need any name of the file`() {
    let result = requests(
      "@a = 1\n@b = 2\n### one\nPOST http://a.test\n\n<@ ./body.json\n\n### two\nGET /two\n")
    #expect(result.requests[0].source.contains("@a = 1\n@b = 2\n"))
    #expect(result.requests[1].source.contains("# kept") == false && result.warnings == [])
  }

  @Test func `how a file is read goes with each of its requests`() {
    let result = requests("# @dialect kulala\n\n### one\nGET http://a.test\n\n### two\nGET /\n")
    #expect(result.requests.map(\.dialect) == ["kulala", "kulala"] && result.warnings == [])
    let own = requests("# @dialect kulala\nGET http://a.test\n\n### two\nGET /\n")
    #expect(own.requests.map(\.dialect) == [nil, "kulala"])
  }

  @Test func `what is kept as a comment is told with its line and begins no request`() {
    let result = requests(
      "### notes\n# about\n@unused = 1\n\n### one\nGET /1\n\n### two\nGET /2\n")
    #expect(
      result.requests[0].source
        == "### one\n# kept: ### notes\n# about\n# kept: @unused = 1\nGET /1\n\n")
    #expect(
      result.warnings == [
        "a.http:1: text between the requests becomes a comment of the first, 2 more "
          + "lines of the file too."
      ])
  }

  @Test(arguments: DialectPreset.allCases)
  func `every request of any file is built as it was in the file`(_ preset: DialectPreset) throws {
    var (count, changed) = (0, 0)
    for seed in 0..<100 {
      var random = RepeatableGenerator(seed: UInt64(seed))
      let source = "# @dialect \(preset.rawValue)\n" + random.chainedFile()
      let original = ParsedDocument(bytes: Array(source.utf8))
      let places = Set(
        Dialect(preset).sharesBlocks
          ? original.sharedBlocks.filter(\.isPlaceholder).map(\.index) : [])
      let blocks = original.blocks.filter { $0.isRunnable && !places.contains($0.index) }
      let (split, warnings) = requests(source)
      guard original.blocks.count > 1, !blocks.isEmpty else { continue }
      try #require(split.count == blocks.count, "\(preset) seed \(seed)\n\(source)")
      for (block, request) in zip(blocks, split) where block.isRequest {
        let reading = FileReading(
          preset: request.dialect.flatMap(DialectPreset.init(rawValue:)) ?? .auto)
        let text = reading.document(request.source.keptBytes, format: .http)
        let main = try #require(
          text.mainRequest(sharesBlocks: reading.dialect(of: text).sharesBlocks))
        let (before, after) = (built(block, original), built(main, text, reading))
        count += 1
        if before == after { continue }
        changed += 1
        // What can't be kept is told, with the place.
        let line = original.line(at: block.requestLine.lowerBound) + 1
        #expect(
          warnings.contains { $0.hasPrefix("a.http:\(line): this request") },
          "\(preset) seed \(seed)\n\(source)\n-----\n\(request.source)")
      }
    }
    #expect(count > 100 && changed * 100 <= count, "\(changed) of \(count)")
  }

  private static let nothing = "nothing is sent"

  /// The request that is sent, with the codes of what is doubtful, and the requests it reads.
  private func built(
    _ block: ParsedBlock, _ document: ParsedDocument, _ reading: FileReading = FileReading()
  ) -> String {
    let scope = Scope(
      document: document, environments: EnvironmentSet(sources: [], active: nil),
      dialect: reading.dialect(of: document))
    let context = EvaluationContext(
      now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 7 }, processEnvironment: { _ in nil },
      readFile: { _ in .bytes(Array("{{a}} {{b}} {{c}}".utf8)) }, resolvePath: { $0 },
      exampleServer: { nil }, exchange: { _ in nil })
    let lowered = Lowering.lower(
      block, evaluator: Evaluator(context: context, scope: scope),
      defaults: RequestDefaults(userAgent: "test"))
    let definitions = block.variables.map(\.line)
    var search = ReadingSearch(scope)
    let needed = block.references.filter { reference in
      !definitions.contains { $0.contains(reference.range.lowerBound) }
    }.flatMap { reference in
      search.requests(
        readBy: reference.expression, at: block.absolute(reference.range).lowerBound)
    }.map { document.blocks[$0.block].caption }
    // What is wrong may be told in other words where a name is defined nowhere or by itself.
    guard let spec = lowered.spec else { return RequestSplitterTests.nothing }
    return "\(spec) \(lowered.problems.map { "\($0.code)" }) \(Set(needed).sorted())"
  }
}

extension RepeatableGenerator {
  /// A file of requests that say much by each other.
  fileprivate mutating func chainedFile() -> String {
    var text = ""
    for _ in 0..<int(in: 0..<4) { text += definition() }
    if oneIn(4) { text += "fragment F on T { {{a}} }\n" }
    for number in 0..<int(in: 1..<5) {
      if oneIn(5) { text += "### Shared\nX-Shared: {{\(name())}}\n\n" }
      if oneIn(6) { text += "###\n" + definition() + definition() + "\n" }
      text += "### r\(number)\n"
      for _ in 0..<int(in: 0..<2) { text += definition() }
      if oneIn(5) { text += "# @ref r\(int(in: 0..<4))\n" }
      text += "POST http://t.test/{{\(name())}}?q={{\(name())}}\n"
      if oneIn(2) { text += "X-A: {{\(name())}} {{r\(int(in: 0..<4)).response.body.x}}\n" }
      if oneIn(2) {
        let json = "{\"x\": \"{{\(name())}}\"}"
        text += "\n" + pick(["<@ ./f.txt", "< ./f.json", json, "text"]) + "\n"
      }
      if oneIn(3) { text += "\n" + definition() }
      text += "\n"
    }
    return text
  }

  private mutating func name() -> String { pick(["a", "b", "c"]) }

  private mutating func definition() -> String {
    let value = pick(["1", "2", "x{{\(name())}}", "{{\(name())}}y", "{{r0.response.body.t}}"])
    return "@\(name()) \(pick(["=", "=", ":="])) \(value)\n"
  }
}
