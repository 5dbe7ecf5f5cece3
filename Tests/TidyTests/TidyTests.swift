// The repository held against its own rules; CheckerTests shows that each of them can fail.

import Foundation
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TidyTests {
  /// Read once for all checks.
  private static let files = Result {
    (sources: try Repository.swiftFiles("Sources"), tests: try Repository.swiftFiles("Tests"))
  }

  let sources: [SourceText]
  let tests: [SourceText]

  init() throws { (sources, tests) = try Self.files.get() }

  /// The sources that are shipped.
  private var shipped: [SourceText] {
    sources.filter { Repository.target(of: $0.path) != "PostKitTestSupport" }
  }

  @Test func `there is something to check`() {
    #expect(shipped.count > 100)
    #expect(tests.count > 30)
  }

  @Test func `targets import what the table in the README of the sources allows`() throws {
    let table = try ImportTable(page: Repository.text("Sources/README.md"))
    #expect(table.targets.count >= 17)
    Violation.expectNone(sources.flatMap(table.violations))
    let folders = Set(try FileSystem.list(FilePath.join(Repository.root, "Sources")))
      .subtracting(["README.md"])
    #expect(folders == Set(table.targets), "the table and the folders of Sources differ")
  }

  @Test func `files have fewer than 400 lines`() {
    Violation.expectNone((sources + tests).flatMap(FileChecks.length))
  }

  @Test func `C files are as short, as narrow and as clear about their reason as Swift files`() throws {
    let files = try ["Sources", "Tests"].flatMap(Repository.cFiles)
    #expect(files.count > 10)
    Violation.expectNone(
      files.flatMap(FileChecks.length) + files.flatMap(FileChecks.columns)
        + files.flatMap(FileChecks.firstSentence))
  }

  @Test func `programs in other languages have fewer than 400 lines a file, too`() async throws {
    // What `generate-protocol` writes is as long as the protocol.
    let generated: Set = ["editors/neovim/lua/postkit/meta/protocol.lua"]
    let paths = try await Repository.trackedFiles().filter { path in
      !generated.contains(path)
        && [".py", ".js", ".lua", ".vim", ".el"].contains(where: path.hasSuffix)
    }
    Violation.expectNone(
      try paths.flatMap { FileChecks.length(path: $0, try Repository.text($0)) })
  }

  @Test func `lines of sources have at most 100 columns`() {
    Violation.expectNone(sources.flatMap(FileChecks.columns))
  }

  @Test func `functions have fewer than 60 lines`() {
    Violation.expectNone((sources + tests).flatMap(DeclarationChecks.functionLength))
  }

  @Test func `files begin with a sentence that says why they exist`() {
    Violation.expectNone((sources + tests).flatMap(FileChecks.firstSentence))
  }

  @Test func `declarations that other files see are documented`() {
    Violation.expectNone(sources.flatMap(DeclarationChecks.documentation))
  }

  @Test func `shipped code neither crashes nor prints nor imports Foundation`() {
    Violation.expectNone(shipped.flatMap(FileChecks.bannedWords))
  }

  @Test func `risks stand beside their reasons`() {
    Violation.expectNone(shipped.flatMap(FileChecks.reasons))
  }

  @Test func `what anybody may have written stands in Markdown by one function`() {
    let files = shipped.filter { $0.path.hasPrefix("Sources/PostKitLanguage/") }
    Violation.expectNone(files.flatMap(DeclarationChecks.bareCode))
  }

  @Test func `pure targets name all cases of their own enumerations`() {
    let pure: Set = [
      "PostKitText", "PostKitJSON", "PostKitHTTP", "PostKitSyntax", "PostKitEvaluate",
      "PostKitLanguage",
    ]
    let files = sources.filter { pure.contains(Repository.target(of: $0.path)) }
    Violation.expectNone(files.flatMap(SwitchCheck(files).violations))
  }

  @Test func `the store's methods never wait`() {
    let files = sources.filter { Repository.target(of: $0.path) == "PostKitStore" }
    Violation.expectNone(files.flatMap { DeclarationChecks.awaits($0, actor: "Store") })
  }

  @Test func `the language of queries has no word that only tests use`() throws {
    let place = "Sources/PostKitStore/Query/"
    let check = QueryCallers(shipped)
    Violation.expectNone(
      try sources.filter { $0.path.hasPrefix(place) }.flatMap { try check.violations($0) })
  }

  @Test func `what a transaction decides on is read inside it`() {
    let inside = shipped.filter { Repository.target(of: $0.path) == "PostKitStore" }
    let outside = shipped.filter { Repository.target(of: $0.path) != "PostKitStore" }
    Violation.expectNone(
      outside.flatMap(TransactionCheck.decisions) + outside.flatMap(TransactionCheck.moments)
        + inside.flatMap(TransactionCheck.reads))
  }

  /// Whoever starts a task here keeps it and ends it. Only who waits for no longer than so long
  /// leaves what was waited for to end by itself.
  private static let taskOwners: Set<String> = [
    "Sources/PostKitServer/Loop/InFlight.swift", "Sources/postkit/Main.swift",
    "Sources/PostKitSession/Store/StoreAccess.swift", "Sources/PostKitSession/Tasks/Waiting.swift",
    "Sources/PostKitSession/Store/StoreAccess+Recording.swift",
    "Sources/postkit/Commands/RunParts.swift", "Sources/postkit/Commands/HistoryWriter.swift",
    "Sources/postkit/Commands/Auth.swift",
    "Sources/PostKitServer/Handlers/Sends/SendRequests.swift",
    "Sources/PostKitServer/Handlers/Sends/RunQueue.swift",
    "Sources/PostKitSession/Store/StoreReview.swift",
    "Sources/PostKitSession/Scripts/ScriptHosts.swift",
    "Sources/PostKitSession/Scripts/ScriptChecker.swift",
    "Sources/PostKitSession/Descriptions/Descriptions.swift",
    "Sources/PostKitStore/Collections/CollectionEditor.swift",
    "Sources/PostKitRunner/Tokens/TokenBroker+Flights.swift",
  ]

  @Test func `unstructured tasks start only where somebody owns them`() {
    Violation.expectNone(
      shipped.flatMap { FileChecks.tasks($0, allowedIn: Self.taskOwners) })
    for path in Self.taskOwners {
      let owner = sources.filter { $0.path == path }
      #expect(
        !owner.flatMap { FileChecks.tasks($0, allowedIn: []) }.isEmpty,
        "\(path) starts no task any more: take it off the list")
    }
  }

  /// The program and the server, which a user starts, and tests of what they find, which give an
  /// environment of their own.
  private static let placeSeekers: Set<String> = [
    "Sources/postkit/Command.swift", "Sources/PostKitServer/Loop/Lifecycle.swift",
    "Tests/PostKitStoreTests/StoreLocationTests.swift",
    "Tests/PostKitStoreTests/StoreFilesTests.swift",
  ]

  @Test func `only what a user starts looks for the user's store`() {
    Violation.expectNone(
      (sources + tests).flatMap { FileChecks.usersStore($0, allowedIn: Self.placeSeekers) })
    for path in Self.placeSeekers {
      let seeker = (sources + tests).filter { $0.path == path }
      #expect(
        !seeker.flatMap { FileChecks.usersStore($0, allowedIn: []) }.isEmpty,
        "\(path) looks for no store any more: take it off the list")
    }
  }

  @Test func `no task is left to Dispatch`() {
    Violation.expectNone(shipped.flatMap(FileChecks.dispatched))
  }

  @Test func `no tracked file waits to be done or names a place of one machine`() async throws {
    let paths = try await Repository.trackedFiles().filter { path in
      !path.hasPrefix("Tests/TidyTests/") && !path.hasPrefix("protocol/")
        && ![".png", ".svg", ".gif"].contains(where: path.hasSuffix)
    }
    let check = TraceCheck(root: Repository.root, home: FileSystem.homeDirectory)
    var violations: [Violation] = []
    for path in paths {
      let text = try Repository.text(path)
      violations += FileChecks.leftovers(path: path, text) + check.violations(path: path, text)
    }
    Violation.expectNone(violations)
  }

  @Test func `the map of the sources names what is there`() throws {
    let files = try sources + tests + ["Sources", "Tests"].flatMap(Repository.cFiles)
    let others = [".ci", "Tests", "Sources"].flatMap { folder in
      let names = FileManager.default.enumerator(atPath: FilePath.join(Repository.root, folder))
      return (names?.allObjects ?? []).compactMap { $0 as? String }.map { "\(folder)/\($0)" }
    }
    let code = files.flatMap(\.code)
    let words = Set(
      code.flatMap { line in
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      })
    let check = PageCheck(paths: others + ["Package.swift"], words: words)
    let path = "Sources/README.md"
    Violation.expectNone(check.violations(path: path, try Repository.text(path)))
  }

  @Test func `links and pictures of pages lead to what is there`() async throws {
    let paths = try await Repository.trackedFiles()
    let check = LinkCheck(paths: paths)
    for path in paths where path.hasSuffix(".md") && !path.contains("/Golden/") {
      Violation.expectNone(check.violations(path: path, try Repository.text(path)))
    }
  }

  @Test func `the README is read in a few minutes, and shows pictures`() throws {
    let page = try Repository.text("README.md")
    #expect(page.split(whereSeparator: \.isWhitespace).count <= 700)
    #expect(page.split(separator: "![").count >= 4)
    #expect(page.contains("](Tests/README.md)"))
  }

  @Test func `the recipes for contributors name files that are there`() throws {
    let paths = [".ci", "Tests", "Sources", "editors", "protocol"].flatMap { folder in
      let names = FileManager.default.enumerator(atPath: FilePath.join(Repository.root, folder))
      return (names?.allObjects ?? []).compactMap { $0 as? String }.map { "\(folder)/\($0)" }
    }
    let path = "Tests/README.md"
    let page = try Repository.text(path)
    Violation.expectNone(PageCheck(paths: paths, words: []).violations(path: path, page))
    let recipes = page.split(separator: "\n**").dropFirst()
    #expect(recipes.count == 8)
    for recipe in recipes { #expect(recipe.contains("`Sources/"), "\(recipe.prefix(30))") }
    // A table has the rest. `RecipeTests` shows what the generator makes of a new entry.
    for (name, most) in ["A setting": 2, "A command of our own": 5, "A diagnostic": 2] {
      let recipe = try #require(recipes.first { $0.hasPrefix("\(name)**") }, "\(name)")
      let lines = recipe.split(separator: "\n").dropFirst().filter { $0.hasPrefix("- ") }
      let byHand = lines.filter { line in
        !["- written by", "- rewritten by", "- `Tests/"].contains { line.hasPrefix($0) }
      }
      let files = byHand.flatMap { line in
        line.split(separator: "`").filter { text in paths.contains { $0 == text } }
      }
      #expect(byHand.count <= most && Set(files).count <= most, "\(name): \(byHand)")
      #expect(byHand.count >= 2 && !files.isEmpty, "\(name)")
    }
  }

  @Test func `every rule, promise and contract that a source cites is on its page, and cited`()
    async throws
  {
    let paths = try await Repository.trackedFiles().filter { !$0.hasPrefix("Tests/TidyTests/") }
    try #require(!paths.isEmpty || !FileSystem.exists(Repository.root + "/.git"))
    let check = CitationCheck(
      rules: try Repository.text("Sources/PostKitSyntax/RULES.md"),
      promises: try Repository.text("protocol/PROMISES.md"),
      contracts: try Repository.text("protocol/CONTRACTS.md"),
      pages: paths.filter { $0.hasSuffix(".md") })
    let own: Set = [
      "Sources/PostKitSyntax/RULES.md", "protocol/PROMISES.md", "protocol/CONTRACTS.md",
    ]
    let endings = [".swift", ".c", ".h", ".py", ".lua", ".vim", ".js", ".el", ".json", ".md"]
    let citing = paths.filter { path in
      !own.contains(path) && endings.contains(where: path.hasSuffix)
    }
    var cited: Set<CitationCheck.Citation> = []
    var tested: Set<CitationCheck.Citation> = []
    var violations: [Violation] = []
    for path in citing {
      let entries = CitationCheck.entries(path: path, try Repository.text(path))
      violations += check.violations(path: path, entries)
      cited.formUnion(entries.map(\.citation))
      if path == "Tests/Clients/README.md" { tested.formUnion(entries.map(\.citation)) }
    }
    Violation.expectNone(violations)
    #expect(check.uncited(cited) == [], "rows that nothing cites")
    #expect(check.promises.subtracting(tested) == [], "promises without a test in Tests/Clients")
  }

  @Test func `every test that a table of promises names is there`() throws {
    let folders = ["Tests"] + ["vim", "neovim", "vscode"].map { "editors/\($0)/test" }
    let paths = folders.flatMap { folder in
      let names = FileManager.default.enumerator(atPath: FilePath.join(Repository.root, folder))
      return (names?.allObjects ?? []).compactMap { $0 as? String }
        .filter { name in
          ["Tests.swift", ".py", ".test.js", ".lua", ".vim"].contains { name.hasSuffix($0) }
        }
        .map { "\(folder)/\($0)" }
    }
    let files = try Dictionary(uniqueKeysWithValues: paths.map { ($0, try Repository.text($0)) })
    let pages = ["Tests/PostKitStoreTests", "Tests/Clients", "editors"].map { $0 + "/README.md" }
    for path in pages {
      let table = TestTable(try Repository.text(path))
      #expect(table.entries.count > 100)
      Violation.expectNone(table.violations(path: path, files))
    }
  }

  @Test func `every scenario of the editors is tried in each of them, or can't be`() throws {
    let path = "editors/README.md"
    let table = ScenarioTable(try Repository.text(path))
    #expect(table.scenarios.count > 50)
    #expect(table.columns.count == 3)
    Violation.expectNone(table.violations(path: path))
  }
}
