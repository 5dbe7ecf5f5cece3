// The table of the diagnostics as people read it, and a case with the exact sentences for each.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
@testable import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// A file of `Golden/diagnostics`: a text with what is said about it drawn below its lines.
struct DiagnosticCase {
  let code: DiagnosticCode
  let drawing: String
  let bench: Bench
  let bytes: [UInt8]

  /// Reads the case of a code.
  init(_ code: DiagnosticCode) throws {
    self.code = code
    drawing = String(decoding: try Golden.bytes(DiagnosticCase.name(code)), as: UTF8.self)
    bench = DiagnosticCase.bench(code)
    bytes = DiagnosticCase.replacing(
      "\u{FFFD}".utf8, by: repeatElement(0xFF, count: 3),
      in: Array(CaretAnnotations(drawing).text.utf8))
  }

  static func name(_ code: DiagnosticCode) -> String { "diagnostics/\(code.rawValue).http" }

  /// A replacement character stands for three bytes that are no UTF-8.
  private static func replacing(
    _ old: some Collection<UInt8>, by new: some Collection<UInt8>, in bytes: [UInt8]
  ) -> [UInt8] {
    var result = bytes
    for start in result.indices where result[start...].starts(with: old) {
      result.replaceSubrange(start..<start + old.count, with: new)
    }
    return result
  }

  /// A world in which something can go wrong.
  private static func bench(_ code: DiagnosticCode) -> Bench {
    var bench = Bench()
    bench.files = ["./with.json", "./both.json", "./here.lua"]
    bench.contents = ["./with.json": #"{"a": "{{user}}"}"#]
    bench.ambiguous = ["./both.json"]
    bench.requestFiles = ["./circle.http": "import ./main.http\n"]
    bench.exchanges["sent"] = Bench.exchange("{}", headers: ["Content-Type": "application/json"])
    bench.exchanges["page"] = Bench.exchange("<a/>", headers: ["Content-Type": "application/xml"])
    if code.isAboutDescription { bench.description = ShopDescription.text }
    switch code {
    case .xpathSyntax: bench.xpath = .badExpression(offset: 4, explanation: "a predicate is empty")
    case .xmlBody:
      bench.xmlMistake = XMLMistake(
        range: 21..<27, explanation: "this closing tag does not match the open element")
    case .environmentFile: bench.sources.append((.userFile, "{\n  \"dev\": {,}\n}"))
    case .usage: bench.environment = "live"
    case .authUnknownID:
      let client = #"{"shop": {"Type": "Mock", "Token": "t"}}"#
      bench.sources.append((.userFile, "{\"dev\": {\"Security\": {\"Auth\": \(client)}}}"))
    case .noEnvironment: bench.environment = nil
    case .scriptDialect: bench.readsPragma = true
    default: break
    }
    return bench
  }

  /// A run in which a check failed; its request is found again by its line.
  private static var failed: LastResult {
    var result = LastResult(
      id: "1", requestName: nil, line: 2, method: "GET", url: "https://a.test/", status: "200 OK",
      isFailure: false, milliseconds: 1, size: 1, startedAt: 0)
    result.checks = [
      TestResult(name: "status == 201", passed: false, message: "The value is `200`."),
      TestResult(name: "body exists", passed: true),
      TestResult(
        name: "kulala-expect-status-code 201", passed: false, message: "The value is `200`."),
    ]
    return result
  }

  /// What the engine says of the first script of a document, which is `f(;)`.
  private func scripts(_ analysis: Analysis) -> [Diagnostic] {
    var sources = ScriptSources()
    guard let source = sources.sources(of: analysis.document).first else { return [] }
    switch code {
    case .scriptSyntax:
      let place = source.bytes.prefix { $0 != UInt8(ascii: ";") }.count
      let mistake = ScriptSyntaxMistake(range: place..<place + 1, message: "`;` can't stand here.")
      return [analysis.syntaxDiagnostic(mistake, in: source)].compactMap { $0 }
    case .scriptFailed:
      let text = String(decoding: source.bytes, as: UTF8.self)
      let failed = FailedScript(
        requestName: nil, anchor: .script(text: text, offset: 4), message: "oops", frames: [])
      return analysis.failedScripts([failed])
    default: return [analysis.missingEngine(at: source)]
    }
  }

  private func environments(_ bytes: [UInt8]) -> EnvironmentDocument {
    let file = SourceFile(path: "/project/http-client.env.json", bytes: bytes)
    return EnvironmentDocument(.publicFile, file, among: [])
  }

  /// The changes that take a diagnostic of a text away.
  func fixes(for diagnostic: Diagnostic, in bytes: [UInt8]) -> [CodeChange] {
    let files = EnvironmentFiles(
      publicFile: bench.sources.first { $0.0 == .publicFile }.map {
        SourceFile(path: "/project/http-client.env.json", bytes: Array($0.1.utf8))
      }, privateFile: nil, publicPath: "", privatePath: "/project/http-client.private.env.json")
    switch code {
    case _ where isOfEnvironment: return environments(bytes).fixes(for: diagnostic, in: files)
    case .settingsFile: return []
    default: break
    }
    let analysis = bench.analysis(bytes)
    return analysis.fixes(for: diagnostic).map { CodeChange($0) }
      + analysis.fileFixes(for: diagnostic, in: files)
  }

  /// Whether it is said in files of environments.
  private var isOfEnvironment: Bool {
    code == .duplicateKey || code == .missingKey
      || code.rawValue.hasPrefix("auth-") && code != .authUnknownID
  }

  /// What is said about a text in the case's world.
  func diagnostics(_ bytes: [UInt8]) -> [Diagnostic] {
    switch code {
    case .settingsFile: return SettingsForm.project.read(bytes).mistakes.map(Diagnostic.init)
    case _ where isOfEnvironment: return environments(bytes).diagnostics
    case .variableUnused:
      let names = FileNames(
        path: "/project/main.http", document: ParsedDocument(bytes: bytes), dialect: Dialect(),
        resolve: { _ in nil })
      return ProjectIndex([names]).unusedVariables(in: names.path)
    case .tooLong: return [Diagnostic.tooLong(megabytes: 64)]
    default: break
    }
    let analysis = bench.analysis(bytes)
    if code.rawValue.hasPrefix("graphql-"), code != .graphQLVariables {
      return GraphQLBench.diagnostics(analysis, code)
    }
    switch code {
    case .assertionFailed: return analysis.failedChecks([DiagnosticCase.failed])
    case .scriptSyntax, .scriptEngineMissing, .scriptFailed: return scripts(analysis)
    case .targetUnsupported, .targetDiffers: return analysis.portability(to: .jetbrains)
    default: return analysis.diagnostics(limit: code == .tooMany ? 2 : 100)
    }
  }
}

struct DiagnosticCatalogTests {
  /// An entry as the page and the protocol's table show it.
  private static func rows(_ code: String, _ entry: DiagnosticEntry) -> (page: String, json: String) {
    let json = JSONValue.object([
      JSONMember("code", .string(code)),
      JSONMember("severity", .string("\(entry.severity)")),
      JSONMember("meaning", .string(entry.meaning)),
      JSONMember("remedy", .string(entry.remedy)),
      JSONMember("fixes", .array(entry.fixes.map { .string($0.rawValue) })),
    ])
    let page =
      "| `\(code)` | \(entry.severity) | \(entry.meaning) | \(entry.remedy) | "
      + "\(entry.fixes.map(\.rawValue).joined(separator: ", ")) |"
    return (page, json.text)
  }

