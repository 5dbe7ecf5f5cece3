// What is imported is parsed once, and is always what is there now.

import Foundation
import PostKitEvaluate
import PostKitSupport
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite struct ParsedFilesTests {
  private let main = ParsedDocument(
    bytes: Array("import ./a.http\nimport ./b.http\n\n###\nGET https://a.test/{{a}}\n".utf8))

  /// The files that are reached, as an editor with some of them open has them.
  private func files(
    _ directory: TemporaryDirectory, open: [String: String] = [:], _ parsed: ParsedFiles?
  ) -> [RequestFiles.File] {
    let texts = Dictionary(
      uniqueKeysWithValues: open.map {
        (directory.path($0.key), OpenText(Array($0.value.utf8), revision: 0))
      })
    var workspace = Workspace(
      file: directory.path("main.http"), workspaceFolder: directory.path, openFiles: texts)
    workspace.parsedFiles = parsed
    return workspace.scope(of: main, environment: nil, dialect: Dialect()).files.files
  }

  /// Makes a file as old as files are that somebody imports.
  private func age(_ directory: TemporaryDirectory, _ name: String, seconds: Int) throws {
    let date = Date(timeIntervalSinceNow: -Double(seconds))
    try FileManager.default.setAttributes(
      [.modificationDate: date], ofItemAtPath: directory.path(name))
  }

  @Test func `A file that stays as it is is parsed once`() throws {
    let directory = try TemporaryDirectory()
    let parsed = ParsedFiles()
    for name in ["a.http", "b.http"] {
      try directory.write(name, "@a = 1\n")
      try age(directory, name, seconds: 100)
    }
    let open = ["b.http": "@a = 2\n"]
    let first = files(directory, open: open, parsed).map(\.document.names)
    let second = files(directory, open: open, parsed).map(\.document.names)
    #expect(first.count == 3)
    #expect(zip(first, second).allSatisfy { $0 === $1 })
    try directory.write("a.http", "@c = 1\n")
    try age(directory, "a.http", seconds: 50)
    let third = files(directory, open: open, parsed)
    #expect(third[1].document.names !== first[1])
    #expect(third[1].document.names.definitions["c"] != nil)
    #expect(third[2].document.names === first[2])
  }

  @Test func `A file that was written a moment ago may be written again in the same moment`() throws {
    let directory = try TemporaryDirectory()
    let parsed = ParsedFiles()
    var start: Int64 = 0
    // Again where so much time went by that it is no moment ago any more.
    repeat {
      start = Clock.monotonicMicroseconds
      try directory.write("a.http", "@a = 1\n")
      _ = files(directory, parsed)
    } while Clock.monotonicMicroseconds - start > 1_000_000
    let version = try #require(FileSystem.version(directory.path("a.http")))
    #expect(parsed.document(directory.path("a.http"), at: version) == nil)
  }

  @Test(arguments: 0..<10)
  func `What is kept is what would be read`(seed: Int) throws {
    var random = RepeatableGenerator(seed: UInt64(seed))
    let directory = try TemporaryDirectory()
    let parsed = ParsedFiles()
    let names = ["a.http", "b.http"]
    var open: [String: String] = [:]
    for name in names { try directory.write(name, "") }
    for step in 0..<40 {
      let name = random.pick(names)
      let dialect = random.oneIn(4) ? "# @dialect \(random.pick(["kulala", "httpyac"]))\n" : ""
      let text = dialect + random.requestFile()
      switch random.int(in: 0..<4) {
      case 0: open[name] = text
      case 1: open[name] = nil
      default:
        try directory.write(name, text)
        if !random.oneIn(3) { try age(directory, name, seconds: 10_000 - step) }
      }
      let kept = files(directory, open: open, parsed)
      let plain = files(directory, open: open, nil)
      try #require(kept.map(\.document.bytes) == plain.map(\.document.bytes), "step \(step)")
      try #require(kept.map(\.document.rules) == plain.map(\.document.rules), "step \(step)")
      try #require(kept.map(\.dialect) == plain.map(\.dialect), "step \(step)")
      for (mine, its) in zip(kept, plain) {
        let trees = [mine, its].map { $0.document.blocks.map(\.syntax) }
        try #require(trees[0] == trees[1], "step \(step)")
      }
    }
  }
}
