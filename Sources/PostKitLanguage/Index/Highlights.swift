// What is highlighted in a file together with what the caret stands on.

package import PostKitSyntax

/// A place of the same name in one file.
package struct NameHighlight: Sendable, Hashable {
  /// What is done with the name there.
  package enum Kind: Sendable, Hashable { case text, read, write }
  package var range: Range<Int>
  package var kind: Kind
}

extension ProjectIndex {
  /// The places in a file that name what stands at an offset.
  package func highlights(in path: String, at offset: Int) -> [NameHighlight] {
    guard let (meaning, occurrence) = meaning(in: path, at: offset) else { return [] }
    return uses(of: meaning, from: occurrence, in: path).first { $0.file.path == path }?
      .occurrences.map {
        NameHighlight(range: $0.range, kind: $0.isDefinition ? .write : .read)
      } ?? []
  }
}

extension ParsedDocument {
  /// The headers of the file with the name of the one at an offset.
  package func headerHighlights(at offset: Int) -> [NameHighlight] {
    guard let block = block(at: offset) else { return [] }
    let place = offset - block.range.lowerBound
    let header = block.request?.headers.first {
      !$0.isSpread && !$0.value.isEmpty && $0.name.lowerBound <= place
        && place <= $0.name.upperBound
    }
    guard let header else { return [] }
    let name = block.text(header.name).lowercased()
    return blocks.flatMap { block in
      (block.request?.headers.filter { !$0.value.isEmpty } ?? []).compactMap { header in
        block.text(header.name).lowercased() == name
          ? NameHighlight(range: block.absolute(header.name), kind: .text) : nil
      }
    }
  }
}

extension ParsedDocument {
  /// The boundary of a body of parts, where an offset stands in one: what the header says, which
  /// the lines between the parts repeat.
  package func boundaryHighlights(at offset: Int) -> [NameHighlight] {
    guard let block = block(at: offset), let lines = block.request?.body?.lines,
      let written = block.writtenBoundary
    else { return [] }
    let boundary = bytes[written]
    var found = [NameHighlight(range: written, kind: .write)]
    for line in lines {
      let text = block.slice(line.content)
      guard text.starts(with: "--".utf8), text.dropFirst(2).starts(with: boundary) else { continue }
      let start = text.startIndex + 2
      let rest: [UInt8] = text[(start + boundary.count)...].filter { $0 > 32 }
      guard rest.isEmpty || rest == Array("--".utf8) else { continue }
      found.append(NameHighlight(range: start..<start + boundary.count, kind: .read))
    }
    return found.contains { $0.range.touches(offset) } ? found : []
  }
}

extension ParsedBlock {
  /// Where the boundary of the parts stands in the header; `nil` where none is written out.
  fileprivate var writtenBoundary: Range<Int>? {
    guard
      let header = request?.headers.first(where: { text($0.name).lowercased() == "content-type" })
    else { return nil }
    for piece in header.value {
      let value = slice(piece)
      let small = text(piece).lowercased().utf8
      guard small.count == value.count, let mark = Array(small).firstRange(of: "boundary=".utf8)
      else { continue }
      var start = value.startIndex + mark.upperBound
      let isQuoted = value[start...].first == UInt8(ascii: "\"")
      if isQuoted { start += 1 }
      let rest = value[start...]
      let isEnd = { (byte: UInt8) -> Bool in
        isQuoted ? byte == UInt8(ascii: "\"") : byte == UInt8(ascii: ";") || byte <= 32
      }
      let end = rest.firstIndex(where: isEnd) ?? rest.endIndex
      let hasReference = rest[..<end].contains(UInt8(ascii: "{"))
      if end > start, !hasReference { return start..<end }
    }
    return nil
  }
}
