// The index of names against marked projects: which places mean the same.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import PostKitText
import Testing

struct ProjectIndexTests {
  @Test func `A variable of a file is named in that file alone`() {
    checkUses(
      """
      -- a.http --
      @⏩ho1️⃣st⏪ = http://a.test
      @url = {{⏩host⏪}}/x
      GET {{⏩host⏪}}/{{hosts}}
      X-A: {{%⏩host⏪}} {{ ⏩host⏪ }}

      \\{\\{host\\}\\}
      -- b.http --
      @host = http://b.test
      GET {{host}}
      -- http-client.env.json --
      {"dev": {"host": "http://dev.test"}}
      """)
  }

  @Test(arguments: ["1️⃣{{host}}", "{1️⃣{host}}", "{{host}1️⃣}", "{{host}}1️⃣", "{{1️⃣ host}}"])
  func `The braces of a reference stand for the name between them`(written: String) {
    let marked = written.replacing("host", with: "⏩host⏪")
    checkUses("-- a.http --\n@⏩host⏪ = h\nGET \(marked)/\n")
    checkUses(
      "-- a.http --\nGET \(marked)/\n-- http-client.env.json --\n"
        + #"{"dev": {"⏩host⏪": "h", "url": "{{⏩host⏪}}"}}"#)
    checkUses(
      "-- a.http --\nGET {{⏩host⏪}}/\n-- http-client.env.json --\n"
        + #"{"dev": {"⏩host⏪": "h", "url": "\#(marked)"}}"#)
    checkUses(
      "-- a.http --\nGET /\(marked.replacing("⏩host⏪", with: "o.⏩in⏪"))\n"
        + #"-- http-client.env.json --\#n{"dev": {"o": {"⏩in⏪": 1}}}"#)
  }

  @Test func `Between two references the caret is on the second`() {
    checkUses("-- a.http --\n@a = 1\n@⏩b⏪ = 2\nGET /{{a}}1️⃣{{⏩b⏪}}\n")
  }

  @Test func `A key of an environment is named in all files that see it`() {
    checkUses(
      """
      -- x/a.http --
      GET {{⏩host⏪}}
      -- x/b.http --
      @other = {{⏩ho1️⃣st⏪}}
      GET {{other}}
      -- x/own.http --
      @host = mine
      GET {{host}}
      -- x/http-client.env.json --
      {"$shared": {"⏩host⏪": "s"}, "dev": {"⏩host⏪": "d"}}
      -- x/http-client.private.env.json --
      {"dev": {"⏩host⏪": "p"}}
      -- x/.env --
      # host=no
      export ⏩host⏪ = 1
      -- y/http-client.env.json --
      {"dev": {"host": "another"}}
      -- y/c.http --
      GET {{host}}
      """)
  }

  @Test func `A folder of the workspace sees no environments of one around it`() {
    let project = Project(
      """
      -- a.http --
      GET {{ho1️⃣st}}
      -- in/b.http --
      GET {{host}}
      -- in/http-client.env.json --
      {"dev": {"host": "h"}}
      -- http-client.env.json --
      {"dev": {"host": "h"}}
      """)
    let (path, offset) = project.caret
    for (folders, expected) in [(["/p"], 4), (["/p", "/p/in"], 2), (["/p/in", "/p"], 2)] {
      let index = project.index(folders: folders)
      let found = index.meaning(in: path, at: offset).map { meaning, occurrence in
        index.uses(of: meaning, from: occurrence, in: path).flatMap(\.occurrences).count
      }
      #expect(found == expected)
    }
  }

  @Test func `What a value of an environment refers to is looked up where it is used`() {
    checkUses(
      """
      -- a.http --
      @⏩host⏪ = mine
      GET {{url}}
      -- http-client.env.json --
      {"dev": {"url": "{{⏩ho1️⃣st⏪}}/"}}
      """)
  }

  @Test func `Files that import each other see each other's variables`() {
    checkUses(
      """
      -- common.http --
      @⏩to1️⃣ken⏪ = t
      -- a.http --
      import ./common.http

      GET /{{⏩token⏪}}
      -- run.http --
      run ./a.http (@⏩token⏪ = other)
      -- alone.http --
      GET /{{token}}
      """)
  }

  @Test func `Tags define variables and use them`() {
    checkUses(
      """
      -- a.http --
      # @prompt ⏩x⏪ What?
      # @loop for item of ⏩x⏪.list
      # @disabled !⏩x⏪
      GET /{{⏩1️⃣x⏪}}{{item}}
      ?? js ⏩x⏪ == 1

      ###
      # @env-json-key ⏩x⏪ a.b
      GET /{{⏩x⏪.y}}{{$processEnv %⏩x⏪}}
      """)
    checkUses(
      """
      -- a.http --
      # @loop for ⏩it1️⃣em⏪ of x
      GET /{{⏩item⏪.a}}{{⏩item⏪[0]}}
      """)
  }

  @Test func `A global is named in all files`() {
    checkUses(
      """
      -- a.http --
      @global.⏩t1️⃣⏪ = 1
      GET /{{$global.⏩t⏪.x}}
      -- far/b.http --
      GET /{{⏩t⏪}}
      """)
  }

  @Test func `A key of a dotenv file is named by dotenv references, too`() {
    checkUses(
      """
      -- a.http --
      GET /{{$dotenv ⏩KEY⏪}}/{{⏩KEY⏪}}/{{$processEnv KEY}}
      -- .env --
      ⏩K1️⃣EY⏪=1
      -- .env.dev --
      ⏩KEY⏪=2
      """)
  }

  @Test func `Files that are sent with references resolved are looked into`() {
    checkUses(
      """
      -- a.http --
      @⏩n1️⃣⏪ = 1
      POST /

      <@ ./body.json
      -- b.http --
      POST /

      < ./raw.json
      -- body.json --
      {"n": {{⏩n⏪}}}
      -- raw.json --
      {{n}}
      """)
  }

  @Test func `A request is named by its tag, calls and references`() {
    checkUses(
      """
      -- a.http --
      ### ⏩Log in⏪
      # @name ⏩log-in⏪
      POST /

      ### use
      # @ref ⏩log-1️⃣in⏪
      GET /{{⏩login⏪.response.body.$.t}}/{{⏩loginResponse⏪.response.status}}

      ###
      run #⏩Log in⏪
      -- b.http --
      import ./a.http
      GET /{{⏩login⏪.response.body}}{{$xpath:⏩login⏪ //a}}
      -- c.http --
      GET /{{login.response.body}}
      """)
  }

  @Test func `A title is a name where there is no tag`() {
    checkUses(
      """
      -- a.http --
      ### ⏩get 1️⃣it⏪
      GET /

      ###
      GET /{{⏩getit⏪.response.body}}
      """)
  }

  @Test func `Members of objects in environments are named by paths`() {
    checkUses(
      """
      -- a.http --
      GET {{db.⏩ho1️⃣st⏪}}/{{db.port}}/{{db.⏩host⏪.x}}
      -- http-client.env.json --
      {"dev": {"db": {"⏩host⏪": "h", "port": 1, "in": {"host": 2}}, "prod": {"host": 3}}}
      """)
  }

  @Test func `A key with dots in it is one name`() {
    checkUses(
      """
      -- a.http --
      GET {{⏩d1️⃣b.host⏪}}/{{db.port}}
      -- http-client.env.json --
      {"dev": {"⏩db.host⏪": "h"}}
      """)
  }

  @Test func `A path is named wherever it leads to the same file`() {
    checkUses(
      """
      -- a.http --
      import ⏩./x/c1️⃣.http⏪
      -- x/b.http --
      # @import ⏩c.http⏪
      GET /
      -- x/c.http --
      GET /
      """)
  }

  @Test func `Where environments go before files, both mean the same`() {
    checkUses(
      """
      -- a.http --
      @⏩h1️⃣⏪ = 1
      GET /{{⏩h⏪}}
      -- http-client.env.json --
      {"dev": {"⏩h⏪": 2}}
      """, Dialect(.jetbrains))
  }

  @Test func `Highlights tell definitions from uses, and headers by their names`() {
    let text = MarkedText("@⏩x⏪ = 1\nGET /{{⏩x1️⃣⏪}}\nX-A: {{⏩x⏪}}\n\n###\nGET /\nx-a2️⃣: 2\n")
    let document = ParsedDocument(bytes: text.bytes)
    let names = FileNames(path: "/p/a.http", document: document, dialect: Dialect()) { $0 }
    let found = ProjectIndex([names]).highlights(in: "/p/a.http", at: text.offset())
    #expect(found.map(\.range) == text.selections)
    #expect(found.map(\.kind) == [.write, .read, .read])
    let headers = document.headerHighlights(at: text.offset(2))
    #expect(
      headers.map { String(decoding: text.bytes[$0.range], as: UTF8.self) } == ["X-A", "x-a"])
    #expect(headers.allSatisfy { $0.kind == .text })
  }

  @Test func `A boundary is highlighted in its header and in the lines between the parts`() {
    func found(_ marked: String) -> [String] {
      let text = MarkedText(marked)
      return ParsedDocument(bytes: text.bytes).boundaryHighlights(at: text.offset()).map {
        let line = text.bytes[..<$0.range.lowerBound].count { $0 == 10 }
        return "\(line) \(String(decoding: text.bytes[$0.range], as: UTF8.self)) \($0.kind)"
      }
    }
    let body = "\r\n\r\n--bü\r\nA: b\r\n\r\n--büx --bü\r\n"
    let all = ["1 bü write", "3 bü read", "7 bü read"]
    let head = "POST /\r\nContent-Type: multipart/form-data; Boundary="
    #expect(found(head + "b1️⃣ü" + body + "--bü--\r\n") == all)
    #expect(found(head + "\"bü\"; a=b" + body + "--bü1️⃣--\r\n") == all)
    #expect(found(head + "bü" + body + "--bü--1️⃣\r\n") == [])
    #expect(found(head + "{{b1️⃣}}" + body) == [])
  }

  @Test(arguments: 0..<8)
  func `Every name stands where it is said to, also in broken files`(seed: Int) {
    var random = RepeatableGenerator(seed: UInt64(seed))
    let sources = [
      "/p/.env": "# c\nexport A = {{b}}\nC='x {{d.e}}'\n\tF=1\r\nG H=2\n",
      "/p/http-client.env.json": """
      {"dev": {"a": "{{b.c}}", "d": {"e": ["{{f}}", {"g": "{{$dotenv H}}"}]}, "größe": "{{%i}}"}}
      """,
      "/p/.vscode/settings.json": """
      {"rest-client.environmentVariables": {"$shared": {"a": "{{$shared b}}"}}}
      """,
      "/p/body.json": "{{a}} {{ b.c }} {{$global.d.e}} {{ $processEnv %f }} {{$xpath:g //h}}",
      "/p/a.http": """
      @a = {{b}}
      # @prompt c d
      # @kulala-prompt "e f" g
      # @loop for h of i.j
      # @disabled !k
      POST /{{$.l..m}}{{n + 1}}{{$dotenv %o}}
      ?? js p.q == 1
      """,
    ]
    for (path, source) in sources {
      var bytes = Array(source.utf8)
      for _ in 0..<60 {
        let names = FileNames.reading(path, bytes)
        for occurrence in names.occurrences {
          let range = occurrence.range
          #expect(range.lowerBound >= 0 && range.upperBound <= bytes.count)
          let text = bytes[range.clamped(to: 0..<bytes.count)]
          let isPlain = text.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\\") }
          let last = occurrence.path.last ?? occurrence.name
          #expect(!isPlain || Array(last.utf8) == Array(text), "\(occurrence) in \(bytes)")
        }
        bytes = random.mutated(bytes)
      }
    }
  }

  @Test(arguments: 0..<10)
  func `Names after edits with blocks taken over are those of the whole text`(seed: Int) {
    var random = RepeatableGenerator(seed: UInt64(seed))
    var bytes = Array(Bench.large(8).utf8)
    var document = ParsedDocument(bytes: bytes)
    var names: FileNames?
    for _ in 0..<40 {
      names = FileNames(
        path: "a", document: document, dialect: Dialect(), reusing: names, keepsBytes: true
      ) { $0 }
      let plain = FileNames(path: "a", document: document, dialect: Dialect()) { $0 }
      #expect(names?.occurrences == plain.occurrences)
      bytes = random.mutated(bytes)
      document = ParsedDocument(bytes: bytes, reusing: document)
    }
  }
}

extension FileNames {
  /// The names of a file by its path.
  fileprivate static func reading(_ path: String, _ bytes: [UInt8]) -> FileNames {
    if let kind = EnvironmentSource.Kind(path: path) {
      return FileNames(path: path, bytes: bytes, of: kind)
    }
    if ParsedDocument.isRequestFile(path) {
      let document = ParsedDocument(bytes: bytes)
      return FileNames(path: path, document: document, dialect: Dialect()) { $0 }
    }
    return FileNames(path: path, template: bytes)
  }
}
