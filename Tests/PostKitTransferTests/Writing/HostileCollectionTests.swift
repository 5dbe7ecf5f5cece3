// Whatever a collection says, a written folder has its requests and no others.

import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct HostileCollectionTests {
  private typealias Sample = WrittenSample

  private static let pieces = [
    "a", "x y", "\n", "\r\n", "\r", "###", "### Evil\nGET http://evil.test/\n", "GET http://evil/",
    "> {%", "%}", "< {%", "{%", "{{", "}}", "{{x}}", "\\{\\{", "\\}\\}", "?? status == 200",
    "@x = 1", "# @name evil", "# @import ./x.http", "// ", "/*", "*/", "< ./file", ">> ./out",
    "<> ./r", "import ./x.http", "run #a", "curl http://evil/", "HTTP/1.1", " ", "\t", ":", "=",
    "&", "?", "#", "\u{0}", "\u{2028}", "\u{85}", "\u{202E}", "é", "😀", "\"", "'", "`", "$shared",
    "Shared", "NOP", "...", "%7B", "%", "\u{FEFF}", "{", "}", "--postkit-import", "===", "<!--",
    "```http", "gql q < f", "query A { a }", "\u{7F}", "multipart/form-data",
    "application/json", "text/plain", "proto < x", "client.global.set(1)", "@", "-",
  ]

  private func text(_ random: inout RepeatableGenerator, _ limit: Int = 4) -> String {
    (0..<random.int(in: 0..<limit)).map { _ in random.pick(Self.pieces) }.joined()
  }

  private func origin(_ random: inout RepeatableGenerator, _ limit: Int = 4) -> OriginText {
    random.oneIn(3)
      ? OriginText(literal: text(&random, limit)) : OriginText(text(&random, limit))
  }

  private func pairs(_ random: inout RepeatableGenerator) -> [OriginPair] {
    (0..<random.int(in: 0..<4)).map { _ in
      OriginPair(
        name: origin(&random), value: random.oneIn(4) ? nil : origin(&random),
        isOn: !random.oneIn(4), description: random.oneIn(3) ? text(&random) : "")
    }
  }

  private func variables(_ random: inout RepeatableGenerator) -> [OriginVariable] {
    (0..<random.int(in: 0..<3)).map { _ in
      Sample.variable(
        random.oneIn(2) ? "x" : text(&random), random.oneIn(5) ? nil : text(&random),
        isSecret: random.oneIn(5), isOn: !random.oneIn(5))
    }
  }

  private func body(_ random: inout RepeatableGenerator) -> OriginBody {
    switch random.int(in: 0..<8) {
    case 0: .none
    case 1, 2: .text(origin(&random, 8))
    case 3: .form(pairs(&random))
    case 4: .file(random.oneIn(3) ? nil : text(&random))
    case 5:
      .graphQL(
        query: text(&random, 8), variables: random.oneIn(2) ? nil : text(&random),
        operationName: random.oneIn(2) ? nil : text(&random))
    case 6: .messages([origin(&random), origin(&random)])
    default:
      .multipart(
        (0..<random.int(in: 0..<4)).map { _ in
          OriginPart(
            name: origin(&random),
            content: random.oneIn(3) ? .file(text(&random)) : .text(origin(&random, 8)),
            fileName: random.oneIn(2) ? text(&random) : nil,
            contentType: random.oneIn(2) ? text(&random) : nil, headers: pairs(&random),
            isOn: !random.oneIn(5))
        })
    }
  }

  private func auth(_ random: inout RepeatableGenerator) -> OriginAuth {
    switch random.int(in: 0..<6) {
    case 0: .basic(user: text(&random), password: text(&random))
    case 1: .bearer(token: text(&random), prefix: text(&random))
    case 2:
      .apiKey(
        name: text(&random), value: text(&random),
        location: random.pick([.header, .query, .cookie]))
    case 3: .other(name: text(&random), fields: variables(&random))
    case 4: .oauth2(OriginOAuth2(name: text(&random), fields: variables(&random)))
    default: .inherited
    }
  }

  private func request(_ id: Int, _ random: inout RepeatableGenerator) -> OriginRequest {
    var request = OriginRequest(
      id: "\(id)", name: text(&random), place: Sample.place, url: origin(&random))
    if random.oneIn(2) { request.url = OriginText("http://a.test/" + text(&random)) }
    request.method = random.oneIn(4) ? text(&random) : random.pick(["GET", "POST"])
    request.description = text(&random, 8)
    request.comments = random.oneIn(3) ? [text(&random)] : []
    request.tags = random.oneIn(3) ? [text(&random)] : []
    request.metadata = random.oneIn(4) ? [text(&random)] : []
    request.referenceName = random.oneIn(4) ? text(&random) : nil
    request.query = pairs(&random)
    request.headers = pairs(&random)
    if random.oneIn(2) {
      request.headers.append(
        Sample.pair(
          "Content-Type",
          random.pick(["application/json", "text/plain", "multipart/mixed; boundary=b", "{{x}}"])))
    }
    request.body = body(&random)
    request.auth = auth(&random)
    request.variables = variables(&random)
    request.pathVariables = variables(&random)
    request.scripts = (0..<random.int(in: 0..<3)).map { _ in
      OriginScript(
        phase: random.oneIn(2) ? .beforeRequest : .afterResponse, text: text(&random, 8),
        place: Sample.place)
    }
    request.checks = random.oneIn(3) ? [OriginCheck(line: text(&random), title: text(&random))] : []
    if random.oneIn(3) {
      request.examples = [
        OriginExample(
          name: text(&random), status: 200, headers: pairs(&random),
          body: Array(text(&random, 9).utf8), place: Sample.place)
      ]
    }
    return request
  }

  private func collection(_ seed: UInt64) -> OriginCollection {
    var random = RepeatableGenerator(seed: seed)
    var folders: [OriginFolder] = []
    for _ in 0..<random.int(in: 0..<3) {
      var folder = Sample.folder(
        text(&random), (0..<random.int(in: 0..<3)).map { request($0, &random) })
      folder.description = text(&random)
      folder.headers = pairs(&random)
      folder.variables = variables(&random)
      folder.auth = auth(&random)
      folders.append(folder)
    }
    let requests = (0..<random.int(in: 1..<4)).map { request($0, &random) }
    return Sample.collection(requests, folders) {
      $0.root.name = text(&random)
      $0.root.description = text(&random)
      $0.shared = variables(&random)
    }
  }

  @Test func `no text of a collection becomes a request`() {
    var (commented, known) = (0, 0)
    for seed in 0..<1_500 {
      let collection = collection(UInt64(seed))
      var options = WritingOptions()
      options.layout = WritingLayout.allCases[seed % 3]
      let written = Written(collection, options)
      let blocks = written.folder.files.flatMap(\.blocks)
      #expect(blocks.count == collection.requestCount, "seed \(seed)")
      var requests = 0
      for file in written.folder.files {
        let document = ParsedDocument(bytes: Array(file.text.utf8))
        requests += document.requests.count
        #expect(
          document.blocks.count == file.blocks.count + (file.head.isEmpty ? 0 : 1), "seed \(seed)")
        let others = document.blocks.filter { !$0.directives.isEmpty || !$0.saves.isEmpty }
        #expect(others.isEmpty, "seed \(seed)")
        // What needs no second look has the parts that a second look finds.
        if let parts = FileParts(file, file.bytes) {
          known += 1
          #expect(parts == FileParts(file.bytes), "seed \(seed)")
        }
      }
      let comments = written.notes.count {
        $0.message == "No text of a request file means this request; write it anew."
      }
      commented += comments
      #expect(requests == blocks.count - comments, "seed \(seed)")
      for attachment in written.folder.attachments where attachment.path.hasSuffix(".http") {
        #expect(ParsedDocument(bytes: attachment.bytes).requests.isEmpty, "seed \(seed)")
      }
      let paths = written.paths + written.folder.attachments.map(\.path)
      #expect(Set(paths.map { $0.lowercased() }).count == paths.count, "seed \(seed)")
      for path in paths {
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        let leading = steps.filter { $0.isEmpty || $0 == ".." || $0 == "." }
        #expect(leading.isEmpty, "seed \(seed)")
      }
    }
    // Hardly a request can't be written at all.
    #expect(commented < 150, "\(commented)")
    #expect(known > 0)
  }

  @Test func `the same collection is written the same way`() {
    for seed in 0..<100 {
      let collection = collection(UInt64(seed))
      #expect(Written(collection).folder == Written(collection).folder)
    }
  }
}
