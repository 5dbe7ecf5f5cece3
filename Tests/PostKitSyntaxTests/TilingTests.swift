// What must hold for any bytes whatever: nothing is lost, nothing is counted twice.

import PostKitSyntax
import PostKitTestSupport
import Testing

/// The examples of the golden folders, by name.
let examples: [(name: String, bytes: [UInt8])] = ["valid", "broken"].flatMap { folder in
  ["http", "md"].flatMap { ending in
    Golden.names(in: folder, extension: ending).map { name in
      (name, (try? Golden.bytes("\(folder)/\(name)")) ?? [])
    }
  }
}

/// The first thing that is wrong with how a file was parsed; `nil` if nothing is.
func flaw(in document: ParsedDocument) -> String? {
  var end = 0
  for (index, block) in document.blocks.enumerated() {
    if block.index != index { return "block \(index) says \(block.index)" }
    if block.range.lowerBound != end { return "block \(index) begins at \(block.range)" }
    if block.range.isEmpty { return "block \(index) is empty" }
    end = block.range.upperBound
    let count = block.range.count
    let tokens = block.syntax.tokens
    if tokens.contains(where: { $0.length == 0 }) { return "block \(index) has an empty token" }
    let length = tokens.reduce(0) { $0 + Int($1.length) }
    if length != count { return "block \(index): tokens hold \(length) of \(count) bytes" }
    let outside = ranges(of: block.syntax).first { $0.upperBound > count || $0.lowerBound < 0 }
    if let range = outside {
      return "block \(index): \(range) is out of \(count)"
    }
    let starts = block.syntax.references.map(\.range.lowerBound)
    if starts != starts.sorted() { return "block \(index): references out of order" }
  }
  return end == document.bytes.count ? nil : "blocks end at \(end)"
}

private func ranges(of syntax: BlockSyntax) -> [Range<Int>] {
  var all = syntax.metadata.flatMap { [$0.line, $0.key, $0.value] }
  all += syntax.variables.flatMap { [$0.line, $0.nameRange, $0.value] }
  all += syntax.directives.flatMap { [$0.line, $0.argument] }
  all += syntax.directives.flatMap { $0.overrides.flatMap { [$0.name, $0.value] } }
  all += syntax.scripts.flatMap { [$0.range, $0.text, $0.path].compactMap { $0 } }
  all += (syntax.saves + syntax.responseReferences).flatMap { [$0.markerRange, $0.path] }
  all += syntax.assertions.flatMap { [$0.line, $0.text] }
  all += syntax.references.flatMap { [$0.range, $0.inner] }
  all += syntax.problems.map(\.range)
  all += [syntax.separator?.marker, syntax.separator?.title].compactMap { $0 }
  if let response = syntax.inlineResponse { all.append(response) }
  guard let request = syntax.request else { return all }
  all += request.target + [request.line]
  all += [request.method, request.version, request.curl, request.body?.range].compactMap { $0 }
  all += request.headers.flatMap { [$0.line, $0.name] + $0.value }
  all += request.body?.lines.flatMap { [$0.content, $0.lineEnd] } ?? []
  return all
}

@Suite struct TilingTests {
  @Test func `Tokens tile every example, its prefixes and its one-byte deletions`() {
    #expect(examples.count > 10)
    for example in examples {
      let format = ParsedDocument.format(ofPath: example.name)
      #expect(flaw(in: ParsedDocument(bytes: example.bytes, format: format)) == nil)
      for count in example.bytes.indices {
        let prefix = ParsedDocument(bytes: Array(example.bytes[..<count]), format: format)
        if let flaw = flaw(in: prefix) { Issue.record("\(example.name) to \(count): \(flaw)") }
        var shorter = example.bytes
        shorter.remove(at: count)
        let deleted = ParsedDocument(bytes: shorter, format: format)
        if let flaw = flaw(in: deleted) { Issue.record("\(example.name) less \(count): \(flaw)") }
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Random changes never break the tiling, and reuse changes nothing`(seed: UInt64) {
    var generator = RepeatableGenerator(seed: seed)
    for _ in 0..<40 {
      let example = generator.pick(examples)
      let format = ParsedDocument.format(ofPath: example.name)
      var bytes = example.bytes
      var document = ParsedDocument(bytes: bytes, format: format)
      for _ in 0..<8 {
        bytes = edited(bytes, &generator)
        document = ParsedDocument(bytes: bytes, format: format, reusing: document)
        let fresh = ParsedDocument(bytes: bytes, format: format)
        if let flaw = flaw(in: document) { Issue.record("seed \(seed), \(example.name): \(flaw)") }
        #expect(document.blocks.map(\.syntax) == fresh.blocks.map(\.syntax), "\(example.name)")
        #expect(document.blocks.map(\.range) == fresh.blocks.map(\.range), "\(example.name)")
      }
    }
  }

  @Test func `A block that repeats the one before has the same tree at its own place`() {
    let block = "### a\n# @name b\nGET http://{{c}}\n\n"
    let document = ParsedDocument(bytes: Array((block + block + "###\n" + block).utf8))
    #expect(flaw(in: document) == nil)
    #expect(document.blocks.map(\.name) == ["b", "b", nil, "b"])
    for block in document.blocks {
      let alone = ParsedDocument(bytes: Array(block.slice(0..<block.range.count)))
      #expect(alone.blocks.map(\.syntax) == [block.syntax])
    }
  }

  @Test func `A text that is longer than a token can be is several tokens`() {
    let longest = 1 << 26
    let document = ParsedDocument(
      bytes: Array(repeating: UInt8(ascii: "x"), count: longest + 5), format: .markdown)
    #expect(flaw(in: document) == nil)
    #expect(document.blocks[0].syntax.tokens.map(\.kind) == [.prose, .prose])
    #expect(document.blocks[0].syntax.tokens.map(\.length) == [UInt32(longest - 1), 6])
  }

  private func edited(_ bytes: [UInt8], _ generator: inout RepeatableGenerator) -> [UInt8] {
    guard generator.oneIn(2), !bytes.isEmpty else { return generator.mutated(bytes) }
    let texts = [
      "###\n", "\n### x\n", "{{", "}}", "\n\n", "\r\n", "GET /\n", "> {%", "%}", "@a = {{b}}\n",
      "```http\n", "```\n", "\u{FEFF}", "< f.txt\n", "--b\n", "# @name x\n", "/*\n", "*/\n", "{{\n",
    ]
    var result = bytes
    result.insert(contentsOf: generator.pick(texts).utf8, at: generator.int(in: 0..<bytes.count))
    return result
  }
}
