// Random edits of people and random changes of an origin: nothing of either is lost (IO-20).

import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct MergePropertyTests {
  /// What the random requests are made of; each value is found again by its mark.
  private struct Shop {
    var random: RepeatableGenerator
    var count = 0

    /// A word that stands nowhere else.
    mutating func mark(_ prefix: String) -> String {
      count += 1
      return "\(prefix)\(count)z"
    }

    mutating func block(_ number: Int) -> WrittenBlock {
      var block = WrittenBlock(
        "Request \(number)", id: "id\(number)", "GET {{base}}/r\(number)?q=\(mark("v"))&r=1",
        headers: "Accept: \(mark("v"))\nX-B: \(mark("v"))")
      if Bool.random(using: &random) {
        block.line = "POST {{base}}/r\(number)"
        block.body = "{\"a\": \"\(mark("v"))\"}"
      }
      if Bool.random(using: &random) {
        block.tail = "?? status == 200\n?? body contains \(mark("v"))"
      }
      if Bool.random(using: &random) { block.head = "# \(mark("v"))\n# @tag x" }
      return block
    }

    /// A folder of two files.
    mutating func folder() -> WrittenFolder {
      var result = WrittenFolder()
      for (place, path) in ["A.http", "B/C.http"].enumerated() {
        let blocks = (0..<4).map { block(place * 10 + $0) }
        let head = "@h\(place) = \(mark("v"))"
        result.files.append(WrittenFile(path: path, head: head, blocks: blocks))
      }
      result.environments = [
        WrittenEnvironment(
          name: "dev",
          values: (0..<3).map { WrittenVariable(name: "e\($0)", json: "\"\(mark("v"))\"") })
      ]
      return result
    }

    /// Changes one part of a random request; answers the mark of the change.
    mutating func change(_ folder: inout WrittenFolder, _ prefix: String) -> String {
      let mark = mark(prefix)
      let file = Int.random(in: 0..<folder.files.count, using: &random)
      let block = Int.random(in: 0..<folder.files[file].blocks.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: folder.files[file].blocks[block].head += "\n# \(mark)"
      case 1: folder.files[file].blocks[block].headers += "\nX-\(mark): 1"
      case 2: folder.files[file].blocks[block].headers =
        folder.files[file].blocks[block].headers.replacing("Accept: ", with: "Accept: \(mark)")
      case 3: folder.files[file].blocks[block].body = "{\"b\": \"\(mark)\"}"
      case 4: folder.files[file].blocks[block].tail += "\n?? header x == \(mark)"
      case 5: folder.files[file].blocks[block].line +=
        (folder.files[file].blocks[block].line.contains("?") ? "&" : "?") + "\(mark)=1"
      case 6: folder.files[file].blocks.insert(
        WrittenBlock("New \(mark)", "GET /\(mark)"), at: block)
      default: folder.environments[0].values.append(WrittenVariable(name: mark, json: "1"))
      }
      for place in folder.files[file].blocks.indices {
        for part in [\WrittenBlock.head, \.tail] {
          let text = folder.files[file].blocks[place][keyPath: part]
          if text.hasPrefix("\n") {
            folder.files[file].blocks[place][keyPath: part] = String(text.dropFirst())
          }
        }
      }
      return mark
    }
  }

  /// The files as the folder would be if people had made these changes to it by hand.
  private func write(_ folder: WrittenFolder, to there: inout MergedFolder) {
    for file in folder.files { there[file.path] = file.text }
    there.files["http-client.env.json"] = EnvironmentFilesWriter.publicFile(folder.environments)
  }

  private func isIn(_ folder: WrittenFolder, _ mark: String) -> Bool {
    folder.files.contains { $0.text.contains(mark) }
      || folder.environments.contains { $0.values.contains { $0.name == mark } }
  }

  private func text(_ there: MergedFolder) -> String {
    there.files.keys.filter { $0 != ImportManifest.fileName }.sorted()
      .map { there[$0] }.joined(separator: "\n")
  }

  @Test(arguments: 0..<60) func `nothing of either is lost`(seed: Int) throws {
    var shop = Shop(random: RepeatableGenerator(seed: UInt64(seed)))
    let old = shop.folder()
    var start = MergedFolder()
    try start.import(old)
    var (edited, changed) = (old, old)
    // A later change of a body takes the place of an earlier one.
    let mine = (0..<6).map { _ in shop.change(&edited, "mine") }.filter { isIn(edited, $0) }
    let theirs = (0..<6).map { _ in shop.change(&changed, "theirs") }.filter { isIn(changed, $0) }
    write(edited, to: &start)
    for rule in [ConflictRule.mine, .theirs] {
      var there = start
      try there.import(changed, rule)
      let text = text(there)
      for mark in rule == .mine ? mine : theirs { #expect(text.contains(mark), "\(rule)") }
      // What is not there was in conflict, and that was told.
      let lost = (rule == .mine ? theirs : mine).filter { !text.contains($0) }
      #expect(lost.isEmpty || there.notes.contains { $0.code == .conflict })
      let files = there.files
      let again = try there.import(changed, rule)
      #expect(again.isEmpty && there.notes.isEmpty && there.files == files)
    }
  }

  @Test(arguments: 0..<60) func `both orders converge where nothing is in conflict`(
    seed: Int
  ) throws {
    var shop = Shop(random: RepeatableGenerator(seed: UInt64(seed) + 1_000))
    let old = shop.folder()
    var first = MergedFolder()
    try first.import(old)
    var changed = old
    _ = (0..<5).map { _ in shop.change(&changed, "theirs") }
    var second = first
    let edit = { (there: inout MergedFolder) in
      there.edit("A.http", "### Request 1\n", "### Renamed\n")
      there["A.http"] += "\n### Own\nGET /own\n"
    }
    edit(&first)
    try first.import(changed)
    try second.import(changed)
    edit(&second)
    try second.import(changed)
    for path in Set(first.files.keys).union(second.files.keys) where path != "A.http" {
      #expect(first[path] == second[path], "\(path)")
    }
    let blocks = { (there: MergedFolder) in
      Set(FileParts(there.files["A.http"] ?? []).blocks.map { "\($0.title)\n\($0.parts)" })
    }
    #expect(first.notes.isEmpty && blocks(first) == blocks(second))
  }
}
