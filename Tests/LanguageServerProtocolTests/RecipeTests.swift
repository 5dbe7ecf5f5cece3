// What a new entry in a table of the folder protocol brings about, on a copy of what the generator
// reads and writes: which files it writes, and that they can be used.

import Foundation
import PostKitTestSupport
import Testing

/// The folder that holds `protocol` and `Sources`.
private let root = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().path

/// Where the modules of this build are.
private let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
  .appending(path: "Modules").path

/// The name that SwiftPM gives the package: that of its folder, as an identifier.
private let packageName = {
  let name = URL(filePath: root).lastPathComponent.lowercased()
    .replacing(/[^a-z0-9_]/, with: "_")
  return name.first?.isNumber == true ? "_" + name : name
}()

/// Checks the types of sources as those of a module of the package.
private func check(
  _ compiler: String, module: String, _ files: [String]
) async throws -> SubprocessResult {
  let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
  return try await Subprocess.run(
    compiler,
    ["-typecheck", "-package-name", packageName, "-I", modules, "-module-name", module]
      + ["-swift-version", "6"] + features.flatMap { ["-enable-upcoming-feature", $0] } + files)
}

/// A copy of the project as far as the generator knows it.
private struct Fixture {
  let copy = Result { try TemporaryDirectory() }

  init() throws {
    let folders = [
      "protocol", "protocol/examples", "Sources/LanguageServerProtocol/Generated",
      "Sources/PostKitEvaluate", "Sources/PostKitEvaluate/Generated", "editors/vscode",
      "Sources/PostKitLanguage", "Sources/PostKitLanguage/Generated", "editors/types",
      "Sources/PostKitScriptHost/Prelude", "Sources/PostKitScriptHost/Generated",
      "editors/vscode/schemas", "editors/vscode/src", "editors/vim/doc",
      "editors/vim/autoload/postkit", "editors/neovim/doc", "editors/neovim/lua/postkit",
      "editors/neovim/lua/postkit/meta",
    ]
    for folder in folders {
      for name in try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)") {
        let file = "\(folder)/\(name)"
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: "\(root)/\(file)", isDirectory: &isFolder),
          !isFolder.boolValue, let bytes = FileManager.default.contents(atPath: "\(root)/\(file)")
        else { continue }
        _ = try copy.get().write(file, bytes: Array(bytes))
      }
    }
  }

  /// Runs the generator; answers what it says and whether it ended well.
  func generate(_ arguments: String...) async throws -> (status: Int32, lines: [String]) {
    let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "generate-protocol").path
    let result = try await Subprocess.run(tool, arguments + [copy.get().path])
    return (result.status, result.errorOutput.split(separator: "\n").map(String.init))
  }

  /// The files that the generator wrote.
  func written() async throws -> [String] {
    let (status, lines) = try await generate()
    #expect(status == 0, "\(lines)")
    return lines.map { $0.replacing(" written", with: "") }.sorted()
  }

  func read(_ name: String) throws -> String { try copy.get().read(name) }

  func write(_ name: String, _ text: String) throws { _ = try copy.get().write(name, text) }

  /// Puts a text before the one place where another stands.
  func insert(_ text: String, before mark: String, in name: String) throws {
    let parts = try read(name).split(separator: mark, omittingEmptySubsequences: false)
    try #require(parts.count == 2, "\(mark) in \(name)")
    _ = try copy.get().write(name, parts.joined(separator: text + mark))
  }
}

@Suite struct RecipeTests {
  private static let setting = """
    {"key": "codeLens.colour", "kind": "choice", "type": "LensColour", \
    "values": {"plain": "As other lenses.", "loud": "In red."}, "default": "plain", \
    "summary": "Which colour lenses have."},

    """
  private static let script = """
    {"path": "client.whistle", "kind": "function", "signatures": [{"parameters": [{"name": \
    "tune", "type": "string"}], "returns": "void"}], "families": ["jetbrains"], \
    "phases": "IPQSHLAX", "doc": "Whistles a tune."},

    """
  private static let command = """
    {"command": "postkit.explain", "role": "shows", "argument": "PostkitExplainArguments", \
    "result": "DocumentUri", "documentation": "Opens what a request means.", \
    "vscode": {"command": "postkit.explainRequest", "title": "Explain Request", \
    "when": "editorLangId == http", "call": "request"}, \
    "verb": {"name": "explain", "help": "Explain the request.", "call": "request"}},

    """
  private static let structure = """
    {"name": "PostkitExplainArguments", "properties": [], "documentation": "What is explained."},

    """

