// The examples of a request file of Bruno's.

import PostKitEvaluate

/// Reads an `example` block: a request and the response that it had.
struct BrunoExampleReader {
  let file: BrunoFile
  let origin: String

  /// The response of an example; `nil` where it has none.
  func read(
    _ block: BruBlock, of request: OriginRequest
  ) throws(OriginFailure) -> OriginExample? {
    let inside = try file.reading { () throws(BruMistake) in try block.inside() }
    let name = inside.pairs.last { $0.key == "name" }?.value ?? ""
    for pair in inside.pairs where !["name", "description"].contains(pair.key) {
      tellUnknown(pair.key, pair.line)
    }
    if let sent = inside.block("request") { try compare(sent, request) }
    guard let response = inside.block("response") else {
      file.notes.tell(
        .itemMalformed, "The example has no response and is left out.", at: file.place(block.line),
        origin: origin, isWarning: false)
      return nil
    }
    let parts = try file.reading { () throws(BruMistake) in try response.inside() }
    var example = OriginExample(
      name: name, status: try status(parts), place: file.place(block.line))
    let headers = try file.pairs("headers", in: parts)
    example.headers = headers.map {
      OriginPair(name: OriginText(literal: $0.key), value: OriginText(literal: $0.value))
    }
    example.body = try body(parts)
    for block in parts.blocks where !["headers", "status", "body"].contains(block.name) {
      tellUnknown(block.name, block.line)
    }
    return example
  }

  /// The status in a block of its own, or as a value; without any it was a success.
  private func status(_ parts: BruText) throws(OriginFailure) -> Int {
    let pairs = try file.pairs("status", in: parts)
    let written = pairs.last { $0.key == "code" } ?? parts.pairs.last { $0.key == "status" }
    return written.flatMap { Int($0.value) } ?? 200
  }

  /// The body: `content` of a block with a type, else the text of the block.
  private func body(_ parts: BruText) throws(OriginFailure) -> [UInt8] {
    guard let block = parts.block("body") else { return [] }
    let first = block.lines.first { !$0.text.trimmingBlanks.isEmpty }?.text.trimmingBlanks ?? ""
    let isTyped = first.hasPrefix("type:") || first.hasPrefix("content:")
    // What is no list of pairs is the body itself.
    if isTyped, let pairs = try? block.pairs(),
      let content = pairs.last(where: { $0.key == "content" })
    {
      return Array(content.value.utf8)
    }
    return Array(block.text.utf8)
  }

  /// Tells a request of the example that is another than the one that is written.
  private func compare(_ block: BruBlock, _ request: OriginRequest) throws(OriginFailure) {
    let parts = try file.reading { () throws(BruMistake) in try block.inside() }
    guard let method = parts.pairs.last(where: { $0.key == "method" })?.value,
      method.uppercased() != request.method.uppercased()
    else { return }
    file.notes.tell(
      .itemMalformed,
      "The example was sent with another method. Its response is kept, its request is not.",
      at: file.place(block.line), origin: origin, isWarning: false)
  }

  private func tellUnknown(_ name: String, _ line: Int) {
    file.notes.tell(
      .memberUnknown, "PostKit does not know what `\(name)` means and leaves it out.",
      at: file.place(line), origin: origin)
  }
}
