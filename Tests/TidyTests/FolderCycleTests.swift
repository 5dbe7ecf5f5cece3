// The folders of a target form no cycle, so that one can be read before another.

import Testing

@Suite struct FolderCycleTests {
  private typealias Edge = FolderGraph.Edge

  /// Folders that lead back to what names them, each with the reason why that has not ended yet.
  /// The list only shrinks.
  private static let exceptions: [FolderGraph.Edge: String] = Dictionary(
    uniqueKeysWithValues: reasons.flatMap { target, reason, edges in
      edges.map { (Edge(target, $0, $1), reason) }
    })

  private static let reasons: [(target: String, reason: String, edges: [(String, String)])] = [
    (
      "PostKitEvaluate", "problems quote what these folders know",
      [(".", "Assertions"), (".", "Environments"), (".", "Values")]
    ),
    (
      "PostKitEvaluate", "settings of a request are read where it is lowered",
      [("Assertions", "Lowering"), ("Scope", "Lowering")]
    ),
    (
      "PostKitEvaluate", "a dialect chooses among forms that these declare",
      [("Dialects", "Bodies"), ("Dialects", "Values")]
    ),
    (
      "PostKitEvaluate", "a lowered request holds what these make, and they lower",
      [("Lowering", "Bodies"), ("Lowering", "Credentials"), ("Lowering", "Curl"),
        ("Lowering", "Files"), ("Credentials", "Environments")]
    ),
    (
      "PostKitEvaluate", "a scope evaluates what it finds",
      [("Scope", "Environments"), ("Scope", "Files"), ("Scope", "Values"), ("Selection", "Values"),
        ("Values", "Environments"), ("Values", "Lowering")]
    ),
    (
      "PostKitLanguage", "the findings of a file are all made in one pass",
      [(".", "Advice")]
    ),
    (
      "PostKitLanguage", "advice says what a refactoring would do",
      [("Advice", "Changes"), ("Changes", "Fixes")]
    ),
    (
      "PostKitLanguage", "the entry of a diagnostic names its fixes",
      [("Catalog", "Changes"), ("Catalog", "Environments"), ("Catalog", "Fixes")]
    ),
    (
      "PostKitStore", "the store is one actor; the upkeep of the history becomes a type of its own",
      [(".", "History")]
    ),
    (
      "postkit", "signals are blocked before the subcommand is known",
      [(".", "Commands")]
    ),
  ]

  private static let graph = Result { FolderGraph(try Repository.swiftFiles("Sources")) }

  @Test func `the folders inside each target form no cycle`() throws {
    let graph = try Self.graph.get()
    #expect(graph.edges.count > 100)
    Violation.expectNone(graph.violations(without: Self.exceptions.keys))
  }

  @Test func `no exception from that outlives its reason`() throws {
    #expect(try Self.graph.get().needless(Self.exceptions.keys) == [])
  }

  private static func graph(_ files: KeyValuePairs<String, String>) -> FolderGraph {
    FolderGraph(files.map { SourceText(path: "Sources/T/\($0)", $1) })
  }

  @Test func `a planted cycle is found, and where it begins`() {
    let graph = Self.graph([
      "A/One.swift": "struct One {}\nfunc help() {}",
      "B/Two.swift": "struct Two { let one: One }",
      "C/Three.swift": "// Two\nenum Three {\n  static let two = Two(one: One())\n}",
      "A/More.swift": "extension One {\n  func f() -> Three? { nil }\n}",
      "D/Four.swift": "func four() { help() }",
    ])
    let cycle = [Edge("T", "A", "C"), Edge("T", "B", "A"), Edge("T", "C", "A"), Edge("T", "C", "B")]
    #expect(graph.cyclic(without: []) == cycle)
    #expect(
      graph.violations(without: []).first?.description
        == "Sources/T/A/More.swift:2: T: A names C, by `Three`, and that leads back")
    #expect(graph.edges.keys.contains(Edge("T", "D", "A")))
    #expect(graph.cyclic(without: [cycle[0]]) == [])
    #expect(graph.needless([cycle[0]]) == [])
    #expect(graph.needless([cycle[0], cycle[1]]) == [cycle[1]])
    #expect(graph.needless([cycle[0], Edge("T", "D", "B")]) == [Edge("T", "D", "B")])
  }

  @Test func `files in no folder are a folder, and those of other targets are none`() {
    let graph = Self.graph([
      "One.swift": "class One { var two: Two? }", "A/B/Two.swift": "typealias Two = One",
    ])
    #expect(graph.cyclic(without: []) == [Edge("T", ".", "A"), Edge("T", "A", ".")])
    let others = FolderGraph([
      SourceText(path: "Sources/T/A/One.swift", "struct One { var two: Two? }"),
      SourceText(path: "Sources/U/B/Two.swift", "struct Two { var one: One? }"),
    ])
    #expect(others.edges.isEmpty)
  }

  @Test func `what only looks like a name of another folder is none`() {
    let graph = Self.graph([
      "A/One.swift": "struct One {}\nprivate struct Hidden {}\nstruct Both {}\nstruct Inner {}",
      "B/Two.swift": """
        struct Both { let text = "One" }  // One
        let other = LSP.One()
        let hidden: Hidden? = nil
        enum Two { struct Inner {} }
        let inner = Inner()
        """,
    ])
    #expect(graph.edges.isEmpty)
  }
}