  @Test func `a stale or foreign file fails the check`() async throws {
    let fixture = try Fixture()
    #expect(try await fixture.generate("--check").lines == [])
    try fixture.write("Sources/LanguageServerProtocol/Generated/Unions.swift", "// changed\n")
    try fixture.write("Sources/PostKitEvaluate/Generated/Foreign.swift", "// new\n")
    try fixture.write("editors/neovim/lua/postkit/meta/protocol.lua", "---@meta\n")
    try fixture.write("editors/vscode/schemas/settings.schema.json", "{}\n")
    let help = try fixture.read("editors/vim/doc/postkit.txt")
    try fixture.write(
      "editors/vim/doc/postkit.txt",
      help.replacing("\t*postkit-setting-proxy*", with: "\t*postkit-setting-proxies*"))
    let (status, lines) = try await fixture.generate("--check")
    #expect(status == 1)
    let stale = [
      "LanguageServerProtocol/Generated/Unions.swift", "PostKitEvaluate/Generated/Foreign.swift",
      "meta/protocol.lua", "schemas/settings.schema.json", "vim/doc/postkit.txt",
    ]
    #expect(lines.count == stale.count)
    for name in stale { #expect(lines.contains { $0.contains("\(name) is stale") }, "\(name)") }
    #expect(try await fixture.generate().status == 0)
    #expect(try await fixture.generate("--check").status == 0)
  }

  @Test func `a new setting is one entry, and the generator writes the rest`() async throws {
    let fixture = try Fixture()
    try fixture.insert(
      Self.setting, before: #"{"key": "diagnostics.unused""#, in: "protocol/settings.json")
    let places = [
      "Sources/PostKitEvaluate/Generated/Settings.swift": #"Setting("codeLens.colour", .choice("#,
      "editors/neovim/doc/postkit.txt": "\tcodeLens.colour\n\t\t\tWhich colour",
      "editors/vim/doc/postkit.txt": "*postkit-setting-codeLens.colour*",
      "editors/vscode/package.json": #""postkit.codeLens.colour": {"#,
      "editors/vscode/schemas/settings.schema.json": ##""$ref": "#/properties/codeLens.colour""##,
      "protocol/REFERENCE.md": "| `codeLens.colour` | `plain`, `loud`; usually `plain` | Which",
      "protocol/settings.schema.json": #""codeLens.colour": {"enum": ["plain", "loud"], "#,
    ]
    #expect(try await fixture.written() == places.keys.sorted())
    for (file, text) in places { #expect(try fixture.read(file).contains(text), "\(file)") }
    #expect(try await fixture.generate("--check").lines == [])
  }

  @Test func `a new name of scripts is one entry, and the generator writes the rest`() async throws {
    let fixture = try Fixture()
    try fixture.insert(
      Self.script, before: #"{"path": "client.exit","#, in: "protocol/script-api.json")
    let places = [
      "Sources/PostKitLanguage/Generated/ScriptEntries.swift": #""client.whistle", .function, ["#,
      "Sources/PostKitLanguage/Generated/ScriptTypes+Text.swift": "whistle(tune: string): void;",
      "Sources/PostKitLanguage/SCRIPTS.md": "### `client.whistle`",
      "editors/types/postkit.d.ts": "    whistle(tune: string): void;",
    ]
    #expect(try await fixture.written() == places.keys.sorted())
    for (file, text) in places { #expect(try fixture.read(file).contains(text), "\(file)") }
    #expect(try await fixture.generate("--check").lines == [])
  }

  @Test func `a new command is an entry and a structure, and the generator writes the rest`()
    async throws
  {
    let fixture = try Fixture()
    try fixture.insert(
      Self.command, before: #"{"command": "postkit.status""#, in: "protocol/commands.json")
    try fixture.insert(
      Self.structure, before: "{\n      \"name\": \"PostkitClientCapability\"",
      in: "protocol/postkit.metaModel.json")
    let places = [
      "Sources/LanguageServerProtocol/Generated/Commands.swift":
        "case explain = \"postkit.explain\"",
      "Sources/LanguageServerProtocol/Generated/PostkitStructures.swift":
        "struct PostkitExplainArguments",
      "editors/neovim/doc/postkit.txt": ":PostKit explain\t\tExplain the request.\n",
      "editors/neovim/lua/postkit/init.lua": "explain = function() about('postkit.explain') end,",
      "editors/neovim/lua/postkit/meta/protocol.lua": "|'postkit.explain'|",
      "editors/vim/autoload/postkit/command.vim": "explain: () => store.About('postkit.explain'),",
      "editors/vim/doc/postkit.txt": "*:PostKit-explain*\n:PostKit explain\t",
      "editors/vscode/package.json":
        #"{ "command": "postkit.explainRequest", "when": "editorLangId == http" }"#,
      "editors/vscode/src/commands.js": "editor => execute('postkit.explain', target(editor)));",
      "protocol/REFERENCE.md": "| `postkit.explain` | [PostkitExplainArguments]",
    ]
    #expect(try await fixture.written() == places.keys.sorted())
    for (file, text) in places { #expect(try fixture.read(file).contains(text), "\(file)") }
    #expect(try await fixture.generate("--check").lines == [])
  }

  @Test func `what is generated for both compiles, and a command without its case doesn't`()
    async throws
  {
    guard let compiler = try Require.tool("swiftc", reason: "it reads what was generated") else {
      return
    }
    let fixture = try Fixture()
    try fixture.insert(
      Self.setting, before: #"{"key": "diagnostics.unused""#, in: "protocol/settings.json")
    try fixture.insert(
      Self.command.replacing("PostkitExplainArguments", with: "PostkitSendArguments"),
      before: #"{"command": "postkit.status""#, in: "protocol/commands.json")
    _ = try await fixture.written()
    let copy = try fixture.copy.get()
    func compile(_ use: String) async throws -> SubprocessResult {
      try fixture.write("Use.swift", "enum LSP {}\n" + use)
      return try await check(
        compiler, module: "Fixture",
        [
          copy.path("Use.swift"), copy.path("Sources/PostKitEvaluate/Setting.swift"),
          copy.path("Sources/PostKitEvaluate/Generated/Settings.swift"),
          copy.path("Sources/LanguageServerProtocol/Generated/Commands.swift"),
        ])
    }
    let use = "let key: SettingKey<LensColour> = .codeLensColour\nlet loud = LensColour.loud\n"
    let fine = try await compile(use + "let role = LSP.PostkitCommand.explain.role\n")
    #expect(fine.status == 0, "\(fine.errorOutput)")
    let cases = try fixture.read("protocol/commands.json")
      .matches(of: /"command": "postkit\.(\w+)", "role"/).map { String($0.1) }
      .filter { $0 != "explain" }
    let lacking = try await compile(
      "func run(_ command: LSP.PostkitCommand) {\n  switch command {\n  case "
        + cases.map { ".\($0)" }.joined(separator: ", ") + ": break\n  }\n}\n")
    #expect(cases.count > 20)
    #expect(lacking.status != 0)
    #expect(lacking.errorOutput.contains("add missing case: '.explain'"), "\(lacking.errorOutput)")
  }

  @Test func `a new diagnostic is an entry and its finder, and doesn't compile without the entry`()
    async throws
  {
    guard let compiler = try Require.tool("swiftc", reason: "it reads the sources") else { return }
    let copy = try TemporaryDirectory()
    let folder = "Sources/PostKitLanguage"
    let names = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
      .filter { $0.hasSuffix(".swift") }
    let catalog = "Catalog/DiagnosticCatalog.swift"
    let finder = "Advice/Advice+Body.swift"
    /// Writes a source with a text put before the first place where another stands.
    func write(_ name: String, _ added: String = "", before mark: String = "") throws {
      var text = try String(contentsOfFile: "\(root)/\(folder)/\(name)", encoding: .utf8)
      if !mark.isEmpty {
        let place = try #require(text.firstRange(of: mark), "\(mark) in \(name)")
        text.insert(contentsOf: added, at: place.lowerBound)
      }
      _ = try copy.write(name, text)
    }
    for name in names { try write(name) }
    try write(
      finder, "    if body.lines.isEmpty { say(.explained, body.range, \"Explain it.\") }\n",
      before: "    checkComments(body, type)\n")
    try write(catalog, "  case explained\n", before: "  case syntax\n")
    let files = names.map(copy.path)
    let lacking = try await check(compiler, module: "PostKitLanguage", files)
    #expect(lacking.status != 0)
    let words = lacking.errorOutput
    #expect(words.contains("add missing case: '.explained'"), "\(words)")
    let entry = "    case .explained: .init(.warning, \"It is new.\", \"Explain it.\")\n"
    let text = try copy.read(catalog)
    let place = try #require(text.firstRange(of: "    case .tooMany:"))
    _ = try copy.write(
      catalog, text.replacingCharacters(in: place, with: entry + "    case .tooMany:"))
    let fine = try await check(compiler, module: "PostKitLanguage", files)
    #expect(fine.status == 0, "\(fine.errorOutput)")
  }

  @Test(arguments: [
    ("settings", #""key": "proxy""#, #""key": "timeout""#, "stands in the table twice"),
    ("settings", #""kind": "milliseconds""#, #""kind": "hours""#, "timeout has no kind"),
    ("settings", "in milliseconds. Without", "in milliseconds (PK-1). Without", "for users"),
    ("settings", #", "type": "VariableHints""#, "", "the choice inlay.variables needs a type"),
    ("commands", #""role": "none", "argument": "PostkitCancel"#, #""argument": "PostkitCancel"#,
      "postkit.cancel has no role"),
    ("commands", "PostkitCancelArguments", "PostkitNothing", "is not in the model"),
    ("commands", #""call": "lines""#, #""call": "words""#, "can't be called with words"),
  ])
  func `a mistake in a table is refused and nothing is written`(
    table: String, old: String, new: String, sentence: String
  ) async throws {
    let fixture = try Fixture()
    let name = "protocol/\(table).json"
    let text = try fixture.read(name)
    try #require(text.contains(old))
    try fixture.write(name, text.replacing(old, with: new))
    let (status, lines) = try await fixture.generate()
    #expect(status == 1)
    #expect(lines.count == 1 && lines[0].contains(sentence), "\(lines)")
  }
}
