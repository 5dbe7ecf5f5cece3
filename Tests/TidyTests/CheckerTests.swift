// Every check on small samples that it must accept and refuse.

import PostKitTestSupport
import Testing

/// The rules broken by a source file, without the paths.
func rules(
  _ text: String, path: String = "Sources/A/B.swift", _ check: (SourceText) -> [Violation]
) -> [String] {
  check(SourceText(path: path, text)).map { "\($0.line): \($0.rule)" }
}

@Suite struct CheckerTests {
  @Test func `comments and strings are blanked, interpolations stay`() {
    let source = SourceText(
      path: "a",
      ##"""
      let a = "print(\(f("x") + g!)) \" b" // print(
      /* a /* print( */ b */ let b = #"""# + #"\#(h) \(i)"#
      func `print( it`() {}
      """##)
    #expect(source.code[0].contains("f(\" \") + g!"))
    #expect(!source.code.contains { $0.contains("print") })
    #expect(source.code[1].contains("let b") && source.code[1].contains("h"))
    #expect(!source.code[1].contains("i"))
    #expect(source.lines[2] == "func `print( it`() {}")
  }

  @Test func `a multi-line string ends where it ends`() {
    let text = "let a = \"\"\"\n  x \"y\" fatalError\n  \"\"\"\nlet b = 1\n"
    let source = SourceText(path: "a", text)
    #expect(source.code[3] == "let b = 1")
    #expect(!source.code[1].contains("fatalError"))
    #expect(source.lines.count == 4)
  }

  @Test func `the import table reads phrases and refuses what it can't read`() throws {
    let page = """
      | target | responsibility | may import |
      |---|---|---|
      | `CCurl` | c | – |
      | `Libc` | the system | the C library |
      | `PostKitText` | text | – |
      | `PostKitLanguage` | language | PostKitText |
      | `PostKitRunner` | runs | all PostKit targets above but PostKitLanguage, Synchronization |
      | `PostKitServer` | serves | all Swift targets above, Libc |
      """
    let table = try ImportTable(page: page)
    #expect(table.allowed["PostKitRunner"] == ["PostKitText", "Synchronization"])
    #expect(table.allowed["PostKitServer"]?.contains("PostKitLanguage") == true)
    #expect(table.allowed["PostKitServer"]?.contains("CCurl") == false)
    #expect(table.allowed["PostKitServer"]?.contains("Libc") == true)
    #expect(table.allowed["PostKitServer"]?.contains("Glibc") == false)
    #expect(throws: ImportTable.Unreadable(words: "whatever")) {
      try ImportTable(page: "| `A` | b | whatever |")
    }
    #expect(throws: ImportTable.Unreadable(words: "B")) {
      try ImportTable(page: "| `A` | b | B |\n| `B` | b | – |")
    }
    let text = "import PostKitText\n@testable package import class Glibc.X\n// import Z\n"
    #expect(
      rules(text, path: "Sources/PostKitLanguage/A.swift", table.violations)
        == ["2: PostKitLanguage may not import Glibc"])
    #expect(
      rules(text, path: "Sources/New/A.swift", table.violations) == ["0: New is not in the table"])
  }

  @Test func `length, columns and first sentence`() {
    let line = "// Sentence.\n"
    #expect(rules(String(repeating: line, count: 399), FileChecks.length) == [])
    #expect(rules(String(repeating: line, count: 400), FileChecks.length) == ["0: has 400 lines"])
    let many = String(repeating: "x\n", count: 399)
    #expect(FileChecks.length(path: "a.py", many).isEmpty)
    #expect(FileChecks.length(path: "a.py", many + "y").map(\.rule) == ["has 400 lines"])
    #expect(rules(String(repeating: "ü", count: 100), FileChecks.columns) == [])
    #expect(
      rules(String(repeating: "ü", count: 101), FileChecks.columns) == ["1: has 101 columns"])
    let broken = ["1: doesn't begin with a // sentence"]
    #expect(rules("// Says why,\n// at length.\n\nlet a = 1", FileChecks.firstSentence) == [])
    for text in ["let a = 1", "", "//\n// A.swift\n", "/// A type.", "// says why.", "// No end"] {
      #expect(rules(text, FileChecks.firstSentence) == broken, "\(text)")
    }
  }

  @Test(arguments: [
    ("print(1)", "says print("), ("fatalError()", "says fatalError"),
    ("import Foundation", "says import Foundation"), ("try! a()", "unwraps by force"),
    ("a as! B", "unwraps by force"), ("let b = a!.c", "unwraps by force"),
    ("f()!", "unwraps by force"), ("a[1]!", "unwraps by force"),
    ("var a: Int!", "unwraps by force"), ("\"\\(a!)\"", "unwraps by force"),
  ])
  func `words that crash or print`(code: String, rule: String) {
    #expect(rules(code, FileChecks.bannedWords) == ["1: \(rule)"])
  }

  @Test(arguments: [
    "a != b", "!a", "guard !a, !(b), b[!c]", "\"print( fatalError try! a!\"", "// a!",
    "sprint(1)", "import FoundationEssentials", "a !== b", "#if !os(macOS)",
  ])
  func `words that look like it`(code: String) {
    #expect(rules(code, FileChecks.bannedWords) == [])
  }

  @Test func `leftovers, tasks and reasons`() {
    #expect(FileChecks.leftovers(path: "a", "x\n# TODO: y\nTODOs XXXX").map(\.line) == [2])
    for start in [
      "Task { await a() }", "let t = Task.detached {", "Task(priority: .high) {",
      "Task(executorPreference: a) {",
    ] {
      #expect(rules(start, { FileChecks.tasks($0, allowedIn: []) }).count == 1)
      #expect(rules(start, { FileChecks.tasks($0, allowedIn: ["Sources/A/B.swift"]) }) == [])
    }
    for use in ["Task { await a() }", "try await Task.sleep(for: b)", "Task.detached { c() }"] {
      #expect(rules(use, FileChecks.dispatched) == ["1: leaves a task to Dispatch"])
    }
    #expect(rules("Task(executorPreference: a) {", FileChecks.dispatched) == [])
    let others = "group.addTask {\nTask.cancel\nMyTask {"
    #expect(rules(others, { FileChecks.tasks($0, allowedIn: []) }) == [])
    #expect(rules("\n\n\n\ntry? a()", FileChecks.reasons) == ["5: has try? without a reason"])
    #expect(rules("// It may be gone.\ntry? a()", FileChecks.reasons) == [])
    #expect(rules("\n\n\n\nlet a = entry?.name", FileChecks.reasons) == [])
    #expect(rules("final class A: @unchecked Sendable {}", FileChecks.reasons).count == 1)
  }

  @Test func `a word of queries that the product never uses is found`() throws {
    let columns = SourceText(
      path: "Sources/A/Column.swift",
      "extension Column {\n  package var count: Int { 1 }\n  package func sum() -> Int { 2 }\n}\n")
    let store = SourceText(
      path: "Sources/A/Store+Query.swift",
      "extension Store {\n  func fetch() {}\n  func page() {}\n}\n")
    func found(_ use: String) throws -> [String] {
      let check = QueryCallers([SourceText(path: "Sources/B/B.swift", use), columns, store])
      return try [columns, store].flatMap { try check.violations($0) }.map(\.rule)
    }
    let words = ["count", "sum", "fetch", "page"].map { "the product never uses `\($0)`" }
    #expect(try found("let sum = list.count // $0.id.sum store.page(") == words)
    #expect(try found("$0.id.count; columns.id.sum; store?.fetch(x); self.page(x)") == [])
    #expect(try found("$0.id.counted; $0.sum; try fetch(Model.A.self)") == [0, 1, 3].map { words[$0] })
  }

  @Test func `who asks the store and changes it afterwards is found`() {
    func function(_ lines: String...) -> String {
      "func f() {\n" + lines.map { "  \($0)\n" }.joined() + "}\n"
    }
    let question = "let known = try await store.fetch(rows)"
    for change in [
      "try await store.edit([.delete(id: known)])", "try await store?.forget(known)",
      "try await CollectionEditor(store).edit { plan($0) }", "try await editor.importEdits(known)",
    ] {
      #expect(
        rules(function(question, change), TransactionCheck.decisions)
          == ["3: changes the store by what it has asked before"], "\(change)")
      // The other way round, alone, or in two functions nothing is decided by it.
      for text in [
        function(change, question), function(change), function(question) + function(change),
        function(question, change + " ifRevision: seen"),
        function("// What is found decides nothing.", question, change),
        function(question.replacing("store.fetch", with: "restore.fetch"), change),
      ] { #expect(rules(text, TransactionCheck.decisions) == [], "\(text)") }
    }
    let item = "let item = try await store.collectionItem(id: id)"
    let source = "let text = try await store.source(ofRequest: id)"
    #expect(
      rules(function(item, source), TransactionCheck.moments)
        == ["3: asks the collections at several moments; use `look`"])
    #expect(rules(function(item) + function(source), TransactionCheck.moments) == [])
    let (read, write) = ("let isThere = try file.read(action) { a() }", "try file.write(action) { b() }")
    #expect(
      rules(function(read, write), TransactionCheck.reads) == ["2: reads before its transaction"])
    #expect(rules(function(write, read), TransactionCheck.reads) == [])
    #expect(rules(function("// It decides nothing.", read, write), TransactionCheck.reads) == [])
  }

  @Test(arguments: [
    ("let place = StoreLocation { _ in nil }", true),
    ("return StoreLocation(environment: { ProcessEnvironment.value($0) })", true),
    ("names.map(StoreLocation.init)", true), ("f(StoreLocation { all[$0] })", true),
    ("var store: StoreLocation { StoreLocation(directory: path) }", false),
    ("extension StoreLocation {", false), ("func place() -> StoreLocation {", false), ("let a: StoreLocation?", false),
    ("ServerOptions(version: version)", true),
    ("ServerOptions(storeDirectory: path, version: version)", false),
    ("ServerOptions(\nstoreDirectory: path)", false),
  ])
  func `who looks for the user's store is found`(code: String, isFound: Bool) {
    let path = "Tests/A/B.swift"
    let found = rules(code, path: path) { FileChecks.usersStore($0, allowedIn: []) }
    #expect(found == (isFound ? ["1: may open the user's own store"] : []))
    #expect(rules(code, path: path) { FileChecks.usersStore($0, allowedIn: [path]) } == [])
  }

  @Test func `functions are measured from keyword to brace`() {
    let body = String(repeating: "  a()\n", count: 58)
    let text = "func f(b: () -> Void = {}) {\n\(body)}\n"
    #expect(rules(text, DeclarationChecks.functionLength) == ["1: f has 60 lines"])
    let initialiser = text.replacing("func", with: "init")
    #expect(rules(initialiser, DeclarationChecks.functionLength).count == 1)
    #expect(rules("func f() {\n\(body.dropLast(6))}\n", DeclarationChecks.functionLength) == [])
    let requirement = "protocol P {\n  func f()\n}\nstruct S {\n\(body)\n\n}"
    #expect(rules(requirement, DeclarationChecks.functionLength) == [])
  }

  @Test func `visible declarations need a sentence`() {
    let text = """
      /// A type.
      package struct A {
        let b: Int
        /// No sentence
        @discardableResult
        package static func c() -> Int { let d = 1; return d }
        private var e = 1
        package init(f: Int) { self.init() }
        init(n: Int) {}
        case g
        var description: String { "" }
        private struct H { let i = 1 }
        enum J: Int { case k }
      }
      extension A: P { func l() {} }
      extension A { func m() {} }
      fileprivate extension A { func n() {} }
      /// Two lines
      /// make one sentence.
      /// And more
      actor O {}
      """
    #expect(
      rules(text, DeclarationChecks.documentation) == [
        "6: the doc comment of func c doesn't begin with a sentence",
        "8: init f has no doc comment", "13: enum J has no doc comment",
        "16: func m has no doc comment",
        "21: the doc comment of actor O doesn't begin with a sentence",
      ])
  }

  @Test func `waiting is found in methods of the actor and nowhere else`() {
    let text = """
      actor Store {
        static func open() async { await x() }
        func a() async {
          await b()
        }
      }
      extension Store { func c() async { if d { await e() } } }
      struct Other { func f() async { await g() } }
      """
    #expect(
      rules(text, { DeclarationChecks.awaits($0, actor: "Store") }) == [
        "4: waits inside a method of Store", "7: waits inside a method of Store",
      ])
  }

  @Test func `a name in backticks of its own is found where Markdown is made`() {
    let text = """
      func a() -> Hover {
        let line = "The `\\(name)` is there"
        return Hover(markdown: line)
      }
      func b() -> String { "`\\(name)`" }
      func c() -> String { Markdown.code(name) + " `plain`" }
      """
    #expect(rules(text, DeclarationChecks.bareCode) == ["2: a puts a value in backticks"])
  }

  @Test func `traces of a machine are found`() {
    let check = TraceCheck(root: "/builds/x/postkit", home: "/root")
    let found = check.violations(path: "a", "see /builds/x/postkit/README\n/root/a")
    #expect(Set(found.map(\.line)) == [1])
    #expect(check.violations(path: "a", "cd '/builds/x'").count == 1)
    #expect(check.violations(path: "a", "/builds/xylophone").isEmpty)
    let shared = TraceCheck(root: "/tmp/clone", home: "/home/ada")
    #expect(shared.violations(path: "a", "/tmp/else and /home/ada/b").count == 1)
  }

  @Test func `a test that a table names and nobody wrote is found`() {
    let table = TestTable(
      """
      | promise | tests |
      | `x` | `ATests/one, two`; `test_a.py/test_b`; `ATests/gone`; `test_a.py/test_c` |
      | y | `a.test.js/opens`; `b.lua/N1`; `a.test.js/closes`; `b.lua/N2`; `b.lua/words` |
      Not in a table: `ATests/elsewhere`
      """)
    let files = [
      "Tests/A/ATests.swift": "@Test func `one, two`() {", "Tests/test_a.py": "async def test_b(c):",
      "Tests/A/BTests.swift": "@Test func `gone`() {",
      "a/a.test.js": "editorTest('opens', async () => {", "a/b.lua": "  { 'N1', 'words', f },",
    ]
    #expect(
      table.entries.map(\.name) == [
        "one, two", "test_b", "gone", "test_c", "opens", "N1", "closes", "N2", "words",
      ])
    let found = table.violations(path: "README.md", files)
    #expect(
      found.map(\.rule).map { $0.split(separator: " ").last }
        == ["gone", "test_c", "closes", "N2", "words"])
    #expect(found.map(\.line) == [2, 2, 3, 3, 3])
  }

  @Test func `a scenario that an editor does not try is found`() {
    let table = ScenarioTable(
      """
      | id | scenario | what a person does |
      |---|---|---|
      | E1 | open | opens |
      | E2 | edit | edits |
      | E3 | send | sends |
      | M1 | open | opens it in another editor |

      | id | Vim | Neovim | VS Code |
      |---|---|---|---|
      | E1 | `a.vim/E1` | `a.lua/E1` | `a.test.js/opens`, `b.test.js/opens it again` |
      | E2 | no: | no: it has no such thing | `a.lua/E2` |
      | E4 | `a.vim/E4` | `a.lua/E4` | later |
      """)
    #expect(table.scenarios.map(\.id) == ["E1", "E2", "E3"])
    #expect(
      table.violations(path: "README.md").map { "\($0.line): \($0.rule)" } == [
        "5: E3 is tried nowhere", "12: E4 is no scenario",
        "11: E2 names no test of Vim and no reason",
        "11: E2 names no test of VS Code and no reason",
        "12: E4 names no test of VS Code and no reason",
      ])
  }

  @Test func `citations that lead nowhere and rows that nothing cites are found`() {
    let check = CitationCheck(
      rules: "| rule | text |\n| PK-1 | a |\n| PK-2 | b |\n| PK-4 | c |",
      promises: "| F1 | a |\n| F2 | b |\n| C1 | c |", contracts: "## 1. A\n## 2. B",
      pages: ["README.md", "protocol/PROMISES.md", "protocol/CONTRACTS.md"])
    let swift = CitationCheck.entries(
      path: "a.swift",
      """
      // A rule (PK-1 to PK-3), a promise (PROMISES.md F1, F9), a contract (CONTRACTS.md,
      // section 7).
      let a = "notes.md (F8)"  // as README.md and design.md say (F2 and F3), see (X7)
      @Test func `C1 is a row (PK-4)`() {}
      """)
    let found = check.violations(path: "a.swift", swift)
    #expect(found.map { $0.rule.split(separator: ",")[0] } == [
      "cites PK-3", "cites F9", "cites section 7 of CONTRACTS.md", "cites F3", "cites X7",
      "cites design.md",
    ])
    #expect(found.map(\.line) == [1, 1, 1, 3, 3, 3])
    #expect(check.uncited(Set(swift.map(\.citation))) == ["section 1", "section 2"])
    let others = [
      ("a.py", "  as (F2) says.\n# none.md\nf('notes.md')\n  It does (gone.md, 3)."),
      ("b.lua", "-- (F7)\nlocal a = '(F8)'"),
      ("Tests/Clients/README.md", "| F1: a, F6: b | `x` |"), ("c.vim", "\" PROMISES.md C2 to C1"),
    ]
    let rules = others.flatMap { path, text in
      check.violations(path: path, CitationCheck.entries(path: path, text)).map(\.rule)
    }
    #expect(rules.map { $0.split(separator: ",")[0] } == [
      "cites none.md", "cites gone.md", "cites F7", "cites F6", "cites C2",
    ])
    #expect(check.promises == [.row("F1"), .row("F2")])
  }

  @Test func `a link that leads nowhere is found`() {
    let check = LinkCheck(paths: ["README.md", "a/b/c.md", "a/d.png"])
    let page = """
      [x](c.md) ![y](../d.png) [z](../e.png)
      [p](https://t.test/q) [r](../..) [s](../../README.md#t)
      """
    #expect(
      check.violations(path: "a/b/f.md", page).map(\.description)
        == ["a/b/f.md:1: links to nothing: ../e.png", "a/b/f.md:2: links to nothing: ../.."])
  }

  @Test func `what a map names that is nowhere is found`() {
    let check = PageCheck(
      paths: ["Sources/A/B/C+D.swift", ".ci/corpus.py"], words: ["Runner", "send"])
    let page = """
      | `Runner` | `A/B/C+D.swift`, `C+D.swift`, `B/`, `Sources`, `.ci/corpus.py`, `/proc/PID` |
      | `Router` | `A/C+D.swift`, `E.swift`, `C/` |
      `request_proxy`, `# @proxy`, `.git`, `Glibc.X`, `confirm`, `HTTPYAC_ENV` are no types.
      """
    let found = check.violations(path: "README.md", page)
    #expect(
      found.map(\.rule).map { $0.split(separator: " ").last }
        == ["Router", "A/C+D.swift", "E.swift", "C/"])
    #expect(found.map(\.line) == [2, 2, 2, 2])
  }
}