  private static let all = DiagnosticCode.allCases.map { rows($0.rawValue, $0.entry) }

  @Test func `Every code has a meaning and a remedy, and the page lists them all`() {
    for code in DiagnosticCode.allCases {
      #expect(code.entry.meaning.hasSuffix("."), "\(code.rawValue)")
      #expect(code.entry.remedy.hasSuffix("."), "\(code.rawValue)")
    }
    Golden.check(
      """
      # What PostKit says about a file

      The editor and `postkit check` give each remark one of these codes. Errors keep a request from
      being sent, those of GraphQL from being answered; nothing else does. For some of them an editor
      can do what there is to do: edit the file, change or make another file, send a request, or
      select an environment.

      | code | severity | what it means | what to do | fixes |
      | --- | --- | --- | --- | --- |
      \(Self.all.map(\.page).joined(separator: "\n"))

      """, "../../../Sources/PostKitLanguage/DIAGNOSTICS.md")
  }

  @Test func `The protocol's table has every code`() {
    Golden.check(
      "[\n  \(Self.all.map(\.json).joined(separator: ",\n  "))\n]\n",
      "../../../protocol/diagnostics.json")
  }

  @Test func `An entry alone makes the rows of a new diagnostic, and its fixes what it claims`() {
    let new = DiagnosticEntry(.warning, "It is new.", "Change it.")
    #expect(Self.rows("new", new).page == "| `new` | warning | It is new. | Change it. |  |")
    #expect(
      Self.rows("new", new).json
        == #"{"code":"new","severity":"warning","meaning":"It is new.","remedy":"Change it.","#
        + #""fixes":[]}"#)
    let fixed = DiagnosticEntry(
      .hint, "It is new.", "Change it.", edit: { _ in [] }, file: { _, _ in [] })
    #expect(fixed.fixes == [.edit, .file])
  }

  @Test("A file for each code, with place and sentence", arguments: DiagnosticCode.allCases)
  func wording(_ code: DiagnosticCode) throws {
    let example = try DiagnosticCase(code)
    let found = example.diagnostics(example.bytes)
    #expect(found.contains { $0.code == code }, "`\(code.rawValue)` is not said")
    for diagnostic in found where diagnostic.code == code {
      #expect(diagnostic.message.hasSuffix(".") || diagnostic.message.hasSuffix("?"))
    }
    let annotations = found.map {
      CaretAnnotation($0.range, "\($0.severity) \($0.code.rawValue): \($0.message)")
    }
    let text = CaretAnnotations(example.drawing).text
    Golden.check(CaretAnnotations.render(text, annotations), DiagnosticCase.name(code))
  }

  @Test("The fixes that the catalogue claims are made, and no others", arguments: DiagnosticCode.allCases)
  func claims(_ code: DiagnosticCode) throws {
    let example = try DiagnosticCase(code)
    let analysis = example.bench.analysis(example.bytes)
    var kinds: Set<DiagnosticEntry.FixKind> = []
    for diagnostic in example.diagnostics(example.bytes) where diagnostic.code == code {
      for change in example.fixes(for: diagnostic, in: example.bytes) {
        kinds.insert(change.files.isEmpty ? .edit : .file)
      }
      if analysis.requestToSend(for: diagnostic) != nil { kinds.insert(.send) }
      if !analysis.environmentsToSelect(for: diagnostic).isEmpty { kinds.insert(.select) }
    }
    #expect(kinds == Set(code.entry.fixes))
  }

  @Test func `No file is left of a code that is no more`() {
    let codes = Set(DiagnosticCode.allCases.map { $0.rawValue + ".http" })
    #expect(Set(Golden.names(in: "diagnostics", extension: "http")) == codes)
  }
}
