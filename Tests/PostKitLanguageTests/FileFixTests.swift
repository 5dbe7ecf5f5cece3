// Fixes that write into other files, applied and looked at again.

import PostKitEvaluate
import PostKitLanguage
import PostKitTestSupport
import PostKitText
import Testing

struct FileFixTests {
  /// A world with all of a change done; `nil` where its edits overlap.
  private func applied(
    _ change: CodeChange, to text: String, in bench: Bench
  ) throws -> (Bench, [UInt8]) {
    var bench = bench
    let bytes = try #require(TextEdit.apply(change.edits, to: Array(text.utf8)))
    for file in change.files {
      let kind = bench.sources.firstIndex { "/project/\($0.0).json" == file.path }
      switch file.content {
      case .new(let new) where kind == nil && file.path.hasSuffix("privateFile.json"):
        bench.sources.append((.privateFile, new))
      case .new(let new) where file.path.hasSuffix("publicFile.json"):
        bench.sources.append((.publicFile, new))
      case .new: bench.files.insert(file.path)
      case .edits(let edits, let old):
        let index = try #require(kind)
        let after = try #require(TextEdit.apply(edits, to: old))
        bench.sources[index].1 = String(decoding: after, as: UTF8.self)
      }
    }
    return (bench, bytes)
  }

  private func files(_ bench: Bench) -> EnvironmentFiles {
    func file(_ kind: String) -> SourceFile? {
      bench.sources.first { "\($0.0)" == kind }.map {
        SourceFile(path: "/project/\(kind).json", bytes: Array($0.1.utf8))
      }
    }
    return EnvironmentFiles(
      publicFile: file("publicFile"), privateFile: file("privateFile"),
      publicPath: "/project/publicFile.json", privatePath: "/project/privateFile.json")
  }

  private static let layouts = [
    #"{"dev": {"host": "https://dev.test"}, "prod": {}}"#,
    "{\n  \"dev\": {\n    \"host\": \"https://dev.test\" // of all\n  },\n  \"prod\": {\n  }\n}\n",
    "{\r\n\t\"dev\": {\"host\": \"https://dev.test\"},\r\n\t\"prod\": {\r\n\t\t\"host\": \"x\"\r\n\t}\r\n}",
    #"{"dev": {}, "prod": {"a": 1}}"#,
  ]

  @Test("A fix in other files takes its diagnostic away and brings no other", arguments: layouts)
  func fixes(_ layout: String) throws {
    let cases = [
      ("POST https://a.test/\nX: {{nope}}\n", 3),
      ("POST https://a.test/\nAuthorization: Bearer abcdefghijklmnopqrstuvwxyz\n", 1),
      ("POST https://a.test/\nAuthorization: Basic ann hunter22\n", 1),
      ("POST https://a.test/\nAuthorization: Basic YW5uOmh1bnRlcjIy\n", 1),
      ("POST https://a.test/\n\n< ./new.json\n", 1),
    ]
    for hasPrivate in [true, false] {
      var bench = Bench()
      bench.sources = [(.publicFile, layout)]
      if hasPrivate { bench.sources.append((.privateFile, #"{"dev": {"token": "s3cr3t-value"}}"#)) }
      for (text, count) in cases {
        let analysis = bench.analysis(text)
        let before = analysis.diagnostics(limit: 9)
        #expect(before.count == 1, "\(text) \(before)")
        let diagnostic = try #require(before.first)
        let found = analysis.fileFixes(for: diagnostic, in: files(bench))
        #expect(found.count == count, "\(found.map(\.title))")
        for change in found {
          let (after, bytes) = try applied(change, to: text, in: bench)
          let left = after.analysis(bytes).diagnostics(limit: 9)
          #expect(left.isEmpty, "\(change.title): \(left) \(after.sources)")
        }
      }
    }
  }

  @Test func `A definition keeps the layout of its file`() throws {
    var bench = Bench()
    var results: [String] = []
    for layout in Self.layouts {
      bench.sources = [(.publicFile, layout)]
      let text = "POST https://a.test/\nX: {{nope}}\n"
      let analysis = bench.analysis(text)
      let diagnostic = try #require(analysis.diagnostics(limit: 9).first)
      let change = try #require(
        analysis.fileFixes(for: diagnostic, in: files(bench)).first { $0.title.contains("all 2") })
      results.append(try applied(change, to: text, in: bench).0.sources[0].1)
    }
    #expect(
      results == [
        #"{"dev": {"host": "https://dev.test", "nope": ""}, "prod": {"nope": ""}}"#,
        "{\n  \"dev\": {\n    \"host\": \"https://dev.test\",\n    \"nope\": \"\" // of all\n  },\n"
          + "  \"prod\": {\"nope\": \"\"}\n}\n",
        "{\r\n\t\"dev\": {\"host\": \"https://dev.test\", \"nope\": \"\"},\r\n\t\"prod\": {\r\n"
          + "\t\t\"host\": \"x\",\r\n\t\t\"nope\": \"\"\r\n\t}\r\n}",
        #"{"dev": {"nope": ""}, "prod": {"a": 1, "nope": ""}}"#,
      ])
  }

  @Test func `Nothing is offered where it would have no effect`() throws {
    func titles(_ text: String, _ change: (inout Bench) -> Void) throws -> [String] {
      var bench = Bench()
      change(&bench)
      let analysis = bench.analysis(text)
      let diagnostic = try #require(analysis.diagnostics(limit: 9).first { $0.severity != .hint })
      return analysis.fileFixes(for: diagnostic, in: files(bench)).map(\.title)
    }
    let text = "POST https://a.test/\nX: {{nope}}\n"
    let withoutEnvironment = try titles(text) { $0.environment = nil }
    let dotEnvAlone = try titles(text) { $0.dialect.environmentSearch = .dotEnvOnly }
    let missing = try titles("POST https://a.test/\n\n< ./{{user}}.json\n") { _ in }
    #expect(withoutEnvironment == [] && dotEnvAlone == [] && missing == [])
  }

  @Test func `All safe fixes are made at once`() throws {
    let text = "POST https://a.test/{{user}\nA: b\n{}\n\n###\n@a b\n# @timeout 5\nGET https://b.test/\n"
    let analysis = Bench().analysis(text)
    let change = try #require(analysis.fixAll(analysis.diagnostics(limit: 20)))
    let bytes = try #require(TextEdit.apply(change.edits, to: Array(text.utf8)))
    let after = Bench().analysis(bytes)
    #expect(after.fixAll(after.diagnostics(limit: 20)) == nil)
    expect(
      String(decoding: bytes, as: UTF8.self),
      is: "POST https://a.test/{{user}}}\nA: b\n\n{}\n\n###\n@a = b\n# @timeout 5 s\nGET https://b.test/\n")
    #expect(Bench().analysis("GET https://b.test/\n").fixAll([]) == nil)
  }
}
