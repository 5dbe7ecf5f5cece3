// Blocks that others share, and which blocks a run of the whole file takes (PK-39, PK-40).

extension ParsedBlock {
  /// When the request of a shared block runs.
  package enum Sharing: Sendable, Hashable {
    /// `### Shared`: once, before the first request of a run.
    case once
    /// `### Shared each`: before every request.
    case each
  }

  /// How the block's title shares it with the requests below.
  package var sharing: Sharing? {
    switch title {
    case "Shared": .once
    case "Shared each": .each
    default: nil
    }
  }

  /// Whether a `run` line stands in it.
  package var hasRuns: Bool { directives.contains { $0.kind != .importFile } }

  /// Whether it can be run: it has a request or `run` lines.
  package var isRunnable: Bool { isRequest || hasRuns }

  /// Whether the request is only a place for headers: its URL is `NOP`, or a header stands where
  /// the URL would be.
  package var isPlaceholder: Bool {
    guard let request = request, request.curl == nil else { return false }
    return headerInsteadOfTarget != nil || request.target.map(text).joined() == "NOP"
  }

  /// The name and the value of a header that stands where a request line would.
  package var headerInsteadOfTarget: (name: Range<Int>, value: Range<Int>)? {
    guard sharing != nil, let request = request, request.curl == nil else { return nil }
    let line = Array(slice(request.line))
    guard let colon = line.firstIndex(of: Byte.colon), colon > 0, colon + 1 < line.count,
      line[colon + 1].isBlank,
      line[..<colon].allSatisfy({ $0.isLetter || $0.isDigit || $0 == Byte.dash })
    else { return nil }
    let start = request.line.lowerBound
    let value = line.trimmed(colon + 1..<line.count)
    return (start..<start + colon, start + value.lowerBound..<start + value.upperBound)
  }

  /// How the block is called in sentences: by its name, else by its method and target, else by its
  /// first `run` line or its place.
  package var caption: String {
    if let name { return name }
    if isRequest { return methodAndPlace }
    return hasRuns ? text(leadingLine) : "#\(index + 1)"
  }

  /// The line that stands for the block: its request line, else its first `run` line.
  package var leadingLine: Range<Int> {
    request?.line ?? directives.first { $0.kind != .importFile }?.line ?? 0..<0
  }
}

extension ParsedDocument {
  /// The shared blocks at the top of the file: nothing that can be run stands above them.
  package var sharedBlocks: [ParsedBlock] {
    var result: [ParsedBlock] = []
    for block in blocks {
      if block.sharing != nil {
        result.append(block)
      } else if block.isRunnable {
        break
      }
    }
    return result
  }

  /// The first request of a name, else the first block of that name with `run` lines.
  package func runnable(named name: String) -> ParsedBlock? {
    request(named: name) ?? blocks(named: name).first { $0.isRunnable }
  }

  /// What a run of the whole file takes, in order. Shared blocks go before others on their own.
  package func batch(sharesBlocks: Bool) -> [ParsedBlock] {
    let shared = sharesBlocks ? Set(sharedBlocks.map(\.index)) : []
    return blocks.filter { $0.isRunnable && !shared.contains($0.index) }
  }

  /// The request that a text is about when it is one of a collection: the first that can be run.
  /// Shared blocks before it are there for its sake.
  package func mainRequest(sharesBlocks: Bool) -> ParsedBlock? {
    batch(sharesBlocks: sharesBlocks).first ?? blocks.first(where: \.isRunnable)
  }
}
